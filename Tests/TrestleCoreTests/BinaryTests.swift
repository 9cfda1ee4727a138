import EventLoop
import Testing

@testable import TrestleCore

@Suite struct BinaryTests {
  @Test func bytesFromAnyByteView() throws {
    for kind in [nil, ElementKind.uint8.rawValue, BinaryKind.uint8Clamped] {
      #expect(try decoded(.binary([1, 2, 3], kind: kind), as: [UInt8].self) == [1, 2, 3])
    }
    #expect(try decoded([1, 2], as: [UInt8].self) == [1, 2])
    #expect(try encoded([1, 2] as [UInt8]) == .binary([1, 2], kind: ElementKind.uint8.rawValue))
    for kind in [ElementKind.int8.rawValue, BinaryKind.dataView, 99] {
      #expect(throws: ConversionError(.mismatch, byteOffset: 0)) {
        try decoded(.binary([1], kind: kind), as: [UInt8].self)
      }
    }
  }

  @Test func numbersFromTheirTypedArrayOrAPlainOne() throws {
    let numbers = [1.5, -0.0, .infinity]
    let value = try encoded(numbers)
    #expect(value == .binary(numbers.flatMap { withUnsafeBytes(of: $0) { [UInt8]($0) } }, kind: 7))
    #expect(try decoded(value, as: [Double].self) == numbers)
    #expect(try decoded([1.5, 2], as: [Double].self) == [1.5, 2])
    #expect(throws: ConversionError(.mismatch, byteOffset: 0)) { try decoded(value, as: [Float].self) }
    #expect(try encoded([1, 2] as [Int]) == [1, 2])
    #expect([Int32].typeSchema == .numbers(.int32))
    #expect([[Int64]].typeSchema == .array(.array(.integer(bits: 64, signed: true))))
  }

  /// Of numbers that native code does not have: bytes all the same, but not those of anything else.
  @Test func viewsWithoutElementsOfSwifts() async throws {
    let module = ModuleDefinition("Bytes", make: { _ in Nothing() }) {
      Member<Nothing>.promise("list", "bytes") { (_, bytes: [UInt8]) in bytes }
      Member<Nothing>.promise("data", "bytes") { (_, bytes: TransferredBytes) in bytes.count }
    }
    try await withBridge([module]) { bridge, log in
      let message = try await bridge.evaluate(
        "NativeModules.Bytes.list(new Float16Array([1.5])).catch(error => error.message)", as: String.self)
      let words = "expected Uint8Array or array of numbers, got Float16Array"
      #expect(message == "Bytes.list, argument 1 'bytes': \(words)")
      let error = await #expect(throws: (any Error).self) {
        try await bridge.evaluate("new Float16Array([1.5])", as: [UInt8].self)
      }
      #expect(error.map { "\($0)" }?.contains(words) == true)
      #expect(try await bridge.evaluate("NativeModules.Bytes.data(new Float16Array(3))", as: Int.self) == 6)
      #expect(log.texts == [])
    }
  }

  @Test func viewsThatLieBeyondTheirBuffer() throws {
    var encoder = CommandEncoder()
    encoder.append(.binary([1, 2, 3, 4], kind: nil))
    for (offset, count) in [(2, 3), (5, 0), (0, UInt64(UInt32.max)), (UInt64(UInt32.max), UInt64(UInt32.max))] {
      var slots = encoder.slots
      slots[2] = offset | count << 32
      #expect(throws: ConversionError(.missing, byteOffset: 0)) {
        try slots.withUnsafeBytes { bytes in
          let start = try #require(bytes.baseAddress)
          var reader = ValueReader(start: start, end: start + bytes.count, sideValues: encoder.sideValues)
          return try [UInt8].decode(from: &reader)
        }
      }
    }
  }

  @Test func borrowedBytesAreReadInPlaceUntilTheCallIsOver() throws {
    var encoder = CommandEncoder()
    encoder.append(.binary([1, 2, 3], kind: ElementKind.uint8.rawValue))
    encoder.sideValues.beginLoans()
    let bytes = try encoder.withReader { try BorrowedBytes.decode(from: &$0) }
    #expect(bytes.count == 3)
    #expect(try bytes.copy() == [1, 2, 3])
    #expect(try bytes.withBytes { $0.unsafeLoad(fromByteOffset: 1, as: UInt8.self) } == 2)
    encoder.sideValues.beginLoans()
    #expect { try bytes.copy() } throws: { ($0 as? BridgeError)?.code == .detached }
  }

  @Test func borrowedBytesAreRefusedOnceDetachedOrElsewhere() async throws {
    var encoder = CommandEncoder()
    encoder.append(.binary([1, 2, 3], kind: nil))
    encoder.sideValues.beginLoans()
    let bytes = try encoder.withReader { try BorrowedBytes.decode(from: &$0) }
    let thread = try LoopThread(name: "elsewhere")
    let elsewhere = await withCheckedContinuation { continuation in
      thread.loop.perform { continuation.resume(returning: Result { try bytes.copy() }) }
    }
    thread.stop()
    #expect(throws: BridgeError.self) { try elsewhere.get() }
    encoder.sideValues.detachBuffers()
    #expect { try bytes.copy() } throws: { ($0 as? BridgeError)?.code == .detached }
    #expect(throws: ConversionError(.missing, byteOffset: 0)) { try decoded(.detached, as: BorrowedBytes.self) }
  }
}
