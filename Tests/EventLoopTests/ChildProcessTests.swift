import CLinux
import Glibc
import TestSupport
import Testing

@testable import EventLoop

@Suite struct ChildProcessTests {
  /// What a descriptor gives until its end.
  private func readAll(_ descriptor: CInt) -> String {
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while case let count = read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func end(of child: ChildProcess) -> TerminationStatus? {
    let loop = Loop()
    var status: TerminationStatus?
    loop.onExit(of: child.id) { status = $0 }
    run(loop) { status != nil }
    return status
  }

  /// Programs that use `select`, or close all that they could have, are slow or break with many.
  @Test func programsHaveTheLimitOfDescriptorsThatWeBeganWith() throws {
    func limit(of process: pid_t) -> rlimit {
      var limit = rlimit()
      prlimit(process, CInt(RLIMIT_NOFILE.rawValue), nil, &limit)
      return limit
    }
    var before = limit(of: 0)
    before.rlim_cur = before.rlim_max - 1
    prlimit(0, CInt(RLIMIT_NOFILE.rawValue), &before, nil)
    DescriptorReserve.raiseLimit()
    #expect(limit(of: 0).rlim_cur == before.rlim_max)
    let child = try ChildProcess("/bin/cat", arguments: [], company: .parent)
    #expect(limit(of: child.id).rlim_cur == before.rlim_cur)
    child.endInput()
    #expect(end(of: child) == .exited(code: 0))
  }

  @Test func pipesToItsThreeStreams() throws {
    let child = try ChildProcess(
      "/bin/sh", arguments: ["-c", "read line; echo \"got $line\"; echo noise >&2; exit 3"], company: .parent)
    #expect(write(child.input, "one\n", 4) == 4)
    #expect(readAll(child.output) == "got one\n")
    #expect(readAll(child.log) == "noise\n")
    #expect(end(of: child) == .exited(code: 3))
  }

  @Test(arguments: [ChildProcess.Company.parent, .group, .session])
  func company(_ company: ChildProcess.Company) throws {
    let child = try ChildProcess("/bin/sh", arguments: ["-c", "read line"], company: company)
    #expect((getpgid(child.id) == child.id) == (company != .parent))
    #expect((getsid(child.id) == child.id) == (company == .session))
    #expect(write(child.input, "\n", 1) == 1)
    #expect(end(of: child) == .exited(code: 0))
  }

  /// An input that a second child had inherited would stay open: the first would wait for ever.
  @Test func childrenDoNotHoldEachOthersInput() throws {
    var first: ChildProcess? = try ChildProcess("/bin/cat", company: .parent)
    let id = try #require(first?.id)
    let second = try ChildProcess("/bin/cat", company: .parent)
    first = nil
    var status: CInt = -1
    #expect(waitpid(id, &status, 0) == id && status == 0)
    kill(second.id, SIGKILL)
    #expect(end(of: second) == .killed(signal: SIGKILL))
  }

  @Test func signalsAreNotBlockedInTheChild() throws {
    var (blocked, before) = (sigset_t(), sigset_t())
    sigaddset(&blocked, SIGUSR1)
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let child = try ChildProcess("/bin/sh", arguments: ["-c", "kill -USR1 $$; echo survived"], company: .parent)
    #expect(readAll(child.output) == "")
    #expect(end(of: child) == .killed(signal: SIGUSR1))
  }

  @Test func aProgramThatIsNotThere() {
    let error = #expect(throws: EventLoopError.self) { try ChildProcess("/no/such/program", company: .group) }
    #expect(error?.systemError == ENOENT)
  }
}
