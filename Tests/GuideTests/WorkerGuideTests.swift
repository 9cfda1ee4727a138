import Dispatch
import EventLoop
import Foundation
import TestSupport
import Testing
import Trestle
import TrestleModules

/// What the articles say of workers, of waiting, and of objects that Swift holds.
@Suite struct WorkerGuideTests {
  @Test func workers() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("guide-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try "onmessage = ({ data }) => postMessage(data * 2)".write(
      toFile: folder + "/double.js", atomically: false, encoding: .utf8)
    var options = WorkerOptions()
    options.modules = .standard
    options.folder = folder
    options.limit = 8
    options.configuration.limits = ExecutionLimits(time: .seconds(10))
    var configuration = BridgeConfiguration()
    configuration.capabilities = [.files]
    let bridge = try await Bridge(modules: .standard + .workers(options), configuration: configuration)
    let doubled = try await bridge.evaluate(
      """
      new Promise(resolve => {
        const worker = new Worker('double.js');
        worker.onmessage = ({ data }) => resolve(data);
        worker.postMessage(21);
      })
      """, as: Int.self)
    #expect(doubled == 42)
    await bridge.waitUntilIdle()
    await bridge.close()
  }

  @Test func programs() async throws {
    var configuration = BridgeConfiguration()
    configuration.capabilities = [.processes]
    let bridge = try await Bridge(modules: .standard + .processes, configuration: configuration)
    let sorted = try await bridge.evaluate(
      #"""
      (async () => {
        const { run } = NativeModules.Processes;
        const { output, error, code } = await run('sort', ['-n'], { input: '10\n9\n' });
        return output + error + code;
      })()
      """#, as: String.self)
    #expect(sorted == "9\n10\n0")
    await bridge.close()
  }

  /// Waits on the JS thread until it is opened.
  private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }
    func wait() throws {
      let isOpen = semaphore.wait(timeout: .now() + patience / .seconds(1)) == .success
      if !isOpen { throw BridgeError(.limit, "nobody opened the gate") }
    }
  }

  @Test func waitingForOneself() async throws {
    let gate = Gate()
    let reported = Lock<[String]>([])
    let module = ModuleDefinition("Db", make: { $0 }) {
      Member<BridgeContext>.sync("size") { context in
        Task {
          _ = try await context.call("count", as: Int.self)
          gate.open()
        }
        try gate.wait()
      }
    }
    var configuration = BridgeConfiguration()
    configuration.blockedCallThreshold = .milliseconds(100)
    configuration.onError = { error in
      reported.withLock { $0.append((error as? BridgeError)?.code.rawValue ?? "\(error)") }
      gate.open()
    }
    let bridge = try await Bridge(modules: .definitions([module]), configuration: configuration)
    try await bridge.evaluate("globalThis.count = () => 3; NativeModules.Db.size()")
    await bridge.close()
    #expect(reported.withLock { $0 }.first == "ERR_BLOCKED")
  }

  @Test func objectsOfAScript() async throws {
    let bridge = try await Bridge(modules: .none)
    try await bridge.evaluate(
      """
      globalThis.makeEditor = path => ({
        readOnly: false, settings: { title: path }, lineCount() { return this.readOnly ? 3 : 0; },
      })
      """)
    let editor = try await bridge.callForObject("makeEditor", "notes.txt")
    try await editor.set("readOnly", to: true)
    let lines = try await editor.call("lineCount", as: Int.self)
    let title = try await editor.object("settings").get("title", as: String.self)
    #expect(lines == 3 && title == "notes.txt")
    await bridge.close()
  }
}
