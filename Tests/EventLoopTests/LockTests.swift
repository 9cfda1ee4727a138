import Testing

@testable import EventLoop

@Test func lockExcludes() async {
  let counter = Lock(0)
  await withTaskGroup(of: Void.self) { group in
    for _ in 0..<8 {
      group.addTask { for _ in 0..<10_000 { counter.withLock { $0 += 1 } } }
    }
  }
  #expect(counter.withLock { $0 } == 80_000)
}
