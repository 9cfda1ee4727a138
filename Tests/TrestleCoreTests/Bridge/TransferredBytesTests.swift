import EventLoop
import JSEngine
import TestSupport
import Testing

@testable import TrestleCore

/// Bytes that change hands: JavaScript gets the very memory, and it is freed exactly once.
@Suite struct TransferredBytesTests {
  private let freed = Lock(0)
  private let addresses = Lock<[UInt]>([])

  private func makeBytes(_ count: Int) -> TransferredBytes {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(count, 1), alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 7)
    addresses.withLock { $0.append(UInt(bitPattern: memory.baseAddress)) }
    return TransferredBytes(adopting: UnsafeMutableRawBufferPointer(start: memory.baseAddress, count: count)) {
      [freed] in
      $0.deallocate()
      freed.withLock { $0 += 1 }
    }
  }

  /// The engine frees what is left when it ends.
  private func expectFreed(_ count: Int) async throws {
    let deadline = ContinuousClock.now + patience
    while freed.withLock({ $0 }) < count, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(2)) }
    #expect(freed.withLock { $0 } == count)
  }

  private var module: ModuleDefinition {
    ModuleDefinition("Bytes", make: { _ in Nothing() }) {
      Member<Nothing>.promise("make", "count") { (_, count: Int) in makeBytes(count) }
      Member<Nothing>.sync("makeNow", "count") { (_, count: Int) in makeBytes(count) }
      Member<Nothing>.promise("twice") { (_) -> [TransferredBytes] in
        let bytes = makeBytes(8)
        return [bytes, bytes]
      }
    }
  }

  @Test(arguments: ["make", "makeNow"])
  func theArrayBufferLiesOverTheMemory(_ method: String) async throws {
    try await withBridge([module]) { bridge, log in
      let script =
        "(async () => { globalThis.buffer = await NativeModules.Bytes.\(method)(4096) })().then(() => buffer.byteLength)"
      #expect(try await bridge.evaluate(script, as: Int.self) == 4096)
      let start = try await bridge.withContext { context in
        let buffer = try #require(JSArrayBuffer(try context.evaluate("buffer")))
        return try buffer.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
      }
      #expect(addresses.withLock { $0 } == [start])
      #expect(freed.withLock { $0 } == 0)
      #expect(log.texts == [])
    }
    try await expectFreed(1)
  }

  /// What is sent is a copy then: JavaScript may write there at once.
  @Test func theirReaderMaySendThem() throws {
    let bytes = makeBytes(4)
    let copy = try bytes.withBytes { span throws in
      var writer = ValueWriter()
      try bytes.encode(into: &writer)
      #expect(bytes.bytesOfMessage == [7, 7, 7, 7] && freed.withLock { $0 } == 0)
      return span.withUnsafeBytes { [UInt8]($0) }
    }
    #expect(copy == [7, 7, 7, 7] && freed.withLock { $0 } == 1)
  }

  @Test func aScriptMayDoWithThemWhatItLikes() async throws {
    let sums = try await withBridge([module]) { bridge, _ in
      try await bridge.evaluate(
        """
        (async () => {
          const sum = buffer => new Uint8Array(buffer).reduce((a, b) => a + b, 0);
          const moved = (await NativeModules.Bytes.make(100)).transfer(50);
          const empty = await NativeModules.Bytes.make(0);
          new Uint8Array(moved)[0] = 8;
          return [sum(moved), empty.byteLength, sum((await NativeModules.Bytes.make(10)).slice(5))];
        })()
        """, as: [Int].self)
    }
    #expect(sums == [351, 0, 35])
    try await expectFreed(3)
  }

  @Test func bytesAreSentOnce() async throws {
    let code = try await withBridge([module]) { bridge, _ in
      try await bridge.evaluate("NativeModules.Bytes.twice().catch(error => error.code)", as: String.self)
    }
    #expect(code == "ERR_DETACHED")
    try await expectFreed(1)
  }

  private struct Unsendable: BridgeEncodable {
    static var bridgeSchema: BridgeSchema { BridgeSchema(.json) }
    func encode(into writer: inout ValueWriter) throws { throw BridgeError(.argument, "not to be sent") }
  }

  /// What is refused with them has not been sent either.
  @Test func bytesStayWhereTheyAreIfTheirMessageDoesNotGo() async throws {
    let functions = Lock<[ScriptFunction<TransferredBytes, Unsendable, Int>]>([])
    let keeper = ModuleDefinition("Keeper", make: { _ in Nothing() }) {
      Member<Nothing>.void("keep", "function") {
        (_, function: ScriptFunction<TransferredBytes, Unsendable, Int>) in functions.withLock { $0.append(function) }
      }
    }
    let bytes = makeBytes(16)
    try await withBridge([keeper]) { bridge, _ in
      try await bridge.evaluate(
        "globalThis.count = buffer => buffer.byteLength; NativeModules.Keeper.keep(() => 1)")
      await #expect(throws: BridgeError.self) { try await bridge.call("count", bytes, Unsendable(), as: Int.self) }
      #expect(try bytes.withBytes { $0.byteCount } == 16)
      let function = try #require(functions.withLock { $0.popLast() })
      _ = try await bridge.withContext { _ in
        #expect(throws: BridgeError.self) { try function.callNow(bytes, Unsendable()) }
      }
      #expect(try await bridge.call("count", bytes, as: Int.self) == 16)
    }
    try await expectFreed(1)
  }

  @Test func argumentsOfJavaScriptAreTransferredToo() async throws {
    let bytes = makeBytes(16)
    try await withBridge([]) { bridge, _ in
      try await bridge.evaluate("globalThis.count = buffer => buffer.byteLength")
      #expect(try await bridge.call("count", bytes, as: Int.self) == 16)
      #expect { try bytes.withBytes { $0.byteCount } } throws: { ($0 as? BridgeError)?.code == .detached }
    }
    try await expectFreed(1)
  }

  @Test func bytesThatAreNeverSentAreFreed() async throws {
    do {
      let bytes = makeBytes(16)
      #expect(try bytes.withBytes { $0.unsafeLoad(fromByteOffset: 3, as: UInt8.self) } == 7)
    }
    #expect(freed.withLock { $0 } == 1)
    struct Refusal: Error {}
    #expect(throws: Refusal.self) { try TransferredBytes(count: 8) { _ in throw Refusal() } }
    let filled = TransferredBytes(count: 3) { $0.storeBytes(of: 5, toByteOffset: 1, as: UInt8.self) }
    #expect(try filled.withBytes { span in span.withUnsafeBytes { [UInt8]($0) } } == [0, 5, 0])
    #expect(try encoded(filled) == .binary([0, 5, 0], kind: nil))
  }
}
