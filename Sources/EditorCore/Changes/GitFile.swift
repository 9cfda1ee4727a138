import EditorProtocol
import EventLoop
import Glibc
import Rope
import Synchronization

/// Asks git what it has of a file in the commit that is checked out. Who has no git, or a file that it does not know, hears nothing of it.
///
/// git writes nothing, asks nobody, and fetches nothing; no filter of the repository runs. For a thread that may wait.
final class GitFile: Sendable {
  struct Answer: Sendable {
    enum Blob: Sendable {
      /// It is not in that commit, or not to be had.
      case none
      /// It is what was known.
      case same
      case other(name: String, [UInt8])
    }

    var blob = Blob.none
    /// The repository's index: written anew with each commit and checkout. Nil outside of one.
    var index: String?
  }

  /// Of longer ones it is not asked.
  static let longestText = 64 << 20
  private let timeLimit: Duration
  private let path: String
  private let isOver = Atomic(false)
  private let running = Atomic(0)

  /// - Parameter path: The folders in which programs are. Tests give others, and shorten the time.
  init(path: String? = getenv("PATH").map { String(cString: $0) }, timeLimit: Duration = .seconds(5)) {
    (self.path, self.timeLimit) = (path ?? "/usr/bin:/bin", timeLimit)
  }

  /// - Parameters:
  ///   - place: Of the file, absolute and without links.
  ///   - name: git's name of what is known.
  func find(_ place: String, known name: String?) -> Answer {
    guard let slash = place.utf8.lastIndex(of: 0x2F), let program = Self.program(in: path) else { return Answer() }
    let (folder, file) = (String(place[...slash]), String(place[place.utf8.index(after: slash)...]))
    guard Self.isInRepository(folder),
      let found = run(program, ["-C", folder, "rev-parse", "--absolute-git-dir", "HEAD:./" + file])
    else { return Answer() }
    let lines = String(decoding: found.output, as: UTF8.self).split(separator: "\n")
    guard let gitFolder = lines.first, gitFolder.utf8.first == 0x2F else { return Answer() }
    var answer = Answer(index: gitFolder + "/index")
    guard found.status == 0, lines.count == 2 else { return answer }
    let blob = String(lines[1])
    if blob == name {
      answer.blob = .same
    } else if let contents = run(program, ["-C", folder, "cat-file", "blob", blob]), contents.status == 0,
      !contents.output.starts(with: Self.pointer)
    {
      answer.blob = .other(name: blob, contents.output)
    }
    return answer
  }

  /// What git-lfs commits in place of a file.
  private static let pointer = Array("version https://git-lfs.github.com/spec/".utf8)

  /// Ends what runs, and waits for that.
  func end() {
    isOver.store(true, ordering: .relaxed)
    for _ in 0..<200 where running.load(ordering: .acquiring) > 0 { poll(nil, 0, 1) }
  }

  private func run(_ program: String, _ arguments: [String]) -> (status: CInt, output: [UInt8])? {
    running.add(1, ordering: .acquiringAndReleasing)
    defer { running.subtract(1, ordering: .releasing) }
    guard !isOver.load(ordering: .relaxed) else { return nil }
    var filter = TextFilter(program: program)
    (filter.environment, filter.timeLimit, filter.outputLimit) = (Self.environment(path), timeLimit, Self.longestText)
    let start = MonotonicTime.now
    switch filter.run([.init(arguments: arguments, input: [])], isOver: { isOver.load(ordering: .relaxed) })[0] {
    case .ended(let status, let output, _): return (status, output)
    case .failed:
      // One that hangs would do so again.
      if MonotonicTime.now - start >= timeLimit { isOver.store(true, ordering: .relaxed) }
      return nil
    }
  }

  private static func program(in path: String) -> String? {
    path.split(separator: ":").lazy.map { $0 + "/git" }.first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
  }

  /// To look is cheaper than to ask.
  private static func isInRepository(_ folder: String) -> Bool {
    var folder = folder[...]
    while folder.utf8.last == 0x2F {
      if access(folder + ".git", F_OK) == 0 { return true }
      folder = folder.dropLast()
      guard let slash = folder.utf8.lastIndex(of: 0x2F) else { break }
      folder = folder[...slash]
    }
    return false
  }

  /// That of this process, but for what names another repository than the file's: a hook of git's may have started the editor.
  private static func environment(_ path: String) -> [String] {
    let kept = ["GIT_CONFIG_GLOBAL=", "GIT_CONFIG_SYSTEM=", "GIT_CONFIG_NOSYSTEM=", "GIT_CEILING_DIRECTORIES="]
    return TextFilter.ownEnvironment.filter { entry in
      !entry.hasPrefix("PATH=") && (!entry.hasPrefix("GIT_") || kept.contains(where: entry.hasPrefix))
    } + [
      "PATH=\(path)", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none",
    ]
  }

  /// The text of a blob as the editor would have read it from the file: git may have taken the returns off its line ends.
  ///
  /// - Parameter text: That is to be compared, where a save would put a line end at its end.
  static func text(of bytes: [UInt8], _ image: FileImage, _ lineEnding: String, as text: Rope?) -> Rope {
    var blob = FileImage.split(Rope(bytes), formerly: image).text
    if lineEnding == "\r\n", blob.countCarriageReturnLineFeeds() == 0 { blob = blob.withLineEnds(lineEnding) }
    guard let text, !text.isEmpty, text[text.endOffset - 1] != 0x0A, !blob.isEmpty, blob[blob.endOffset - 1] == 0x0A
    else { return blob }
    return blob.slice(0..<blob.lineContentEnd(of: blob.endOffset - 1))
  }
}
