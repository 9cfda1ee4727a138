/// The lines of a file, read piece by piece. Walked once.
struct FileLines: AsyncSequence, Sendable {
  private let reader: LineReader

  init(_ file: sending FileDescriptor, path: String) { reader = LineReader(file, path: path) }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader) }

  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let reader: LineReader
    mutating func next() async throws -> String? { try await reader.next() }
  }
}

private actor LineReader {
  private let file: FileDescriptor
  private let path: String
  private var bytes: [UInt8] = []
  private var start = 0
  private var isAtEnd = false

  init(_ file: sending FileDescriptor, path: String) {
    self.file = file
    self.path = path
  }

  func next() throws(FileError) -> String? {
    var searched = start
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) { return try line(to: end, next: end + 1) }
      if isAtEnd { return start == bytes.count ? nil : try line(to: bytes.count, next: bytes.count) }
      bytes.removeSubrange(..<start)
      (start, searched) = (0, bytes.count)
      let chunk = try file.readChunk()
      isAtEnd = chunk.isEmpty
      bytes += chunk
    }
  }

  private func line(to end: Int, next: Int) throws(FileError) -> String {
    let isCRLF = next > end && end > start && bytes[end - 1] == UInt8(ascii: "\r")
    guard let text = String(validating: bytes[start..<(isCRLF ? end - 1 : end)], as: UTF8.self) else {
      throw FileError(.notText, "not UTF-8 text", path: path)
    }
    start = next
    return text
  }
}
