import EditorProtocol
import EventLoop
import Glibc
import JSONRPC
import Rope

/// Lists of files, and searches in them, each on threads of its own. The front end asks for piece after piece, so that it is never flooded.
final class FolderCoordinator {
  private struct Running {
    let finds: FolderFinds
    let threads: [LoopThread]
    /// Who waits for the next piece.
    var reply: Reply?
  }

  /// The folder that the core works in; tests set another.
  var root: String? = {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }()
  private var running: [Int: Running] = [:]
  private lazy var news = Inbox<Int>(on: session.loop) { [weak self] number in self?.answer(number) }
  private unowned let session: EditorSession

  init(of session: EditorSession) { self.session = session }

  deinit { for task in running.values { task.finds.stop() } }

  /// Begins the task, or goes on with it. Of one task one piece is asked for at a time: a second request takes the place of the first.
  func find(_ number: Int, _ task: FolderTask, _ reply: Reply) {
    if running[number] == nil {
      do { running[number] = try begin(number, task) } catch {
        var piece = FolderPiece()
        (piece.isLast, piece.problem) = (true, "\(error)")
        return reply.succeed(piece.json)
      }
    }
    let former = running[number]?.reply
    running[number]?.reply = reply
    former?.succeed(FolderPiece().json)
    answer(number)
  }

  func end(_ number: Int) {
    guard let task = running.removeValue(forKey: number) else { return }
    task.finds.stop()
    var piece = FolderPiece()
    piece.isLast = true
    task.reply?.succeed(piece.json)
  }

  private func answer(_ number: Int) {
    guard let task = running[number], let reply = task.reply, let piece = task.finds.take() else { return }
    running[number]?.reply = nil
    if piece.isLast { running[number] = nil }
    reply.succeed(piece.json)
  }

  private func begin(_ number: Int, _ task: FolderTask) throws -> Running {
    guard let folder = root else { throw FileError(systemError: ENOENT, "cannot find", path: "the working folder") }
    let finds = FolderFinds { [news] in news.send(number) }
    let walker = try LoopThread(name: "folder")
    switch task {
    case .list:
      walker.loop.perform {
        finds.finish(namelessCount: FolderWalk(folder) { finds.add(path: $0) }.run())
      }
      return Running(finds: finds, threads: [walker])
    case .search(let query):
      let search = FileSearch(try SearchPattern(query), in: folder, changed: changedTexts, finds)
      let lanes = try (0..<FileSearch.threadCount).map { _ in try LoopThread(name: "folder search") }
      walker.loop.perform { search.run(on: lanes) }
      return Running(finds: finds, threads: [walker] + lanes)
    }
  }

  /// What is searched in place of files: the texts that were not saved.
  private var changedTexts: [String: Rope] {
    let changed = session.views.documents.filter { !$0.isPristine }
    let texts = changed.compactMap { document in
      document.file.path.flatMap { try? session.files.system.resolvingLinks($0) }
        .flatMap { path in try? session.files.system.realPath(path) }.map { ($0, document.buffer.text) }
    }
    return Dictionary(texts) { first, _ in first }
  }
}

/// What a task has found and was not taken yet. From any thread.
final class FolderFinds: Sendable {
  private static let (mostPaths, mostLines) = (1_000_000, 10_000)
  private static let (piecePaths, pieceLines) = (4000, 500)
  /// Less is told when so much time has passed.
  private static let patience = Duration.milliseconds(30)

  fileprivate struct State {
    var piece = FolderPiece()
    var (pathCount, lineCount) = (0, 0)
    var isStopped = false
    /// Something was told that was not taken.
    var isTold = false
    var lastTold = MonotonicTime.now
  }

  private let state = Lock(State())
  private let tell: @Sendable () -> Void

  /// - Parameter tell: Called when there is something to take.
  init(tell: @escaping @Sendable () -> Void) { self.tell = tell }

  var isStopped: Bool { state.withLock { $0.isStopped } }

  func stop() { state.withLock { $0.isStopped = true } }

  /// - Returns: Whether to go on.
  func add(path: String) -> Bool {
    change { state in
      guard state.pathCount < Self.mostPaths else { return state.cut() }
      state.pathCount += 1
      state.piece.paths.append(path)
    }
  }

  /// - Returns: Whether to go on.
  func add(lines: [FoundLine], searchedFiles: Int) -> Bool {
    change { state in
      state.piece.searchedFiles += searchedFiles
      let room = Self.mostLines - state.lineCount
      state.lineCount += lines.count
      state.piece.lines += lines.prefix(room)
      if lines.count > room { state.cut() }
    }
  }

  func finish(namelessCount: Int, problem: String? = nil) {
    _ = change { state in
      (state.piece.isLast, state.piece.namelessCount) = (true, namelessCount)
      state.piece.problem = problem
    }
  }

  private func change(_ body: (inout State) -> Void) -> Bool {
    let (goesOn, isToTell) = state.withLock { state in
      guard !state.isStopped else { return (false, false) }
      body(&state)
      let piece = state.piece
      let isToTell =
        !state.isTold
        && (piece.isLast || piece.paths.count >= Self.piecePaths || piece.lines.count >= Self.pieceLines
          || MonotonicTime.now >= state.lastTold + Self.patience)
      if isToTell { state.isTold = true }
      return (!state.isStopped, isToTell)
    }
    if isToTell { tell() }
    return goesOn
  }

  /// nil when there is nothing new.
  func take() -> FolderPiece? {
    state.withLock { state in
      guard state.isTold else { return nil }
      var piece = state.piece
      (state.isTold, state.lastTold) = (false, MonotonicTime.now)
      // What was found meanwhile comes next.
      let (paths, lines) = (piece.paths.dropFirst(Self.piecePaths * 2), piece.lines.dropFirst(Self.pieceLines * 2))
      let searched = piece.searchedFiles
      piece.paths.removeLast(paths.count)
      piece.lines.removeLast(lines.count)
      state.piece.paths = Array(paths)
      state.piece.lines = Array(lines)
      state.piece.searchedFiles = searched
      if !paths.isEmpty || !lines.isEmpty {
        piece.isLast = false
        state.isTold = true
      }
      return piece
    }
  }
}

extension FolderFinds.State {
  fileprivate mutating func cut() {
    (piece.isLast, piece.isCut, isStopped) = (true, true, true)
  }
}
