import CModuleList

/// A native module as a value: its name, how an instance is made, and what it exports.
///
/// Cheap to have: the members are asked for when JavaScript first touches the module, the instance at the first call.
public struct ModuleDefinition: Sendable {
  /// Without React Native's `RCT` and `RK` prefixes.
  public let name: String
  /// Where the definition stands, for messages: `file:line`.
  public let origin: String
  /// What a reader of the declarations is told, in Markdown.
  public let documentation: String?
  /// Modules that must be there too.
  public let dependencies: [String]
  /// What the bridge must grant for the module to be opened.
  public let capabilities: Set<Capability>
  /// Its own JavaScript.
  var script: ModuleScript?
  private(set) var makeDetails: @Sendable () -> ModuleDetails
  /// Which copy of this library made it: a shared library may have brought one along.
  let libraryCopy = LibraryCopy.identifier

  /// - Parameters:
  ///   - name: `RCT` and `RK` prefixes are stripped.
  ///   - home: where calls that a method enqueues run; the others run on the JS thread.
  ///   - make: makes the instance of one bridge, on its JS thread.
  ///   - members: asked for at most once a bridge.
  public init<Module>(
    _ name: String,
    documentation: String? = nil,
    dependencies: [String] = [],
    capabilities: Set<Capability> = [],
    home: @escaping @Sendable (Module) -> ModuleHome = { _ in .jsThread },
    fileID: String = #fileID, line: Int = #line,
    make: @escaping @Sendable (BridgeContext) throws -> Module,
    @MemberBuilder<Module> members: @escaping @Sendable () -> [Member<Module>]
  ) {
    self.name = Self.normalized(name)
    self.documentation = documentation
    origin = "\(fileID):\(line)"
    self.dependencies = dependencies
    self.capabilities = capabilities
    makeDetails = { ModuleDetails(members: members(), home: home, make: make) }
  }

  /// The same module with an instance that is made already.
  package func with<Module: Sendable>(instance: Module) -> ModuleDefinition {
    var definition = self
    let makeDetails = makeDetails
    definition.makeDetails = { makeDetails().with(instance: instance) }
    return definition
  }

  /// The name as JavaScript sees it, as React Native's `ModuleRegistry` normalizes it.
  static func normalized(_ name: String) -> String {
    for prefix in ["RCT", "RK"] where name.hasPrefix(prefix) && name.count > prefix.count {
      return String(name.dropFirst(prefix.count))
    }
    return name
  }
}

/// This copy of the library: a program and a shared library that were both linked with it have one each.
final class LibraryCopy: Sendable {
  private static let instance = LibraryCopy()
  static let identifier = ObjectIdentifier(instance)
}

/// What a host may allow a bridge's modules to touch.
public struct Capability: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let files = Capability(rawValue: "files")
  public static let network = Capability(rawValue: "network")
  public static let processes = Capability(rawValue: "processes")
}

/// Where the calls that a method enqueues run.
public enum ModuleHome: Sendable {
  /// On the JS thread, at the end of the batch.
  case jsThread
  /// On an executor of ours: batch by batch, in order.
  case executor(ModuleExecutor)
  /// On an actor with an executor of its own.
  case actor(any Actor)
}

/// A type that says itself which module it is. `@NativeModule` writes the conformance.
public protocol NativeModule {
  static var moduleDefinition: ModuleDefinition { get }
}

extension ModuleDefinition {
  /// All modules that are linked into the program, in the order they were loaded.
  public static var linked: [ModuleDefinition] {
    var definitions: [ModuleDefinition] = []
    withUnsafeMutablePointer(to: &definitions) { into in
      for index in 0..<trestle_module_count() { trestle_module_at(index)?(into) }
    }
    return definitions
  }

  /// Called while the program or a shared library is loaded, by the code that `@NativeModule` writes: keeps `record`,
  /// which appends one definition to the array of definitions that it is given.
  public static func register(_ record: @convention(c) (UnsafeMutableRawPointer?) -> Void) {
    trestle_add_module(record)
  }
}
