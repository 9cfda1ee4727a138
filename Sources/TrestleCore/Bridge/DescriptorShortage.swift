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
  private static let patienceInCollections = 50

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
      // As often as it may help, however slow the machine is.
      nextCollection = end + max(Self.pause, cost)
    }
    return true
  }

  /// How long something waits for one: a machine that takes long to collect has much else to do, and lets go of what was found as slowly.
  var patience: Duration { min(max(.seconds(5), cost * Self.patienceInCollections), .seconds(20)) }

  /// None was found in all attempts: for a while nobody else need try.
  mutating func giveUp(at now: MonotonicTime = .now) {
    nextAttempt = now + max(Self.pause, cost * Self.pauseInCollections)
  }

  /// One was found.
  mutating func end() { (nextCollection, nextAttempt) = (MonotonicTime(nanoseconds: 0), MonotonicTime(nanoseconds: 0)) }
}

extension BridgeContext {
  /// What was found is let go of in later turns, and by tasks of its own: the pauses double up to a second.
  private static var longestPause: Duration { .milliseconds(1024) }

  /// Opens something, for a script: where the system refuses a descriptor, again when the garbage of the bridge's scripts is gone.
  ///
  /// - Throws: what `open` throws.
  package nonisolated(nonsending) func withDescriptors<Result>(
    _ open: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    do { return try await open() } catch let error as any SystemError where error.isOfDescriptors {
      let start = MonotonicTime.now
      var (pause, patience) = (Duration.milliseconds(1), Duration.zero)
      repeat {
        guard let bridge = bridge.value, await bridge.collectForDescriptors() else { throw error }
        try await Task.sleep(for: pause)
        pause = min(pause * 2, Self.longestPause)
        patience = await bridge.patienceInShortage()
        do {
          let result = try await open()
          await bridge.endShortage { $0.end() }
          return result
        } catch let error as any SystemError where error.isOfDescriptors {}
      } while .now < start + patience
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
  fileprivate func patienceInShortage() -> Duration { (try? openRuntime())?.descriptorShortage.patience ?? .zero }
}
