import EventLoop
import Glibc
import Testing

@testable import JSEngine

@Suite struct LifetimeTests {
  @Test func everyOperationOnAClosedContextIsHarmless() async throws {
    try await withContext { context throws in
      let object = try context.makeObject()
      let function = try context.makeFunction { _ in nil }
      let buffer = try context.makeArrayBuffer(copying: [1])
      let array = try context.makeTypedArray(.int8, count: 1)
      let promise = try JSDeferred(in: context)
      let weak = JSWeakReference(object)
      let thrown = try exception { try context.evaluate("throw new Error('kept')") }
      context.close()
      context.close()
      #expect(object.kind == .undefined && object.string == nil && !object.toBoolean())
      #expect(context.number(1).isUndefined && weak.object == nil)
      #expect(thrown.message == "kept" && thrown.thrownValue(in: context) == nil)
      #expect(array.element == nil)
      let operations: [() throws -> Void] = [
        { try context.evaluate("1") }, { _ = try object.get("a") }, { try object.set("a", object) },
        { try function.call() }, { _ = try buffer.byteCount() }, { try buffer.withUnsafeBytes { _ in } },
        { _ = try buffer.copyBytes() }, { _ = try array.count() }, { try promise.resolve(object) },
        { try promise.reject(thrown) }, { _ = try object.toString() }, { _ = try context.makeFunction { _ in nil } },
        { try context.turn {} }, { _ = try context.makeError("m") },
        { _ = try context.parseJSON("1") }, { _ = try context.memoryStatistics() },
      ]
      for operation in operations { #expect(try exception { try operation() }.code == .contextClosed) }
      context.collectGarbage()
      context.limits = ExecutionLimits(time: .seconds(1))
      #expect(context.limits == nil)
    }
  }

  /// Full collections that the engine starts from a timer ask this, and crash if no thread was ever named the main one.
  /// When they start depends on the machine; so it is asked directly.
  @Test func theEngineHasAMainThread() async throws {
    try await withContext { _ in #expect(memoryPressureHandler() != nil) }
  }

  @Test func valuesDroppedElsewhereAreReleasedAtHome() async throws {
    final class Carrier: @unchecked Sendable {
      var context: JSContext?
      var values: [JSValue] = []
      var references: [JSWeakReference] = []
    }
    let home = try LoopThread(name: "home")
    let away = try LoopThread(name: "away")
    let carrier = Carrier()
    let gone = Lock(-1)
    home.loop.perform { [loop = home.loop] in
      let context = JSContext(on: loop)
      carrier.context = context
      let objects = (0..<100).compactMap { _ in try? context.makeObject() }
      carrier.references = objects.map { JSWeakReference($0) }
      carrier.values = objects
      away.loop.perform {
        carrier.values = []
        loop.perform {
          _ = try? carrier.context?.evaluate("{ const k = []; for (let i = 0; i < 10000; i++) k.push({ i }) } 1")
          carrier.context?.collectGarbage()
          let count = carrier.references.count { $0.object == nil }
          carrier.references = []
          carrier.context?.close()
          carrier.context = nil
          gone.withLock { $0 = count }
        }
      }
    }
    while gone.withLock({ $0 }) < 0 { await Task.yield() }
    away.stop()
    away.join()
    home.stop()
    home.join()
    #expect(gone.withLock { $0 } > 80)
  }

  @Test func theLastReferenceToAContextMayGoElsewhere() async throws {
    final class Carrier: @unchecked Sendable { var value: JSValue? }
    for _ in 0..<20 {
      let home = try LoopThread(name: "home")
      let carrier = Carrier()
      let isMade = Lock(false)
      home.loop.perform { [loop = home.loop] in
        carrier.value = JSContext(on: loop).string("the context's last friend")
        isMade.withLock { $0 = true }
      }
      while !isMade.withLock({ $0 }) { await Task.yield() }
      carrier.value = nil
      home.stop()
      home.join()
    }
  }

  @Test func manyContextsOnManyThreads() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          for round in 0..<5 {
            try await withContext { context throws in
              let script = "let s = 0; for (let i = 0; i < 10000; i++) s += i % \(number + 2); s"
              let expected = (0..<10_000).reduce(0) { $0 + $1 % (number + 2) }
              #expect(try context.evaluate(script).number == Double(expected), "round \(round)")
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func twoContextsShareAThread() async throws {
    try await withContext { first throws in
      let second = JSContext(on: first.loop)
      try first.evaluate("var name = 'first'")
      try second.evaluate("var name = 'second'")
      try first.globalObject.set(
        "ask", first.makeFunction { try $0.context.string(second.evaluate("name").toString()) })
      #expect(try first.evaluate("name + ask()").string == "firstsecond")
      second.close()
      #expect(throws: JSException.self) { try first.evaluate("ask()") }
    }
  }

  @Test func sigusr1StaysTheProgramsOwn() async throws {
    try await withContext { context throws in
      context.collectGarbage()
      var action = sigaction()
      sigaction(SIGUSR1, nil, &action)
      #expect(action.__sigaction_handler.sa_handler == nil)
    }
  }

  @Test func memoryIsCounted() async throws {
    try await withContext { context throws in
      // The engine counts as of its last collection, which may let go of a few older objects.
      context.collectGarbage()
      let before = try context.memoryStatistics()
      try context.evaluate("var keep = []; for (let i = 0; i < 51000; i++) keep.push({ i })")
      context.collectGarbage()
      let after = try context.memoryStatistics()
      #expect(after.objectCount >= before.objectCount + 50_000)
      #expect(after.heapCapacity >= after.heapSize && after.heapSize > before.heapSize)
    }
  }
}

/// `WTF::MemoryPressureHandler::singleton`, which the engine exports.
@_silgen_name("_ZN3WTF21MemoryPressureHandler9singletonEv")
private func memoryPressureHandler() -> OpaquePointer?
