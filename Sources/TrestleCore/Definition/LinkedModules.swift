import CConformances

extension _Expansion {
  /// A module that is listed among those which are linked. It can be asked for on any thread, whatever actor the type belongs to.
  public protocol LinkedModule: NativeModule, SendableMetatype {}
}

extension ModuleDefinition {
  /// All modules that are linked into the program or came with a library that it has opened, in no particular order.
  ///
  /// Found anew at each call, among the conformances that the compiler lists. A bridge does not open with one of a shared library
  /// that has a copy of Trestle of its own.
  public static var linked: [ModuleDefinition] {
    var definitions: [ModuleDefinition] = []
    withUnsafeMutablePointer(to: &definitions) { definitions in
      trestle_visit_conforming_types(
        protocolDescriptor,
        { metadata, copy, definitions in
          guard let metadata, let definitions else { return }
          let type = unsafeBitCast(metadata, to: Any.Type.self)
          let definition =
            copy.map { ModuleDefinition.ofAnotherCopy(type, in: String(cString: $0)) }
            ?? (type as? any _Expansion.LinkedModule.Type)?.moduleDefinition
          guard let definition else { return }
          definitions.assumingMemoryBound(to: [ModuleDefinition].self).pointee.append(definition)
        }, definitions)
    }
    return definitions
  }

  /// Where the protocol is described: the third word of the metadata of its existential type, behind kind, flags and count.
  private static var protocolDescriptor: UnsafeRawPointer {
    let metadata = unsafeBitCast((any _Expansion.LinkedModule).self as Any.Type, to: UnsafeRawPointer.self)
    return metadata.load(fromByteOffset: 2 * MemoryLayout<UnsafeRawPointer>.size, as: UnsafeRawPointer.self)
  }

  /// Stands for a module that has numbers of its own for all types, and cannot be asked what it is.
  private static func ofAnotherCopy(_ type: Any.Type, in library: String) -> ModuleDefinition {
    ModuleDefinition(_typeName(type, qualified: false), make: { _ in }, members: {}).changing { content in
      content.libraryCopy = nil
      content.origin = library
    }
  }
}
