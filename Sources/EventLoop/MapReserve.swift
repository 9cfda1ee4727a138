import Glibc

/// The maps of memory that the system lets a process have (`vm.max_map_count`). The engine ends the process where it gets none, so scripts
/// are refused what takes maps, such as buffers that can be resized, before there are none left for all else.
package enum MapReserve {
  private struct State {
    /// Known to be free.
    var free = 0
    var nextCollection = MonotonicTime(nanoseconds: 0)
  }

  private static let state = Lock(State())

  /// Of all that may be had this part is not for scripts.
  private static let keptPart = 4
  /// Fewer are not worth counting them all again.
  private static let least = 1024
  /// From a collection that was in vain to the next one.
  private static let pause = Duration.milliseconds(200)
  private static let pauseInCollections = 4

  /// Whether so many more maps may be used. Costs nothing but now and then, when all are counted: some 20 ms where there are many.
  ///
  /// - Parameter collect: collects garbage, which may have some.
  package static func take(_ count: Int, orCollect collect: () -> Void) -> Bool {
    if takeKnown(count) { return true }
    guard state.withLock({ $0.nextCollection <= .now }) else { return false }
    look()
    if takeKnown(count) { return true }
    let start = MonotonicTime.now
    collect()
    look()
    if takeKnown(count) { return true }
    let now = MonotonicTime.now
    state.withLock { $0.nextCollection = now + max(pause, (now - start) * pauseInCollections) }
    return false
  }

  private static func takeKnown(_ count: Int) -> Bool {
    state.withLock { state in
      guard state.free >= count else { return false }
      state.free -= count
      return true
    }
  }

  /// Others use some, too, until the next look: half of what is free is left to them.
  private static func look() {
    guard let most = number(of: "/proc/sys/vm/max_map_count"), let present = lineCount(of: "/proc/self/maps") else {
      return
    }
    let free = most - most / keptPart - present
    state.withLock { $0.free = free < least ? 0 : free / 2 }
  }

  private static func number(of path: String) -> Int? {
    var text: [UInt8] = []
    return read(path) { text += $0 } ? Int(String(decoding: text.prefix { $0 != 0x0A }, as: UTF8.self)) : nil
  }

  private static func lineCount(of path: String) -> Int? {
    var count = 0
    return read(path) { count += $0.count { $0 == 0x0A } } ? count : nil
  }

  /// Whether it could be read, to its end.
  private static func read(_ path: String, _ body: ([UInt8]) -> Void) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    while let chunk = Reading.chunk(from: file, waits: false) {
      if chunk.isEmpty { return true }
      body(chunk)
    }
    return false
  }
}
