import EditorProtocol

/// The files of the folder and below, to choose one by some letters; those that were open last come first.
final class FilePicker: ChoicePrompt {
  private var paths: [String]
  private let recent: Set<String>
  private var task: Int?
  private var isWhole = false
  private var namelessCount = 0

  /// - Parameter recent: Paths as the core has them.
  init(_ editor: Editor, recent: [String]) {
    paths = recent
    self.recent = Set(recent)
    super.init(editor, "File", choices: recent.map { ChoiceList.Choice(title: $0) })
    task = editor.folder.begin(.list) { [weak self] in self?.take($0) ?? false }
  }

  private func take(_ piece: FolderPiece) -> Bool {
    let more = piece.paths.filter { !recent.contains($0) }
    paths += more
    add(more.map { ChoiceList.Choice(title: $0) })
    (isWhole, namelessCount) = (piece.isLast, piece.namelessCount)
    if let problem = piece.problem { editor.notices.show(problem, isAlarm: true) }
    return editor.mode === self
  }

  override var note: String {
    let count = choices.count == 1 ? "1 file" : "\(choices.count) files"
    return isWhole ? count + FolderPiece.note(ofNameless: namelessCount) : count + " …"
  }

  override var isGrowing: Bool { !isWhole }

  override var refusal: String { "No file is called that" }

  override func accept(choice index: Int) {
    end()
    editor.files.visit(path: paths[index], mustExist: true)
  }

  override func cancel() { end() }

  private func end() {
    if let task, !isWhole { editor.folder.end(task) }
    task = nil
  }
}

extension Editor {
  func pickFile() {
    guard core.supports(.folder) else { return notices.show("This core does not list files", isAlarm: true) }
    let recent = files.recentPaths.filter { !$0.isAbsolutePath && !$0.utf8.starts(with: "../".utf8) }
    mode = FilePicker(self, recent: recent)
  }
}
