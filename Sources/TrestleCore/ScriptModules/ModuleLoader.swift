/// Decides what the modules are that scripts import: which one a name means, and where its source comes from.
///
/// Both methods are called on the JavaScript thread, and the script waits meanwhile. What they throw is thrown by `require`, or rejects the
/// promise of `import()`.
public protocol ModuleLoader: Sendable {
  /// The key of the module that is asked for: of a module's request it is asked once, and remembered. Requests that come to one key share one module; a key is what stack traces call it. One
  /// that begins with `trestle:` is a native module of the bridge's, which is not loaded.
  func resolve(_ request: ModuleRequest) throws -> String
  /// The source of the module with that key.
  ///
  /// - Parameter type: what the import says that it is (`with { type: 'json' }`).
  func load(_ key: String, type: String?) throws -> ModuleSource
}

/// What a script asks for.
public struct ModuleRequest: Sendable {
  /// As the script writes it: `./lib.js`, `left-pad`, `#config`.
  public var specifier: String
  /// The key of the module that asks; nil for the host.
  public var referrer: String?
  /// By `require` of CommonJS, not by `import`.
  public var isRequired: Bool

  public init(_ specifier: String, from referrer: String? = nil, isRequired: Bool = false) {
    (self.specifier, self.referrer, self.isRequired) = (specifier, referrer, isRequired)
  }
}

/// The source of a module.
public struct ModuleSource: Sendable {
  public enum Format: String, Sendable {
    /// The language's own: `import` and `export`.
    case module
    /// A function's body that sets `module.exports`.
    case commonJS = "commonjs"
    case json
    /// Its text is what it exports by default.
    case text
    /// One of the first two: what it contains says which.
    case script
  }

  public var text: String
  public var format: Format

  public init(_ text: String, format: Format = .module) { (self.text, self.format) = (text, format) }
}
