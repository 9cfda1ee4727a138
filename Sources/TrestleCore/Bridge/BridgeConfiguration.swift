import JSEngine

/// What a bridge is opened with, beside its modules.
public struct BridgeConfiguration: Sendable {
  /// How calls cross between JavaScript and Swift.
  public enum Wire: Sendable, CaseIterable {
    /// Through memory that both share.
    case shared
    /// As arrays, as in React Native from 0.45 to 0.79: for its own JavaScript, or any other that keeps a
    /// `__fbBatchedBridge`. Slower. Arguments are read, and wrong ones reported, when the batch goes over.
    case reactNative
  }

  /// How React Native's JavaScript is told of the native modules, on its wire.
  public enum ModuleTable: String, Sendable, CaseIterable {
    /// `nativeModuleProxy` describes a module when it is asked for.
    case none
    /// `__fbBatchedBridgeConfig` holds the names; `nativeRequireModuleConfig` describes a module when it is asked for.
    case names
    /// `__fbBatchedBridgeConfig` holds all there is to know. Reading it describes every module, and makes the instances of
    /// those that have constants.
    case complete
  }

  /// For threads and debuggers.
  public var name = "bridge"
  public var wire = Wire.shared
  public var moduleTable = ModuleTable.none
  /// What modules that declare a capability may be opened.
  public var capabilities: Set<Capability> = []
  /// What one turn of JavaScript may use. None by default.
  public var limits: ExecutionLimits?
  /// Scripts have `WebAssembly` in spite of limits. The engine ends none of its loops: while one runs, no limit holds, nor does
  /// `Bridge.interrupt`.
  public var allowsWebAssembly = false
  /// How large a single message of JavaScript's may be, in bytes: a call with its arguments, or an answer. Between 4 KiB, which
  /// every error fits into, and 2 GiB.
  public var messageLimit = 256 << 20 {
    didSet { messageLimit = min(max(messageLimit, 4 << 10), 2 << 30) }
  }
  /// How long a single string of JavaScript's may be, in UTF-16 units; a longer one is an `ERR_LIMIT` for who passes it. The texts
  /// of errors are cut.
  public var stringLimit = Int.max
  /// How many levels values of JavaScript's may be nested, 512 at most; deeper ones are an `ERR_ARGUMENT`. Records that are
  /// nested no deeper than 3 by their types are not counted.
  public var nestingLimit = 512
  /// How many calls of JavaScript's may wait for an answer at a time; one more fails with `ERR_LIMIT`.
  public var callLimit = Int.max
  /// How many bytes the shared objects that scripts have may keep together, as far as those say (`SharedObject.memoryCost`). A result
  /// with one more fails with `ERR_LIMIT`. What a script has forgotten counts until the collector has found it, after the turn.
  public var sharedMemoryLimit = Int.max {
    didSet { sharedMemoryLimit = max(sharedMemoryLimit, 0) }
  }
  /// Errors tell where in JavaScript the failing call was made. Costs about 2.5 µs a call.
  public var isDevelopment = false
  /// Keeps what `Bridge.outstanding()` tells. Costs some microseconds a call that waits, and errors tell where their calls were made; nothing
  /// when off.
  public var tracksOutstanding = false
  /// Takes, when the bridge closes, what was never answered, released or removed, if that is tracked. On the JS thread.
  public var onLeaks: @Sendable ([OutstandingItem]) -> Void = { _ in }
  /// What modules find in their `BridgeContext`.
  public var provisions: [any Sendable] = []
  /// Takes errors that no code waits for: of void methods, of listeners and callbacks, unhandled rejections. On any thread. By
  /// default it writes `Bridge.report(of:)` to standard error.
  public var onError: @Sendable (any Error) -> Void = Bridge.writeReport
  /// Takes what JavaScript gives to `nativeLoggingHook`, on React Native's wire. On the JS thread.
  public var onLog: @Sendable (LogLevel, String) -> Void = { _, _ in }
  /// Counts and times what crosses, for `Bridge.metrics`. Costs 0.3 µs a call; nothing when off.
  public var metrics: MetricsRecorder?
  /// Takes what crosses, and when. Costs 1.5 µs a call; nothing when there is none.
  public var trace: TraceFile?
  /// How long a native method may hold the JavaScript thread before `onError` is told (`ERR_BLOCKED`), once: one that waits
  /// there for work that is to run there never ends. Nil for never. Costs 0.3 µs a call.
  public var blockedCallThreshold: Duration?
  /// See what goes over the message queue.
  package var observers: [any QueueObserver] = []

  public init() {}

  var allObservers: [any QueueObserver] {
    let own: [(any QueueObserver)?] = [metrics.map(MetricsObserver.init), trace.map { TraceObserver($0, name: name) }]
    return observers + own.compactMap(\.self)
  }
}

/// How much it matters what a script logs.
public enum LogLevel: Int, Sendable, CaseIterable {
  case trace, info, warning, error
}

/// Which modules a bridge opens with.
public struct ModuleSelection: Sendable {
  let definitions: @Sendable () throws(BridgeError) -> [ModuleDefinition]

  /// All that are linked into the program. The calls of one that nobody but the host can make fail, unless its instance
  /// is given beside.
  public static let linked = ModuleSelection { ModuleDefinition.linked }
  /// None.
  public static let none = ModuleSelection { [] }

  /// Of the linked modules those of these names. The bridge does not open if one is not there, or needs an instance.
  public static func only(_ names: [String]) -> ModuleSelection {
    ModuleSelection { () throws(BridgeError) in
      let linked = ModuleDefinition.linked
      for name in names { try requireModule(name, among: linked) }
      return linked.filter { names.contains($0.name) }
    }
  }

  private static func requireModule(_ name: String, among linked: [ModuleDefinition]) throws(BridgeError) {
    guard let module = linked.first(where: { $0.name == name }) else {
      let nearest = name.nearest(of: linked.map(\.name)).map { ": is it '\($0)'?" } ?? ""
      throw BridgeError(.module, "no module that is linked is named '\(name)'\(nearest)")
    }
    if module.needsInstance {
      throw BridgeError(
        .module,
        "module '\(name)' has no initializer that a bridge can call: give its instance, '.instance(\(name)(…))'",
        at: module.origin)
    }
  }

  /// These definitions.
  public static func definitions(_ definitions: [ModuleDefinition]) -> ModuleSelection {
    ModuleSelection { definitions }
  }

  /// A module of which the host has made the instance: every bridge that opens with it shares it.
  public static func instance<Module: NativeModule & Sendable>(_ module: Module) -> ModuleSelection {
    ModuleSelection { [Module.moduleDefinition.with(instance: module)] }
  }

  public static func + (one: ModuleSelection, other: ModuleSelection) -> ModuleSelection {
    ModuleSelection { () throws(BridgeError) in try one.definitions() + other.definitions() }
  }
}
