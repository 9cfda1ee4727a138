import Synchronization

/// How many calls may wait for an answer in several bridges together: one with a limit, and the workers that it leads to.
///
/// Their JavaScript counts here by itself (`js/runtime/slots.js`), each on its own thread. What a bridge holds when it closes is given back
/// for it.
package final class CallBudget: Sendable {
  let limit: Int
  /// One 32-bit count. Outlives the contexts that see it.
  nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer

  init(limit: Int) {
    self.limit = limit
    memory = .allocate(byteCount: MemoryLayout<Int32>.size, alignment: 16)
    memory.storeBytes(of: 0, as: Int32.self)
  }

  deinit { memory.deallocate() }

  /// - Parameter count: as JavaScript says.
  func giveBack(_ count: Int32) {
    guard count > 0, let address = memory.baseAddress else { return }
    address.assumingMemoryBound(to: Atomic<Int32>.self).pointee.subtract(count, ordering: .relaxed)
  }
}
