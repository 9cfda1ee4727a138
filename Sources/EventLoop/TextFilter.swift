import CLinux
import Glibc

/// A program that reads a text at its standard input and writes what becomes of it: run to its end, several at a time, while the caller
/// waits. No shell, an environment of nothing but `PATH` unless another is given, and no descriptor but the three. None outlives the call,
/// nor this process if that is killed; one that is ended is ended with all that it has started.
package struct TextFilter {
  package struct Job {
    package var arguments: [String]
    package var input: [UInt8]

    package init(arguments: [String], input: [UInt8]) { (self.arguments, self.input) = (arguments, input) }
  }

  package enum Outcome: Sendable {
    /// - Parameter status: of the end, zero for success; of a signal 128 and its number.
    case ended(status: CInt, output: [UInt8], log: [UInt8])
    /// It was not let run to its end, or not started; in words.
    case failed(String)
  }

  /// Its path.
  package var program: String
  /// Entries `NAME=value`.
  package var environment = ["PATH=/usr/bin:/bin"]
  /// How many run at once.
  package var width = 4
  /// For each, from its start.
  package var timeLimit = Duration.seconds(30)
  /// For each, in bytes; its data alone.
  package var memoryLimit = 1 << 30
  /// How much it may write, in bytes.
  package var outputLimit = 1 << 28
  /// After that it is seen to that none outlives this process: it takes one more, and most end before.
  package var watchDelay = Duration.milliseconds(20)

  package init(program: String) { self.program = program }

  /// The environment of this process.
  package static var ownEnvironment: [String] {
    var entries: [String] = []
    var next = environ
    while let entry = next.pointee {
      entries.append(String(cString: entry))
      next += 1
    }
    return entries
  }

  /// - Parameter isOver: is asked every 20 ms; then all that run are ended.
  /// - Returns: the outcomes in the order of the jobs.
  package func run(_ jobs: [Job], isOver: () -> Bool = { false }) -> [Outcome] {
    var outcomes = [Outcome?](repeating: nil, count: jobs.count)
    var running: [RunningFilter] = []
    var next = 0
    while next < jobs.count || !running.isEmpty {
      while next < jobs.count, running.count < width {
        do throws(EventLoopError) {
          let filter = try RunningFilter(next, self, jobs[next])
          running.append(filter)
          filter.watch(after: watchDelay)
        } catch { outcomes[next] = .failed("cannot start \(program): \(error)") }
        next += 1
      }
      wait(for: running)
      let isOver = isOver()
      for filter in running {
        filter.advance()
        filter.watch(after: watchDelay)
        if isOver { filter.end("\(program) was ended") }
        if filter.deadline < .now { filter.end("\(program) has not ended after \(timeLimit)") }
        if filter.output.count + filter.log.count > outputLimit { filter.end("\(program) has written too much") }
        if let outcome = filter.outcome { outcomes[filter.number] = outcome }
      }
      running.removeAll { $0.outcome != nil }
      if isOver { break }
    }
    return outcomes.map { $0 ?? .failed("\(program) was ended") }
  }

  private func wait(for running: [RunningFilter]) {
    var requests = running.flatMap(\.requests)
    let isEnding = running.contains(where: \.isEnding)
    poll(&requests, nfds_t(requests.count), isEnding ? 1 : 20)
  }
}

/// One that runs.
private final class RunningFilter {
  let number: Int
  let deadline: MonotonicTime
  private(set) var output: [UInt8] = []
  private(set) var log: [UInt8] = []
  private(set) var outcome: TextFilter.Outcome?
  private let id: pid_t
  private let start = MonotonicTime.now
  private var keeper: ChildProcess?
  private let input: [UInt8]
  private var written = 0
  /// Ours; -1 once it is closed.
  private var inputEnd, outputEnd, logEnd: CInt

  init(_ number: Int, _ filter: TextFilter, _ job: TextFilter.Job) throws(EventLoopError) {
    var ends: [CInt] = []
    func close(_ indices: some Sequence<Int>) { for index in indices { Glibc.close(ends[index]) } }
    for _ in 0..<3 {
      var pair: [CInt] = [-1, -1]
      guard pipe2(&pair, O_CLOEXEC) == 0 else {
        let error = EventLoopError("pipe")
        close(ends.indices)
        throw error
      }
      ends += pair
    }
    var child: pid_t = 0
    let failure = Self.spawn(filter, job.arguments, [ends[0], ends[3], ends[5]], &child)
    close([0, 3, 5])
    guard failure == 0 else {
      close([1, 2, 4])
      throw EventLoopError("posix_spawn", systemError: failure)
    }
    (id, inputEnd, outputEnd, logEnd) = (child, ends[1], ends[2], ends[4])
    for end in [inputEnd, outputEnd, logEnd] { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
    DescriptorReserve.restoreLimit(of: child)
    (self.number, input, deadline) = (number, job.input, .now + filter.timeLimit)
    let seconds = max(filter.timeLimit.components.seconds, 1)
    limit(CInt(RLIMIT_DATA.rawValue), filter.memoryLimit)
    limit(CInt(RLIMIT_CPU.rawValue), Int(clamping: seconds) * 4)
    limit(CInt(RLIMIT_CORE.rawValue), 0)
  }

  deinit { end("ended") }

  /// A shell that waits for its input to end, as it does with this process, ends the group then.
  func watch(after delay: Duration) {
    guard outcome == nil, keeper == nil, MonotonicTime.now - start >= delay else { return }
    // Where none can be started all goes on without it.
    keeper = try? ChildProcess(
      "/bin/sh", arguments: ["-c", "read x; kill -9 -$0", "\(id)"], streams: [.pipe, .null, .null], company: .group)
  }

  private func endWatch() {
    guard let keeper else { return }
    kill(keeper.id, SIGKILL)
    while waitpid(keeper.id, nil, 0) < 0, errno == EINTR {}
    self.keeper = nil
  }

  private func limit(_ resource: CInt, _ value: Int) {
    var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
    prlimit(id, resource, &limit, nil)
  }

  private static func spawn(
    _ filter: TextFilter, _ arguments: [String], _ standard: [CInt], _ child: inout pid_t
  ) -> CInt {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, end) in standard.enumerated() { posix_spawn_file_actions_adddup2(&actions, end, CInt(number)) }
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // In a group of its own, to be ended with what it starts.
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    var strings = ([filter.program] + arguments).map { strdup($0) } + [nil]
    var environment = filter.environment.map { strdup($0) } + [nil]
    defer { for string in strings + environment { free(string) } }
    return posix_spawn(&child, filter.program, &actions, &attributes, &strings, &environment)
  }

  /// It has closed its output; what is missing is its end.
  var isEnding: Bool { outputEnd < 0 && logEnd < 0 }

  var requests: [pollfd] {
    [(inputEnd, POLLOUT), (outputEnd, POLLIN), (logEnd, POLLIN)].filter { $0.0 >= 0 }.map {
      pollfd(fd: $0.0, events: Int16($0.1), revents: 0)
    }
  }

  /// Takes it as far as that goes without waiting.
  func advance() {
    write()
    read(&outputEnd, into: &output)
    read(&logEnd, into: &log)
    guard isEnding, outcome == nil else { return }
    var status: CInt = 0
    let reaped = waitpid(id, &status, WNOHANG)
    if reaped == 0 { return }
    endWatch()
    close(&inputEnd)
    // Another may have reaped it: then what it has written has to tell.
    let signal = status & 0x7F
    let isKnown = reaped == id
    outcome = .ended(
      status: !isKnown ? (log.isEmpty ? 0 : 1) : signal == 0 ? (status >> 8) & 0xFF : 128 + signal, output: output,
      log: log)
  }

  private func write() {
    while inputEnd >= 0 {
      guard written < input.count else { return close(&inputEnd) }
      let count = input[written...].withUnsafeBytes { Writing.some($0, to: inputEnd) }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        // It takes no more; its words may say why.
        return close(&inputEnd)
      }
    }
  }

  private func read(_ end: inout CInt, into bytes: inout [UInt8]) {
    guard end >= 0 else { return }
    var request = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, 0) > 0 else { return }
    guard let chunk = Reading.chunk(from: end, waits: false) else { return errno == EAGAIN ? () : close(&end) }
    bytes += chunk
    if chunk.isEmpty { close(&end) }
  }

  private func close(_ end: inout CInt) {
    if end >= 0 { Glibc.close(end) }
    end = -1
  }

  /// Ends it, unless it has ended.
  func end(_ words: String) {
    for path in [\RunningFilter.inputEnd, \.outputEnd, \.logEnd] {
      if self[keyPath: path] >= 0 { Glibc.close(self[keyPath: path]) }
      self[keyPath: path] = -1
    }
    guard outcome == nil else { return }
    outcome = .failed(words)
    kill(-id, SIGKILL)
    endWatch()
    while waitpid(id, nil, 0) < 0, errno == EINTR {}
  }
}
