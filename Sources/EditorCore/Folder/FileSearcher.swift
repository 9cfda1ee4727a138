import EditorProtocol
import Glibc
import Rope

/// Finds the lines of files in which a pattern has matches. For one thread.
final class FileSearcher {
  /// Of a file so much is searched at once, or one line, if that is longer.
  private static let pieceByteCount = 1 << 20
  /// A line that is longer, or a file for a pattern of several lines, is not searched any further.
  private static let largestPiece = 256 << 20
  /// A file with a NUL so near its start is no text.
  private static let probeByteCount = 8 << 10
  /// A larger file is not converted.
  private static let largestConverted = 64 << 20

  private let finder: SearchPattern.Finder
  private let isMultiline: Bool
  /// It has the same bytes in nearly all encodings.
  private let isASCII: Bool
  private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)

  /// - Parameter progress: As of ``SearchPattern/matches(in:_:_:progress:)``.
  init(
    _ pattern: SearchPattern, on thread: RegularExpression.OwnThread, progress: @escaping SearchPattern.Progress
  ) throws(RegularExpression.Failure) {
    finder = try pattern.finder(.long(thread), from: ByteOffset(0), progress: progress)
    (isMultiline, isASCII) = (pattern.isMultiline, pattern.isASCII)
  }

  deinit { buffer.deallocate() }

  /// None for what cannot be read, and for what is no text.
  func lines(inFile file: String, of path: String) throws(RegularExpression.Failure) -> [FoundLine] {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var found = LineFinds(path: path)
    var (kept, isFirst, left) = (0, true, Self.searchedByteCount(of: descriptor))
    while true {
      let count = read(descriptor, atMost: left)
      left -= max(count, 0)
      guard count >= 0 else { return found.lines }
      let isEnd = count == 0
      let filled = kept + count
      if isFirst, isEncoded(UnsafeRawBufferPointer(rebasing: buffer[..<filled])), let text = Self.text(of: file) {
        return try lines(in: text, of: path)
      }
      if isFirst, let base = buffer.baseAddress, memchr(base, 0, min(filled, Self.probeByteCount)) != nil { return [] }
      if count > 0 { isFirst = false }
      // What is complete.
      let end = isEnd ? filled : isMultiline ? 0 : UnsafeRawBufferPointer(buffer).lineStart(before: filled)
      if end > 0 { try search(UnsafeRawBufferPointer(rebasing: buffer[..<end]), &found) }
      if isEnd || finder.isStopped { return found.lines }
      kept = filled - end
      if end > 0 { found.pass(UnsafeRawBufferPointer(rebasing: buffer[..<end])) }
      if end > 0, kept > 0, let base = buffer.baseAddress { memmove(base, base + end, kept) }
      guard makeRoom(behind: kept) else { return found.lines }
      place = kept
    }
  }

  /// Whether a file that begins so has to be converted first: UTF-16 says it at its start. In Shift JIS and GB 18030 a letter may be half a
  /// character, and places are counted in characters. One with a NUL is no text, as a rule, and not worth a reading of all of it for a
  /// pattern that it would have in the same bytes.
  private func isEncoded(_ head: UnsafeRawBufferPointer) -> Bool {
    if head.count >= 2, head[0] ^ head[1] == 1, head[0] >= 0xFE { return true }
    let hasNUL = head.baseAddress.map { memchr($0, 0, min(head.count, Self.probeByteCount)) != nil } ?? false
    if isASCII, hasNUL { return false }
    return String(validating: head.dropLast(Self.unfinishedByteCount(of: head)), as: UTF8.self) == nil
  }

  /// Of a last character that goes on behind the end.
  private static func unfinishedByteCount(of head: UnsafeRawBufferPointer) -> Int {
    guard let count = head.suffix(4).reversed().firstIndex(where: { $0 & 0xC0 != 0x80 })?.base,
      case let start = count - 1, head[start] >= 0xC0
    else { return 0 }
    let needed = head[start] >= 0xF0 ? 4 : head[start] >= 0xE0 ? 3 : 2
    return head.count - start < needed ? head.count - start : 0
  }

  /// As it would be opened; nil for what is UTF-8 all the same, or no text.
  private static func text(of file: String) -> Rope? {
    guard let reader = try? FileReader(file, system: LinuxFileSystem()), reader.status.size <= largestConverted,
      let bytes = try? reader.readAll()
    else { return nil }
    let (image, text) = FileImage.split(bytes)
    return image.encoding.isUTF8 ? nil : text
  }

  func lines(in text: Rope, of path: String) throws(RegularExpression.Failure) -> [FoundLine] {
    var found = LineFinds(path: path)
    let bytes = text.bytes(in: text.fullRange)
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(RegularExpression.Failure) in try search(bytes, &found) }
    }
    try result.get()
    return found.lines
  }

  /// Where in the buffer the next bytes go.
  private var place = 0

  /// What is written while it is read is left out: a log that grows as fast as it is searched would have no end.
  private static func searchedByteCount(of descriptor: CInt) -> Int {
    var status = stat()
    // Files of the system's own tell none.
    return fstat(descriptor, &status) == 0 && status.st_size > 0 ? status.st_size : .max
  }

  /// - Returns: How many bytes were read; 0 at the end, less where it fails.
  private func read(_ descriptor: CInt, atMost limit: Int) -> Int {
    defer { place = 0 }
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress.map { $0 + place }, min(buffer.count - place, limit))
      if count >= 0 || errno != EINTR { return count }
    }
  }

  private func makeRoom(behind kept: Int) -> Bool {
    guard kept > buffer.count / 2 else { return true }
    guard buffer.count < Self.largestPiece else { return false }
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: buffer.count * 2, alignment: 16)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<kept]))
    buffer.deallocate()
    buffer = larger
    return true
  }

  private func search(_ bytes: UnsafeRawBufferPointer, _ found: inout LineFinds) throws(RegularExpression.Failure) {
    try finder.search(bytes, startingAt: ByteOffset(0))
    for match in finder.takeMatches() {
      found.add(match.range.lowerBound.value..<match.range.upperBound.value, in: bytes)
    }
  }
}

/// What was found in a file, line by line.
private struct LineFinds {
  /// Of a line, in bytes: before its first match, and in all.
  private static let (textBefore, longestText) = (80, 240)

  let path: String
  private(set) var lines: [FoundLine] = []
  /// Of the piece: lines before it, those before `counted`, and where the last line that was found ends.
  private var (linesBefore, linesCounted, counted, lineEnd) = (0, 0, 0, 0)
  private var textStart = 0
  private var textEnd = 0

  init(path: String) { self.path = path }

  mutating func add(_ match: Range<Int>, in bytes: UnsafeRawBufferPointer) {
    if match.lowerBound < lineEnd, let last = lines.indices.last {
      let end = min(match.upperBound, textEnd)
      if match.lowerBound < end, lines[last].marks.count < 32 {
        lines[last].marks.append(match.lowerBound - textStart..<end - textStart)
      }
      return
    }
    count(upTo: match.lowerBound, in: bytes)
    guard let base = bytes.baseAddress else { return }
    let start = bytes.lineStart(before: match.lowerBound)
    let after = memchr(base + match.lowerBound, 0x0A, bytes.count - match.lowerBound)
    let end = after.map { UnsafeRawPointer($0) - base } ?? bytes.count
    lineEnd = end + 1
    textStart = max(start, match.lowerBound - Self.textBefore)
    while textStart < match.lowerBound,
      [0x20, 0x09].contains(bytes[textStart]) || UTF8.isContinuation(bytes[textStart])
    {
      textStart += 1
    }
    textEnd = min(end, textStart + Self.longestText)
    while textEnd < end, textEnd > textStart, UTF8.isContinuation(bytes[textEnd]) { textEnd -= 1 }
    if textEnd > textStart, bytes[textEnd - 1] == 0x0D { textEnd -= 1 }
    let text = String(decoding: UnsafeRawBufferPointer(rebasing: bytes[textStart..<textEnd]), as: UTF8.self)
    let head = String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<match.lowerBound]), as: UTF8.self)
    let markEnd = max(min(match.upperBound, textEnd), match.lowerBound)
    lines.append(
      FoundLine(
        path: path, line: linesBefore + linesCounted, character: head.count, text: text,
        marks: [match.lowerBound - textStart..<markEnd - textStart]))
  }

  /// The next piece is behind this one.
  mutating func pass(_ bytes: UnsafeRawBufferPointer) {
    count(upTo: bytes.count, in: bytes)
    (linesBefore, linesCounted, counted, lineEnd) = (linesBefore + linesCounted, 0, 0, 0)
  }

  private mutating func count(upTo end: Int, in bytes: UnsafeRawBufferPointer) {
    var lineCount = 0
    for byte in bytes[counted..<max(end, counted)] where byte == 0x0A { lineCount += 1 }
    (linesCounted, counted) = (linesCounted + lineCount, max(end, counted))
  }
}

extension UTF8 {
  fileprivate static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}

extension UnsafeRawBufferPointer {
  /// Behind the last line end before `count`; 0 without one.
  func lineStart(before count: Int) -> Int {
    var start = count
    while start > 0, self[start - 1] != 0x0A { start -= 1 }
    return start
  }
}
