import EventLoop
import TestSupport
import Testing

@testable import TrestleCore

/// Bytes that a script gives away.
@Suite struct TakenBytesTests {
  private let kept = Lock<[TransferredBytes]>([])

  private var module: ModuleDefinition {
    let kept = kept
    return ModuleDefinition("Bytes", make: { _ in Nothing() }) {
      Member<Nothing>.sync("take", "bytes") { (_, bytes: TransferredBytes) in try bytes.copy() }
      Member<Nothing>.promise("takeLater", "bytes") { (_, bytes: TransferredBytes) in try bytes.copy() }
      Member<Nothing>.sync("keep", "bytes") { (_, bytes: TransferredBytes) in kept.withLock { $0.append(bytes) } }
      Member<Nothing>.sync("drop") { (_) in kept.withLock { $0 = [] } }
      Member<Nothing>.sync("both", "first", "second") { (_, first: TransferredBytes, second: TransferredBytes) in
        try first.copy() + second.copy()
      }
      Member<Nothing>.sync("named", "bytes", "name") { (_, bytes: TransferredBytes, _: Refused) in try bytes.copy() }
      Member<Nothing>.sync("read", "bytes") { (_, bytes: [UInt8]) in bytes }
      Member<Nothing>.sync("sendBack", "bytes") { (_, bytes: TransferredBytes) in bytes }
    }
  }

  private func evaluate<Value: BridgeDecodable & Sendable>(
    _ script: String, as: Value.Type, wire: Wire = .shared
  ) async throws -> Value {
    try await withBridge([module], wire: wire) { bridge, log in
      let value = try await bridge.evaluate("const {Bytes} = NativeModules; \(script)", as: Value.self)
      #expect(log.texts == [])
      return value
    }
  }

  @Test(arguments: Wire.allCases, ["take", "takeLater"])
  func theScriptHasThemNoMore(wire: Wire, method: String) async throws {
    let script = """
      (async () => {
        const bytes = new Uint8Array([1, 2, 3]);
        const result = await Bytes.\(method)(bytes);
        return [result.join(), bytes.buffer.detached, bytes.length].join(' ');
      })()
      """
    #expect(try await evaluate(script, as: String.self, wire: wire) == "1,2,3 true 0")
  }

  @Test func lookingAtTheQueueLeavesThemToBeTaken() async throws {
    try await withBridge([module], { $0.observers = [Onlooker()] }) { bridge, _ throws in
      let script = "const bytes = new Uint8Array(1); NativeModules.Bytes.take(bytes); bytes.buffer.detached"
      #expect(try await bridge.evaluate(script, as: Bool.self))
    }
  }

  @Test func withoutAnEngineTheyAreTakenToo() throws {
    let bytes = try decoded(.binary([1, 2, 3], kind: nil), as: TransferredBytes.self)
    #expect(try bytes.copy() == [1, 2, 3])
    #expect(throws: ConversionError(.missing, byteOffset: 0)) { _ = try decoded(.detached, as: TransferredBytes.self) }
  }

  @Test func theyAreCopiedOnlyWhereTheirMemoryIsNotToBeHad() async throws {
    try await withBridge([module]) { bridge, _ in
      let script = """
        const memory = new WebAssembly.Memory({ initial: 1 }).buffer;
        for (const bytes of [new ArrayBuffer(8), new Uint8Array(8).subarray(1, 3), memory]) NativeModules.Bytes.keep(bytes);
        """
      try await bridge.evaluate(script)
      #expect(kept.withLock { $0.map(\.isLent) } == [true, true, false])
    }
  }

  @Test func aViewShowsItsPartAndTakesTheWhole() async throws {
    let script = """
      const buffer = new Uint8Array([1, 2, 3, 4, 5, 6]).buffer;
      const others = [new Uint8Array(buffer), new Uint16Array(buffer, 2)];
      [Bytes.take(new DataView(buffer, 1, 3)).join(), buffer.detached, others.map(view => view.length)].join(' ')
      """
    #expect(try await evaluate(script, as: String.self) == "2,3,4 true 0,0")
  }

  @Test(arguments: Wire.allCases) func detachedBuffersAreRefusedInWords(wire: Wire) async throws {
    let script = """
      const attempt = (...values) => {
        try { return Bytes.both(...values).join() } catch (error) { return error.code + ' ' + error.message }
      };
      const make = () => new Uint8Array([1, 2]);
      const same = make(), gone = make(), view = make();
      gone.buffer.transfer();
      [attempt(make(), make()), attempt(same, same), attempt(make(), gone.buffer), attempt(view.subarray(1), view)]
      """
    let words = "ERR_ARGUMENT Bytes.both, argument 2 'second': expected ArrayBuffer or typed array, got detached"
    #expect(
      try await evaluate(script, as: [String].self, wire: wire) == [
        "1,2,1,2", "\(words) Uint8Array", "\(words) ArrayBuffer", "\(words) Uint8Array",
      ])
  }

  /// What JavaScript can check it has checked before anything is taken.
  @Test func aRefusedCallTakesWhatWasReadBefore() async throws {
    let script = """
      const first = new Uint8Array(1), second = new Uint8Array(1);
      const texts = [[first, 3], [second, 'x']].map(values => {
        try { Bytes.named(...values) } catch (error) { return error.message }
      });
      [...texts, String(first.buffer.detached), String(second.buffer.detached)]
      """
    #expect(
      try await evaluate(script, as: [String].self) == [
        "Bytes.named, argument 2 'name': expected string, got number 3",
        "Bytes.named, argument 2 'name': expected string, got string \"x\"", "false", "true",
      ])
  }

  @Test func resizableBuffersAreDetachedToo() async throws {
    let script = """
      const buffer = new ArrayBuffer(4, { maxByteLength: 64 });
      new Uint8Array(buffer).set([1, 2, 3, 4]);
      buffer.resize(3);
      [Bytes.take(new Uint8Array(buffer)).join(), buffer.detached].join(' ')
      """
    #expect(try await evaluate(script, as: String.self) == "1,2,3 true")
  }

  /// Over shared memory the call has not gone yet; React Native's arrays have a copy by then.
  @Test(arguments: zip(Wire.allCases, ["got ArrayBuffer that has shrunk since", "undefined"]))
  func buffersThatShrinkBeforeTheCallGoes(wire: Wire, expected: String) async throws {
    let script = """
      let buffer, call;
      do {
        buffer = new ArrayBuffer(4, { maxByteLength: 64 });
        call = Bytes.takeLater(buffer);
      } while (buffer.detached);
      buffer.resize(3);
      call.then(() => 'undefined', (error) => error.message.split(', ').at(-1))
      """
    #expect(try await evaluate(script, as: String.self, wire: wire) == expected)
  }

  @Test func whatTheEngineDoesNotLetGoIsCopied() async throws {
    let script = """
      const read = new Uint8Array([1, 2, 3]);
      Bytes.read(read);
      const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 });
      const shared = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
      const views = [read, ...[memory, shared].map(memory => new Uint8Array(memory.buffer, 65533))];
      views.map(view => {
        view.set([4, 5, 6]);
        return [Bytes.take(view), Bytes.read(view), view].map(bytes => bytes.join('')).join(' ');
      })
      """
    #expect(try await evaluate(script, as: [String].self) == Array(repeating: "456 456 456", count: 3))
  }

  @Test func aSharedBufferIsNoArrayBuffer() async throws {
    let script = """
      const {buffer} = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
      try { Bytes.take(buffer) } catch (error) { error.message }
      """
    #expect(
      try await evaluate(script, as: String.self)
        == "Bytes.take, argument 1 'bytes': expected ArrayBuffer or typed array, got object")
  }

  @Test func theyOutliveTheirBridge() async throws {
    try await withBridge([module]) { bridge, _ in
      try await bridge.evaluate("NativeModules.Bytes.keep(new Uint8Array(1 << 20).fill(7))")
    }
    let bytes = try #require(kept.withLock { $0.first })
    #expect(!bytes.isLent)
    #expect(try bytes.copy() == Array(repeating: 7, count: 1 << 20))
  }

  @Test func theyGoBackAndOn() async throws {
    let script = """
      const sent = Bytes.sendBack(new Uint8Array([1, 2, 3]).subarray(1));
      [new Uint8Array(sent).join(), Bytes.take(sent).join()].join(' ')
      """
    #expect(try await evaluate(script, as: String.self) == "2,3 2,3")
    try await withBridge([module]) { bridge, _ in
      try await bridge.evaluate("NativeModules.Bytes.keep(new Uint8Array([1, 2, 3]))")
      try await withBridge([]) { other, _ in
        let bytes = try #require(kept.withLock { $0.first })
        try await other.evaluate("globalThis.sum = buffer => new Uint8Array(buffer).reduce((a, b) => a + b)")
        #expect(try await other.call("sum", bytes, as: Int.self) == 6)
        #expect { try bytes.copy() } throws: { ($0 as? BridgeError)?.code == .detached }
      }
    }
  }

  /// Nobody touches them: a buffer of that length has no memory until then.
  @Test func fourGigabytesAreTaken() async throws {
    try await withBridge([module]) { bridge, _ in
      try await bridge.evaluate("NativeModules.Bytes.keep(new ArrayBuffer(2 ** 32))")
      #expect(kept.withLock { $0.map(\.count) } == [1 << 32])
      kept.withLock { $0 = [] }
    }
  }

  /// On the thread that reads them, where nobody could wait for the end of the reading, and on others.
  @Test func whoReadsThemMayAskAnything() async throws {
    try await withBridge([module]) { bridge, _ in
      try await bridge.evaluate("NativeModules.Bytes.keep(new Uint8Array([1, 2, 3]))")
      let bytes = try #require(kept.withLock { $0.first })
      let seen = try bytes.withBytes { span throws in
        var writer = ValueWriter()
        try bytes.encode(into: &writer)
        #expect(throws: BridgeError.self) { try bytes.withBytes { _ in } }
        #expect(!bytes.isLent)
        return span.withUnsafeBytes { [UInt8]($0) }
      }
      #expect(seen == [1, 2, 3])
    }
  }

  @Test func aCloseOutOfTheirReaderComesAfterIt() async throws {
    let kept = kept
    try await withBridge([module]) { bridge, _ in
      try await bridge.evaluate("NativeModules.Bytes.keep(new Uint8Array(1 << 16).fill(5))")
      let sum = try await bridge.closeWhileReading(try #require(kept.withLock { $0.first }))
      #expect(sum == 5 << 16)
    }
    #expect(kept.withLock { $0.map(\.isLent) } == [false])
  }

  @Test func closingWaitsForReadersOnOtherThreads() async throws {
    let kept = kept
    try await withBridge([module]) { bridge, _ in
      try await bridge.evaluate("NativeModules.Bytes.keep(new Uint8Array(1 << 16).fill(5))")
      let bytes = try #require(kept.withLock { $0.first })
      let (hasBegun, begun) = AsyncStream<Void>.makeStream()
      let (isCopied, sum) = (Lock(false), Lock(0))
      Thread.detach {
        _ = try? bytes.withBytes { span in
          begun.finish()
          // The end is under way once the bytes are copied.
          let deadline = ContinuousClock.now + patience
          while bytes.isLent, ContinuousClock.now < deadline {}
          isCopied.withLock { $0 = !bytes.isLent }
          sum.withLock { sum in sum = span.withUnsafeBytes { $0.reduce(0) { $0 + Int($1) } } }
        }
      }
      for await _ in hasBegun {}
      #expect(await bridge.close(within: patience))
      #expect(isCopied.withLock { $0 } && sum.withLock { $0 } == 5 << 16)
    }
  }

  @Test func theEngineGetsThemBackWhenNobodyHasThem() async throws {
    try await withBridge([module]) { bridge, _ in
      try await bridge.evaluate("for (let i = 0; i < 32; i++) NativeModules.Bytes.keep(new Uint8Array(1 << 20))")
      #expect(try await bridge.memoryOfBuffers() >= 32 << 20)
      try await bridge.evaluate("NativeModules.Bytes.drop()")
      let deadline = ContinuousClock.now + patience
      while try await bridge.memoryOfBuffers() >= 16 << 20, ContinuousClock.now < deadline {
        try await Task.sleep(for: .milliseconds(2))
      }
      #expect(try await bridge.memoryOfBuffers() < 16 << 20)
    }
  }
}

private final class Onlooker: QueueObserver {
  func willMake(_ call: MethodReference, slot: UInt32, arguments: () -> [ScriptValue]) {}
  func willDeliver(_ record: ReplyDecoder.Record) {}
}

/// A string to JavaScript, which no string satisfies.
private struct Refused: BridgeDecodable {
  static var bridgeSchema: BridgeSchema { BridgeSchema(.string) }

  static func decode(from reader: inout ValueReader) throws(ConversionError) -> Refused {
    let start = reader.byteOffset
    _ = try String.decode(from: &reader)
    throw ConversionError(.mismatch, byteOffset: start)
  }
}

extension TransferredBytes {
  fileprivate func copy() throws -> [UInt8] { try withBytes { span in span.withUnsafeBytes { [UInt8]($0) } } }
}

extension Bridge {
  /// In no turn.
  fileprivate func closeWhileReading(_ bytes: TransferredBytes) throws -> Int {
    try bytes.withBytes { span in
      shutDown()
      return span.withUnsafeBytes { $0.reduce(0) { $0 + Int($1) } }
    }
  }

  /// What scripts' buffers take outside of the heap, in bytes.
  fileprivate func memoryOfBuffers() throws -> Int {
    try withContext { context in
      context.collectGarbage()
      return try context.memoryStatistics().extraMemorySize
    }
  }
}
