import Foundation
import Testing
import TrestleCore
import TrestleFoundation

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
