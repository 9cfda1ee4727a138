import JSON

/// What was open at the end of a run, and where: kept for the folder that the editor was started in.
struct FolderSession: Equatable {
  /// Their whole paths, in the order of the buffers.
  var files: [String]
  var panes: Panes
  /// The pane that had the keys, counted from left to right and from top to bottom.
  var focused = 0

  /// How the text area was divided.
  indirect enum Panes: Equatable {
    /// With a file, by its number among all.
    case pane(Int)
    case split(Layout.Axis, [Part])

    struct Part: Equatable {
      var panes: Panes
      var share: Int
    }
  }
}

// MARK: As text

extension FolderSession {
  var text: String {
    JSONValue.object([
      "files": .array(files.map(JSONValue.string)), "panes": panes.json, "focused": JSONValue(focused),
    ]).description
  }

  /// nil for what is none: the user may have changed it.
  init?(_ text: String) {
    guard let json = try? JSONValue(parsing: text), let files = json["files"]?.array?.compactMap(\.string),
      !files.isEmpty
    else { return nil }
    self.files = files
    panes = json["panes"].flatMap { Panes($0, fileCount: files.count) } ?? .pane(0)
    focused = json["focused"]?.int ?? 0
  }
}

extension FolderSession.Panes {
  /// Deeper than any screen has room for.
  private static let deepest = 20

  fileprivate var json: JSONValue {
    switch self {
    case .pane(let file): JSONValue(file)
    case .split(let axis, let parts):
      [axis.name: .array(parts.map { .array([JSONValue($0.share), $0.panes.json]) })]
    }
  }

  fileprivate init?(_ json: JSONValue, fileCount: Int, depth: Int = 0) {
    if let file = json.int {
      guard (0..<fileCount).contains(file) else { return nil }
      self = .pane(file)
      return
    }
    guard depth < Self.deepest, let axis = [Layout.Axis.across, .down].first(where: { json[$0.name] != nil }),
      let values = json[axis.name]?.array, values.count > 1
    else { return nil }
    var parts: [FolderSession.Panes.Part] = []
    for value in values {
      guard let share = value[0]?.int, (1...Layout.largestShare).contains(share),
        let panes = value[1].flatMap({ Self($0, fileCount: fileCount, depth: depth + 1) })
      else { return nil }
      parts.append(Part(panes: panes, share: share))
    }
    self = .split(axis, parts)
  }
}

extension Layout.Axis {
  fileprivate var name: String { self == .across ? "across" : "down" }
}

// MARK: Those of the views

extension FolderSession {
  /// nil where no file is open that is there.
  ///
  /// - Parameter longest: How many bytes its text may have; the files that were shown last come first.
  init?(of views: Views, longest: Int) {
    let all = views.all.filter { $0.path != nil && $0.file?.isNew == false }
    var kept = all.sorted { $0.shownCount > $1.shownCount }.map(ObjectIdentifier.init)
    while !kept.isEmpty {
      let known = Set(kept)
      let open = all.filter { known.contains(ObjectIdentifier($0)) }
      func panes(of layout: Layout) -> Panes? {
        switch layout {
        case .pane(let pane): return open.firstIndex { $0 === pane.view }.map(Panes.pane)
        case .split(let axis, let parts):
          let own = parts.compactMap { part in panes(of: part.layout).map { Panes.Part(panes: $0, share: part.share) } }
          return own.count > 1 ? .split(axis, own) : own.first?.panes
        }
      }
      files = open.compactMap { $0.path?.absolutePath }
      self.panes = panes(of: views.panes.layout) ?? .pane(0)
      let shown = views.panes.all.filter { $0.view.map { known.contains(ObjectIdentifier($0)) } == true }
      focused = shown.firstIndex { $0 === views.panes.focused } ?? 0
      if text.utf8.count <= longest { return }
      kept.removeLast((kept.count + 3) / 4)
    }
    return nil
  }
}

extension Files {
  /// At the end of a run, however it ends: what is open can be gone on with, and its places are known.
  func rememberRun() {
    remember(views.all.sorted { $0.shownCount < $1.shownCount })
    // The folder's own path is kept with it.
    let folder = "".absolutePath
    guard let session = FolderSession(of: views, longest: Memory.longestText / 2),
      hasBegunInFolder || session.files.count > 1 || session.files.contains(where: { $0.isWork(in: folder) })
    else { return }
    memory.keep(session, of: folder)
  }

  /// The editor was started without a file: the bottom line says that there are files to go on with.
  package func beginInFolder() {
    hasBegunInFolder = true
    open(path: nil)
    views.screen.offersSession = memory.session(of: "".absolutePath) != nil
  }

  /// Opens what was open in this folder at the end of the last run, beside what is open.
  func reopenSession() {
    guard let session = memory.session(of: "".absolutePath) else {
      return notices.refuse("No run in this folder has ended with files to go on with")
    }
    hasBegunInFolder = true
    views.screen.offersSession = false
    whenPlaceIsKnown { [unowned self] in
      let start = views.current
      views.noteJump()
      let opened = session.files.map { path -> EditorView in
        if let view = views[path: path] { return view }
        let view = EditorView(
          path: path.fromHere, isReadOnly: opensReadOnly, initialPosition: memory.place(inFile: path))
        view.mustExist = true
        openBehind(view)
        return view
      }
      views.show(opened, in: session)
      if let start, start.path == nil, start.isEmptyBuffer, views.isClean(start) { views.drop(start) }
    }
  }
}

extension String {
  /// A run for one file that is none, such as the message of a commit or what a program has put elsewhere, is none to go on with.
  fileprivate func isWork(in folder: String) -> Bool {
    hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
      && !split(separator: "/").contains { $0 == ".git" || $0 == ".." }
  }
}

extension EditorView {
  fileprivate var isEmptyBuffer: Bool { state == .open && isPristine && cache.count <= 1 }
}

extension Views {
  /// Divides the text area as it was, where there is room for it and it is not divided now.
  fileprivate func show(_ opened: [EditorView], in session: FolderSession) {
    func layout(of panes: FolderSession.Panes) -> (layout: Layout, files: [Int]) {
      switch panes {
      case .pane(let file): return (.pane(Pane()), [file])
      case .split(let axis, let parts):
        let inner = parts.map { layout(of: $0.panes) }
        let own = zip(inner, parts).map { Layout.Part(layout: $0.layout, share: $1.share) }
        return (.split(axis, own), inner.flatMap(\.files))
      }
    }
    let (wanted, files) = layout(of: session.panes)
    guard !panes.isSplit, wanted.areas(in: paneArea) != nil else {
      return show(opened[files.indices.contains(session.focused) ? files[session.focused] : files[0]])
    }
    // It shows nothing any more; no other pane has carets to put back.
    _ = panes.show(nil)
    panes.arrange(as: wanted)
    for (pane, file) in zip(panes.all, files) {
      focus(pane)
      show(opened[file])
    }
    if panes.all.indices.contains(session.focused) { focus(panes.all[session.focused]) }
  }
}
