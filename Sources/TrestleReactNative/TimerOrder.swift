/// Timers by their times; of one time, by when they were set. Each operation is O(log n), taken over all of them.
struct TimerOrder<Time: Comparable> {
  struct Timer {
    let id: Int
    let target: Time
    let interval: Time?
    /// Which setting of a timer it was.
    fileprivate let number: UInt64

    fileprivate static func < (one: Timer, other: Timer) -> Bool {
      one.target < other.target || !(other.target < one.target) && one.number < other.number
    }
  }

  /// A binary heap. Timers that were removed, or set anew, lie in it until they are the first, or are more than the others.
  private var heap: [Timer] = []
  private var numbers: [Int: UInt64] = [:]
  private var lastNumber: UInt64 = 0

  var first: Timer? { heap.first }

  /// Takes the place of one with that `id`.
  mutating func set(_ id: Int, at target: Time, interval: Time?) {
    lastNumber += 1
    numbers[id] = lastNumber
    heap.append(Timer(id: id, target: target, interval: interval, number: lastNumber))
    moveUp(heap.count - 1)
    tidy()
  }

  mutating func remove(_ id: Int) {
    if numbers.removeValue(forKey: id) != nil { tidy() }
  }

  private func isSet(_ timer: Timer) -> Bool { numbers[timer.id] == timer.number }

  private mutating func tidy() {
    if heap.count > 2 * numbers.count + 16 {
      heap.removeAll { [numbers] timer in numbers[timer.id] != timer.number }
      for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { moveDown(index) }
    }
    while let first = heap.first, !isSet(first) {
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
      moveDown(0)
    }
  }

  private mutating func moveUp(_ start: Int) {
    var index = start
    while index > 0, heap[index] < heap[(index - 1) / 2] {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func moveDown(_ start: Int) {
    var index = start
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count && heap[child] < heap[least] {
        least = child
      }
      guard least != index else { return }
      heap.swapAt(index, least)
      index = least
    }
  }
}
