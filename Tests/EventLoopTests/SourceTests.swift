import CLinux
import Glibc
import Testing

@testable import EventLoop

@Suite struct SourceTests {
  @Test func readableUntilCancelled() {
    let loop = Loop()
    let (read, write) = makePipe()
    var bytes: [UInt8] = []
    var source: LoopSource?
    source = loop.onReadable(read) {
      var byte: UInt8 = 0
      guard Glibc.read(read, &byte, 1) == 1 else {
        source?.cancel()
        return
      }
      bytes.append(byte)
    }
    Glibc.write(write, "abc", 3)
    run(loop) { bytes.count == 3 }
    close(write)
    run(loop) { source!.isCancelled }
    #expect(bytes == Array("abc".utf8))
    close(read)
  }

  @Test func cancelledSourceIsSilentThoughReady() {
    let loop = Loop()
    let (read, write) = makePipe()
    Glibc.write(write, "x", 1)
    var fired = 0
    var sources: [LoopSource] = []
    for _ in 0..<2 {
      sources.append(
        loop.onReadable(read) {
          fired += 1
          for source in sources { source.cancel() }
        })
    }
    loop.iterate(waiting: true)
    loop.iterate()
    #expect(fired == 1)
    close(read)
    close(write)
  }

  /// A source that has fired costs no turn of the loop, and no system call, beside that of its event.
  @Test func firingDoesNotWakeTheLoopThatFires() {
    let loop = Loop()
    let (read, write) = makePipe()
    var hasRung = false
    let source = loop.onReadable(read) {
      var byte: UInt8 = 0
      Glibc.read(read, &byte, 1)
      loop.after(.milliseconds(20)) { hasRung = true }
    }
    while loop.iterate() {}
    Glibc.write(write, "x", 1)
    loop.iterate(waiting: true)
    loop.iterate(waiting: true)
    #expect(hasRung)
    source.cancel()
    close(read)
    close(write)
  }

  /// A callback that runs the loop itself is not called again meanwhile, although its event is there still; nor does the loop spin.
  @Test func callbackIsNotCalledByTheLoopThatItRuns() {
    let loop = Loop()
    let (read, write) = makePipe()
    var depth = 0
    var deepest = 0
    var fired = 0
    var turns = 0
    let source = loop.onReadable(read) {
      depth += 1
      fired += 1
      deepest = max(deepest, depth)
      if fired == 1 {
        var hasRung = false
        loop.after(.milliseconds(30)) { hasRung = true }
        while !hasRung {
          loop.iterate(waiting: true)
          turns += 1
        }
      } else {
        var byte: UInt8 = 0
        Glibc.read(read, &byte, 1)
      }
      depth -= 1
    }
    Glibc.write(write, "x", 1)
    run(loop) { fired == 2 }
    #expect(deepest == 1)
    #expect(turns < 10)
    source.cancel()
    close(read)
    close(write)
  }

  @Test func writable() {
    let loop = Loop()
    let (read, write) = makePipe()
    var isWritable = false
    let source = loop.onWritable(write) { isWritable = true }
    run(loop) { isWritable }
    source.cancel()
    close(read)
    close(write)
  }

  @Test func idleRunsAfterOtherWorkUntilDone() {
    let loop = Loop()
    let order = Lock<[String]>([])
    loop.onIdle {
      order.withLock { $0.append("idle") }
      return order.withLock { $0.count } < 4
    }
    loop.perform { order.withLock { $0.append("work") } }
    run(loop) { order.withLock { $0.count } == 4 }
    loop.iterate()
    #expect(order.withLock { $0 } == ["work", "idle", "idle", "idle"])
  }

  @Test func childExit() throws {
    let loop = Loop()
    var statuses: [TerminationStatus] = []
    for script in ["exit 7", "kill -9 $$"] {
      loop.onExit(of: try spawnShell(script)) { statuses.append($0) }
      run(loop) { !statuses.isEmpty && statuses.count == (script == "exit 7" ? 1 : 2) }
    }
    #expect(statuses == [.exited(code: 7), .killed(signal: SIGKILL)])
  }

  @Test func aCallbackReleasesWhatItCapturedWhenCancelled() {
    final class Token {}
    let loop = Loop()
    var token: Token? = Token()
    weak let released = token
    let timer = loop.after(.seconds(60)) { [token] in _ = token }
    token = nil
    #expect(released != nil)
    timer.cancel()
    #expect(released == nil)
  }

  private func spawnShell(_ script: String) throws -> pid_t {
    var child: pid_t = 0
    var arguments: [UnsafeMutablePointer<CChar>?] = ["sh", "-c", script].map { strdup($0 as String) } + [nil]
    defer { for argument in arguments { free(argument) } }
    #expect(posix_spawn(&child, "/bin/sh", nil, nil, &arguments, nil) == 0)
    return child
  }
}

/// Signals belong to the whole process: one test at a time, on numbers that nothing else uses.
@Suite(.serialized) struct SignalTests {
  @Test func arrivesOnTheLoop() throws {
    let loop = Loop()
    var arrivals = 0
    let source = try loop.onSignal(SIGWINCH) { arrivals += 1 }
    kill(getpid(), SIGWINCH)
    run(loop) { arrivals == 1 }
    source.cancel()
    kill(getpid(), SIGWINCH)
    loop.iterate()
    #expect(arrivals == 1)
  }

  @Test func hasOneSourceAtATime() throws {
    let loop = Loop()
    let source = try loop.onSignal(SIGWINCH) {}
    #expect { try loop.onSignal(SIGWINCH) {} } throws: {
      ($0 as? EventLoopError)?.code == .signalIsWatched
    }
    source.cancel()
    try loop.onSignal(SIGWINCH) {}.cancel()
    // A handler that is still under way writes to the signal's own descriptor, which is no other file by now.
    var descriptors: [CInt] = [-1, -1]
    for index in 0..<2 {
      #expect(clinux_watch_signal(SIGWINCH, &descriptors[index]) == 0)
      clinux_unwatch_signal(SIGWINCH)
    }
    #expect(descriptors[0] == descriptors[1] && fcntl(descriptors[0], F_GETFD) >= 0)
  }

  @Test func cannotBeKillOrNonsense() {
    let loop = Loop()
    for signal in [SIGKILL, 0, 65, -1] {
      #expect { try loop.onSignal(signal) {} } throws: { ($0 as? EventLoopError)?.systemError == EINVAL }
    }
  }

  @Test func givesTheFormerHandlerBack() throws {
    signal(SIGURG, SIG_IGN)
    let loop = Loop()
    try loop.onSignal(SIGURG) {}.cancel()
    var action = sigaction()
    sigaction(SIGURG, nil, &action)
    #expect(unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1)
    signal(SIGURG, SIG_DFL)
  }
}
