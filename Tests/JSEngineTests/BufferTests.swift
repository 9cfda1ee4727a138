import EventLoop
import Testing

@testable import JSEngine

@Suite struct BufferTests {
  @Test(arguments: Collecting.allCases) func bytesAreLentBothWays(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      let buffer = try context.makeArrayBuffer(copying: [1, 2, 3, 4])
      try context.globalObject.set("buffer", buffer)
      #expect(try context.evaluate("new Uint8Array(buffer).join()").string == "1,2,3,4")
      try buffer.withUnsafeBytes { $0[2] = 99 }
      #expect(try context.evaluate("new Uint8Array(buffer)[2]").number == 99)
      try context.evaluate("new Uint8Array(buffer)[0] = 7")
      #expect(try buffer.withUnsafeBytes { Array($0) } == [7, 2, 99, 4])
      #expect(try buffer.copyBytes() == [7, 2, 99, 4])
      #expect(try buffer.byteCount() == 4)
      #expect(try context.makeArrayBuffer(copying: []).copyBytes() == [])
    }
  }

  @Test(arguments: Collecting.allCases) func statesAreTold(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      let scripts: [(String, JSArrayBuffer.State)] = [
        ("new ArrayBuffer(8)", .plain), ("new ArrayBuffer(8, { maxByteLength: 16 })", .resizable),
        ("{ const b = new ArrayBuffer(8); b.transfer(); b }", .detached),
      ]
      for (script, state) in scripts {
        let buffer = try #require(JSArrayBuffer(try context.evaluate(script)))
        #expect(try buffer.state() == state, "\(script)")
        if state == .plain { continue }
        #expect { try buffer.withUnsafeBytes { _ in } } throws: { ($0 as? JSException)?.code == .buffer }
      }
      #expect(JSArrayBuffer(try context.evaluate("new Uint8Array(1)")) == nil)
    }
  }

  @Test func copiesOfResizableBuffersLeaveThemResizable() async throws {
    try await withContext { context throws in
      let script = "var r = new ArrayBuffer(4, { maxByteLength: 8 }); new Uint8Array(r).set([1, 2, 3, 4]); r"
      let buffer = try #require(JSArrayBuffer(try context.evaluate(script)))
      #expect(try buffer.copyBytes() == [1, 2, 3, 4])
      #expect(try context.evaluate("r.resize(2); r.byteLength").number == 2)
      #expect(try context.evaluate("r.transfer().byteLength").number == 2)
      #expect(throws: JSException.self) { try buffer.copyBytes() }
    }
  }

  @Test(arguments: Collecting.allCases) func memoryIsTakenAway(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      for options in ["", ", { maxByteLength: 8 }"] {
        let script = "var b = new ArrayBuffer(4\(options)), v = new Uint8Array(b, 1); v.set([1, 2, 3]); b"
        let buffer = try #require(JSArrayBuffer(try context.evaluate(script)))
        let taken = try buffer.transfer()
        #expect(try taken.withUnsafeBytes { Array($0) } == [0, 1, 2, 3])
        #expect(try context.evaluate("b.detached && v.length === 0").boolean == true)
        #expect(throws: JSException.self) { try buffer.transfer() }
      }
    }
  }

  @Test func memoryThatIsPinnedOrOfWebAssemblyStays() async throws {
    try await withContext { context throws in
      let pinned = try context.makeArrayBuffer(copying: [1, 2])
      let copy = try pinned.transfer()
      try pinned.withUnsafeBytes { $0[0] = 9 }
      #expect(try copy.copyBytes() == [1, 2])
      for options in ["", ", shared: true"] {
        let script = "new WebAssembly.Memory({ initial: 1, maximum: 1\(options) }).buffer"
        let memory = try #require(JSArrayBuffer(try context.evaluate(script)))
        #expect(throws: JSException.self) { try memory.transfer() }
        #expect(throws: (any Error).self) { try memory.withUnsafeBytes { _ in } }
        #expect(try memory.copyBytes(in: 65530..<65536).count == 6)
        #expect(throws: JSException.self) { try memory.copyBytes(in: 65530..<65537) }
      }
    }
  }

  @Test func lentBuffersArePinned() async throws {
    try await withContext { context throws in
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 8)
      memory.initializeMemory(as: UInt8.self, repeating: 5)
      let buffer = try context.makeArrayBuffer(adopting: memory) { $0.deallocate() }
      try context.globalObject.set("buffer", buffer)
      // Whether the engine refuses or copies, native memory stays its own.
      try context.evaluate("try { new Uint8Array(buffer.transfer())[0] = 42 } catch {}")
      #expect(memory[0] == 5)
    }
  }

  @Test func adoptedMemoryIsFreedOnceOnTheScriptsThread() async throws {
    let freed = Lock<[Bool]>([])
    try await withContext { context throws in
      for _ in 0..<20 {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
        _ = try context.makeArrayBuffer(adopting: memory) { memory in
          memory.deallocate()
          freed.withLock { $0.append(context.loop.isOnOwnThread) }
        }
      }
      context.collectGarbage()
    }
    #expect(freed.withLock { $0 } == Array(repeating: true, count: 20))
  }

  @Test(arguments: Collecting.allCases) func typedArrays(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      let names = [
        "Int8", "Uint8", "Uint8Clamped", "Int16", "Uint16", "Int32", "Uint32", "Float32", "Float64", "BigInt64",
        "BigUint64",
      ]
      for (name, element) in zip(names, JSTypedArray.Element.allCases) {
        let array = try #require(JSTypedArray(try context.evaluate("new \(name)Array(3)")))
        #expect(array.element == element)
        #expect(try array.count() == 3)
        #expect(try array.withUnsafeBytes { $0.count } == 3 * element.size)
        #expect(try context.makeTypedArray(element, count: 2).count() == 2)
      }
      #expect(JSTypedArray(try context.evaluate("new DataView(new ArrayBuffer(1))")) == nil)
      #expect(JSTypedArray(try context.evaluate("new ArrayBuffer(1)")) == nil)
    }
  }

  @Test(arguments: Collecting.allCases) func windows(_ collecting: Collecting) async throws {
    try await withContext(collecting) { context throws in
      let buffer = try context.makeArrayBuffer(copying: 0..<16)
      let window = try context.makeTypedArray(.uint16, over: buffer, atByteOffset: 4, count: 3)
      #expect(try window.withUnsafeBytes { Array($0) } == [4, 5, 6, 7, 8, 9])
      #expect(try window.buffer().isStrictlyEqual(to: buffer))
      #expect(try window.get(at: 0).number == 0x0504)
      for (offset, count) in [(1, 1), (16, 1), (-2, 1), (0, 9), (0, Int.max), (0, -1)] {
        #expect(throws: JSException.self) {
          try context.makeTypedArray(.uint16, over: buffer, atByteOffset: offset, count: count)
        }
      }
      #expect(throws: JSException.self) { try context.makeTypedArray(.int8, count: -1) }
    }
  }
}
