import EditorProtocol

/// All that is open: what it is called, the list, saving all of it.
extension Editor {
  /// A name for each view, with as many of its folders as tell it from the others.
  var viewNames: [String] {
    let paths = views.map { Array(($0.path ?? $0.lostPath ?? $0.name).split(separator: "/").reversed()) }
    return paths.enumerated().map { index, path in
      let others = paths.enumerated().filter { $0.offset != index && $0.element != path }.map(\.element)
      let count = (1..<max(path.count, 2)).first { count in others.allSatisfy { $0.prefix(count) != path.prefix(count) }
      }
      return path.prefix(count ?? max(path.count, 1)).reversed().joined(separator: "/")
    }
  }

  /// Shows one of the views.
  func show(viewAt index: Int) {
    guard views.indices.contains(index) else { return }
    noteJump()
    show(views[index])
  }

  /// The list of the views: the one that was shown before is the first, so that Enter goes back to it.
  func openBufferList() {
    guard view != nil else { return }
    let names = viewNames
    let order = views.indices.sorted { views[$0].shownCount > views[$1].shownCount }
    let entries = (order.filter { $0 != currentIndex } + [currentIndex]).map { index in
      let view = views[index]
      return Menu.Entry(
        names[index], detail: view.path?.folder ?? "no file yet", key: isClean(view) ? "" : "modified"
      ) { editor in
        if let index = editor.views.firstIndex(where: { $0 === view }) { editor.show(viewAt: index) }
      }
    }
    mode = Menu(self, "Buffer", entries)
  }

  func showPath() {
    guard let view else { return }
    show(view.path.map(\.absolutePath) ?? "This buffer has no file yet; \(keys(of: .saveAs)) gives it one")
  }

  /// Saves each buffer that has changed; those without a file are told of.
  func saveAll() {
    let changed = views.filter { !isClean($0) && !($0.file?.isReadOnly ?? $0.isReadOnly) }
    let files = changed.compactMap { view in view.path.map { (view, $0) } }
    let unnamed = changed.count - files.count
    let rest = unnamed == 0 ? "" : "; \(unnamed) without a file \(unnamed == 1 ? "is" : "are") not"
    guard !files.isEmpty else {
      return show(unnamed == 0 ? "Nothing has changed" : "Only buffers without a file have changed")
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
      show("Saved \(number - failures.count) of \(count(number, "file"))\(rest); not saved: \(all)", isAlarm: true)
    } else {
      show("Saved \(count(number, "file"))\(rest)")
    }
  }
}
