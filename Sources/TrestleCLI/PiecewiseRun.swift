import Trestle

extension BridgeConfiguration {
  /// For scripts that are run piece by piece, as entries or tests: each can be ended by itself, and what nobody handles ends none of the
  /// others.
  ///
  /// - Parameters:
  ///   - program: the folders that tests import from without a permission.
  ///   - onLoad: is told of each module's path and text, on the JS thread.
  ///   - onUncaught: takes what nobody has handled, on the JS thread. An end that was asked for is told of by who asks.
  static func piecewise(
    _ name: String, program: [String] = [], onLoad: @escaping @Sendable (String, String) -> Void,
    onUncaught: @escaping @Sendable (any Error) -> Void
  ) -> BridgeConfiguration {
    var configuration = BridgeConfiguration()
    configuration.name = name
    configuration.capabilities = ScriptRun.capabilities
    configuration.limits = ExecutionLimits(isInterruptible: true)
    // What cannot be ended is noticed by who ends it.
    configuration.allowsWebAssembly = true
    configuration.isDevelopment = true
    var loader = FileModuleLoader(root: "/", onLoad: onLoad)
    loader.program = program
    configuration.moduleLoader = loader
    configuration.onError = { error in
      if (error as? BridgeError)?.exceeded != .interruption { onUncaught(error) }
    }
    return configuration
  }
}
