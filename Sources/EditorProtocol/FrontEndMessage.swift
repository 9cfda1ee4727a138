import JSON

/// A notification from a front end to the core.
package enum FrontEndNotification: Equatable, Sendable {
  /// The first message, once.
  case clientStarted(ClientStarted)
  case closeView(ViewID)
  case save(ViewID, path: String)
  case setTheme(name: String)
  case setLanguage(ViewID, languageID: String)
  case modifyUserConfig(ConfigDomain, changes: JSONObject)
  /// Counted for each view by both sides, together with `cut` and `copy`: see ``ViewUpdate/handledEdits``.
  case edit(ViewID, EditCommand)
  case plugin(ViewID, PluginCommand)
  case tracingConfig(enabled: Bool)
  /// Samples are Chrome trace events.
  case saveTrace(destination: String, frontEndSamples: [JSONValue])
  /// Extension: ends the search, replacement or goto that `xiedit_progress` reports.
  case cancel(ViewID)
  /// Extension: the answer to ``CoreNotification/recoveryFound(_:)``.
  case recover(ViewID, recoveryID: String, RecoveryChoice)
  /// Extension: makes the text that of the file, in one undo step.
  case reload(ViewID)
  /// Extension: ``ViewUpdate/changes`` are those from the file as it is on the disk, until it is saved or read again, or asked for once more.
  case compareWithDisk(ViewID)
  /// Extension: reads the file again as a text in that encoding, in one undo step, or writes the text so from the next save on.
  case setEncoding(ViewID, TextEncoding, readsAgain: Bool)
  /// Extension: ends what a ``FolderTask`` does.
  case endTask(Int)
}

package struct ClientStarted: Equatable, Sendable, WireObject {
  package var configDirectory: String?
  package var clientExtrasDirectory: String?
  /// The member `xiedit`, from front ends that know the extensions.
  package var handshake: Handshake?

  package init(configDirectory: String? = nil, clientExtrasDirectory: String? = nil, handshake: Handshake? = nil) {
    self.configDirectory = configDirectory
    self.clientExtrasDirectory = clientExtrasDirectory
    self.handshake = handshake
  }

  static let blank = ClientStarted()
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(
      configDirectory: wire("config_dir", configDirectory),
      clientExtrasDirectory: wire("client_extras_dir", clientExtrasDirectory),
      handshake: try? wire("xiedit", handshake))
  }
}

/// Which table of the configuration `modify_user_config` changes.
package enum ConfigDomain: Equatable, Sendable {
  case general
  case language(String)
  case userOverride(ViewID)
}

package enum PluginCommand: Equatable, Sendable {
  case start(name: String)
  case stop(name: String)
  case rpc(receiver: String, method: String, params: JSONValue, isRequest: Bool)
}

/// What becomes of text that a crash has left behind.
package enum RecoveryChoice: String, Equatable, Sendable, WireValue {
  /// Apply it to the view.
  case restore
  /// Remove it.
  case discard
  /// Keep it for another time.
  case later
}

/// A request from a front end to the core.
package enum FrontEndRequest: Equatable, Sendable {
  /// The answer is the view's id.
  case newView(NewView)
  /// The answer is the merged table.
  case getConfig(ViewID)
  /// The answer is the whole text.
  case debugGetContents(ViewID)
  /// The answer is the text, or null when no region has any.
  ///
  /// Extension: more than `holdAbove` bytes stay with the core, and the answer is a ``HeldCopy``.
  case cut(ViewID, holdAbove: Int? = nil)
  case copy(ViewID, holdAbove: Int? = nil)
  /// Extension: saves, and answers when it is done: `{}`, or an error of ``ErrorCode``.
  ///
  /// - Parameter makesFolders: Those above it that are missing, rather than refuse (``ErrorCode/folderMissing``).
  case saveFile(ViewID, path: String, OverwritePolicy, makesFolders: Bool = false)
  /// Extension: answers `{}` when the motions to a match that came before have been made, or are not wanted any more.
  case motionsEnd(ViewID)
  /// Extension: the answer is the ``EarlierLines`` of the changed ones at the caret, or null.
  case change(ViewID)
  /// Extension: what a typed path is on the file system of the core, and may become; the answer is a ``PathCompletion``.
  case completePath(String)
  /// Extension: begins a task of that number, or asks for more of what it finds; the answer is a ``FolderPiece``.
  case folder(Int, FolderTask)
  /// Extension: runs a command of the shell for the text, and answers `{}` when what it wrote is in it, as one undo step; or with an error
  /// (``ErrorCode/commandFailed``), and nothing has changed. ``FrontEndNotification/cancel(_:)`` ends it.
  case runCommand(ViewID, String, CommandUse)
  /// Extension: the answer is a ``WordList``.
  case words(ViewID)
}

/// What becomes of what a command of the shell writes.
package enum CommandUse: String, Equatable, Sendable, WireValue {
  /// It reads a selection, and what it writes takes the place of that: each selection by itself, or the lines of the carets.
  case filter
  /// It reads nothing, and what it writes goes in at each region.
  case insert
}

/// A typed path as the core sees it, which may run on another machine than the front end.
package struct PathCompletion: Equatable, Sendable, WireObject {
  /// With the home folder of the core's user in place of a leading `~`.
  package var path: String
  /// The sorted names in its folder that begin as its last part does; folders end in `/`.
  package var names: [String]

  package init(path: String, names: [String]) {
    self.path = path
    self.names = names
  }

  /// nil for any other answer.
  package init?(_ json: JSONValue) { self.init(reading: json) }
  package var json: JSONValue { written }

  static let blank = PathCompletion(path: "", names: [])
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(path: wire("path", path), names: wire("names", names))
  }
}

/// What was cut or copied and is too long to be sent to and fro: the core holds it until more is, and puts it in by ``EditCommand/pasteHeld(_:)``.
package struct HeldCopy: Equatable, Sendable, WireObject {
  package var id: Int
  package var byteCount: Int

  package init(id: Int, byteCount: Int) {
    self.id = id
    self.byteCount = byteCount
  }

  /// nil for any other answer.
  package init?(_ json: JSONValue) { self.init(reading: json) }
  package var json: JSONValue { written }

  static let blank = HeldCopy(id: 0, byteCount: 0)
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(id: wire("held", id), byteCount: wire("bytes", byteCount))
  }
}

package struct NewView: Equatable, Sendable, WireObject {
  package var path: String?
  /// Extension (member `xiedit.read_only`): edits are refused.
  package var isReadOnly: Bool
  /// Extension (member `xiedit.recover`): start from this journal, the one that a core left which died under this very
  /// front end, or one that was offered. ``CoreNotification/recovered(_:handledEdits:hasSelection:)`` follows.
  package var recoveryID: String?
  /// Extension (member `xiedit.reuse`): where a view of the file is open the answer is that one, and nothing is opened.
  package var reusesView: Bool
  /// Extension (member `xiedit.existing`): a file that is not there is an error (``ErrorCode/vanished``), not a new one.
  package var mustExist: Bool

  package init(
    path: String? = nil, isReadOnly: Bool = false, recoveryID: String? = nil, reusesView: Bool = false,
    mustExist: Bool = false
  ) {
    self.reusesView = reusesView
    self.mustExist = mustExist
    self.path = path
    self.isReadOnly = isReadOnly
    self.recoveryID = recoveryID
  }

  static let blank = NewView()
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    let path = try wire("file_path", path)
    return try wire.object("xiedit", isOptional: true) { (extras) throws(ProtocolError) in
      try Self(
        path: path, isReadOnly: extras("read_only", isReadOnly, unless: false),
        recoveryID: extras("recover", recoveryID), reusesView: extras("reuse", reusesView, unless: false),
        mustExist: extras("existing", mustExist, unless: false))
    }
  }
}

/// What a save does to a file that is already there.
package enum OverwritePolicy: String, Equatable, Sendable, WireValue {
  /// Refuse if it changed since it was read or written here (``ErrorCode/changedOnDisk``,
  /// ``ErrorCode/vanished``).
  case ifUnchanged = "if_unchanged"
  /// Refuse if there is one (``ErrorCode/fileExists``): save as.
  case ifNew = "if_new"
  case always
}
