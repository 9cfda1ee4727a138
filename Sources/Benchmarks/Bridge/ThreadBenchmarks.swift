import EventLoop
import Trestle

extension Harness {
  /// What crosses between threads, and events.
  mutating func measureBridgeThreads() throws {
    let script = try HostedScript(modules: .definitions([BenchActor.moduleDefinition]), script: threadScript)
    let hop = measureHop(on: script)
    measure("std call to an actor, pipelined", units: 100_000, against: [("hop", hop)], setUp: {}) { _ in
      script.await("pipelined", 1000, 100)
    }
    measure("std call to an actor, each batch of 100 awaited", units: 20_000, against: [("hop", hop)], setUp: {}) { _ in
      script.await("awaited", 200, 100)
    }
    measure("promise, async method on its own actor, N = 100", units: 20_000, against: [("hop", hop)], setUp: {}) { _ in
      script.await("promises", 200, 100)
    }
    measure("stream, an element asked for one by one", units: 2000, against: [("hop", hop)], setUp: {}) { _ in
      script.await("stream", 2000, 0)
    }
    measure("stream, 256 elements ahead", units: 100_000, against: [("hop", hop)], setUp: {}) { _ in
      script.await("stream", 100_000, 255)
    }
    measureEvents(on: script)
  }

  /// Events from code on the JS thread, which cross when its turn ends.
  private mutating func measureEvents(on script: HostedScript) {
    let point = BenchPoint(x: 1, y: 2, name: "abc")
    for batch in [1, 100] {
      let byName = measureEvents("event with a small object, batch of \(batch)", batch, on: script) { bridge in
        bridge.emit("moved", of: "BenchActor", point)
      }
      let reference = [("by name", byName)]
      measureEvents("the same of an EventSource, batch of \(batch)", batch, on: script, against: reference) { _ in
        BenchActor.changed.emit(point)
      }
    }
    measureEvents("event of an EventSource that nobody listens to", 100, on: script) { _ in
      BenchActor.unheard.emit(point)
    }
    measure("event with a small object, a turn of the loop each", units: 20_000, setUp: {}) { _ in
      for _ in 0..<20_000 {
        script.bridge.emit("moved", of: "BenchActor", BenchPoint(x: 1, y: 2, name: "abc"))
        script.loop.iterate()
      }
    }
  }

  @discardableResult
  private mutating func measureEvents(
    _ workload: String, _ batch: Int, on script: HostedScript,
    against references: [(name: String, nanoseconds: Double?)] = [], emit: @Sendable (isolated Bridge) -> Void
  ) -> Double? {
    measure(workload, units: 20_000, against: references, setUp: {}) { _ in
      script.bridge.assumeIsolated { bridge in
        for _ in 0..<20_000 / batch {
          do { try bridge.withContext { _ in for _ in 0..<batch { emit(bridge) } } } catch { print(error) }
        }
      }
    }
  }

  /// From the JS thread to an actor and back.
  private mutating func measureHop(on script: HostedScript) -> Double? {
    measure("a hop to an actor and back", units: 2000, setUp: {}) { _ in
      let isDone = Lock(false)
      Task {
        await hop(from: script.bridge, times: 2000)
        isDone.withLock { $0 = true }
        script.loop.perform {}
      }
      while !isDone.withLock({ $0 }) { script.loop.iterate(waiting: true) }
    }
  }
}

private func hop(from bridge: isolated Bridge, times: Int) async {
  let other = Other()
  for _ in 0..<times { await other.touch() }
}

private actor Other {
  private var count = 0
  func touch() { count += 1 }
}

private let threadScript = """
  const {BenchActor} = NativeModules;
  const point = {x: 1, y: 2, name: 'abc'};
  let moved = 0;
  BenchActor.addListener('moved', () => { moved++; });
  BenchActor.changed.addListener(() => { moved++; });
  async function pipelined(rounds, batch) {
    for (let k = 0; k < rounds; k++) { for (let i = 0; i < batch; i++) BenchActor.std(i, 'user-name-100', point, i); trestle.flush(); }
    await BenchActor.total();
  }
  async function awaited(rounds, batch) {
    for (let k = 0; k < rounds; k++) {
      for (let i = 1; i < batch; i++) BenchActor.std(i, 'user-name-100', point, i);
      await BenchActor.total();
    }
  }
  async function promises(rounds, batch) {
    const waiting = [];
    for (let k = 0; k < rounds; k++) {
      for (let i = 0; i < batch; i++) waiting[i] = BenchActor.add(i, 1);
      await Promise.all(waiting);
    }
  }
  async function stream(count, ahead) { for await (const number of await BenchActor.count(count, ahead)) moved += number; }
  Object.assign(globalThis, {pipelined, awaited, promises, stream});
  """
