import EventLoop
import Glibc
import Trestle

extension ModuleSelection {
  /// Files and directories, for bridges that are granted `Capability.files`.
  public static let files = ModuleSelection.definitions([Files.moduleDefinition])
}

/// Files and directories. Its calls run one after the other, away from the JavaScript thread; one that waits for a pipe, a terminal
/// or a device, or for a descriptor where none is left, lets the others go first, and so does one that copies or removes much.
@NativeModule(capabilities: [.files], isLinked: false)
actor Files: InvalidatableModule {
  private let context: BridgeContext
  private var temporary: [String] = []
  private let openFiles = OpenFiles()

  init(_ context: BridgeContext) { self.context = context }

  /// Every path that a script gives comes to its place here.
  private func place(
    of path: WellFormedString, for kinds: Permissions.Kind..., followsLink: Bool = true
  ) throws -> FilePlace {
    try context.permissions.place(of: SystemPath(of: path), kinds, followsLink: followsLink)
  }

  /// The place of what goes, or makes way for something else, or may become a link: what was granted stays what it was, as a later run
  /// follows what stands in its place.
  private func entry(of path: WellFormedString, for kinds: Permissions.Kind...) throws -> FilePlace {
    let place = try context.permissions.place(of: SystemPath(of: path), kinds, followsLink: false)
    if let real = place.real {
      try context.permissions.checkHoldsNoGrant(real)
      try context.permissions.check(.write, path: FileModuleLoader.parent(of: real))
    }
    return place
  }

  private func open(
    _ path: WellFormedString, _ flags: CInt, permissions: Int = 0o666
  ) async throws -> FileDescriptor {
    let (path, gate) = (try SystemPath(of: path), context.permissions)
    return try await context.withDescriptors {
      try FileDescriptor(opening: path, flags, permissions: permissions, through: gate)
    }
  }

  /// The text of a file, which must be UTF-8, and 512 MB at most.
  @Exported func readText(_ path: WellFormedString) async throws -> String {
    try await open(path, O_RDONLY).readText()
  }

  /// The lines of a file, which must be UTF-8, without their ends `\n` or `\r\n`: as many in memory as fit into 64 KB.
  @Exported func lines(_ path: WellFormedString) async throws -> BridgeStream<String> {
    BridgeStream(FileLines(file: try await open(path, O_RDONLY)))
  }

  /// The bytes of a file: 512 MB at most.
  @Exported func readBytes(_ path: WellFormedString) async throws -> [UInt8] {
    try await open(path, O_RDONLY).readAll()
  }

  /// The bytes of a file, piece by piece.
  @Exported func bytes(_ path: WellFormedString) async throws -> BridgeStream<[UInt8]> {
    BridgeStream(FileChunks(file: try await open(path, O_RDONLY)), ahead: 4)
  }

  /// Makes the text the whole of a file, which is made if there is none.
  @Exported(.promise) func writeText(_ path: WellFormedString, _ text: WellFormedString) async throws {
    try await open(path, O_WRONLY | O_CREAT | O_TRUNC).writeAll(text.text)
  }

  @Exported(.promise) func writeBytes(_ path: WellFormedString, _ bytes: [UInt8]) async throws {
    try await open(path, O_WRONLY | O_CREAT | O_TRUNC).writeAll(bytes)
  }

  @Exported(.promise) func appendBytes(_ path: WellFormedString, _ bytes: [UInt8]) async throws {
    try await open(path, O_WRONLY | O_CREAT | O_APPEND).writeAll(bytes)
  }

  /// Makes the text the whole of a file at once: whoever reads it, also after a loss of power, finds the old text or the new one. The
  /// permissions of a file that is there stay, and its owner where the process may give it.
  @Exported(.promise) func replaceText(_ path: WellFormedString, _ text: WellFormedString) async throws {
    try await replace(path) { try await $0.writeAll(text.text) }
  }

  @Exported(.promise) func replaceBytes(_ path: WellFormedString, _ bytes: [UInt8]) async throws {
    try await replace(path) { try await $0.writeAll(bytes) }
  }

  private func replace(_ path: WellFormedString, _ write: (FileDescriptor) async throws -> Void) async throws {
    let gate = context.permissions
    let replacement = try await context.withDescriptors {
      try FileReplacement(of: gate.place(of: SystemPath(of: path), for: .write))
    }
    do {
      try await write(replacement.file)
      try replacement.finish()
    } catch {
      replacement.giveUp()
      throw error
    }
  }

  /// Adds text to the end of a file, which is made if there is none.
  @Exported(.promise) func appendText(_ path: WellFormedString, _ text: WellFormedString) async throws {
    try await open(path, O_WRONLY | O_CREAT | O_APPEND).writeAll(text.text)
  }

  /// Opens a file, to read and write where one wants.
  @Exported func open(_ path: WellFormedString, options: OpenOptions = OpenOptions()) async throws -> OpenFile {
    let mode = options.mode ?? .read
    if let permissions = options.permissions { try Self.check(permissions, path.text) }
    let file = try await open(path, mode.flags, permissions: options.permissions ?? 0o666)
    try file.checkPlaces()
    return try openFiles.add(file, mode)
  }

  /// The names in a directory, sorted.
  @Exported func list(_ path: WellFormedString) async throws -> [String] {
    let (path, gate) = (try SystemPath(of: path), context.permissions)
    return try await context.withDescriptors { try Self.names(in: gate.place(of: path, for: .read)) }
  }

  private static func names(in place: FilePlace) throws -> [String] {
    let directory = try Directory(of: place, followsLink: true)
    try place.checkKernelFile(directory.descriptor, .read)
    return try directory.names().map(\.text).sorted()
  }

  /// What a path leads to, symbolic links followed.
  @Exported func stat(_ path: WellFormedString) throws -> FileStatus {
    FileStatus(try place(of: path, for: .read).status(followsLink: true))
  }

  /// Whether there is anything at a path.
  @Exported func exists(_ path: WellFormedString) throws -> Bool {
    do {
      let place = try place(of: path, for: .read)
      return faccessat(place.folder, place.name, F_OK, place.followFlag) == 0
    } catch let error as FileError where ![0, EMFILE].contains(error.systemError) { return false }
  }

  /// Makes a directory, and those above it that are missing; content with one that is there already.
  @Exported(.promise) func makeDirectory(_ path: WellFormedString) throws {
    do { try make(path) } catch let error as FileError where error.code == .notFound {
      guard let slash = path.text.utf8.dropLast().lastIndex(of: UInt8(ascii: "/")), slash != path.text.startIndex else {
        throw error
      }
      try makeDirectory(WellFormedString(String(path.text[..<slash])))
      do { try make(path) } catch let error as FileError where error.code == .exists {}
    } catch let error as FileError where error.code == .exists {
      let status = try place(of: path, for: .write).status(followsLink: true)
      guard status.st_mode & S_IFMT == S_IFDIR else { throw error }
    }
  }

  private func make(_ path: WellFormedString) throws {
    let place = try place(of: path, for: .write, followsLink: false)
    guard mkdirat(place.folder, place.name, 0o777) == 0 else { throw place.error() }
  }

  /// Removes a file, a symbolic link or an empty directory.
  @Exported(.promise) func remove(_ path: WellFormedString) throws {
    let place = try entry(of: path, for: .write)
    if unlinkat(place.folder, place.name, 0) == 0 { return }
    let failure = errno
    guard failure == EISDIR || failure == EPERM else { throw place.error(failure) }
    guard unlinkat(place.folder, place.name, AT_REMOVEDIR) == 0 else { throw place.error() }
  }

  /// Removes what is at a path, and all below it; links are removed, not followed. Nothing at that path is no error; what ends with
  /// `.` or `..` is refused.
  @Exported(.promise) func removeAll(_ path: WellFormedString) async throws {
    try FileTree.checkIsRemoved(SystemPath(of: path))
    let place: FilePlace
    do { place = try entry(of: path, for: .write) } catch let error as FileError
      where error.code == .notFound
    { return }
    try await FileTree.removeInTurns(place)
  }

  /// Copies a file, a symbolic link, or a directory with all below it, with permissions and times, and owners where it may. There
  /// must be nothing at the new path.
  @Exported(.promise) func copy(_ path: WellFormedString, to newPath: WellFormedString) async throws {
    try await FileTree.copy(
      place(of: path, for: .read, followsLink: false), to: entry(of: newPath, for: .write))
  }

  /// All below a directory, by name, each directory before what is in it. Links are told, and not followed.
  @Exported func walk(_ path: WellFormedString) throws -> BridgeStream<FileEntry> { try walk(path, selecting: nil) }

  /// What is below a folder and fits one of the patterns, in the order of `walk`.
  @Exported func glob(
    _ patterns: [WellFormedString], options: GlobOptions = GlobOptions()
  ) throws -> BridgeStream<FileEntry> {
    let selection = FileTree.Selection(
      wanted: try GlobPattern(patterns.map(\.text), findsHidden: options.hidden),
      ignored: try GlobPattern((options.ignore ?? []).map(\.text), findsHidden: true))
    return try walk(options.folder ?? WellFormedString("."), selecting: selection)
  }

  /// What becomes of what is in a folder, or of a file, from now on.
  @Exported func watch(
    _ path: WellFormedString, options: WatchOptions = WatchOptions()
  ) async throws -> BridgeStream<FileChange> {
    let (path, gate) = (try SystemPath(of: path), context.permissions)
    let tree = try await context.withDescriptors {
      try WatchedTree(path, isRecursive: options.recursive, through: gate)
    }
    // Until the script asks they wait in the kernel's queue, and are told as one then.
    return BridgeStream(FileChanges(tree: tree), ahead: 0)
  }

  private func walk(
    _ path: WellFormedString, selecting selection: FileTree.Selection?
  ) throws -> BridgeStream<FileEntry> {
    let place = try place(of: path, for: .read)
    let status = try place.status(followsLink: true)
    guard status.st_mode & S_IFMT == S_IFDIR else { throw place.error(ENOTDIR) }
    return BridgeStream(
      FileTree.Walk(
        folder: try SystemPath(of: place.real ?? path.text), shown: path.text, gate: context.permissions,
        selection: selection))
  }

  /// What is at a path itself, be it a symbolic link.
  @Exported func linkStatus(_ path: WellFormedString) throws -> FileStatus {
    FileStatus(try place(of: path, for: .read, followsLink: false).status(followsLink: false))
  }

  /// Makes a symbolic link at a path.
  @Exported(.promise) func makeLink(_ path: WellFormedString, to target: WellFormedString) throws {
    let (place, target) = (try place(of: path, for: .write, followsLink: false), try SystemPath(of: target))
    // Permissions of a later run may follow it.
    try context.permissions.checkMayMakeLinks()
    guard target.pass(to: { symlinkat($0, place.folder, place.name) }) == 0 else { throw place.error() }
  }

  /// Where a symbolic link leads.
  @Exported func linkTarget(_ path: WellFormedString) throws -> String {
    let place = try place(of: path, for: .read, followsLink: false)
    return try FileTree.target(of: place.name, in: place.folder, shown: place.shown)
  }

  /// The path of a file or directory without links, `.` and `..`.
  @Exported func realPath(_ path: WellFormedString) throws -> String {
    let place = try place(of: path, for: .read)
    if let real = place.real {
      _ = try place.status(followsLink: true)
      return real
    }
    let path = try SystemPath(of: path)
    guard let real = path.pass(to: { realpath($0, nil) }) else { throw FileError(path) }
    defer { free(real) }
    return String(cString: real)
  }

  /// - Parameter permissions: the bits, such as `0o644`.
  @Exported(.promise) func setPermissions(_ path: WellFormedString, _ permissions: Int) throws {
    try Self.check(permissions, path.text)
    let place = try place(of: path, for: .write)
    guard place.isPinned else {
      guard fchmodat(place.folder, place.name, mode_t(permissions), 0) == 0 else { throw place.error() }
      return
    }
    // No call does this and follows no link on all systems.
    let file = place.open(LinuxFile.pathOnly)
    guard file >= 0 else { throw place.error() }
    defer { close(file) }
    var status = Glibc.stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT != S_IFLNK else { throw place.error(ELOOP) }
    guard chmod("/proc/self/fd/\(file)", mode_t(permissions)) == 0 else { throw place.error() }
  }

  private static func check(_ permissions: Int, _ path: String) throws(FileError) {
    guard (0...0o7777).contains(permissions) else {
      throw FileError(.notPath, "permissions are 0 to 0o7777, got \(permissions)", path: path)
    }
  }

  /// `UTIME_OMIT`, which Glibc's module leaves out: a time that stays.
  private static let omitted = (1 << 30) - 2

  /// - Parameter modified: milliseconds since 1970.
  @Exported(.promise) func setModified(_ path: WellFormedString, _ modified: Double) throws {
    guard modified.magnitude < 8.64e15 else {
      throw FileError(.notPath, "no time that a file can have", path: path.text)
    }
    let place = try place(of: path, for: .write)
    let seconds = (modified / 1000).rounded(.down)
    let time = timespec(tv_sec: Int(seconds), tv_nsec: Int((modified - seconds * 1000) * 1_000_000))
    let times = [timespec(tv_sec: 0, tv_nsec: Self.omitted), time]
    guard utimensat(place.folder, place.name, times, place.followFlag) == 0 else { throw place.error() }
    // Beyond what it can keep a file system takes another time, and does not say so; some keep every other second only.
    guard let taken = try? place.status(followsLink: true).st_mtim.tv_sec, abs(taken - time.tv_sec) <= 2 else {
      throw FileError(.notPath, "no time that its file system can keep", path: path.text)
    }
  }

  /// Who may not see the variable is not told what it says.
  private func temporaryPlace(_ folder: String) throws -> FilePlace {
    do { return try place(of: WellFormedString(folder), for: .write) } catch let error as PermissionError {
      guard getenv("TMPDIR") != nil, !context.permissions.covers(.environment, name: "TMPDIR") else { throw error }
      throw context.permissions.error(PermissionRequest(.write, "$TMPDIR"))
    }
  }

  /// Makes an empty directory for what is not kept: it goes, with all that is in it, when the bridge closes.
  @Exported(.promise) func makeTemporaryDirectory() throws -> String {
    let folder = getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    let path = try TemporaryDirectories.make(in: temporaryPlace(folder))
    temporary.append(path)
    return path
  }

  func invalidate() {
    openFiles.closeAll()
    for path in temporary { TemporaryDirectories.remove(path) }
  }

  /// Gives a file or directory another path; takes the place of a file that is there.
  @Exported(.promise) func rename(_ path: WellFormedString, to newPath: WellFormedString) async throws {
    // It could be read at its new path.
    let place = try entry(of: path, for: .read, .write)
    let newPlace = try entry(of: newPath, for: .write)
    if !context.permissions.mayMakeLinks, try await FileTree.hasLink(place) { try place.checkMayMakeLinks() }
    guard renameat(place.folder, place.name, newPlace.folder, newPlace.name) == 0 else { throw place.error() }
  }
}

/// What is at a path.
@Record struct FileStatus {
  /// `file`, `directory`, `link` or `other`.
  var kind: String
  /// In bytes.
  var size: Int64
  /// Milliseconds since 1970.
  var modified: Double
  /// The permission bits.
  var permissions: Int

  init(_ status: stat) {
    kind = Self.kind(of: status)
    size = Int64(status.st_size)
    modified = Double(status.st_mtim.tv_sec) * 1000 + Double(status.st_mtim.tv_nsec) / 1_000_000
    permissions = Int(status.st_mode & 0o7777)
  }

  static func kind(of status: stat) -> String {
    switch status.st_mode & S_IFMT {
    case S_IFREG: "file"
    case S_IFDIR: "directory"
    case S_IFLNK: "link"
    default: "other"
    }
  }
}

/// Where `glob` looks, and what it leaves out.
@Record struct GlobOptions {
  /// The working directory if nothing else is said.
  var folder: WellFormedString?
  /// Patterns of what is left out, and all that is below it.
  var ignore: [WellFormedString]?
  /// Signs fit a dot at the start of a name, too.
  var hidden = false

  init() {}
}

/// What `walk` and `glob` find.
@Record struct FileEntry {
  /// From the directory that is walked through.
  var path: String
  /// `file`, `directory`, `link` or `other`.
  var kind: String
  /// In bytes.
  var size: Int64
}
