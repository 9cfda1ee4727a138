import JSEngine

/// What native code gives to `js/reactnative` beside the functions and memory of `js/runtime`.
extension CommandQueue {
  func addReactNativeHooks(to native: JSObject, in context: JSContext, configuration: BridgeConfiguration) throws {
    let onLog = configuration.onLog
    try native.set("moduleTable", context.string(configuration.moduleTable.rawValue))
    try native.set(
      "log",
      context.makeFunction("log") { call in
        onLog(LogLevel(reactNative: call.argument(1).number ?? 0), call.argument(0).string ?? "")
        return nil
      })
    try native.set(
      "evaluate",
      context.makeFunction("evaluate") { call in
        let url = call.argument(1).string ?? ""
        return try call.context.evaluate(call.argument(0).string ?? "", sourceURL: url.isEmpty ? nil : url)
      })
  }
}

extension LogLevel {
  /// The nearest level: React Native's numbers are those of the cases.
  fileprivate init(reactNative number: Double) {
    self = number < 0.5 ? .trace : number < 1.5 ? .info : number < 2.5 ? .warning : .error
  }
}
