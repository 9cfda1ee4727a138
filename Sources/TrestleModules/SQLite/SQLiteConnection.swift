import CSQLite
import EventLoop
import Glibc
import Synchronization
import Trestle

/// A connection with a database. All that it does is done by one thread at a time, whose turn it is (`SQLiteQueue`, `SQLiteNow`).
final class SQLiteConnection: @unchecked Sendable {  // a C handle; see above
  /// The longest text or blob, the most of all rows at once, and the longest SQL, which nothing interrupts while it is parsed.
  static let (longestValue, mostAtOnce, longestSQL) = (1 << 29, 1 << 29, 1 << 24)
  private static let longestTimeout = 1e9

  /// The library, once it is wanted; without one, why there is none.
  nonisolated(unsafe) static let loaded = {  // a table that nobody changes
    var problem: UnsafePointer<CChar>?
    let library = sqlite_load({ DescriptorReserve.hasRoom }, { $0.map(KernelFiles.contain(at:)) ?? false }, &problem)
    return (library: library, problem: problem.map { String(cString: $0) } ?? "")
  }()

  let library: UnsafePointer<sqlite_library>
  let path: String
  let isReadOnly: Bool
  let timeout: Duration
  /// Nil once it is closed.
  var handle: OpaquePointer?
  /// Those that nothing is done with, by their SQL.
  var statements: [String: OpaquePointer] = [:]
  /// Those whose rows are asked for little by little.
  var cursors: [Int: SQLCursor] = [:]
  var lastCursor = 0
  /// The transactions that are open, the innermost last; within the first the others are savepoints.
  var scopes: [Int] = []
  var lastScope = 0
  /// The one that is the transaction itself: none where SQL of the script's has begun that.
  var outerScope = 0
  /// The transaction itself is at work: nobody else begins or ends one.
  var isOurs = false
  /// A transaction is undone, which nothing ends: it would stay open, and what is written later be a part of it.
  var isUndoing = false
  /// The statement that is prepared does something to transactions or to what is attached.
  var isSpecial = false
  /// Why SQLite was told to give up: by a function, or by what it may not do.
  var failure: (any Error)?
  /// Until when somebody else who is at work is waited for.
  private var waitEnd = ContinuousClock.now
  /// Asked again and again while SQLite is at work.
  var mustStop: () -> Bool = { false }
  let isStopped = Atomic(false)
  /// Nil where scripts may use all files.
  private let places: SQLitePlaces?

  /// - Parameter mustStop: asked while somebody else who is at work is waited for.
  init(
    _ path: String, _ options: DatabaseOptions, through gate: PermissionGate, mustStop: @escaping () -> Bool
  ) throws {
    guard let library = Self.loaded.library else { throw SQLiteError(.system, Self.loaded.problem, path: path) }
    self.library = library
    self.path = path
    isReadOnly = options.readOnly
    places = SQLitePlaces(gate, isReadOnly: isReadOnly)
    let timeout = options.timeout ?? 5000
    guard timeout >= 0, timeout <= Self.longestTimeout else {
      throw SQLiteError(.argument, "'timeout' must be 0 to 1e9 milliseconds, got \(timeout)", path: path)
    }
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw SQLiteError(.argument, path.isEmpty ? "a path has characters" : SystemPath.problem, path: path)
    }
    self.timeout = .milliseconds(timeout)
    self.mustStop = mustStop
    defer { self.mustStop = { false } }
    try checkRoom()
    try work { try open(create: options.create ?? true) }
  }

  deinit { work { close() } }

  /// On the stack, in bytes.
  private static let leastRoom = 512 << 10

  /// A script may be at the end of its stack, which is the thread's.
  func checkRoom() throws(SQLiteError) {
    guard Stack.room >= Self.leastRoom else {
      throw SQLiteError(.limit, "there is no room on the stack for what SQLite does", path: path)
    }
  }

  /// Whatever is done with SQLite, by whom it is whose turn it is.
  func work<Result>(_ body: () throws -> Result) rethrows -> Result { try places?.use(body) ?? body() }

  /// Why SQLite was told that it cannot open something.
  private func takeRefusal() -> (any Error)? {
    let error = places?.failure.take()
    guard let cause = error as? FileError else { return error }
    return problem(cause)
  }

  private func open(create: Bool) throws {
    let flags = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0)
    // No URL, whatever it looks like.
    let name = path == Self.inMemory || path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
    errno = 0
    let result = library.pointee.open_v2(name, &handle, flags | SQLITE_OPEN_NOMUTEX, sqlite_file_system)
    guard result == SQLITE_OK, let handle else {
      let error = takeRefusal() ?? openError(result)
      _ = library.pointee.close_v2(handle)
      handle = nil
      throw error
    }
    _ = library.pointee.extended_result_codes(handle, 1)
    sqlite_configure(handle, places == nil)
    _ = library.pointee.limit(handle, SQLITE_LIMIT_LENGTH, CInt(Self.longestValue))
    _ = library.pointee.limit(handle, SQLITE_LIMIT_SQL_LENGTH, CInt(Self.longestSQL))
    // Nothing ends a comparison with one, which takes time that grows with both lengths.
    _ = library.pointee.limit(handle, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000)
    // They would outlive what asks whether to stop.
    _ = library.pointee.limit(handle, SQLITE_LIMIT_WORKER_THREADS, 0)
    let context = Unmanaged.passUnretained(self).toOpaque()
    library.pointee.progress_handler(handle, 1000, { of($0).mustEnd ? 1 : 0 }, context)
    _ = library.pointee.busy_handler(handle, { of($0).waits(afterAttempt: Int($1)) ? 1 : 0 }, context)
    _ = library.pointee.set_authorizer(
      handle,
      { context, action, first, second, _, _ in of(context).allows(action, first, second) ? SQLITE_OK : SQLITE_DENY },
      context)
    do { try look() } catch {
      close()
      throw error
    }
  }

  /// Whether it is a database. One whose changes go to a file beside it (WAL) is had alone: together with others only by memory that is
  /// mapped from a file.
  private func look() throws {
    for isLast in [false, true] {
      do {
        _ = try rows(of: "PRAGMA schema_version", SQLParameters())
        return
      } catch let error as SQLiteError where error.code == .busy { return } catch let error as SQLiteError
        where error.sqliteCode == "SQLITE_CANTOPEN" && !isLast
      { try execute("PRAGMA locking_mode = EXCLUSIVE") } catch let error as SQLiteError
        where error.sqliteCode?.hasPrefix("SQLITE_IOERR") == true && isReadOnly && isLast
      {
        throw SQLiteError(
          .notPermitted, "it is in WAL mode, and only who may write it can have it alone: open it without 'readOnly'",
          path: path)
      }
    }
  }

  static let inMemory = ":memory:"

  private func openError(_ result: CInt) -> SQLiteError {
    guard result & 0xFF == SQLITE_CANTOPEN, let handle else { return error(result, openHandle: handle) }
    let system = library.pointee.system_errno(handle)
    guard system == 0 else {
      return problem(FileError(path: path, systemError: system))
    }
    var status = stat()
    guard stat(path, &status) == 0 else { return SQLiteError(.notFound, "No such file or directory", path: path) }
    guard status.st_mode & S_IFMT == S_IFREG else { return SQLiteError(.notDatabase, "not a file", path: path) }
    return error(result, openHandle: handle)
  }

  private func problem(_ cause: FileError) -> SQLiteError {
    let code: SQLiteError.Code =
      switch cause.code {
      case .notFound: .notFound
      case .notPermitted: .notPermitted
      default: .system
      }
    return SQLiteError(code, cause.message, path: path)
  }

  func openHandle() throws(SQLiteError) -> OpaquePointer {
    guard let handle else { throw SQLiteError(.closed, "the database is closed", path: path) }
    return handle
  }

  /// Again: does nothing. What is in a transaction that is open is lost, as it is meant to be.
  func close() {
    guard let handle else { return }
    for number in cursors.keys { closeCursor(number) }
    for statement in statements.values { finalize(statement) }
    (cursors, statements, scopes) = ([:], [:], [])
    self.handle = nil
    _ = library.pointee.close_v2(handle)
  }

  // MARK: Its errors

  func error(_ result: CInt, _ sql: String = "", from start: Int = 0) -> any Error {
    if let failure = failure.take() ?? takeRefusal() { return failure }
    guard let handle else { return SQLiteError(.closed, "the database is closed", path: path) }
    let offset = Int(library.pointee.error_offset(handle))
    return error(result, openHandle: handle, sql: sql, offset: offset < 0 ? nil : start + offset)
  }

  private func error(_ result: CInt, openHandle: OpaquePointer?, sql: String = "", offset: Int? = nil) -> SQLiteError {
    let words = openHandle.flatMap { library.pointee.errmsg($0) }.map { String(cString: $0) } ?? "SQLite has no memory"
    guard result & 0xFF != SQLITE_BUSY else {
      return SQLiteError(
        result: result, "\(words): somebody else has been at work on it for longer than \(timeout)", path: path)
    }
    let advice = words == "no such module: fts5" && places != nil ? ": with permissions there is fts4" : ""
    return SQLiteError(result: result, words + advice, path: path, sql: sql, offset: offset)
  }

  // MARK: What SQLite asks while it is at work

  /// From any thread: whatever SQLite is at ends, and nothing begins any more.
  func stop() { isStopped.store(true, ordering: .relaxed) }

  /// Whether nobody wants what SQLite is at.
  var mustEnd: Bool { !isUndoing && (isStopped.load(ordering: .relaxed) || mustStop()) }

  private func waits(afterAttempt attempt: Int) -> Bool {
    let pause = Duration.milliseconds(min(1 << min(attempt, 5), 20))
    if attempt == 0 { waitEnd = .now + timeout }
    guard !mustEnd, ContinuousClock.now < waitEnd else { return false }
    usleep(UInt32(pause / .microseconds(1)))
    return true
  }

  private static let refusedPragmas: Set<String> = [
    // Of the whole process.
    "soft_heap_limit", "hard_heap_limit", "temp_store_directory", "data_store_directory",
    // A file that is mapped into memory ends the process when somebody cuts it short.
    "mmap_size",
  ]

  /// All that SQLite keeps for code at the top (`SQLITE_DIRECTONLY`): they lead out of it.
  private static let refusedFunctions = [
    "load_extension": "scripts load no extensions",
    // It gives the address of a tokenizer, and takes one: of bound values also where the configuration says no.
    "fts3_tokenizer": "scripts make no tokenizers",
  ]

  private func allows(_ action: CInt, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?) -> Bool {
    func refuse(_ reason: String, _ code: SQLiteError.Code = .notPermitted) -> Bool {
      failure = SQLiteError(code, reason, path: path)
      return false
    }
    // What a statement sets off, by foreign keys and triggers, SQLite looks at by calling itself, however long the chain.
    guard Stack.room > Self.leastRoom / 2 else { return refuse("what the statement sets off goes too deep", .limit) }
    switch action {
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
      isSpecial = true
      return isOurs || scopes.isEmpty || refuse("a transaction is open, which ends with its function")
    case SQLITE_ATTACH:
      isSpecial = true
      guard let first else { return refuse("ATTACH takes the path as a text in the SQL") }
      let name = String(cString: first)
      // Nothing: what VACUUM puts aside.
      if name.isEmpty || name == Self.inMemory { return true }
      guard !isReadOnly else { return refuse("opened to be read: no other database is attached or written") }
      return !name.utf8.starts(with: "file:".utf8) || refuse("a database is opened by its path, not by a URL")
    case SQLITE_DETACH:
      isSpecial = true
      return true
    case SQLITE_PRAGMA:
      guard let name = first.map({ String(cString: $0).lowercased() }), Self.refusedPragmas.contains(name) else {
        return true
      }
      return refuse("the pragma \(name) is not for scripts")
    case SQLITE_FUNCTION:
      guard let name = second.map({ String(cString: $0).lowercased() }), let reason = Self.refusedFunctions[name] else {
        return true
      }
      return refuse(reason)
    default: return true
    }
  }
}

/// What SQLite gives back of what it was given.
private func of(_ context: UnsafeMutableRawPointer?) -> SQLiteConnection {
  Unmanaged<SQLiteConnection>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
}

/// How a database is opened.
@Record struct DatabaseOptions {
  /// The file must be there, and nothing is written.
  var readOnly = false
  /// Makes the file where there is none: true if nothing else is said.
  var create: Bool?
  /// How long somebody else who is at work on it is waited for, in milliseconds; 5000 if nothing else is said.
  var timeout: Double?

  init() {}
}
