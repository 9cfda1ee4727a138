import EventLoop
import JSEngine
import TestSupport
import Testing

@testable import TrestleCore

/// A document whose title can change. Says when it is gone.
private final class TextDocument: SharedObject, @unchecked Sendable {
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

private final class Folder: SharedObject {
  static let sharedClass = SharedClass("Folder", of: Folder.self) {
    Member<Folder>.sync("release") { _ in "own" }
  }
}

/// A record that holds an object.
private struct Shelf: BridgeCodable {
  var document: TextDocument
  var more: [TextDocument]

  static let shape = RecordShape("Shelf") {
    [.init("document", TextDocument.self), .init("more", [TextDocument].self)]
  }
  static var bridgeSchema: TypeSchema { .record(shape) }

  func encode(into writer: inout ValueWriter) throws {
    writer.append(.record, low: Self.shape.id)
    try writer.member(document)
    try writer.member(more)
  }

  static func decode(from reader: inout ValueReader) throws(ConversionError) -> Shelf {
    try reader.record(shape) { (reader) throws(ConversionError) in
      Shelf(document: try reader.member(), more: try reader.member())
    }
  }
}

@Suite struct SharedObjectTests {
  private let journal = Journal()

  /// Hands out what it is asked for, and what it has.
  private var module: ModuleDefinition {
    let kept = TextDocument("kept", journal: journal)
    return ModuleDefinition("Library", make: { _ in Nothing() }) { [journal] in
      Member<Nothing>.constant("first") { _ in kept }
      Member<Nothing>.sync("kept") { _ in kept }
      Member<Nothing>.promise("keptLater") { _ in kept }
      Member<Nothing>.method("keptElsewhere", .promise, result: TextDocument.self) { _ in
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

  private func withLibrary<Result: Sendable>(
    wire: Wire = .shared, _ body: (Bridge, ErrorLog) async throws -> Result
  ) async throws -> Result {
    try await withBridge([module], wire: wire) { bridge, log in
      try await bridge.evaluate("const { Library } = NativeModules;")
      let result = try await body(bridge, log)
      #expect(log.texts == [])
      return result
    }
  }

  @Test(arguments: Wire.allCases) func oneObjectIsOneObject(wire: Wire) async throws {
    try await withLibrary(wire: wire) { bridge, _ in
      let isOne = try await bridge.evaluate(
        """
        (async () => {
          const kept = Library.kept();
          const all = [Library.first, Library.kept(), await Library.keptLater(), await Library.keptElsewhere(),
            Library.turn({ document: kept, more: [kept] }).more[1], Library.byName({ a: kept }).a];
          return all.every(it => it === kept) && Library.isKept(kept) && kept.isSame(kept) && !kept.isSame(Library.make('other'));
        })()
        """, as: Bool.self)
      #expect(isOne)
      #expect(
        try await bridge.evaluate(
          "Library.count([Library.kept(), null, Library.make('a'), Library.first])", as: Int.self) == 2)
      #expect(
        try await bridge.evaluate("Library.kept()", as: TextDocument.self)
          === bridge.evaluate("Library.first", as: TextDocument.self))
    }
  }

  @Test(arguments: Wire.allCases) func methodsAndPropertiesStandOnThePrototype(wire: Wire) async throws {
    try await withLibrary(wire: wire) { bridge, _ in
      let shown = try await bridge.evaluate(
        """
        (async () => {
          const one = Library.make('a'), other = Library.make('b');
          one.title += '!';
          const shown = [one.title, other.title, await one.append('x'), await other.append('y', 3), await one.appendAll(['1', '2'])];
          const prototype = Object.getPrototypeOf(one);
          shown.push(prototype === Object.getPrototypeOf(other), Object.keys(one).length, prototype.constructor.name,
            one.append === other.append, Object.getOwnPropertyNames(prototype).join());
          let text = '';
          try { one.fail(); } catch (error) { text = `${error instanceof Error} ${error.message}`; }
          shown.push(text);
          return shown.map(String);
        })()
        """, as: [String].self)
      #expect(
        shown == [
          "a!", "b", "a!x", "byyy", "a!x12", "true", "0", "Document", "true",
          "constructor,title,append,appendAll,isSame,copies,fail", "true no such file",
        ])
    }
  }

  @Test(arguments: Wire.allCases) func mistakesAreNamed(wire: Wire) async throws {
    try await withLibrary(wire: wire) { bridge, _ in
      let messages = try await bridge.evaluate(
        """
        (async () => {
          const document = Library.make('a'), folder = Library.folder(), released = Library.make('b');
          released.release();
          released.release();
          const messages = [];
          for (const attempt of [
            () => Library.isKept(folder), () => Library.isKept({}), () => Library.isKept(released), () => Library.isKept(1),
            () => Library.count([null, document, folder]), () => document.isSame(), () => document.append(3),
            () => document.append('x', 'y'), () => document.appendAll('x'), () => { document.title = 3 },
            () => released.title, () => released.append('x'), () => released.appendAll(['x']), () => document.append.call(folder, 'x'),
            () => document.appendAll.call(Object.create(document), ['x']), () => new document.constructor({}, { number: 1 }),
            () => Library.anything({ document }), () => Object.getPrototypeOf(document).title,
          ]) try { await attempt(); messages.push(''); } catch (error) { messages.push(`${error.code} ${error.message}`); }
          return messages;
        })()
        """, as: [String].self)
      #expect(
        messages == [
          "ERR_ARGUMENT Library.isKept, argument 1 'document': expected Document, got Folder",
          "ERR_ARGUMENT Library.isKept, argument 1 'document': expected Document, got object",
          "ERR_ARGUMENT Library.isKept, argument 1 'document': expected Document, got released Document",
          "ERR_ARGUMENT Library.isKept, argument 1 'document': expected Document, got number 1",
          "ERR_ARGUMENT Library.count, argument 1 'documents[2]': expected Document, got Folder",
          "ERR_ARGUMENT Document.isSame: expected 1 argument, got 0",
          "ERR_ARGUMENT Document.append, argument 1 'text': expected string, got number 3",
          "ERR_ARGUMENT Document.append, argument 2 'count': expected a 64-bit integer, got string \"y\"",
          "ERR_ARGUMENT Document.appendAll, argument 1 'texts': expected array, got string \"x\"",
          "ERR_ARGUMENT Document.set title, argument 1 'value': expected string, got number 3",
          "ERR_RELEASED Document.get title: the Document is released",
          "ERR_RELEASED Document.append: the Document is released",
          "ERR_RELEASED Document.appendAll: the Document is released",
          "ERR_ARGUMENT Document.append: expected to be called on a Document, got Folder",
          "ERR_ARGUMENT Document.appendAll: expected to be called on a Document, got object",
          "undefined an object of native code is made by native code",
          "ERR_ARGUMENT Library.anything, argument 1 'value.document': expected JSON value, got Document",
          "ERR_ARGUMENT Document.get title: expected to be called on a Document, got object",
        ])
      #expect(try await bridge.evaluate("Library.folder().release()", as: String.self) == "own")
    }
  }

  /// A getter among the arguments releases the object that the method is called on, and one that is passed.
  @Test func whatIsReleasedMeanwhileIsNotCalled() async throws {
    try await withLibrary { bridge, _ in
      let messages = try await bridge.evaluate(
        """
        const messages = [];
        const document = Library.make('a'), other = Library.make('b'), kept = Library.kept();
        const attempt = (call) => { try { messages.push(String(call())); } catch (error) { messages.push(error.message); } };
        attempt(() => document.isSame({ get x() { return 1 } }));
        attempt(() => Library.turn({ document: other, get more() { other.release(); Library.make('new'); return [kept]; } }));
        attempt(() => Library.kept().isSame(Library.kept()));
        messages
        """, as: [String].self)
      #expect(messages[0] == "Document.isSame, argument 1 'other': expected Document, got object")
      #expect(
        messages[1] == "Library.turn, argument 1 'shelf.document': expected Document, got a released object",
        "\(messages)")
      #expect(messages[2] == "true")
    }
  }

  @Test func releaseLetsGoAndTheSameObjectComesAgain() async throws {
    try await withLibrary { bridge, _ in
      try await bridge.evaluate("globalThis.made = Library.make('a'); made.release();")
      try await journal.waitFor("gone a")
      let isNew = try await bridge.evaluate(
        """
        const first = Library.kept();
        first.release();
        const second = Library.kept();
        first !== second && Library.isKept(second) && second.title === 'kept'
        """, as: Bool.self)
      #expect(isNew)
      #expect(try await bridge.sharedObjectCounts() == ["Document": 1])
    }
  }

  @Test(arguments: Wire.allCases) func whatIsForgottenIsLetGo(wire: Wire) async throws {
    try await withLibrary(wire: wire) { bridge, _ in
      try await bridge.evaluate("globalThis.held = Library.make('held');")
      for _ in 0..<100 { try await bridge.evaluate("for (let i = 0; i < 10; i++) Library.make('lost').title;") }
      let deadline = ContinuousClock.now + patience
      while try await bridge.sharedObjectCounts()["Document", default: 0] > 50, ContinuousClock.now < deadline {
        try await bridge.withContext { $0.collectGarbage() }
        try await Task.sleep(for: .milliseconds(2))
      }
      #expect(try await bridge.sharedObjectCounts()["Document", default: 0] <= 50)
      #expect(journal.all.count { $0 == "gone lost" } >= 950 && !journal.all.contains("gone held"))
      #expect(try await bridge.evaluate("held.title", as: String.self) == "held")
    }
  }

  /// Objects are collected while others, and the same again, are on their way.
  @Test func collectingAtAnyMomentLosesNone() async throws {
    try await withLibrary { bridge, _ in
      for round in 0..<200 {
        let isThere = try await bridge.evaluate(
          """
          (async () => {
            for (const document of Library.kept().copies(20)) document.title;
            const [one, other] = await Promise.all([Library.keptElsewhere(), Library.keptLater()]);
            return one === other && Library.isKept(one) && one.title === 'kept';
          })()
          """, as: Bool.self)
        #expect(isThere)
        if round % 5 == 0 { try await bridge.withContext { $0.collectGarbage() } }
      }
    }
  }

  @Test func aCallKeepsItsObject() async throws {
    let gate = AsyncStream<Void>.makeStream()
    let journal = journal
    let slow = ModuleDefinition("Slow", make: { _ in Nothing() }) {
      Member<Nothing>.sync("make") { _ in TextDocument("slow", journal: journal) }
      Member<Nothing>.method("wait", .promise, [Parameter("document", TextDocument.self)], result: String.self) { _ in
        { (call) throws(ConversionError) in
          let document = try call.next(TextDocument.self)
          let reply = call.uncheckedReply()
          reply.startConcurrently {
            for await _ in gate.stream {}
            journal.append("over")
            reply.answer { withExtendedLifetime(document) { "done" } }
          }
        }
      }
    }
    try await withBridge([slow]) { bridge, log in
      try await bridge.evaluate(
        "const document = NativeModules.Slow.make(); globalThis.end = NativeModules.Slow.wait(document); document.release();"
      )
      #expect(try await bridge.sharedObjectCounts() == [:])
      gate.continuation.finish()
      #expect(try await bridge.evaluate("end", as: String.self) == "done")
      try await journal.waitFor("gone slow")
      #expect(journal.all == ["over", "gone slow"])
      #expect(log.texts == [])
    }
  }

  @Test func closingTheBridgeLetsGoOfAll() async throws {
    try await withLibrary { bridge, _ in
      try await bridge.evaluate("globalThis.all = []; for (let i = 0; i < 100; i++) all.push(Library.make('a'));")
      // And the constant.
      #expect(try await bridge.sharedObjectCounts() == ["Document": 101])
      await bridge.close()
      #expect(journal.all.count { $0 == "gone a" } == 100)
    }
  }

  @Test func severalBridgesHoldOneObject() async throws {
    let document = TextDocument("both")
    let module = ModuleDefinition("Library", make: { _ in Nothing() }) {
      Member<Nothing>.sync("kept") { _ in document }
    }
    try await withBridge([module]) { one, _ in
      try await withBridge([module]) { other, _ in
        for bridge in [one, other] { try await bridge.evaluate("const document = NativeModules.Library.kept()") }
        try await one.evaluate("document.title = 'new'; document.release()")
        #expect(try await other.evaluate("document.title", as: String.self) == "new")
        #expect(try await one.sharedObjectCounts() == [:])
      }
    }
  }

  @Test func objectsCrossInEveryDirection() async throws {
    try await withLibrary { bridge, _ in
      let document = TextDocument("mine")
      try await bridge.evaluate(
        """
        globalThis.seen = [];
        trestle.registerCallableModule('plugin', { pass: (it) => it, titles: (list) => list.map(it => it.title) });
        Library.addListener('changed', it => seen.push(it));
        """)
      #expect(try await bridge.call("plugin.pass", document, as: TextDocument.self) === document)
      #expect(try await bridge.call("plugin.titles", [document, document], as: [String].self) == ["mine", "mine"])
      bridge.emit("changed", of: "Library", document)
      await bridge.waitUntilIdle()
      #expect(try await bridge.evaluate("seen[0]", as: TextDocument.self) === document)
      await #expect(throws: BridgeError.self) { try await bridge.call("plugin.pass", document, as: Folder.self) }
      await #expect(throws: BridgeError.self) { try await bridge.call("plugin.pass", document, as: JSONValue.self) }
    }
  }

  @Test func declarationsNameTheClass() async throws {
    try await withLibrary { bridge, _ in
      let text = try await bridge.typeDeclarations()
      #expect(
        text.contains(
          """
          /** A text. */
          interface Document extends SharedObject {
            title: string;
            append(text: string, count?: number | bigint | null, callOptions?: CallOptions | AbortSignal): Promise<string>;
          """), "\(text)")
      #expect(text.contains("isSame(other: Document): boolean;") && text.contains("document: Document;"))
      let types = try await bridge.moduleSchemas()["types"]?.array ?? []
      let document = try #require(types.first { $0["name"] == "Document" })
      #expect(document["methods"]?.array?.first?["name"] == "get title")
    }
  }

  @Test func classesThatContradictThemselvesAreTold() async throws {
    final class Twice: SharedObject {
      static let sharedClass = SharedClass("Twice", of: Twice.self) {
        Member<Twice>.void("a") { _ in }
        Member<Twice>.void("a") { _ in }
      }
    }
    let module = ModuleDefinition("Library", make: { _ in Nothing() }) {
      Member<Nothing>.sync("twice") { _ in Twice() }
    }
    try await withBridge([module]) { bridge, _ in
      let error = await #expect(throws: JSException.self) { try await bridge.evaluate("NativeModules.Library.twice()") }
      let text = error?.description ?? ""
      #expect(text.contains("exports two members named 'a'"))
    }
  }
}
