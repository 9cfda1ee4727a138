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
  public private(set) var isClosed = false

  let releases: ReleaseQueue
  let collectsAtEveryCall: Bool
  /// How many entries from native code are on the stack.
  var depth = 0
  /// How many times `withLock` is on the stack.
  private var lockDepth = 0
  /// Ends what runs here, where the limits allow it.
  public let interruption: Interruption
  var execution = ExecutionState()
  var turnBody: (() -> Void)?
  /// Called before the heap goes, for those who have a view of its memory.
  package var willClose: (() -> Void)?
  private var closesWhenLeft = false
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
    if !loop.isThreadDefault { loop.pushThreadDefault() }
    self.loop = loop
    self.interruption = interruption
    releases = ReleaseQueue(loop: loop)
    self.collectsAtEveryCall = collectsAtEveryCall
    // The engine aborts before it returns nil.
    let group = JSContextGroupCreate()!
    reference = JSGlobalContextCreateInGroup(group, nil)!
    ownRealmReference = JSGlobalContextCreateInGroup(group, nil)!
    JSContextGroupRelease(group)
    withJSString(name) { JSGlobalContextSetName(reference, $0) }
    intrinsics = Intrinsics(self)
  }

  deinit {
    guard !isClosed else { return }
    isClosed = true
    let (context, ownRealm) = (UncheckedReference(reference), UncheckedReference(ownRealmReference))
    if loop.isOnOwnThread {
      JSGlobalContextRelease(ownRealmReference)
      JSGlobalContextRelease(reference)
      releases.flush()
    } else {
      loop.perform { [releases] in
        JSGlobalContextRelease(ownRealm.pointer)
        JSGlobalContextRelease(context.pointer)
        releases.flush()
      }
    }
  }

  /// Lets go of the heap, once no script of this context is on the stack and no `withLock`. Again: does nothing.
  public func close() {
    loop.preconditionOnOwnThread()
    guard !isClosed else { return }
    guard depth == 0, lockDepth == 0 else {
      closesWhenLeft = true
      return
    }
    execution.limits = nil
    JSContextGroupClearExecutionTimeLimit(JSContextGetGroup(reference))
    willClose?()
    isClosed = true
    JSGlobalContextRelease(ownRealmReference)
    JSGlobalContextRelease(reference)
    releases.flush()
  }

  func didLeave() { if closesWhenLeft, depth == 0, lockDepth == 0 { close() } }

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
    JSLock(reference)
    lockDepth += 1
    return true
  }

  @usableFromInline
  func dropLock() {
    JSUnlock(reference)
    lockDepth -= 1
    didLeave()
  }

  /// The object that holds the global variables.
  public var globalObject: JSObject { JSObject(adopting: JSContextGetGlobalObject(reference), in: self) }

  /// Runs a script.
  /// - Parameters:
  ///   - sourceURL: the name that stack traces give the script.
  ///   - startingLine: the number of its first line, from 1.
  /// - Returns: the value of the last expression.
  @discardableResult
  public func evaluate(
    _ script: String, sourceURL: String? = nil, startingLine: Int = 1, this: JSObject? = nil
  ) throws(JSException) -> JSValue {
    try value { context, exception in
      withJSString(script) { script in
        withOptionalJSString(sourceURL) { url in
          JSEvaluateScript(context, script, this?.reference, url, CInt(clamping: startingLine), exception)
        }
      }
    }
  }

  /// Throws the syntax error of a script, if it has one, without running it.
  public func checkSyntax(_ script: String, sourceURL: String? = nil) throws(JSException) {
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
