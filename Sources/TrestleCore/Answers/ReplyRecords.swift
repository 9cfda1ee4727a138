/// What a record towards JavaScript is: the low half of its first slot's first word. `js/runtime/answers.js` reads them.
@usableFromInline
enum ReplyKind: UInt32 {
  /// The promise of a slot is settled with the value that follows, or its success callback called.
  case resolve = 1
  /// The same with an error, or its failure callback called.
  case reject
  /// Module number, event name and value follow.
  case event
  /// The path of a function, or the number that it is kept under, and an array of arguments follow. The answer comes back
  /// as a record of the runtime, unless the call number is 0.
  case call
  /// Nobody waits for a call any more: its signal, if it has one, is aborted.
  case abort
  /// A listener, by its number, is told of its event from now on; an array with the value to replay follows.
  case listener
}

extension ValueWriter {
  mutating func append(_ kind: ReplyKind, slot: UInt32) { appendSlot(UInt64(kind.rawValue) | UInt64(slot) << 32) }

  /// Adds a whole record, or none.
  @inline(__always)
  private mutating func append<E: Error>(
    _ kind: ReplyKind, slot: UInt32, _ encode: (inout ValueWriter) throws(E) -> Void
  ) throws(E) {
    let mark = mark
    append(kind, slot: slot)
    progress = progress == .behind ? .overtaken : .writing
    defer { progress = progress == .overtaken ? .behind : .free }
    do throws(E) { try encode(&self) } catch {
      rewind(to: mark)
      throw error
    }
  }

  /// A value for the functions waiting in `slot`, or the reason why it cannot be sent.
  @usableFromInline
  mutating func appendAnswer(_ value: some BridgeEncodable, slot: UInt32) {
    append(.resolve, value, slot: slot)
  }

  /// The same for the failure callback.
  mutating func appendRejection(with value: some BridgeEncodable, slot: UInt32) { append(.reject, value, slot: slot) }

  @usableFromInline
  mutating func append(_ kind: ReplyKind, _ value: some BridgeEncodable, slot: UInt32) {
    do { try append(kind, slot: slot) { try value.encode(into: &$0) } } catch { appendRejection(error, slot: slot) }
  }

  @usableFromInline
  mutating func appendRejection(_ error: any Error, slot: UInt32) {
    append(.reject, slot: slot) { $0.append(error: error) }
  }
}

extension ValueWriter {
  /// What records there are from a byte on, each with its slot.
  borrowing func records(from byteOffset: Int) -> [(kind: ReplyKind, slot: UInt32)] {
    let bytes = bytes
    var offset = max(byteOffset, 0)
    func next() -> (low: UInt32, high: Int)? {
      guard offset + 8 <= bytes.count else { return nil }
      defer { offset += 8 }
      let slot = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      return (UInt32(truncatingIfNeeded: slot), Int(slot >> 32))
    }
    var records: [(kind: ReplyKind, slot: UInt32)] = []
    while let (low, slot) = next(), let kind = ReplyKind(rawValue: low) {
      records.append((kind, UInt32(slot)))
      var valueCount =
        switch kind {
        case .resolve, .reject, .listener: 1
        case .event, .call: 2
        case .abort: 0
        }
      while valueCount > 0, let (tag, count) = next() {
        valueCount -= 1
        switch Tag(rawValue: tag) {
        case .number, .bigInt, .bigUInt, .date: offset += 8
        case .array: valueCount += count
        case .object: valueCount += 2 * count
        case .record: valueCount += RecordShape.shape(id: UInt32(count))?.memberNames.count ?? 0
        case .error: valueCount += 6
        case .name: valueCount += count & 1
        default: break
        }
      }
    }
    return records
  }

  /// A call of a JavaScript function: its path or number, and its arguments.
  mutating func appendCall<each Argument: BridgeEncodable>(
    _ call: UInt32, of function: some BridgeEncodable, _ arguments: repeat each Argument
  ) throws {
    try append(.call, slot: call) { writer in
      try function.encode(into: &writer)
      var count: UInt32 = 0
      for _ in repeat each arguments { count += 1 }
      writer.append(.array, low: count)
      for argument in repeat each arguments { try argument.encode(into: &writer) }
    }
  }

  /// An event of a module, from a thread that does not know which names were sent.
  mutating func appendEvent(_ event: String, ofModule module: Int, _ value: some BridgeEncodable) throws {
    try append(.event, slot: UInt32(module)) { writer in
      writer.append(event)
      try value.encode(into: &writer)
    }
  }

  /// An event of a module.
  mutating func appendEvent(
    _ event: String, ofModule module: Int, _ value: some BridgeEncodable, names: inout SentNames
  ) throws {
    do {
      try append(.event, slot: UInt32(module)) { writer in
        writer.append(name: event, among: &names)
        try value.encode(into: &writer)
      }
    } catch {
      names.forget()
      throw error
    }
  }

  /// A listener is one from now on; the value to replay, if there is one, in an array.
  mutating func appendListener(_ number: UInt32, _ replayed: (any BridgeEncodable)?) throws {
    try append(.listener, slot: number) { writer in
      writer.append(.array, low: replayed == nil ? 0 : 1)
      try replayed?.encode(into: &writer)
    }
  }
}
