import JSON

/// What the user's settings say of keys. Which keys and commands there are only the front end knows: it tells the mistakes.
package struct KeySettings: Equatable, Sendable {
  package struct Entry: Equatable, Sendable {
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
}

extension KeySettings {
  var json: JSONValue {
    .members(
      ("path", .string(path)), ("set", set.map(JSONValue.string)), ("set_line", setLine.map { JSONValue($0) }),
      ("keys", .array(entries.map(\.json))))
  }

  init(_ reader: ParamsReader) throws(ProtocolError) {
    self.init(
      path: try reader.string("path"), set: try reader.optionalString("set"),
      setLine: try reader.optionalCount("set_line"),
      entries: try reader.array("keys") { (entry) throws(ProtocolError) in
        try Entry(ParamsReader(reader.method, entry))
      })
  }
}

extension KeySettings.Entry {
  fileprivate var json: JSONValue {
    .members(("keys", .string(keys)), ("command", .string(command)), ("line", line.map { JSONValue($0) }))
  }

  fileprivate init(_ reader: ParamsReader) throws(ProtocolError) {
    self.init(
      keys: try reader.string("keys"), command: try reader.string("command"), line: try reader.optionalCount("line"))
  }
}
