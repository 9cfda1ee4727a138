extension ReplyDecoder {
  /// A record towards JavaScript.
  package enum Record {
    case answer(slot: UInt32, StandaloneSession.Outcome)
    case event(String, module: Int, ScriptValue)
    /// `number` is 0 if nobody waits for its answer.
    case call(number: UInt32, path: String, [ScriptValue])
    case abort(call: UInt32)
    /// The value to replay in an array.
    case listener(UInt32, ScriptValue)
  }

  /// The next record; nil at the end.
  package mutating func nextRecord() -> Record? {
    guard let header = nextSlot(), let kind = ReplyKind(rawValue: UInt32(truncatingIfNeeded: header)) else {
      return nil
    }
    let slot = UInt32(header >> 32)
    switch kind {
    case .resolve: return next().map { .answer(slot: slot, .value($0)) }
    case .reject: return next().map { .answer(slot: slot, .failure($0)) }
    case .abort: return .abort(call: slot)
    case .listener: return next().map { .listener(slot, $0) }
    case .event:
      guard case .string(let name)? = next(), let value = next() else { return nil }
      return .event(name, module: Int(slot), value)
    case .call:
      guard let function = next(), case .array(let arguments)? = next() else { return nil }
      let path = if case .string(let path) = function { path } else { "a function" }
      return .call(number: slot, path: path, arguments)
    }
  }
}

extension ValueWriter {
  /// The same content once more.
  borrowing func copy() -> ValueWriter {
    var copy = ValueWriter(capacity: byteCount)
    copy.append(contentsOf: self)
    return copy
  }
}
