import EventLoop
import Trestle

/// What workers are opened with.
public struct WorkerOptions: Sendable {
  /// What scripts in a worker find, beside the globals of a worker. They may start workers with the same options if
  /// `configuration` grants `Capability.files`.
  public var modules = ModuleSelection.standard
  /// Of each worker's bridge, whose name is the worker's. Its limits always have `isInterruptible`, which `terminate()` needs; what
  /// would go to `onError` goes to the script that started the worker. The limits of the bridge that starts it hold too: of each
  /// the narrower one, and one total time for all.
  public var configuration = BridgeConfiguration()
  /// How many may be there at a time, those that workers have started included; one more is refused with `ERR_LIMIT`.
  public var limit = 64
  /// How long `terminate()` waits where native code holds the worker's thread; then it is rejected with `ERR_LIMIT`, and the
  /// worker ends when that code returns.
  public var timeToEnd = Duration.seconds(5)
  /// Where relative paths of scripts start. In a worker that is the folder of its own script.
  public var folder = "."
  /// Where the scripts of workers are kept, for reports.
  package var sources: LoadedSources?

  public init() {}
}

extension ModuleSelection {
  /// `new Worker(file)`: scripts on threads and in engines of their own, for bridges that are granted `Capability.files`.
  ///
  /// They talk by messages, which are structured clones; ArrayBuffers can be transferred. A worker costs a bridge: a thread,
  /// 4 ms to open and 3 MB. What a worker's script does not handle arrives as `error` at its `Worker`. A bridge is idle once
  /// its workers are, with no message on its way; workers end with it.
  public static func workers(_ options: WorkerOptions = WorkerOptions()) -> ModuleSelection {
    workers(WorkerPool(options), folder: options.folder)
  }

  static func workers(_ pool: WorkerPool, folder: String) -> ModuleSelection {
    .definitions([.workers(pool, folder: folder)])
  }
}

/// All workers that come of one selection.
final class WorkerPool: Sendable {
  let options: WorkerOptions
  private let count = Lock(0)

  init(_ options: WorkerOptions) { self.options = options }

  /// Takes a place, for a worker that is about to be opened.
  func takePlace() throws(BridgeError) {
    let isFree = count.withLock { count in
      guard count < options.limit else { return false }
      count += 1
      return true
    }
    if !isFree { throw BridgeError(.limit, "there are \(options.limit) workers, and no more are allowed") }
  }

  func givePlaceBack() { count.withLock { $0 -= 1 } }
}
