import EventLoop

/// Streams and objects that a script has forgotten keep their descriptors until its garbage is collected, and to open things makes
/// little of that. Where the system refuses one, it is collected at once.
struct DescriptorShortage {
  private var nextCollection = MonotonicTime(nanoseconds: 0)
  private var nextAttempt = MonotonicTime(nanoseconds: 0)
  /// How long the last collection took.
  private var cost = Duration.zero

  /// From a collection to the next one at least, and from attempts that were in vain to others: a script that holds what it has opened
  /// is not to collect with each call.
  private static let pause = Duration.milliseconds(200)
  private static let pauseInCollections = 20

  /// - Parameters:
  ///   - now: the present time.
  ///   - collect: collects the garbage. Not called where it was not long ago.
  /// - Returns: whether it is worth trying again.
  mutating func collect(at now: () -> MonotonicTime = { .now }, by collect: () -> Void) -> Bool {
    let start = now()
    guard start >= nextAttempt else { return false }
    if start >= nextCollection {
      collect()
      let end = now()
      cost = end - start
      // As often as it may help, however slow the machine is: what waits for it gives up after two seconds.
      nextCollection = end + max(Self.pause, cost)
    }
    return true
  }

  /// None was found in all attempts: for a while nobody else need try.
  mutating func giveUp(at now: MonotonicTime = .now) {
    nextAttempt = now + max(Self.pause, cost * Self.pauseInCollections)
  }

  /// One was found.
  mutating func end() { (nextCollection, nextAttempt) = (MonotonicTime(nanoseconds: 0), MonotonicTime(nanoseconds: 0)) }
}

extension BridgeContext {
  /// What was found is let go of in later turns, and by tasks of its own: the pauses grow to a second, and add up to two.
  private static var attempts: Range<Int> { 0..<11 }

  /// Opens something, for a script: where the system refuses a descriptor, again when the garbage of the bridge's scripts is gone.
  ///
  /// - Throws: what `open` throws.
  package nonisolated(nonsending) func withDescriptors<Result>(
    _ open: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    do { return try await open() } catch let error as any SystemError where error.isOfDescriptors {
      for attempt in Self.attempts {
        guard let bridge = bridge.value, await bridge.collectForDescriptors() else { throw error }
        try await Task.sleep(for: .milliseconds(1 << attempt))
        await bridge.passTurn()
        do {
          let result = try await open()
          await bridge.endShortage { $0.end() }
          return result
        } catch let error as any SystemError where error.isOfDescriptors {}
      }
      await bridge.value?.endShortage { $0.giveUp() }
      throw error
    }
  }
}

extension Bridge {
  fileprivate func collectForDescriptors() -> Bool {
    guard let runtime = try? openRuntime() else { return false }
    return runtime.descriptorShortage.collect { runtime.context.collectGarbage() }
  }

  fileprivate func endShortage(_ end: @Sendable (inout DescriptorShortage) -> Void) {
    if let runtime = try? openRuntime() { end(&runtime.descriptorShortage) }
  }

  /// What the JS thread has taken on before is done when this returns.
  fileprivate func passTurn() {}
}
