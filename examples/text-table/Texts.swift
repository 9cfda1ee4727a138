import Foundation
import Trestle

/// The native half of the example: counts what is in text files.
struct Texts: Sendable {
  let paths: [String]

  /// What one file holds.
  struct Statistics: Sendable {
    var name: String
    var lines = 0
    var words = 0
    var bytes = 0
    var longestWord = ""
  }

  func statistics(of path: String) throws -> Statistics {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    var statistics = Statistics(name: String(path.split(separator: "/").last ?? "/"))
    statistics.bytes = bytes.count
    statistics.lines = bytes.count { $0 == UInt8(ascii: "\n") }
    for word in bytes.split(whereSeparator: { !$0.isLetter }) {
      statistics.words += 1
      if word.count > statistics.longestWord.utf8.count {
        statistics.longestWord = String(decoding: word, as: UTF8.self)
      }
    }
    return statistics
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 || self >= 0x80 }
}

extension Texts.Statistics: BridgeEncodable {
  static let shape = RecordShape("Statistics") {
    [
      .init("name", String.self), .init("lines", Int.self), .init("words", Int.self), .init("bytes", Int.self),
      .init("longestWord", String.self),
    ]
  }
  static var bridgeSchema: TypeSchema { .record(shape) }

  func encode(into writer: inout ValueWriter) throws {
    writer.append(.record, low: Self.shape.id)
    writer.append(name)
    lines.encode(into: &writer)
    words.encode(into: &writer)
    bytes.encode(into: &writer)
    writer.append(longestWord)
  }
}

extension ModuleDefinition {
  static func texts(_ paths: [String]) -> ModuleDefinition {
    let executor = ModuleExecutor()
    return ModuleDefinition("Texts", home: { _ in .executor(executor) }, make: { _ in Texts(paths: paths) }) {
      Member<Texts>.constant("paths") { $0.paths }
      Member<Texts>.promiseAtHome("statistics", "path") { (texts, path: String) in try texts.statistics(of: path) }
    }
  }
}
