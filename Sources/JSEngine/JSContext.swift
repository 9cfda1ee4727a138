import CJavaScriptCore
import EventLoop

/// A JavaScript global object and the heap it lives in, bound to the thread of a loop.
///
/// Everything of a context is used on that thread alone: neither contexts nor values are `Sendable`. Values keep their
/// context alive; after `close` they are harmless and every operation on them throws `JSException.Code.contextClosed`.
///
/// The engine posts some callbacks (`FinalizationRegistry`, asynchronous WebAssembly, its collector's timers) to the
/// thread's default GLib context *as it was when the thread first used the engine*: a thread has one loop for life.
public final class JSContext {
  /// The loop on whose thread the context lives.
  public let loop: Loop
  /// The engine's own handle, valid until `close`.
  package let reference: JSGlobalContextRef
  /// That of the realm of the host's own JavaScript (`OwnRealm`).
  let ownRealmReference: JSGlobalContextRef
  /// What every entry passes, in either direction.
  package let gate: TurnGate

  private let door = Door()
  let releases: ReleaseQueue
  let collectsAtEveryCall: Bool
  /// The weak references that are left, to be given up with the heap.
  var weakReferences: Set<JSWeakRef> = []
  /// Who waits for promises.
  var waits: [ObjectIdentifier: JSPromise.Wait] = [:]
  /// What raw functions call.
  var owners: [AnyObject] = []
  /// Called before the heap goes, for those who have a view of its memory.
  package var willClose: (() -> Void)?
  private(set) var intrinsics: Intrinsics! = nil

  /// Opens a context on the loop of the calling thread, and makes that loop the thread's default if it is not.
  /// Costs about a millisecond.
  /// - Parameters:
  ///   - name: for debuggers.
  ///   - interruption: in other hands already, if any.
  public convenience init(on loop: Loop, name: String = "", interruption: Interruption = Interruption()) {
    self.init(
      on: loop, name: name, interruption: interruption, collectsAtEveryCall: EngineProcess.collectsAtEveryCall)
  }

  /// - Parameter collectsAtEveryCall: for tests, see `EngineProcess`.
  package init(
    on loop: Loop, name: String = "", interruption: Interruption = Interruption(), collectsAtEveryCall: Bool
  ) {
    loop.preconditionOnOwnThread()
    _ = EngineProcess.configure
    ThreadReserve.engineBegins()
    if !loop.isThreadDefault { loop.pushThreadDefault() }
    self.loop = loop
    releases = ReleaseQueue(loop: loop)
    self.collectsAtEveryCall = collectsAtEveryCall
    let door = door
    // Should another version of the engine name it otherwise, its work is no turn; calls that it leaves are made all the same.
    let group = loop.surroundingSources(
      named: Self.timerName, with: { body in door.gate.map { $0.turnOfEngine(body) } ?? body() },
      attachedBy: { JSContextGroupCreate()! }
    ).result
    // The engine aborts before it returns nil.
    reference = JSGlobalContextCreateInGroup(group, nil)!
    ownRealmReference = JSGlobalContextCreateInGroup(group, nil)!
    JSContextGroupRelease(group)
    gate = TurnGate(reference, on: loop, interruption: interruption)
    door.gate = gate
    withJSString(name) { JSGlobalContextSetName(reference, $0) }
    gate.context = self
    intrinsics = Intrinsics(self)
    gate.functions = (intrinsics.turn, intrinsics.spin)
  }

  /// The engine's timer, one a heap: it may outlive the heap.
  private static let timerName = "JSRunLoopTimer::Manager::PerVMData::Timer"
  /// What the timer's callback looks through, on the JS thread alone. (A weak reference would make each later count of the
  /// gate's owners a slow one.)
  private final class Door: @unchecked Sendable { var gate: TurnGate? }

  deinit {
    guard !isClosed else { return }
    ThreadReserve.engineEnds()
    gate.abandon()
    let (context, ownRealm) = (UncheckedReference(reference), UncheckedReference(ownRealmReference))
    if loop.isOnOwnThread {
      door.gate = nil
      JSGlobalContextRelease(ownRealmReference)
      JSGlobalContextRelease(reference)
      releases.flush()
    } else {
      loop.perform { [releases, door] in
        door.gate = nil
        JSGlobalContextRelease(ownRealm.pointer)
        JSGlobalContextRelease(context.pointer)
        releases.flush()
      }
    }
  }

  /// Ends what runs here, where the limits allow it.
  public var interruption: Interruption { gate.interruption }

  public var isClosed: Bool { gate.isClosed }

  /// Lets go of the heap, once no script of this context is on the stack and no `withLock`. Again: does nothing. The context of
  /// a bridge takes the bridge with it, which ends as by `Bridge.shutDown`.
  public func close() {
    loop.preconditionOnOwnThread()
    gate.close()
  }

  func willRelease() {
    willClose?()
    for weak in weakReferences { JSWeakRelease(JSContextGetGroup(reference), weak) }
    weakReferences = []
  }

  func release() {
    door.gate = nil
    JSGlobalContextRelease(ownRealmReference)
    JSGlobalContextRelease(reference)
    releases.flush()
    endWaits(.contextClosed)
    owners = []
    ThreadReserve.engineEnds()
  }

  /// Runs `body` with the engine's lock held: the calls inside cost about half. Microtasks run at the end, unless a turn or
  /// a script is under way.
  @inlinable
  @discardableResult
  public func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    guard takeLock() else { return try body() }
    defer { dropLock() }
    return try body()
  }

  /// - Returns: false if the context is closed.
  @usableFromInline
  func takeLock() -> Bool {
    loop.preconditionOnOwnThread()
    if isClosed { return false }
    gate.enter()
    return true
  }

  @usableFromInline
  func dropLock() { gate.exit() }

  /// The object that holds the global variables.
  public var globalObject: JSObject {
    loop.preconditionOnOwnThread()
    return isClosed ? JSObject(ofClosed: self) : JSObject(adopting: JSContextGetGlobalObject(reference), in: self)
  }

  /// Runs a script.
  /// - Parameters:
  ///   - sourceURL: the name that stack traces give the script.
  ///   - startingLine: the number of its first line, from 1.
  /// - Returns: the value of the last expression.
  @discardableResult
  public func evaluate(
    _ script: String, sourceURL: String? = nil, startingLine: Int = 1, this: JSObject? = nil
  ) throws(JSException) -> JSValue {
    if let this { try check(this) }
    do throws(JSException) {
      return try value { context, exception in
        withJSString(script) { script in
          withOptionalJSString(sourceURL) { url in
            JSEvaluateScript(context, script, this?.reference, url, CInt(clamping: startingLine), exception)
          }
        }
      }
    } catch { throw located(error, in: script, startingLine) }
  }

  /// Throws the syntax error of a script, if it has one, without running it.
  public func checkSyntax(_ script: String, sourceURL: String? = nil) throws(JSException) {
    do throws(JSException) { try parse(script, sourceURL) } catch { throw located(error, in: script, 1) }
  }

  func parse(_ script: String, _ sourceURL: String? = nil) throws(JSException) {
    try perform { context, exception in
      withJSString(script) { script in
        withOptionalJSString(sourceURL) { _ = JSCheckScriptSyntax(context, script, $0, 1, exception) }
      }
    }
  }
}

@available(*, unavailable)
extension JSContext: Sendable {}

/// A handle of the engine on its way to the thread that may use it.
struct UncheckedReference: @unchecked Sendable {
  let pointer: OpaquePointer
  init(_ pointer: OpaquePointer) { self.pointer = pointer }
}
