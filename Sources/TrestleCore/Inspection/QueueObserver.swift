/// Sees what goes over a bridge's message queue. On the JS thread.
package protocol QueueObserver: AnyObject, Sendable {
  /// JavaScript is about to run, or answers are.
  func turnWillBegin()
  func turnDidEnd()
  /// JavaScript's call has arrived. A synchronous one is answered before the next call.
  ///
  /// - Parameter arguments: costs about as much as the call itself.
  func willMake(_ call: MethodReference, slot: UInt32, arguments: () -> [ScriptValue])
  /// The method has returned, or its call waits for its executor.
  func didMake(_ call: MethodReference, slot: UInt32)
  /// JavaScript has given up the thread; what it called since the last time was one batch.
  func batchDidEnd()
  /// An answer, an event or a call is handed to JavaScript.
  func willDeliver(_ record: ReplyDecoder.Record)
  /// JavaScript answers a call of Swift's.
  func didReceiveAnswer(of call: UInt32, isFailure: Bool)
  /// Swift calls a function of a script's and waits for it.
  func willCallAtOnce()
  /// Nothing of the bridge waits any more.
  func bridgeDidClose()
}

extension QueueObserver {
  package func turnWillBegin() {}
  package func turnDidEnd() {}
  package func didMake(_ call: MethodReference, slot: UInt32) {}
  package func batchDidEnd() {}
  package func didReceiveAnswer(of call: UInt32, isFailure: Bool) {}
  package func willCallAtOnce() {}
  package func bridgeDidClose() {}
}

extension CallSession {
  /// The call with the observers around it.
  func observed(_ call: @escaping _Expansion.Call) -> _Expansion.Call {
    guard !observers.isEmpty else { return call }
    func observedCall(_ invocation: inout Invocation) throws(ConversionError) {
      let (method, slot) = (invocation.method, invocation.slot)
      for observer in observers {
        observer.willMake(method, slot: slot) { ScriptValue.all(in: invocation.reader) }
      }
      defer { for observer in observers { observer.didMake(method, slot: slot) } }
      do throws(ConversionError) { try call(&invocation) } catch { invocation.fail(invocation.describe(error)) }
      if slot == Invocation.synchronousSlot { show(synchronousAnswer.pointee) }
    }
    return observedCall
  }

  func show(_ writer: borrowing ValueWriter) {
    var decoder = ReplyDecoder(writer.copy())
    while let record = decoder.nextRecord() { for observer in observers { observer.willDeliver(record) } }
  }
}
