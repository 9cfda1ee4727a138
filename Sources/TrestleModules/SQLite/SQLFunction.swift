import CSQLite
import Dispatch
import EventLoop
import Trestle

/// A function of a script's that SQL calls.
final class SQLFunction: @unchecked Sendable {  // where its connection is at work
  typealias Script = ScriptFunction<[SQLValue], SQLValue>
  private unowned let connection: SQLiteConnection
  private let script: Script
  /// On the JavaScript thread, which is not to wait for itself.
  private let isNow: Bool

  private init(_ script: Script, isNow: Bool, on connection: SQLiteConnection) {
    (self.script, self.isNow, self.connection) = (script, isNow, connection)
  }

  /// - Parameter isPure: it gives the same for the same values each time.
  static func add(
    _ script: Script, named name: String, isPure: Bool, isNow: Bool, to connection: SQLiteConnection
  ) throws {
    guard !name.isEmpty, name.utf8.count <= 255, !name.utf8.contains(0) else {
      throw SQLiteError(.argument, "a function has a name of 1 to 255 bytes without NUL", path: connection.path)
    }
    let handle = try connection.openHandle()
    let function = Unmanaged.passRetained(SQLFunction(script, isNow: isNow, on: connection))
    let result = connection.library.pointee.create_function_v2(
      handle, name, -1,
      // What stands in a file, such as a trigger, does not call it.
      SQLITE_UTF8 | SQLITE_DIRECTONLY | (isPure ? SQLITE_DETERMINISTIC : 0), function.toOpaque(),
      { context, count, values in SQLFunction.call(context, UnsafeBufferPointer(start: values, count: Int(count))) },
      nil, nil, { Unmanaged<SQLFunction>.fromOpaque($0.unsafelyUnwrapped).release() })
    // SQLite has let go of it by then.
    guard result == SQLITE_OK else { throw connection.error(result) }
  }

  private static func call(_ context: OpaquePointer?, _ values: UnsafeBufferPointer<OpaquePointer?>) {
    guard let library = SQLiteConnection.loaded.library, let data = library.pointee.user_data(context) else { return }
    let function = Unmanaged<SQLFunction>.fromOpaque(data).takeUnretainedValue()
    let connection = function.connection
    do {
      let values = try values.map { try value($0, library, connection) }
      let result = try function.isNow ? function.script.callNow(values) : function.callAndWait(values)
      give(result, library, context)
    } catch {
      connection.failure = connection.failure ?? error
      library.pointee.result_error(context, "a function of the script's has failed", -1)
    }
  }

  private static func value(
    _ value: OpaquePointer?, _ library: UnsafePointer<sqlite_library>, _ connection: SQLiteConnection
  ) throws -> SQLValue {
    switch library.pointee.value_type(value) {
    case SQLITE_INTEGER: return .integer(library.pointee.value_int64(value))
    case SQLITE_FLOAT: return .real(library.pointee.value_double(value))
    case SQLITE_TEXT:
      let start = library.pointee.value_text(value)
      let bytes = UnsafeBufferPointer(start: start, count: Int(library.pointee.value_bytes(value)))
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw SQLiteError(.notText, "a text for a function is not UTF-8: CAST it AS BLOB", path: connection.path)
      }
      return .text(text)
    case SQLITE_BLOB:
      let start = library.pointee.value_blob(value)
      return .blob([UInt8](UnsafeRawBufferPointer(start: start, count: Int(library.pointee.value_bytes(value)))))
    default: return .null
    }
  }

  private static func give(_ value: SQLValue, _ library: UnsafePointer<sqlite_library>, _ context: OpaquePointer?) {
    switch value {
    case .null: library.pointee.result_null(context)
    case .integer(let integer): library.pointee.result_int64(context, integer)
    case .real(let number): library.pointee.result_double(context, number)
    case .text(let text):
      text.withCString {
        library.pointee.result_text64(context, $0, UInt64(text.utf8.count), copied, UInt8(SQLITE_UTF8))
      }
    case .blob(let bytes):
      // Of no bytes there is no address, which would be NULL.
      if bytes.isEmpty { return _ = library.pointee.result_zeroblob64(context, 0) }
      bytes.withUnsafeBytes { library.pointee.result_blob64(context, $0.baseAddress, UInt64($0.count), copied) }
    }
  }

  private static let timeToLookUp = DispatchTimeInterval.milliseconds(20)

  /// Away from the JavaScript thread, on one that nobody else waits for.
  private func callAndWait(_ values: [SQLValue]) throws -> SQLValue {
    let result = Lock<Result<SQLValue, any Error>?>(nil)
    let isThere = DispatchSemaphore(value: 0)
    let task = Task { [script] in
      do {
        let value = try await script(values)
        result.withLock { $0 = .success(value) }
      } catch { result.withLock { $0 = .failure(error) } }
      isThere.signal()
    }
    while isThere.wait(timeout: .now() + Self.timeToLookUp) == .timedOut {
      guard connection.mustEnd else { continue }
      task.cancel()
      throw SQLiteError(.cancelled, "the operation was cancelled", path: connection.path)
    }
    guard let result = result.withLock({ $0.take() }) else { throw CancellationError() }
    return try result.get()
  }
}
