import EventLoop

/// Descriptions of types that both sides of the wire know by number, for the life of the process. From any thread.
final class NumberedTypes<Description: AnyObject & Sendable>: Sendable {
  private let all = Lock<[Description?]>([])

  /// A number that no other has. Never 0.
  func nextID() -> UInt32 {
    all.withLock { all in
      all.append(nil)
      return UInt32(all.count)
    }
  }

  subscript(id: UInt32) -> Description? {
    get { all.withLock { all in id >= 1 && id <= all.count ? all[Int(id) - 1] : nil } }
    set { all.withLock { $0[Int(id) - 1] = newValue } }
  }
}
