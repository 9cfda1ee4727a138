import EventLoop
import JSEngine
import TestSupport
import Testing

@testable import TrestleCore

@Suite struct SharedObjectTests {
  private let library = Library()

  @Test(arguments: Wire.allCases) func oneObjectIsOneObject(wire: Wire) async throws {
    try await library.withLibrary(wire: wire) { bridge, _ in
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
    try await library.withLibrary(wire: wire) { bridge, _ in
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
    try await library.withLibrary(wire: wire) { bridge, _ in
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
    try await library.withLibrary { bridge, _ in
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

  @Test func objectsCrossInEveryDirection() async throws {
    try await library.withLibrary { bridge, _ in
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
    try await library.withLibrary { bridge, _ in
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
      let error = await #expect(throws: JavaScriptError.self) {
        try await bridge.evaluate("NativeModules.Library.twice()")
      }
      let text = error?.description ?? ""
      #expect(text.contains("exports two members named 'a'"))
    }
  }
}
