import EventLoop

/// Streams and objects that a script has forgotten keep their descriptors until its garbage is collected, and to open things makes
/// little of that. Where the system refuses one, it is collected at once.
struct DescriptorShortage {
  private var collected = MonotonicTime(nanoseconds: 0)
  private var next = MonotonicTime(nanoseconds: 0)

  /// From a collection that was in vain to the next one at least: a script that holds what it has opened is not to collect with each call.
  private static let pause = Duration.milliseconds(200)
  private static let pauseInCollections = 20
  /// How long others may try again after one collection, who were refused a descriptor as well.
  private static let timeForOthers = Duration.milliseconds(20)

  /// - Parameters:
  ///   - now: the present time.
  ///   - collect: collects the garbage.
  /// - Returns: whether to try again.
  mutating func collect(at now: () -> MonotonicTime = { .now }, by collect: () -> Void) -> Bool {
    let start = now()
    guard start >= next else { return start < collected + Self.timeForOthers }
    collect()
    collected = now()
    next = collected + max(Self.pause, (collected - start) * Self.pauseInCollections)
    return true
  }

  /// It was not in vain.
  mutating func end() { next = collected }
}

extension BridgeContext {
  /// How often it is tried after a collection. What was found is let go of in later turns, and by tasks of its own.
  private static var attempts: Int { 20 }

  /// Opens something, for a script: where the system refuses a descriptor, once more when the garbage of the bridge's scripts is gone.
  ///
  /// - Throws: what `open` throws.
  package nonisolated(nonsending) func withDescriptors<Result>(
    _ open: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    do { return try await open() } catch let error as any SystemError where error.isOfDescriptors {
      guard let bridge = bridge.value, await bridge.collectForDescriptors() else { throw error }
      for _ in 0..<Self.attempts {
        try await Task.sleep(for: .milliseconds(1))
        await bridge.passTurn()
        do {
          let result = try await open()
          await bridge.hasDescriptorsAgain()
          return result
        } catch let error as any SystemError where error.isOfDescriptors {}
      }
      throw error
    }
  }
}

extension Bridge {
  fileprivate func collectForDescriptors() -> Bool {
    guard let runtime = try? openRuntime() else { return false }
    return runtime.descriptorShortage.collect { runtime.context.collectGarbage() }
  }

  fileprivate func hasDescriptorsAgain() { (try? openRuntime())?.descriptorShortage.end() }

  /// What the JS thread has taken on before is done when this returns.
  fileprivate func passTurn() {}
}
