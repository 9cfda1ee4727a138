import EventLoop
import Glibc
import Trestle

extension ModuleSelection {
  /// The process that runs the script: its arguments, environment, standard input, and its end.
  ///
  /// - Parameters:
  ///   - script: the path that the script was read from.
  ///   - arguments: what the script is given, without its own name.
  ///   - exit: ends the process, or whatever the host has for it. Called on the JS thread.
  public static func process(
    script: String, arguments: [String], exit: @escaping @Sendable (Int32) -> Void
  ) -> ModuleSelection {
    let process = ScriptProcess(script: script, arguments: arguments, exit: exit)
    return .definitions([.process(process)])
  }
}

extension ModuleDefinition {
  fileprivate static func process(_ process: ScriptProcess) -> ModuleDefinition {
    ModuleDefinition("Process", home: { _ in .executor(process.input.executor) }, make: { _ in process }) {
      Member<ScriptProcess>.constant("script") { $0.script }
      Member<ScriptProcess>.constant("arguments") { $0.arguments }
      Member<ScriptProcess>.constant("environment") { _ in ScriptProcess.environment }
      Member<ScriptProcess>.constant("platform") { _ in "linux" }
      Member<ScriptProcess>.constant("id") { _ in Int(getpid()) }
      Member<ScriptProcess>.sync("workingDirectory") { _ in try ScriptProcess.workingDirectory() }
      Member<ScriptProcess>.sync("exit", "code") { (process, code: Int32?) in process.exit(code ?? 0) }
      Member<ScriptProcess>.sync("write", "text") { (_, text: String) in writeAll(text, to: STDOUT_FILENO) }
      Member<ScriptProcess>.promiseAtHome("readLine") { $0.input.readLine() }
      Member<ScriptProcess>.promiseAtHome("readInput") { $0.input.readAll() }
    }
    .with(script: .process)
  }
}

/// What a script sees of its process.
private struct ScriptProcess: Sendable {
  let script: String
  let arguments: [String]
  let exit: @Sendable (Int32) -> Void
  let input = StandardInput()

  static var environment: [String: String] {
    var environment: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { environment[String(parts[0])] = String(parts[1]) }
      entry += 1
    }
    return environment
  }

  static func workingDirectory() throws -> String {
    guard let path = getcwd(nil, 0) else { throw FileError(path: ".") }
    defer { free(path) }
    return String(cString: path)
  }
}

/// Standard input, read on an executor of its own: a read that waits holds up nobody else.
private final class StandardInput: Sendable {
  let executor = ModuleExecutor()
  /// What has been read and not yet been asked for.
  private let buffered = Lock<[UInt8]>([])

  /// The next line without its end; nil at the end of the input.
  func readLine() -> String? {
    var line = buffered.withLock { take(&$0, isAtEnd: false) }
    while line == nil {
      let chunk = readChunk()
      line = buffered.withLock { bytes in
        bytes += chunk
        return take(&bytes, isAtEnd: chunk.isEmpty)
      }
      if chunk.isEmpty { break }
    }
    return line.map { String(decoding: $0, as: UTF8.self) }
  }

  /// All that is left of the input.
  func readAll() -> String {
    while case let chunk = readChunk(), !chunk.isEmpty { buffered.withLock { $0 += chunk } }
    return buffered.withLock { bytes in
      defer { bytes = [] }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private func take(_ bytes: inout [UInt8], isAtEnd: Bool) -> [UInt8]? {
    let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
    guard end != nil || isAtEnd && !bytes.isEmpty else { return nil }
    defer { bytes.removeFirst(end.map { $0 + 1 } ?? bytes.count) }
    return Array(bytes[..<(end ?? bytes.count)])
  }

  /// Empty at the end of the input, and where it fails.
  private func readChunk() -> [UInt8] {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(STDIN_FILENO, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      return Array(chunk[..<max(count, 0)])
    }
  }
}
