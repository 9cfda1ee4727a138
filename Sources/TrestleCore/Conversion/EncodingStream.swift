/// Where encoders write: straight into the writer, as long as containers are filled one after the other.
///
/// The containers that `nestedContainer` and `superEncoder` give may be filled in any order. Each has a stream of its own,
/// and the stream around it goes on in a new segment; at the end the parts are put together.
final class EncodingStream {
  final class Segment {
    var writer: ValueWriter
    init(_ writer: consuming ValueWriter) { self.writer = writer }
  }

  private enum Part {
    case segment(Segment)
    case stream(EncodingStream)
  }

  /// The first error of all, also if an `encode(to:)` swallowed it: what was written is not whole then.
  final class Session { var failure: (any Error)? }

  let session: Session
  private(set) var current: Segment
  private var finished: [Part] = []

  private init(session: Session, writer: consuming ValueWriter) {
    self.session = session
    current = Segment(writer)
  }

  /// How much was written, to see whether something was.
  var progress: (parts: Int, bytes: Int) { (finished.count, current.writer.byteCount) }

  /// Leaves a place here for a container that is filled later.
  func split() -> EncodingStream {
    let stream = EncodingStream(session: session, writer: ValueWriter())
    finished += [.segment(current), .stream(stream)]
    current = Segment(ValueWriter())
    return stream
  }

  /// Writes one value, by its own `encode(to:)`.
  static func write(_ value: some Encodable, into writer: inout ValueWriter) throws {
    let stream = EncodingStream(session: Session(), writer: ValueWriter(capacity: 0))
    let first = stream.current
    swap(&first.writer, &writer)
    writer.progress = first.writer.progress
    defer {
      first.writer.progress = writer.progress
      swap(&first.writer, &writer)
    }
    try ValueEncoder(stream: stream, depth: first.writer.depth, path: nil).encode(value)
    if let failure = stream.session.failure { throw failure }
    stream.appendParts(to: first)
  }

  private func appendParts(to first: Segment) {
    for part in finished + [.segment(current)] {
      switch part {
      case .segment(let segment) where segment === first: break
      case .segment(let segment): first.writer.append(contentsOf: segment.writer)
      case .stream(let stream):
        // A container that nothing was asked of is an empty object.
        if stream.progress == (0, 0) { first.writer.append(.object) }
        stream.appendParts(to: first)
      }
    }
  }
}
