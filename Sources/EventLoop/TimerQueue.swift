/// Timers by deadline: a binary heap in which each timer knows its place, so that cancelling leaves nothing behind.
struct TimerQueue {
  private var heap: [TimerSource] = []
  private var nextSequence: UInt64 = 0

  var count: Int { heap.count }
  var earliest: MonotonicTime? { heap.first?.deadline }

  /// O(log n). True if the timer is now the earliest.
  mutating func insert(_ timer: TimerSource) -> Bool {
    timer.sequence = nextSequence
    nextSequence += 1
    timer.heapIndex = heap.count
    heap.append(timer)
    siftUp(from: heap.count - 1)
    return timer.heapIndex == 0
  }

  /// O(log n); nothing if the timer is not queued.
  mutating func remove(_ timer: TimerSource) {
    guard let index = timer.heapIndex else { return }
    heap.swapAt(index, heap.count - 1)
    heap.removeLast()
    timer.heapIndex = nil
    guard index < heap.count else { return }
    heap[index].heapIndex = index
    siftUp(from: index)
    siftDown(from: index)
  }

  /// The earliest timer, if its deadline is not after `now`.
  mutating func popDue(at now: MonotonicTime) -> TimerSource? {
    guard let first = heap.first, first.deadline <= now else { return nil }
    remove(first)
    return first
  }

  mutating func removeAll() -> [TimerSource] {
    defer { heap = [] }
    for timer in heap { timer.heapIndex = nil }
    return heap
  }

  private mutating func siftUp(from start: Int) {
    var index = start
    while index > 0, heap[index] < heap[(index - 1) / 2] {
      exchange(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func siftDown(from start: Int) {
    var index = start
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count && heap[child] < heap[least] {
        least = child
      }
      guard least != index else { return }
      exchange(index, least)
      index = least
    }
  }

  private mutating func exchange(_ first: Int, _ second: Int) {
    heap.swapAt(first, second)
    heap[first].heapIndex = first
    heap[second].heapIndex = second
  }
}
