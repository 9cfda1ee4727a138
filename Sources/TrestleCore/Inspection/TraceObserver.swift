import EventLoop
import JSON

/// One bridge's part in a trace: a row for its JS thread, with a slice for each turn and each call in it, and one for the time
/// that each call waits for its answer, joined to both by arrows.
final class TraceObserver: QueueObserver {
  private struct Progress {
    var turnStart = 0
    var callStarts: [Int] = []
    /// The calls that wait, by slot and by number: what the trace calls them, and by which number.
    var waiting: [UInt32: (name: String, number: Int)] = [:]
    var scriptCalls: [UInt32: (name: String, number: Int)] = [:]
    var batchSize = 0
  }

  private let trace: TraceFile
  /// The row.
  private let row: Int
  private let progress = Lock(Progress())

  init(_ trace: TraceFile, name: String) {
    self.trace = trace
    row = trace.nextNumber()
    write("M", "thread_name", ["args": .object(["name": .string("JS thread of \(name)")])])
  }

  func turnWillBegin() { progress.withLock { $0.turnStart = trace.now } }

  func turnDidEnd() { writeSlice("turn", "turn", since: progress.withLock { $0.turnStart }) }

  func willMake(_ call: MethodReference, slot: UInt32, arguments: () -> [ScriptValue]) {
    let now = trace.now
    progress.withLock { progress in
      progress.batchSize += 1
      progress.callStarts.append(now)
    }
    guard slot != 0, slot != Invocation.synchronousSlot else { return }
    let number = trace.nextNumber()
    progress.withLock { $0.waiting[slot] = (call.description, number) }
    begin(call.description, "call", number)
  }

  func didMake(_ call: MethodReference, slot: UInt32) {
    guard let start = progress.withLock({ $0.callStarts.popLast() }) else { return }
    writeSlice(call.description, call.kind.rawValue, since: start)
  }

  func batchDidEnd() {
    let size = progress.withLock { progress in
      defer { progress.batchSize = 0 }
      return progress.batchSize
    }
    write("C", "calls in a batch", ["args": .object(["calls": .integer(Int64(size))])])
  }

  func willDeliver(_ record: ReplyDecoder.Record) {
    switch record {
    case .answer(let slot, let outcome):
      guard let (name, number) = progress.withLock({ $0.waiting.removeValue(forKey: slot) }) else { return }
      if case .failure = outcome { end(name, "call", number, isFailure: true) } else { end(name, "call", number) }
    case .event(let name, _, _): write("i", "event \(name)", ["cat": "event", "s": "t"])
    case .call(let call, let path, _):
      guard call != 0 else { return write("i", path, ["cat": "script call", "s": "t"]) }
      let number = trace.nextNumber()
      progress.withLock { $0.scriptCalls[call] = (path, number) }
      begin(path, "script call", number)
    case .abort, .listener: break
    }
  }

  func didReceiveAnswer(of call: UInt32, isFailure: Bool) {
    guard let (name, number) = progress.withLock({ $0.scriptCalls.removeValue(forKey: call) }) else { return }
    end(name, "script call", number, isFailure: isFailure)
  }

  /// Something begins that ends in another turn.
  private func begin(_ name: String, _ category: String, _ number: Int) {
    write("b", name, ["cat": .string(category), "id": .integer(Int64(number))])
    write("s", name, ["cat": .string(category), "id": .integer(Int64(number))])
  }

  private func end(_ name: String, _ category: String, _ number: Int, isFailure: Bool = false) {
    let arguments: JSONObject = isFailure ? ["failed": .bool(true)] : [:]
    write("e", name, ["cat": .string(category), "id": .integer(Int64(number)), "args": .object(arguments)])
    write("f", name, ["cat": .string(category), "id": .integer(Int64(number)), "bp": "e"])
  }

  private func writeSlice(_ name: String, _ category: String, since start: Int) {
    write("X", name, ["cat": .string(category), "dur": .number(Double(trace.now - start) / 1000)], at: start)
  }

  /// Times are in microseconds.
  private func write(_ phase: String, _ name: String, _ more: JSONObject, at time: Int? = nil) {
    var members: JSONObject = ["ph": .string(phase), "name": .string(name), "tid": .integer(Int64(row))]
    members["ts"] = .number(Double(time ?? trace.now) / 1000)
    for member in more { members[member.key] = member.value }
    trace.write(members)
  }
}
