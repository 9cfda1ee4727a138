import TrestleObservables

extension Harness {
  /// Values from a subject to a subscriber, on one thread.
  mutating func measureObservables() {
    let plain = measureValues("value of a subject to one subscriber") { $0 }
    measureValues("the same through map, filter and scan", against: [("without", plain)]) { numbers in
      numbers.map { $0 + 1 }.filter { $0 > 0 }.scan(0) { $0 &+ $1 }
    }
    measureValues("value of a subject to 10 subscribers", against: [("one", plain)], subscribers: 10) { $0 }
  }

  @discardableResult
  private mutating func measureValues(
    _ workload: String, against references: [(name: String, nanoseconds: Double?)] = [], subscribers: Int = 1,
    _ operators: (Observable<Int>) -> Observable<Int>
  ) -> Double? {
    let subject = Subject<Int>()
    let subscriptions = (0..<subscribers).map { _ in operators(subject.observable).subscribe { consume($0) } }
    defer { for subscription in subscriptions { subscription.dispose() } }
    return measure(workload, units: 100_000, against: references, setUp: {}) { _ in
      for number in 0..<100_000 { subject.next(number) }
    }
  }
}
