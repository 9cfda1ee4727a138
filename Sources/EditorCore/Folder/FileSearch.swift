import EditorProtocol
import EventLoop
import Glibc
import Rope
import Synchronization

/// A search in all files of a folder: one thread walks through it, others read. What they find comes in the order of the walk.
final class FileSearch: Sendable {
  static let threadCount = min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 8)
  private static let batchSize = 32

  private struct Results {
    var waiting: [(number: Int, paths: [String])] = []
    /// Of batches whose turn has not come.
    var done: [Int: [FoundLine]] = [:]
    var sizes: [Int: Int] = [:]
    var nextToTell = 0
    /// How many batches there are, once that is known.
    var batchCount: Int?
    var namelessCount = 0
    var problem: String?
  }

  private let pattern: SearchPattern
  private let folder: String
  private let changed: [String: Rope]
  private let finds: FolderFinds
  private let results = Lock(Results())

  /// - Parameter changed: What is searched in place of the files of these absolute paths.
  init(_ pattern: SearchPattern, in folder: String, changed: [String: Rope], _ finds: FolderFinds) {
    (self.pattern, self.folder, self.changed, self.finds) = (pattern, folder, changed, finds)
  }

  /// Returns when all files are known; the lanes go on.
  func run(on threads: [LoopThread]) {
    var batch: [String] = []
    var number = 0
    let lanes = threads.map { Lane(self, on: $0) }
    let hand = { [self] in
      let full = (number, batch)
      results.withLock { $0.waiting.append(full) }
      (number, batch) = (number + 1, [])
      for lane in lanes { lane.thread.loop.perform { lane.run() } }
    }
    let walk = FolderWalk(folder) { [finds] path in
      batch.append(path)
      if batch.count == Self.batchSize { hand() }
      return !finds.isStopped
    }
    let namelessCount = walk.run()
    hand()
    results.withLock { ($0.batchCount, $0.namelessCount) = (number, namelessCount) }
    tell()
  }

  /// nil when there is nothing to do.
  fileprivate func nextBatch() -> (number: Int, paths: [String])? {
    guard !finds.isStopped else { return nil }
    return results.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
  }

  fileprivate func end(_ number: Int, _ lines: [FoundLine], fileCount: Int, problem: String?) {
    results.withLock { results in
      (results.done[number], results.sizes[number]) = (lines, fileCount)
      results.problem = results.problem ?? problem
    }
    tell()
  }

  private func tell() {
    results.withLock { results in
      while let lines = results.done.removeValue(forKey: results.nextToTell) {
        let count = results.sizes.removeValue(forKey: results.nextToTell) ?? 0
        results.nextToTell += 1
        if !finds.add(lines: lines, searchedFiles: count) { return }
      }
      if results.batchCount == results.nextToTell {
        finds.finish(namelessCount: results.namelessCount, problem: results.problem)
      }
    }
  }

  /// The work of one thread. `@unchecked Sendable`: it is handed to that thread as it is made, and used by no other.
  private final class Lane: @unchecked Sendable {
    let thread: LoopThread
    private let search: FileSearch
    private var searcher: FileSearcher?

    init(_ search: FileSearch, on thread: LoopThread) { (self.search, self.thread) = (search, thread) }

    private func ready() throws(RegularExpression.Failure) -> FileSearcher {
      if let searcher { return searcher }
      let finds = search.finds
      guard let own = RegularExpression.OwnThread(thread) else {
        throw RegularExpression.Failure(message: "away from its thread")
      }
      let made = try FileSearcher(search.pattern, on: own) { _ in !finds.isStopped }
      searcher = made
      return made
    }

    func run() {
      while let batch = search.nextBatch() {
        var (lines, problem) = ([FoundLine](), String?.none)
        do throws(RegularExpression.Failure) {
          let searcher = try ready()
          for path in batch.paths {
            let whole = search.folder + "/" + path
            if let text = search.changed[whole] {
              lines += try searcher.lines(in: text, of: path)
            } else {
              lines += try searcher.lines(inFile: whole, of: path)
            }
          }
        } catch { problem = error.message }
        search.end(batch.number, lines, fileCount: batch.paths.count, problem: problem)
      }
    }
  }
}
