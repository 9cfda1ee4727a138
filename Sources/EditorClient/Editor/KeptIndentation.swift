import JSON

/// How a view is indented. A core finds that in the file as it opens it: another one, later, in another text.
struct KeptIndentation {
  private static let names = ["tab_size", "translate_tabs_to_spaces"]

  /// As the present core has it.
  private var told = JSONObject()
  /// As the one before it had it, until the view goes on.
  private var kept: JSONObject?

  /// - Parameter changes: Of the settings of a view.
  mutating func note(_ changes: JSONObject) {
    for name in Self.names { if let value = changes[name] { told[name] = value } }
  }

  mutating func coreHasEnded() {
    kept = kept ?? told
    told = JSONObject()
  }

  /// What the new core is to be told, before it is sent text; nil for nothing.
  mutating func takeChanges() -> JSONObject? {
    guard let old = kept else { return nil }
    kept = nil
    var changes = JSONObject()
    for member in old where told[member.key] != nil && told[member.key] != member.value {
      changes[member.key] = member.value
    }
    return changes.isEmpty ? nil : changes
  }
}
