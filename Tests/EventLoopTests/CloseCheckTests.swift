import CCloseCheck
import EventLoop
import Glibc
import Testing

private let told = Lock<[CInt]>([])

/// What is closed twice ends a test run, instead of another test that has been given the number.
@Suite(.serialized) struct CloseCheckTests {
  @Test func whatIsNotOpenIsTold() {
    close_check_on_failure { descriptor in told.withLock { $0.append(descriptor) } }
    defer { close_check_on_failure(nil) }
    #expect(close(.max) == -1 && errno == EBADF)
    #expect(told.withLock { $0 }.contains(.max))
  }

  @Test func whatIsOpenIsClosed() throws {
    let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    #expect(close(descriptor) == 0 && close(-1) == -1)
  }
}
