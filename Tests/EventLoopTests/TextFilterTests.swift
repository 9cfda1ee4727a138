import CLinux
import Glibc
import Testing

@testable import EventLoop

/// Programs between two texts.
@Suite struct TextFilterTests {
  private func run(
    _ program: String, _ arguments: [String] = [], input: String = "", isOver: () -> Bool = { false },
    configure: (inout TextFilter) -> Void = { _ in }
  ) -> TextFilter.Outcome {
    var filter = TextFilter(program: program)
    configure(&filter)
    return filter.run([TextFilter.Job(arguments: arguments, input: Array(input.utf8))], isOver: isOver)[0]
  }

  private func failure(of outcome: TextFilter.Outcome) -> String? {
    if case .failed(let words) = outcome { words } else { nil }
  }

  @Test func takesTextsLargerThanPipes() {
    let text = String(repeating: "0123456789\n", count: 200_000)
    guard case .ended(let status, let output, let log) = run("/bin/cat", input: text) else {
      Issue.record("it has not ended")
      return
    }
    #expect(status == 0 && log.isEmpty && output == Array(text.utf8))
  }

  @Test func tellsStatusAndLog() {
    guard case .ended(let status, let output, let log) = run("/bin/sh", ["-c", "echo no >&2; exit 3"], input: "unread")
    else {
      Issue.record("it has not ended")
      return
    }
    #expect(status == 3 && output.isEmpty && log == Array("no\n".utf8))
  }

  @Test func hasNoEnvironmentAndNoOtherDescriptor() {
    let descriptor = open("/dev/null", O_RDONLY)
    defer { close(descriptor) }
    guard
      case .ended(_, let output, _) = run(
        "/bin/sh", ["-c", "/usr/bin/env -u PWD -u _ -u SHLVL -u OLDPWD; ls /proc/$$/fd"])
    else {
      Issue.record("it has not ended")
      return
    }
    // The shell may keep some of its own above the first three.
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    #expect(lines.first == "PATH=/usr/bin:/bin")
    #expect(Set(lines.dropFirst()).isSuperset(of: ["0", "1", "2"]))
    #expect(lines.count < 6)
  }

  @Test func endsWhatDoesNotEnd() {
    let late = run("/bin/sleep", ["1000"], configure: { $0.timeLimit = .milliseconds(50) })
    #expect(failure(of: late)?.contains("has not ended after") == true)
    let ended = run("/bin/sleep", ["1000"], isOver: { true })
    #expect(failure(of: ended) == "/bin/sleep was ended")
  }

  /// One that has ended, and waits for whoever follows it, has no arguments any more.
  private func isAlive(_ process: pid_t) -> Bool {
    guard let file = fopen("/proc/\(process)/cmdline", "re") else { return false }
    defer { fclose(file) }
    return fgetc(file) != EOF
  }

  /// The program may be a script that runs another.
  @Test func endsWhatTheProgramHasStarted() {
    let path = "/tmp/trestle-filter-\(UInt64.random(in: 0 ... .max))"
    defer { unlink(path) }
    func child() -> pid_t? {
      guard let file = fopen(path, "re") else { return nil }
      defer { fclose(file) }
      var bytes = [CChar](repeating: 0, count: 32)
      return fgets(&bytes, 32, file) == nil ? nil : pid_t(atoi(bytes))
    }
    let outcome = run("/bin/sh", ["-c", "sleep 1000 & echo $! > \(path); wait"], isOver: { child() != nil })
    #expect(failure(of: outcome) == "/bin/sh was ended")
    guard let child = child(), child > 0 else {
      Issue.record("it has started nothing")
      return
    }
    let deadline = MonotonicTime.now + .seconds(60)
    while isAlive(child), .now < deadline { usleep(5000) }
    #expect(!isAlive(child))
    kill(child, SIGKILL)
  }

  @Test func endsWhatWritesWithoutEnd() {
    let outcome = run("/usr/bin/yes", configure: { $0.outputLimit = 1 << 20 })
    #expect(failure(of: outcome)?.contains("too much") == true)
  }

  @Test func endsWhatClosesItsOutputAndStays() {
    let outcome = run(
      "/bin/sh", ["-c", "exec >&- 2>&-; exec sleep 1000"], configure: { $0.timeLimit = .milliseconds(200) })
    #expect(failure(of: outcome)?.contains("has not ended") == true)
  }

  @Test func tellsWhyItDoesNotStart() {
    #expect(failure(of: run("/nowhere/at-all"))?.contains("cannot start /nowhere/at-all") == true)
  }

  @Test func manyKeepTheirOrder() {
    let jobs = (0..<30).map { TextFilter.Job(arguments: [], input: Array("\($0)".utf8)) }
    let outputs = TextFilter(program: "/bin/cat").run(jobs).map { outcome -> String in
      if case .ended(_, let output, _) = outcome { String(decoding: output, as: UTF8.self) } else { "" }
    }
    #expect(outputs == (0..<30).map(String.init))
  }
}
