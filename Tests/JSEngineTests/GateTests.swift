import EventLoop
import Testing

@testable import JSEngine

/// What every entry passes.
@Suite struct GateTests {
  /// An update of the engine that does its work in another way fails here first.
  @Test func whatTheEngineDoesByItselfIsATurn() async throws {
    try await withContext { context throws in
      var turns: [Bool] = []
      try context.globalObject.set(
        "note",
        context.makeFunction { call in
          turns.append(call.context.gate.isVacant)
          return nil
        })
      try context.evaluate(
        """
        globalThis.registry = new FinalizationRegistry(() => note());
        (() => { for (let i = 0; i < 1000; i++) registry.register({ i }, i) })();
        """)
      context.collectGarbage()
      run(context, until: { !turns.isEmpty })
      #expect(!turns.contains(true))
      #expect(context.gate.isVacant)
    }
  }

  /// A loop that has work at hand all the time, such as timers without delay, starves nothing of the engine's.
  @Test func whatTheEngineDoesByItselfIsNotBehindAllOtherWork() async throws {
    final class Work: @unchecked Sendable {
      let loop: Loop
      var isOver = false
      init(_ loop: Loop) { self.loop = loop }
      func goOn() { if !isOver { loop.perform { self.goOn() } } }
    }
    try await withContext { context throws in
      let work = Work(context.loop)
      work.goOn()
      defer { work.isOver = true }
      try context.evaluate(
        """
        globalThis.gone = 0;
        globalThis.registry = new FinalizationRegistry(() => gone++);
        (() => { for (let i = 0; i < 1000; i++) registry.register({ i }, i) })();
        """)
      context.collectGarbage()
      try run(context) { try context.evaluate("gone").number != 0 }
    }
  }

  @Test func aFinalizerMayCloseItsContext() async throws {
    try await withContext { context throws in
      var states: [Bool] = []
      try context.globalObject.set(
        "quit",
        context.makeFunction { call in
          call.context.close()
          states.append(call.context.isClosed)
          return nil
        })
      try context.evaluate(
        """
        globalThis.registry = new FinalizationRegistry(() => quit());
        (() => { for (let i = 0; i < 1000; i++) registry.register({ i }, i) })();
        """)
      context.collectGarbage()
      run(context, until: { context.isClosed })
      #expect(!states.isEmpty && !states.contains(true))
    }
  }

  // No process is as small as this.
  @Test(arguments: [ExecutionLimits(residentMemory: 1), ExecutionLimits(totalTime: .nanoseconds(1))])
  func finalizersThatMayNotRunAreNotTriedWithoutEnd(limits: ExecutionLimits) async throws {
    final class Keeper: TurnKeeper {
      var errors = 0
      func wasNotCaught(_ error: JSException) { errors += 1 }
      func stayWillBegin() {}
      func settle() {}
      func stayDidEnd() {}
      func turnWasEnded(_ error: JSException) {}
      func contextWillClose() {}
      func contextDidClose() {}
    }
    try await withContext { context throws in
      let keeper = Keeper()
      context.gate.keeper = keeper
      defer { context.gate.keeper = nil }
      try context.evaluate(
        """
        globalThis.registry = new FinalizationRegistry(() => { globalThis.isCalled = true });
        (() => { for (let i = 0; i < 1000; i++) registry.register({ i }, i) })();
        """)
      context.collectGarbage()
      context.limits = limits
      #expect(throws: JSException.self) { try context.evaluate("for (;;);") }
      var rounds = 0
      run(
        context,
        until: {
          rounds += 1
          return rounds > 100
        })
      #expect(keeper.errors < 10)
      context.limits = nil
      try context.evaluate("1")
      try run(context, until: { try context.evaluate("globalThis.isCalled === true").boolean == true })
    }
  }

  @Test func twoContextsOfOneThreadAreTold() async throws {
    try await withContext { first throws in
      let second = JSContext(on: first.loop)
      defer { second.close() }
      var called = Set<String>()
      for (context, name) in [(first, "first"), (second, "second")] {
        try context.globalObject.set(
          "note",
          context.makeFunction { call in
            if !context.gate.isVacant { called.insert(name) }
            return nil
          })
        try context.evaluate(
          """
          globalThis.registry = new FinalizationRegistry(() => note());
          (() => { for (let i = 0; i < 1000; i++) registry.register({ i }, i) })();
          """)
        context.collectGarbage()
      }
      run(first, until: { called.count == 2 })
    }
  }

  @Test func weakReferencesToObjectsOfAClosedContextAreEmpty() async throws {
    try await withContext { context throws in
      let object = try context.makeObject()
      let early = JSWeakReference(object)
      #expect(context.weakReferences.count == 1)
      context.close()
      // Nothing of the engine's is left to be released.
      #expect(context.weakReferences.isEmpty)
      #expect(early.object == nil && JSWeakReference(object).object == nil)
      #expect(context.globalObject.isUndefined)
    }
  }

  @Test func whatARawFunctionCallsLivesAsLongAsTheHeap() async throws {
    final class Owner { var count = 0 }
    weak var left: Owner?
    try await withContext { context throws in
      do {
        let owner = Owner()
        left = owner
        let function = context.rawFunction(owner: owner) { _, function, _, _, _, _ in
          if let function { RawContext.owner(of: function, as: Owner.self).count += 1 }
          return nil
        }
        try context.globalObject.set("count", context.value(adopting: function))
      }
      try context.evaluate("count()")
      #expect(left?.count == 1)
      context.close()
      #expect(left == nil)
    }
  }

  /// A turn that has been ended does not begin the call: what was made for it goes.
  @Test func whatIsMadeForACallThatDoesNotBeginGoes() async throws {
    final class Captured {}
    try await withContext { context throws in
      weak var captured: Captured?
      var isFreed = false
      context.limits = ExecutionLimits(time: .milliseconds(5))
      try context.globalObject.set(
        "swallow",
        context.makeFunction { call in
          _ = try? call.context.evaluate("for (;;);")
          do {
            let object = Captured()
            captured = object
            _ = try? call.context.makeFunction { _ in
              _ = object
              return nil
            }
          }
          let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 8)
          _ = try? call.context.makeArrayBuffer(adopting: memory) { memory in
            memory.deallocate()
            isFreed = true
          }
          return nil
        })
      #expect(throws: JSException.self) { try context.evaluate("swallow()") }
      #expect(captured == nil && isFreed)
    }
  }
}
