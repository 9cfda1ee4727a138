import EventLoop
import Rope

/// Saves on a thread of its own; what became of it is told through the loop, in the order asked.
final class FileService {
  struct Outcome: Sendable {
    let job: Int
    let result: Result<FileStatus, FileError>
  }

  let system: any FileSystem = LinuxFileSystem()
  private let loop: Loop
  private let writer: FileWriter
  private var thread: LoopThread?
  private var lastJob = 0
  private var completions: [Int: (Result<FileStatus, FileError>) -> Void] = [:]
  private lazy var outcomes = Mailbox<Outcome>(on: loop) { [unowned self] outcome in
    completions.removeValue(forKey: outcome.job)?(outcome.result)
  }

  init(on loop: Loop, recoveryFolder: RecoveryFolder? = nil) {
    self.loop = loop
    writer = FileWriter(system: system, recoveryFolder: recoveryFolder)
  }

  var hasUnfinishedSaves: Bool { !completions.isEmpty }

  /// - Parameter completion: Called once, on the loop's thread.
  func save(
    _ contents: Rope, to path: String, expecting expected: FileStatus?,
    completion: @escaping (Result<FileStatus, FileError>) -> Void
  ) {
    lastJob += 1
    let job = lastJob
    completions[job] = completion
    let (writer, outcomes) = (writer, outcomes)
    do throws(EventLoopError) {
      if thread == nil { thread = try LoopThread(name: "files") }
      thread?.loop.perform {
        let result = Result { () throws(FileError) in try writer.save(contents, to: path, expecting: expected) }
        outcomes.send(Outcome(job: job, result: result))
      }
    } catch {
      let failure = FileError(.system, "cannot save", path: path, systemError: error.systemError)
      outcomes.send(Outcome(job: job, result: .failure(failure)))
    }
  }

  /// Waits for the saves that run: the end of the program must not cut them short.
  func finish() {
    thread?.stop()
    thread?.join()
  }
}
