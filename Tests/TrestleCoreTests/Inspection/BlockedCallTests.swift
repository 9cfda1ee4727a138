import Dispatch
import TestSupport
import Testing

@testable import TrestleCore

@Suite struct BlockedCallTests {
  /// Waits on the JS thread until it is opened.
  private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }
    func wait() throws {
      let isOpen = semaphore.wait(timeout: .now() + patience / .seconds(1)) == .success
      if !isOpen { throw BridgeError(.limit, "nobody opened the gate") }
    }
  }

  /// The classic: JavaScript waits for native code, which waits for JavaScript. The report is what opens it here.
  @Test(arguments: Wire.allCases) func aDeadlockIsReported(wire: Wire) async throws {
    let gate = Gate()
    let reports = ErrorLog()
    let module = ModuleDefinition("Db", make: { $0 }) {
      Member<BridgeContext>.sync("size") { context in
        Task {
          _ = try await context.call("count", as: Int.self)
          gate.open()
        }
        try gate.wait()
      }
    }
    try await withBridge([module], wire: wire) { configuration in
      configuration.blockedCallThreshold = .milliseconds(100)
      configuration.onError = { error in
        reports.append(error)
        gate.open()
      }
    } _: { bridge, _ in
      try await bridge.evaluate("globalThis.count = () => 3; NativeModules.Db.size()")
    }
    let report = try #require(reports.all.first as? BridgeError)
    #expect(report.code == .blocked && report.place == "Db.size" && reports.all.count == 1)
    #expect(
      report.message.wholeMatch(of: /it has held the JavaScript thread for 0\.1 seconds, for which .* work waits?: .*/)
        != nil)
  }

  @Test func whatDoesNotBlockIsNotReported() async throws {
    let module = ModuleDefinition("Quick", make: { _ in () }) { Member<Void>.sync("call") { _ in } }
    try await withBridge([module]) {
      $0.blockedCallThreshold = patience
    } _: { bridge, log in
      try await bridge.evaluate("for (let i = 0; i < 1000; i++) NativeModules.Quick.call()")
      #expect(log.texts == [])
    }
  }
}
