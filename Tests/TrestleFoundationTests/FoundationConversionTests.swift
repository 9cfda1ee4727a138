import Foundation
import Testing
import TrestleFoundation

@testable import TrestleCore

@Suite struct FoundationConversionTests {
  @Test func datesAreWholeMilliseconds() throws {
    for milliseconds in [0.0, 1_234_567_890_123, -1, 8.64e15] {
      let date: Date = try decoded(.date(milliseconds))
      #expect(try encoded(date) == .date(milliseconds))
    }
    #expect(throws: ConversionError(.mismatch, byteOffset: 0)) { try decoded(.date(.nan), as: Date.self) }
    #expect(throws: BridgeError.self) { try encoded(Date(timeIntervalSince1970: 8.65e12)) }
  }

  @Test func dataComesFromAnyView() throws {
    for kind in [nil, ElementKind.uint8.rawValue, ElementKind.float64.rawValue, 11] {
      #expect(try decoded(.binary([1, 2, 3], kind: kind), as: Data.self) == Data([1, 2, 3]))
    }
    #expect(try encoded(Data([4, 5])) == .binary([4, 5], kind: nil))
    #expect(throws: ConversionError(.missing, byteOffset: 0)) { try decoded(.detached, as: Data.self) }
    #expect(throws: ConversionError(.mismatch, byteOffset: 0)) { try decoded("no", as: Data.self) }
  }

  @Test func addressesAreStrings() throws {
    let url: URL = try decoded("https://example.org/a?b=c")
    #expect(url.query() == "b=c")
    #expect(try encoded(url) == "https://example.org/a?b=c")
    #expect(throws: ConversionError(.mismatch, byteOffset: 0)) { try decoded("", as: URL.self) }
  }

  @Test func decimalsAreStrings() throws {
    for text in ["0", "-12.5", "1e3", "0.1", "12345678901234567890123456789012345678"] {
      let decimal: Decimal = try decoded(.string(text))
      #expect(decimal == Decimal(string: text))
      #expect(try encoded(decimal) == .string(decimal.description))
    }
    for text in ["", "1 ", "1,5", ".5", "0x1", "NaN", "1e9999", String(repeating: "1", count: 1_000_000)] {
      #expect(throws: ConversionError(.mismatch, byteOffset: 0)) { try decoded(.string(text), as: Decimal.self) }
    }
    #expect(throws: BridgeError.self) { try encoded(Decimal.nan) }
  }

  /// What a program without the conversions is told of those inside of `Codable` types.
  @Test func withoutConversionsTheyAreRefused() throws {
    for type in [Date.self, Data.self, URL.self, Decimal.self] as [Any.Type] {
      let error = #expect(throws: BridgeError.self) { try FoundationTypes.refuse(type) }
      #expect(error?.message.contains("import TrestleFoundation") == true)
    }
    try FoundationTypes.refuse(String.self)
    try FoundationTypes.refuse(UUID.self)
  }

  @Test func errorsDescribeThemselvesByLocalizedError() throws {
    struct QuotaError: LocalizedError { var errorDescription: String? { "The quota is used up." } }
    var writer = ValueWriter()
    writer.append(error: QuotaError())
    var decoder = ReplyDecoder(writer)
    guard case .error(let fields, _)? = decoder.next() else { throw BridgeError(.malformed, "no error") }
    #expect(fields[1] == "The quota is used up.")
  }

  private func decoded<Value: BridgeDecodable>(_ value: ScriptValue, as: Value.Type = Value.self) throws -> Value {
    var encoder = CommandEncoder()
    encoder.append(value)
    return try encoder.withReader { try Value.decode(from: &$0) }
  }

  private func encoded(_ value: some BridgeEncodable) throws -> ScriptValue? {
    var writer = ValueWriter()
    try value.encode(into: &writer)
    var decoder = ReplyDecoder(writer)
    return decoder.next()
  }
}
