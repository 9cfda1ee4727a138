import EventLoop
import Trestle
import TrestleModules

extension Harness {
  /// Workers, from the script that starts them; on a thread each, so with a hop for each message.
  mutating func measureWorkers() throws {
    var configuration = BridgeConfiguration()
    configuration.capabilities = [.files]
    let script = try HostedScript(
      modules: .standard + .workers(), script: workerScript, configuration: configuration)
    measure("worker: opened, a message there and back, ended", units: 20, setUp: {}) { _ in script.await("starts", 20) }
    measure("worker: a small message there and back", units: 2000, setUp: {}) { _ in script.await("echoes", 2000, 1) }
    measure("worker: the same, 100 on their way at a time", units: 10_000, setUp: {}) { _ in
      script.await("echoes", 100, 100)
    }
    measure("worker: 10 000 small objects cloned there and back", units: 1, setUp: {}) { _ in
      script.await("clones", 10_000)
    }
    measure("worker: 1 MB transferred there and back", units: 100, setUp: {}) { _ in script.await("transfers", 100) }
    script.close()
  }
}

private let workerScript = """
  const start = () => new Worker('onmessage = ({ data }) => postMessage(data, data.buffer ? [data.buffer] : undefined)', { eval: true });
  const echo = (worker, value, transfer) => new Promise(resolve => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.postMessage(value, transfer);
  });
  async function starts(count) {
    for (let i = 0; i < count; i++) {
      const worker = start();
      await echo(worker, 1);
      await worker.terminate();
    }
  }
  const worker = start();
  async function echoes(rounds, batch) {
    for (let i = 0; i < rounds; i++) {
      let left = batch;
      const all = new Promise(resolve => { worker.onmessage = () => { if (--left === 0) resolve(); } });
      for (let k = 0; k < batch; k++) worker.postMessage({ x: 1, y: k, name: 'abc' });
      await all;
    }
  }
  const clones = count => echo(worker, Array.from({ length: count }, (_, i) => ({ x: i, y: 2, name: 'abc' })));
  let bytes = new Uint8Array(1 << 20);
  async function transfers(count) { for (let i = 0; i < count; i++) bytes = await echo(worker, bytes, [bytes.buffer]); }
  Object.assign(globalThis, { starts, echoes, clones, transfers });
  """
