import EventLoop

/// Swift objects that JavaScript objects held, to be dropped on the JS thread outside of a collection: the finalizer that
/// gives them up may run on any thread and may not call the engine, as a value's `deinit` does.
final class ReleaseQueue: Sendable {
  private let loop: Loop
  private let objects = Lock<[Entry]>([])

  /// One retain, which is given up on the JS thread and not used before.
  private struct Entry: @unchecked Sendable { let object: Unmanaged<AnyObject> }

  init(loop: Loop) { self.loop = loop }

  /// Takes over one retain. Any thread.
  func release(_ object: Unmanaged<AnyObject>) {
    let isFirst = objects.withLock { objects in
      objects.append(Entry(object: object))
      return objects.count == 1
    }
    if isFirst { loop.perform { self.flush() } }
  }

  /// On the JS thread.
  func flush() {
    let entries = objects.withLock { objects in
      defer { objects = [] }
      return objects
    }
    for entry in entries { entry.object.release() }
  }
}
