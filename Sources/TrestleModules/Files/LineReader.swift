import EventLoop
import Glibc

/// The lines of a file, read piece by piece: in time that grows with its bytes alone, however long its lines are.
struct LineReader {
  private let file: FileDescriptor
  private var bytes: [UInt8] = []
  /// Where the next line starts, and up to where no end of it was found.
  private var (start, searched) = (0, 0)
  private var isAtEnd = false
  /// How many bytes have been looked at or moved, for tests.
  private(set) var work = 0

  init(_ file: FileDescriptor) { self.file = file }

  /// The next line with its end, which the last one may lack; nil at the end of the file.
  ///
  /// - Throws: for one that is no text, too, which is passed over.
  mutating func next() throws(FileError) -> String? {
    while true {
      if let line = takeLine() { return try file.text(line) }
      if isAtEnd { return nil }
      dropTakenLines()
      let chunk = try file.readChunk()
      isAtEnd = chunk.isEmpty
      bytes += chunk
    }
  }

  /// As many lines as are there without waiting, and one at least; none at the end of the file.
  mutating func next(atMost count: Int) throws(FileError) -> [String] {
    guard let first = try next() else { return [] }
    var lines = [first]
    while lines.count < count, let line = peekLine(), let text = try? file.text(line) {
      lines.append(text)
      start = line.endIndex
    }
    return lines
  }

  /// All that is left.
  mutating func rest() throws(FileError) -> String {
    let left = Array(bytes[start...])
    (bytes, start, searched, isAtEnd) = ([], 0, 0, true)
    return try file.readText(after: left)
  }

  private mutating func takeLine() -> ArraySlice<UInt8>? {
    guard let line = peekLine() else { return nil }
    start = line.endIndex
    return line
  }

  private mutating func peekLine() -> ArraySlice<UInt8>? {
    searched = max(searched, start)
    let end = bytes.withUnsafeBytes { bytes -> Int? in
      guard searched < bytes.count, let base = bytes.baseAddress else { return nil }
      let found = memchr(base + searched, CInt(UInt8(ascii: "\n")), bytes.count - searched)
      return found.map { UnsafeRawPointer($0) - base }
    }
    work += (end ?? bytes.count) - searched
    searched = end ?? bytes.count
    if let end { return bytes[start...end] }
    return isAtEnd && start < bytes.count ? bytes[start...] : nil
  }

  private mutating func dropTakenLines() {
    guard start > 0 else { return }
    work += bytes.count - start
    bytes.removeSubrange(..<start)
    (start, searched) = (0, searched - start)
  }
}

extension String {
  /// A line without its end `\n` or `\r\n`.
  var withoutLineEnd: String {
    guard utf8.last == UInt8(ascii: "\n") else { return self }
    let line = utf8.dropLast()
    return String(line.last == UInt8(ascii: "\r") ? line.dropLast() : line) ?? self
  }
}

/// The lines of a file without their ends. Walked once.
struct FileLines: AsyncSequence, Sendable {
  private let lines: Lock<LineReader>

  init(_ file: sending FileDescriptor) { lines = Lock(LineReader(file)) }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(lines: lines) }

  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let lines: Lock<LineReader>
    mutating func next() async throws -> String? { try lines.withLock { try $0.next()?.withoutLineEnd } }
  }
}
