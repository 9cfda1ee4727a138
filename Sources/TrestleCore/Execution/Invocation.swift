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
    @usableFromInline var callbacks: ReplyGuard?

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
      return Callback(guardian: guardianOfCallbacks(), isFailure: role == 0)
    }

    @usableFromInline
    mutating func guardianOfCallbacks() -> ReplyGuard {
      if let callbacks { return callbacks }
      let guardian = ReplyGuard(uncheckedReply())
      callbacks = guardian
      return guardian
    }

    /// The same, or nil where JavaScript passes none.
    @inlinable
    public mutating func optionalCallback<Value>(_: Value.Type) throws(ConversionError) -> Callback<Value>? {
      if try reader.skipUndefined() { return nil }
      return try callback(Value.self)
    }

    /// The right to answer later, from any thread. Where callbacks were read they have the same: one answer is all.
    public func reply() -> Reply { (callbacks ?? ReplyGuard(uncheckedReply())).reply }

    /// The same for code that answers exactly once, without the cost of checking it.
    public func uncheckedReply() -> Reply { Self.uncheckedReply(of: bound, slot, callbacks) }

    /// Of parts: asked for on `self`, the compiler copies all of it for each call, also where nothing comes of it.
    @usableFromInline
    static func uncheckedReply(of bound: Unmanaged<BoundMethod>, _ slot: UInt32, _ callbacks: ReplyGuard?) -> Reply {
      if let callbacks { return callbacks.unguarded }
      return bound._withUnsafeGuaranteedRef { bound in
        let session = bound.module.session
        return Reply(mailbox: session.mailbox, method: bound.reference, call: session.nextCall(), slot: slot)
      }
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
          return Self.uncheckedReply(of: bound, slot, callbacks).resolve(value)
        }
        writer.pointee.appendAnswer(value, slot: slot)
      } catch { Self.fail(error, of: bound, slot) }
    }

    /// Answers `undefined` now, or with what `body` throws.
    ///
    /// Has a name of its own, as a closure for `answer` may drop its result without a word.
    @inlinable @inline(__always)
    public func complete(_ body: () throws -> Void) {
      do { try body() } catch { return Self.fail(error, of: bound, slot) }
      if slot != 0 { answer { Undefined() } }
    }

    @_disfavoredOverload
    public func answer<Value: Encodable & Sendable>(_ body: () throws -> Value) {
      answer { EncodedValue(try body()) }
    }

    /// Answers with an error; if nobody waits for an answer, tells the bridge's `onError`.
    func fail(_ error: any Error) { Self.fail(error, of: bound, slot) }

    @usableFromInline
    static func fail(_ error: any Error, of bound: Unmanaged<BoundMethod>, _ slot: UInt32) {
      bound._withUnsafeGuaranteedRef { $0.module.session.fail(error, method: $0.reference, slot: slot) }
    }

    /// Has `call` run on the module's own executor, after all earlier calls to the module have been started there.
    public func enqueue(_ call: @escaping @Sendable () -> Void) { module.enqueue(call, isAwaited: slot != 0) }
  }
}
