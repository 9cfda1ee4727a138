import JSON

/// What joins a response to its request.
package enum RequestID: Sendable, Hashable {
  case number(UInt64)
  case string(String)

  init?(json: JSONValue) {
    if let number = json.uint64 {
      self = .number(number)
    } else if let string = json.string {
      self = .string(string)
    } else {
      return nil
    }
  }

  package var json: JSONValue {
    switch self {
    case .number(let value): JSONValue(value)
    case .string(let value): .string(value)
    }
  }
}

/// A message as it came in. An object with `method` and `id` is a request, with `method` alone a notification, with `id`
/// alone a response. Absent params are `null`.
enum Message: Equatable {
  case request(id: RequestID, method: String, params: JSONValue)
  case notification(method: String, params: JSONValue)
  case response(id: RequestID, Result<JSONValue, ResponseError>)
  /// Answers something that could not be read, so that no request awaits it.
  case strayError(ResponseError)
}

extension Message {
  /// Of a method, in bytes.
  private static let longestMethod = 1024

  /// Why a JSON value is no message, and whom to tell.
  struct Malformed: Error, Equatable {
    var reason: String
    var id: RequestID?
    /// Responses are never answered: two peers would go on for ever.
    var isAnswered: Bool
  }

  init(json: JSONValue) throws(Malformed) {
    guard let object = json.object else { throw Malformed(reason: "not an object", isAnswered: true) }
    let id = object["id"].flatMap(RequestID.init(json:))
    if let method = object["method"] {
      guard let method = method.string else { throw Malformed(reason: "method is no string", id: id, isAnswered: true) }
      // It is told in answers and logs.
      guard method.utf8.count <= Self.longestMethod else {
        throw Malformed(reason: "method is too long", id: id, isAnswered: true)
      }
      let params = object["params"] ?? .null
      if let id {
        self = .request(id: id, method: method, params: params)
      } else if object["id"] == nil {
        self = .notification(method: method, params: params)
      } else {
        throw Malformed(reason: "id is neither a whole number nor a string", isAnswered: true)
      }
      return
    }
    self = try Self.response(id: id, object)
  }

  /// The number of the request that a line answers, by its first bytes: the members of an answer to it come after its `id`.
  static func idOfResponse(beginningWith bytes: some Collection<UInt8>) -> UInt64? {
    let start = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    for prefix in ["{\"id\":", "{\"jsonrpc\":\"2.0\",\"id\":"] where start.hasPrefix(prefix) {
      let rest = start.dropFirst(prefix.count)
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard rest.dropFirst(digits.count).hasPrefix(",\"result\":") else { return nil }
      return UInt64(digits)
    }
    return nil
  }

  private static func response(id: RequestID?, _ object: JSONObject) throws(Malformed) -> Message {
    let error = object["error"].flatMap { $0.isNull ? nil : ResponseError(json: $0) }
    switch (id, object["result"], error) {
    case (let id?, nil, let error?), (let id?, .some(.null), let error?): return .response(id: id, .failure(error))
    case (let id?, let result?, nil): return .response(id: id, .success(result))
    case (nil, _, let error?): return .strayError(error)
    case (nil, nil, nil): throw Malformed(reason: "neither method nor id", isAnswered: true)
    default: throw Malformed(reason: "a response has an id, and one of result and error", isAnswered: false)
    }
  }
}
