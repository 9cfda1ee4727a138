import EventLoop
import TestSupport
import Testing

@testable import JSEngine

@Suite struct PromiseTests {
  @Test(arguments: Collecting.allCases) func nativeCodeSettles(_ collecting: Collecting) async throws {
    struct Failure: Error {}
    try await withContext(collecting) { context throws in
      let fulfilled = try JSDeferred(in: context)
      let rejected = try JSDeferred(in: context)
      try context.globalObject.set("fulfilled", fulfilled.promise)
      try context.globalObject.set("rejected", rejected.promise)
      try context.evaluate("var log = []; fulfilled.then(v => log.push(v)); rejected.catch(e => log.push(e.message))")
      try fulfilled.resolve(context.number(5))
      try fulfilled.resolve(context.number(6))
      try rejected.reject(Failure())
      #expect(try context.evaluate("log").toString() == "5,Failure()")
    }
  }

  @Test(arguments: Collecting.allCases) func settlementsReachNativeCode(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      var log: [String] = []
      for script in ["Promise.resolve('yes')", "Promise.reject(new TypeError('no'))", "(async () => { throw 5 })()"] {
        let promise = try #require(JSPromise(try context.evaluate(script)))
        try promise.whenSettled(
          fulfilled: { log.append($0.string ?? "") }, rejected: { log.append("\($0.name):\($0.message)") })
      }
      #expect(log == ["yes", "TypeError:no", ":5"])
      #expect(JSPromise(try context.evaluate("({ then() {} })")) == nil)
      #expect(JSPromise(context.number(1)) == nil)
    }
  }

  @Test func actorsOnTheLoopAwait() async throws {
    actor Scripts {
      let thread: LoopThread
      var context: JSContext?
      nonisolated var unownedExecutor: UnownedSerialExecutor { thread.loop.asUnownedSerialExecutor() }
      init(_ thread: LoopThread) { self.thread = thread }

      func run() async throws -> (Double?, String) {
        let context = JSContext(on: thread.loop)
        self.context = context
        let deferred = try JSDeferred(in: context)
        thread.loop.after(.milliseconds(1)) { try? deferred.resolve(context.number(7)) }
        let number = try await deferred.promise.value().number
        let failing = try JSPromise(context.evaluate("Promise.reject(new Error('bad'))"))
        do {
          _ = try await failing?.value()
          return (number, "nothing was thrown")
        } catch let error as JSException { return (number, error.message) }
      }
      func close() {
        context?.close()
        context = nil
      }
    }
    let thread = try LoopThread(name: "actor")
    let scripts = Scripts(thread)
    let (number, message) = try await scripts.run()
    #expect(number == 7 && message == "bad")
    await scripts.close()
    thread.stop()
    thread.join()
  }

  /// An actor on a loop of its own.
  private actor Home {
    private let thread: LoopThread
    private lazy var context = JSContext(on: thread.loop)
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.loop.asUnownedSerialExecutor() }

    init() throws { thread = try LoopThread(name: "home") }

    /// How the wait for the promise that `script` gives ends, if `body` runs once it has begun.
    func wait(for script: String, _ body: @escaping @Sendable (isolated Home) -> Void = { _ in }) async -> String {
      do {
        let promise = try #require(JSPromise(context.evaluate(script)))
        thread.loop.perform { self.assumeIsolated(body) }
        return try await promise.value().toString()
      } catch { return (error as? JSException).map { "\($0.code)" } ?? "\(error)" }
    }

    /// Runs a script that the limit ends.
    func end(_ script: String) {
      context.limits = .ofProcessor(.milliseconds(20))
      _ = try? context.evaluate(script)
      context.limits = nil
    }

    func limit() { context.limits = .ofProcessor(.milliseconds(20)) }

    func close() {
      context.close()
      thread.stop()
    }
  }

  @Test func closingEndsEachWait() async throws {
    let home = try Home()
    #expect(await home.wait(for: "new Promise(() => {})") { $0.close() } == "contextClosed")
  }

  /// What was to settle the promise, or to tell of it, may be among what is dropped.
  @Test(arguments: [
    "finish = () => { Promise.resolve().then(() => { for (;;); }); resolve(1) }",
    "finish = () => { for (;;); }",
  ])
  func aLimitEndsEachWait(_ script: String) async throws {
    let home = try Home()
    let outcome = await home.wait(for: "new Promise(done => { resolve = done; \(script) })") { $0.end("finish()") }
    #expect(outcome == "terminated(JSEngine.ExecutionLimits.Exceeded.time)")
    #expect(await home.wait(for: "Promise.resolve(5)") == "5")
    await home.close()
  }

  /// Told of the end of the turn in which it was settled, too.
  @Test func aWaitEndsOnce() async throws {
    let home = try Home()
    await home.limit()
    let outcome = await home.wait(
      for: "Promise.reject({ get message() { Promise.resolve().then(() => { for (;;); }); return 'no' } })")
    #expect(outcome == "thrown")
    await home.close()
  }

  @Test func unhandledRejectionsAreReported() async throws {
    try await withContext { context throws in
      var reasons: [String] = []
      try context.onUnhandledRejection { promise, reason in
        #expect(JSPromise(promise) != nil)
        reasons.append(reason.message)
      }
      try context.evaluate("Promise.reject(new Error('nobody')); Promise.reject(1).catch(() => {})")
      run(context) { !reasons.isEmpty }
      #expect(reasons == ["nobody"])
    }
  }

  @Test func finalizationCallbacksArriveOnTheLoop() async throws {
    try await withContext { context throws in
      try context.evaluate(
        """
        var gone = 0
        const registry = new FinalizationRegistry(() => gone++)
        for (let i = 0; i < 100; i++) registry.register({ i }, i)
        """)
      try run(context) {
        try context.evaluate("{ const k = []; for (let i = 0; i < 1000; i++) k.push({ i }) } 1")
        context.collectGarbage()
        return try context.evaluate("gone").number ?? 0 > 50
      }
    }
  }

  @Test func webAssemblyCompilesAsynchronously() async throws {
    try await withContext { context throws in
      // (module (func (export "add") (param i32 i32) (result i32) local.get 0 local.get 1 i32.add))
      let module: [UInt8] = [
        0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 7, 1, 0x60, 2, 0x7f, 0x7f, 1, 0x7f, 3, 2, 1, 0, 7, 7, 1, 3, 0x61, 0x64,
        0x64,
        0, 0, 0x0a, 9, 1, 7, 0, 0x20, 0, 0x20, 1, 0x6a, 0x0b,
      ]
      try context.globalObject.set("bytes", context.makeArrayBuffer(copying: module))
      try context.evaluate(
        "var sum; WebAssembly.instantiate(bytes).then(m => sum = m.instance.exports.add(2, 3), e => sum = String(e))")
      try run(context) { try !context.evaluate("sum").isUndefined }
      #expect(try context.evaluate("sum").number == 5)
    }
  }
}
