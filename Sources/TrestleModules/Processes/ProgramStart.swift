import EventLoop
import Glibc
import Trestle

/// All that is needed to start a program, checked.
struct ProgramStart {
  private let program: String
  /// What is started, where that is not the program as the script has called it.
  private var permitted: String?
  private let arguments: [String]
  private let environment: [String]?
  private let folder: String?
  /// The folder itself, where it was looked whether it may be used.
  private var openFolder: FileDescriptor?
  /// Those that were given, beside those of this process.
  private let variables: [String]
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
    self.variables = variables.keys.sorted()
    let isOwn = options.clearsEnvironment || !variables.isEmpty
    let all = (options.clearsEnvironment ? [:] : ScriptProcess.environment).merging(variables) { $1 }
    environment = isOwn ? all.map { "\($0)=\($1)" } : nil
    streams = [
      Self.stream(options.stdin), Self.stream(options.stdout),
      options.stderr == .stdout
        ? .output : Self.stream(options.stderr.flatMap { ProgramStream(rawValue: $0.rawValue) }),
    ]
  }

  /// What a program does is out of reach: a script that may start any may do anything. What is started is what was granted, by its own
  /// path: that of the script's might lead elsewhere, and so would the system's search in an entry of `PATH` where it may write.
  mutating func restrict(by gate: PermissionGate) throws {
    guard !gate.grantsAll(.run) else { return }
    do { try gate.check(.run, name: permittedName) } catch {
      throw gate.error(PermissionRequest(.run, gate.told(program, as: permittedName)))
    }
    permitted = permittedName.utf8.contains(UInt8(ascii: "/")) ? permittedName : try Self.found(program, for: gate)
    // The program that is granted would run the code of another file.
    if let name = variables.first(where: { $0.hasPrefix("LD_") }) {
      throw FileError(.notPermitted, "the variable \(name) is for who may run every program", path: program)
    }
    // Whether it is there, and a folder, is found out before the program runs.
    openFolder = try folder.map { try FileDescriptor(openingFolder: gate.place(of: SystemPath(of: $0), for: .read)) }
    // Many a program does what a variable says.
    for name in variables { try gate.check(.environment, name: name) }
  }

  private static func found(_ program: String, for gate: PermissionGate) throws(FileError) -> String {
    let search = ProgramSearch(program)
    if let path = search.first(for: gate) { return path }
    guard let path = search.first() else { throw FileError(path: program, systemError: ENOENT) }
    throw FileError(.notPermitted, "is where the script may write, and not started", path: path)
  }

  /// What it is granted by: the name that is looked for in `PATH`, or a path, from the working folder.
  private var permittedName: String {
    guard program.utf8.contains(UInt8(ascii: "/")) else { return program }
    let isAbsolute = program.utf8.first == UInt8(ascii: "/")
    return FileModuleLoader.normalized(isAbsolute ? program : (folder ?? ".") + "/" + program)
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
    let place = try openFolder ?? folder.map { try FileDescriptor(openingFolder: FilePlace(SystemPath(of: $0))) }
    // The system does not tell what it has not found.
    if let place, faccessat(place.descriptor, ".", X_OK, 0) != 0 { throw FileError(path: place.path) }
    do {
      // Nobody would hear of its end otherwise.
      try Readiness.prepare()
      let process = try ChildProcess(
        permitted ?? program, searchesPath: permitted == nil, name: program, arguments: arguments,
        environment: environment, folder: place?.descriptor, streams: streams, company: company, ownsEnds: false)
      return try RunningProgram(process, named: program, leadsGroup: company == .group, isHeld: isHeld)
    } catch let error as EventLoopError { throw FileError(path: program, systemError: error.systemError) }
  }
}
