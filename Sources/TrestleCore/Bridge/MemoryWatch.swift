import EventLoop
import JSEngine

/// Looks at the process's memory while scripts wait: modules and workers may fill it meanwhile.
///
/// A turn of nothing is begun then, which collects the garbage, and is ended if the memory is still more than its limit. That is told once
/// for each time that the limit is seen to be passed. While nothing waits nothing is looked at, and the loop sleeps: what the host itself
/// keeps is its own affair.
final class MemoryWatch {
  struct Watched {
    /// In bytes.
    let limit: Int
    let loop: Loop
    let isWaiting: () -> Bool
    /// Nobody is inside.
    let isVacant: () -> Bool
    /// Begins a turn of nothing; returns false if it is ended.
    let turn: () -> Bool
  }

  private static let timeBetweenLooks = Duration.milliseconds(20)

  /// Nil ends the watch.
  var watched: Watched? {
    didSet {
      stop()
      isPassed = false
      lookWhileWaiting()
    }
  }
  private var timer: LoopSource?
  private var isPassed = false

  /// Call when scripts may have begun to wait. Costs nothing to speak of without a limit.
  func lookWhileWaiting() {
    guard timer == nil, let watched, watched.isWaiting() else { return }
    timer = watched.loop.every(Self.timeBetweenLooks) { [weak self] in self?.look() }
  }

  private func look() {
    guard let watched, watched.isWaiting() else { return stop() }
    guard watched.isVacant() else { return }
    guard residentBytes() > watched.limit else { return isPassed = false }
    if !isPassed { isPassed = !watched.turn() }
  }

  private func stop() {
    timer?.cancel()
    timer = nil
  }
}
