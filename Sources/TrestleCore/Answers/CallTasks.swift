/// The tasks at work on answers, by call, and by the slots in which JavaScript waits for them. Each operation takes the same time however
/// many there are.
///
/// Slot 0 means that nobody waits.
struct CallTasks<Call: Hashable, Slot: Hashable & ExpressibleByIntegerLiteral> {
  private struct Entry {
    let slot: Slot
    /// Nil between the task's start and its handle's arrival here.
    var handle: Task<Void, Never>?
    var isCancelled = false
  }

  private var entries: [Call: Entry] = [:]
  private var callsBySlot: [Slot: Call] = [:]
  /// The slots of calls that JavaScript has cancelled before their task began.
  private var cancelledSlots: Set<Slot> = []

  var isEmpty: Bool { entries.isEmpty }
  var calls: some Collection<Call> { entries.keys }

  /// - Returns: false if the call was cancelled before.
  mutating func expect(_ call: Call, slot: Slot) -> Bool {
    if !cancelledSlots.isEmpty, cancelledSlots.contains(slot) { return false }
    entries[call] = Entry(slot: slot)
    if slot != 0 { callsBySlot[slot] = call }
    return true
  }

  /// Keeps the handle of an expected task, if that has not ended.
  ///
  /// - Returns: whether it was cancelled before.
  mutating func follow(_ task: Task<Void, Never>, for call: Call) -> Bool {
    entries[call]?.handle = task
    return entries[call]?.isCancelled == true
  }

  mutating func end(_ call: Call) {
    // The slot may be that of another call by now.
    if let slot = entries.removeValue(forKey: call)?.slot, callsBySlot[slot] == call { callsBySlot[slot] = nil }
  }

  /// - Returns: the task to cancel; nil if it has not begun, and will be cancelled then.
  mutating func cancel(slot: Slot) -> Task<Void, Never>? {
    guard let call = callsBySlot[slot] else {
      cancelledSlots.insert(slot)
      return nil
    }
    entries[call]?.isCancelled = true
    return entries[call]?.handle
  }

  mutating func forgetCancellation(of slot: Slot) { cancelledSlots.remove(slot) }

  /// - Returns: those that have begun.
  mutating func removeAll() -> [Task<Void, Never>] {
    defer { (entries, callsBySlot) = ([:], [:]) }
    return entries.values.compactMap(\.handle)
  }
}
