import CLinux
import Glibc
import TestSupport
import Testing

@testable import EventLoop

/// Runs `loop` until `condition` holds; records an issue when it never does.
func run(_ loop: Loop, until condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) {
  var isLate = false
  let watchdog = loop.after(patience) { isLate = true }
  while !condition(), !isLate { loop.iterate(waiting: true) }
  watchdog.cancel()
  #expect(!isLate, "the condition never held", sourceLocation: sourceLocation)
}

func makePipe() -> (read: CInt, write: CInt) {
  var ends: [CInt] = [0, 0]
  #expect(pipe2(&ends, O_CLOEXEC) == 0)
  return (ends[0], ends[1])
}

@Suite struct LoopTests {
  @Test func performsInOrder() {
    let loop = Loop()
    let order = Lock<[Int]>([])
    for number in 0..<1000 { loop.perform { order.withLock { $0.append(number) } } }
    run(loop) { order.withLock { $0.count } == 1000 }
    #expect(order.withLock { $0 } == Array(0..<1000))
  }

  @Test func keepsTheOrderOfEachThreadUnderLoad() throws {
    let loop = Loop()
    let received = Lock<[Int: [Int]]>([:])
    let senders = try (0..<8).map { try LoopThread(name: "sender \($0)") }
    for (number, sender) in senders.enumerated() {
      sender.loop.perform {
        for step in 0..<5000 { loop.perform { received.withLock { $0[number, default: []].append(step) } } }
      }
    }
    run(loop) { received.withLock { $0.values.reduce(0) { $0 + $1.count } } == 40_000 }
    for sender in senders {
      sender.stop()
      sender.join()
    }
    for steps in received.withLock({ $0 }).values { #expect(steps == Array(0..<5000)) }
  }

  @Test func workQueuedByWorkRunsLater() {
    let loop = Loop()
    let order = Lock<[String]>([])
    loop.perform {
      loop.perform { order.withLock { $0.append("inner") } }
      order.withLock { $0.append("outer") }
    }
    run(loop) { order.withLock { $0.count } == 2 }
    #expect(order.withLock { $0 } == ["outer", "inner"])
  }

  @Test func aCallbackMayIterateTheLoop() {
    let loop = Loop()
    let order = Lock<[Int]>([])
    loop.perform {
      order.withLock { $0.append(1) }
      loop.perform { order.withLock { $0.append(2) } }
      while order.withLock({ $0.count }) < 2 { loop.iterate(waiting: true) }
    }
    loop.perform { order.withLock { $0.append(3) } }
    run(loop) { order.withLock { $0.count } == 3 }
    #expect(order.withLock { $0.first } == 1)
    #expect(order.withLock { Set($0) } == [1, 2, 3])
  }

  @Test func sleepsWhenIdle() throws {
    let thread = try LoopThread(name: "idle")
    let counted = Lock<[Int]>([])
    let loop = thread.loop
    loop.perform { loop.after(.seconds(3600)) {} }
    loop.perform { counted.withLock { $0.append(loop.iterationCount) } }
    usleep(200_000)
    loop.perform { counted.withLock { $0.append(loop.iterationCount) } }
    thread.stop()
    thread.join()
    let counts = counted.withLock { $0 }
    // The sleep that follows the first count, and the wake-up that brings the second.
    #expect(counts[1] - counts[0] <= 2)
  }

  @Test func stopsFromACallbackAndBeforeItRuns() {
    let loop = Loop()
    loop.after(.milliseconds(1)) { loop.stop() }
    loop.run()
    loop.stop()
    loop.run()
    #expect(loop.isOnOwnThread)
  }

  @Test func stopsFromAnotherThread() throws {
    let loop = Loop()
    let thread = try LoopThread(name: "stopper")
    thread.loop.perform { loop.stop() }
    loop.run()
    thread.stop()
    #expect(thread.join(within: patience))
  }

  @Test func closingRunsWhatWasAcceptedAndRefusesMore() {
    let loop = Loop()
    let runs = Lock(0)
    loop.perform { runs.withLock { $0 += 1 } }
    let timer = loop.every(.milliseconds(1)) { Issue.record("a cancelled timer fired") }
    let (read, write) = makePipe()
    let readable = loop.onReadable(read) {}
    loop.close()
    #expect(runs.withLock { $0 } == 1)
    #expect(!loop.perform { runs.withLock { $0 += 1 } })
    #expect(timer.isCancelled && readable.isCancelled)
    loop.iterate()
    close(read)
    close(write)
  }

  @Test func mailboxReleasesItsHandlerOnClose() {
    final class Token {}
    let loop = Loop()
    var token: Token? = Token()
    weak let released = token
    var received: [Int] = []
    let inbox = Inbox<Int>(on: loop) { [token] in
      _ = token
      received.append($0)
    }
    token = nil
    inbox.send(1)
    inbox.send(2)
    run(loop) { received.count == 2 }
    #expect(received == [1, 2])
    inbox.send(3)
    inbox.close()
    loop.iterate()
    #expect(received == [1, 2])
    #expect(released == nil)
  }

  @Test func sourcesEndWithTheirLoop() {
    final class Token {}
    weak var released: Token?
    do {
      let loop = Loop()
      let token = Token()
      released = token
      let (read, write) = makePipe()
      loop.onReadable(read) { _ = token }
      loop.after(.seconds(60)) { _ = token }
      loop.onIdle {
        _ = token
        return false
      }
      close(read)
      close(write)
    }
    #expect(released == nil)
  }

  @Test func aLoopGoesWithAMessageOnItsWay() {
    weak var released: Loop?
    do {
      let loop = Loop()
      released = loop
      let inbox = Inbox<Int>(on: loop) { _ in }
      inbox.send(1)
    }
    #expect(released == nil)
  }

  /// As one does whose own handler is the last to keep it.
  @Test func whatGoesWithALoopMayCancelItsSource() {
    final class Owner {
      var source: LoopSource?
      deinit { source?.cancel() }
    }
    weak var released: Owner?
    do {
      let loop = Loop()
      let owner = Owner()
      released = owner
      owner.source = loop.every(.seconds(1)) { withExtendedLifetime(owner) {} }
    }
    #expect(released == nil)
  }

  @Test func handlersAreLetGoOnNoOtherThread() throws {
    final class Token {
      let released: Lock<Int>
      init(_ released: Lock<Int>) { self.released = released }
      deinit { released.withLock { $0 += 1 } }
    }
    let released = Lock(0)
    func makeInbox() -> Inbox<Int> {
      let loop = Loop()
      let (first, second) = (Token(released), Token(released))
      loop.after(.seconds(60)) { _ = first }
      return Inbox(on: loop) { _ in _ = second }
    }
    let last = Lock<Inbox<Int>?>(makeInbox())
    let thread = try LoopThread(name: "elsewhere")
    thread.loop.perform { last.withLock { $0 = nil } }
    thread.stop()
    #expect(thread.join(within: patience))
    #expect(released.withLock { $0 } == 0)
    _ = makeInbox()
    #expect(released.withLock { $0 } == 2)
  }
}
