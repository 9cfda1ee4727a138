import EditorProtocol

/// All matches in the buffers of some files are replaced, one undo step in each. The files are opened and not saved: so all can be looked at
/// and taken back before it is on the disk, and one command saves them.
///
/// First all are opened, then searched, as they may have changed since they were found; those with matches are changed, and the others
/// closed again.
final class FolderReplacement {
  let paths: [String]
  private let query: FindQuery
  private let text: String
  private unowned let files: Files
  private unowned let search: Search
  /// In the order of the paths; those that were not open before. A file that has two names is there twice, and the second gives way.
  private var views: [EditorView] = []
  private var opened: [EditorView] = []
  /// How many of the first views are open, or gone.
  private var settledCount = 0

  init(_ files: Files, _ search: Search, _ query: FindQuery, by text: String, in paths: [String]) {
    (self.files, self.search, self.query, self.text, self.paths) = (files, search, query, text, paths)
  }

  func start() {
    search.clear()
    for path in paths { views.append(view(of: path)) }
    files.gate.wait(
      to: "open the files", .isHeld, until: { [self] in areOpen ? .over : .waiting }, then: find, givenUp: close)
  }

  private func view(of path: String) -> EditorView {
    if let view = files.views[path: path] { return view }
    let view = EditorView(path: path, isReadOnly: files.opensReadOnly)
    opened.append(view)
    files.openBehind(view)
    return view
  }

  private var areOpen: Bool {
    while settledCount < views.count, InputGate.readiness(of: views[settledCount]) != .waiting { settledCount += 1 }
    return settledCount == views.count
  }

  // MARK: The matches

  private func find() {
    let failedCount = views.count { $0.isRemoved && $0.successor == nil }
    var known: Set<ObjectIdentifier> = []
    views = views.compactMap { $0.isRemoved ? $0.successor : $0 }.filter { known.insert(ObjectIdentifier($0)).inserted }
    for view in views {
      view.find = nil
      files.views.edit(view, .find(query))
    }
    // Another core has taken over where one is not ready.
    let isOver = { [self] in views.allSatisfy { $0.find != nil } || views.contains { !$0.isReady } }
    files.gate.wait(
      to: "look through the files", .isHeld, until: { isOver() ? .over : .waiting },
      then: { [self] in replace(failedCount: failedCount) }, givenUp: giveUp)
  }

  private func endSearch(in views: [EditorView]) {
    for view in views {
      files.views.edit(view, .find(FindQuery("", caseSensitive: false)))
      view.find = nil
    }
  }

  private func giveUp() {
    endSearch(in: views)
    close()
  }

  /// Those that were opened for this, and have nothing of it.
  private func close() {
    for view in opened where files.views.isClean(view) && !view.isRemoved { files.views.drop(view) }
  }

  // MARK: The replacement

  private func replace(failedCount: Int) {
    guard views.allSatisfy({ $0.isReady && $0.find != nil }) else {
      giveUp()
      return files.notices.alarm("Nothing was replaced in files, as the core ended meanwhile")
    }
    let found = views.filter { $0.find?.matches ?? 0 > 0 }
    let changed = found.filter { !$0.isReadOnly && $0.file?.isReadOnly != true }
    let matchCount = changed.reduce(0) { $0 + ($1.find?.matches ?? 0) }
    var problems: [String] = []
    if failedCount > 0 { problems.append("\(count(failedCount, "file")) could not be opened") }
    if changed.count < found.count {
      problems.append("\(count(found.count - changed.count, "file")) cannot be changed")
    }
    if found.count < views.count { problems.append("\(count(views.count - found.count, "file")) had none any more") }
    for view in changed {
      files.views.edit(view, .replace(text, preserveCase: false))
      files.views.edit(view, .plain(.replaceAll))
    }
    endSearch(in: views)
    for view in changed { files.views.edit(view, .plain(.collapseSelections)) }
    close(but: changed)
    files.gate.whenSettled(.isHeld) { [self] in
      let report = "Replaced \(matchCount) in \(count(changed.count, "file"))"
      let next = changed.isEmpty ? "" : ", not saved yet: \(files.keys.label(of: .saveAll)) saves all"
      let text = report + (problems.isEmpty ? "" : " (\(problems.joined(separator: ", ")))") + next
      files.notices.show(text, isAlarm: !problems.isEmpty)
    }
  }

  private func close(but changed: [EditorView]) {
    opened.removeAll { view in changed.contains { $0 === view } }
    close()
  }
}

/// With an `s` where it is not one.
func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
