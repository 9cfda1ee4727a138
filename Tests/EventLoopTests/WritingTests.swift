import CLinux
import EventLoop
import Foundation
import Testing

@Suite struct WritingTests {
  /// What does not wait by itself loses nothing either.
  @Test(arguments: [CInt(0), O_NONBLOCK]) func allIsWritten(flags: CInt) async throws {
    var ends: [CInt] = [-1, -1]
    try #require(pipe2(&ends, O_CLOEXEC) == 0)
    let (output, input) = (ends[0], ends[1])
    try #require(fcntl(input, F_SETFL, flags) == 0)
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
    Thread.detachNewThread {
      _ = bytes.withUnsafeBytes { Writing.all($0, to: input) }
      close(input)
    }
    #expect(Reading.toEnd(of: output) == bytes)
    close(output)
  }

  @Test func failuresAreTold() {
    let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
    #expect([1].withUnsafeBytes { !Writing.all($0, to: descriptor) && errno == ENOSPC })
    close(descriptor)
  }

  @Test func textsWithNULAreNoPaths() {
    #expect(SystemPath("a\0b") == nil)
    #expect(SystemPath("a")?.pass { String(cString: $0) } == "a")
  }
}
