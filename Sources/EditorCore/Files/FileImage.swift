import EditorProtocol
import Rope

/// How a document and the bytes of its file correspond: what the one has and the other has not.
///
/// It is made where a file is read, or saved, and kept with the file's version (``FileVersion``). Text and bytes are had from each
/// other by it alone, so that whoever speaks of places in the one cannot mistake them for places in the other.
package struct FileImage: Sendable, Hashable {
  /// Bytes that are no text in any encoding are a text in UTF-8 that is not valid.
  package var encoding = TextEncoding.utf8
  /// The line end that a save has put behind a last line without one. As in xi it is the file's alone: the document, its carets
  /// and its undo steps do not change by a save.
  package var addedEnd = ""

  package init(_ encoding: TextEncoding = .utf8) { self.encoding = encoding }

  /// The image of what a file holds, and its text. O(log n) for UTF-8, else O(n).
  package static func split(_ bytes: Rope) -> (image: FileImage, text: Rope) {
    let marked = EncodingDetection.marked(bytes)
    let isUTF8 = marked.isUTF8 && (marked == .utf8WithMark || bytes.isValidUTF8)
    let candidates: [TextEncoding] =
      if !marked.isUTF8 {
        [marked]
      } else if isUTF8 {
        marked == .utf8 ? EncodingDetection.utf16ByZeros(bytes).map { [$0] } ?? [] : []
      } else {
        EncodingDetection(bytes).candidates
      }
    for encoding in candidates {
      guard let text = FileImage(encoding).exactText(of: bytes) else { continue }
      // A mark says what it is, whatever else is in it.
      if encoding == marked || encoding.extendsASCII || !text.hasControls {
        return (FileImage(encoding), text)
      }
    }
    let image = FileImage(marked.isUTF8 ? marked : .utf8)
    return (image, image.text(of: bytes) ?? bytes)
  }

  /// The text of a file that was written anew: in the encoding that it had, if it may be that.
  package static func split(_ bytes: Rope, formerly image: FileImage) -> (image: FileImage, text: Rope) {
    let encoding = image.encoding
    let isDecided = bytes.isValidUTF8 && !bytes.summary.isASCII
    if !encoding.isUTF8, encoding.extendsASCII, !isDecided, let text = FileImage(encoding).exactText(of: bytes) {
      return (FileImage(encoding), text)
    }
    return split(bytes)
  }

  /// A file as a text in that encoding, with a mark if it has one.
  static func split(
    _ bytes: Rope, in encoding: TextEncoding, path: String
  ) throws(FileError) -> (image: FileImage, text: Rope) {
    let marked = EncodingDetection.marked(bytes)
    let image = FileImage(marked.withoutMark == encoding.withoutMark ? marked : encoding.withoutMark)
    if let text = image.exactText(of: bytes) { return (image, text) }
    throw FileError(.notEncodable, "cannot read", path: path, detail: "it is no text in \(encoding.rawValue)")
  }

  /// Nil when bytes of this image look otherwise.
  package func text(of bytes: Rope) -> Rope? {
    let (mark, end) = (encoding.byteOrderMark, Rope(addedEnd))
    guard mark.isEmpty || bytes.starts(with: mark),
      var text = encoding.decode(bytes.slice(mark.endOffset..<bytes.endOffset)),
      text.byteCount >= end.byteCount, text.slice((text.endOffset - end.byteCount)..<text.endOffset) == end
    else { return nil }
    text.remove((text.endOffset - end.byteCount)..<text.endOffset)
    return text
  }

  /// The text that gives the same bytes back.
  func exactText(of bytes: Rope) -> Rope? {
    guard let text = text(of: bytes) else { return nil }
    return (try? self.bytes(of: text)) == bytes ? text : nil
  }

  package func bytes(of text: Rope) throws(Unencodable) -> Rope {
    var document = text
    document.append(Rope(addedEnd))
    var bytes = encoding.byteOrderMark
    bytes.append(try encoding.encode(document))
    return bytes
  }

  // MARK: Files of which the beginning is there

  /// What is longer, and not UTF-8, is read by the loader.
  static let largestAtOnce = 1 << 16

  static func isSplitAtOnce(_ bytes: Rope) -> Bool {
    bytes.byteCount <= largestAtOnce || bytes.isValidUTF8 && EncodingDetection.utf16ByZeros(bytes) == nil
  }

  /// What is the text of these bytes, and whatever may follow: all of UTF-8, what is ASCII of most others.
  static func certainText(ofBeginning bytes: Rope) -> Rope {
    let marked = EncodingDetection.marked(bytes)
    guard marked.isUTF8, marked == .utf8WithMark || EncodingDetection.utf16ByZeros(bytes) == nil else { return Rope() }
    let start = marked.byteOrderMark.endOffset
    let unfinished = bytes.withBytes(in: max(start, bytes.endOffset - 3)..<bytes.endOffset) {
      UTF8Sequence.unfinishedSuffix(of: $0)
    }
    let text = bytes.slice(start..<bytes.endOffset)
    let finished = text.slice(0..<(text.endOffset - unfinished))
    if finished.isValidUTF8 { return finished }
    let detection = EncodingDetection(bytes)
    if marked == .utf8WithMark || detection.isBinary || detection.isMostlyUTF8 { return text }
    return text.slice(0..<text.asciiPrefix)
  }

  /// All of a file whose text begins with `certain`.
  static func split(_ bytes: Rope, beginningWith certain: Rope) -> (image: FileImage, text: Rope) {
    let (image, text) = split(bytes)
    if image.encoding.isUTF8 || certain.isEmpty || text.starts(with: certain) { return (image, text) }
    return (FileImage(), bytes)
  }
}

extension Rope {
  /// At the beginning, but for those of lines and pages.
  fileprivate var hasControls: Bool {
    bytes(in: 0..<min(4096, endOffset)).contains { $0 < 0x20 && !(0x08...0x0D).contains($0) && $0 != 0x1B }
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
    self.init(bytes, of: FileImage.split(bytes).image, from: reader)
  }

  init(_ bytes: Rope, of image: FileImage, from reader: FileReader) {
    let identity = ContentIdentity(size: reader.offset, hash: reader.contentHash)
    self.init(bytes: bytes, version: FileVersion(status: reader.status, contents: identity, image: image))
  }

  /// Of the beginning of a file, which is in UTF-8 as far as its text is certain.
  init(beginning bytes: Rope, from reader: FileReader) {
    let marked = EncodingDetection.marked(bytes)
    self.init(
      bytes: bytes,
      version: FileVersion(
        status: reader.status, contents: ContentIdentity(of: bytes), image: FileImage(marked.isUTF8 ? marked : .utf8)))
  }

  /// Of no file.
  static let none = FileContents(bytes: Rope(), version: .none)
}
