import EventLoop
import JSEngine

/// Looks at the process's memory while scripts wait: modules and workers may fill it meanwhile.
///
/// A turn of nothing is begun then, which collects the garbage, and is ended if the memory is still more than its limit. That is told once
/// for each time that the limit is passed. While nothing waits nothing is looked at: what the host itself keeps is its own affair.
final class MemoryWatch {
  private static let timeBetweenLooks = Duration.milliseconds(20)

  private var timer: LoopSource?
  private var isPassed = false

  /// - Parameters:
  ///   - limit: in bytes; nil ends the watch.
  ///   - turn: begins a turn of nothing; returns false if it is ended.
  func watch(_ limit: Int?, on loop: Loop, isWaiting: @escaping () -> Bool, turn: @escaping () -> Bool) {
    timer?.cancel()
    isPassed = false
    timer = limit.map { limit in
      loop.every(Self.timeBetweenLooks) { [weak self] in
        guard let self else { return }
        guard isWaiting(), residentBytes() > limit else { return isPassed = false }
        if !isPassed { isPassed = !turn() }
      }
    }
  }
}
