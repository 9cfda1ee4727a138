import Glibc
import Rope

/// Why a file could not be read, saved or recovered. The text in memory is never harmed by it.
package struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// There is no such file.
    case notFound
    /// A directory, FIFO, socket or device: nothing that can be edited.
    case notARegularFile
    /// No right to read or write it.
    case notPermitted
    /// Another program wrote to it while it was read, or since it was last read or saved.
    case changedOnDisk
    /// The folder that a new file was to be in is not there.
    case noFolder
    /// There was such a file when it was last read or saved.
    case vanished
    /// The disk, or the user's share of it, is full.
    case diskFull
    /// There is a file of the name that a new one was to have.
    case exists
    /// A save takes the file's capabilities away, and this user cannot give them back.
    case losesCapabilities
    /// The text has a character that the file's encoding has not, or the bytes are none in the encoding that was asked for.
    case notEncodable
    /// Another xiedit holds it.
    case inUse
    /// Any other failure of the system; `systemError` says which.
    case system
    /// What was read is not a journal of this program, or of a later version.
    case notAJournal
  }

  package let code: Code
  /// What was tried, as the rest of the sentence: "cannot save".
  package let operation: String
  package let path: String
  /// The `errno` value, zero if there is none.
  package let systemError: CInt
  /// What else there is to say, a sentence.
  package let detail: String

  package init(_ code: Code, _ operation: String, path: String, systemError: CInt = 0, detail: String = "") {
    self.code = code
    self.operation = operation
    self.path = path
    self.systemError = systemError
    self.detail = detail
  }

  init(systemError: CInt, _ operation: String, path: String) {
    let code: Code =
      switch systemError {
      case ENOENT, ENOTDIR: .notFound
      case EACCES, EPERM, EROFS: .notPermitted
      case ENOSPC, EDQUOT, EFBIG: .diskFull
      case EEXIST: .exists
      case EISDIR, ENXIO, ELOOP: .notARegularFile
      default: .system
      }
    self.init(code, operation, path: path, systemError: systemError)
  }

  /// Of the file at `path`, if it does not say of which: calls on descriptors know no path.
  func of(_ path: String) -> FileError { self.path.isEmpty ? named(path) : self }

  /// With another name for the file.
  func named(_ path: String) -> FileError {
    FileError(code, operation, path: path, systemError: systemError, detail: detail)
  }

  /// Names the character and its place.
  init(_ error: Unencodable, in text: Rope, path: String) {
    let start = text.range(ofLine: text.line(at: error.offset)).lowerBound
    let column = text.slice(start..<error.offset).summary.codePoints + 1
    let bytes = text.bytes(in: error.offset..<min(error.offset + 4, text.endOffset))
    let length = bytes.withUnsafeBytes { $0.isEmpty ? nil : UTF8Sequence.length(at: 0, in: $0) }
    let what =
      if let length {
        bytes.withUnsafeBytes { bytes in
          let scalar = UTF8Sequence.decode(length, at: 0, in: bytes)
          let digits = String(scalar.value, radix: 16, uppercase: true)
          return "“\(scalar)” (U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits))"
        }
      } else {
        "bytes that are no text"
      }
    let place = "line \(text.line(at: error.offset).value + 1), column \(column)"
    let detail = "\(place): \(error.encoding.rawValue) has no \(what)"
    self.init(.notEncodable, "cannot save", path: path, detail: detail)
  }

  package var description: String {
    let reason = systemError == 0 ? "" : ": " + String(cString: strerror(systemError))
    return "\(operation) \(path)\(reason)" + (detail.isEmpty ? "" : " (\(detail))")
  }
}
