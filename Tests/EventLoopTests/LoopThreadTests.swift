import Glibc
import TestSupport
import Testing

@testable import EventLoop

private actor Counter {
  let loop: Loop
  var order: [Int] = []
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(on loop: Loop) { self.loop = loop }

  func append(_ number: Int) { order.append(number) }
  func isOnLoop() -> Bool { loop.isOnOwnThread }
  func yieldAndAppend(_ number: Int) async {
    await Task.yield()
    order.append(number)
  }
}

@Suite struct LoopThreadTests {
  @Test func runsActorsOnItsThread() async throws {
    let thread = try LoopThread(name: "actor")
    let counter = Counter(on: thread.loop)
    #expect(await counter.isOnLoop())
    #expect(!thread.loop.isOnOwnThread)
    thread.stop()
    #expect(thread.join(within: patience))
  }

  @Test func assumesIsolationOnItsThreadInOrder() async throws {
    let thread = try LoopThread(name: "isolation")
    let counter = Counter(on: thread.loop)
    for number in 0..<1000 { thread.loop.perform { counter.assumeIsolated { $0.order.append(number) } } }
    #expect(await counter.order == Array(0..<1000))
    thread.stop()
    thread.join()
  }

  @Test func runsWhatWasAcceptedBeforeItStops() throws {
    let thread = try LoopThread(name: "stop")
    let count = Lock(0)
    for _ in 0..<100 { thread.loop.perform { count.withLock { $0 += 1 } } }
    thread.stop()
    thread.stop()
    #expect(thread.join(within: patience))
    #expect(thread.join())
    #expect(count.withLock { $0 } == 100)
    #expect(!thread.loop.perform {})
  }

  @Test func stopsFromItsOwnThread() throws {
    let thread = try LoopThread(name: "self")
    thread.loop.perform { [loop = thread.loop] in loop.stop() }
    #expect(thread.join(within: patience))
  }

  @Test func aJobThatNeverEndsDoesNotKeepAThread() async throws {
    let thread = try LoopThread(name: "endless")
    let counter = Counter(on: thread.loop)
    let task = Task { while !Task.isCancelled { await counter.yieldAndAppend(1) } }
    while await counter.order.isEmpty {}
    thread.stop()
    #expect(thread.join(within: patience))
    task.cancel()
    await task.value
  }

  /// The job that lets go of the actor, and with it of the loop, runs inside the loop.
  @Test func aJobMayLetGoOfALoopWithoutThread() async throws {
    for _ in 0..<200 {
      let thread = try LoopThread(name: "gone")
      let counter = Counter(on: thread.loop)
      thread.stop()
      thread.join()
      let task = Task.detached { [counter] in await counter.append(1) }
      await task.value
    }
  }

  @Test func joinGivesUpAtItsLimit() throws {
    let thread = try LoopThread(name: "busy")
    let gate = try Completion()
    thread.loop.perform { _ = gate.wait(until: nil) }
    thread.stop()
    #expect(!thread.join(within: .milliseconds(20)))
    gate.signal()
    #expect(thread.join(within: patience))
  }

  @Test func jobsAfterItsEndStillRunOneAtATime() async throws {
    let thread = try LoopThread(name: "ended")
    let counter = Counter(on: thread.loop)
    thread.stop()
    thread.join()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<200 { group.addTask { await counter.yieldAndAppend(number) } }
    }
    #expect(await counter.order.sorted() == Array(0..<200))
    #expect(await counter.isOnLoop())
  }

  @Test func droppingTheHandleEndsTheThread() throws {
    let ended = try Completion()
    do {
      let thread = try LoopThread(name: "dropped")
      let sentinel = Sentinel(ended)
      thread.loop.perform { [loop = thread.loop] in loop.after(.seconds(600)) { _ = sentinel } }
    }
    #expect(ended.wait(until: .now + patience))
  }

  @Test func threadsComeAndGo() throws {
    for _ in 0..<50 {
      let thread = try LoopThread(name: "cycle", stackSize: 256 << 10)
      let ran = Lock(false)
      thread.loop.perform { ran.withLock { $0 = true } }
      thread.stop()
      thread.join()
      #expect(ran.withLock { $0 })
    }
  }

  @Test func refusesAStackThatCannotBe() {
    #expect(throws: EventLoopError.self) { try LoopThread(name: "stack", stackSize: 1 << 50) }
  }
}

private final class Sentinel: Sendable {
  let completion: Completion
  init(_ completion: Completion) { self.completion = completion }
  deinit { completion.signal() }
}
