import Trestle

@Record
struct BenchPoint {
  var x: Double
  var y: Double
  var name: String
}

/// On the JS thread.
@NativeModule
final class Bench {
  @Exported func std0(_ number: Double, _ text: String, _ point: BenchPoint, _ callback: Int) { consume(text) }
  @Exported func std1(_ number: Double, _ text: String, _ point: BenchPoint, _ callback: Int) { consume(text) }
  @Exported func std2(_ number: Double, _ text: String, _ point: BenchPoint, _ callback: Int) { consume(text) }
  @Exported func std3(_ number: Double, _ text: String, _ point: BenchPoint, _ callback: Int) { consume(text) }
  @Exported func std4(_ number: Double, _ text: String, _ point: BenchPoint, _ callback: Int) { consume(text) }
  @Exported func std5(_ number: Double, _ text: String, _ point: BenchPoint, _ callback: Int) { consume(text) }
  @Exported func std6(_ number: Double, _ text: String, _ point: BenchPoint, _ callback: Int) { consume(text) }
  @Exported func std7(_ number: Double, _ text: String, _ point: BenchPoint, _ callback: Int) { consume(text) }
  @Exported func std8(_ number: Double, _ text: String, _ point: BenchPoint, _ callback: Int) { consume(text) }
  @Exported func std9(_ number: Double, _ text: String, _ point: BenchPoint, _ callback: Int) { consume(text) }
  @Exported func std10(_ number: Double, _ text: String, _ point: BenchPoint, _ callback: Int) { consume(text) }
  @Exported func std11(_ number: Double, _ text: String, _ point: BenchPoint, _ callback: Int) { consume(text) }
  @Exported func std12(_ number: Double, _ text: String, _ point: BenchPoint, _ callback: Int) { consume(text) }
  @Exported func std13(_ number: Double, _ text: String, _ point: BenchPoint, _ callback: Int) { consume(text) }
  @Exported func std14(_ number: Double, _ text: String, _ point: BenchPoint, _ callback: Int) { consume(text) }
  @Exported func std15(_ number: Double, _ text: String, _ point: BenchPoint, _ callback: Int) { consume(text) }
  @Exported func std16(_ number: Double, _ text: String, _ point: BenchPoint, _ callback: Int) { consume(text) }
  @Exported func std17(_ number: Double, _ text: String, _ point: BenchPoint, _ callback: Int) { consume(text) }
  @Exported func std18(_ number: Double, _ text: String, _ point: BenchPoint, _ callback: Int) { consume(text) }
  @Exported func std19(_ number: Double, _ text: String, _ point: BenchPoint, _ callback: Int) { consume(text) }
  @Exported(.sync) func area(_ width: Double, _ height: Double, _ unit: String) -> Double { width * height }
  @Exported(.sync) func object() -> BenchObject { BenchObject() }
  @Exported func add(_ one: Double, _ other: Double) -> Double { one + other }
  @Exported func answer(_ number: Double, _ done: Callback<Double>) { done(number) }
}

/// Held by scripts.
@SharedObject
final class BenchObject: Sendable {
  @Exported func std(_ number: Double, _ text: String, _ point: BenchPoint, _ callback: Int) { consume(text) }
  @Exported var size: Double { 3 }
}

/// On an executor of its own.
@NativeModule
actor BenchActor {
  private var count = 0
  @Exported static let changed = EventSource<BenchPoint>()
  @Exported static let unheard = EventSource<BenchPoint>()
  @Exported func std(_ number: Double, _ text: String, _ point: BenchPoint, _ callback: Int) { count += 1 }
  @Exported func add(_ one: Double, _ other: Double) async -> Double { one + other }
  @Exported func total() -> Int { count }
  @Exported func count(_ end: Int, ahead: Int) -> BridgeStream<Int> { BridgeStream(Numbers(end: end), ahead: ahead) }
}

private struct Numbers: AsyncSequence, AsyncIteratorProtocol, Sendable {
  let end: Int
  var last = 0

  func makeAsyncIterator() -> Numbers { self }

  mutating func next() async -> Int? {
    last += 1
    return last <= end ? last : nil
  }
}
