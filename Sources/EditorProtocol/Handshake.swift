/// What a side of this project says about itself: the member `xiedit` of `client_started`, and the notification
/// `xiedit_core`, which the core sends as its first message if that member was there, and never otherwise.
///
/// Nothing waits for it. An answer to `new_view` that comes before `xiedit_core` means a foreign core: then none of the
/// extensions is sent.
package struct Handshake: Equatable, Sendable, WireObject {
  package static let currentVersion = 1

  package var version: Int
  /// The Unicode version of widths and clusters; another one on the other side is worth a message.
  package var unicode: String
  package var extensions: [Extension]
  /// Where the core reads the user's settings; the file need not be there.
  package var settingsPath: String?

  package init(
    version: Int = currentVersion, unicode: String, extensions: [Extension] = Extension.allCases,
    settingsPath: String? = nil
  ) {
    self.version = version
    self.unicode = unicode
    self.extensions = extensions
    self.settingsPath = settingsPath
  }

  static let blank = Handshake(unicode: "")
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try Self(
      version: wire("version", version), unicode: wire("unicode", unicode),
      extensions: wire.lenient("extensions", extensions), settingsPath: try? wire("settings", settingsPath))
  }
}

/// What one side may use when the other has announced it.
package enum Extension: String, CaseIterable, Sendable, WireValue {
  /// ``ViewUpdate/handledEdits``.
  case editCount = "edit_count"
  /// ``UpdateLine/Window``: lines over 16 kB are sent in part.
  case partialLines = "partial_lines"
  /// The request `xiedit_save` and the notification `xiedit_file`.
  case files
  /// `xiedit_progress` and `xiedit_cancel`.
  case progress
  /// `xiedit_recovery` and `xiedit_recover`.
  case recovery
  /// `xiedit_changed` and `xiedit_reload`.
  case reload
  /// `xiedit_encoding`.
  case encodings
  /// The edit `xiedit_insert_bytes`.
  case bytes
  /// The edit `xiedit_goto`.
  case gotoPosition = "goto_position"
  /// The edit `xiedit_refuse_match`.
  case refuseMatch = "refuse_match"
  /// ``HeldCopy``: what is copied can stay with the core.
  case heldCopies = "held_copies"
  /// The request `xiedit_paths`.
  case paths
  /// The requests `xiedit_list_files` and `xiedit_search_files`, and the notification `xiedit_end_task`.
  case folder
  /// `xiedit_keys`.
  case keys
  /// ``FindStatus/current``.
  case matchPlace = "match_place"
  /// ``FindStatus/problem``.
  case findProblems = "find_problems"
  /// A file that is open is shown by one more view of the same document.
  case sharedDocuments = "shared_documents"
  /// ``ViewUpdate/changes``, the request `xiedit_change`, and edits that go to changed lines and put back what they were.
  case changes
  /// ``ViewUpdate/bookmarks``, and the edits that mark lines and go to them.
  case bookmarks
  /// The edit `xiedit_also_shown`.
  case panes
  /// What an editor of code does of itself: languages, indentation, pairs, `.editorconfig`; and the edits for lines, comments and brackets.
  case codeEditing = "code_editing"
  /// The request `xiedit_run_command`.
  case shellCommands = "shell_commands"
  /// The request `xiedit_words` and the edit `xiedit_complete_word`.
  case wordCompletion = "word_completion"
}
