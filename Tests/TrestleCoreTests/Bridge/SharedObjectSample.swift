import EventLoop
import JSEngine
import TestSupport
import Testing

@testable import TrestleCore

/// A document whose title can change. Says when it is gone.
final class TextDocument: SharedObject, @unchecked Sendable {
  private let title: Lock<String>
  private let journal: Journal?

  init(_ title: String, journal: Journal? = nil) {
    self.title = Lock(title)
    self.journal = journal
  }

  deinit { journal?.append("gone \(title.withLock { $0 })") }

  static let sharedClass = SharedClass("Document", of: TextDocument.self, documentation: "A text.") {
    Member<TextDocument>.sync("get title") { document in document.title.withLock { $0 } }
    Member<TextDocument>.sync("set title", "value") { (document, value: String) in
      document.title.withLock { $0 = value }
    }
    Member<TextDocument>.promise("append", "text", "count") { (document, text: String, count: Int?) in
      document.title.withLock { title in
        title += String(repeating: text, count: count ?? 1)
        return title
      }
    }
    Member<TextDocument>.promise("appendAll", "texts") { (document, texts: [String]) in
      document.title.withLock { title in
        title += texts.joined()
        return title
      }
    }
    Member<TextDocument>.sync("isSame", "other") { (document, other: TextDocument) in document === other }
    Member<TextDocument>.sync("copies", "count") { (document, count: Int) in (0..<count).map { TextDocument("\($0)") } }
    Member<TextDocument>.sync("fail") { (_) throws -> Int in throw WireTrouble(path: "") }
  }
}

final class Folder: SharedObject {
  static let sharedClass = SharedClass("Folder", of: Folder.self) {
    Member<Folder>.sync("release") { _ in "own" }
  }
}

/// A record that holds an object.
struct Shelf: BridgeCodable {
  var document: TextDocument
  var more: [TextDocument]

  static let shape = RecordShape("Shelf") {
    [.init("document", TextDocument.self), .init("more", [TextDocument].self)]
  }
  static var bridgeSchema: BridgeSchema { BridgeSchema(.record(shape)) }

  func encode(into writer: inout ValueWriter) throws {
    writer.append(.record, low: Self.shape.id)
    try writer._member(document)
    try writer._member(more)
  }

  static func decode(from reader: inout ValueReader) throws(ConversionError) -> Shelf {
    try reader._record(shape) { (reader) throws(ConversionError) in
      Shelf(document: try reader._member(), more: try reader._member())
    }
  }
}

/// A module that hands objects out, and what it says of them.
struct Library {
  let journal = Journal()

  /// Hands out what it is asked for, and what it has.
  private var module: ModuleDefinition {
    let kept = TextDocument("kept", journal: journal)
    return ModuleDefinition("Library", make: { _ in Nothing() }) { [journal] in
      Member<Nothing>.constant("first") { _ in kept }
      Member<Nothing>.sync("kept") { _ in kept }
      Member<Nothing>.promise("keptLater") { _ in kept }
      Member<Nothing>._method("keptElsewhere", .promise, result: TextDocument.self) { _ in
        { (call) throws(ConversionError) in
          let reply = call.uncheckedReply()
          reply.startConcurrently { reply.answer { kept } }
        }
      }
      Member<Nothing>.sync("make", "title") { (_, title: String) in TextDocument(title, journal: journal) }
      Member<Nothing>.sync("folder") { _ in Folder() }
      Member<Nothing>.sync("isKept", "document") { (_, document: TextDocument) in document === kept }
      Member<Nothing>.sync("count", "documents") { (_, documents: [TextDocument?]) in documents.count { $0 === kept } }
      Member<Nothing>.sync("turn", "shelf") { (_, shelf: Shelf) in
        Shelf(document: shelf.more[0], more: [shelf.document] + shelf.more)
      }
      Member<Nothing>.sync("byName", "names") { (_, names: [String: TextDocument]) in names }
      Member<Nothing>.promise("anything", "value") { (_, value: JSONValue) in value }
      Member<Nothing>.event("changed", TextDocument.self)
    }
  }

  func withLibrary<Result: Sendable>(
    wire: Wire = .shared, _ body: (Bridge, ErrorLog) async throws -> Result
  ) async throws -> Result {
    try await withBridge([module], wire: wire) { bridge, log in
      try await bridge.evaluate("const { Library } = NativeModules;")
      let result = try await body(bridge, log)
      #expect(log.texts == [])
      return result
    }
  }
}
