import CLinux
import Glibc
import JSON

/// The real `xiedit-core` over real pipes, driven by plain writes and reads.
final class BenchmarkCore {
  struct Failure: Error { let reason: String }

  private let process: pid_t
  private let input: CInt
  private let output: CInt
  private var received: [UInt8] = []
  private var start = 0
  private var lastID = 0

  /// - Parameter program: Beside this program, unless it is a path.
  init(_ program: String = "xiedit-core", arguments: [String] = []) throws {
    var forth: [CInt] = [0, 0]
    var back: [CInt] = [0, 0]
    guard pipe2(&forth, O_CLOEXEC) == 0, pipe2(&back, O_CLOEXEC) == 0 else { throw Failure(reason: "pipe") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, forth[0], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, back[1], STDOUT_FILENO)
    let path = program.contains("/") ? program : Self.ownFolder + program
    var process: pid_t = 0
    var arguments = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    guard posix_spawn(&process, path, &actions, nil, &arguments, environ) == 0 else {
      throw Failure(reason: "\(path) does not start: build it first")
    }
    close(forth[0])
    close(back[1])
    self.process = process
    input = forth[1]
    output = back[0]
  }

  deinit {
    close(input)
    close(output)
    var status: CInt = 0
    waitpid(process, &status, 0)
  }

  /// Where this program is, with a slash at its end.
  static var ownFolder: String {
    var path = [UInt8](repeating: 0, count: 4096)
    let count = path.withUnsafeMutableBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) {
        $0.baseAddress.map { readlink("/proc/self/exe", $0, 4096) } ?? 0
      }
    }
    return String(decoding: path[..<max(0, count)], as: UTF8.self).split(separator: "/").dropLast()
      .reduce("/") { $0 + $1 + "/" }
  }

  /// So many bytes, of whatever kind.
  func receive(_ wanted: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: wanted)
    var received = 0
    while received < wanted {
      let count = bytes.withUnsafeMutableBytes { read(output, $0.baseAddress.map { $0 + received }, wanted - received) }
      guard count > 0 else { throw Failure(reason: "the other side has ended") }
      received += count
    }
    return bytes
  }

  func send(_ line: [UInt8]) {
    var rest = line[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Sends much, and takes what comes back off the pipe so that neither side waits for the other.
  func sendReadingMeanwhile(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while !rest.isEmpty {
      var requests = [
        pollfd(fd: input, events: Int16(POLLOUT), revents: 0), pollfd(fd: output, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&requests, 2, 60_000) > 0 else { throw Failure(reason: "the core does not read") }
      if requests[1].revents != 0 {
        guard read(output, &buffer, buffer.count) > 0 else { throw Failure(reason: "the core has ended") }
      }
      // So little never blocks when there is room.
      if requests[0].revents != 0 {
        rest = rest.dropFirst(max(0, rest.prefix(4096).withUnsafeBytes { write(input, $0.baseAddress, $0.count) }))
      }
    }
  }

  func notify(_ method: String, _ params: JSONValue) {
    send(Array((JSONValue.object(["method": .string(method), "params": params]).description + "\n").utf8))
  }

  func edit(_ view: String, _ method: String, _ params: JSONValue = []) {
    notify("edit", ["view_id": .string(view), "method": .string(method), "params": params])
  }

  /// Sends a request and skips what comes before its answer.
  func request(_ method: String, _ params: JSONValue) throws -> JSONValue {
    lastID += 1
    let request: JSONValue = ["id": JSONValue(lastID), "method": .string(method), "params": params]
    send(Array((request.description + "\n").utf8))
    let wanted = Array("{\"id\":\(lastID),".utf8)
    while true {
      let line = try nextLine()
      guard line.starts(with: wanted) else { continue }
      return try JSONValue(parsing: line)["result"] ?? .null
    }
  }

  /// Waits for the next `update`.
  func awaitUpdate() throws {
    let wanted = Array(#"{"method":"update","#.utf8)
    while try !nextLine().starts(with: wanted) {}
  }

  /// Waits for an `update` after which there are so many lines.
  func awaitUpdate(ofLines wanted: Int) throws {
    while true {
      let line = try nextLine()
      guard line.starts(with: Array(#"{"method":"update","#.utf8)) else { continue }
      let ops = try JSONValue(parsing: line)["params"]?["update"]?["ops"]?.array ?? []
      let count = ops.reduce(0) { $0 + ($1["op"]?.string == "skip" ? 0 : $1["n"]?.int ?? 0) }
      if count == wanted { return }
    }
  }

  /// Waits for a message with that in it.
  func await(_ text: String) throws {
    let wanted = Array(text.utf8)
    while try !nextLine().contains(wanted) {}
  }

  private func nextLine() throws -> ArraySlice<UInt8> {
    var searched = start
    while true {
      if let newline = received[searched...].firstIndex(of: 0x0A) {
        defer { start = newline + 1 }
        return received[start..<newline]
      }
      received.removeFirst(start)
      start = 0
      searched = received.count
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(output, &buffer, buffer.count)
      guard count > 0 else { throw Failure(reason: "the core has ended") }
      received += buffer[..<count]
    }
  }

  /// Opens an empty view, or a file.
  ///
  /// - Parameter takesWindows: whether the core may send long lines in part, as to this project's front end.
  func openView(_ path: String? = nil, takesWindows: Bool = false) throws -> String {
    let handshake: JSONValue = ["version": 1, "unicode": "15.0", "extensions": ["partial_lines"]]
    notify("client_started", takesWindows ? ["xiedit": handshake] : [:])
    let params: JSONValue = path.map { ["file_path": .string($0)] } ?? [:]
    guard let view = try request("new_view", params).string else { throw Failure(reason: "no view") }
    edit(view, "scroll", [0, 40])
    return view
  }

  /// The core's resident memory and its peak, in bytes.
  var memory: (resident: Int, peak: Int) { ProcessFile.memory(of: process) }
}
