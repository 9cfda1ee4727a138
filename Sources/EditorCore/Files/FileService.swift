import EventLoop
import Rope

/// Saves on a thread of its own; what became of it is told through the loop, in the order asked.
final class FileService {
  struct Outcome: Sendable {
    let job: Int
    let result: Result<SavedFile, FileError>
  }

  /// What a save has made of a file.
  struct SavedFile: Sendable {
    let status: FileStatus
    let contents: ContentIdentity
  }

  let system: any FileSystem = LinuxFileSystem()
  private let loop: Loop
  private let writer: FileWriter
  private var thread: LoopThread?
  private var lastJob = 0
  private var completions: [Int: (Result<SavedFile, FileError>) -> Void] = [:]
  private var preparations: [Int: (ContentIdentity) -> Void] = [:]
  private lazy var identities = Mailbox<(job: Int, contents: ContentIdentity)>(on: loop) { [unowned self] identity in
    preparations.removeValue(forKey: identity.job)?(identity.contents)
  }
  private lazy var outcomes = Mailbox<Outcome>(on: loop) { [unowned self] outcome in
    completions.removeValue(forKey: outcome.job)?(outcome.result)
  }

  init(on loop: Loop, recoveryFolder: RecoveryFolder? = nil) {
    self.loop = loop
    writer = FileWriter(system: system, recoveryFolder: recoveryFolder)
  }

  var hasUnfinishedSaves: Bool { !completions.isEmpty }

  /// - Parameters:
  ///   - prepare: Called on the loop's thread before the file is touched; what it returns is synced first.
  ///   - completion: Called once, on the loop's thread.
  func save(
    _ contents: Rope, to path: String, expecting expected: FileStatus?,
    prepare: @escaping (ContentIdentity) -> JournalFile?,
    completion: @escaping (Result<SavedFile, FileError>) -> Void
  ) {
    lastJob += 1
    let job = lastJob
    completions[job] = completion
    let (writer, outcomes, identities) = (writer, outcomes, identities)
    preparations[job] = { [unowned self] identity in
      let journal = prepare(identity)
      perform {
        let result = Result { () throws(FileError) in
          try journal?.synchronize()
          let status = try writer.save(contents, to: path, expecting: expected)
          return SavedFile(status: status, contents: identity)
        }
        outcomes.send(Outcome(job: job, result: result))
      }
    }
    let isRunning = perform { identities.send((job, ContentIdentity(of: contents))) }
    if !isRunning { outcomes.send(Outcome(job: job, result: .failure(FileError(.system, "cannot save", path: path)))) }
  }

  /// Runs `body` on the thread of the files, in the order asked. False if there is no thread to be had.
  @discardableResult
  func perform(_ body: @escaping @Sendable () -> Void) -> Bool {
    if thread == nil { thread = try? LoopThread(name: "files") }
    return thread?.loop.perform(body) ?? false
  }

  /// Keeps the contents that a journal's edits are made to, so that they can be had when the file has changed.
  func keepBaseCopy(_ contents: Rope, of journal: Journal, in folder: RecoveryFolder) {
    let (writer, path) = (writer, journal.path)
    perform { try? folder.keepBaseCopy(contents, of: path, writer: writer) }
  }

  /// Waits for the saves that run: the end of the program must not cut them short.
  func finish() {
    thread?.stop()
    thread?.join()
  }
}
