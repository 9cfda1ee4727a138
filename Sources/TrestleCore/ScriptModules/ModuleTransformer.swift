/// Makes JavaScript of modules that are written in another language: `BridgeConfiguration.moduleTransformer`.
public protocol ModuleTransformer: Sendable {
  /// What the modules become, in their order, each by itself: JavaScript as a module, or of CommonJS where the source's format is that. A
  /// last line `//# sourceMappingURL=data:…` says where it comes from.
  ///
  /// Called on the JavaScript thread, and the script waits meanwhile. A ``ModuleSyntaxError`` becomes the script's, with its place.
  func transform(_ modules: [ModuleToTransform], within bounds: TransformBounds) -> [Result<String, any Error>]
}

/// A module that is not written in JavaScript.
public struct ModuleToTransform: Sendable {
  public var key: String
  public var source: ModuleSource

  public init(key: String, source: ModuleSource) { (self.key, self.source) = (key, source) }
}

/// What a transformer may use.
public struct TransformBounds {
  /// The memory that the bridge's limits leave to the whole process, in bytes.
  public var memory: Int?
  /// Whether the script's turn is over by its limits, or interrupted: to be asked every 20 ms or so.
  public var isOver: () -> Bool
  /// What the script may change is no program to be started for it.
  var permissions = PermissionGate.open

  public init(memory: Int? = nil, isOver: @escaping () -> Bool = { false }) {
    (self.memory, self.isOver) = (memory, isOver)
  }
}

/// A module that cannot be parsed.
public struct ModuleSyntaxError: Error, Equatable {
  public var message: String
  /// From 1.
  public var line: Int
  /// From 1, in UTF-16 units.
  public var column: Int

  public init(_ message: String, line: Int, column: Int) {
    (self.message, self.line, self.column) = (message, line, column)
  }
}
