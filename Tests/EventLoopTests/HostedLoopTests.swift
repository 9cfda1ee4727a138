import Glibc
import TestSupport
import Testing

@testable import EventLoop

@Suite struct HostedLoopTests {
  /// A host with a `poll` of its own. Returns how often it stepped.
  @discardableResult
  private func drive(
    _ hosted: HostedLoop, until condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Int {
    var steps = 0
    let deadline = MonotonicTime.now + patience
    while !condition(), MonotonicTime.now < deadline {
      var request = pollfd(fd: hosted.descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, 1000) > 0 else { continue }
      hosted.step()
      steps += 1
    }
    #expect(condition(), "the condition never held", sourceLocation: sourceLocation)
    return steps
  }

  private func isReadable(_ hosted: HostedLoop, within milliseconds: CInt = 0) -> Bool {
    var request = pollfd(fd: hosted.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, milliseconds) > 0
  }

  @Test func timersAndWorkFromOtherThreads() throws {
    let loop = Loop()
    let hosted = try HostedLoop(loop)
    let thread = try LoopThread(name: "poster")
    let posts = Lock(0)
    var beats = 0
    loop.every(.milliseconds(2)) { beats += 1 }
    thread.loop.perform {
      for _ in 0..<20 {
        usleep(1000)
        loop.perform { posts.withLock { $0 += 1 } }
      }
    }
    drive(hosted) { beats >= 10 && posts.withLock { $0 } == 20 }
    thread.stop()
    thread.join()
  }

  @Test func isSilentWhenIdle() throws {
    let loop = Loop()
    let hosted = try HostedLoop(loop)
    loop.after(.seconds(3600)) {}
    while isReadable(hosted) { hosted.step() }
    #expect(!isReadable(hosted, within: 100))
  }

  @Test func seesWhatItsOwnThreadAddsBetweenSteps() throws {
    let loop = Loop()
    loop.pushThreadDefault()
    defer { loop.popThreadDefault() }
    let hosted = try HostedLoop(loop)
    while isReadable(hosted) { hosted.step() }
    let (read, write) = makePipe()
    var isRead = false
    var source: LoopSource?
    source = loop.onReadable(read) {
      isRead = true
      source?.cancel()
    }
    Glibc.write(write, "x", 1)
    drive(hosted) { isRead }
    while isReadable(hosted) { hosted.step() }
    let ran = Lock(false)
    loop.perform { ran.withLock { $0 = true } }
    drive(hosted) { ran.withLock { $0 } }
    var fired = false
    loop.after(.milliseconds(1)) { fired = true }
    drive(hosted) { fired }
    close(read)
    close(write)
  }

  @Test func aDescriptorClosedAndOpenedAgainIsWatched() throws {
    let loop = Loop()
    let hosted = try HostedLoop(loop)
    for round in 0..<3 {
      let (read, write) = makePipe()
      // A second descriptor of the same pipe keeps it in the kernel's set unless it was taken out first.
      let copy = dup(read)
      var isRead = false
      let source = loop.onReadable(read) { isRead = true }
      Glibc.write(write, "x", 1)
      drive(hosted) { isRead }
      source.cancel()
      close(read)
      for _ in 0..<3 { hosted.step() }
      #expect(!isReadable(hosted), "round \(round)")
      close(copy)
      close(write)
    }
  }

  @Test func aRegularFileIsAlwaysReady() throws {
    let loop = Loop()
    let hosted = try HostedLoop(loop)
    let file = open("/proc/self/exe", O_RDONLY)
    var reads = 0
    let source = loop.onReadable(file) { reads += 1 }
    drive(hosted) { reads >= 3 }
    source.cancel()
    close(file)
    for _ in 0..<3 { hosted.step() }
    #expect(!isReadable(hosted))
  }
}
