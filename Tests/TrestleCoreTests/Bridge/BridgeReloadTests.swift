import Dispatch
import EventLoop
import Glibc
import JSEngine
import TestSupport
import Testing

@testable import TrestleCore

/// Holds something that a later generation wants.
private actor Port: InvalidatableModule {
  private let journal: Journal
  private let delay: Duration
  init(_ journal: Journal, delay: Duration = .zero) { (self.journal, self.delay) = (journal, delay) }

  func invalidate() async {
    do { try await Task.sleep(for: delay) } catch { return journal.append("cancelled") }
    journal.append("invalidated")
  }

  static func definition(_ make: @escaping @Sendable () -> Port) -> ModuleDefinition {
    ModuleDefinition("Port", make: { _ in make() }) {
      Member<Port>.sync("open") { _ in 1 }
    }
  }
}

@Suite struct BridgeReloadTests {
  @Test func modulesAreToldAndAwaited() async throws {
    let journal = Journal()
    let module = Port.definition { Port(journal, delay: .milliseconds(30)) }
    let bridge = try await Bridge(modules: .definitions([module]))
    _ = try await bridge.evaluate("NativeModules.Port.open()", as: Int.self)
    #expect(await bridge.close(within: patience))
    #expect(journal.all == ["invalidated"])
    // One that no script has used has nothing to let go of.
    let idle = try await Bridge(modules: .definitions([module]))
    #expect(await idle.close(within: patience))
    #expect(journal.all == ["invalidated"])
  }

  @Test func modulesThatTakeTooLongAreCancelled() async throws {
    let journal = Journal()
    let bridge = try await Bridge(modules: .definitions([Port.definition { Port(journal, delay: .seconds(1000)) }]))
    _ = try await bridge.evaluate("NativeModules.Port.open()", as: Int.self)
    #expect(await !bridge.close(within: .milliseconds(100)))
    try await journal.waitFor("cancelled")
  }

  /// They are told once the thread is free, which may be after the limit.
  @Test func modulesAreCancelledAlsoIfTheThreadWasLate() async throws {
    let (journal, isHeld, free) = (Journal(), Lock(false), DispatchSemaphore(value: 0))
    let holder = ModuleDefinition("Holder", make: { _ in Nothing() }) {
      Member<Nothing>.sync("hold") { _ in
        isHeld.withLock { $0 = true }
        free.wait()
      }
    }
    let port = Port.definition { Port(journal, delay: .seconds(1000)) }
    let bridge = try await Bridge(modules: .definitions([port, holder]))
    let call = Task { try? await bridge.evaluate("NativeModules.Port.open(); NativeModules.Holder.hold()") }
    while !isHeld.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
    #expect(await !bridge.close(within: .milliseconds(10)))
    free.signal()
    try await journal.waitFor("cancelled")
    await call.value
  }

  @Test func aThousandReloadsUnderLoad() async throws {
    let strays = Lock(0)
    let answered = Lock<[Int: Int]>([:])
    let scripts = try await ReloadableBridge { generation in
      let module = ModuleDefinition("Work", make: { _ in Nothing() }) {
        Member<Nothing>._method("later", .promise, [Parameter("generation", Int.self)]) { _ in
          { (call) throws(ConversionError) in
            if try call.next(Int.self) != generation { strays.withLock { $0 += 1 } }
            let reply = call.reply()
            Task { reply.resolve(generation) }
          }
        }
        Member<Nothing>.void("note", "generation", "answer") { (_, of: Int, answer: Int) in
          if of != answer || of != generation { strays.withLock { $0 += 1 } }
          answered.withLock { $0[generation, default: 0] += 1 }
        }
      }
      let bridge = try await Bridge(modules: .definitions([module]))
      try await bridge.evaluate(
        """
        globalThis.generation = \(generation);
        (function ask() {
          NativeModules.Work.later(generation).then(answer => { NativeModules.Work.note(generation, answer); ask() }, () => {});
        })();
        """)
      return bridge
    }
    let isDone = Lock(false)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          while !isDone.withLock({ $0 }) {
            do {
              let bridge = try await scripts.bridge
              _ = try await bridge.call("Number", "1", as: Int.self)
            } catch let error as BridgeError { #expect(error.code == .closed) }
          }
        }
      }
      for _ in 0..<1000 { try await scripts.reload() }
      isDone.withLock { $0 = true }
      try await group.waitForAll()
    }
    #expect(await scripts.generation == 1001)
    #expect(await scripts.close(within: patience))
    #expect(strays.withLock { $0 } == 0)
    #expect(answered.withLock { $0.count } > 1)
    await #expect(throws: BridgeError.self) { try await scripts.reload() }
    await #expect(throws: BridgeError.self) { try await scripts.bridge }
  }

  @Test func aGenerationThatFailsIsFollowedByAnother() async throws {
    let scripts = try await ReloadableBridge { generation in
      let bridge = try await Bridge(modules: .none)
      do { try await bridge.evaluate(generation == 2 ? "throw new Error('half edited')" : "var ok = 1") } catch {
        await bridge.close()
        throw error
      }
      return bridge
    }
    await #expect(throws: JavaScriptError.self) { try await scripts.reload() }
    await #expect(throws: JavaScriptError.self) { try await scripts.bridge }
    let bridge = try await scripts.reload()
    #expect(try await bridge.evaluate("ok", as: Int.self) == 1)
    #expect(await scripts.close(within: patience))
  }

  /// A graph of modules, which is edited: one that does not load leaves the old one as it was.
  @Test func aGraphOfModulesIsReloadedAsAWhole() async throws {
    struct Edited: ModuleLoader {
      let texts: Lock<[String: String]>
      func resolve(_ request: ModuleRequest) throws -> String { request.specifier }
      func load(_ key: String, type: String?) throws -> ModuleSource {
        guard let text = texts.withLock({ $0[key] }) else { throw BridgeError(.notFound, "no module '\(key)'") }
        return ModuleSource(text)
      }
    }
    let texts = Lock(["a": "import { n } from 'b'; globalThis.n = n", "b": "export const n = 1"])
    let bridges = try await ReloadableBridge(opensFirst: true) { _ in
      var configuration = BridgeConfiguration()
      configuration.moduleLoader = Edited(texts: texts)
      let bridge = try await Bridge(modules: .none, configuration: configuration)
      do { try await bridge.importModule("a") } catch {
        await bridge.close()
        throw error
      }
      return bridge
    }
    func value() async throws -> Int { try await bridges.bridge.evaluate("n", as: Int.self) }
    let first = try await bridges.bridge
    #expect(try await value() == 1)
    for text in ["export const n = ;", "export const m = 2", "import 'nowhere'", "throw new Error('no')"] {
      texts.withLock { $0["b"] = text }
      await #expect(throws: JavaScriptError.self) { try await bridges.reload() }
      #expect(try await bridges.bridge === first)
      #expect(try await value() == 1)
    }
    texts.withLock { $0["b"] = "export const n = 2" }
    let second = try await bridges.reload()
    #expect(second !== first)
    #expect(try await value() == 2)
    await #expect(throws: BridgeError.self) { try await first.evaluate("1", as: Int.self) }
    await bridges.close()
    await #expect(throws: BridgeError.self) { try await second.evaluate("1", as: Int.self) }
  }

  @Test func aScriptThatCannotBeReadLeavesTheOldOneRunning() async throws {
    let path = "/tmp/trestle-reload-\(getpid()).js"
    defer { unlink(path) }
    func write(_ text: String) throws {
      let file = try #require(fopen(path, "w"))
      fputs(text, file)
      fclose(file)
    }
    try write("var number = 1")
    let scripts = try await ReloadableBridge(scripts: [path]) { _ in
      let bridge = try await Bridge(modules: .none)
      try await bridge.evaluate(file: path)
      return bridge
    }
    let first = try await scripts.bridge
    try write("var number = +* 2")
    let mistake = try await #require(throws: JavaScriptError.self) { try await scripts.reload() }
    #expect(mistake.name == "SyntaxError" && mistake.place == "\(path):1:15")
    unlink(path)
    let missing = try await #require(throws: BridgeError.self) { try await scripts.reload() }
    #expect(missing.code == .unreadable)
    let (bridge, generation) = (try await scripts.bridge, await scripts.generation)
    #expect(bridge === first && generation == 1)
    #expect(try await first.evaluate("number", as: Int.self) == 1)
    try write("var number = 2")
    let second = try await scripts.reload()
    #expect(try await second.evaluate("number", as: Int.self) == 2)
    #expect(await scripts.close(within: patience))
  }

  @Test func endsAScriptWithoutEnd() async throws {
    let journal = Journal()
    let stage = ModuleDefinition("Stage", make: { _ in Nothing() }) {
      Member<Nothing>.sync("begin") { _ in journal.append("begun") }
    }
    let scripts = try await ReloadableBridge { _ in
      var configuration = BridgeConfiguration()
      configuration.limits = ExecutionLimits(isInterruptible: true)
      return try await Bridge(modules: .definitions([stage]), configuration: configuration)
    }
    let old = try await scripts.bridge
    let running = Task { try await old.evaluate("NativeModules.Stage.begin(); for (;;);") }
    try await journal.waitFor("begun")
    let new = try await scripts.reload(within: patience)
    await #expect(throws: BridgeError.self) { try await running.value }
    #expect(try await new.evaluate("1", as: Int.self) == 1)
    #expect(await scripts.close(within: patience))
  }
}
