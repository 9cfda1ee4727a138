/// JavaScript that a module brings along.
///
/// A function expression that is called once, when the bridge opens and before any other script runs: what it takes from
/// the global object then, no script has replaced. It alone is given the module's object as native code defines it; what it
/// returns is all that scripts find in `NativeModules` under the module's name: nothing, if that is `undefined`.
public struct ModuleScript: Sendable {
  /// The name that stack traces give it.
  public let sourceURL: String
  let source: @Sendable () -> String
  package enum Realm: String, Sendable {
    /// That of scripts; it is given their global object too.
    case scripts
    /// Beside the bridge's own JavaScript, where no script reaches it; it is given `border` too (`js/border`).
    case own
    /// One that is nobody else's: it is given both, and what it needs of the bridge's own.
    case new
  }
  package var realm = Realm.scripts
  /// What it is known to make: where this is said, it runs when one of these globals, or the module, is first touched. Of one that
  /// runs beside the bridge's own.
  package var globals: [String]?
  var isPostponed: Bool { realm == .own && globals != nil }

  /// - Parameter source: asked for at each opening of a bridge with the module.
  public init(sourceURL: String, _ source: @escaping @Sendable () -> String) {
    self.sourceURL = sourceURL
    self.source = source
  }
}

extension ModuleDefinition {
  /// A module of JavaScript alone.
  public init(_ name: String, script: ModuleScript, fileID: String = #fileID, line: Int = #line) {
    self = ModuleDefinition(name, fileID: fileID, line: line, make: { _ in () }, members: {}).with(script: script)
  }

  /// The same module with JavaScript of its own.
  public func with(script: ModuleScript) -> ModuleDefinition {
    changing { $0.script = script }
  }
}
