import Glibc

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
    /// There was such a file when it was last read or saved.
    case vanished
    /// The disk, or the user's share of it, is full.
    case diskFull
    /// There is a file of the name that a new one was to have.
    case exists
    /// A save takes the file's capabilities away, and this user cannot give them back.
    case losesCapabilities
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

  package var description: String {
    let reason = systemError == 0 ? "" : ": " + String(cString: strerror(systemError))
    return "\(operation) \(path)\(reason)" + (detail.isEmpty ? "" : " (\(detail))")
  }
}
