import EditorProtocol

/// Where a file is, by whatever name it was opened: an absolute path without links.
///
/// What is kept for a file, such as its journal and its lock, is kept under this. What was typed, "notes.txt", is another file in each
/// folder.
package struct FilePlace: Sendable, Hashable {
  package let path: String

  fileprivate init(_ path: String) { self.path = path }

  package static func == (left: Self, right: Self) -> Bool { left.path.isSamePath(as: right.path) }
}

extension FileSystem {
  /// Where the file is that `path` leads to from the working folder; neither it nor its folder need exist.
  package func place(of path: String) throws(FileError) -> FilePlace {
    let target = try resolvingLinks(path)
    var slash = target.utf8.lastIndex(of: 0x2F)
    while true {
      let folder = slash.map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
      let rest = slash.map { target[target.utf8.index(after: $0)...] } ?? target[...]
      do throws(FileError) {
        let real = try realPath(folder)
        return FilePlace((real == "/" ? "" : real) + "/" + rest)
      } catch {
        guard error.code == .notFound, let end = slash, end != target.startIndex else { throw error.of(path) }
        slash = target[..<end].utf8.lastIndex(of: 0x2F)
      }
    }
  }
}
