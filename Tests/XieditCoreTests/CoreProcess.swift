import CLinux
import Glibc
import JSON
import Testing

/// `xiedit-core` over pipes, without a front end. Used on one thread.
final class CoreProcess {
  private let process: pid_t
  private let input: CInt
  private let output: CInt
  private var pending: [UInt8] = []
  /// How much of it holds no end of a line: messages of a large text come in many pieces.
  private var searched = 0
  private var isEnded = false
  private var lastID = 0

  /// - Parameters:
  ///   - folder: That it works in.
  ///   - fileLimit: The size of files that the core may write, in units of 512 or 1024 bytes.
  init(state: String, in folder: String? = nil, fileLimit: Int? = nil) throws {
    var toCore: [CInt] = [0, 0]
    var fromCore: [CInt] = [0, 0]
    guard pipe2(&toCore, O_CLOEXEC) == 0, pipe2(&fromCore, O_CLOEXEC) == 0 else {
      throw Failure(description: "no pipe")
    }
    (input, output) = (toCore[1], fromCore[0])
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toCore[0], 0)
    posix_spawn_file_actions_adddup2(&actions, fromCore[1], 1)
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    let limits = (fileLimit.map { "ulimit -f \($0); " } ?? "") + (folder == nil ? "" : "cd \"$1\"; ")
    let command = limits.isEmpty ? [corePath] : ["/bin/sh", "-c", limits + "exec \"$0\"", corePath, folder ?? ""]
    var arguments = command.map { strdup($0) } + [nil]
    var environment = [strdup("XDG_STATE_HOME=" + state), strdup("HOME=" + state), nil]
    defer { for pointer in arguments + environment { free(pointer) } }
    var child: pid_t = 0
    let error = posix_spawn(&child, command[0], &actions, nil, &arguments, &environment)
    close(toCore[0])
    close(fromCore[1])
    guard error == 0 else { throw Failure(description: "\(corePath): \(error)") }
    process = child
    send(
      "client_started",
      ["xiedit": ["version": 1, "unicode": "15.0", "extensions": ["edit_count", "files", "recovery"]]])
  }

  deinit { end(SIGKILL) }

  /// Kills the core, which may go on for a moment.
  func kill() { Glibc.kill(process, SIGKILL) }

  /// Kills the core, and waits until it is gone.
  func end(_ signal: CInt) {
    guard !isEnded else { return }
    isEnded = true
    Glibc.kill(process, signal)
    var status: CInt = 0
    waitpid(process, &status, 0)
    close(input)
    close(output)
  }

  /// Ends the input, and waits until the core has ended.
  func finish() {
    isEnded = true
    close(input)
    var status: CInt = 0
    waitpid(process, &status, 0)
    close(output)
  }

  /// What it takes of memory, in bytes.
  var residentByteCount: Int {
    guard let file = fopen("/proc/\(process)/statm", "r") else { return 0 }
    defer { fclose(file) }
    var numbers = [CChar](repeating: 0, count: 256)
    guard fgets(&numbers, 256, file) != nil else { return 0 }
    let pages = String(decoding: numbers.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
      separator: " ")
    return (pages.dropFirst().first.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }

  func send(_ method: String, _ params: JSONValue, id: Int? = nil) {
    var message: JSONObject = ["method": .string(method), "params": params]
    if let id { message["id"] = JSONValue(id) }
    var writer = JSONWriter()
    writer.write(message)
    writer.endLine()
    writer.bytes.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = write(input, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
        if count <= 0 { return }
        sent += count
      }
    }
  }

  func request(_ method: String, _ params: JSONValue) throws -> JSONValue {
    let id = lastID
    lastID += 1
    send(method, params, id: id)
    return try receive { $0["id"]?.int == id && $0["method"] == nil }["result"] ?? .null
  }

  func insert(_ text: String, in view: String) {
    send("edit", ["view_id": .string(view), "method": "insert", "params": ["chars": .string(text)]])
  }

  /// The next message for which `isWanted` holds; those before it are dropped.
  func receive(_ isWanted: (JSONValue) -> Bool) throws -> JSONValue {
    while true {
      let message = try receiveMessage()
      if isWanted(message) { return message }
    }
  }

  private var endOfLine: Int? {
    pending.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return nil }
      return memchr(start + searched, 10, bytes.count - searched).map { UnsafeRawPointer($0) - start }
    }
  }

  private func receiveMessage() throws -> JSONValue {
    while true {
      if let end = endOfLine {
        defer {
          pending.removeFirst(end + 1)
          searched = 0
        }
        return try JSONValue(parsing: pending[..<end])
      }
      var poll = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard Glibc.poll(&poll, 1, 30_000) == 1 else { throw Failure(description: "the core is silent") }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(output, &buffer, buffer.count)
      guard count > 0 else { throw Failure(description: "the core has ended") }
      searched = pending.count
      pending += buffer[..<count]
    }
  }
}
