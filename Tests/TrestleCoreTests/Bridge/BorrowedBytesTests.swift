import EventLoop
import JSEngine
import Testing

@testable import TrestleCore

/// Bytes that are lent to native code by the engine.
@Suite struct BorrowedBytesTests {
  private let kept = Lock<BorrowedBytes?>(nil)

  private var module: ModuleDefinition {
    let kept = kept
    return ModuleDefinition("Bytes", make: { _ in Nothing() }) {
      Member<Nothing>.sync("address", "bytes") { (_, bytes: BorrowedBytes) in try bytes.address }
      Member<Nothing>.sync("sum", "bytes") { (_, bytes: BorrowedBytes) in try bytes.copy().reduce(0) { $0 + Int($1) } }
      Member<Nothing>.sync("keep", "bytes") { (_, bytes: BorrowedBytes) -> [UInt8] in
        kept.withLock { $0 = bytes }
        return try bytes.copy()
      }
      Member<Nothing>.sync("readKept") { (_) -> [UInt8] in try kept.withLock { $0 }?.copy() ?? [] }
      Member<Nothing>.promiseAtHome("later", "bytes") { (_, bytes: BorrowedBytes) in try bytes.copy() }
    }
  }

  private func evaluate<Value: BridgeDecodable & Sendable>(_ script: String, as: Value.Type) async throws -> Value {
    try await withBridge([module]) { bridge, _ in
      try await bridge.evaluate("const {Bytes} = NativeModules; \(script)", as: Value.self)
    }
  }

  @Test func aSynchronousCallReadsTheScriptsOwnMemory() async throws {
    try await withBridge([module]) { bridge, _ in
      let script = "globalThis.buffer = new ArrayBuffer(64); NativeModules.Bytes.address(new Uint8Array(buffer, 16, 8))"
      let address = try await bridge.evaluate(script, as: UInt.self)
      let start = try await bridge.withContext { context in
        let buffer = try #require(JSArrayBuffer(try context.evaluate("buffer")))
        return try buffer.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
      }
      #expect(address == start + 16)
    }
  }

  @Test func bytesThatAreKeptAreRefusedAndTheirCopyIsNot() async throws {
    let script = """
      const bytes = new Uint8Array([1, 2, 3]);
      const copy = Bytes.keep(bytes);
      bytes[0] = 9;
      let code;
      try { Bytes.readKept(); } catch (error) { code = error.code; }
      [code, copy.join()]
      """
    #expect(try await evaluate(script, as: [String].self) == ["ERR_DETACHED", "1,2,3"])
    #expect { try kept.withLock { $0 }?.copy() } throws: { ($0 as? BridgeError)?.code == .detached }
  }

  /// A host that calls a function outside of any call is lent nothing: neither then nor when the bridge has closed.
  @Test func outsideOfACallNothingIsLent() throws {
    let function = Lock<ScriptFunction<BorrowedBytes>?>(nil)
    let module = ModuleDefinition("Keeper", make: { _ in Nothing() }) {
      Member<Nothing>.sync("keep", "function") { (_, given: ScriptFunction<BorrowedBytes>) in
        function.withLock { $0 = given }
      }
    }
    let loop = Loop()
    loop.pushThreadDefault()
    let bridge = try Bridge.hosted(on: loop, modules: .definitions([module]))
    let bytes = try bridge.assumeIsolated { bridge in
      try bridge.evaluate("NativeModules.Keeper.keep(() => new Uint8Array([1, 2, 3]))")
      let bytes = try #require(try function.withLock { $0 }?.callNow())
      #expect { try bytes.copy() } throws: { ($0 as? BridgeError)?.code == .detached }
      function.withLock { $0 = nil }
      bridge.shutDown()
      return bytes
    }
    for _ in 0..<5 { loop.iterate() }
    #expect { try bytes.copy() } throws: { ($0 as? BridgeError)?.code == .detached }
    loop.popThreadDefault()
  }

  @Test func aCallThatRunsLaterHasNothingLent() async throws {
    let script = "Bytes.later(new Uint8Array([1])).then(() => 'read', error => error.code)"
    #expect(try await evaluate(script, as: String.self) == "ERR_DETACHED")
  }

  @Test func resizableBuffersAreReadAsLongAsTheyAre() async throws {
    let script = """
      const buffer = new ArrayBuffer(4, { maxByteLength: 1 << 20 });
      const bytes = new Uint8Array(buffer);
      bytes.fill(1);
      const sums = [Bytes.sum(bytes)];
      buffer.resize(1 << 20);
      bytes.fill(1);
      sums.push(Bytes.sum(buffer), Bytes.keep(buffer).length);
      buffer.resize(2);
      bytes.fill(2);
      sums.push(Bytes.sum(bytes), Bytes.sum(buffer));
      sums
      """
    #expect(try await evaluate(script, as: [Int].self) == [4, 1 << 20, 1 << 20, 4, 4])
  }

  @Test func memoryThatMayShrinkOrMoveIsNotLent() async throws {
    try await withBridge([module]) { bridge, _ in
      let script =
        "globalThis.buffer = new ArrayBuffer(64, { maxByteLength: 128 }); NativeModules.Bytes.address(buffer)"
      let address = try await bridge.evaluate(script, as: UInt.self)
      let start = try await bridge.withContext { context in
        let buffer = try #require(context.raw.bytes(ofArrayBuffer: context.evaluate("buffer").reference))
        return UInt(bitPattern: buffer.baseAddress)
      }
      #expect(address != start)
    }
    let script = """
      [{}, { shared: true }].map(options => {
        const memory = new WebAssembly.Memory({ initial: 1, maximum: 2, ...options });
        const bytes = new Uint8Array(memory.buffer, 65534);
        bytes.set([1, 2]);
        return Bytes.sum(bytes);
      })
      """
    #expect(try await evaluate(script, as: [Int].self) == [3, 3])
  }

  /// What a method runs meanwhile may lend bytes itself, which are over when its calls are.
  @Test func bytesOutlastTheCallsOfScriptsThatTheirMethodRuns() async throws {
    let bridges = Lock<Bridge?>(nil)
    let kept = kept
    let outer = ModuleDefinition("Outer", make: { _ in Nothing() }) {
      Member<Nothing>.sync("lend", "script", "bytes") { (_, script: String, bytes: BorrowedBytes) -> [UInt8] in
        let before = try bytes.copy()
        try bridges.withLock { $0 }?.assumeIsolated { try $0.evaluate(script) }
        return try before + bytes.copy()
      }
      Member<Nothing>.void("tell", "bytes") { (_, bytes: BorrowedBytes) in kept.withLock { $0 = bytes } }
    }
    try await withBridge([module, outer]) { bridge, _ in
      bridges.withLock { $0 = bridge }
      defer { bridges.withLock { $0 = nil } }
      for inner in [
        "NativeModules.Bytes.keep(new Uint8Array([9]))",
        "NativeModules.Outer.tell(new Uint8Array([9])); trestle.flush()",
        "NativeModules.Outer.lend('NativeModules.Bytes.sum(new ArrayBuffer(2))', new Uint8Array([7]))",
      ] {
        let bytes = try await bridge.evaluate(
          "NativeModules.Outer.lend(`\(inner)`, new Uint8Array([1, 2]))", as: [UInt8].self)
        #expect(bytes == [1, 2, 1, 2])
        let text = try await bridge.evaluate(
          "try { String(NativeModules.Bytes.readKept()) } catch (error) { error.code }", as: String.self)
        #expect(text == "ERR_DETACHED")
      }
    }
  }

  @Test func detachedBuffersAreRefusedInWords() async throws {
    let script = """
      const buffer = new ArrayBuffer(4);
      const view = new Uint8Array(buffer);
      buffer.transfer();
      [buffer, view].map(value => { try { return Bytes.sum(value) } catch (error) { return error.message } })
      """
    #expect(
      try await evaluate(script, as: [String].self) == [
        "Bytes.sum, argument 1 'bytes': expected ArrayBuffer or typed array, got detached ArrayBuffer",
        "Bytes.sum, argument 1 'bytes': expected ArrayBuffer or typed array, got detached Uint8Array",
      ])
  }
}

extension BorrowedBytes {
  fileprivate var address: UInt {
    get throws { try withBytes { span in span.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } } }
  }
}
