import EventLoop
import Glibc

extension FileTree {
  /// All below a folder, folders before what is in them, by name; links are told and not followed. What goes away meanwhile is left out.
  struct Walk: AsyncSequence, Sendable {
    let folder: SystemPath

    func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(waiting: [Place(path: folder.name, isRead: true)], skipped: folder.text.utf8.count + 1)
    }

    /// A path, and whether what is in that folder is told next, or what is there itself.
    fileprivate struct Place {
      let path: [CChar]
      let isRead: Bool
    }

    struct AsyncIterator: AsyncIteratorProtocol {
      /// The next one last.
      fileprivate var waiting: [Place]
      /// So many bytes are the folder's that is walked through.
      fileprivate let skipped: Int

      mutating func next() async throws -> FileEntry? {
        while let place = waiting.popLast() {
          do throws(FileError) {
            if place.isRead { try read(place.path) } else { return try entry(place.path) }
          } catch {
            guard isBelow(place.path), [ENOENT, ENOTDIR, ELOOP].contains(error.systemError) else { throw error }
          }
        }
        return nil
      }

      private func isBelow(_ path: [CChar]) -> Bool { path.count > skipped }

      private mutating func read(_ path: [CChar]) throws(FileError) {
        let isBelow = isBelow(path)
        let names = try FileTree.reach(path) { (folder, rest) throws(FileError) in
          try Directory(rest, in: folder, followsLink: !isBelow, shown: path.text).names()
        }
        let sorted = names.map { (text: $0.text, name: $0) }.sorted { $0.text > $1.text }
        waiting += sorted.map { Place(path: path.dropLast() + [47] + $0.name, isRead: false) }
      }

      private mutating func entry(_ path: [CChar]) throws(FileError) -> FileEntry {
        var status = stat()
        try FileTree.reach(path) { (folder, rest) throws(FileError) in
          guard fstatat(folder, rest, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw FileError(path: path.text) }
        }
        let kind = FileStatus.kind(of: status)
        if kind == "directory" { waiting.append(Place(path: path, isRead: true)) }
        return FileEntry(path: Array(path.dropFirst(skipped)).text, kind: kind, size: Int64(status.st_size))
      }
    }
  }

  /// Goes down a path that is longer than the system takes at once.
  ///
  /// - Parameter body: is given a folder, and what is left of the path from there.
  private static func reach<Result>(
    _ path: [CChar], _ body: (CInt, [CChar]) throws(FileError) -> Result
  ) throws(FileError) -> Result {
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
