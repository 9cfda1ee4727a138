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
    process(script: script, arguments: arguments, write: StandardStream.output.write, exit: exit)
  }

  /// - Parameters:
  ///   - input: where the script reads.
  ///   - write: takes what the script writes, in place of standard output. Called on the JS thread.
  package static func process(
    script: String, arguments: [String], input: StandardInput = StandardInput(),
    write: @escaping @Sendable (String) -> Void, exit: @escaping @Sendable (Int32) -> Void
  ) -> ModuleSelection {
    let process = ScriptProcess(script: script, arguments: arguments, input: input, write: write, exit: exit)
    return .definitions([.process(process)])
  }
}

extension ModuleDefinition {
  fileprivate static func process(_ process: ScriptProcess) -> ModuleDefinition {
    ModuleDefinition("Process", home: { _ in .executor(process.input.executor) }, make: { process.with($0) }) {
      Member<ScriptProcess>.constant("script") { $0.script }
      Member<ScriptProcess>.constant("arguments") { $0.arguments }
      Member<ScriptProcess>.constant("environment") { $0.permittedEnvironment }
      Member<ScriptProcess>.constant("platform") { _ in "linux" }
      Member<ScriptProcess>.constant("id") { _ in Int(getpid()) }
      Member<ScriptProcess>.sync("workingDirectory") { try $0.workingDirectory() }
      Member<ScriptProcess>.sync("exit", "code") { (process, code: UInt8?) in process.exit(Int32(code ?? 0)) }
      Member<ScriptProcess>.sync("write", "text") { (process, text: String) in process.write(text) }
      // Lines with their ends, as many as are there; `js/modules/process.js` keeps those that nobody has asked for yet.
      reading("readLines") { try $0.readLines($1) }
      reading("readRest") { try $0.readRest($1) }
      Member<ScriptProcess>.sync("stopReading", "number") { (process, number: Int) in process.input.stop(number) }
    }
    .with(script: .process)
  }

  /// By callbacks: native code has them once the call is made, wherever a limit ends the turn. A read that is stopped gives null.
  private static func reading<Text: BridgeEncodable & Sendable>(
    _ name: String, _ read: @escaping @Sendable (StandardInput, Int) throws -> Text?
  ) -> Member<ScriptProcess> {
    ._method(
      name, .callbacks,
      [.init("number", Int.self), .callback("failure", (any Error).self), .callback("success", Text?.self)]
    ) { process in
      { (call) throws(ConversionError) in
        let number = try call.next(Int.self)
        _ = try call.callback((any Error).self)
        let success = try call.callback(Text?.self)
        call.enqueue { do { success(try read(process.input, number)) } catch { success.reject(error) } }
      }
    }
  }
}

/// What a script sees of its process.
struct ScriptProcess: Sendable {
  let script: String
  let arguments: [String]
  let input: StandardInput
  let write: @Sendable (String) -> Void
  let exit: @Sendable (Int32) -> Void
  private var gate = PermissionGate.open

  init(
    script: String, arguments: [String], input: StandardInput, write: @escaping @Sendable (String) -> Void,
    exit: @escaping @Sendable (Int32) -> Void
  ) {
    (self.script, self.arguments, self.input, self.write, self.exit) = (script, arguments, input, write, exit)
  }

  func with(_ context: BridgeContext) -> ScriptProcess {
    var process = self
    process.gate = context.permissions
    return process
  }

  /// What its scripts may see of it. Nobody is asked for the others.
  var permittedEnvironment: [String: String] {
    if gate.grantsAll(.environment) { return Self.environment }
    return Self.environment.filter { gate.covers(.environment, name: $0.key) }
  }

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

  func workingDirectory() throws -> String {
    guard let path = getcwd(nil, 0) else { throw FileError(path: ".") }
    defer { free(path) }
    let folder = String(cString: path)
    do throws(PermissionError) { try gate.check(.read, path: folder) } catch {
      throw gate.error(PermissionRequest(.read, "."))
    }
    return folder
  }
}

/// Standard input, read on an executor of its own: a read that waits holds up nobody else. Reads have numbers that grow.
package final class StandardInput: Sendable {
  /// What scripts' reads do.
  private enum Use { case read, wait, fail }

  private struct State {
    var use = Use.read
    var wait: ReadableWait?
    /// Reads that nobody wants any more, of those that are not over.
    var stopped: Set<Int> = []
  }

  let executor = ModuleExecutor()
  private let reader = Lock(LineReader(.standardInput))
  private let state = Lock(State())

  /// How many lines cross at once, where so many are there.
  private static let window = 256

  package init() {}

  /// Somebody else reads from here on: scripts' reads wait until ``resume()``.
  package func pause() { use(.wait) }

  package func resume() { use(.read) }

  /// Until ``resume()`` scripts' reads fail, those that wait already among them.
  package func interrupt() { use(.fail) }

  private func use(_ use: Use) {
    state.withLock { state in
      // Those that are to fail have not all found out.
      if use != .wait || state.use != .fail { state.use = use }
      state.wait?.interrupt()
    }
  }

  func readLines(_ number: Int) throws -> [String]? {
    try read(number) { (reader, wait) throws(FileError) in try reader.next(atMost: Self.window, beforeReading: wait) }
  }

  func readRest(_ number: Int) throws -> String? {
    try read(number) { (reader, wait) throws(FileError) in try reader.rest(beforeReading: wait) }
  }

  /// - Returns: nil if it was stopped; what had come by then is for the next read.
  private func read<Result>(
    _ number: Int, _ take: (inout LineReader, () throws(FileError) -> Void) throws(FileError) -> Result
  ) throws -> Result? {
    let wait = try state.withLock { (state) throws(EventLoopError) in
      if let wait = state.wait { return wait }
      let wait = try ReadableWait()
      state.wait = wait
      return wait
    }
    defer { state.withLock { $0.stopped = $0.stopped.filter { $0 > number } } }
    do {
      return try reader.withLock { reader in
        try take(&reader) { () throws(FileError) in
          while true {
            let (isStopped, use) = state.withLock { ($0.stopped.contains(number), $0.use) }
            if isStopped { throw FileError(.stopped, "", path: "") }
            if use == .fail { throw FileError(path: "standard input", systemError: EINTR) }
            // Nothing that is read is no descriptor.
            if wait.wait(for: use == .wait ? -1 : STDIN_FILENO) { return }
          }
        }
      }
    } catch let error as FileError where error.code == .stopped { return nil }
  }

  /// Ends a read that is not over, whether it has begun or not.
  func stop(_ number: Int) {
    state.withLock { state in
      state.stopped.insert(number)
      state.wait?.interrupt()
    }
  }
}
