import Trestle

extension Harness {
  /// Records, long strings, bytes.
  mutating func measureBridgeData() throws {
    let script = try HostedScript(modules: .definitions([BenchData.moduleDefinition]), script: dataScript)
    for (workload, function) in [
      ("@Record of 8 members in", "takeRecords"), ("Codable of 8 members in", "takeCodables"),
    ] {
      measure(workload, units: 100_000, setUp: {}) { _ in script.call(function, 1000, 100) }
    }
    for (workload, function) in [
      ("string of 1 MB in, ASCII", "takeText"), ("string of 1 MB out, ASCII", "giveText"),
      ("string of 1 M CJK characters in", "takeCJK"), ("ArrayBuffer of 1 MB in, copied", "takeBytes"),
      ("ArrayBuffer of 1 MB in, borrowed", "borrowBytes"), ("ArrayBuffer of 1 MB out", "giveBytes"),
    ] {
      measure(workload, units: 20, setUp: {}) { _ in script.call(function, 20, 1) }
    }
  }
}

private let dataScript = """
  const {BenchData} = NativeModules;
  const order = i => ({id: i, customer: 'customer-' + (i & 63), item: 'item', quantity: 3, price: 9.5, isPaid: true,
    discount: null, note: 'on the door'});
  const inBatches = one => (rounds, batch) => {
    for (let k = 0; k < rounds; k++) { for (let i = 0; i < batch; i++) one(i); trestle.flush(); }
  };
  const text = 'x'.repeat(1 << 20), cjk = '\u{6F22}'.repeat(1e6), bytes = new ArrayBuffer(1 << 20);
  Object.assign(globalThis, {
    takeRecords: inBatches(i => BenchData.takeRecord(order(i))),
    takeCodables: inBatches(i => BenchData.takeCodable(order(i))),
    takeText: inBatches(i => BenchData.takeText(text)), giveText: inBatches(() => BenchData.giveText()),
    takeCJK: inBatches(i => BenchData.takeText(cjk)), takeBytes: inBatches(() => BenchData.takeBytes(bytes)),
    borrowBytes: inBatches(() => BenchData.borrowBytes(bytes)), giveBytes: inBatches(() => BenchData.giveBytes()),
  });
  """
