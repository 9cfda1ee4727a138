import JSON

/// A notification from the core to a front end.
package enum CoreNotification: Equatable, Sendable {
  case update(ViewID, ViewUpdate)
  /// Follows the update that it belongs to; the place of the caret that moved last.
  case scrollTo(ViewID, LineColumn)
  case defineStyle(StyleDefinition)
  /// `theme` is a table of nullable colours `{r, g, b, a}` and option strings.
  case themeChanged(name: String, theme: JSONObject)
  case availableThemes([String])
  case availableLanguages([String])
  case languageChanged(ViewID, languageID: String)
  /// The whole table at first, then only the keys that changed.
  case configChanged(ViewID, changes: JSONObject)
  case availablePlugins(ViewID, [PluginState])
  case pluginStarted(ViewID, plugin: String)
  case pluginStopped(ViewID, plugin: String, code: Int)
  /// The commands are those of the plugin's manifest.
  case updateCommands(ViewID, plugin: String, commands: [JSONValue])
  case findStatus(ViewID, [FindStatus])
  case replaceStatus(ViewID, chars: String, preserveCase: Bool)
  case alert(String)
  case addStatusItem(ViewID, StatusItem)
  case updateStatusItem(ViewID, key: String, value: String)
  case removeStatusItem(ViewID, key: String)
  case showHover(ViewID, requestID: Int, result: String)
  /// Extension: the first message of a core of this project.
  case handshake(Handshake)
  /// Extension: after `new_view`, and whenever one of its members changes.
  case fileInformation(ViewID, FileInformation)
  /// Extension: at most ten a second for a task, and one at its end, with `done` equal to `total`.
  case progress(ViewID, Progress)
  /// Extension: an earlier crash has left text for this file. ``FrontEndNotification/recover(_:recoveryID:_:)`` answers.
  case recoveryFound(RecoveryOffer)
  /// Extension: another program has written to the view's file. Either the view has been made to show it, or it was edited:
  /// then ``FrontEndNotification/reload(_:)`` would.
  case fileChanged(ViewID, isReloaded: Bool)
  /// Extension: the view holds what the journal held; the next `edit` that counts is number `handledEdits` (from 0).
  /// `hasSelection`: what is selected is what was then, all of it; else the front end selects what it knows.
  /// `isLeft`: the view holds the file instead, which has changed; the journal goes on in a view without a file.
  /// `savedEdits`: so many of these the file has: all, if it is as many; nil where no journal tells.
  case recovered(ViewID, handledEdits: Int, hasSelection: Bool, isLeft: Bool = false, savedEdits: Int? = nil)
  /// Extension: what the settings file says of keys, at the start if it does, and when that changes.
  case keySettings(KeySettings)
}

package struct PluginState: Equatable, Sendable, WireObject {
  package var name: String
  package var isRunning: Bool

  package init(name: String, isRunning: Bool) {
    self.name = name
    self.isRunning = isRunning
  }

  static let blank = PluginState(name: "", isRunning: false)
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(name: wire("name", name), isRunning: wire("running", isRunning))
  }
}

/// How far the search for one query is. Messages on the way have no `chars` and no `lines`.
package struct FindStatus: Equatable, Sendable, WireObject {
  package var id: Int
  package var chars: String?
  package var caseSensitive: Bool?
  package var isRegex: Bool?
  package var wholeWords: Bool?
  package var matches: Int
  /// The visual line, from 1, of each match.
  package var lines: [Int]
  /// Extension: which match is selected, from 1; nil when what is selected last is none.
  package var current: Int?
  /// Extension: it was come to past the end of the text, or past its start.
  package var hasWrapped: Bool
  /// Extension: why the query finds nothing, for the user.
  package var problem: String?

  package init(
    id: Int, chars: String?, caseSensitive: Bool? = nil, isRegex: Bool? = nil, wholeWords: Bool? = nil, matches: Int,
    lines: [Int] = [], current: Int? = nil, hasWrapped: Bool = false, problem: String? = nil
  ) {
    self.problem = problem
    self.current = current
    self.hasWrapped = hasWrapped
    self.id = id
    self.chars = chars
    self.caseSensitive = caseSensitive
    self.isRegex = isRegex
    self.wholeWords = wholeWords
    self.matches = matches
    self.lines = lines
  }

  static let blank = FindStatus(id: 0, chars: nil, matches: 0)
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(
      id: wire("id", id), chars: wire.nullable("chars", chars),
      caseSensitive: wire.nullable("case_sensitive", caseSensitive), isRegex: wire.nullable("is_regex", isRegex),
      wholeWords: wire.nullable("whole_words", wholeWords), matches: wire("matches", matches),
      lines: wire.lenient("lines", lines), current: wire("current", current),
      hasWrapped: wire("wrapped", hasWrapped, unless: false), problem: wire("problem", problem))
  }
}

package struct StatusItem: Equatable, Sendable, WireObject {
  package var source: String
  package var key: String
  package var value: String
  /// `left` or `right`.
  package var alignment: String

  package init(source: String, key: String, value: String, alignment: String) {
    self.source = source
    self.key = key
    self.value = value
    self.alignment = alignment
  }

  static let blank = StatusItem(source: "", key: "", value: "", alignment: "")
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(
      source: wire("source", source, or: ""), key: wire("key", key), value: wire("value", value),
      alignment: wire("alignment", alignment, or: "left"))
  }
}

/// What a style id of 8 or more looks like. Colours are 0xAARRGGBB.
package struct StyleDefinition: Equatable, Sendable, WireObject {
  package var id: Int
  package var foreground: UInt32?
  package var background: UInt32?
  /// As in CSS: 400 is normal, 700 bold.
  package var weight: Int?
  package var isItalic: Bool
  package var isUnderlined: Bool

  package init(
    id: Int, foreground: UInt32? = nil, background: UInt32? = nil, weight: Int? = nil, isItalic: Bool = false,
    isUnderlined: Bool = false
  ) {
    self.id = id
    self.foreground = foreground
    self.background = background
    self.weight = weight
    self.isItalic = isItalic
    self.isUnderlined = isUnderlined
  }

  static let blank = StyleDefinition(id: 0)
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(
      id: wire("id", id), foreground: wire("fg_color", foreground), background: wire("bg_color", background),
      weight: wire("weight", weight), isItalic: wire("italic", isItalic, unless: false),
      isUnderlined: wire("underline", isUnderlined, unless: false))
  }
}

/// What the core knows of a view's file.
package struct FileInformation: Equatable, Sendable, WireObject {
  package enum LineEnding: String, Sendable, WireValue {
    case lineFeed = "LF"
    case carriageReturnLineFeed = "CRLF"
    case mixed
  }

  /// nil for a view without a name.
  package var path: String?
  /// Nil for bytes that are no text in any.
  package var encoding: TextEncoding?
  package var lineEnding: LineEnding
  /// The file as it was read ended in a line end (true for an empty one).
  package var hasFinalNewline: Bool
  /// Edits are refused: asked for, or the file cannot be written.
  package var isReadOnly: Bool
  /// There is no such file yet.
  package var isNew: Bool
  /// Another process that has the file open in an editor of this project.
  package var usedByProcess: Int?
  /// What ``NewView/recoveryID`` takes when this core has died; nil when the view has no journal.
  package var recoveryID: String?
  /// The file is there no more, or is none any more: the text is in no file.
  package var isGone: Bool
  /// No journal has what is typed: it is lost with the core.
  package var isInMemoryOnly: Bool

  package init(
    path: String?, encoding: TextEncoding? = .utf8, lineEnding: LineEnding = .lineFeed, hasFinalNewline: Bool = true,
    isReadOnly: Bool = false, isNew: Bool = false, usedByProcess: Int? = nil, recoveryID: String? = nil,
    isGone: Bool = false, isInMemoryOnly: Bool = false
  ) {
    self.path = path
    self.encoding = encoding
    self.lineEnding = lineEnding
    self.hasFinalNewline = hasFinalNewline
    self.isReadOnly = isReadOnly
    self.isNew = isNew
    self.usedByProcess = usedByProcess
    self.recoveryID = recoveryID
    self.isGone = isGone
    self.isInMemoryOnly = isInMemoryOnly
  }

  static let blank = FileInformation(path: nil)
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(
      path: wire("path", path),
      encoding: TextEncoding(
        rawValue: wire("encoding", encoding?.rawValue ?? "binary", or: TextEncoding.utf8.rawValue)),
      lineEnding: wire("line_ending", lineEnding, or: .lineFeed),
      hasFinalNewline: wire("final_newline", hasFinalNewline, or: true),
      isReadOnly: wire("read_only", isReadOnly, or: false), isNew: wire("new", isNew, or: false),
      usedByProcess: wire("used_by", usedByProcess), recoveryID: wire("recovery_id", recoveryID),
      isGone: wire("gone", isGone, unless: false),
      isInMemoryOnly: wire("in_memory_only", isInMemoryOnly, unless: false))
  }
}

/// How far a long task is; in bytes, or in whatever the task counts.
package struct Progress: Equatable, Sendable, WireObject {
  package enum Task: String, Sendable, WireValue { case load, find, replace, goto, save, command }

  package var task: Task
  package var done: Int
  package var total: Int

  package init(_ task: Task, done: Int, total: Int) {
    self.task = task
    self.done = done
    self.total = total
  }

  static let blank = Progress(.load, done: 0, total: 0)
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(wire("task", task), done: wire("done", done), total: wire("total", total))
  }
}

package struct RecoveryOffer: Equatable, Sendable, WireObject {
  /// The view that has opened the file.
  package var view: ViewID
  package var recoveryID: String
  /// When the last edit was written, in seconds since 1970.
  package var time: Int
  /// The file is not the one that was edited: restoring needs a view of its own (``NewView/recoveryID``, without a path).
  package var baseChanged: Bool
  /// It is not a journal, but what a save would have written that was cut short.
  package var isInterruptedSave: Bool

  package init(view: ViewID, recoveryID: String, time: Int, baseChanged: Bool, isInterruptedSave: Bool = false) {
    self.isInterruptedSave = isInterruptedSave
    self.view = view
    self.recoveryID = recoveryID
    self.time = time
    self.baseChanged = baseChanged
  }

  static let blank = RecoveryOffer(view: .blank, recoveryID: "", time: 0, baseChanged: false)
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(
      view: wire("view_id", view), recoveryID: wire("recovery_id", recoveryID), time: wire("time", time, or: 0),
      baseChanged: wire("base_changed", baseChanged, or: false),
      isInterruptedSave: wire("interrupted_save", isInterruptedSave, unless: false))
  }
}

/// A request from the core to a front end.
package enum CoreRequest: Equatable, Sendable {
  /// The answer is a list of widths for each item, in the units of `resize`.
  case measureWidth([MeasureWidth])
}

package struct MeasureWidth: Equatable, Sendable, WireObject {
  package var style: Int
  package var strings: [String]

  package init(style: Int, strings: [String]) {
    self.style = style
    self.strings = strings
  }

  static let blank = MeasureWidth(style: 0, strings: [])
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(style: wire("id", style), strings: wire("strings", strings))
  }
}
