import EventLoop
import Rope

/// Reads files that are too large to be read at once, on a thread of its own. What was read comes through the loop in pieces,
/// at most ten a second.
final class FileLoader {
  /// So much is read before a view opens. Tests shrink it, as they do the pieces.
  var firstByteCount = 1 << 20
  var pieceByteCount = FileReader.pieceByteCount
  private static let interval = Duration.milliseconds(100)

  enum Event: Sendable {
    /// More of the text.
    case piece(Rope)
    /// The whole, and what its lines look like.
    case end(FileContents, TextFormat, hasGrown: Bool)
    case failure(FileError)
  }

  private struct Message: Sendable {
    let job: Int
    /// Nil at the very end: the thread has let go of the contents.
    let event: Event?
  }

  private let loop: Loop
  private let system: any FileSystem
  private var thread: LoopThread?
  private var lastJob = 0
  private var handlers: [Int: (Event) -> Void] = [:]
  private let cancelled = Lock<Set<Int>>([])
  private lazy var messages = Inbox<Message>(on: loop) { [weak self] message in
    guard let self else { return }
    guard let event = message.event else {
      cancelled.withLock { _ = $0.remove(message.job) }
      return onEnd()
    }
    let handler = handlers[message.job]
    if case .piece = event {} else { handlers[message.job] = nil }
    handler?(event)
  }

  private let onEnd: () -> Void

  /// - Parameter onEnd: Called on the loop's thread when a load, cancelled or not, has let go of what it had read.
  init(on loop: Loop, system: any FileSystem, onEnd: @escaping () -> Void) {
    self.loop = loop
    self.system = system
    self.onEnd = onEnd
  }

  /// Reads the file of which the caller has the first bytes.
  ///
  /// - Parameters:
  ///   - expected: The file that those bytes are from, and they.
  ///   - text: As much of the text as the caller has.
  ///   - handler: Called on the loop's thread; last with the end or a failure.
  /// - Returns: A number for ``cancel(_:)``.
  func load(
    _ path: String, expecting expected: FileVersion, behind text: Rope, handler: @escaping (Event) -> Void
  ) throws(EventLoopError) -> Int {
    if thread == nil { thread = try LoopThread(name: "load") }
    lastJob += 1
    let job = lastJob
    handlers[job] = handler
    let (system, messages, cancelled, pieceByteCount) = (system, messages, cancelled, pieceByteCount)
    thread?.loop.perform {
      let isWanted = { cancelled.withLock { !$0.contains(job) } }
      do throws(FileError) {
        let reader = try FileReader(path, system: system, pieceByteCount: pieceByteCount, continuing: expected.status)
        try Self.read(reader, expecting: expected.contents, behind: text, isWanted) {
          messages.send(Message(job: job, event: $0))
        }
      } catch {
        messages.send(Message(job: job, event: .failure(error)))
      }
      messages.send(Message(job: job, event: nil))
    }
    return job
  }

  /// Nothing more is told of this file.
  func cancel(_ job: Int) {
    handlers[job] = nil
    cancelled.withLock { _ = $0.insert(job) }
  }

  private static func read(
    _ reader: FileReader, expecting first: ContentIdentity, behind text: Rope, _ isWanted: () -> Bool,
    _ tell: (Event) -> Void
  ) throws(FileError) {
    var (contents, told) = (Rope(), text)
    var isExpected = false
    var builder = Rope.Builder()
    var deadline = ContinuousClock.now + interval
    func tellMore(of text: Rope) {
      guard text.byteCount > told.byteCount else { return }
      tell(.piece(text.slice(told.endOffset..<text.endOffset)))
      told = text
    }
    var hasMore = true
    while hasMore {
      // The end may show only by a piece without anything.
      hasMore = try reader.readPiece(into: &builder)
      guard isWanted() else { return }
      if hasMore, ContinuousClock.now < deadline { continue }
      contents.append(builder.finish())
      if !isExpected, !hasMore || contents.byteCount >= first.size {
        guard contents.byteCount >= first.size,
          ContentIdentity(of: contents.slice(0..<ByteOffset(first.size))) == first
        else {
          throw FileError(.changedOnDisk, "cannot go on reading", path: reader.path, detail: "it begins otherwise now")
        }
        isExpected = true
      }
      if isExpected { tellMore(of: FileImage.certainText(ofBeginning: contents)) }
      deadline = ContinuousClock.now + interval
    }
    let (image, whole) = FileImage.split(contents, beginningWith: told)
    tellMore(of: whole)
    tell(.end(FileContents(contents, of: image, from: reader), TextFormat(of: whole), hasGrown: reader.hasGrown))
  }
}
