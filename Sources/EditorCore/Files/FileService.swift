import EventLoop
import Rope

/// Does what is to come to the disk on a thread of its own; what became of it is told through the loop, in the order asked.
final class FileService {
  struct Saved: Sendable {
    let file: FileContents
    /// What could not be done beside it.
    let remarks: [String]
    var hasUnsyncedName = false
  }

  /// Who is told of a job.
  private struct Listener {
    var isOfSave = false
    /// What it leaves that nobody takes after the end.
    var temporary: String?
    let tell: (DurableJob.Outcome) -> Void
  }

  let system: any FileSystem
  /// How often a save tells how far it is. Tests shorten it.
  var reportInterval = Duration.milliseconds(100)
  private let loop: Loop
  private let writer: FileWriter
  private var thread: LoopThread?
  private var hasFinished = false
  private var lastJob = 0
  private var listeners: [Int: Listener] = [:]
  private lazy var outcomes = Inbox<(job: Int, outcome: DurableJob.Outcome)>(on: loop) { [weak self] told in
    // Let go of behind the change of the table: what goes with it may come back here.
    let listener = told.outcome.isLast ? self?.listeners.removeValue(forKey: told.job) : self?.listeners[told.job]
    listener?.tell(told.outcome)
  }

  init(on loop: Loop, system: any FileSystem, recoveryFolder: RecoveryFolder? = nil) {
    self.loop = loop
    self.system = system
    writer = FileWriter(system: system, recoveryFolder: recoveryFolder)
  }

  var hasUnfinishedSaves: Bool { listeners.values.contains(where: \.isOfSave) }

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
    let job = newJob()
    var writer = reportingWriter(of: job)
    writer.makesFolders = makingFolders
    listeners[job] = Listener(isOfSave: true) { [weak self, writer] outcome in
      switch outcome {
      case .encoded(let contents, let identity):
        prepare(identity) { journal in
          self?.perform(.save(contents, identity, image, to: path, overwriting, writer, journal), as: job)
        }
      case .progress(let byteCount): onProgress(byteCount)
      case .saved(let saved): completion(.success(saved))
      case .failed(let error): completion(.failure(error))
      case .written, .done: break
      }
    }
    perform(.encode(text, image, path: path), as: job)
  }

  private func reportingWriter(of job: Int) -> FileWriter {
    let (outcomes, interval) = (outcomes, reportInterval)
    let nextReport = Lock(ContinuousClock.now + interval)
    var writer = writer
    writer.onProgress = { byteCount in
      let now = ContinuousClock.now
      let isDue = nextReport.withLock { next in
        guard now >= next else { return false }
        next = now + interval
        return true
      }
      if isDue { outcomes.send((job, .progress(byteCount: byteCount))) }
    }
    return writer
  }

  /// - Parameter completion: Called on the loop's thread.
  func synchronize(_ file: JournalFile, completion: @escaping (FileError?) -> Void) {
    perform(.synchronize(file), telling: completion)
  }

  /// - Parameter completion: Called on the loop's thread.
  func keepBaseCopy(
    _ contents: Rope, of journal: String, in folder: RecoveryFolder, completion: @escaping (FileError?) -> Void
  ) {
    perform(.keepBaseCopy(contents, of: journal, folder, writer), telling: completion)
  }

  /// - Parameter completion: Called on the loop's thread.
  func write(
    _ generation: Journal.Generation, completion: @escaping (Result<Journal.Generation.Written, FileError>) -> Void
  ) {
    let job = newJob()
    listeners[job] = Listener(temporary: generation.temporary) { outcome in
      switch outcome {
      case .written(let written): completion(.success(written))
      case .failed(let error): completion(.failure(error))
      case .encoded, .progress, .saved, .done: break
      }
    }
    perform(.write(generation), as: job)
  }

  /// - Parameter completion: Called on the loop's thread.
  func keep(_ undo: KeptUndo, in folder: RecoveryFolder, completion: @escaping (FileError?) -> Void) {
    perform(.keepUndo(undo, folder, writer), telling: completion)
  }

  private func perform(_ job: DurableJob, telling completion: @escaping (FileError?) -> Void) {
    let number = newJob()
    listeners[number] = Listener { outcome in
      if case .failed(let error) = outcome { completion(error) } else { completion(nil) }
    }
    perform(job, as: number)
  }

  private func newJob() -> Int {
    lastJob += 1
    return lastJob
  }

  /// Done in the order asked; at once, if no thread is to be had, or any more.
  ///
  /// - Parameter number: By which its listener is told.
  func perform(_ job: DurableJob, as number: Int? = nil) {
    let outcomes = outcomes
    let body: @Sendable () -> Void = {
      let outcome = job.run()
      if let number { outcomes.send((number, outcome)) }
    }
    if worker?.perform(body) != true { body() }
  }

  /// What its jobs are done on; nil where there is none, or none any more. Tests hold it up.
  var worker: Loop? {
    if thread == nil, !hasFinished { thread = try? LoopThread(name: "files") }
    return thread?.loop
  }

  /// Waits for what runs: the end of the program must not cut it short.
  func finish() {
    hasFinished = true
    thread?.stop()
    thread?.join()
    // Nobody takes them any more.
    let over = listeners.filter { $0.value.temporary != nil }
    for temporary in over.values.compactMap(\.temporary) { try? system.remove(temporary) }
    // Let go of behind the change, as in `forget`.
    for job in over.keys { listeners[job] = nil }
    withExtendedLifetime(over) {}
  }

  /// Tells nobody any more. Who waits for an answer keeps this service, and it keeps them.
  func forget() {
    // What goes with the last of them may come back here: not while they are being changed.
    let forgotten = listeners
    listeners = [:]
    withExtendedLifetime(forgotten) {}
  }
}
