import CSQLite
import Trestle

/// A statement that SQLite has made of some SQL. Where its connection is at work.
struct SQLStatement {
  let handle: OpaquePointer
  let sql: String
  /// It begins or ends a transaction, attaches something or the like: it is looked at anew each time.
  let isKept: Bool
}

extension SQLiteConnection {
  /// So many are kept for the next time, of so much SQL, in bytes.
  private static let (mostKept, longestKept) = (64, 1 << 14)

  /// The one statement of some SQL: of those that are kept, or a new one.
  func statement(_ sql: String) throws -> SQLStatement {
    if let kept = statements.removeValue(forKey: sql) { return SQLStatement(handle: kept, sql: sql, isKept: true) }
    guard let (statement, end) = try prepare(sql, from: 0) else {
      throw SQLiteError(.argument, "there is no statement in the SQL", path: path)
    }
    // What follows may be no SQL at all.
    do {
      guard try prepare(sql, from: end).map({ finalize($0.statement.handle) }) == nil else {
        throw SQLiteError(.argument, "more than one statement: 'exec' runs many", path: path)
      }
    } catch {
      finalize(statement.handle)
      throw error
    }
    return statement
  }

  /// - Parameter start: in bytes.
  /// - Returns: the next statement and where it ends; nil if there is none.
  func prepare(_ sql: String, from start: Int) throws -> (statement: SQLStatement, end: Int)? {
    let handle = try openHandle()
    var (made, start): (OpaquePointer?, Int) = (nil, start)
    isSpecial = false
    failure = nil
    // White space, comments and semicolons are no statement.
    while made == nil, start < sql.utf8.count {
      guard !mustEnd else { throw SQLiteError(.cancelled, "interrupted", path: path) }
      let (result, count) = sql.withCString { text in
        var tail: UnsafePointer<CChar>?
        // With the NUL at its end, without which SQLite would copy all that is left each time.
        let length = CInt(clamping: sql.utf8.count - start + 1)
        let result = library.pointee.prepare_v3(handle, text + start, length, 0, &made, &tail)
        return (result, tail.map { $0 - (text + start) } ?? 0)
      }
      guard result == SQLITE_OK else { throw error(result, sql, from: start) }
      start += max(count, 1)
    }
    return made.map { (SQLStatement(handle: $0, sql: sql, isKept: !isSpecial), start) }
  }

  func finalize(_ handle: OpaquePointer) { _ = library.pointee.finalize(handle) }

  /// Keeps a statement for the next time, ready for that.
  func giveBack(_ statement: SQLStatement) {
    let handle = statement.handle
    _ = library.pointee.reset(handle)
    guard statement.isKept, statement.sql.utf8.count <= Self.longestKept, self.handle != nil,
      statements[statement.sql] == nil
    else { return finalize(handle) }
    _ = library.pointee.clear_bindings(handle)
    if statements.count >= Self.mostKept, let (_, old) = statements.popFirst() { finalize(old) }
    statements[statement.sql] = handle
  }

  // MARK: Its parameters

  func bind(_ parameters: SQLParameters, to statement: SQLStatement) throws {
    let count = library.pointee.bind_parameter_count(statement.handle)
    guard let names = parameters.names else {
      guard parameters.values.count == count else {
        throw SQLiteError(
          .argument, "the SQL has \(count) parameter\(count == 1 ? "" : "s"), got \(parameters.values.count) values",
          path: path)
      }
      for (index, value) in parameters.values.enumerated() { try bind(value, to: statement, at: CInt(index + 1)) }
      return
    }
    var values = Dictionary(zip(names, parameters.values)) { $1 }
    for index in 1..<max(count + 1, 1) {
      guard let name = library.pointee.bind_parameter_name(statement.handle, index).map({ String(cString: $0) }),
        name.utf8.first != UInt8(ascii: "?")
      else { throw SQLiteError(.argument, "parameter \(index) of the SQL has no name", path: path) }
      guard let value = values.removeValue(forKey: name) ?? values.removeValue(forKey: String(name.dropFirst())) else {
        throw SQLiteError(.argument, "there is no value for the parameter \(name)", path: path)
      }
      try bind(value, to: statement, at: index)
    }
    if let left = values.keys.min() { throw SQLiteError(.argument, "the SQL has no parameter '\(left)'", path: path) }
  }

  private func bind(_ value: SQLValue, to statement: SQLStatement, at index: CInt) throws {
    let (api, handle) = (library, statement.handle)
    let result =
      switch value {
      case .null: api.pointee.bind_null(handle, index)
      case .integer(let integer): api.pointee.bind_int64(handle, index, integer)
      case .real(let number): api.pointee.bind_double(handle, index, number)
      case .text(let text):
        text.withCString {
          api.pointee.bind_text64(handle, index, $0, UInt64(text.utf8.count), copied, UInt8(SQLITE_UTF8))
        }
      case .blob(let bytes):
        // Of no bytes there is no address, which would be NULL.
        bytes.isEmpty
          ? api.pointee.bind_zeroblob(handle, index, 0)
          : bytes.withUnsafeBytes { api.pointee.bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), copied) }
      }
    guard result == SQLITE_OK else { throw error(result) }
  }

  // MARK: Its rows

  /// - Returns: false at the end.
  func step(_ statement: SQLStatement) throws -> Bool {
    failure = nil
    switch library.pointee.step(statement.handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let result:
      let error = error(result, statement.sql)
      _ = library.pointee.reset(statement.handle)
      throw error
    }
  }

  func columnNames(of statement: SQLStatement) -> [String] {
    (0..<library.pointee.column_count(statement.handle)).map { index in
      library.pointee.column_name(statement.handle, index).map { String(cString: $0) } ?? ""
    }
  }

  func appendRow(of statement: SQLStatement, to rows: SQLRows) throws {
    for index in 0..<library.pointee.column_count(statement.handle) {
      rows.append(try column(index, of: statement.handle))
    }
    rows.endRow()
  }

  private func column(_ index: CInt, of handle: OpaquePointer) throws -> SQLValue {
    let api = library
    switch api.pointee.column_type(handle, index) {
    case SQLITE_INTEGER: return .integer(api.pointee.column_int64(handle, index))
    case SQLITE_FLOAT: return .real(api.pointee.column_double(handle, index))
    case SQLITE_TEXT:
      let bytes = UnsafeBufferPointer(
        start: api.pointee.column_text(handle, index), count: Int(api.pointee.column_bytes(handle, index)))
      guard let text = String(validating: bytes, as: UTF8.self) else {
        let name = api.pointee.column_name(handle, index).map { String(cString: $0) } ?? ""
        throw SQLiteError(.notText, "the text in the column '\(name)' is not UTF-8: CAST it AS BLOB", path: path)
      }
      return .text(text)
    case SQLITE_BLOB:
      let bytes = UnsafeRawBufferPointer(
        start: api.pointee.column_blob(handle, index), count: Int(api.pointee.column_bytes(handle, index)))
      return .blob([UInt8](bytes))
    default: return .null
    }
  }
}

/// Has SQLite copy what it is given.
let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
