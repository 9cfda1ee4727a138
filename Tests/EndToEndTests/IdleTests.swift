import Glibc
import TestSupport
import Testing

/// What happens while nothing happens.
@Suite(.serialized, .offThePool) struct IdleTests: EditorSuite {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// Timers that run once, as that of the journal, end sooner or later; one that comes again never lets this end well.
  @Test func nobodyWakesUp() throws {
    try home.write("text\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.type("x")
    try session.wait(toSee: "1 xtext")
    let processes = [session.process] + session.children
    #expect(processes.count == 2)
    let deadline = ContinuousClock.now + patience
    var before: Int
    repeat {
      before = processes.reduce(0) { $0 + wakeUps(of: $1) }
      usleep(2_000_000)
    } while processes.reduce(0, { $0 + wakeUps(of: $1) }) != before && ContinuousClock.now < deadline
    #expect(processes.reduce(0) { $0 + wakeUps(of: $1) } == before)
    try quit(session, answer: "\u{04}")
  }

  /// How often the threads of a process gave up the processor, or lost it.
  private func wakeUps(of process: pid_t) -> Int {
    TemporaryFolder.names(inFolder: "/proc/\(process)/task").reduce(0) { sum, thread in
      guard let file = fopen("/proc/\(process)/task/\(thread)/status", "re") else { return sum }
      defer { fclose(file) }
      var buffer = [UInt8](repeating: 0, count: 1 << 13)
      let text = String(decoding: buffer[..<fread(&buffer, 1, buffer.count, file)], as: UTF8.self)
      let counts = text.split(separator: "\n").filter { $0.contains("ctxt_switches:") }
      return counts.reduce(sum) { $0 + (Int($1.split(separator: "\t").last ?? "") ?? 0) }
    }
  }
}
