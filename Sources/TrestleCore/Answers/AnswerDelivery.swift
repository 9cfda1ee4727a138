import JSEngine

/// Hands the content of writers over to JavaScript: slots through the shared buffer, text as one string, long values as
/// values of their own. On the JS thread.
extension CommandQueue {
  /// What JavaScript takes for a result: the text, if any; or an array of text, side values and a buffer for what is too
  /// large. Nil is `undefined`.
  func returnResult(_ writer: borrowing ValueWriter, in context: JSContext) -> RawValue? {
    let bytes = writer.bytes
    let fits = bytes.count <= (CommandBuffer.end - CommandBuffer.resultStart) * 4
    if fits, !bytes.isEmpty {
      buffer.pointer(toWord: CommandBuffer.resultStart).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    }
    if fits && writer.sideValues.isEmpty {
      return writer.units.isEmpty ? nil : context.raw.string(writer.units)
    }
    let text = writer.units.isEmpty ? nil : self.text(of: writer, in: context)
    let side = sideArray(of: writer, in: context)
    var parts = [text?.reference ?? context.raw.undefined, side.reference]
    let rest = fits ? nil : elsewhere(bytes, in: context)
    if let rest { parts.append(rest.reference) }
    return withExtendedLifetime((text, side, rest)) { context.ownRealm.makeArray(raw: parts) } ?? context.raw.undefined
  }

  /// In bytes.
  static let roomForAnswers = (CommandBuffer.resultStart - CommandBuffer.answersStart) * 4

  /// Hands answers, events and calls over, in one crossing.
  func deliver(_ writer: borrowing ValueWriter, to entry: JSFunction, in context: JSContext) throws(JSException) {
    // Of the delivery before, which has been read.
    handedOver = []
    let bytes = writer.bytes
    let room = Self.roomForAnswers
    if bytes.count <= room {
      buffer.pointer(toWord: CommandBuffer.answersStart).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    }
    let end = bytes.count / 4 + (bytes.count <= room ? CommandBuffer.answersStart : 0)
    if bytes.count <= room && writer.sideValues.isEmpty {
      return try callFast(entry, end: end, units: writer.units, in: context)
    }
    let side = sideArray(of: writer, in: context) { handedOver.append(($0, $1, $2)) }
    var arguments = [context.number(Double(end)), text(of: writer, in: context), side]
    if bytes.count > room { arguments.append(elsewhere(bytes, in: context)) }
    try entry.call(arguments)
  }

  /// Without a protected value in between.
  private func callFast(
    _ entry: JSFunction, end: Int, units: UnsafeBufferPointer<UInt16>, in context: JSContext
  ) throws(JSException) {
    let raw = context.raw
    let text = units.isEmpty ? raw.undefined : raw.string(units)
    try withUnsafeTemporaryAllocation(of: RawValue?.self, capacity: 2) { (arguments) throws(JSException) in
      arguments[0] = raw.number(Double(end))
      arguments[1] = text
      var exception: RawValue?
      _ = raw.call(entry.reference, UnsafeBufferPointer(arguments), exception: &exception)
      if let exception { throw context.exception(thrown: exception) }
    }
    withExtendedLifetime(text) {}
  }

  /// Calls a function that Swift holds, with the arguments in `writer`; `read` is given what it comes to, which lies where the
  /// arguments did.
  ///
  /// - Parameter shape: of the record that it is to give, or 0: JavaScript writes that as it writes arguments.
  func callNow<Result>(
    _ function: UInt32, _ writer: borrowing ValueWriter, shape: UInt32, by entry: JSFunction, in context: JSContext,
    _ read: (_ isFailure: Bool, inout ValueReader) throws -> Result
  ) throws -> Result {
    let bytes = writer.bytes
    let fits = bytes.count <= (CommandBuffer.end - CommandBuffer.resultStart) * 4
    if fits {
      buffer.pointer(toWord: CommandBuffer.resultStart).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    }
    let raw = context.raw
    let answer: RawValue
    if fits && writer.sideValues.isEmpty {
      let text = writer.units.isEmpty ? raw.undefined : raw.string(writer.units)
      answer = try withUnsafeTemporaryAllocation(of: RawValue?.self, capacity: 3) { arguments throws in
        arguments[0] = raw.number(Double(function))
        arguments[1] = text
        arguments[2] = shape == 0 ? nil : raw.number(Double(shape))
        let given = UnsafeBufferPointer(rebasing: arguments[..<(shape == 0 ? 2 : 3)])
        do throws(JSException) { return try entry.call(raw: given) } catch { throw noRoom(error) }
      }
      withExtendedLifetime(text) {}
    } else {
      let values = [
        context.number(Double(function)), text(of: writer, in: context), context.number(Double(shape)),
        sideArray(of: writer, in: context),
      ]
      do throws(JSException) {
        answer = try entry.call(fits ? values : values + [elsewhere(bytes, in: context)]).reference
      } catch { throw noRoom(error) }
    }
    if raw.isNumber(answer) {
      let end = Int(exactly: raw.toNumber(answer)) ?? 0
      guard (CommandBuffer.resultStart...CommandBuffer.end).contains(abs(end)) else { throw Self.noAnswer }
      var reader = ValueReader(
        start: buffer.pointer(toWord: CommandBuffer.resultStart), end: buffer.pointer(toWord: abs(end)),
        sideValues: sideValues)
      return try read(end < 0, &reader)
    }
    // Nothing else keeps the buffer while its bytes are read.
    let kept = context.value(adopting: answer)
    defer { withExtendedLifetime(kept) {} }
    guard raw.isObject(answer), let bytes = raw.bytes(ofArrayBuffer: answer), let start = bytes.baseAddress,
      bytes.count >= 8, case let end = Int(start.load(as: Int32.self)) * 4, (8...bytes.count).contains(end)
    else { throw Self.noAnswer }
    var reader = ValueReader(start: start + 8, end: start + end, sideValues: sideValues)
    return try read(start.load(fromByteOffset: 4, as: Int32.self) != 0, &reader)
  }

  /// What a function throws is told in the answer: this is the engine's own, at the end of the stack or of the memory.
  private func noRoom(_ error: JSException) -> any Error {
    buffer[CommandBuffer.Word.unread] = 1
    return error.code == .thrown ? BridgeError(.limit, "JavaScript has no room for the call: \(error.message)") : error
  }

  private static let noAnswer = BridgeError(.malformed, "an answer that is none")

  private func text(of writer: borrowing ValueWriter, in context: JSContext) -> JSValue {
    context.value(adopting: context.raw.string(writer.units))
  }

  private func elsewhere(_ bytes: UnsafeRawBufferPointer, in context: JSContext) -> JSValue {
    context.raw.arrayBuffer(copying: bytes).map { context.value(adopting: $0) } ?? context.undefined
  }

  /// What this bridge keeps the object under; 0 for one of another bridge's, which has numbers of its own.
  private func ownNumber(of identity: JavaScriptError.Identity, isNeeded: Bool = false) -> UInt32 {
    let bridge = moduleContext.bridge.value
    if let bridge, (identity as? KeptValue)?.bridge.value === bridge { return identity.number }
    if isNeeded {
      session.mailbox.reportError(
        BridgeError(.argument, "an object of another bridge's reaches JavaScript as undefined"))
    }
    return 0
  }

  /// - Parameter note: told the index and the number of what JavaScript has to let go of, and whether it is a stream.
  private func sideArray(
    of writer: borrowing ValueWriter, in context: JSContext, note: (Int, Bool, UInt32) -> Void = { _, _, _ in }
  ) -> JSValue {
    var values: [RawValue?] = []
    // The engine does not look for values in that array. Numbers need nobody who keeps them.
    var keepers: [JSValue] = []
    func append(_ value: JSValue) {
      keepers.append(value)
      values.append(value.reference)
    }
    func append(_ number: UInt32) { values.append(context.raw.number(Double(number))) }
    for index in writer.sideValues.indices {
      switch writer.sideValues[index] {
      case .string(let string): append(context.string(string))
      case .transfer(let passage):
        let memory = passage.bytes.takeForJavaScript()
        let buffer = memory.flatMap { context.raw.arrayBuffer(adopting: $0, deallocator: $1) }
        append(buffer.map { context.value(adopting: $0) } ?? context.undefined)
      case .stream(let stream):
        let number = session.add(stream)
        note(index, true, number)
        append(number)
      case .shared(let object):
        let number = session.sharedObjects.handOver(object, report: context.reportExtraMemory)
        note(index, false, number)
        append(number)
      case .binary(let bytes, _): append(bytes.withUnsafeBytes { elsewhere($0, in: context) })
      case .kept(let kept): append(ownNumber(of: kept, isNeeded: true))
      case .error(let identity): append(ownNumber(of: identity))
      }
    }
    let array = withExtendedLifetime(keepers) { context.ownRealm.makeArray(raw: values) }
    return array.map { context.value(adopting: $0) } ?? context.undefined
  }
}
