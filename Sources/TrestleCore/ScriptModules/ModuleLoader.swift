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
  /// The source map of a module, or of a script, that says where its map lies; nil if it is not to be had.
  ///
  /// Asked for when an error is told of, as a rule on the JavaScript thread. What the map says is shown in stacks and reports, never to the
  /// script. By default there is none; maps within a module need no loader.
  ///
  /// - Parameters:
  ///   - url: as the module's last line has it.
  ///   - key: of the module, or the name of the script.
  func loadSourceMap(_ url: String, of key: String) -> String?
}

extension ModuleLoader {
  public func loadSourceMap(_ url: String, of key: String) -> String? { nil }
}

/// What a script asks for.
public struct ModuleRequest: Sendable {
  /// As the script writes it: `./lib.js`, `left-pad`, `#config`.
  public var specifier: String
  /// The key of the module that asks; nil for the host.
  public var referrer: String?
  /// By `require` of CommonJS, not by `import`.
  public var isRequired: Bool
  /// The main module asks for it, or one that it imports, before anything of them has run.
  package var isOfProgram = false

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

  /// What it is written in. What is not JavaScript becomes it by `BridgeConfiguration.moduleTransformer`.
  public enum Language: Sendable {
    case javaScript
    case jsx
    case typeScript
    /// TypeScript with JSX.
    case tsx
  }

  public var text: String
  public var format: Format
  public var language: Language
  /// How it becomes JavaScript.
  public var compilerOptions = CompilerOptions()

  public init(_ text: String, format: Format = .module, language: Language = .javaScript) {
    (self.text, self.format, self.language) = (text, format, language)
  }
}

/// How TypeScript and JSX become JavaScript: what of `tsconfig.json` matters to one file alone.
public struct CompilerOptions: Sendable, Equatable {
  public enum JSX: Sendable {
    /// Elements are calls of `jsx` and `jsxs`, which are imported from `jsxImportSource` and `/jsx-runtime`.
    case automatic
    /// Elements are calls of `jsxFactory`, which is in scope.
    case classic
  }

  public var jsx = JSX.automatic
  public var jsxImportSource = "react"
  public var jsxFactory = "React.createElement"
  public var jsxFragmentFactory = "React.Fragment"
  /// Fields of classes are defined, as in JavaScript; otherwise they are assigned to.
  public var definesClassFields = true
  /// Imports of which nothing is used stay, unless they are `import type`.
  public var keepsUnusedImports = false

  public init() {}
}
