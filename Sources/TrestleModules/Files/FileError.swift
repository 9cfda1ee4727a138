import EventLoop
import Glibc
import Trestle

/// Why something could not be done with a file.
public struct FileError: SystemError, Sendable, CustomStringConvertible {
  /// What JavaScript sees as `error.code`.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let notFound = Code(rawValue: "ERR_NOT_FOUND")
    public static let exists = Code(rawValue: "ERR_EXISTS")
    public static let notPermitted = Code(rawValue: "ERR_NOT_PERMITTED")
    public static let isDirectory = Code(rawValue: "ERR_IS_DIRECTORY")
    public static let notDirectory = Code(rawValue: "ERR_NOT_DIRECTORY")
    public static let notEmpty = Code(rawValue: "ERR_NOT_EMPTY")
    /// A file that was to be read as text is not UTF-8.
    public static let notText = Code(rawValue: "ERR_NOT_TEXT")
    /// More than one string holds.
    public static let limit = Code(rawValue: "ERR_LIMIT")
    /// A text that is no path, as it has a NUL character, or another argument that no file can have.
    public static let notPath = Code(rawValue: "ERR_ARGUMENT")
    /// It was closed before.
    public static let closed = Code(rawValue: "ERR_CLOSED")
    /// Nobody wants it any more. Scripts do not see it.
    static let stopped = Code(rawValue: "")
    /// Any other failure of the system; the message says which.
    public static let system = Code(rawValue: "ERR_SYSTEM")
  }

  public let code: Code
  public let message: String
  public let path: String
  package let systemError: CInt

  init(_ code: Code, _ message: String, path: String, systemError: CInt = 0) {
    self.code = code
    self.message = message
    self.path = path
    self.systemError = systemError
  }

  /// Of what the last system call failed with.
  init(path: String, systemError: CInt = errno) {
    let message = String(cString: strerror(systemError))
    self.init(Code(systemError: systemError), message, path: path, systemError: systemError)
  }

  init(_ path: SystemPath, systemError: CInt = errno) { self.init(path: path.text, systemError: systemError) }

  public var description: String { "\(path): \(message)" }
}

extension SystemPath {
  init(of text: String) throws(FileError) {
    guard let path = SystemPath(text) else { throw FileError(.notPath, Self.problem, path: text) }
    self = path
  }

  init(of path: WellFormedString) throws(FileError) { self = try SystemPath(of: path.text) }
}

extension SystemPath {
  /// When what is there was changed last, in seconds since 1970.
  var modified: Int? {
    var status = stat()
    return pass { stat($0, &status) } == 0 ? status.st_mtim.tv_sec : nil
  }
}

extension FileError.Code {
  fileprivate init(systemError: CInt) {
    switch systemError {
    case ENOENT: self = .notFound
    case EEXIST: self = .exists
    case EACCES, EPERM, EROFS: self = .notPermitted
    case EISDIR: self = .isDirectory
    case ENOTDIR: self = .notDirectory
    case ENOTEMPTY: self = .notEmpty
    default: self = .system
    }
  }
}
