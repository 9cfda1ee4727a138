import Glibc
import JSON
import Testing

@testable import TrestleCore

/// Laws that hold for all values, tried with values at random. `TRESTLE_FUZZ_ROUNDS` tries more of them.
@Suite struct PropertyTests {
  /// A type that crosses both ways, its own type erased.
  struct Specimen: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let schema: TypeSchema
    /// Encodes and decodes one value at random.
    let roundTrip: @Sendable (inout SeededGenerator) throws -> Bool
    let decode: @Sendable (inout ValueReader) throws(ConversionError) -> Void

    init<Value: BridgeCodable & Generated>(_: Value.Type) {
      testDescription = "\(Value.self)"
      schema = Value.typeSchema
      roundTrip = { generator in
        let value = Value.random(&generator, size: 6)
        return try decoded(encoded(value), as: Value.self) == value
      }
      decode = { (reader) throws(ConversionError) in _ = try Value.decode(from: &reader) }
    }

    init<Value: Codable & Generated>(codable _: Value.Type) {
      testDescription = "\(Value.self) by Codable"
      schema = .codable(name: "\(Value.self)")
      roundTrip = { generator in
        let value = Value.random(&generator, size: 6)
        return try decodedByCodable(encodedByCodable(value), as: Value.self) == value
      }
      decode = { (reader) throws(ConversionError) in _ = try DecodedValue<Value>.decode(from: &reader) }
    }
  }

  static let specimens: [Specimen] = [
    Specimen(Bool.self), Specimen(Int8.self), Specimen(UInt16.self), Specimen(Int64.self), Specimen(UInt64.self),
    Specimen(Double.self), Specimen(String.self), Specimen([String?].self), Specimen([Double].self),
    Specimen([UInt8].self), Specimen([[Int]].self), Specimen([String: [Bool]].self), Specimen(Encoding.self),
    Specimen(Place.self), Specimen([Place].self), Specimen(Tree.self), Specimen(Shape.self), Specimen(JSONValue.self),
    Specimen(codable: Document.self),
  ]

  private static let rounds = getenv("TRESTLE_FUZZ_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 100

  @Test(arguments: specimens)
  func valuesSurviveTheRoundTrip(_ specimen: Specimen) throws {
    var generator = SeededGenerator(seed: 1)
    for round in 0..<Self.rounds {
      let isEqual = try specimen.roundTrip(&generator)
      #expect(isEqual, "round \(round)")
    }
  }

  /// Values of any kind: what a type accepts its schema accepts too, and what it refuses is put into words.
  @Test(arguments: specimens)
  func schemasAndTypesAgree(_ specimen: Specimen) throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<Self.rounds {
      var encoder = CommandEncoder()
      encoder.append(ScriptValue.random(&generator, size: 4))
      let (refusal, words) = try encoder.withReader { reader in try Self.refusal(of: specimen, &reader) }
      if refusal == nil {
        #expect(words == nil)
      } else {
        #expect(words?.contains("expected") == true, "\(words ?? "no words")")
      }
    }
  }

  private static func refusal(
    of specimen: Specimen, _ reader: inout ValueReader
  ) throws -> (ConversionError?, String?) {
    let first = reader.copy()
    do throws(ConversionError) { try specimen.decode(&reader) } catch {
      let described = error.described(of: "test", named: "it", schema: specimen.schema, value: first)
      return (error, described.message)
    }
    var again = first.copy()
    var validator = SchemaValidator()
    return (nil, try validator.misfit(of: specimen.schema, in: &again)?.words)
  }

  /// Words that no encoder of ours wrote: nothing is read beyond them, and no count in them is believed.
  @Test(arguments: specimens)
  func anyBytesAreSafe(_ specimen: Specimen) {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<Self.rounds * 5 {
      let slots = Self.slots(&generator)
      // Memory of its own, so that the address sanitizer sees each byte beyond it.
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: slots.count * 8, alignment: 8)
      defer { memory.deallocate() }
      slots.withUnsafeBytes { memory.copyMemory(from: $0) }
      let start = UnsafeRawPointer(memory.baseAddress.unsafelyUnwrapped)
      let sideValues = Self.sideValues(&generator)
      withExtendedLifetime(sideValues) {
        var reader = ValueReader(start: start, end: start + memory.count, sideValues: sideValues)
        _ = try? Self.refusal(of: specimen, &reader)
        var other = ValueReader(start: start, end: start + memory.count, sideValues: sideValues)
        _ = try? JavaScriptError.decode(from: &other)
        let behind = reader.position <= reader.end && other.position <= other.end
        #expect(behind)
      }
    }
  }

  /// Long strings, bytes, buffers that are gone and objects.
  private static func sideValues(_ generator: inout SeededGenerator) -> ListedSideValues {
    var encoder = CommandEncoder()
    for _ in 0..<1 + generator.below(6) {
      encoder.append(.string(String(repeating: generator.below(2) == 0 ? "x" : "é😀", count: 1025)))
      encoder.append(generator.below(4) == 0 ? .detached : .binary(.random(&generator, size: 64), kind: nil))
      encoder.append(.shared(.init(LabSample())))
    }
    return encoder.sideValues
  }

  /// Slots with a tag and a low half that are often plausible, or a valid record with some bits turned.
  private static func slots(_ generator: inout SeededGenerator) -> [UInt64] {
    if generator.below(2) == 0 {
      var encoder = CommandEncoder()
      encoder.append(ScriptValue.random(&generator, size: 4))
      var slots = encoder.slots
      for _ in 0..<1 + generator.below(3) { slots[generator.below(slots.count)] ^= 1 << UInt64(generator.below(64)) }
      return generator.below(3) == 0 ? Array(slots.prefix(1 + generator.below(slots.count))) : slots
    }
    return (0..<1 + generator.below(24)).map { _ in
      let low = generator.below(3) == 0 ? generator.next() >> 32 : UInt64(generator.below(5))
      return UInt64(generator.below(21)) | low << 32
    }
  }
}
