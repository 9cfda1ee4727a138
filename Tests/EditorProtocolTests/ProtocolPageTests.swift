import Foundation
import JSON
import Testing

@testable import EditorProtocol

/// `PROTOCOL.md` tells of every message with all its members, which of them may be left out, and of no others.
@Suite struct ProtocolPageTests {
  private static let page: String = {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/EditorProtocol/PROTOCOL.md")
    return (try? String(contentsOf: url, encoding: .utf8)) ?? ""
  }()

  /// The rows of the tables under each heading, by what stands in their first cell.
  private static let rows: [String: [String: String]] = {
    var rows: [String: [String: String]] = [:]
    var (chapter, heading) = ("", "")
    for line in page.split(separator: "\n").map(String.init) {
      if line.hasPrefix("## ") {
        (chapter, heading) = (line, line)
      } else if line.hasPrefix("### ") {
        heading = chapter + line.dropFirst(3)
      } else if let cell = line.wholeMatch(of: /\| `?([^`|]+?)`? (\|.*)/) {
        rows[heading, default: [:]][String(cell.1)] = String(cell.2)
      }
    }
    return rows
  }()

  /// Of each kind its members, and whether they may be left out: by who writes to the core, or by the core.
  private static func members<T: WireMessage>(
    of kinds: [String: T], toCore: Bool = true
  ) throws -> [String: [String: Bool]] {
    try kinds.mapValues { blank in
      var wire = Wire.describing
      _ = try blank.kind(over: &wire)
      return members(.object(wire.description), toCore: toCore)
    }
  }

  private static func members(_ described: JSONValue, toCore: Bool) -> [String: Bool] {
    let members = (described.object ?? [:]).map { ($0.key, toCore ? $0.value != "required" : $0.value == "optional") }
    return Dictionary(uniqueKeysWithValues: members)
  }

  /// The members that a text names, such as `(view), `a`, `b?`` or `{a, b?}`.
  private static func members(in text: Substring) -> [String: Bool] {
    let names = text.replacing("(view)", with: "view_id").matches(of: /(\w+)(\??)/)
    return Dictionary(names.map { (String($0.1), !$0.2.isEmpty) }) { first, _ in first }
  }

  private func expect(_ members: [String: [String: Bool]], under heading: String) throws {
    var rows = try #require(Self.rows[heading])
    rows["method"] = nil
    #expect(Set(rows.keys) == Set(members.keys), "\(heading)")
    for (method, row) in rows {
      let cell = row.dropFirst().prefix { $0 != "|" }
      #expect(Self.members(in: cell) == members[method], "\(method), \(heading)")
    }
  }

  @Test func messages() throws {
    try expect(Self.members(of: FrontEndNotification.kinds), under: "## Front end to core Notifications")
    try expect(Self.members(of: FrontEndRequest.kinds), under: "## Front end to core Requests")
    let edits = EditCommand.kinds.filter { PlainEdit(rawValue: $0.key) == nil }
    // The requests `cut` and `copy` are told of with the others.
    try expect(Self.members(of: edits), under: "## What `edit` can do With parameters")
    try expect(
      Self.members(of: CoreNotification.kinds, toCore: false), under: "## Core to front end Notifications")
    try expect(["measure_width": ["id": false, "strings": false]], under: "## Core to front end Requests")
    try expect(
      Self.members(of: HostNotification.kinds, toCore: false), under: "## Plugins Core to plugin: notifications")
    try expect(Self.members(of: HostRequest.kinds, toCore: false), under: "## Plugins Core to plugin: requests")
    try expect(Self.members(of: PluginNotification.kinds), under: "## Plugins Plugin to core: notifications")
    try expect(Self.members(of: PluginRequest.kinds), under: "## Plugins Plugin to core: requests")
  }

  /// What is in messages, as `{a, b?}`.
  @Test func objects() throws {
    let told = Self.page.matches(of: /`\{([\w?, ]+)\}`/).map { Self.members(in: $0.1) }
    func expect(_ blank: some WireObject) throws {
      var wire = Wire.describing
      _ = try blank.passed(over: &wire)
      let members = Self.members(.object(wire.description), toCore: false)
      #expect(told.contains(members), "\(type(of: blank)): \(members)")
    }
    try expect(ViewUpdate.blank)
    try expect(UpdateLine.blank)
    try expect(Annotation.blank)
    try expect(PluginState.blank)
    try expect(HeldCopy.blank)
    try expect(KeySettings.Entry.blank)
    try expect(PathCompletion.blank)
    try expect(FoundLine.blank)
    try expect(BufferDescription.blank)
    try expect(TextDelta.blank)
    try expect(PluginEdit.blank)
    try expect(ScopeSpan.blank)
    try expect(AnnotatedSpan.blank)
  }

  @Test func plainEdits() throws {
    let rows = try #require(Self.rows["## What `edit` can do Without parameters"])
    let named = rows.flatMap { row in row.value.matches(of: /`(\w+)`/).map { String($0.1) } }
    #expect(named.sorted() == PlainEdit.allCases.map(\.rawValue).sorted())
  }

  @Test func extensions() throws {
    let extensions = try #require(Self.rows["## The handshake and the extensions"]).keys.filter { $0 != "extension" }
    #expect(extensions.sorted() == Extension.allCases.map(\.rawValue).sorted())
  }
}
