import EditorProtocol

/// The user's settings, as a file in a buffer.
extension Files {
  /// Opens the settings of the core that runs.
  func openSettings() {
    guard let path = core.handshake?.settingsPath else {
      return notices.show("This core does not tell where its settings are", isAlarm: true)
    }
    gate.whenCaretsAreKnown { [unowned self] in
      views.noteJump()
      openSettings(at: path)
    }
  }

  /// A file that is not there yet begins with all that can be set, each line as a comment.
  package func openSettings(at path: String) {
    open(path: path)
    guard let view = views.current, view.file == nil else { return }
    view.contentsIfNew = SettingsTemplate.commented
    gate.wait(
      to: "open \(view.name)", .isOrdered,
      until: { view.contentsIfNew == nil ? .over : InputGate.readiness(of: view) == .failed ? .failed : .waiting })
  }
}

/// All that can be set: settings with what holds unless something is said, or an example. The manual shows the same lines.
package enum SettingsTemplate {
  package static let text = """
    tab_size = 4                      # cells
    translate_tabs_to_spaces = true   # what Tab types
    use_tab_stops = true              # Backspace takes a step of blanks
    autodetect_whitespace = true      # tabs and width as the file has them
    auto_indent = true                # Enter goes on below the line's beginning
    word_wrap = false                 # lines are broken at the edge
    wrap_width = 0                    # or at so many bytes
    text_width = 80                   # columns of lines that Alt-Q breaks anew
    line_numbers = "absolute"         # or "relative" to the caret, "off"
    show_whitespace = "none"          # or "selection", "trailing", "all"
    rulers = []                       # tinted columns, like [80, 120]
    indent_guides = false             # lines at the steps of the indentation
    scroll_margin = 0                 # lines in sight above and below the caret
    change_marks = "head"             # git's last commit; or "saved", "none"
    restore_position = true           # a file opens where it was closed
    keep_undo = true                  # after a file was closed, too
    save_with_newline = true          # for new files
    insert_final_newline = false      # for all files
    trim_trailing_whitespace = false  # at a save; not before the caret
    auto_close = true                 # brackets and quotes come in pairs
    charset = "UTF-8"                 # of new files
    surrounding_pairs = [["(", ")"]]  # typed around a selection
    theme = "dark"                    # or "light", "contrast", "terminal", one below
    key_set = "nano"                  # or "emacs", "default"

    [keys]                            # over those of the set
    "Alt-J" = "duplicate_line"
    "^K ^S" = "save"                  # a chord: one after the other
    "Alt-Z" = "none"                  # does nothing

    [files."*.py"]                    # for some files; with a / for paths
    tab_size = 4

    [languages.Markdown]              # for a language
    word_wrap = true

    [themes.night]                    # colours; others are the terminal's
    background = "#101820"
    foreground = "#d0d0d0"
    selection = "#304860"
    selection_foreground = "#ffffff"
    find_highlight = "#806000"
    find_highlight_foreground = "#ffffff"
    gutter = "#101820"
    gutter_foreground = "#607080"
    brackets_foreground = "#ffcc66"
    added = "#80c080"                 # the signs of changed lines
    modified = "#d0b060"
    removed = "#e07070"
    whitespace = "#405060"            # the signs for blanks
    ruler = "#182838"
    guide = "#283848"                 # the lines of indent_guides
    status = "#203040"
    status_foreground = "#ffffff"
    comment = "#8090a0"               # also string, constant, keyword, storage,
    keyword = "#d080e0"               # entity, support, variable, invalid, markup

    """

  package static var commented: String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return """
      # The settings of xiedit. Take away the # before what you want to change, and save: it holds at once.
      # `man xiedit` says more, and has the names of all commands for the keys.

      \(lines.map { $0.isEmpty ? "" : "# \($0)" }.joined(separator: "\n"))

      """
  }
}
