import CGLib

extension Loop {
  /// Runs `body` each time a read from `descriptor` would not block: there is data, the end, or an error. The descriptor
  /// stays the caller's, who cancels the source before closing it.
  @discardableResult
  public func onReadable(_ descriptor: CInt, _ body: @escaping () -> Void) -> LoopSource {
    DescriptorSource(descriptor, G_IO_IN, on: self, body)
  }

  /// Runs `body` each time a write to `descriptor` would not block, or would fail: keep it only while there is something
  /// to write.
  @discardableResult
  public func onWritable(_ descriptor: CInt, _ body: @escaping () -> Void) -> LoopSource {
    DescriptorSource(descriptor, G_IO_OUT, on: self, body)
  }

  /// Runs `body` whenever nothing else is due, until it answers false.
  @discardableResult
  public func onIdle(_ body: @escaping () -> Bool) -> LoopSource { IdleSource(on: self, body) }
}

private final class DescriptorSource: GLibSource {
  private let descriptor: CInt
  private var body: (() -> Void)?

  init(_ descriptor: CInt, _ condition: GIOCondition, on loop: Loop, _ body: @escaping () -> Void) {
    self.descriptor = descriptor
    self.body = body
    super.init(on: loop)
    attach(to: loop, watching: descriptor, condition)
  }

  override func fire() { body?() }

  override func detach() {
    super.detach()
    loop?.willStopWatching(descriptor)
    body = nil
  }
}

private final class IdleSource: GLibSource {
  private var body: (() -> Bool)?

  init(on loop: Loop, _ body: @escaping () -> Bool) {
    self.body = body
    super.init(on: loop)
    attach(to: loop, &idleSourceFunctions, priority: G_PRIORITY_DEFAULT_IDLE)
  }

  override func fire() { if body?() == false { cancel() } }

  override func detach() {
    super.detach()
    body = nil
  }
}
