/// What the user's settings say of keys. Which keys and commands there are only the front end knows: it tells the mistakes.
package struct KeySettings: Equatable, Sendable, WireObject {
  package struct Entry: Equatable, Sendable, WireObject {
    /// As it stands in the file: one key or several with blanks between them.
    package var keys: String
    /// The name of a command; empty or `none` for keys that shall do nothing.
    package var command: String
    /// Of the file, from 1; nil when it cannot be told.
    package var line: Int?

    package init(keys: String, command: String, line: Int? = nil) {
      self.keys = keys
      self.command = command
      self.line = line
    }

    static let blank = Self(keys: "", command: "")
    func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
      try Self(keys: wire("keys", keys), command: wire("command", command), line: wire("line", line))
    }
  }

  /// Of the settings file.
  package var path: String
  /// The name of the set that the keys below change; nil for the standard.
  package var set: String?
  package var setLine: Int?
  /// In the order of their lines.
  package var entries: [Entry]

  package init(path: String, set: String? = nil, setLine: Int? = nil, entries: [Entry] = []) {
    self.path = path
    self.set = set
    self.setLine = setLine
    self.entries = entries
  }

  static let blank = KeySettings(path: "")
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(
      path: wire("path", path), set: wire("set", set), setLine: wire("set_line", setLine),
      entries: wire("keys", entries))
  }
}
