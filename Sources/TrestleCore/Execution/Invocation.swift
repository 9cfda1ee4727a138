extension _Expansion {
  /// One call from JavaScript while its arguments are read. On the JS thread; it does not outlive the call.
  ///
  /// Read all arguments first, in order, then answer once: at once (`answer`), or through `reply()`.
  public struct Invocation: ~Copyable {
    @usableFromInline var reader: ValueReader
    /// Where JavaScript keeps the functions to call; 0 if it does not wait; `synchronousSlot` if it waits here and now.
    @usableFromInline let slot: UInt32
    // The dispatch table keeps it; counting references to it would cost as much as reading an argument.
    @usableFromInline let bound: Unmanaged<BoundMethod>
    /// What the callbacks that were read share: any of them answers the call.
    @usableFromInline var callbacks: Reply?

    @usableFromInline static let synchronousSlot = UInt32.max

    @inline(__always)
    init(reader: consuming ValueReader, slot: UInt32, of bound: Unmanaged<BoundMethod>) {
      self.reader = reader
      self.slot = slot
      self.bound = bound
    }

    var method: MethodReference { bound._withUnsafeGuaranteedRef { $0.reference } }
    var module: ModuleInstance { bound._withUnsafeGuaranteedRef { $0.module } }

    /// The next argument.
    @inlinable @inline(__always)
    public mutating func next<Value: BridgeDecodable>(_: Value.Type) throws(ConversionError) -> Value {
      try Value.decode(from: &reader)
    }

    /// The next argument, or `defaultValue` where JavaScript leaves it out or passes `undefined`.
    @inlinable @inline(__always)
    public mutating func next<Value: BridgeDecodable>(
      _: Value.Type, default defaultValue: @autoclosure () -> Value
    ) throws(ConversionError) -> Value {
      if try reader.skipUndefined() { return defaultValue() }
      return try Value.decode(from: &reader)
    }

    @_disfavoredOverload
    public mutating func next<Value: Decodable & Sendable>(_: Value.Type) throws(ConversionError) -> Value {
      try DecodedValue<Value>.decode(from: &reader).value
    }

    @_disfavoredOverload
    public mutating func next<Value: Decodable & Sendable>(
      _: Value.Type, default defaultValue: @autoclosure () -> Value
    ) throws(ConversionError) -> Value {
      if try reader.skipUndefined() { return defaultValue() }
      return try DecodedValue<Value>.decode(from: &reader).value
    }

    /// The next argument, a function that is called once with a `Value`.
    @inlinable
    public mutating func callback<Value>(_: Value.Type) throws(ConversionError) -> Callback<Value> {
      let (tag, role) = try reader.header()
      guard tag == Tag.callback.rawValue, role <= 1 else { throw reader.error(.mismatch) }
      return Callback(reply: replyOfCallbacks(), isFailure: role == 0)
    }

    @usableFromInline
    mutating func replyOfCallbacks() -> Reply {
      let reply = reply()
      callbacks = reply
      return reply
    }

    /// The same, or nil where JavaScript passes none.
    @inlinable
    public mutating func optionalCallback<Value>(_: Value.Type) throws(ConversionError) -> Callback<Value>? {
      if try reader.skipUndefined() { return nil }
      return try callback(Value.self)
    }

    /// The right to answer later, from any thread. Where callbacks were read they have the same: one answer is all.
    public func reply() -> Reply { callbacks ?? uncheckedReply().guarded }

    /// The same for code that answers exactly once, without the cost of checking it.
    public func uncheckedReply() -> Reply {
      if let callbacks { return callbacks.unguarded }
      return Reply(
        mailbox: module.session.mailbox, method: method, call: module.session.nextCall(), slot: slot)
    }

    /// Answers now with what `body` returns or throws.
    @inlinable @inline(__always)
    public func answer<Value: BridgeEncodable>(_ body: () throws -> Value) {
      do {
        let value = try body()
        if slot == 0 { return }
        let isSynchronous = slot == Self.synchronousSlot
        let writer = bound._withUnsafeGuaranteedRef { isSynchronous ? $0.synchronousAnswer : $0.answers }
        if writer.pointee.isBusy {
          writer.pointee.noteFollower()
          return uncheckedReply().resolve(value)
        }
        writer.pointee.appendAnswer(value, slot: slot)
      } catch { fail(error) }
    }

    /// Answers `undefined` now, or with what `body` throws.
    ///
    /// Has a name of its own, as a closure for `answer` may drop its result without a word.
    @inlinable @inline(__always)
    public func complete(_ body: () throws -> Void) {
      do { try body() } catch { return fail(error) }
      if slot != 0 { answer { Undefined() } }
    }

    @_disfavoredOverload
    public func answer<Value: Encodable & Sendable>(_ body: () throws -> Value) {
      answer { EncodedValue(try body()) }
    }

    /// Answers with an error; if nobody waits for an answer, tells the bridge's `onError`.
    @usableFromInline
    func fail(_ error: any Error) {
      module.session.fail(error, method: method, slot: slot)
    }

    /// Has `call` run on the module's own executor, after all earlier calls to the module have been started there.
    public func enqueue(_ call: @escaping @Sendable () -> Void) { module.enqueue(call, isAwaited: slot != 0) }
  }
}
