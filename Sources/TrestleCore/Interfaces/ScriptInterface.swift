extension _Expansion {
  /// What a program expects of a script: the functions of a callable module (`trestle.registerCallableModule`), with their types.
  ///
  /// `@JSInterface` writes one for a protocol.
  public struct ScriptInterface: Sendable {
    /// One function. JavaScript may answer with a promise.
    public struct Function: Sendable {
      let name: String
      let parameters: [Parameter]
      /// Nothing where nobody waits for the function's end.
      let result: TypeSchema?
      let documentation: String?

      /// - Parameter result: what the function gives.
      public init<Result: BridgeDecodable>(
        _ name: String, _ parameters: [Parameter] = [], result: Result.Type, documentation: String? = nil
      ) {
        self.init(name, parameters, Result.typeSchema, documentation)
      }

      @_disfavoredOverload
      public init<Result: Decodable & Sendable>(
        _ name: String, _ parameters: [Parameter] = [], result: Result.Type, documentation: String? = nil
      ) {
        self.init(name, parameters, .codable(name: "\(Result.self)"), documentation)
      }

      /// One without a result.
      ///
      /// - Parameter isAwaited: whether somebody waits for its end.
      public init(_ name: String, _ parameters: [Parameter] = [], isAwaited: Bool, documentation: String? = nil) {
        self.init(name, parameters, isAwaited ? .void : nil, documentation)
      }

      init(_ name: String, _ parameters: [Parameter], _ result: TypeSchema?, _ documentation: String?) {
        self.name = name
        self.parameters = parameters
        self.result = result
        self.documentation = documentation
      }
    }

    /// Also that of the type in declarations.
    public let name: String
    let documentation: String?
    let makeFunctions: @Sendable () -> [Function]

    /// - Parameter functions: evaluated for declarations alone.
    public init(
      _ name: String, documentation: String? = nil, functions: @escaping @Sendable () -> [Function]
    ) {
      self.name = name
      self.documentation = documentation
      makeFunctions = functions
    }
  }
}

/// A Swift face on a script's functions: `@JSInterface` writes one for a protocol, with a function for each of its functions.
public protocol ScriptProxy: Sendable {
  static var _interface: _Expansion.ScriptInterface { get }

  /// - Parameter script: whose functions are called.
  init(_ script: _Expansion.ScriptModule)
}

extension ScriptProxy {
  /// - Parameter name: what the script has registered the callable module under; without it the interface's name with a small
  ///   first letter.
  public init(_ bridge: Bridge, name: String? = nil) {
    self.init(ScriptModule(name, Self._interface, .bridge(bridge)))
  }

  /// For modules: of the bridge that the context is of.
  public init(_ context: BridgeContext, name: String? = nil) {
    self.init(ScriptModule(name, Self._interface, .context(context)))
  }
}
