import CSQLite
import Trestle

/// Why something could not be done with a database.
public struct SQLiteError: CodedError, Sendable, CustomStringConvertible {
  /// What JavaScript sees as `error.code`.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The SQL, or what it asks for, is wrong.
    public static let sql = Code(rawValue: "ERR_SQL")
    public static let argument = Code(rawValue: "ERR_ARGUMENT")
    /// What the tables demand does not hold.
    public static let constraint = Code(rawValue: "ERR_CONSTRAINT")
    /// Somebody else is at work on the database, and was waited for in vain.
    public static let busy = Code(rawValue: "ERR_BUSY")
    public static let notFound = Code(rawValue: "ERR_NOT_FOUND")
    public static let notPermitted = Code(rawValue: "ERR_NOT_PERMITTED")
    /// The file is no database, or a damaged one.
    public static let notDatabase = Code(rawValue: "ERR_NOT_DATABASE")
    /// A text in it is not UTF-8.
    public static let notText = Code(rawValue: "ERR_NOT_TEXT")
    /// Longer, or more, than may be.
    public static let limit = Code(rawValue: "ERR_LIMIT")
    public static let cancelled = Code(rawValue: "ERR_CANCELLED")
    public static let closed = Code(rawValue: "ERR_CLOSED")
    /// Any other failure of the disk or the system; the message says which.
    public static let system = Code(rawValue: "ERR_SYSTEM")
  }

  public let code: Code
  public let message: String
  /// Of the database.
  public let path: String
  /// SQLite's own name of what has happened, such as `SQLITE_CONSTRAINT_UNIQUE`.
  public var sqliteCode: String?
  /// Where in the SQL, from 1 on, where that is known; the column in UTF-16 units.
  public var sqlLine: Int?
  public var sqlColumn: Int?

  init(_ code: Code, _ message: String, path: String) {
    (self.code, self.message, self.path) = (code, message, path)
  }

  public var bridgeCode: String { code.rawValue }

  public var description: String {
    let place = sqlLine.flatMap { line in sqlColumn.map { " (line \(line), column \($0))" } } ?? ""
    return "\(path): \(message)\(place)"
  }
}

extension SQLiteError {
  /// - Parameters:
  ///   - result: what SQLite has returned, extended.
  ///   - offset: in the bytes of the SQL, if it is known.
  init(result: CInt, _ message: String, path: String, sql: String = "", offset: Int? = nil) {
    self.init(Code(result: result), message, path: path)
    sqliteCode = Self.names[result] ?? Self.names[result & 0xFF]
    guard let offset, offset >= 0, offset <= sql.utf8.count else { return }
    let before = sql.utf8.prefix(offset)
    sqlLine = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map(before.index(after:)) ?? before.startIndex
    sqlColumn = sql.utf16.distance(from: start, to: before.endIndex) + 1
  }

  private static let names: [CInt: String] = [
    SQLITE_ERROR: "SQLITE_ERROR", SQLITE_INTERNAL: "SQLITE_INTERNAL", SQLITE_PERM: "SQLITE_PERM",
    SQLITE_ABORT: "SQLITE_ABORT", SQLITE_BUSY: "SQLITE_BUSY", SQLITE_LOCKED: "SQLITE_LOCKED",
    SQLITE_NOMEM: "SQLITE_NOMEM", SQLITE_READONLY: "SQLITE_READONLY", SQLITE_INTERRUPT: "SQLITE_INTERRUPT",
    SQLITE_IOERR: "SQLITE_IOERR", SQLITE_CORRUPT: "SQLITE_CORRUPT", SQLITE_NOTFOUND: "SQLITE_NOTFOUND",
    SQLITE_FULL: "SQLITE_FULL", SQLITE_CANTOPEN: "SQLITE_CANTOPEN", SQLITE_PROTOCOL: "SQLITE_PROTOCOL",
    SQLITE_SCHEMA: "SQLITE_SCHEMA", SQLITE_TOOBIG: "SQLITE_TOOBIG", SQLITE_CONSTRAINT: "SQLITE_CONSTRAINT",
    SQLITE_MISMATCH: "SQLITE_MISMATCH", SQLITE_MISUSE: "SQLITE_MISUSE", SQLITE_AUTH: "SQLITE_AUTH",
    SQLITE_RANGE: "SQLITE_RANGE", SQLITE_NOTADB: "SQLITE_NOTADB",
    // The extended ones, which the importer does not read.
    19 | 1 << 8: "SQLITE_CONSTRAINT_CHECK", 19 | 3 << 8: "SQLITE_CONSTRAINT_FOREIGNKEY",
    19 | 5 << 8: "SQLITE_CONSTRAINT_NOTNULL", 19 | 6 << 8: "SQLITE_CONSTRAINT_PRIMARYKEY",
    19 | 7 << 8: "SQLITE_CONSTRAINT_TRIGGER", 19 | 8 << 8: "SQLITE_CONSTRAINT_UNIQUE",
    19 | 10 << 8: "SQLITE_CONSTRAINT_ROWID", 19 | 12 << 8: "SQLITE_CONSTRAINT_DATATYPE",
    5 | 2 << 8: "SQLITE_BUSY_SNAPSHOT", 4 | 2 << 8: "SQLITE_ABORT_ROLLBACK",
  ]
}

extension SQLiteError.Code {
  fileprivate init(result: CInt) {
    switch result & 0xFF {
    case SQLITE_CONSTRAINT: self = .constraint
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
    case SQLITE_AUTH, SQLITE_PERM, SQLITE_READONLY: self = .notPermitted
    case SQLITE_NOTADB, SQLITE_CORRUPT: self = .notDatabase
    case SQLITE_TOOBIG, SQLITE_NOMEM, SQLITE_FULL: self = .limit
    case SQLITE_INTERRUPT: self = .cancelled
    case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_PROTOCOL: self = .system
    default: self = .sql
    }
  }
}
