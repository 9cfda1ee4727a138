import EventLoop
import Rope

/// Saves on a thread of its own; what became of it is told through the loop, in the order asked.
final class FileService {
  struct Outcome: Sendable {
    let job: Int
    let result: Result<Saved, FileError>
  }

  struct Saved: Sendable {
    let file: FileContents
    /// What could not be done beside it.
    let remarks: [String]
    var hasUnsyncedName = false
  }

  let system: any FileSystem
  /// How often a save tells how far it is. Tests shorten it.
  var reportInterval = Duration.milliseconds(100)
  private let loop: Loop
  private let writer: FileWriter
  private var thread: LoopThread?
  private var hasFinished = false
  private var lastJob = 0
  private var completions: [Int: (Result<Saved, FileError>) -> Void] = [:]
  private var preparations: [Int: (Rope, ContentIdentity) -> Void] = [:]
  private lazy var encoded = Inbox<(job: Int, contents: Rope, identity: ContentIdentity)>(on: loop) {
    [weak self] encoded in
    self?.preparations.removeValue(forKey: encoded.job)?(encoded.contents, encoded.identity)
  }
  private var reporters: [Int: (Int) -> Void] = [:]
  private lazy var reports = Inbox<(job: Int, byteCount: Int)>(on: loop) { [weak self] report in
    self?.reporters[report.job]?(report.byteCount)
  }
  private var waiting: [Int: (FileError?) -> Void] = [:]
  private lazy var done = Inbox<(job: Int, failure: FileError?)>(on: loop) { [weak self] outcome in
    self?.waiting.removeValue(forKey: outcome.job)?(outcome.failure)
  }
  private var generations:
    [Int: (generation: Journal.Generation, completion: (Result<Journal.Generation.Written, FileError>) -> Void)] = [:]
  private lazy var written = Inbox<(job: Int, result: Result<Journal.Generation.Written, FileError>)>(on: loop) {
    [weak self] outcome in
    self?.generations.removeValue(forKey: outcome.job)?.completion(outcome.result)
  }
  private lazy var outcomes = Inbox<Outcome>(on: loop) { [weak self] outcome in
    guard let self else { return }
    let over = (reporters.removeValue(forKey: outcome.job), preparations.removeValue(forKey: outcome.job))
    defer { withExtendedLifetime(over) {} }
    completions.removeValue(forKey: outcome.job)?(outcome.result)
  }

  init(on loop: Loop, system: any FileSystem, recoveryFolder: RecoveryFolder? = nil) {
    self.loop = loop
    self.system = system
    writer = FileWriter(system: system, recoveryFolder: recoveryFolder)
  }

  var hasUnfinishedSaves: Bool { !completions.isEmpty }

  /// Makes the file what `text` is by `image`.
  ///
  /// - Parameters:
  ///   - prepare: Called on the loop's thread; it has to call on, and what it calls on with is synced before the file is touched.
  ///   - onProgress: Told there how many bytes are written, as often as ``reportInterval`` says.
  ///   - completion: Called once, on the loop's thread.
  func save(
    _ text: Rope, as image: FileImage, to path: String, overwriting: FileWriter.Overwriting,
    makingFolders: Bool = false, prepare: @escaping (ContentIdentity, @escaping (JournalFile?) -> Void) -> Void,
    onProgress: @escaping (Int) -> Void,
    completion: @escaping (Result<Saved, FileError>) -> Void
  ) {
    lastJob += 1
    let job = lastJob
    completions[job] = completion
    reporters[job] = onProgress
    var reporting = reportingWriter(of: job)
    reporting.makesFolders = makingFolders
    let (writer, outcomes, encoded) = (reporting, outcomes, encoded)
    preparations[job] = { [weak self] contents, identity in
      prepare(identity) { journal in
        self?.perform {
          outcomes.send(
            Outcome(job: job, result: Self.save(contents, identity, as: image, to: path, overwriting, writer, journal)))
        }
      }
    }
    perform {
      do throws(Unencodable) {
        let contents = try image.bytes(of: text)
        encoded.send((job, contents, ContentIdentity(of: contents)))
      } catch {
        outcomes.send(Outcome(job: job, result: .failure(FileError(error, in: text, path: path))))
      }
    }
  }

  private static func save(
    _ contents: Rope, _ identity: ContentIdentity, as image: FileImage, to path: String,
    _ overwriting: FileWriter.Overwriting, _ writer: FileWriter, _ journal: JournalFile?
  ) -> Result<Saved, FileError> {
    Result { () throws(FileError) in
      // A text is better saved than journaled.
      let isSynced = (try? journal?.synchronize()) != nil || journal == nil
      let saved = try writer.save(contents, to: path, overwriting)
      return Saved(
        file: FileContents(
          bytes: contents, version: FileVersion(status: saved.status, contents: identity, image: image)),
        remarks: saved.remarks + (isSynced ? [] : ["the journal could not be synced"]),
        hasUnsyncedName: saved.hasUnsyncedName)
    }
  }

  private func reportingWriter(of job: Int) -> FileWriter {
    let (reports, interval) = (reports, reportInterval)
    let nextReport = Lock(ContinuousClock.now + interval)
    var writer = writer
    writer.onProgress = { byteCount in
      let now = ContinuousClock.now
      let isDue = nextReport.withLock { next in
        guard now >= next else { return false }
        next = now + interval
        return true
      }
      if isDue { reports.send((job, byteCount)) }
    }
    return writer
  }

  /// Runs `body` on the thread of the files, in the order asked; at once, if no thread is to be had, or any more.
  func perform(_ body: @escaping @Sendable () -> Void) {
    if thread == nil, !hasFinished { thread = try? LoopThread(name: "files") }
    if thread?.loop.perform(body) != true { body() }
  }

  /// - Parameter completion: Called on the loop's thread.
  func synchronize(_ file: JournalFile, completion: @escaping (FileError?) -> Void) {
    performTelling(completion) { () throws(FileError) in try file.synchronize() }
  }

  private func performTelling(
    _ completion: @escaping (FileError?) -> Void, _ body: @escaping @Sendable () throws(FileError) -> Void
  ) {
    lastJob += 1
    let (job, done) = (lastJob, done)
    waiting[job] = completion
    perform {
      var failure: FileError?
      do throws(FileError) { try body() } catch { failure = error }
      done.send((job, failure))
    }
  }

  /// - Parameter completion: Called on the loop's thread.
  func write(
    _ generation: Journal.Generation, completion: @escaping (Result<Journal.Generation.Written, FileError>) -> Void
  ) {
    lastJob += 1
    let (job, written) = (lastJob, written)
    generations[job] = (generation, completion)
    perform {
      written.send((job, Result { () throws(FileError) in try generation.write() }))
    }
  }

  /// Keeps the contents that a journal's edits are made to, so that they can be had when the file has changed.
  ///
  /// - Parameter completion: Called on the loop's thread.
  func keepBaseCopy(
    _ contents: Rope, of journal: String, in folder: RecoveryFolder, completion: @escaping (FileError?) -> Void
  ) {
    performTelling(completion) { [writer] () throws(FileError) in
      try folder.keepBaseCopy(contents, of: journal, writer: writer)
    }
  }

  /// Waits for what runs: the end of the program must not cut it short.
  func finish() {
    hasFinished = true
    thread?.stop()
    thread?.join()
    // Nobody takes them any more.
    for (generation, _) in generations.values { try? system.remove(generation.temporary) }
    // Let go of behind the change, as in `forget`.
    let over = generations
    generations = [:]
    withExtendedLifetime(over) {}
  }

  /// Tells nobody any more. Who waits for an answer keeps this service, and it keeps them.
  func forget() {
    // What goes with the last of them may come back here: not while they are being changed.
    let forgotten = (completions, preparations, reporters, waiting, generations)
    (completions, preparations, reporters, waiting, generations) = ([:], [:], [:], [:], [:])
    withExtendedLifetime(forgotten) {}
  }
}
