/// Sees what goes over a bridge's message queue. On the JS thread.
package protocol QueueObserver: AnyObject, Sendable {
  /// JavaScript's call has arrived. A synchronous one is answered before the next call.
  func didReceive(_ call: MethodReference, _ arguments: [ScriptValue], slot: UInt32)
  /// An answer, an event or a call is handed to JavaScript.
  func willDeliver(_ record: ReplyDecoder.Record)
}

extension CallSession {
  /// The call with the observer in front of it.
  func observed(_ call: @escaping ModuleDetails.Call) -> ModuleDetails.Call {
    guard let observer else { return call }
    func observedCall(_ invocation: inout Invocation) throws(ConversionError) {
      observer.didReceive(invocation.method, ScriptValue.all(in: invocation.reader), slot: invocation.slot)
      try call(&invocation)
      if invocation.slot == Invocation.synchronousSlot { show(synchronousAnswer.pointee, to: observer) }
    }
    return observedCall
  }

  func show(_ writer: borrowing ValueWriter, to observer: any QueueObserver) {
    var decoder = ReplyDecoder(writer.copy())
    while let record = decoder.nextRecord() { observer.willDeliver(record) }
  }
}
