import EventLoop
import Glibc
import Synchronization
import Trestle

/// Hands a million objects to a script that drops them, and says after each tenth of them how many live and how large the
/// process is: `round scripts native kilobytes`.
@main
struct Objects {
  private static let living = Atomic(0)

  private final class Item: SharedObject {
    let number: Int
    init(_ number: Int) {
      self.number = number
      living.add(1, ordering: .relaxed)
    }
    deinit { living.subtract(1, ordering: .relaxed) }

    static let sharedClass = _Expansion.SharedClass("Item", of: Item.self) {
      Member<Item>.sync("get number") { $0.number }
    }
  }

  static func main() async throws {
    let module = ModuleDefinition("Items", make: { _ in () }) {
      Member<Void>.sync("make", "number") { (_, number: Int) in Item(number) }
    }
    let bridge = try await Bridge(modules: .definitions([module]))
    for round in 1...10 {
      for _ in 0..<100 {
        try await bridge.evaluate(
          "{ let sum = 0; for (let i = 0; i < 1000; i++) sum += NativeModules.Items.make(i).number; if (sum !== 499500) throw sum; }"
        )
      }
      let counts = try await settledCounts(of: bridge)
      print(round, counts, living.load(ordering: .relaxed), try await settledKilobytes())
    }
    await bridge.close()
    print("end", 0, living.load(ordering: .relaxed), residentKilobytes())
  }

  /// How many objects the script still has, once the collector has gone over them.
  private static func settledCounts(of bridge: Bridge) async throws -> Int {
    for _ in 0..<200 {
      let count = try await bridge.sharedObjectCounts()["Item"] ?? 0
      if count < 100 { return count }
      try await bridge.withContext { $0.collectGarbage() }
      try await Task.sleep(for: .milliseconds(5))
    }
    return try await bridge.sharedObjectCounts()["Item"] ?? 0
  }

  private static let small = Atomic(0)

  /// The engine gives back what it has freed when it gets to it: on a machine that is busy that takes a while.
  private static func settledKilobytes() async throws -> Int {
    var size = residentKilobytes()
    if small.load(ordering: .relaxed) == 0 { small.store(size, ordering: .relaxed) }
    for _ in 0..<100 where size > small.load(ordering: .relaxed) + 20_480 {
      try await Task.sleep(for: .milliseconds(100))
      size = min(size, residentKilobytes())
    }
    return size
  }

  private static func residentKilobytes() -> Int {
    guard let file = fopen("/proc/self/statm", "re") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, CInt(line.count), file) != nil else { return 0 }
    let numbers = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
      separator: " ")
    return (Int(numbers[1]) ?? 0) * 4
  }
}
