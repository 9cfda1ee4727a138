import JSON

/// What crossed a bridge and was not answered, released or removed yet: a leak, if it never is.
public struct OutstandingItem: Sendable, Equatable, CustomStringConvertible {
  public enum Kind: String, Sendable, CaseIterable {
    /// A promise that the method has not settled.
    case promise
    /// The callbacks of a method, none of which was called.
    case callback
    /// A function that the method was given and Swift keeps, or an iterable (`ScriptFunction`, `ScriptSequence`).
    case function
    /// An object of the script's that Swift holds (`ScriptObject`).
    case scriptObject
    /// A `SharedObject` that the script has from the method.
    case object
    /// An async iterator that the script has from the method and has not ended.
    case stream
    /// A listener of the event.
    case listener
    /// A call of Swift's that the script has not answered.
    case scriptCall
  }

  public let kind: Kind
  /// The module, or the class of the object whose method it is. Empty for calls of Swift's and what came in streams and events.
  public let module: String
  /// The method or event; the path of a call of Swift's. Empty for a module's constants.
  public let member: String
  /// Of an object.
  public let className: String?
  public let age: Duration
  /// `file:line:column` in the script that made the call or added the listener: the innermost place in a named file. None for
  /// calls of Swift's, and on React Native's wire where another `__fbBatchedBridge` than the bridge's own made the call.
  public let callSite: String?

  public var description: String {
    var text = Self.words[kind] ?? className ?? kind.rawValue
    let name = [module, member].filter { !$0.isEmpty }.joined(separator: ".")
    if !name.isEmpty { text += " \(Self.prepositions[kind, default: "of"]) \(name)" }
    let seconds = (Double(age.components.seconds) + Double(age.components.attoseconds) / 1e18)
    text += ", \((seconds * 10).rounded() / 10) s"
    return callSite.map { "\(text), at \($0)" } ?? text
  }

  private static let prepositions: [Kind: String] = [
    .function: "given to", .scriptObject: "given to", .object: "from", .stream: "from",
  ]
  private static let words: [Kind: String] = [.scriptCall: "call", .scriptObject: "object"]
}

extension OutstandingItem {
  /// - Parameter fields: of `describeOutstanding` in `js/runtime/outstanding.js`.
  init?(_ fields: [JSONValue]) {
    guard fields.count == 6, let kind = fields[0].string.flatMap(Kind.init(rawValue:)), let module = fields[1].string,
      let member = fields[2].string, let className = fields[3].string, let age = fields[4].double,
      let stack = fields[5].string
    else { return nil }
    self.init(
      kind: kind, module: module, member: member, className: className.isEmpty ? nil : className,
      age: Duration(clampingSeconds: age / 1000), callSite: StackFrame.all(in: stack).first { !$0.isInternal }?.place)
  }
}

extension BridgeRuntime {
  /// The oldest first. Collects garbage, so that what no script can reach is not among it.
  func outstanding() throws -> [OutstandingItem] {
    guard let describe = entries.describeOutstanding else {
      throw BridgeError(.notFound, "what is outstanding is not tracked (BridgeConfiguration.tracksOutstanding)")
    }
    context.collectGarbage()
    let text = try turn { try describe.call().string ?? "" }
    return (try JSONValue(parsing: text).array ?? []).compactMap { OutstandingItem($0.array ?? []) }
  }
}

extension Bridge {
  /// What crossed and was not answered, released or removed yet, the oldest first. Collects garbage first: costs
  /// milliseconds. An object that a script has just let go of may still be among it.
  ///
  /// - Throws: `ERR_NOT_FOUND` without `BridgeConfiguration.tracksOutstanding`.
  public func outstanding() throws -> [OutstandingItem] { try openRuntime().outstanding() }
}
