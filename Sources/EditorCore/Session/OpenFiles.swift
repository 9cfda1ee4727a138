/// The open documents by what their files are found by. O(1), however many they are.
struct OpenFiles {
  private enum Key: Hashable {
    /// Its bytes: two strings that look the same may be names of two files.
    case path([UInt8])
    case place(FilePlace)
    case number(device: UInt64, inode: UInt64)
  }

  private var documents: [Key: [Document]] = [:]

  /// Those whose files were opened by that path.
  func opened(as path: String) -> [Document] { documents[.path(Array(path.utf8))] ?? [] }

  func documents(at place: FilePlace) -> [Document] { documents[.place(place)] ?? [] }

  /// Those whose files had the number that this one has.
  func documents(of file: FileStatus) -> [Document] {
    documents[.number(device: file.device, inode: file.inode)] ?? []
  }

  /// - Parameters:
  ///   - old: Of its file; nil for a document that is opened.
  ///   - new: Nil for one that is closed.
  mutating func change(_ document: Document, from old: DocumentFile?, to new: DocumentFile?) {
    let (before, after) = (Self.keys(of: old), Self.keys(of: new))
    for key in before.subtracting(after) {
      documents[key]?.removeAll { $0 === document }
      if documents[key]?.isEmpty == true { documents[key] = nil }
    }
    for key in after.subtracting(before) { documents[key, default: []].append(document) }
  }

  private static func keys(of file: DocumentFile?) -> Set<Key> {
    guard let file, let path = file.path else { return [] }
    var keys: Set<Key> = [.path(Array(path.utf8))]
    if let place = file.place { keys.insert(.place(place)) }
    if let status = file.version.status { keys.insert(.number(device: status.device, inode: status.inode)) }
    return keys
  }
}
