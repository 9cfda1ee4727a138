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

  /// A value for the functions waiting in `slot`, or the reason why it cannot be sent.
  @usableFromInline
  mutating func appendAnswer(_ value: some BridgeEncodable, slot: UInt32) {
    append(.resolve, value, slot: slot)
  }

  /// The same for the failure callback.
  mutating func appendRejection(with value: some BridgeEncodable, slot: UInt32) { append(.reject, value, slot: slot) }

  @usableFromInline
  mutating func append(_ kind: ReplyKind, _ value: some BridgeEncodable, slot: UInt32) {
    let mark = mark
    append(kind, slot: slot)
    do { try value.encode(into: &self) } catch {
      rewind(to: mark)
      appendRejection(error, slot: slot)
    }
  }

  @usableFromInline
  mutating func appendRejection(_ error: any Error, slot: UInt32) {
    append(.reject, slot: slot)
    append(error: error)
  }
}

extension ValueWriter {
  /// A call of a JavaScript function: its path or number, and its arguments.
  mutating func appendCall<each Argument: BridgeEncodable>(
    _ call: UInt32, of function: some BridgeEncodable, _ arguments: repeat each Argument
  ) throws {
    let mark = mark
    append(.call, slot: call)
    try function.encode(into: &self)
    var count: UInt32 = 0
    for _ in repeat each arguments { count += 1 }
    append(.array, low: count)
    do { for argument in repeat each arguments { try argument.encode(into: &self) } } catch {
      rewind(to: mark)
      throw error
    }
  }

  /// An event of a module, from a thread that does not know which names were sent.
  mutating func appendEvent(_ event: String, ofModule module: Int, _ value: some BridgeEncodable) throws {
    let mark = mark
    append(.event, slot: UInt32(module))
    append(event)
    do { try value.encode(into: &self) } catch {
      rewind(to: mark)
      throw error
    }
  }

  /// An event of a module.
  mutating func appendEvent(
    _ event: String, ofModule module: Int, _ value: some BridgeEncodable, names: inout SentNames
  ) throws {
    let mark = mark
    append(.event, slot: UInt32(module))
    append(name: event, among: &names)
    do { try value.encode(into: &self) } catch {
      rewind(to: mark)
      names.forget()
      throw error
    }
  }
}
