import EventLoop
import Glibc

/// All that is needed to start a program, checked.
struct ProgramStart {
  private let program: String
  private let arguments: [String]
  private let environment: [String]?
  private let folder: String?
  private let streams: [ChildProcess.Stream]
  /// What reads the terminal has to be in the group that has it.
  private var company: ChildProcess.Company { streams[0] == .inherited ? .parent : .group }

  init(_ program: String, _ arguments: [String], _ options: ProgramOptions) throws(FileError) {
    let variables = (options.environment ?? [:]).mapValues(\.text)
    for path in [program, options.folder?.text ?? "."] { _ = try SystemPath(of: path) }
    for text in arguments where text.utf8.contains(0) {
      throw FileError(.notPath, "an argument has no NUL character", path: text)
    }
    for (name, value) in variables {
      guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "=")) else {
        throw FileError(.notPath, "no name of a variable", path: name)
      }
      guard !name.utf8.contains(0), !value.utf8.contains(0) else {
        throw FileError(.notPath, "a variable of the environment has no NUL character", path: name)
      }
    }
    guard !program.isEmpty else { throw FileError(path: program, systemError: ENOENT) }
    (self.program, self.arguments, folder) = (program, arguments, options.folder?.text)
    let isOwn = options.clearsEnvironment || !variables.isEmpty
    let all = (options.clearsEnvironment ? [:] : ScriptProcess.environment).merging(variables) { $1 }
    environment = isOwn ? all.map { "\($0)=\($1)" } : nil
    streams = [
      Self.stream(options.stdin), Self.stream(options.stdout),
      options.stderr == .stdout
        ? .output : Self.stream(options.stderr.flatMap { ProgramStream(rawValue: $0.rawValue) }),
    ]
  }

  private static func stream(_ stream: ProgramStream?) -> ChildProcess.Stream {
    switch stream {
    case nil, .pipe: .pipe
    case .ignore: .null
    case .inherit: .inherited
    }
  }

  /// - Parameter isHeld: until `RunningProgram.letGo`.
  /// - Throws: ``FileError``.
  func begin(isHeld: Bool) throws -> RunningProgram {
    guard DescriptorReserve.hasRoom else { throw FileError(path: program, systemError: EMFILE) }
    if let folder { try Self.check(folder) }
    do {
      // Nobody would hear of its end otherwise.
      try Readiness.prepare()
      let process = try ChildProcess(
        program, searchesPath: true, arguments: arguments, environment: environment, folder: folder, streams: streams,
        company: company, ownsEnds: false)
      return try RunningProgram(process, named: program, leadsGroup: company == .group, isHeld: isHeld)
    } catch let error as EventLoopError { throw FileError(path: program, systemError: error.systemError) }
  }

  /// The system does not tell what it has not found.
  private static func check(_ folder: String) throws(FileError) {
    var status = stat()
    guard stat(folder, &status) == 0 else { throw FileError(path: folder) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw FileError(path: folder, systemError: ENOTDIR) }
    guard access(folder, X_OK) == 0 else { throw FileError(path: folder) }
  }
}
