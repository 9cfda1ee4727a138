/// Paths as the system takes them, by their bytes. Two strings that are equal may name two files, and a slash with a combining mark behind
/// it is no `Character` of its own.
extension String {
  private static let slash = UInt8(ascii: "/")

  package func isSamePath(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  package var isAbsolutePath: Bool { utf8.first == Self.slash }

  /// What is before its last slash; nil where there is none.
  package var pathFolder: String? {
    guard let slash = utf8.lastIndex(of: Self.slash) else { return nil }
    return slash == startIndex ? "/" : String(self[..<slash])
  }

  /// Its last part; all of it where there is none, as of the root.
  package var pathName: String {
    utf8.split(separator: Self.slash).last.map { String(decoding: $0, as: UTF8.self) } ?? self
  }

  /// All up to its last slash, and with it; what was typed behind it may begin a name.
  package var pathStart: Substring {
    utf8.lastIndex(of: Self.slash).map { self[..<utf8.index(after: $0)] } ?? ""
  }
}
