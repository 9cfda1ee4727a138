import EventLoop
import Glibc
import Trestle

extension ModuleSelection {
  /// Files and directories, for bridges that are granted `Capability.files`.
  public static let files = ModuleSelection.definitions([Files.moduleDefinition])
}

/// Files and directories. Its calls run one after the other, away from the JavaScript thread; one that waits for a pipe, a terminal
/// or a device, or for a descriptor where none is left, lets the others go first.
@NativeModule(capabilities: [.files], isLinked: false)
actor Files {
  private let context: BridgeContext

  init(_ context: BridgeContext) { self.context = context }

  private func open(_ path: String, _ flags: CInt) async throws -> FileDescriptor {
    let path = try SystemPath(of: path)
    return try await context.withDescriptors { try FileDescriptor(opening: path, flags) }
  }

  /// The text of a file, which must be UTF-8, and 512 MB at most.
  @Exported func readText(_ path: String) async throws -> String {
    try await open(path, O_RDONLY).readText()
  }

  /// The lines of a file, which must be UTF-8, without their ends `\n` or `\r\n`: as many in memory as fit into 64 KB.
  @Exported func lines(_ path: String) async throws -> BridgeStream<String> {
    BridgeStream(FileLines(file: try await open(path, O_RDONLY)))
  }

  /// Makes the text the whole of a file, which is made if there is none.
  @Exported(.promise) func writeText(_ path: String, _ text: String) async throws {
    try await open(path, O_WRONLY | O_CREAT | O_TRUNC).writeAll(text)
  }

  /// Adds text to the end of a file, which is made if there is none.
  @Exported(.promise) func appendText(_ path: String, _ text: String) async throws {
    try await open(path, O_WRONLY | O_CREAT | O_APPEND).writeAll(text)
  }

  /// The names in a directory, sorted.
  @Exported func list(_ path: String) async throws -> [String] {
    let path = try SystemPath(of: path)
    return try await context.withDescriptors { try Self.names(in: path) }
  }

  private static func names(in path: SystemPath) throws -> [String] {
    guard let directory = path.pass(to: { opendir($0) }) else { throw FileError(path) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// What a path leads to, symbolic links followed.
  @Exported func stat(_ path: String) throws -> FileStatus { FileStatus(try status(of: SystemPath(of: path))) }

  private func status(of path: SystemPath) throws -> Glibc.stat {
    var status = Glibc.stat()
    guard path.pass(to: { fstatat(AT_FDCWD, $0, &status, 0) }) == 0 else { throw FileError(path) }
    return status
  }

  /// Whether there is anything at a path.
  @Exported func exists(_ path: String) throws -> Bool { try SystemPath(of: path).pass { access($0, F_OK) } == 0 }

  /// Makes a directory, and those above it that are missing; content with one that is there already.
  @Exported(.promise) func makeDirectory(_ path: String) throws {
    let system = try SystemPath(of: path)
    let make = { system.pass { mkdir($0, 0o777) } == 0 }
    if make() { return }
    let failure = errno
    if failure == ENOENT, let slash = path.utf8.dropLast().lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex {
      try makeDirectory(String(path[..<slash]))
      guard make() || errno == EEXIST else { throw FileError(system) }
      return
    }
    guard failure == EEXIST, try stat(path).kind == "directory" else { throw FileError(system, systemError: failure) }
  }

  /// Removes a file, a symbolic link or an empty directory.
  @Exported(.promise) func remove(_ path: String) throws {
    let path = try SystemPath(of: path)
    if path.pass(to: { unlink($0) }) == 0 { return }
    let failure = errno
    guard failure == EISDIR || failure == EPERM else { throw FileError(path, systemError: failure) }
    guard path.pass(to: { rmdir($0) }) == 0 else { throw FileError(path) }
  }

  /// Gives a file or directory another path; takes the place of a file that is there.
  @Exported(.promise) func rename(_ path: String, to newPath: String) throws {
    let (path, newPath) = (try SystemPath(of: path), try SystemPath(of: newPath))
    guard path.pass(to: { path in newPath.pass { Glibc.rename(path, $0) } }) == 0 else { throw FileError(path) }
  }
}

/// What is at a path.
@Record struct FileStatus {
  /// `file`, `directory` or `other`.
  var kind: String
  /// In bytes.
  var size: Int64
  /// Milliseconds since 1970.
  var modified: Double
  /// The permission bits.
  var permissions: Int

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = "file"
    case S_IFDIR: kind = "directory"
    default: kind = "other"
    }
    size = Int64(status.st_size)
    modified = Double(status.st_mtim.tv_sec) * 1000 + Double(status.st_mtim.tv_nsec) / 1_000_000
    permissions = Int(status.st_mode & 0o7777)
  }
}
