import TrestleCore

/// A module's entry in React Native's config table, as values that compare and print well.
///
/// ```swift
/// let entry = try #require(try await test.entry(of: "Files"))
/// #expect(entry.methods == ["readText: promise", "exists: promise", "size: sync"])
/// ```
public struct ConfigTableEntry: Sendable, Equatable, CustomStringConvertible {
  /// Its number in the table.
  public var id: Int
  public var name: String
  /// The constants by name; empty if there are none.
  public var constants: [String: JSONValue]
  /// `name: kind` in the order of their numbers; `async` are those whose callers wait for no promise, as in React Native.
  public var methods: [String]

  /// - Parameter json: `[name, constants, methodNames, promiseMethodIDs, syncMethodIDs]`, trimmed; nil for other values.
  public init?(_ json: JSONValue, id: Int) {
    guard let name = json[0]?.string else { return nil }
    (self.id, self.name) = (id, name)
    constants = [String: JSONValue]((json[1]?.object ?? [:]).map { ($0.key, $0.value) }) { $1 }
    let (promises, syncs) = (Self.numbers(json[3]), Self.numbers(json[4]))
    methods = (json[2]?.array ?? []).enumerated().map { id, method in
      "\(method.string ?? "?"): \(promises.contains(id) ? "promise" : syncs.contains(id) ? "sync" : "async")"
    }
  }

  private static func numbers(_ json: JSONValue?) -> Set<Int> { Set((json?.array ?? []).compactMap(\.int)) }

  public var description: String {
    "\(id) \(name) \(JSONValue.object(JSONObject(constants.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))) \(methods)"
  }
}

extension TestBridge {
  /// The entries of all modules that export anything, by number. Makes the instances of those that have constants.
  public func configTable() async throws -> [ConfigTableEntry] {
    let entries = try await bridge.configTable()["remoteModuleConfig"]?.array ?? []
    return entries.enumerated().compactMap { id, entry in ConfigTableEntry(entry, id: id) }
  }

  /// The entry of one module; nil if the bridge has no module of that name, or it exports nothing.
  public func entry(of module: String) async throws -> ConfigTableEntry? {
    try await configTable().first { $0.name == module }
  }
}
