import CSQLite
import Synchronization
import Trestle

/// What is asked of a connection.
extension SQLiteConnection {
  func run(_ sql: String, _ parameters: SQLParameters) throws -> SQLChanges {
    try withStatement(sql, parameters) { statement in
      let handle = try openHandle()
      let before = library.pointee.total_changes64(handle)
      while try step(statement) {}
      // What is said of a statement that changes nothing is what the one before has changed.
      let changes =
        library.pointee.total_changes64(handle) == before ? 0 : library.pointee.changes64(handle)
      return SQLChanges(changes: changes, lastInsertRowid: library.pointee.last_insert_rowid(handle))
    }
  }

  func rows(of sql: String, _ parameters: SQLParameters, atMost most: Int = .max) throws -> SQLRows {
    try withStatement(sql, parameters) { statement in
      // First: SQLite looks at the tables anew then, which may have other columns by now.
      guard try step(statement) else { return SQLRows() }
      let rows = SQLRows(names: columnNames(of: statement))
      repeat {
        try appendRow(of: statement, to: rows)
        guard rows.byteCount <= Self.mostAtOnce else {
          throw SQLiteError(
            .limit, "more than \(Self.mostAtOnce >> 20) MB at once: 'iterate' gives row after row", path: path)
        }
      } while try rows.rowCount < most && step(statement)
      return rows
    }
  }

  private func withStatement<Result>(
    _ sql: String, _ parameters: SQLParameters, _ body: (SQLStatement) throws -> Result
  ) throws -> Result {
    try checkUnstopped()
    let statement = try statement(sql)
    defer { giveBack(statement) }
    try bind(parameters, to: statement)
    return try body(statement)
  }

  private func checkUnstopped() throws {
    _ = try openHandle()
    try checkRoom()
    if isStopped.load(ordering: .relaxed) { throw SQLiteError(.closed, "the database is closed", path: path) }
    if !scopes.isEmpty { try checkTransaction() }
  }

  /// SQLite undoes a transaction by itself after some errors: what its function does from then on would be kept.
  private func checkTransaction() throws {
    guard library.pointee.get_autocommit(try openHandle()) == 0 else {
      throw SQLiteError(.sql, "SQLite has undone the transaction already", path: path)
    }
  }

  /// Runs many statements, which have no parameters.
  func execute(_ sql: String) throws {
    try checkUnstopped()
    var start = 0
    while let (statement, end) = try prepare(sql, from: start) {
      defer { finalize(statement.handle) }
      try bind(SQLParameters(), to: statement)
      while try step(statement) {}
      start = end
    }
  }

  /// Finds out whether it is SQL; kept for its first use.
  func check(_ sql: String) throws -> [String] {
    try checkUnstopped()
    let statement = try statement(sql)
    defer { giveBack(statement) }
    return columnNames(of: statement)
  }

  // MARK: Rows that are asked for little by little

  func openCursor(_ sql: String, _ parameters: SQLParameters, in scope: Int) throws -> Int {
    try checkUnstopped()
    let statement = try statement(sql)
    do { try bind(parameters, to: statement) } catch {
      giveBack(statement)
      throw error
    }
    lastCursor += 1
    cursors[lastCursor] = SQLCursor(statement: statement, scope: scope)
    return lastCursor
  }

  private static let (mostRows, mostBytes) = (256, 1 << 16)

  /// - Returns: so many rows as fit together, one at least; none at the end.
  func fetch(_ number: Int) throws -> SQLRows {
    _ = try openHandle()
    guard let cursor = cursors[number] else {
      throw SQLiteError(.closed, "the rows went with their transaction", path: path)
    }
    guard let statement = cursor.statement else { return SQLRows() }
    do {
      var rows: SQLRows?
      while try step(statement) {
        let taken = rows ?? SQLRows(names: columnNames(of: statement))
        try appendRow(of: statement, to: taken)
        guard taken.rowCount < Self.mostRows, taken.byteCount < Self.mostBytes else { return taken }
        rows = taken
      }
      // The database is not being read any more.
      closeCursor(number)
      cursors[number] = SQLCursor(statement: nil, scope: cursor.scope)
      return rows ?? SQLRows()
    } catch {
      closeCursor(number)
      throw error
    }
  }

  func closeCursor(_ number: Int) {
    if let statement = cursors.removeValue(forKey: number)?.statement { giveBack(statement) }
  }

  // MARK: Transactions

  /// Begins a transaction, or a savepoint within one.
  func begin() throws -> Int {
    try checkUnstopped()
    lastScope += 1
    let isOuter = library.pointee.get_autocommit(try openHandle()) != 0
    try runOurs(isOuter ? (isReadOnly ? "BEGIN" : "BEGIN IMMEDIATE") : "SAVEPOINT trestle_\(lastScope)")
    scopes.append(lastScope)
    if isOuter { outerScope = lastScope }
    return lastScope
  }

  /// Ends one, with those within it, of which there are none where it is to be kept. Where it cannot be kept it is undone.
  func end(_ scope: Int, keeps: Bool) throws {
    guard let index = scopes.firstIndex(of: scope) else {
      throw SQLiteError(.closed, "the transaction is over", path: path)
    }
    for (number, cursor) in cursors where cursor.scope >= scope { closeCursor(number) }
    defer { scopes.removeSubrange(index...) }
    let isOuter = scope == outerScope
    do {
      guard keeps else { return undo(scope, isOuter) }
      try checkTransaction()
      try runOurs(isOuter ? "COMMIT" : "RELEASE trestle_\(scope)")
    } catch {
      undo(scope, isOuter)
      throw error
    }
  }

  /// Where even that fails the connection is closed: what is written later would be a part of what is never kept.
  private func undo(_ scope: Int, _ isOuter: Bool) {
    guard let handle, library.pointee.get_autocommit(handle) == 0 else { return }
    isUndoing = true
    defer { isUndoing = false }
    do {
      if isOuter { return try runOurs("ROLLBACK") }
      try runOurs("ROLLBACK TO trestle_\(scope)")
      try runOurs("RELEASE trestle_\(scope)")
    } catch { close() }
  }

  private func runOurs(_ sql: String) throws {
    isOurs = true
    defer { isOurs = false }
    guard let (statement, _) = try prepare(sql, from: 0) else { return }
    defer { finalize(statement.handle) }
    while try step(statement) {}
  }
}

/// A statement whose rows are asked for little by little.
struct SQLCursor {
  /// Nil once it has given all of them.
  let statement: SQLStatement?
  let scope: Int
}
