import EventLoop
import Glibc
import Trestle

/// A program that was started. What is written and the end of that come in the order of the calls.
@SharedObject actor RunningProgram {
  /// The number of its process.
  @Exported let id: Int
  nonisolated let process: pid_t
  private nonisolated let name: String
  private nonisolated let end: Task<ProgramEnd, any Error>
  private nonisolated let state: Lock<State>

  private struct State {
    var input: FileDescriptor?
    /// Nil where they are no pipes, and once they are read.
    var output: FileDescriptor?
    var error: FileDescriptor?
    /// The last of the writes, each of which waits for the one before.
    var lastWrite: Task<Void, any Error>?
  }

  init(_ process: ChildProcess, named name: String, leadsGroup: Bool, isHeld: Bool) throws(FileError) {
    (id, self.process, self.name) = (Int(process.id), process.id, name)
    func end(_ descriptor: CInt, _ what: String) -> FileDescriptor? {
      descriptor < 0 ? nil : FileDescriptor(owning: descriptor, named: "the \(what) of \(name)")
    }
    let state = State(
      input: end(process.input, "input"), output: end(process.output, "output"), error: end(process.log, "error output")
    )
    self.state = Lock(state)
    let descriptor = try LivePrograms.add(process.id, named: name, leadsGroup: leadsGroup, isHeld: isHeld)
    self.end = Task { try await LivePrograms.end(of: process.id, descriptor) }
  }

  // MARK: Its input

  /// Returns once it is in the pipe: a program that reads slowly slows its writer.
  @Exported func write(_ text: WellFormedString) async throws { try await write { try await $0.writeAll(text.text) } }

  @Exported func writeBytes(_ bytes: [UInt8]) async throws { try await write { try await $0.writeAll(bytes) } }

  private func write(_ body: @escaping @Sendable (FileDescriptor) async throws -> Void) async throws {
    let task = try beginWrite(body)
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  @discardableResult
  private nonisolated func beginWrite(
    _ body: @escaping @Sendable (FileDescriptor) async throws -> Void
  ) throws(BridgeError) -> Task<Void, any Error> {
    try state.withLock { (state) throws(BridgeError) in
      guard let input = state.input else { throw BridgeError(.argument, "the input of \(name) is closed, or no pipe") }
      let task = Task { [before = state.lastWrite] in
        try? await before?.value
        try await body(input)
      }
      state.lastWrite = task
      return task
    }
  }

  /// Gives it all that it is to read, and does not wait for it: it may have to get rid of its output meanwhile. It need not read all of it.
  nonisolated func feed(_ input: String) {
    _ = try? beginWrite { try await $0.writeAll(input) }
    endInput()
  }

  /// The program finds the end of its input behind what was written.
  @Exported func closeInput() { endInput() }

  nonisolated func endInput() { state.withLock { $0.input = nil } }

  // MARK: Its output

  /// The lines of its standard output, which must be UTF-8. Its output is read once: by this, or as `bytes()`.
  @Exported(.sync) nonisolated func lines() throws -> BridgeStream<String> {
    BridgeStream(FileLines(file: try take(\.output)))
  }

  /// Its standard output, as it comes.
  @Exported(.sync) nonisolated func bytes() throws -> BridgeStream<[UInt8]> {
    BridgeStream(FileChunks(file: try take(\.output)))
  }

  /// The lines of its standard error, which must be UTF-8.
  @Exported(.sync) nonisolated func errorLines() throws -> BridgeStream<String> {
    BridgeStream(FileLines(file: try take(\.error)))
  }

  private nonisolated func take(_ stream: WritableKeyPath<State, FileDescriptor?>) throws(BridgeError) -> FileDescriptor
  {
    let file = state.withLock { state in
      defer { state[keyPath: stream] = nil }
      return state[keyPath: stream]
    }
    guard let file else { throw BridgeError(.argument, "this output of \(name) is read already, or no pipe") }
    return file
  }

  // MARK: Its end

  /// How it has ended, once it has.
  @Exported nonisolated func status() async throws -> ProgramEnd {
    // One that waits no longer does not end it for others.
    try await withCheckedThrowingContinuation { continuation in
      Task { [end] in continuation.resume(with: await end.result) }
    }
  }

  /// Sends it, and what it has started, a signal. False if it has ended.
  @Exported(.sync) nonisolated func kill(_ signal: String = "SIGTERM") throws -> Bool {
    guard let number = SignalNames.number(of: signal) else {
      throw BridgeError(.argument, "RunningProgram.kill: there is no signal '\(signal)'")
    }
    return LivePrograms.send(number, to: process)
  }

  private static let timeToStop = Duration.seconds(2)

  /// Of one that is held: what it has started is beyond this object's reach from now on.
  nonisolated func letGo() {
    // Somebody may have its input, and not read it.
    state.withLock { $0.lastWrite }?.cancel()
    LivePrograms.letGo(of: process)
  }

  /// Asks it to end, and ends it if it does not.
  nonisolated func stop() { Self.stop(process, end) }

  nonisolated func stop(after delay: Duration) {
    Self.perform(after: delay, unless: end) { [end, process] in Self.stop(process, end) }
  }

  private static func stop(_ process: pid_t, _ end: Task<ProgramEnd, any Error>) {
    _ = LivePrograms.send(SIGTERM, to: process, isLast: true)
    perform(after: timeToStop, unless: end) { _ = LivePrograms.send(SIGKILL, to: process) }
  }

  private static func perform(
    after delay: Duration, unless end: Task<ProgramEnd, any Error>, _ body: @escaping @Sendable () -> Void
  ) {
    Task {
      let waiting = Task {
        try await Task.sleep(for: delay)
        body()
      }
      _ = await end.result
      waiting.cancel()
    }
  }

  /// Gives it its input, and waits for its end and that of its output. Where that fails it is ended.
  ///
  /// - Parameter mostOutput: what it may write, in bytes.
  nonisolated func outcome(
    of input: String?, within limit: Duration?, mostOutput: Int = FileDescriptor.longestText
  ) async throws -> ProgramOutcome {
    if let input { feed(input) }
    return try await withThrowingTaskGroup(of: ProgramOutcome?.self) { group in
      group.addTask { try await self.outcome(mostOutput) }
      if let limit {
        group.addTask {
          try await Task.sleep(for: limit)
          return nil
        }
      }
      defer { group.cancelAll() }
      do {
        if let outcome = try await group.next() ?? nil { return outcome }
        throw BridgeError(.limit, "\(name) has not ended after \(limit ?? .zero)")
      } catch {
        stop()
        throw error
      }
    }
  }

  private nonisolated func outcome(_ mostOutput: Int) async throws -> ProgramOutcome {
    let files = state.withLock { [$0.output, $0.error] }
    var written: [[UInt8]] = [[], []]
    // The first that fails ends the other, which the program may never close.
    try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
      for case (let index, let file?) in files.enumerated() {
        group.addTask { (index, try await file.readAll(atMost: mostOutput)) }
      }
      for try await (index, bytes) in group { written[index] = bytes }
    }
    let end = try await status()
    return ProgramOutcome(
      code: end.code, signal: end.signal, output: try files[0]?.text(written[0][...]) ?? "",
      error: try files[1]?.text(written[1][...]) ?? "")
  }
}

/// What a file has, as it comes. Walked once.
struct FileChunks: AsyncSequence, Sendable {
  let file: FileDescriptor

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(file: file) }

  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let file: FileDescriptor

    func next() async throws -> [UInt8]? {
      let chunk = try await file.readChunk()
      return chunk.isEmpty ? nil : chunk
    }
  }
}
