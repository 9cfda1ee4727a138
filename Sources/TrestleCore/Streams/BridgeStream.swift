import EventLoop

/// A sequence whose elements JavaScript pulls: there, an async iterator.
///
/// ```swift
/// @Exported func lines(of path: String) throws -> BridgeStream<String> { BridgeStream(try FileLines(path)) }
/// ```
/// ```js
/// for await (const line of NativeModules.Files.lines('log')) if (line === 'end') break;
/// ```
///
/// Elements cross as many at a time as are there when the script asks, so that a script is given thousands of them in the time of
/// a few crossings. No more than `ahead` of them are taken before it asks: a slow script slows the sequence. An `AsyncStream`, which
/// may be a result itself, keeps or drops what nobody has asked for by its own buffering policy. `break`, `return()`, a script
/// that forgets the iterator and a closed bridge cancel the task that waits for an element and let go of the sequence.
public struct BridgeStream<Element: BridgeEncodable>: BridgeEncodable {
  private let source: StreamSource

  public static var bridgeSchema: BridgeSchema { BridgeSchema(.stream(Element.typeSchema)) }

  /// A sequence that goes as fast as the script asks.
  ///
  /// - Parameter ahead: how many elements may wait in memory for the script to ask. 0 for a sequence whose next element is not to be
  ///   begun before the script wants it, as where each is a request to a server: a question for each costs ten times as much.
  public init<Base: AsyncSequence & Sendable>(_ base: Base, ahead: Int = 63) where Base.Element == Element {
    let ahead = min(max(ahead, 0), .max - 1)
    self.init(base, ahead: ahead, atOnce: ahead + 1)
  }

  /// - Parameter atOnce: how many elements may cross together.
  fileprivate init<Base: AsyncSequence & Sendable>(_ base: Base, ahead: Int, atOnce: Int)
  where Base.Element == Element {
    let elements = StreamElements(base, ahead: ahead, atOnce: atOnce)
    source = StreamSource(next: { try await elements.next() }, end: { elements.end() })
  }

  init(_ source: StreamSource) { self.source = source }

  public func encode(into writer: inout ValueWriter) { writer.append(source) }
}

/// What is there when the script asks crosses together; nothing is taken out of the stream's own buffer meanwhile.
extension AsyncStream: BridgeTyped, BridgeEncodable where Element: BridgeEncodable {
  public static var bridgeSchema: BridgeSchema { BridgeStream<Element>.bridgeSchema }
  public func encode(into writer: inout ValueWriter) throws {
    BridgeStream(self, ahead: 0, atOnce: 64).encode(into: &writer)
  }
}

extension AsyncThrowingStream: BridgeTyped, BridgeEncodable where Element: BridgeEncodable, Failure == any Error {
  public static var bridgeSchema: BridgeSchema { BridgeStream<Element>.bridgeSchema }
  public func encode(into writer: inout ValueWriter) throws {
    BridgeStream(self, ahead: 0, atOnce: 64).encode(into: &writer)
  }
}

/// What is behind an async iterator in JavaScript. JavaScript asks one question after the other.
final class StreamSource: Sendable {
  private struct Content: Sendable {
    let next: @Sendable () async throws -> any BridgeEncodable
    let end: @Sendable () -> Void
    /// At work on the last question.
    var task: Task<Void, Never>?
  }

  private let content: Lock<Content?>

  init(next: @escaping @Sendable () async throws -> any BridgeEncodable, end: @escaping @Sendable () -> Void = {}) {
    content = Lock(Content(next: next, end: end))
  }

  deinit { end() }

  /// - Returns: elements in an array, of which there are none at the end.
  func next() async throws -> any BridgeEncodable { try await content.withLock { $0?.next }?() ?? [Int]() }

  /// The task that asks is cancelled at the end, which may have come before.
  func follow(_ task: Task<Void, Never>) {
    let isThere = content.withLock { content in
      content?.task = task
      return content != nil
    }
    if !isThere { task.cancel() }
  }

  /// Lets go of the sequence, whoever still knows of this.
  func end() {
    guard let content = content.withLock({ $0.take() }) else { return }
    content.end()
    content.task?.cancel()
  }
}

/// An iterator at work for one who asks for its elements, question after question.
///
/// An answer waits for the actor, as a question that has nothing to take does: it is given when the iterator has to wait, and
/// takes all that is there.
actor StreamElements<Base: AsyncSequence & Sendable> where Base.Element: Sendable {
  private let base: Base
  private let (ahead, atOnce): (Int, Int)
  private var iterator: Base.AsyncIterator?
  private(set) var hasBegun = false
  private var isAsked = false
  private var question: CheckedContinuation<Void, Never>?
  private var waiting: [Base.Element] = []
  /// What was thrown behind elements that have to be handed over first.
  private var failure: (any Error)?
  /// Takes elements from the iterator, which it has meanwhile.
  private nonisolated let work = Lock<Task<Void, Never>?>(nil)
  private var isAtWork = false

  init(_ base: Base, ahead: Int, atOnce: Int) {
    self.base = base
    (self.ahead, self.atOnce) = (ahead, atOnce)
  }

  /// - Returns: no elements at the end.
  func next() async throws -> [Base.Element] {
    // One question after the other: what is asked beside it finds nothing.
    guard question == nil else { return [] }
    if atOnce == 1 { return try await nextAlone() }
    isAsked = true
    defer { isAsked = false }
    if waiting.isEmpty, failure == nil { await fill() }
    if waiting.isEmpty, let failure = failure.take() { throw failure }
    defer { waiting = [] }
    return waiting
  }

  private func begin() {
    if !hasBegun { iterator = base.makeAsyncIterator() }
    hasBegun = true
  }

  /// As `fill` does it, without a task of its own: nothing is taken before it is asked for, and nothing beside it.
  private func nextAlone() async throws -> [Base.Element] {
    begin()
    // Gone while it is at work, too.
    guard var current = iterator.take(), let element = try await current.next(isolation: self) else { return [] }
    if !Task.isCancelled { iterator = current }
    return [element]
  }

  private func fill() async {
    if !isAtWork {
      begin()
      if iterator == nil { return }
      isAtWork = true
      let task = Task { await takeElements() }
      work.withLock { $0 = task }
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { question = $0 }
    } onCancel: {
      end()
    }
  }

  private func takeElements() async {
    // Gone at the end, and after an error.
    var current = iterator.take()
    while current != nil, !Task.isCancelled, waiting.count < (isAsked ? atOnce : ahead) {
      do {
        if let element = try await current?.next(isolation: self) { waiting.append(element) } else { current = nil }
      } catch {
        failure = error
        current = nil
      }
      question.take()?.resume()
    }
    iterator = Task.isCancelled ? nil : current
    isAtWork = false
    question.take()?.resume()
  }

  /// Cancels what the iterator is at.
  nonisolated func end() { work.withLock { $0 }?.cancel() }
}

extension CallSession {
  private static let nextReference = MethodReference(module: "stream", name: "next", kind: .promise)

  /// - Returns: the number by which JavaScript asks for elements.
  func add(_ stream: StreamSource) -> UInt32 {
    repeat { lastStream &+= 1 } while streams[lastStream] != nil
    streams[lastStream] = stream
    return lastStream
  }

  /// Answers with the next element of a stream.
  func pull(fromStream number: UInt32, slot: UInt32) {
    let reply = Reply(mailbox: mailbox, method: Self.nextReference, call: nextCall(), slot: slot)
    guard let stream = streams[number] else { return reply.resolve([Int]()) }
    let task = reply.startTask {
      do { reply.resolve(try await stream.next()) } catch { reply.reject(error) }
    }
    if let task { stream.follow(task) }
  }

  /// JavaScript will ask for no more elements.
  func drop(stream number: UInt32) { streams.removeValue(forKey: number)?.end() }

  /// JavaScript will never hear of the others.
  func dropStreams(except known: Set<UInt32>) {
    for number in streams.keys where !known.contains(number) { drop(stream: number) }
  }

  func closeStreams() {
    for stream in streams.values { stream.end() }
    streams = [:]
  }
}
