import Glibc
import Rope

/// Reads a file piece by piece, and notices when it changes meanwhile.
///
/// It copies, and never maps: a mapped file that shrinks kills the process. Not thread-safe; closes the file when released. The loop reads
/// by it what opens at once; what is longer, or may be on a disk that does not answer, is for another thread.
package final class FileReader {
  /// As fast as any larger, and small beside the text.
  package static let pieceByteCount = 1 << 18

  package let path: String
  /// The file when it was opened; no more of it is read.
  package let status: FileStatus
  /// How many bytes have been read.
  package private(set) var offset = 0
  private let system: any FileSystem
  private let descriptor: CInt
  private var hash = ContentHash()
  private var buffer: [UInt8]
  /// More was put behind what there was when it was opened, as programs do with their logs.
  package private(set) var hasGrown = false
  /// How many bytes there are; nil until the end has come, where a file says it is empty: in `/proc` those that hold something say so, too.
  private var byteCount: Int?

  /// Opens `path`. Refuses what is not a regular file, without waiting for the other end of a FIFO.
  ///
  /// - Parameter expected: The file as it was when it was read before: it may have grown, and is read so far.
  package init(
    _ path: String, system: any FileSystem, pieceByteCount: Int = FileReader.pieceByteCount,
    continuing expected: FileStatus? = nil
  ) throws(FileError) {
    self.path = path
    self.system = system
    let descriptor = try system.open(path, O_RDONLY | O_NONBLOCK, mode: 0)
    do throws(FileError) {
      let status = try system.status(of: descriptor)
      guard status.kind == .regular else {
        let detail = status.kind == .directory ? "it is a directory" : "it is not a regular file"
        throw FileError(.notARegularFile, "cannot open", path: path, detail: detail)
      }
      guard expected.map(status.hasGrown(from:)) ?? true else {
        throw FileError(.changedOnDisk, "cannot go on reading", path: path, detail: "another program wrote to it")
      }
      self.descriptor = descriptor
      self.status = expected ?? status
      // No more than the file needs: the pages are the process's from then on.
      byteCount = self.status.size > 0 ? self.status.size : nil
      buffer = [UInt8](repeating: 0, count: min(byteCount ?? 4096, pieceByteCount))
    } catch {
      system.close(descriptor)
      throw error
    }
  }

  deinit { system.close(descriptor) }

  package var isAtEnd: Bool { offset == byteCount }
  /// The hash of what has been read.
  package var contentHash: UInt64 { hash.value }

  /// Appends the next piece, up to 256 KB, to `builder`. False at the end of the file.
  package func readPiece(into builder: inout Rope.Builder) throws(FileError) -> Bool {
    try readPiece { builder.append($0) }
  }

  /// Reads the next piece for its hash alone.
  func skipPiece() throws(FileError) -> Bool { try readPiece { _ in } }

  private func readPiece(_ take: (UnsafeRawBufferPointer) -> Void) throws(FileError) -> Bool {
    let wanted = min(buffer.count, byteCount.map { $0 - offset } ?? buffer.count)
    if wanted == 0 {
      try compareStatus()
      if hasGrown { try compareContents() }
      return false
    }
    var count = 0
    while count < wanted {
      let read = try readMore(from: count, to: wanted, at: offset + count)
      if read == 0 {
        guard byteCount == nil else { throw changed("it ends after \(offset + count) of \(status.size) bytes") }
        byteCount = offset + count
        break
      }
      count += read
    }
    try compareStatus()
    if count == 0 { return false }
    buffer.withUnsafeBytes { bytes in
      let piece = UnsafeRawBufferPointer(rebasing: bytes[..<count])
      hash.update(piece)
      take(piece)
    }
    offset += count
    return true
  }

  /// All that is left.
  package func readAll() throws(FileError) -> Rope {
    var builder = Rope.Builder()
    while try readPiece(into: &builder) {}
    return builder.finish()
  }

  private func readMore(from start: Int, to end: Int, at offset: Int) throws(FileError) -> Int {
    let (system, descriptor) = (system, descriptor)
    do throws(FileError) {
      return try buffer.withUnsafeMutableBufferPointer { bytes throws(FileError) in
        try system.read(
          descriptor, into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: bytes[start..<end])),
          at: offset)
      }
    } catch {
      throw FileError(error.code, error.operation, path: path, systemError: error.systemError, detail: error.detail)
    }
  }

  private func compareStatus() throws(FileError) {
    let now = try system.status(of: descriptor)
    guard !now.hasSameContents(as: status) else { return }
    if byteCount != nil, now.hasGrown(from: status) { return hasGrown = true }
    if now.size < status.size {
      throw changed("it shrank from \(status.size) to \(now.size) bytes; \(offset) had been read")
    }
    throw changed("it was written to after it was opened; \(offset) of \(status.size) bytes had been read")
  }

  /// What was read before the file grew is there still, or it was written anew.
  private func compareContents() throws(FileError) {
    var (again, position) = (ContentHash(), 0)
    while position < offset {
      let count = try readMore(from: 0, to: min(buffer.count, offset - position), at: position)
      guard count > 0 else { break }
      buffer.withUnsafeBytes { again.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      position += count
    }
    if again.value != contentHash { throw changed("it was written anew") }
  }

  private func changed(_ detail: String) -> FileError {
    FileError(.changedOnDisk, "cannot read all of", path: path, detail: detail)
  }
}
