import JSON

/// What the core tells a plugin.
package enum HostNotification: Equatable, Sendable {
  case initialize(pluginID: Int, [BufferDescription])
  case newBuffer([BufferDescription])
  case didSave(ViewID, path: String)
  case didClose(ViewID)
  case configChanged(ViewID, changes: JSONObject)
  case languageChanged(ViewID, languageID: String)
  /// The answer is ``PluginNotification/showHover(_:requestID:_:)``. The position is an offset.
  case getHover(ViewID, requestID: Int, position: Int)
  case customCommand(ViewID, method: String, params: JSONValue)
  case tracingConfig(enabled: Bool)
  case shutDown
}

/// What the core asks a plugin.
package enum HostRequest: Equatable, Sendable {
  case update(ViewID, TextChange)
  case collectTrace
}

/// A text as a plugin comes to know it.
package struct BufferDescription: Equatable, Sendable, WireObject {
  package var id: Int
  package var views: [ViewID]
  package var revision: Int
  package var byteCount: Int
  package var lineCount: Int
  package var path: String?
  package var language: String
  package var config: JSONObject

  package init(
    id: Int, views: [ViewID], revision: Int, byteCount: Int, lineCount: Int, path: String?, language: String,
    config: JSONObject
  ) {
    (self.id, self.views, self.revision) = (id, views, revision)
    (self.byteCount, self.lineCount) = (byteCount, lineCount)
    (self.path, self.language, self.config) = (path, language, config)
  }

  static let blank = BufferDescription(
    id: 0, views: [], revision: 0, byteCount: 0, lineCount: 0, path: nil, language: "", config: [:])
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(
      id: wire("buffer_id", id), views: wire("views", views), revision: wire("rev", revision),
      byteCount: wire("buf_size", byteCount), lineCount: wire("nb_lines", lineCount),
      path: wire.nullable("path", path), language: wire("syntax", language), config: wire("config", config))
  }
}

/// What has become of a text.
package struct TextChange: Equatable, Sendable, WireObject {
  /// Nil where it would be large: the text is to be asked for anew.
  package var delta: TextDelta?
  package var byteCount: Int
  package var lineCount: Int
  package var revision: Int
  package var undoGroup: Int?
  package var kind: String
  package var author: String

  package init(
    delta: TextDelta?, byteCount: Int, lineCount: Int, revision: Int, undoGroup: Int?, kind: String, author: String
  ) {
    (self.delta, self.byteCount, self.lineCount) = (delta, byteCount, lineCount)
    (self.revision, self.undoGroup, self.kind, self.author) = (revision, undoGroup, kind, author)
  }

  static let blank = TextChange(
    delta: nil, byteCount: 0, lineCount: 0, revision: 0, undoGroup: nil, kind: "", author: "")
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(
      delta: wire.nullable("delta", delta), byteCount: wire("new_len", byteCount),
      lineCount: wire("new_line_count", lineCount), revision: wire("rev", revision),
      undoGroup: wire.nullable("undo_group", undoGroup), kind: wire("edit_type", kind), author: wire("author", author))
  }
}

/// A text made of pieces of another one, whose length says which, and of new ones.
package struct TextDelta: Equatable, Sendable, WireObject {
  package enum Element: Equatable, Sendable, WireValue {
    case copy(Range<Int>)
    case insert(String)

    static func read(_ json: JSONValue, of method: String) throws(ProtocolError) -> Self? {
      if let text = json["insert"]?.string { return .insert(text) }
      return Range<Int>.read(json["copy"] ?? .null, of: method).map(Self.copy)
    }

    func write(to writer: inout JSONWriter) {
      writer.beginObject()
      switch self {
      case .copy(let range):
        writer.key("copy")
        range.write(to: &writer)
      case .insert(let text):
        writer.key("insert")
        writer.write(text)
      }
      writer.endObject()
    }
  }

  package var baseByteCount: Int
  package var elements: [Element]

  package init(baseByteCount: Int, elements: [Element]) {
    (self.baseByteCount, self.elements) = (baseByteCount, elements)
  }

  static let blank = TextDelta(baseByteCount: 0, elements: [])
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(baseByteCount: wire("base_len", baseByteCount), elements: wire("els", elements))
  }
}

/// What a plugin tells the core.
package enum PluginNotification: Equatable, Sendable {
  case edit(ViewID, PluginEdit)
  case addScopes([[String]])
  case updateSpans(ViewID, MarkedPart, [ScopeSpan])
  case updateAnnotations(ViewID, MarkedPart, type: AnnotationType, [AnnotatedSpan])
  case addStatusItem(ViewID, key: String, value: String, alignment: String)
  case updateStatusItem(ViewID, key: String, value: String)
  case removeStatusItem(ViewID, key: String)
  case showHover(ViewID, requestID: Int, HoverResult)
  case alert(String)

  /// Which text it is about.
  package var view: ViewID? {
    switch self {
    case .edit(let view, _), .updateSpans(let view, _, _), .updateAnnotations(let view, _, _, _),
      .addStatusItem(let view, _, _, _), .updateStatusItem(let view, _, _), .removeStatusItem(let view, _),
      .showHover(let view, _, _):
      view
    case .addScopes, .alert: nil
    }
  }
}

/// What a plugin asks the core.
package enum PluginRequest: Equatable, Sendable {
  case getData(ViewID, TextQuery)
  case lineCount(ViewID)
  case getSelections(ViewID)

  package var view: ViewID {
    switch self {
    case .getData(let view, _), .lineCount(let view), .getSelections(let view): view
    }
  }
}

package struct PluginEdit: Equatable, Sendable, WireObject {
  package var revision: Int
  package var delta: TextDelta
  package var priority: Int64?
  package var undoGroup: Int64?

  package init(revision: Int, delta: TextDelta, priority: Int64? = nil, undoGroup: Int64? = nil) {
    (self.revision, self.delta, self.priority, self.undoGroup) = (revision, delta, priority, undoGroup)
  }

  static let blank = PluginEdit(revision: 0, delta: .blank)
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(
      revision: wire("rev", revision), delta: wire("delta", delta), priority: wire("priority", priority),
      undoGroup: wire("undo_group", undoGroup))
  }
}

/// The part of a text, as it was at a revision, in which a plugin's marks take the place of those before.
package struct MarkedPart: Equatable, Sendable, WireObject {
  package var start: Int
  package var length: Int
  package var revision: Int

  package init(start: Int, length: Int, revision: Int) {
    (self.start, self.length, self.revision) = (start, length, revision)
  }

  static let blank = MarkedPart(start: 0, length: 0, revision: 0)
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(start: wire("start", start), length: wire("len", length), revision: wire("rev", revision))
  }
}

/// Offsets from the start of a ``MarkedPart``.
package struct ScopeSpan: Equatable, Sendable, WireObject {
  package var start: Int
  package var end: Int
  package var scope: Int

  package init(start: Int, end: Int, scope: Int) { (self.start, self.end, self.scope) = (start, end, scope) }

  static let blank = ScopeSpan(start: 0, end: 0, scope: 0)
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(start: wire("start", start), end: wire("end", end), scope: wire("scope_id", scope))
  }
}

/// Offsets from the start of a ``MarkedPart``.
package struct AnnotatedSpan: Equatable, Sendable, WireObject {
  package var start: Int
  package var end: Int
  package var data: JSONValue?

  package init(start: Int, end: Int, data: JSONValue?) { (self.start, self.end, self.data) = (start, end, data) }

  static let blank = AnnotatedSpan(start: 0, end: 0, data: nil)
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(start: wire("start", start), end: wire("end", end), data: wire("data", data))
  }
}

/// `{"Other": name}`, or the name alone.
package struct AnnotationType: Equatable, Sendable, WireValue {
  package var name: String

  package init(_ name: String) { self.name = name }

  static func read(_ json: JSONValue, of method: String) -> Self? {
    (json["Other"]?.string ?? json.string).map(Self.init)
  }

  func write(to writer: inout JSONWriter) { writer.write(JSONValue.object(["Other": .string(name)])) }
}

/// `{"Ok": {"content": text}}`, or `{"Err": …}`.
package enum HoverResult: Equatable, Sendable, WireValue {
  case content(String)
  case failed(JSONValue)

  static func read(_ json: JSONValue, of method: String) -> Self? {
    if let text = json["Ok"]?["content"]?.string { return .content(text) }
    return json["Err"].map(Self.failed)
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .content(let text): writer.write(JSONValue.object(["Ok": ["content": .string(text)]]))
    case .failed(let reason): writer.write(JSONValue.object(["Err": reason]))
    }
  }
}

/// Which piece of a text, as it was at a revision.
package struct TextQuery: Equatable, Sendable, WireObject {
  /// An offset, or a line where the unit says so.
  package var start: Int
  package var unit: String?
  package var byteCount: Int
  package var revision: Int

  package init(start: Int, unit: String?, byteCount: Int, revision: Int) {
    (self.start, self.unit, self.byteCount, self.revision) = (start, unit, byteCount, revision)
  }

  static let blank = TextQuery(start: 0, unit: nil, byteCount: 0, revision: 0)
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(
      start: wire("start", start), unit: wire("unit", unit), byteCount: wire("max_size", byteCount),
      revision: wire("rev", revision))
  }
}
