import EventLoop
import Testing

@testable import TrestleCore

struct Point: BridgeCodable, Equatable {
  var x: Double
  var y: Double
  var name: String
  static let shape = RecordShape("Point") {
    [.init("x", Double.self), .init("y", Double.self), .init("name", String.self)]
  }
  static var bridgeSchema: BridgeSchema { BridgeSchema(.record(shape)) }
  static func decode(from reader: inout ValueReader) throws(ConversionError) -> Point {
    try reader._record(shape) { (reader) throws(ConversionError) in
      Point(x: try reader._member(), y: try reader._member(), name: try reader._member())
    }
  }
  func encode(into writer: inout ValueWriter) throws {
    writer.append(.record, low: Self.shape.id)
    x.encode(into: &writer)
    y.encode(into: &writer)
    name.encode(into: &writer)
  }
}

private struct Trouble: Error {}

private let sample = ModuleDefinition("Sample", make: { _ in 0 }) {
  Member<Int>.constant("answer") { _ in 42 }
  Member<Int>.promise("add", "a", "b") { (_, a: Double, b: Double) in a + b }
  Member<Int>.promise("mirror", "point") { (_, point: Point) in point }
  Member<Int>.promise("fail") { _ -> Int in throw Trouble() }
  Member<Int>.promise("list", "items") { (_, items: [String]) in items.reversed() as [String] }
  Member<Int>._method("quote", .sync, [Parameter("text", String.self)], result: String.self) { _ in
    { (call) throws(ConversionError) in
      let text = try call.next(String.self)
      call.answer { "“\(text)”" }
    }
  }
}

@Test(arguments: Wire.allCases) func evaluatesAndCallsModules(wire: Wire) async throws {
  let errors = Lock<[String]>([])
  var configuration = BridgeConfiguration()
  configuration.onError = { error in errors.withLock { $0.append("\(error)") } }
  configuration.wire = wire
  let bridge = try await Bridge(modules: .definitions([sample]), configuration: configuration)
  #expect(try await bridge.evaluate("1 + 2", as: Int.self) == 3)
  #expect(try await bridge.evaluate("NativeModules.Sample.answer", as: Int.self) == 42)
  #expect(try await bridge.evaluate("NativeModules.Sample.add(2, 3)", as: Double.self) == 5)
  #expect(try await bridge.evaluate("NativeModules.Sample.quote('ä€😀')", as: String.self) == "“ä€😀”")
  let point = Point(x: 1, y: -0.5, name: "p")
  #expect(
    try await bridge.evaluate("NativeModules.Sample.mirror({x: 1, y: -0.5, name: 'p'})", as: Point.self) == point)
  #expect(try await bridge.evaluate("NativeModules.Sample.list(['a', 'b'])", as: [String].self) == ["b", "a"])
  let message = try await bridge.evaluate(
    "NativeModules.Sample.add(1, 'x').catch(error => error.message)", as: String.self)
  #expect(message.contains("Sample.add, argument 2 'argument2'") || message.contains("'b'"))
  #expect(
    try await bridge.evaluate("NativeModules.Sample.fail().catch(error => 'failed')", as: String.self) == "failed")
  try await bridge.evaluate(
    "globalThis.twice = async n => n * 2; trestle.registerCallableModule('m', {f: (a, b) => a + b})")
  #expect(try await bridge.call("twice", 21.0, as: Int.self) == 42)
  #expect(try await bridge.call("m.f", "x", "y", as: String.self) == "xy")
  await #expect(throws: JavaScriptError.self) { try await bridge.call("nothing", as: Int.self) }
  await bridge.close()
  #expect(errors.withLock { $0 } == [])
}
