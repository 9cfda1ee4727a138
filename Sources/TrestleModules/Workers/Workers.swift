import EventLoop
import Trestle

extension ModuleDefinition {
  /// What `js/modules/worker.js` makes the class `Worker` of.
  static func workers(_ pool: WorkerPool, folder: String) -> ModuleDefinition {
    ModuleDefinition("Workers", capabilities: [.files], make: { Workers($0, pool: pool, folder: folder) }) {
      Member<Workers>.sync("start", "script", "isCode", "name") {
        (workers, script: String, isCode: Bool, name: String?) in
        try workers.start(script, isCode: isCode, name: name)
      }
      Member<Workers>.sync("post", "worker", "numbers", "strings", "buffers") {
        (workers, worker: Int, numbers: RelayedValue, strings: RelayedValue, buffers: [TransferredBytes]) in
        workers.post(WorkerMessage(numbers: numbers, strings: strings, buffers: buffers), to: worker)
      }
      Member<Workers>.promiseConcurrently("terminate", "worker") { (workers, worker: Int) in
        try await workers.terminate(worker)
      }
      Member<Workers>.event("message", MessageOfWorker.self)
      Member<Workers>.event("error", FailureOfWorker.self)
      Member<Workers>.event("close", Int.self)
    }
    .with(script: .worker)
  }
}

/// The workers that the scripts of one bridge have started. Calls come on the bridge's thread, news of workers on any.
final class Workers: InvalidatableModule {
  private struct State: Sendable {
    var workers: [Int: Worker] = [:]
    var lastNumber = 0
  }

  let context: BridgeContext
  private let pool: WorkerPool
  private let folder: String
  private let state = Lock(State())

  init(_ context: BridgeContext, pool: WorkerPool, folder: String) {
    self.context = context
    self.pool = pool
    self.folder = folder
  }

  func start(_ script: String, isCode: Bool, name: String?) throws -> Int {
    // Scripts still run while the bridge closes.
    guard let limits = context.scriptLimits else { throw BridgeError(.closed, "the bridge is closed") }
    let file = isCode ? nil : try read(path(of: script))
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let name = name ?? "worker \(number)"
    let given = file ?? Script(code: script, name: "[\(name)]")
    let run = try WorkerScript(
      given, isFile: !isCode, folder: folder, in: pool.options.configuration, context.permissions)
    try pool.takePlace()
    pool.options.sources?.add(given)
    let worker = Worker(number, name: name, script: run, options: pool.options, startedBy: self)
    state.withLock { $0.workers[number] = worker }
    worker.start(
      within: limits, modules: .workers(pool, folder: file?.folder ?? folder),
      activity: context.beginActivity())
    return worker.number
  }

  private func read(_ path: String) throws -> Script {
    let gate = context.permissions
    guard !gate.isOpen, let system = SystemPath(path) else { return try Script(file: path, mustBeFile: true) }
    // The script is what is at its real path, once that was found to be one that may be read.
    let place = try gate.place(of: system, for: .read)
    let script = try Script(file: place.real ?? path, mustBeFile: true) { gate.covers(.read, $0) }
    return Script(code: script.text, name: path)
  }

  private func path(of file: String) throws(BridgeError) -> String {
    if file.utf8.starts(with: "file:".utf8) {
      guard let path = FileModuleLoader.path(ofURL: file) else {
        throw BridgeError(.unreadable, "cannot read \(file): the URL names no file here")
      }
      return path
    }
    // By bytes: together with a combining mark a slash is no `Character`.
    let (slash, bytes) = (UInt8(ascii: "/"), file.utf8)
    if bytes.first == slash || folder == "." || folder.isEmpty { return file }
    let isHere = bytes.starts(with: "./".utf8)
    let path = isHere ? file.unicodeScalars.dropFirst(2) : file.unicodeScalars[...]
    return folder + (folder.utf8.last == slash ? "" : "/") + String(path)
  }

  /// A message to one that has ended is lost, as is the way of workers.
  func post(_ message: WorkerMessage, to number: Int) {
    worker(number)?.receive(message) { context.beginActivity() }
  }

  private func worker(_ number: Int) -> Worker? { state.withLock { $0.workers[number] } }

  func terminate(_ number: Int) async throws {
    try await worker(number)?.end()
    // Scripts hear of the end first.
    await withCheckedContinuation { continuation in context.afterOwnTurns(isMessage: true) { continuation.resume() } }
  }

  func invalidate() async {
    let workers = state.withLock { Array($0.workers.values) }
    await withDiscardingTaskGroup { group in
      for worker in workers { group.addTask { try? await worker.end() } }
    }
  }

  // News of workers, in the order in which they come.

  func worker(_ number: Int, posts message: WorkerMessage) {
    let worker = worker(number)
    // What one has sent that is terminated is lost: its flood is not waited for.
    context.emitInOwnTurn("message", of: "Workers", MessageOfWorker(worker: number, message: message), isMessage: true)
    {
      worker?.isTerminated != true
    }
  }

  func worker(_ number: Int, failsWith error: any Error) {
    context.emitInOwnTurn("error", of: "Workers", FailureOfWorker(worker: number, error: error), isMessage: true)
  }

  /// The activity is over once what came before has been handled.
  func worker(_ number: Int, isIdleAfter activity: Activity) {
    context.afterOwnTurns(isMessage: true) { activity.end() }
  }

  func workerHasEnded(_ number: Int) {
    guard state.withLock({ $0.workers.removeValue(forKey: number) }) != nil else { return }
    pool.givePlaceBack()
    context.emitInOwnTurn("close", of: "Workers", number, isMessage: true)
  }
}
