/// A native module as a value: its name, how an instance is made, and what it exports.
///
/// Cheap to have: the members are asked for when JavaScript first touches the module, the instance at the first call.
public struct ModuleDefinition: Sendable {
  struct Content: Sendable {
    let name: String
    var origin: String
    let documentation: String?
    let dependencies: [String]
    let capabilities: Set<Capability>
    var needsInstance: Bool
    var script: ModuleScript?
    var makeDetails: @Sendable () -> ModuleDetails
    var libraryCopy: ObjectIdentifier? = LibraryCopy.identifier
  }

  private final class Box: Sendable {
    let content: Content
    init(_ content: Content) { self.content = content }
  }

  // One reference to count, not six: a bridge sorts and numbers thousands of definitions when it opens.
  private let box: Box
  private var content: Content { _read { yield box.content } }

  /// Without React Native's `RCT` and `RK` prefixes.
  public var name: String { content.name }
  /// Where the definition stands, for messages: `file:line`.
  public var origin: String { content.origin }
  /// What a reader of the declarations is told, in Markdown.
  package var documentation: String? { content.documentation }
  /// Modules that must be there too.
  package var dependencies: [String] { content.dependencies }
  /// What the bridge must grant for the module to be opened.
  package var capabilities: Set<Capability> { content.capabilities }
  /// Whether nobody but the host can make the instance (`ModuleSelection.instance`), and has not yet.
  var needsInstance: Bool { content.needsInstance }
  /// Its own JavaScript.
  var script: ModuleScript? { content.script }
  var makeDetails: @Sendable () -> ModuleDetails { content.makeDetails }
  /// Which copy of this library made it, nil for one that cannot be asked: a shared library may have brought a copy along.
  var libraryCopy: ObjectIdentifier? { content.libraryCopy }

  /// - Parameters:
  ///   - name: `RCT` and `RK` prefixes are stripped.
  ///   - make: makes the instance of one bridge, on its JS thread.
  ///   - members: asked for at most once a bridge.
  public init<Module>(
    _ name: String,
    documentation: String? = nil,
    dependencies: [String] = [],
    capabilities: Set<Capability> = [],
    fileID: String = #fileID, line: Int = #line,
    make: @escaping @Sendable (BridgeContext) throws -> Module,
    @MemberBuilder<Module> members: @escaping @Sendable () -> [Member<Module>]
  ) {
    self.init(
      name, documentation: documentation, dependencies: dependencies, capabilities: capabilities,
      home: { _ in .jsThread }, fileID: fileID, line: line, make: make, members: members)
  }

  /// - Parameters:
  ///   - needsInstance: whether `make` only throws, as nobody but the host can make the instance.
  ///   - home: where calls that a method enqueues run; the others run on the JS thread.
  package init<Module>(
    _ name: String,
    documentation: String? = nil,
    dependencies: [String] = [],
    capabilities: Set<Capability> = [],
    needsInstance: Bool = false,
    home: @escaping @Sendable (Module) -> ModuleHome,
    fileID: String = #fileID, line: Int = #line,
    make: @escaping @Sendable (BridgeContext) throws -> Module,
    @MemberBuilder<Module> members: @escaping @Sendable () -> [Member<Module>]
  ) {
    box = Box(
      Content(
        name: Self.normalized(name), origin: "\(fileID):\(line)", documentation: documentation,
        dependencies: dependencies, capabilities: capabilities, needsInstance: needsInstance,
        makeDetails: { ModuleDetails(members: members(), home: home, make: make) }))
  }

  private init(_ content: Content) { box = Box(content) }

  func changing(_ change: (inout Content) -> Void) -> ModuleDefinition {
    var content = content
    change(&content)
    return ModuleDefinition(content)
  }

  /// The same module with an instance that is made already.
  package func with<Module: Sendable>(instance: Module) -> ModuleDefinition {
    let makeDetails = makeDetails
    return changing { content in
      content.needsInstance = false
      content.makeDetails = { makeDetails().with(instance: instance) }
    }
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

extension _Expansion {
  /// Where the calls that a method enqueues run.
  public enum ModuleHome: Sendable {
    /// On the JS thread, at the end of the batch.
    case jsThread
    /// On an executor of ours: batch by batch, in order.
    case executor(ModuleExecutor)
    /// On an actor with an executor of its own.
    case actor(any Actor)
  }
}

/// A type that says itself which module it is. `@NativeModule` writes the conformance.
public protocol NativeModule {
  static var moduleDefinition: ModuleDefinition { get }
}
