import JSON

extension ModuleInstance {
  /// Changes with what scripts see of the module: names, kinds and types of its members, and the types that those are made of;
  /// not with documentation, numbers and places in the source. 16 hexadecimal digits.
  var version: String {
    let types = TypeSchema.closure(of: namedTypes)
    let text = JSONValue.array([schema] + types.map(\.declaration)).withoutNotes.description
    // FNV-1a: it is to tell versions apart, not to withstand anyone.
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension JSONValue {
  private static let notes: Set<String> = ["documentation", "id", "origin", "dependencies", "capabilities", "version"]

  fileprivate var withoutNotes: JSONValue {
    switch self {
    case .array(let elements): .array(elements.map(\.withoutNotes))
    case .object(let members):
      .object(JSONObject(members.filter { !Self.notes.contains($0.key) }.map { ($0.key, $0.value.withoutNotes) }))
    default: self
    }
  }
}
