import EventLoop
import Glibc

/// Runs this program again and again: whenever a file has changed that it had loaded, in a process of its own, so that nothing is left of
/// the run before.
final class WatchedRun {
  private let loop = Loop()
  private lazy var watcher = FileWatcher(on: loop)
  private let arguments: [String]
  /// What is asked for files, whether they could be loaded or not.
  private let named: [String]
  /// Where what is granted leads, for all runs.
  private let grantedPaths: String?
  private var watched: Set<String> = []
  private var run: (child: ChildProcess, source: LoopSource)?
  private var pending: [UInt8] = []
  /// What has changed since the run began: it is to end.
  private var changed: String?
  private var killer: LoopSource?
  /// A signal that ends this process, when the run has ended.
  private var interruption: CInt?

  /// How long a run may take to end when it is told to.
  private static let timeToEnd = Duration.seconds(5)

  /// - Parameters:
  ///   - arguments: of this process.
  ///   - files: what is watched from the start.
  init(_ arguments: [String] = CommandLine.arguments, files: [String], grantedPaths: String?) {
    (self.arguments, named, self.grantedPaths) = (arguments, files, grantedPaths)
  }

  /// Until a signal ends it.
  func start() -> Never {
    watcher.onShortage = { Terminal.tell("files cannot be watched: \(String(cString: strerror($0)))") }
    for file in named { watch(file) }
    do throws(EventLoopError) {
      for signal in [SIGINT, SIGTERM, SIGHUP] {
        try loop.onSignal(signal) { [unowned self] in interrupt(signal) }
      }
      try begin()
    } catch { fail(error) }
    while true { loop.iterate(waiting: true) }
  }

  private func fail(_ error: EventLoopError) -> Never {
    Terminal.tell("\(error)")
    ExitStatus.uncaughtError.exitAtOnce()
  }

  private func watch(_ path: String) {
    guard watched.insert(path).inserted else { return }
    _ = watcher.watch(path) { [unowned self] in noteChange(of: path) }
  }

  // MARK: Runs

  private func begin() throws(EventLoopError) {
    changed = nil
    let child = try ChildProcess(
      "/proc/self/exe", name: arguments[0], arguments: Self.argumentsOfRun(arguments, grantedPaths),
      streams: [.inherited, .inherited, .inherited, .pipe], company: .parent)
    _ = fcntl(child.channel, F_SETFL, O_NONBLOCK)
    run = (child, loop.onReadable(child.channel) { [unowned self] in receive() })
    loop.onExit(of: child.id) { [unowned self] in end($0) }
  }

  /// Those of a run that tells what it loads, on its fourth descriptor.
  static func argumentsOfRun(_ arguments: [String], _ grantedPaths: String?) -> [String] {
    var rest = Array(arguments.dropFirst())
    // The first one is this program's, however many the script is given.
    if let place = rest.firstIndex(of: "--watch") {
      rest.replaceSubrange(
        place...place, with: ["--loaded-files-to", "3"] + (grantedPaths.map { ["--granted-paths", $0] } ?? []))
    }
    return rest
  }

  private func receive() {
    guard let run else { return }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(run.child.channel, &buffer, buffer.count), count != 0 {
      if count < 0 { return }
      pending += buffer[..<count]
      while let end = pending.firstIndex(of: 0) {
        noteLoaded(pending[..<end])
        pending.removeSubrange(...end)
      }
    }
    run.source.cancel()
  }

  /// The file may have changed before it was watched.
  private func noteLoaded(_ record: ArraySlice<UInt8>) {
    guard let space = record.firstIndex(of: UInt8(ascii: " ")) else { return }
    let path = String(decoding: record[(space + 1)...], as: UTF8.self)
    guard !watched.contains(path) else { return }
    watch(path)
    if LoadedFiles.state(of: path) != String(decoding: record[..<space], as: UTF8.self) { noteChange(of: path) }
  }

  private func noteChange(of path: String) {
    let isFirst = changed == nil
    changed = path
    guard interruption == nil, isFirst else { return }
    if let run { return end(run.child, by: SIGTERM) }
    // The same file may be told of by another name, too.
    loop.after(.zero) { [unowned self] in again() }
  }

  /// A run that does not end of the signal is killed.
  private func end(_ child: ChildProcess, by signal: CInt) {
    kill(child.id, signal)
    killer = killer ?? loop.after(Self.timeToEnd) { kill(child.id, SIGKILL) }
  }

  private func end(_ status: TerminationStatus) {
    receive()
    run?.source.cancel()
    killer?.cancel()
    (run, killer, pending) = (nil, nil, [])
    if let interruption { ExitStatus(code: 128 + interruption).exitAtOnce() }
    guard changed == nil else { return again() }
    let outcome =
      switch status {
      case .exited(0): "ended"
      case .exited(let code): "ended with \(code)"
      case .killed(let signal): "ended by signal \(signal)"
      }
    Terminal.tell("\(outcome); waiting for a change")
  }

  private func again() {
    Terminal.tell("\(changed ?? "") has changed: running again")
    do throws(EventLoopError) { try begin() } catch { fail(error) }
  }

  // MARK: The end

  /// A terminal sends an interruption to the run, too; all else is handed on. The second one does not wait.
  private func interrupt(_ signal: CInt) {
    guard let run, interruption == nil else {
      if let run { kill(run.child.id, SIGKILL) }
      ExitStatus(code: 128 + signal).exitAtOnce()
    }
    interruption = signal
    end(run.child, by: signal == SIGINT && isatty(STDIN_FILENO) == 1 ? 0 : signal)
  }
}
