import JSON
import Testing

@testable import TrestleCore

@Suite struct ErrorTests {
  /// The fields of an error as JavaScript gets them, by name; what is undefined is left out.
  private func fields(_ error: any Error) throws -> [String: ScriptValue] {
    var writer = ValueWriter()
    writer.append(error: error)
    var decoder = ReplyDecoder(writer)
    guard case .error(let values, _)? = decoder.next() else { throw BridgeError(.malformed, "no error") }
    let names = ["name", "message", "code", "stack", "properties", "cause"]
    return Dictionary(uniqueKeysWithValues: zip(names, values)).filter { $0.value != .undefined }
  }

  enum FileError: Error {
    case notFound(path: String)
    case busy
    case httpStatus404
    case invalidURL(String)
    case wrapped(underlying: any Error, attempts: Int?)
    case other(any Error)
  }
  struct ParseError: Error {
    enum Kind { case unexpectedEnd }
    var line: Int
    var note: String?
    var kind = Kind.unexpectedEnd
    var cause: (any Error)?
    var _hidden = 1
    var closure: @Sendable () -> Void = {}
  }
  struct SQLError: Error, CustomStringConvertible {
    enum Code { case constraintFailed }
    var code = Code.constraintFailed
    var description: String { "the constraint failed" }
  }
  enum Named: Error, CustomStringConvertible {
    case quotaUsedUp
    var description: String { "no more" }
  }

  @Test func casesGiveTheCode() throws {
    let found = try fields(FileError.notFound(path: "/x"))
    #expect(found["name"] == "FileError")
    #expect(found["code"] == "ERR_NOT_FOUND")
    #expect(found["message"] == "notFound(path: \"/x\")")
    #expect(found["properties"] == ["path": "/x"])
    #expect(found["cause"] == nil)
    #expect(try fields(FileError.busy)["message"] == "busy")
    #expect(try fields(FileError.busy)["code"] == "ERR_BUSY")
    #expect(try fields(FileError.httpStatus404)["code"] == "ERR_HTTP_STATUS404")
    #expect(try fields(FileError.invalidURL("?"))["code"] == "ERR_INVALID_URL")
    #expect(try fields(Named.quotaUsedUp)["code"] == "ERR_QUOTA_USED_UP")
    #expect(try fields(Named.quotaUsedUp)["message"] == "no more")
  }

  @Test func typesAndStatedCodes() throws {
    let found = try fields(ParseError(line: 3, cause: FileError.busy))
    #expect(found["code"] == "ERR_PARSE")
    #expect(found["properties"] == ["line": 3, "kind": "unexpectedEnd"])
    guard case .error(let cause, _)? = found["cause"] else { throw BridgeError(.malformed, "no cause") }
    #expect(cause[2] == "ERR_BUSY")
    #expect(try fields(SQLError())["code"] == "ERR_CONSTRAINT_FAILED")
    #expect(try fields(SQLError())["message"] == "the constraint failed")
  }

  @Test func payloadsThatAreCauses() throws {
    let found = try fields(FileError.wrapped(underlying: FileError.busy, attempts: 2))
    #expect(found["properties"] == ["attempts": 2])
    #expect(found["cause"] != nil)
    #expect(try fields(FileError.other(FileError.busy))["cause"] != nil)
  }

  struct Quota: CodedError {
    var bridgeCode: String { "E_QUOTA" }
    var bridgeMessage: String { "used up" }
    var bridgeProperties: JSONObject { ["left": 0] }
  }

  @Test func errorsThatSayThemselves() throws {
    let found = try fields(Quota())
    #expect(found["code"] == "E_QUOTA" && found["message"] == "used up" && found["properties"] == ["left": 0])
    #expect(try fields(CancellationError())["name"] == "AbortError")
    #expect(try fields(CancellationError())["code"] == "ERR_CANCELLED")
    let own = try fields(BridgeError(.module, "it threw", at: "Files", cause: FileError.busy))
    #expect(own["code"] == "ERR_MODULE" && own["message"] == "Files: it threw" && own["cause"] != nil)
    #expect(try fields(BridgeError(.argument, "no"))["name"] == "TypeError")
    let method = MethodReference(module: "A", name: "b", kind: .void)
    var limit = BridgeError(.limit, "the memory is used up")
    limit.exceeded = .residentMemory
    #expect(BridgeError(of: method, limit).exceeded == .residentMemory, "which limit it was is not lost")
    #expect(try fields(BridgeError(of: method, FileError.busy))["code"] == "ERR_BUSY")
  }

  struct Chain: Error { var cause: (any Error)? }

  @Test func longChainsOfCausesEnd() throws {
    var error: any Error = FileError.busy
    for _ in 0..<10_000 { error = Chain(cause: error) }
    var depth = 0
    var found = try fields(error)["cause"]
    while case .error(let fields, _)? = found {
      depth += 1
      found = fields[5]
    }
    #expect(depth == 16)
  }

  final class CountedIdentity: JavaScriptError.Identity, @unchecked Sendable {}
  final class Identities: SideValues {
    override func errorIdentity(at index: Int) -> JavaScriptError.Identity? { CountedIdentity(number: UInt32(index)) }
  }

  @Test func errorsFromJavaScript() throws {
    let cause = ScriptValue.error(["RangeError", "deep", .undefined, .undefined, [:], .undefined], identity: 0)
    let value = ScriptValue.error(
      ["TypeError", "no", "ERR_X", "f@a.js:1:2", ["path": "/x", "gone": .undefined], cause], identity: 0)
    let error = try decoded(value, as: JavaScriptError.self)
    #expect(error.name == "TypeError" && error.message == "no" && error.code == "ERR_X")
    #expect(error.stack == "f@a.js:1:2" && error.properties == ["path": "/x"])
    #expect((error.cause as? JavaScriptError)?.name == "RangeError")
    #expect("\(error)" == "TypeError: no (a.js:1:2)")
    #expect(
      try encoded(error) == .error(["TypeError", "no", "ERR_X", "f@a.js:1:2", ["path": "/x"], cause], identity: 0))
  }

  @Test func identityIsKept() throws {
    var encoder = CommandEncoder()
    encoder.append(.error(["Error", "x", .undefined, .undefined, [:], .undefined], identity: 7))
    let sideValues = Identities()
    let error = try withExtendedLifetime(sideValues) {
      try encoder.slots.withUnsafeBytes { bytes in
        let start = try #require(bytes.baseAddress)
        var reader = ValueReader(start: start, end: start + bytes.count, sideValues: sideValues)
        return try JavaScriptError.decode(from: &reader)
      }
    }
    #expect(error.identity?.number == 7)
    guard case .error(_, let identity) = try encoded(error) else { throw BridgeError(.malformed, "no error") }
    #expect(identity == 7)
  }

  final class UnreadableValues: SideValues {
    override var failure: BridgeError? { BridgeError(.limit, "the time is over") }
  }

  /// As where a limit strikes while it is read: what the engine gives then is no fault of the script's.
  @Test func whatCannotBeReadAnyMoreIsRefusedForThat() throws {
    let bytes: [Int32] = [0, 0]
    let sideValues = UnreadableValues()
    let error = try withExtendedLifetime(sideValues) {
      try bytes.withUnsafeBytes { bytes in
        let start = try #require(bytes.baseAddress)
        var reader = ValueReader(start: start, end: start + bytes.count, sideValues: sideValues)
        return describeResult(reader.error(.mismatch), as: Int.typeSchema, &reader)
      }
    }
    #expect(error.code == BridgeError.Code.limit)
  }

  @Test func anyOtherValueThatIsThrown() throws {
    #expect(try decoded("plain", as: JavaScriptError.self).message == "plain")
    #expect(try decoded(3, as: JavaScriptError.self).message == "number 3")
    #expect(try decoded(["a": [1]], as: JavaScriptError.self).message == "object")
  }
}
