import CBundledReactNative
import JSEngine
import Trestle

extension BridgeConfiguration.Wire {
  /// As arrays, as in React Native from 0.45 to 0.79: for its own JavaScript, or any other that keeps a
  /// `__fbBatchedBridge`. Slower. Arguments are read, and wrong ones reported, when the batch goes over.
  public static let reactNative: BridgeConfiguration.Wire = .reactNative(moduleTable: .none)

  /// The same, told of more.
  ///
  /// - Parameters:
  ///   - moduleTable: how JavaScript is told of the native modules.
  ///   - onLog: takes what JavaScript gives to `nativeLoggingHook`. On the JS thread.
  public static func reactNative(
    moduleTable: ModuleTable = .none,
    onLog: @escaping @Sendable (LogLevel, String) -> Void = { _, _ in }
  ) -> BridgeConfiguration.Wire {
    BridgeConfiguration.Wire(
      name: "reactNative", script: BundledScript(bundled_reactnative_script()),
      hooks: { native, context in
        try addHooks(to: native, in: context, moduleTable: moduleTable, onLog: onLog)
      })
  }

  package static let allCases = [shared, reactNative]

  /// What native code gives to `js/reactnative` beside the functions and memory of `js/runtime`.
  private static func addHooks(
    to native: JSObject, in context: JSContext, moduleTable: ModuleTable,
    onLog: @escaping @Sendable (LogLevel, String) -> Void
  ) throws {
    try native.set("moduleTable", context.string(moduleTable.rawValue))
    try native.set(
      "log",
      context.makeFunction("log") { call in
        onLog(LogLevel(nearest: call.argument(1).number ?? 0), call.argument(0).string ?? "")
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

/// How React Native's JavaScript is told of the native modules.
public enum ModuleTable: String, Sendable, CaseIterable {
  /// `nativeModuleProxy` describes a module when it is asked for.
  case none
  /// `__fbBatchedBridgeConfig` holds the names; `nativeRequireModuleConfig` describes a module when it is asked for.
  case names
  /// `__fbBatchedBridgeConfig` holds all there is to know. Reading it describes every module, and makes the instances of
  /// those that have constants.
  case complete
}

/// How much it matters what a script logs.
public enum LogLevel: Int, Sendable, CaseIterable {
  case trace, info, warning, error

  /// React Native's numbers are those of the cases.
  fileprivate init(nearest number: Double) {
    self = number < 0.5 ? .trace : number < 1.5 ? .info : number < 2.5 ? .warning : .error
  }
}

extension ModuleSelection {
  /// The native modules that React Native's own JavaScript asks for: `Timing`, on which its timers run, and
  /// `ExceptionsManager`, which tells the bridge's `onError` of a `ReportedException`.
  public static let reactNative = ModuleSelection.definitions([.timing, .exceptionsManager])
}
