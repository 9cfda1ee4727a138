import Foundation
import Testing
import Trestle

/// Mocks of modules, in an engine that knows nothing of bridges, and under the strict compiler.
@Suite struct MockTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes the mocks of the library below and what declares them.
  private func prepare() async throws {
    let bridge = try await Bridge(modules: .definitions([Library.moduleDefinition]))
    folder.write(try await bridge.mockScript(), to: "mocks.js")
    folder.write(try await bridge.mockDeclarations(), to: "mocks.d.ts")
    folder.write(try await bridge.typeDeclarations(), to: "modules.d.ts")
    await bridge.close()
    folder.write(try await Program(name: Program.trestle, folder: folder).run(["types"]).output, to: "globals.d.ts")
  }

  /// What a test prints that runs behind the mocks, once in Node and once in the runner.
  private func output(of test: String) async throws -> String {
    try await prepare()
    folder.write(test, to: "test.js")
    let compiled = try await Program(name: "/usr/bin/tsc", folder: folder).run([
      "--strict", "--checkJs", "--allowJs", "--noEmit", "--target", "ES2022", "--lib", "ES2022", "--moduleDetection",
      "force", "globals.d.ts", "modules.d.ts", "mocks.d.ts", "test.js",
    ])
    #expect(compiled.output == "")
    let inNode = try await Program(name: "/usr/bin/node", folder: folder).run(["--require", "./mocks.js", "test.js"])
    folder.write(folder.read("mocks.js") + test, to: "together.js")
    let inRunner = try await Program(name: Program.trestle, folder: folder).run(["together.js"])
    #expect(inNode.error == "" && inRunner.error == "")
    #expect(inNode.output == inRunner.output)
    return inNode.output
  }

  @Test func methodsKeepTheirCallsAndAnswerAsTold() async throws {
    let output = try await output(
      of: """
        const { Library } = NativeModules, mocked = NativeMocks.modules.Library;
        (async () => {
          mocked.find.mockResolvedValue({ title: 'Emma', pages: 474 });
          console.log((await Library.find('E', 1)).title, JSON.stringify(mocked.find.mock.calls));
          mocked.find.mockImplementationOnce((name) => ({ title: name, pages: 1 }));
          console.log((await Library.find('once')).title, (await Library.find('twice', 2, { signal: AbortSignal.timeout(9) })).title);
          mocked.find.mockRejectedValue(new RangeError('torn'));
          await Library.find('x').catch((error) => console.log(error.name, error.message));
          console.log(mocked.count.mockReturnValue(3)('a'), mocked.count.mock.calls.length);
          Library.open('now');
          console.log(mocked.open.mock.calls[0][0]);
          NativeMocks.reset();
          console.log(mocked.find.mock.calls.length);
        })();
        """)
    #expect(
      output == """
        Emma [["E",1]]
        once Emma
        RangeError torn
        3 1
        now
        0

        """)
  }

  @Test func whatIsNotToldIsAnError() async throws {
    let output = try await output(
      of: """
        const { Library } = NativeModules;
        /** @param {() => any} body */
        const attempt = async (body) => { try { console.log(await body()); } catch (error) { console.log(/** @type {any} */ (error).code, /** @type {any} */ (error).message); } };
        (async () => {
          await attempt(() => Library.find('x'));
          await attempt(() => Library.count('x'));
          await attempt(() => /** @type {any} */ (Library).find());
          await attempt(() => Library.owner);
          NativeMocks.modules.Library.owner = 'me';
          await attempt(() => Library.owner);
          await attempt(() => Library.close());
          await attempt(() => NativeMocks.emit('Library', 'other', 1));
          await attempt(() => trestle.requireVersion('Library', 'old'));
          await attempt(() => trestle.requireVersion('Library', trestle.moduleVersion('Library') ?? ''));
        })();
        """)
    let version = try await Bridge(modules: .definitions([Library.moduleDefinition])).evaluate(
      "trestle.moduleVersion('Library')", as: String.self)
    #expect(
      output == """
        ERR_MOCK Library.find has no result: give it one with mockResolvedValue
        ERR_MOCK Library.count has no result: give it one with mockReturnValue
        ERR_ARGUMENT Library.find: expected 1 to 2 arguments, got 0
        ERR_MOCK Library.owner has no value: assign one
        me
        undefined
        ERR_NOT_FOUND module 'Library' has no event 'other'
        ERR_VERSION module 'Library' has version \(version), and the script was written for old
        undefined

        """)
  }

  @Test func eventsAndObjects() async throws {
    let output = try await output(
      of: """
        const { Library } = NativeModules, mocked = NativeMocks.modules.Library;
        (async () => {
          const subscription = Library.returned.addListener((book) => console.log('returned', book.title));
          Library.addListener('returned', (book) => console.log('also', book.pages));
          mocked.returned.emit({ title: 'Emma', pages: 1 });
          subscription.remove();
          NativeMocks.emit('Library', 'returned', { title: 'Emma', pages: 2 });
          console.log(mocked.returned.listenerCount);
          const shelf = NativeMocks.objects.Shelf({ label: 'A' });
          shelf.take.mockResolvedValue('taken');
          mocked.shelf.mockResolvedValue(shelf);
          const found = await Library.shelf('A');
          console.log(found.label, await found.take(1), shelf.take.mock.calls[0][0], found === shelf);
          found.release();
          setTimeout(() => mocked.returned.emit({ title: 'last', pages: 0 }), 1);
          for await (const { title } of Library.returned) { console.log(title); break; }
          trestle.registerCallableModule('plugin', { twice: (/** @type {number} */ x) => 2 * x });
          console.log(NativeMocks.callableModule('plugin').twice(4));
        })();
        """)
    #expect(output == "returned Emma\nalso 1\nalso 2\n1\nA taken 1 true\nalso 0\nlast\n8\n")
  }

  @Test func theRunnersOwn() async throws {
    func mock(_ arguments: String...) async throws -> Program.Outcome {
      try await Program(name: Program.trestle, folder: folder).run(["mock"] + arguments)
    }
    let files = try await mock("Files")
    #expect(files.code == 0 && files.error == "" && !files.output.contains("\"Timers\""))
    folder.write(files.output + "NativeMocks.modules.Files.readText.mockResolvedValue('x');", to: "mocks.js")
    folder.write("NativeModules.Files.readText('a').then(text => console.log(text));", to: "script.js")
    let inNode = try await Program(name: "/usr/bin/node", folder: folder).run(["-r", "./mocks.js", "script.js"])
    #expect(inNode == Program.Outcome(code: 0, output: "x\n", error: ""))
    #expect(try await mock("--types", "Files").output.contains("declare const NativeMocks"))
    let unknown = try await mock("Fils")
    #expect(unknown.code == 2)
    #expect(unknown.error.contains("there is no module 'Fils': is it 'Files'?"), "\(unknown.error)")
    #expect(try await mock("Process").error.contains("'Process' has JavaScript of its own, and no mock"))
  }
}

/// Lends books.
@NativeModule(isLinked: false) private actor Library {
  init() {}

  @Exported let owner = "the town"
  @Exported let returned = EventSource<Book>()
  @Exported func find(_ name: String, _ edition: Int = 1) -> Book { Book(title: name, pages: edition) }
  @Exported(.sync) nonisolated func count(_ name: String) -> Int { 0 }
  @Exported func open(_ when: String) {}
  @Exported func close() async throws {}
  @Exported func shelf(_ label: String) -> Shelf { Shelf(label) }
}

@Record private struct Book {
  var title: String
  var pages: Int
}

@SharedObject private final class Shelf: Sendable {
  @Exported let label: String
  init(_ label: String) { self.label = label }
  @Exported func take(_ count: Int) async -> String { "" }
}
