import CBundledJS
import Glibc
import JSEngine

/// What a bridge is opened with, beside its modules.
public struct BridgeConfiguration: Sendable {
  /// How calls cross between JavaScript and Swift.
  public struct Wire: Sendable {
    package let name: String
    /// One function expression that takes its native half and the border, and returns its entry points (`js/runtime/boot.js`).
    package let script: BundledScript
    /// Adds to that native half what this wire alone has.
    package let hooks: (@Sendable (JSObject, JSContext) throws -> Void)?

    package init(
      name: String, script: BundledScript,
      hooks: (@Sendable (JSObject, JSContext) throws -> Void)? = nil
    ) {
      (self.name, self.script, self.hooks) = (name, script, hooks)
    }

    /// Through memory that both share.
    public static let shared = Wire(
      name: "shared", script: BundledScript(bundled_runtime_script()))

    package static func == (one: Wire, other: Wire) -> Bool { one.name == other.name }
  }

  /// For threads and debuggers.
  public var name = "bridge"
  public var wire = Wire.shared
  /// What modules that declare a capability may be opened.
  public var capabilities: Set<Capability> = []
  /// What these modules may do then: everything by default.
  public var permissions = Permissions.all
  /// What holds for the bridge that started this one, and for it, too; nil for one of its own.
  package var permissionGate: PermissionGate?
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
  /// How many calls of JavaScript's may wait for an answer at a time, those of the workers that scripts start included; one more fails
  /// with `ERR_LIMIT`.
  public var callLimit = Int.max
  /// What the bridge that started this one counts its calls in; nil for one of its own.
  package var callBudget: CallBudget?
  /// How many bytes the shared objects that scripts have may keep together, those of the workers that they start included, as far as
  /// those say (`SharedObject.memoryCost`). A result with one more fails with `ERR_LIMIT`. What a script has forgotten counts until the collector has found it, after the turn.
  public var sharedMemoryLimit = Int.max {
    didSet { sharedMemoryLimit = max(sharedMemoryLimit, 0) }
  }
  /// What the bridge that started this one counts its shared objects in; nil for one of its own.
  package var memoryBudget: MemoryBudget?
  /// Errors tell where in JavaScript the failing call was made. Costs about 2.5 µs a call.
  public var isDevelopment = false
  /// Keeps what `Bridge.outstanding()` tells. Costs some microseconds a call that waits, and errors tell where their calls were made; nothing
  /// when off.
  public var tracksOutstanding = false
  /// Takes, when the bridge closes, what was never answered, released or removed, if that is tracked. On the JS thread.
  public var onLeaks: @Sendable ([OutstandingItem]) -> Void = { _ in }
  /// Loads what scripts import; nil if they may import nothing. The modules are files of the host's, or whatever the loader makes them:
  /// what it reads scripts can read.
  public var moduleLoader: (any ModuleLoader)?
  /// Makes JavaScript of the modules that are TypeScript or JSX; nil for none.
  public var moduleTransformer: (any ModuleTransformer)? = ESBuildTransformer()
  /// Those of what the bridge runs; nil for its own.
  package var sourceMaps: SourceMaps?
  /// What modules find in their `BridgeContext`.
  public var provisions: [any Sendable] = []
  /// Takes errors that no code waits for: of void methods, of listeners and callbacks, unhandled rejections. On any thread. By
  /// default it writes `Bridge.report(of:)` to standard error.
  public var onError: @Sendable (any Error) -> Void = Bridge.writeReport
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
