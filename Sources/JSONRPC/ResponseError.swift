import JSON

/// The `error` member of a response (JSON-RPC 2.0, 5.1).
package struct ResponseError: Error, Sendable, Hashable {
  package var code: Int
  package var message: String
  package var data: JSONValue?

  package init(code: Int, message: String, data: JSONValue? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  package static func parseError(_ data: JSONValue? = nil) -> Self {
    Self(code: -32700, message: "Parse error", data: data)
  }
  package static func invalidRequest(_ data: JSONValue? = nil) -> Self {
    Self(code: -32600, message: "Invalid request", data: data)
  }
  package static func methodNotFound(_ method: String) -> Self {
    Self(code: -32601, message: "Method not found", data: .string(method))
  }
  package static func invalidParams(_ data: JSONValue? = nil) -> Self {
    Self(code: -32602, message: "Invalid params", data: data)
  }
  package static func internalError(_ data: JSONValue? = nil) -> Self {
    Self(code: -32603, message: "Internal error", data: data)
  }

  /// Never on the wire: what a request is told whose connection ended before the answer.
  package static let connectionClosedCode = -32000
  package var isOfClosedConnection: Bool { code == Self.connectionClosedCode }
  package static func connectionClosed(_ reason: String) -> Self {
    Self(code: connectionClosedCode, message: "Connection closed: \(reason)")
  }
}

extension ResponseError: CustomStringConvertible {
  package var description: String { "\(message) (\(code))\(data.map { ": \($0)" } ?? "")" }
}

extension ResponseError {
  /// Lenient: a code that is missing counts as an internal error.
  init(json: JSONValue) {
    self.init(code: json["code"]?.int ?? -32603, message: json["message"]?.string ?? "\(json)", data: json["data"])
  }

  var json: JSONValue {
    var object: JSONObject = ["code": JSONValue(code), "message": .string(message)]
    if let data { object["data"] = data }
    return .object(object)
  }
}
