import EditorProtocol

/// All that is open: what it is called, the list, saving all of it.
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
        if let index = editor.views.all.firstIndex(where: { $0 === view }) { editor.views.show(at: index) }
      }
    }
    mode = Menu(self, "Buffer", entries)
  }

  func showPath() {
    guard let view else { return }
    notices.show(
      view.path.map(\.absolutePath) ?? "This buffer has no file yet; \(keys.label(of: .saveAs)) gives it one")
  }

  /// Saves each buffer that has changed; those without a file are told of.
  func saveAll() {
    let changed = views.all.filter { !views.isClean($0) && !($0.file?.isReadOnly ?? $0.isReadOnly) }
    let files = changed.compactMap { view in view.path.map { (view, $0) } }
    let unnamed = changed.count - files.count
    let rest = unnamed == 0 ? "" : "; \(unnamed) without a file \(unnamed == 1 ? "is" : "are") not"
    guard !files.isEmpty else {
      return notices.show(unnamed == 0 ? "Nothing has changed" : "Only buffers without a file have changed")
    }
    var (open, failures) = (files.count, [String]())
    let end = { [unowned self] in
      open -= 1
      if open == 0 { tellOfSaves(files.count, failures, rest) }
    }
    for (view, path) in files {
      var save = Save(editor: self, view: view, path: path, policy: .ifUnchanged, finish: { _ in end() })
      save.fail = { [unowned self] error in
        if !notices.hasOffer(.save(path)) { failures.append("\(view.name): \(error.explanation)") }
        end()
      }
      save.start()
    }
  }

  /// At last: what was saved behind one that failed must hide neither that nor an offer, which a key would answer unseen.
  private func tellOfSaves(_ number: Int, _ failures: [String], _ rest: String) {
    let all = failures.joined(separator: "\n")
    if case .save? = notices.offers.first?.subject {
      notices.hide()
      if !failures.isEmpty { notices.wait(Message(text: "Not saved: \(all)", isAlarm: true)) }
    } else if !failures.isEmpty {
      let saved = "Saved \(number - failures.count) of \(count(number, "file"))\(rest)"
      notices.show("\(saved); not saved: \(all)", isAlarm: true)
    } else {
      notices.show("Saved \(count(number, "file"))\(rest)")
    }
  }
}
