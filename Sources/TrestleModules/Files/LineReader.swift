import EventLoop
import Glibc

/// The lines of a file, read piece by piece: in time that grows with its bytes alone, however long its lines are.
struct LineReader {
  private let file: FileDescriptor
  private var bytes: [UInt8] = []
  /// Where the next line starts, and up to where no end of it was found.
  private var (start, searched) = (0, 0)
  private(set) var isAtEnd = false
  /// How many bytes have been looked at or moved, for tests.
  private(set) var work = 0

  init(_ file: FileDescriptor) { self.file = file }

  /// The next of the lines that have been read, with its end, which the last one of the file may lack.
  ///
  /// - Throws: for one that is no text, too, which is passed over.
  mutating func nextOfThoseRead() throws(FileError) -> String? {
    guard let line = peekLine() else { return nil }
    start = line.endIndex
    return try file.text(line)
  }

  /// Takes what was read next; nothing at the end of the file.
  mutating func add(_ chunk: [UInt8]) throws(FileError) {
    dropTakenLines()
    isAtEnd = chunk.isEmpty
    bytes += chunk
    try file.checkLength(bytes.count)
  }

  /// The next line; nil at the end of the file. Waits on the calling thread.
  ///
  /// - Parameter prepare: called before each read; what it throws is thrown, and nothing is lost.
  mutating func next(beforeReading prepare: () throws(FileError) -> Void = {}) throws(FileError) -> String? {
    while true {
      if let line = try nextOfThoseRead() { return line }
      if isAtEnd { return nil }
      try prepare()
      try add(try file.readChunkAtOnce())
    }
  }

  /// As many lines as are there without waiting, and one at least; none at the end of the file.
  mutating func next(
    atMost count: Int, beforeReading prepare: () throws(FileError) -> Void = {}
  ) throws(FileError) -> [String] {
    guard let first = try next(beforeReading: prepare) else { return [] }
    var lines = [first]
    while lines.count < count, let line = peekLine(), let text = try? file.text(line) {
      lines.append(text)
      start = line.endIndex
    }
    return lines
  }

  /// All that is left.
  mutating func rest(beforeReading prepare: () throws(FileError) -> Void = {}) throws(FileError) -> String {
    while !isAtEnd {
      try prepare()
      try add(try file.readChunkAtOnce())
    }
    defer { start = bytes.count }
    return try file.text(bytes[start...])
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
  let file: FileDescriptor

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(file: file, lines: LineReader(file)) }

  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let file: FileDescriptor
    fileprivate var lines: LineReader

    mutating func next() async throws -> String? {
      while true {
        if let line = try lines.nextOfThoseRead() { return line.withoutLineEnd }
        if lines.isAtEnd { return nil }
        try lines.add(try await file.readChunk())
      }
    }
  }
}
