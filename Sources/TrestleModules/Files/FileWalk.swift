import EventLoop
import Glibc
import Trestle

extension FileTree {
  /// All below a folder, folders before what is in them, by name; links are told and not followed. What goes away meanwhile is left out.
  struct Walk: AsyncSequence, Sendable {
    /// Without links where permissions are given: what these lead to is looked for but once.
    let folder: SystemPath
    /// What errors call it.
    let shown: String
    let gate: PermissionGate
    /// All if there is none.
    var selection: Selection?

    func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(
        waiting: [Place(path: folder.name, isRead: true, progress: selection?.start)],
        skipped: folder.text.utf8.count + 1, shown: shown, gate: gate, selection: selection)
    }

    /// A path, and whether what is in that folder is told next, or what is there itself.
    fileprivate struct Place {
      let path: [CChar]
      let isRead: Bool
      /// What the path of the folder has come to in the patterns.
      let progress: Selection.Progress?
    }

    struct AsyncIterator: AsyncIteratorProtocol {
      /// The next one last.
      fileprivate var waiting: [Place]
      /// So many bytes are the folder's that is walked through.
      fileprivate let skipped: Int
      fileprivate let shown: String
      fileprivate let gate: PermissionGate
      fileprivate var selection: Selection?

      mutating func next() async throws -> FileEntry? {
        while let place = waiting.popLast() {
          try Task.checkCancellation()
          do {
            if place.isRead { try read(place) } else if let entry = try entry(place) { return entry }
          } catch let error as PermissionError {
            // What is not to be read is left out, and nobody is asked for it.
            guard isBelow(place.path) else { throw error }
          } catch let error as FileError {
            guard isBelow(place.path), [ENOENT, ENOTDIR, ELOOP].contains(error.systemError) else {
              throw asGiven(error)
            }
          }
        }
        return nil
      }

      private func asGiven(_ error: FileError) -> FileError {
        let rest = String(Substring(error.path.utf8.dropFirst(skipped - 1)))
        return FileError(error.code, error.message, path: shown + rest, systemError: error.systemError)
      }

      private func isBelow(_ path: [CChar]) -> Bool { path.count > skipped }

      private mutating func read(_ place: Place) throws {
        let path = place.path
        let isBelow = isBelow(path)
        let names = try FileTree.reach(path) { folder, rest in
          let directory = try Directory(rest, in: folder, followsLink: !isBelow, shown: path.text)
          // Folders on the way may have become links meanwhile.
          try gate.check(.read, directory.descriptor, shown: path.text)
          return try directory.names()
        }
        let sorted = names.map { (text: $0.text, name: $0) }.sorted { $0.text > $1.text }
        waiting += sorted.map {
          Place(path: path.dropLast() + [47] + $0.name, isRead: false, progress: place.progress)
        }
      }

      /// - Returns: nil for what is not selected.
      private mutating func entry(_ place: Place) throws -> FileEntry? {
        let path = place.path
        let choice = place.progress.flatMap {
          selection?.choose(Array(path[(path.lastIndex(of: 47) ?? 0)...].dropFirst()).text, $0)
        }
        if let choice, !choice.isTold, choice.below == nil { return nil }
        let status = try status(of: path)
        let kind = FileStatus.kind(of: status)
        if kind == "directory", choice == nil || choice?.below != nil {
          waiting.append(Place(path: path, isRead: true, progress: choice?.below))
        }
        guard choice?.isTold != false else { return nil }
        return FileEntry(path: Array(path.dropFirst(skipped)).text, kind: kind, size: Int64(status.st_size))
      }

      private func status(of path: [CChar]) throws -> stat {
        try FileTree.reach(path) { folder, rest in
          guard gate.isOpen else {
            // As above.
            let place = try FileTree.folder(of: rest, in: folder, shown: path.text)
            defer { close(place.descriptor) }
            try gate.check(.read, place.descriptor, shown: path.text)
            return try FileTree.status(of: place.name, in: place.descriptor, path)
          }
          return try FileTree.status(of: rest, in: folder, path)
        }
      }
    }
  }

  private static func status(of name: [CChar], in folder: CInt, _ path: [CChar]) throws(FileError) -> stat {
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw FileError(path: path.text) }
    return status
  }

  /// The folder that a path ends in, open.
  private static func folder(
    of path: [CChar], in folder: CInt, shown: String
  ) throws(FileError) -> (descriptor: CInt, name: [CChar]) {
    let slash = path.lastIndex(of: 47)
    let above: [CChar] = slash.map { path[..<max($0, 1)] + [0] } ?? [46, 0]
    guard DescriptorReserve.hasRoom else { throw FileError(path: shown, systemError: EMFILE) }
    let descriptor = openat(folder, above, LinuxFile.pathOnly | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(path: shown) }
    return (descriptor, Array(path[(slash.map { $0 + 1 } ?? 0)...]))
  }

  /// What is told of all that is below a folder.
  struct Selection: Sendable {
    /// Paths of these, but for those of `ignored` and all below them.
    var wanted: GlobPattern
    var ignored: GlobPattern

    /// What the path of a folder has come to in the patterns.
    struct Progress {
      let wanted: [Int]
      let ignored: [Int]
    }

    var start: Progress { Progress(wanted: wanted.start, ignored: ignored.start) }

    /// - Parameter name: of what is in the folder.
    /// - Returns: whether it is told, and what it has come to if it is a folder; nil there if nothing below it is told.
    mutating func choose(_ name: String, _ progress: Progress) -> (isTold: Bool, below: Progress?) {
      let ignored = self.ignored.places(behind: name, from: progress.ignored)
      if self.ignored.isEnd(ignored) { return (false, nil) }
      let wanted = self.wanted.places(behind: name, from: progress.wanted)
      let below = Progress(
        wanted: self.wanted.places(behind: "/", from: wanted), ignored: self.ignored.places(behind: "/", from: ignored))
      return (self.wanted.isEnd(wanted), below.wanted.isEmpty ? nil : below)
    }
  }

  /// Goes down a path that is longer than the system takes at once.
  ///
  /// - Parameter body: is given a folder, and what is left of the path from there.
  private static func reach<Result>(
    _ path: [CChar], _ body: (CInt, [CChar]) throws -> Result
  ) throws -> Result {
    var (folder, rest) = (AT_FDCWD, path)
    defer { if folder != AT_FDCWD { close(folder) } }
    while rest.count > Int(PATH_MAX) {
      guard let slash = rest[..<Int(PATH_MAX)].lastIndex(of: 47), slash > 0 else {
        throw FileError(path: path.text, systemError: ENAMETOOLONG)
      }
      guard DescriptorReserve.hasRoom else { throw FileError(path: path.text, systemError: EMFILE) }
      let below = openat(folder, rest[..<slash] + [0], O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard below >= 0 else { throw FileError(path: path.text) }
      if folder != AT_FDCWD { close(folder) }
      (folder, rest) = (below, Array(rest[(slash + 1)...]))
    }
    return try body(folder, rest)
  }
}
