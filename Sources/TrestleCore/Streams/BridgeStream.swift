import EventLoop

/// A sequence whose elements JavaScript pulls one at a time: there, an async iterator.
///
/// ```swift
/// @Exported func lines(of path: String) throws -> BridgeStream<String> { BridgeStream(try FileLines(path)) }
/// ```
/// ```js
/// for await (const line of await NativeModules.Files.lines('log')) if (line === 'end') break;
/// ```
///
/// The next element is asked for when the script asks, so a slow script slows the sequence. An `AsyncStream`, which may be a
/// result itself, keeps or drops what nobody has asked for by its own buffering policy. `break`, `return()`, a script that
/// forgets the iterator and a closed bridge cancel the task that waits for an element and let go of the sequence.
///
/// A question costs a hop to another thread and back. A sequence that does not wait, such as the lines of a file, may be
/// asked for more at once (`ahead`).
public struct BridgeStream<Element: BridgeEncodable>: BridgeEncodable {
  private let source: StreamSource

  public static var bridgeSchema: TypeSchema { .stream(Element.bridgeSchema) }

  /// A sequence that goes as fast as the script asks.
  ///
  /// - Parameter ahead: how many elements may be taken before the script asks for them. It gets them all when the last one
  ///   is there: more than 0 only for sequences that do not wait.
  public init<Base: AsyncSequence & Sendable>(_ base: Base, ahead: Int = 0) where Base.Element == Element {
    let elements = StreamElements(base)
    source = StreamSource { try await elements.next(atMost: 1 + max(ahead, 0)) }
  }

  init(_ source: StreamSource) { self.source = source }

  public func encode(into writer: inout ValueWriter) { writer.append(source) }
}

extension AsyncStream: BridgeTyped, BridgeEncodable where Element: BridgeEncodable {
  public static var bridgeSchema: TypeSchema { BridgeStream<Element>.bridgeSchema }
  public func encode(into writer: inout ValueWriter) throws { BridgeStream(self).encode(into: &writer) }
}

extension AsyncThrowingStream: BridgeTyped, BridgeEncodable where Element: BridgeEncodable, Failure == any Error {
  public static var bridgeSchema: TypeSchema { BridgeStream<Element>.bridgeSchema }
  public func encode(into writer: inout ValueWriter) throws { BridgeStream(self).encode(into: &writer) }
}

/// What is behind an async iterator in JavaScript. JavaScript asks one question after the other.
final class StreamSource: Sendable {
  private let elements: Lock<(@Sendable () async throws -> any BridgeEncodable)?>

  init(next: @escaping @Sendable () async throws -> any BridgeEncodable) { elements = Lock(next) }

  /// - Returns: elements in an array, of which there are none at the end.
  func next() async throws -> any BridgeEncodable { try await elements.withLock { $0 }?() ?? [Int]() }

  /// Lets go of the sequence, whoever still knows of this.
  func end() { elements.withLock { $0 = nil } }
}

/// An iterator, which only one may use at a time.
private actor StreamElements<Base: AsyncSequence & Sendable> where Base.Element: Sendable {
  private let base: Base
  private var iterator: Base.AsyncIterator?
  private var hasBegun = false
  /// What was thrown behind elements that had to be handed over first.
  private var failure: (any Error)?

  init(_ base: Base) { self.base = base }

  /// - Returns: no elements at the end.
  func next(atMost count: Int) async throws -> [Base.Element] {
    if let failure {
      self.failure = nil
      throw failure
    }
    if !hasBegun { iterator = base.makeAsyncIterator() }
    hasBegun = true
    // Gone while it is at work, at the end, and after an error.
    guard var current = iterator.take() else { return [] }
    var elements: [Base.Element] = []
    while elements.count < count {
      do {
        guard let element = try await current.next(isolation: self) else { return elements }
        elements.append(element)
      } catch {
        if elements.isEmpty { throw error }
        failure = error
        return elements
      }
    }
    iterator = current
    return elements
  }
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
    let reply = UncheckedReply(mailbox: mailbox, method: Self.nextReference, call: nextCall(), slot: slot)
    guard let stream = streams[number] else { return reply.resolve([Int]()) }
    reply.startConcurrently {
      do { reply.resolve(try await stream.next()) } catch { reply.reject(error) }
    }
  }

  /// JavaScript will ask for no more elements.
  func drop(stream number: UInt32) { streams.removeValue(forKey: number)?.end() }

  func closeStreams() {
    for stream in streams.values { stream.end() }
    streams = [:]
  }
}
