import EventLoop
import Glibc
import JSON

/// A file of what crosses the bridges that were opened with it (`BridgeConfiguration.trace`), in Chrome's trace event
/// format: for `chrome://tracing` or ui.perfetto.dev. From any thread.
///
/// The file is readable however the process ends, as far as it was written; `close` writes the rest.
public final class TraceFile: Sendable {
  private struct Output: ~Copyable {
    // Closed once; nobody else has it.
    nonisolated(unsafe) var file: UnsafeMutablePointer<FILE>?
    var writer = JSONWriter()
    var lastNumber = 0
    var problem: CInt?
    var isEmpty = true
  }

  public let path: String
  private let output: Lock<Output>
  private let start = MonotonicTime.now

  /// Replaces the file at `path`.
  ///
  /// - Throws: `ERR_UNWRITABLE`.
  public init(path: String) throws(BridgeError) {
    guard let system = SystemPath(path) else { throw BridgeError(unwritable: path, EINVAL) }
    let file = try Self.open(system)
    self.path = path
    output = Lock(Output(file: file))
    fputs("[", file)
  }

  /// In microseconds: how long the reader of a pipe may take to come, and how often it is looked for.
  private static let (timeToCome, pause) = (2_000_000, 10_000)

  private static func open(_ path: SystemPath) throws(BridgeError) -> UnsafeMutablePointer<FILE> {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC
    var descriptor: CInt = -1
    for _ in 0..<timeToCome / pause {
      descriptor = path.pass(to: { Glibc.open($0, flags, 0o666) })
      guard descriptor < 0, errno == ENXIO else { break }
      usleep(useconds_t(pause))
    }
    guard descriptor >= 0 else {
      if errno == ENXIO { throw BridgeError(.unwritable, "nobody takes the trace", at: path.text) }
      throw BridgeError(unwritable: path.text, errno)
    }
    // Whoever has come may take his time.
    guard fcntl(descriptor, F_SETFL, 0) == 0, let file = fdopen(descriptor, "w") else {
      let problem = errno
      Glibc.close(descriptor)
      throw BridgeError(unwritable: path.text, problem)
    }
    return file
  }

  deinit { try? close() }

  /// Writes what is left. Later events are dropped; again: does nothing.
  ///
  /// - Throws: `ERR_UNWRITABLE` if something could not be written.
  public func close() throws(BridgeError) {
    let problem = output.withLock { output -> CInt? in
      guard let file = output.file else { return nil }
      output.file = nil
      fputs("\n]\n", file)
      if fclose(file) != 0, output.problem == nil { output.problem = errno }
      return output.problem
    }
    if let problem { throw BridgeError(unwritable: path, problem) }
  }

  /// A number that no other event has.
  func nextNumber() -> Int {
    output.withLock { output in
      output.lastNumber += 1
      return output.lastNumber
    }
  }

  /// Since the trace began.
  var now: Int { start.nanosecondsPassed }

  /// Writes one event.
  func write(_ members: JSONObject) {
    var members = members
    members["pid"] = .integer(Int64(getpid()))
    output.withLock { output in
      guard let file = output.file else { return }
      output.writer.removeAll()
      output.writer.write(members)
      let separator = output.isEmpty ? "\n" : ",\n"
      output.isEmpty = false
      if fputs(separator, file) < 0
        || fwrite(output.writer.bytes, 1, output.writer.bytes.count, file) < output.writer.bytes.count
      {
        output.problem = errno
      }
    }
  }
}

extension BridgeError {
  fileprivate init(unwritable path: String, _ problem: CInt) {
    self.init(.unwritable, "cannot write the trace: \(String(cString: strerror(problem)))", at: path)
  }
}
