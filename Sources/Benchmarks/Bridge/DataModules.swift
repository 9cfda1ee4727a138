import Trestle

@Record
struct BenchOrder {
  var id: Int64
  var customer: String
  var item: String
  var quantity: Int
  var price: Double
  var isPaid: Bool
  var discount: Double?
  var note: String?
}

/// The same without the macro.
struct CodableOrder: Codable, Sendable {
  var id: Int64
  var customer: String
  var item: String
  var quantity: Int
  var price: Double
  var isPaid: Bool
  var discount: Double?
  var note: String?
}

/// What is large, or of many members. On the JS thread.
@NativeModule
final class BenchData {
  private static let text = String(repeating: "0123456789abcdef", count: 1 << 16)
  private static let bytes = Array(repeating: UInt8(7), count: 1 << 20)

  @Exported func takeRecord(_ order: BenchOrder) { consume(order.quantity) }
  @Exported func takeCodable(_ order: CodableOrder) { consume(order.quantity) }
  @Exported(.sync) func takeText(_ text: String) -> Int { text.utf8.count }
  @Exported(.sync) func giveText() -> String { Self.text }
  @Exported(.sync) func takeBytes(_ bytes: [UInt8]) -> Int { bytes.count }
  @Exported(.sync) func borrowBytes(_ bytes: BorrowedBytes) -> Int { bytes.count }
  @Exported(.sync) func giveBytes() -> [UInt8] { Self.bytes }
}
