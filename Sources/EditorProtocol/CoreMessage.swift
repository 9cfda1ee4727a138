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

package struct PluginState: Equatable, Sendable {
  package var name: String
  package var isRunning: Bool

  package init(name: String, isRunning: Bool) {
    self.name = name
    self.isRunning = isRunning
  }
}

/// How far the search for one query is. Messages on the way have no `chars` and no `lines`.
package struct FindStatus: Equatable, Sendable {
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

  package init(
    id: Int, chars: String?, caseSensitive: Bool? = nil, isRegex: Bool? = nil, wholeWords: Bool? = nil, matches: Int,
    lines: [Int] = [], current: Int? = nil, hasWrapped: Bool = false
  ) {
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
}

package struct StatusItem: Equatable, Sendable {
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
}

/// What a style id of 8 or more looks like. Colours are 0xAARRGGBB.
package struct StyleDefinition: Equatable, Sendable {
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
}

/// What the core knows of a view's file.
package struct FileInformation: Equatable, Sendable {
  package enum LineEnding: String, Sendable {
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

  package init(
    path: String?, encoding: TextEncoding? = .utf8, lineEnding: LineEnding = .lineFeed, hasFinalNewline: Bool = true,
    isReadOnly: Bool = false, isNew: Bool = false, usedByProcess: Int? = nil, recoveryID: String? = nil
  ) {
    self.path = path
    self.encoding = encoding
    self.lineEnding = lineEnding
    self.hasFinalNewline = hasFinalNewline
    self.isReadOnly = isReadOnly
    self.isNew = isNew
    self.usedByProcess = usedByProcess
    self.recoveryID = recoveryID
  }
}

/// How far a long task is; in bytes, or in whatever the task counts.
package struct Progress: Equatable, Sendable {
  package enum Task: String, Sendable { case load, find, replace, goto, save }

  package var task: Task
  package var done: Int
  package var total: Int

  package init(_ task: Task, done: Int, total: Int) {
    self.task = task
    self.done = done
    self.total = total
  }
}

package struct RecoveryOffer: Equatable, Sendable {
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
}

/// A request from the core to a front end.
package enum CoreRequest: Equatable, Sendable {
  /// The answer is a list of widths for each item, in the units of `resize`.
  case measureWidth([MeasureWidth])
}

package struct MeasureWidth: Equatable, Sendable {
  package var style: Int
  package var strings: [String]

  package init(style: Int, strings: [String]) {
    self.style = style
    self.strings = strings
  }
}
