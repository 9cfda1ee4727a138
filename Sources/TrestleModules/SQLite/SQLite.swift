import EventLoop
import Glibc
import Trestle

extension ModuleSelection {
  /// SQLite's databases, for bridges that are granted `Capability.files`.
  public static let sqlite = ModuleSelection.definitions([.sqlite])
}

extension ModuleDefinition {
  /// What `js/modules/sqlite.js` makes the databases of scripts of.
  static let sqlite = ModuleDefinition("SQLite", capabilities: [.files], make: { SQLite($0) }) {
    Member<SQLite>.promiseInOrder("open", "path", "options") {
      (module, path: WellFormedString, options: DatabaseOptions) in
      try await module.open(path.text, options)
    }
    Member<SQLite>.promiseInOrder("run", "database", "scope", "sql", "values") {
      (_, database: OpenDatabase, scope: Int, sql: String, values: SQLParameters) in
      try await database.perform(in: scope) { try $0.run(sql, values) }
    }
    Member<SQLite>.promiseInOrder("rows", "database", "scope", "sql", "values", "most") {
      (_, database: OpenDatabase, scope: Int, sql: String, values: SQLParameters, most: Int?) in
      try await database.perform(in: scope) { try $0.rows(of: sql, values, atMost: most ?? .max) }
    }
    Member<SQLite>.promiseInOrder("execute", "database", "scope", "sql") {
      (_, database: OpenDatabase, scope: Int, sql: String) in
      try await database.perform(in: scope) { connection in
        try connection.execute(sql)
        return true
      }
    }
    Member<SQLite>.promiseInOrder("check", "database", "scope", "sql") {
      (_, database: OpenDatabase, scope: Int, sql: String) in
      try await database.perform(in: scope) { try $0.check(sql) }
    }
    Member<SQLite>.promiseInOrder("iterate", "database", "scope", "sql", "values") {
      (_, database: OpenDatabase, scope: Int, sql: String, values: SQLParameters) in
      OpenRows(try await database.perform(in: scope) { try $0.openCursor(sql, values, in: scope) }, of: database)
    }
    Member<SQLite>.promiseInOrder("fetch", "rows") { (_, rows: OpenRows) in try await rows.fetch() }
    Member<SQLite>.sync("closeRows", "rows") { (_, rows: OpenRows) in rows.close() }
    Member<SQLite>.promiseInOrder("transaction", "database", "scope", "body") {
      (_, database: OpenDatabase, scope: Int, body: ScriptFunction<Int, Undefined>) in
      try await database.queue.transaction(in: scope) { _ = try await body.callWithNothingElse($0) }
      return true
    }
    Member<SQLite>.promiseInOrder("addFunction", "database", "name", "isPure", "body") {
      (_, database: OpenDatabase, name: String, isPure: Bool, body: SQLFunction.Script) in
      try await database.perform(in: 0) { connection in
        try SQLFunction.add(body, named: name, isPure: isPure, isNow: false, to: connection)
        return true
      }
    }
    Member<SQLite>.promiseInOrder("close", "database") { (_, database: OpenDatabase) in
      try await database.close()
      return true
    }

    Member<SQLite>.sync("openSync", "path", "options") { (module, path: WellFormedString, options: DatabaseOptions) in
      try module.openNow(path.text, options)
    }
    Member<SQLite>.sync("runSync", "database", "sql", "values") {
      (_, database: OpenDatabaseNow, sql: String, values: SQLParameters) in
      try database.perform { try $0.run(sql, values) }
    }
    Member<SQLite>.sync("rowsSync", "database", "sql", "values", "most") {
      (_, database: OpenDatabaseNow, sql: String, values: SQLParameters, most: Int?) in
      try database.perform { try $0.rows(of: sql, values, atMost: most ?? .max) }
    }
    Member<SQLite>.sync("executeSync", "database", "sql") { (_, database: OpenDatabaseNow, sql: String) in
      try database.perform { try $0.execute(sql) }
    }
    Member<SQLite>.sync("checkSync", "database", "sql") { (_, database: OpenDatabaseNow, sql: String) in
      try database.perform { try $0.check(sql) }
    }
    Member<SQLite>.sync("iterateSync", "database", "sql", "values") {
      (_, database: OpenDatabaseNow, sql: String, values: SQLParameters) in
      OpenRowsNow(try database.perform { try $0.openCursor(sql, values, in: $0.scopes.last ?? 0) }, of: database)
    }
    Member<SQLite>.sync("fetchSync", "rows") { (_, rows: OpenRowsNow) in try rows.fetch() }
    Member<SQLite>.sync("closeRowsSync", "rows") { (_, rows: OpenRowsNow) in rows.close() }
    Member<SQLite>.sync("transactionSync", "database", "body") {
      (_, database: OpenDatabaseNow, body: ScriptFunction<Int, Undefined>) in
      try database.now.transaction(database.context) { _ = try body.callNow($0) }
    }
    Member<SQLite>.sync("addFunctionSync", "database", "name", "isPure", "body") {
      (_, database: OpenDatabaseNow, name: String, isPure: Bool, body: SQLFunction.Script) in
      try database.perform { try SQLFunction.add(body, named: name, isPure: isPure, isNow: true, to: $0) }
    }
    Member<SQLite>.sync("closeSync", "database") { (_, database: OpenDatabaseNow) in try database.close() }
  }
  .with(script: .sqlite)
}

/// The databases that the scripts of one bridge have open. What is left of them goes with the bridge.
final class SQLite: InvalidatableModule {
  private struct State {
    var queues: [ObjectIdentifier: SQLiteQueue] = [:]
    var nows: [ObjectIdentifier: SQLiteNow] = [:]
    /// The bridge has closed.
    var isOver = false
  }

  private let context: BridgeContext
  private let state = Lock(State())

  init(_ context: BridgeContext) { self.context = context }

  func open(_ path: String, _ options: DatabaseOptions) async throws -> OpenDatabase {
    let gate = context.permissions
    let queue = try await context.withDescriptors {
      try Self.checkRoom(for: path)
      return try await SQLiteQueue.open(path, options, through: gate)
    }
    let isOver = state.withLock { state in
      if !state.isOver { state.queues[ObjectIdentifier(queue)] = queue }
      return state.isOver
    }
    guard !isOver, !Task.isCancelled else {
      forget(queue)
      throw CancellationError()
    }
    return OpenDatabase(queue, in: self)
  }

  func openNow(_ path: String, _ options: DatabaseOptions) throws -> OpenDatabaseNow {
    try Self.checkRoom(for: path)
    let now = try SQLiteNow(path, options, context)
    let isOver = state.withLock { state in
      if !state.isOver { state.nows[ObjectIdentifier(now)] = now }
      return state.isOver
    }
    guard !isOver else {
      now.close()
      throw BridgeError(.closed, "the bridge is closed")
    }
    return OpenDatabaseNow(now, in: self, context)
  }

  private static func checkRoom(for path: String) throws(FileError) {
    guard DescriptorReserve.hasRoom else { throw FileError(path: path, systemError: EMFILE) }
  }

  func forget(_ queue: SQLiteQueue) {
    _ = state.withLock { $0.queues.removeValue(forKey: ObjectIdentifier(queue)) }
    queue.close()
  }

  func forget(_ now: SQLiteNow) {
    _ = state.withLock { $0.nows.removeValue(forKey: ObjectIdentifier(now)) }
    now.close()
  }

  func invalidate() async {
    let (queues, nows) = state.withLock { state in
      state.isOver = true
      defer { (state.queues, state.nows) = ([:], [:]) }
      return (Array(state.queues.values), Array(state.nows.values))
    }
    for queue in queues { queue.stop() }
    for now in nows { now.close() }
    await withTaskGroup { group in for queue in queues { group.addTask { await queue.closed() } } }
  }
}

/// What scripts' databases are, in the hands of our own JavaScript alone.
final class OpenDatabase: SharedObject, Sendable {
  static let sharedClass = _Expansion.SharedClass("SQLiteDatabase", of: OpenDatabase.self) {}
  let queue: SQLiteQueue
  private let module: SQLite

  init(_ queue: SQLiteQueue, in module: SQLite) { (self.queue, self.module) = (queue, module) }

  deinit { module.forget(queue) }

  /// Its cache of pages, as a rule.
  var memoryCost: Int { 64 << 10 }

  nonisolated(nonsending) func perform<Result: Sendable>(
    in scope: Int, _ body: @escaping @Sendable (SQLiteConnection) throws -> Result
  ) async throws -> Result {
    try await queue.perform(in: scope) { connection in
      try connection.checkScope(scope)
      return try body(connection)
    }
  }

  /// Behind the calls that were made before.
  nonisolated(nonsending) func close() async throws {
    do { try await queue.perform(in: 0) { $0.close() } } catch let error as SQLiteError where error.code == .closed {}
    module.forget(queue)
  }
}

/// The same on the JavaScript thread.
final class OpenDatabaseNow: SharedObject, Sendable {
  static let sharedClass = _Expansion.SharedClass("SQLiteSyncDatabase", of: OpenDatabaseNow.self) {}
  let now: SQLiteNow
  let context: BridgeContext
  private let module: SQLite

  init(_ now: SQLiteNow, in module: SQLite, _ context: BridgeContext) {
    (self.now, self.module, self.context) = (now, module, context)
  }

  deinit { module.forget(now) }

  var memoryCost: Int { 64 << 10 }

  func perform<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try now.perform(context, body)
  }

  func close() throws {
    try perform { $0.close() }
    module.forget(now)
  }
}

/// Rows that a script asks for little by little, until it has forgotten them.
final class OpenRows: SharedObject, Sendable {
  static let sharedClass = _Expansion.SharedClass("SQLiteRows", of: OpenRows.self) {}
  private let number: Int
  private let database: OpenDatabase

  init(_ number: Int, of database: OpenDatabase) { (self.number, self.database) = (number, database) }

  deinit { close() }

  /// Of whichever transaction they are: they go with it.
  func fetch() async throws -> SQLRows {
    try await database.queue.perform(in: SQLiteQueue.anyScope) { [number] in try $0.fetch(number) }
  }

  func close() {
    database.queue.performSoon { [number] in $0.closeCursor(number) }
  }
}

final class OpenRowsNow: SharedObject, Sendable {
  static let sharedClass = _Expansion.SharedClass("SQLiteSyncRows", of: OpenRowsNow.self) {}
  private let number: Int
  private let database: OpenDatabaseNow

  init(_ number: Int, of database: OpenDatabaseNow) { (self.number, self.database) = (number, database) }

  deinit { close() }

  func fetch() throws -> SQLRows { try database.perform { try $0.fetch(number) } }

  func close() {
    // Where a function that SQL calls has ended the loop, they go with the database.
    try? database.perform { $0.closeCursor(number) }
  }
}
