import EditorProtocol

/// The lists from which one thing is chosen.
extension Editor {
  /// The list of the views: the one that was shown before is the first, so that Enter goes back to it.
  func openBufferList() {
    guard view != nil else { return }
    let names = views.names
    let order = views.all.indices.sorted { views.all[$0].shownCount > views.all[$1].shownCount }
    let entries = (order.filter { $0 != views.currentIndex } + [views.currentIndex]).map { index in
      let view = views.all[index]
      return Menu.Entry(
        names[index], detail: view.path?.folder ?? "no file yet", key: views.isClean(view) ? "" : "modified"
      ) { editor in
        editor.gate.whenCaretsAreKnown { [views = editor.views] in
          if let index = views.all.firstIndex(where: { $0 === view }) { views.show(at: index) }
        }
      }
    }
    mode = Menu(self, "Buffer", entries, hasMeaningfulFirst: true)
  }

  /// What was copied before, to put it in.
  func openCopies() {
    let copies = clipboard.copies
    guard !copies.isEmpty || macros.isPlaying else { return notices.refuse("Nothing was copied yet") }
    let entries = copies.map { copy in
      Menu.Entry(copy.title, detail: copy.detail) { editor in
        editor.clipboard.take(copy)
        editor.macros.noteLastEdit(.command(.action(.paste)))
        editor.clipboard.paste()
      }
    }
    mode = Menu(self, "Paste", entries)
  }

  func openRecentFiles() {
    let entry = { (path: String) in
      Menu.Entry(path.pathName, detail: path.folder) { $0.files.visit(path: path, mustExist: true) }
    }
    let paths = files.recentPaths
    let shown = view?.path.map { [entry($0.absolutePath.fromHere)] } ?? []
    guard !paths.isEmpty || macros.isPlaying else { return notices.show("No file was open before") }
    mode = Menu(self, "Recent file", paths.map(entry), present: shown)
  }

  func openThemes() {
    guard !screen.themes.offered.isEmpty else { return notices.show("This core has no themes", isAlarm: true) }
    let entries = screen.themes.offered.map { name in
      Menu.Entry(name) { editor in
        editor.screen.themes.chosen = name
        editor.core.send(.setTheme(name: name))
        editor.notices.show("In the settings, theme = \"\(name)\" keeps it")
      }
    }
    mode = Menu(self, "Theme", entries)
  }

  /// Reading a file again, and saving it, in another encoding.
  func openEncodings() {
    guard let view else { return }
    guard core.supports(.encodings) else { return notices.show("This core knows UTF-8 alone", isAlarm: true) }
    let known = TextEncoding.allCases
    let reading = known.filter { $0 == $0.withoutMark }.map { encoding in
      Menu.Entry("Read the file again as \(encoding.rawValue)") {
        $0.files.setEncoding(encoding, of: view, readsAgain: true)
      }
    }
    let saving = known.map { encoding in
      Menu.Entry("Save from now on as \(encoding.rawValue)") {
        $0.files.setEncoding(encoding, of: view, readsAgain: false)
      }
    }
    let hasFile = view.path != nil && view.file?.isNew != true
    mode = Menu(self, "Encoding", (hasFile ? reading : []) + saving)
  }
}

extension Clipboard.Copy {
  /// Its first line that is not blank, or the beginning of that.
  fileprivate var title: String {
    let lines = text.utf8.split { $0 == 0x0A || $0 == 0x0D }
    let line = lines.lazy.map { $0.drop { $0 == 0x20 || $0 == 0x09 } }.first { !$0.isEmpty }
    return line.map { String(Substring($0).prefix(200)) } ?? "Blanks alone"
  }

  fileprivate var detail: String {
    let ends = text.utf8.count { $0 == 0x0A }
    let count = text.utf8.last == 0x0A ? ends : ends + 1
    return count > 1 ? "\(count) lines" : isLines ? "1 line" : ""
  }
}
