import EditorProtocol
import JSON

/// A command that a plugin's manifest declares (XI front-end protocol, `update_cmds`).
struct DeclaredCommand: Equatable {
  var title: String
  var description: String
  var method: String
  /// The values of the arguments are put in under their keys.
  var params: JSONValue
  var isRequest: Bool
  var arguments: [Argument]

  struct Argument: Equatable {
    var title: String
    var description: String
    var key: String
    var type: ArgumentType
  }

  enum ArgumentType: Equatable {
    case number, integer, positiveInteger, text
    /// One of some values, each by its title.
    case choice([Option])
  }

  struct Option: Equatable {
    var title: String
    var value: JSONValue
  }

  /// nil for what cannot be run: no title, no method, or an argument without a key or of no known type.
  init?(_ json: JSONValue) {
    guard let title = json["title"]?.string, let method = json["rpc_cmd"]?["method"]?.string else { return nil }
    self.title = title
    self.method = method
    description = json["description"]?.string ?? ""
    params = json["rpc_cmd"]?["params"] ?? [:]
    isRequest = json["rpc_cmd"]?["rpc_type"]?.string == "request"
    arguments = []
    for argument in json["args"]?.array ?? [] {
      guard let argument = Argument(argument) else { return nil }
      arguments.append(argument)
    }
  }

  mutating func set(_ argument: Argument, to value: JSONValue) {
    var object = params.object ?? [:]
    object[argument.key] = value
    params = .object(object)
  }
}

extension DeclaredCommand.Argument {
  fileprivate init?(_ json: JSONValue) {
    guard let key = json["key"]?.string else { return nil }
    self.key = key
    title = json["title"]?.string ?? key
    description = json["description"]?.string ?? ""
    switch json["arg_type"]?.string {
    case "Number": type = .number
    case "Int": type = .integer
    case "PosInt": type = .positiveInteger
    case "String": type = .text
    case "Bool": type = .choice([.init(title: "yes", value: true), .init(title: "no", value: false)])
    case "Choice":
      let options = (json["options"]?.array ?? []).compactMap { option in
        option["value"].map { DeclaredCommand.Option(title: option["title"]?.string ?? "\($0)", value: $0) }
      }
      guard !options.isEmpty else { return nil }
      type = .choice(options)
    default: return nil
    }
  }
}

extension DeclaredCommand.ArgumentType {
  /// What was typed as a value; nil when it is none of the type.
  func value(of typed: String) -> JSONValue? {
    switch self {
    case .number: Double(typed).flatMap { $0.isFinite ? JSONValue($0) : nil }
    case .integer: Int(typed).map { JSONValue($0) }
    case .positiveInteger: Int(typed).flatMap { $0 > 0 ? JSONValue($0) : nil }
    case .text: .string(typed)
    case .choice: nil
    }
  }

  /// What a message calls a value of the type.
  var expected: String {
    switch self {
    case .number: "a number"
    case .integer: "a whole number"
    case .positiveInteger: "a whole number above 0"
    case .text: "a text"
    case .choice: "one of these"
    }
  }
}

/// A plugin as one view knows it.
struct PluginInView: Equatable {
  var name: String
  var isRunning: Bool
  var commands: [DeclaredCommand] = []
}
