import EventLoop
import Glibc
import Trestle

/// Where a script's path leads: a folder, and a name in it.
///
/// Where permissions are given the folder is open and was found to be one that may be used: whatever becomes of the path meanwhile, what is
/// done by folder and name is done there, as long as no link is followed. Otherwise the name is the whole path, from the working folder.
final class FilePlace: Sendable {
  let folder: CInt
  let name: [CChar]
  /// What errors call it.
  let shown: String
  /// Where it is, without links; nil where nothing is refused.
  let real: String?
  private let gate: PermissionGate

  fileprivate init(folder: CInt, name: [CChar], real: String?, shown: String, _ gate: PermissionGate) {
    (self.folder, self.name, self.real, self.shown, self.gate) = (folder, name, real, shown, gate)
  }

  /// One that anybody may use.
  convenience init(_ path: SystemPath) {
    self.init(folder: AT_FDCWD, name: path.name, real: nil, shown: path.text, .open)
  }

  /// One of ours in a folder that stays open elsewhere.
  ///
  /// - Returns: nil if there is no descriptor for it.
  convenience init?(_ name: String, in folder: CInt, shown: String) {
    let own = fcntl(folder, F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else { return nil }
    self.init(folder: own, name: Array(name.utf8CString), real: nil, shown: shown, .open)
  }

  /// Another name in the same folder, for what is ours alone.
  func beside(_ name: String) throws(FileError) -> FilePlace {
    let folder = isPinned ? fcntl(self.folder, F_DUPFD_CLOEXEC, 0) : self.folder
    guard folder >= 0 || !isPinned else { throw error() }
    return FilePlace(folder: folder, name: Array(name.utf8CString), real: real, shown: shown, gate)
  }

  deinit { if folder >= 0 { close(folder) } }

  /// Links at its end were followed already.
  var isPinned: Bool { folder >= 0 }
  /// For calls that follow a link otherwise.
  var followFlag: CInt { isPinned ? AT_SYMLINK_NOFOLLOW : 0 }

  /// Whether it is the same name in the same folder.
  func isSame(as other: FilePlace) -> Bool {
    var (status, otherStatus) = (stat(), stat())
    return name == other.name && fstat(folder, &status) == 0 && fstat(other.folder, &otherStatus) == 0
      && (status.st_dev, status.st_ino) == (otherStatus.st_dev, otherStatus.st_ino)
  }

  func error(_ systemError: CInt = errno) -> FileError { FileError(path: shown, systemError: systemError) }

  /// Opens what is there.
  ///
  /// - Returns: -1 if that fails; `errno` says why.
  func open(_ flags: CInt, permissions: mode_t = 0) -> CInt {
    openat(folder, name, flags | (isPinned ? O_NOFOLLOW : 0) | O_CLOEXEC, permissions)
  }

  /// The same for a file that is the script's then.
  func openFile(_ flags: CInt, permissions: mode_t) throws -> CInt {
    let descriptor = open(flags, permissions: permissions)
    guard descriptor >= 0 else { return descriptor }
    do { try checkKernelFile(descriptor, flags & O_ACCMODE == O_RDONLY ? .read : .write) } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  func status(followsLink: Bool) throws(FileError) -> stat {
    var status = stat()
    guard fstatat(folder, name, &status, followsLink ? followFlag : AT_SYMLINK_NOFOLLOW) == 0 else { throw error() }
    return status
  }

  /// For who copies a link, or moves one to where it leads elsewhere.
  func checkMayMakeLinks() throws(PermissionError) { try gate.checkMayMakeLinks() }

  /// Of a file or folder that is open, at this place or below it: what is mounted there may be the kernel's, and not what was granted.
  func checkKernelFile(_ descriptor: CInt, _ kind: Permissions.Kind) throws {
    guard isPinned, KernelFiles.contain(descriptor) else { return }
    try gate.check(kind, descriptor, shown: shown)
  }
}

extension PermissionGate {
  /// Paths that lead through several that are asked for one after the other.
  private static let mostQuestions = 8

  /// - Parameters:
  ///   - kinds: what is done there.
  ///   - followsLink: the place of what a link at the end leads to.
  func place(
    of path: SystemPath, for kinds: Permissions.Kind..., followsLink: Bool = true
  ) throws -> FilePlace {
    try place(of: path, kinds, followsLink: followsLink)
  }

  func place(of path: SystemPath, _ kinds: [Permissions.Kind], followsLink: Bool) throws -> FilePlace {
    guard !isOpen else { return FilePlace(path) }
    guard DescriptorReserve.hasRoom else { throw FileError(path, systemError: EMFILE) }
    for _ in 0..<Self.mostQuestions {
      var search = PlaceSearch(self, path, kinds, followsLink: followsLink)
      if let place = search.findAtOnce() { return place }
      do { return try search.find() } catch let refusal as PlaceSearch.Refusal {
        do throws(PermissionError) { try demand(refusal.request) } catch {
          throw self.error(PermissionRequest(refusal.request.kind, told(path.text, as: refusal.request.subject)))
        }
      }
    }
    throw FileError(.notPermitted, "leads elsewhere all the time", path: path.text)
  }

  /// What a script is told of a path: what it has written itself, where nobody tells it the working folder.
  func told(_ written: String, as path: String) -> String {
    guard written.utf8.first != UInt8(ascii: "/"), !covers(.read, FileModuleLoader.normalized(".")) else { return path }
    return written
  }

  /// Of a file that is open, wherever it was come to by, or of a name in a folder that is.
  func check(_ kind: Permissions.Kind, _ descriptor: CInt, name: [CChar]? = nil, shown: String) throws {
    guard !isOpen else { return }
    guard let path = OpenPath.real(of: descriptor) else {
      throw FileError(.notPermitted, "nobody can tell where it is", path: shown)
    }
    let place = name.map {
      (path == "/" ? "" : path) + "/" + String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    guard covers(kind, place ?? path, isOfKernel: KernelFiles.contain(descriptor)) else {
      throw error(PermissionRequest(kind, told(shown, as: FileModuleLoader.normalized(shown))))
    }
  }
}

/// Finds where a path leads by what is open, step by step: what is looked at is what is used then.
private struct PlaceSearch {
  /// Nobody grants to look there.
  struct Refusal: Error {
    let request: PermissionRequest
  }

  private let gate: PermissionGate
  private let kinds: [Permissions.Kind]
  private let path: SystemPath
  private let followsLink: Bool
  /// Links that follow each other, as Linux has it.
  private var linksLeft = 40

  init(_ gate: PermissionGate, _ path: SystemPath, _ kinds: [Permissions.Kind], followsLink: Bool) {
    (self.gate, self.path, self.kinds, self.followsLink) = (gate, path, kinds, followsLink)
  }

  /// The names of a path, without what stands for no step.
  private static func names(of path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.filter { $0 != "." }
  }

  // MARK: By the system

  /// Where the system's own way leads to what may be used, which is nearly always: a few calls more. It goes by no link and no `..`, which
  /// would tell of folders that only lie on it.
  mutating func findAtOnce() -> FilePlace? {
    guard !path.text.utf8.isEmpty, path.text.utf8.last != UInt8(ascii: "/") else { return nil }
    let slash = path.text.utf8.lastIndex(of: UInt8(ascii: "/"))
    let name = slash.map { String(path.text[path.text.utf8.index(after: $0)...]) } ?? path.text
    guard name != ".", name != ".." else { return nil }
    let head = slash.map { $0 == path.text.startIndex ? "/" : String(path.text[..<$0]) } ?? "."
    guard !path.text.utf8.split(separator: UInt8(ascii: "/")).contains(where: { $0.elementsEqual("..".utf8) }),
      let folder = SearchFolder(head), let place = folder.place(of: name),
      folder.real?.utf8.elementsEqual(FileModuleLoader.normalized(head).utf8) == true
    else { return nil }
    guard kinds.allSatisfy({ gate.covers($0, place, isOfKernel: folder.isOfKernel) }),
      !followsLink || folder.target(of: name) == nil
    else { return nil }
    return FilePlace(folder: folder.take(), name: Array(name.utf8CString), real: place, shown: path.text, gate)
  }

  // MARK: Step by step

  /// What stands at a path's end says that it leads to a folder.
  private struct Ending {
    /// A slash.
    var needsFolder = false
    /// A dot of its own: the way goes into the folder.
    var entersFolder = false

    init(_ path: String) {
      needsFolder = path.utf8.last == UInt8(ascii: "/")
      entersFolder =
        path.utf8.split(separator: UInt8(ascii: "/")).last.map { $0.elementsEqual(".".utf8) } ?? false
    }
  }

  /// - Throws: a `Refusal` before anything is told of what may not be looked at; ``FileError``.
  mutating func find() throws -> FilePlace {
    guard !path.text.isEmpty else { throw FileError(path, systemError: ENOENT) }
    var folder = try start(path.text)
    // The next one last.
    var left = Array(Self.names(of: path.text).reversed())
    var ending = Ending(path.text)
    while let name = left.popLast() {
      if name == ".." {
        folder = try enter("..", in: folder)
        continue
      }
      guard let place = folder.place(of: name) else { throw FileError(path, systemError: EACCES) }
      let isLast = left.isEmpty && !ending.entersFolder
      try checkLook(at: place, left.reversed())
      // As the system has it: what changes nothing follows a link that a slash stands behind.
      let followsLast = followsLink || ending.needsFolder && kinds == [.read]
      if let target = folder.target(of: name), !isLast || followsLast {
        linksLeft -= 1
        guard linksLeft > 0 else { throw FileError(path, systemError: ELOOP) }
        guard let target = String(validating: target, as: UTF8.self) else { throw FileError(path, systemError: EILSEQ) }
        if target.utf8.first == UInt8(ascii: "/") { folder = try start("/") }
        if left.isEmpty {
          let other = Ending(target)
          ending.needsFolder = ending.needsFolder || other.needsFolder
          ending.entersFolder = ending.entersFolder || other.entersFolder
        }
        left += Self.names(of: target).reversed()
        continue
      }
      guard isLast else {
        folder = try enter(name, in: folder)
        continue
      }
      try checkUse(of: place, folder.isOfKernel)
      if ending.needsFolder {
        var status = stat()
        if fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT != S_IFDIR {
          throw FileError(path, systemError: ENOTDIR)
        }
      }
      return FilePlace(folder: folder.take(), name: Array(name.utf8CString), real: place, shown: path.text, gate)
    }
    // The path has ended with the folder itself.
    guard let place = folder.real else { throw FileError(path, systemError: EACCES) }
    try checkUse(of: place, folder.isOfKernel)
    return FilePlace(folder: folder.take(), name: [46, 0], real: place, shown: path.text, gate)
  }

  private func start(_ path: String) throws -> SearchFolder {
    guard let folder = SearchFolder(path.utf8.first == UInt8(ascii: "/") ? "/" : ".") else {
      throw FileError(self.path)
    }
    return folder
  }

  private func enter(_ name: String, in folder: SearchFolder) throws -> SearchFolder {
    guard let below = SearchFolder(name, in: folder.descriptor) else { throw FileError(path) }
    return below
  }

  private func checkLook(at place: String, _ rest: some Collection<String>) throws(Refusal) {
    for kind in kinds where !gate.mayLook(kind, at: place) && !gate.covers(.read, place) {
      // Where the way goes up again what lies below is another.
      let path = ([place] + (rest.contains("..") ? [] : Array(rest))).joined(separator: "/")
      throw Refusal(request: PermissionRequest(kind, FileModuleLoader.normalized(path)))
    }
  }

  private func checkUse(of place: String, _ isOfKernel: Bool) throws(Refusal) {
    for kind in kinds where !gate.covers(kind, place, isOfKernel: isOfKernel) {
      throw Refusal(request: PermissionRequest(kind, place))
    }
  }
}

/// A folder on the way of a search.
private final class SearchFolder {
  private(set) var descriptor: CInt
  /// Where it is, without links; nil if nobody can tell.
  let real: String?
  let isOfKernel: Bool

  /// Links are followed.
  convenience init?(_ path: String) {
    self.init(open(path, LinuxFile.pathOnly | O_DIRECTORY | O_CLOEXEC))
  }

  /// One in another, by its name, which is no link.
  convenience init?(_ name: String, in folder: CInt) {
    self.init(openat(folder, name, LinuxFile.pathOnly | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
  }

  private init?(_ descriptor: CInt) {
    guard descriptor >= 0 else { return nil }
    (self.descriptor, real, isOfKernel) = (descriptor, OpenPath.real(of: descriptor), KernelFiles.contain(descriptor))
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The path of a name in it.
  func place(of name: String) -> String? {
    real.map { ($0 == "/" ? "" : $0) + "/" + name }
  }

  /// Where a link leads that is in it; nil if there is none.
  func target(of name: String) -> [UInt8]? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlinkat(descriptor, name, &buffer, buffer.count)
    return count < 0 ? nil : buffer[..<count].map { UInt8(bitPattern: $0) }
  }

  /// It is somebody else's to close from here on.
  func take() -> CInt {
    defer { descriptor = -1 }
    return descriptor
  }
}
