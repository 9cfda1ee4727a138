import Rope

/// How a document and the bytes of its file correspond: what the one has and the other has not.
///
/// It is made where a file is read, or saved, and kept with the file's version (``FileVersion``). Text and bytes are had from each
/// other by it alone, so that whoever speaks of places in the one cannot mistake them for places in the other.
package struct FileImage: Sendable, Hashable {
  /// The three bytes that may stand before UTF-8.
  package var hasByteOrderMark = false
  /// The line end that a save has put behind a last line without one. As in xi it is the file's alone: the document, its carets
  /// and its undo steps do not change by a save.
  package var addedEnd = ""

  package static let byteOrderMark: Rope = "\u{FEFF}"

  package init() {}

  /// The image of what a file holds, and its text. O(log n).
  package static func split(_ bytes: Rope) -> (image: FileImage, text: Rope) {
    var image = FileImage()
    image.hasByteOrderMark = bytes.byteCount >= 3 && bytes.slice(0..<3) == byteOrderMark
    return (image, image.text(of: bytes) ?? bytes)
  }

  /// Nil when bytes of this image look otherwise.
  package func text(of bytes: Rope) -> Rope? {
    var text = bytes
    if hasByteOrderMark {
      guard text.byteCount >= 3, text.slice(0..<3) == FileImage.byteOrderMark else { return nil }
      text.remove(0..<3)
    }
    let end = Rope(addedEnd)
    guard text.byteCount >= end.byteCount, text.slice((text.endOffset - end.byteCount)..<text.endOffset) == end else {
      return nil
    }
    text.remove((text.endOffset - end.byteCount)..<text.endOffset)
    return text
  }

  package func bytes(of text: Rope) -> Rope {
    var bytes = text
    bytes.append(Rope(addedEnd))
    if hasByteOrderMark { bytes.insert(FileImage.byteOrderMark, at: 0) }
    return bytes
  }
}

/// A file as it was when it was read or written.
package struct FileVersion: Sendable, Hashable {
  /// Nil when there was none.
  package var status: FileStatus?
  /// Of what has been read: a file that is being loaded holds more.
  package var contents: ContentIdentity
  package var image: FileImage

  package init(status: FileStatus?, contents: ContentIdentity, image: FileImage) {
    (self.status, self.contents, self.image) = (status, contents, image)
  }

  /// That of no file.
  static let none = FileVersion(status: nil, contents: ContentIdentity(of: Rope()), image: FileImage())
}

/// What was read of a file.
package struct FileContents: Sendable {
  package var bytes: Rope
  package var version: FileVersion

  package init(bytes: Rope, version: FileVersion) { (self.bytes, self.version) = (bytes, version) }

  /// All that `reader` has read.
  init(_ bytes: Rope, from reader: FileReader) {
    let identity = ContentIdentity(size: reader.offset, hash: reader.contentHash)
    self.init(
      bytes: bytes,
      version: FileVersion(status: reader.status, contents: identity, image: FileImage.split(bytes).image))
  }

  /// Of no file.
  static let none = FileContents(bytes: Rope(), version: .none)
}
