import Foundation
import Testing
import TextStatistics
import Trestle
import TrestleModules

/// Declarations, under the strict compiler.
@Suite struct TypesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What the compiler says of a script that is checked by these declarations; nothing if all is well.
  private func mistakes(in script: String, declarations: String) async throws -> String {
    folder.write(declarations, to: "modules.d.ts")
    folder.write(script, to: "script.js")
    let compiler = Program(name: "/usr/bin/tsc", folder: folder)
    return try await compiler.run([
      "--strict", "--checkJs", "--allowJs", "--noEmit", "--target", "ES2022", "--lib", "ES2022", "--moduleDetection",
      "force", "modules.d.ts", "script.js",
    ]).output
  }

  private func declarations(_ modules: ModuleDefinition...) async throws -> String {
    let bridge = try await Bridge(modules: .definitions(modules))
    let text = try await bridge.typeDeclarations()
    await bridge.close()
    return StandardModules.typeDeclarations + text
  }

  private func script(_ path: String) throws -> String {
    try String(contentsOf: Program.package.appendingPathComponent(path), encoding: .utf8)
  }

  @Test func theRunnersOwn() async throws {
    let outcome = try await Program(name: Program.trestle, folder: folder).run(["types"])
    #expect(outcome.code == 0 && outcome.error == "")
    let good = "NativeModules.Files.readText('a').then(text => console.log(text.length)); setTimeout(() => {}, 1);"
    #expect(try await mistakes(in: good, declarations: outcome.output) == "")
    let more = """
      NativeModules.Files.readText('a', { signal: AbortSignal.timeout(5) }); NativeModules.Files.exists('a', AbortSignal.timeout(5));
      NativeModules.Process.readLine({ signal: AbortSignal.timeout(5) }).then(line => line?.length);
      new TextDecoder().decode(new Uint8Array(1), { stream: true });
      """
    #expect(try await mistakes(in: more, declarations: outcome.output) == "")
    for (script, code) in [
      ("NativeModules.Fles.readText('a')", "TS2551"), ("NativeModules.Files.readTxt('a')", "TS2551"),
      ("NativeModules.Files.readText('a', { sginal: 1 })", "TS"),
    ] {
      let found = try await mistakes(in: script, declarations: outcome.output)
      #expect(found.contains(code), "\(script): \(found)")
    }
    let bad = try await mistakes(in: "NativeModules.Files.readText(3)", declarations: outcome.output)
    #expect(bad.contains("script.js(1,30): error TS2345: Argument of type 'number'"), "\(bad)")
  }

  /// Whatever a script can reach by a name is declared, but a way to listen to modules without events.
  @Test func nothingIsLeftOut() async throws {
    folder.write(
      """
      const members = (path, object) => Reflect.ownKeys(object).filter(key => typeof key === 'string' && /^(?!addListener)[a-z]/i.test(key))
        .map(key => `${path}.${key};`);
      const all = ['console', 'trestle', 'performance', 'NativeModules.Files', 'NativeModules.Process']
        .flatMap(path => members(path, path.split('.').reduce((object, name) => object[name], globalThis)));
      for (const name of ['TextEncoder', 'TextDecoder', 'AbortController', 'AbortSignal', 'Worker'])
        all.push(...members(`${name}.prototype`, globalThis[name].prototype));
      console.log(all.join('\\n'));
      """, to: "members.js")
    let trestle = Program(name: Program.trestle, folder: folder)
    let members = try await trestle.run(["members.js"])
    #expect(members.code == 0 && members.output.split(separator: "\n").count > 50, "\(members)")
    let types = try await trestle.run(["types"])
    #expect(try await mistakes(in: members.output, declarations: types.output) == "")
  }

  @Test func modulesByName() async throws {
    func types(_ names: String...) async throws -> Program.Outcome {
      try await Program(name: Program.trestle, folder: folder).run(["types"] + names)
    }
    let files = try await types("Files", "Timers")
    #expect(files.code == 0 && files.error == "")
    #expect(files.output.contains("interface Files {") && files.output.contains("function setTimeout"))
    #expect(!files.output.contains("interface Process {"))
    #expect(try await mistakes(in: "NativeModules.Files.exists('a')", declarations: files.output) == "")
    let unknown = try await types("Files", "timer")
    #expect(unknown.code == 2 && unknown.output == "")
    #expect(unknown.error.contains("there is no module 'timer': is it 'Timers'?"), "\(unknown.error)")
    let strange = try await types("Xyz")
    #expect(
      strange.error.contains(
        "there is no module 'Xyz', only Console, Files, Process, Processes, SQLite, Timers, Web, Workers"))
  }

  /// Whatever stands in `js/types` is in the library.
  @Test func allFilesAreThere() async throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: Program.package.appendingPathComponent("js/types"), includingPropertiesForKeys: nil)
    #expect(files.count > 5)
    let test = try await Program(name: Program.trestle, folder: folder).run(["types", "Test"])
    let all = StandardModules.typeDeclarations + test.output
    for file in files {
      #expect(all.contains(try String(contentsOf: file, encoding: .utf8)), "\(file)")
    }
  }

  @Test func theExamples() async throws {
    let host = ModuleDefinition("Host", make: { _ in () }) { Member<Void>.event("line", String.self) }
    let text = try await declarations(Texts.moduleDefinition, host)
    for path in ["examples/text-table/table.js", "examples/hosted-loop/echo.js"] {
      let found = try await mistakes(in: script(path), declarations: text)
      #expect(found == "", "\(path): \(found)")
    }
  }

  /// The doc comments of the Swift source stand in the declarations.
  @Test func aModuleOfMacros() async throws {
    let text = try await declarations(Zoo.moduleDefinition)
    for line in [
      "/**\n * Keeps animals.\n * @version ",
      "  /**\n   * Feeds one.\n   * @param name whom\n   * @returns the meals left\n   */\n",
      "/** An animal. */\ninterface Animal {", "  /** In years. */\n  age: number;",
      "/** Where it is. */\ntype Place =\n", "  /** Behind bars. */\n  | { type: \"cage\"; number: number }",
    ] {
      #expect(text.contains(line), "\(text)")
    }
    let use = """
      const { Zoo } = NativeModules;
      /** @type {Place} */
      const place = { type: 'cage', number: 3 };
      Zoo.move('Ada', place).then((animal) => console.log(animal.age + 1, animal.kind === 'bird'));
      Zoo.feed('Ada').then((left) => left.toFixed());
      Zoo.keep({ name: 'Bo', age: 2, kind: 'fish' });
      Zoo.find('Bo', (animal) => animal?.name.length);
      const open = Zoo.isOpen === true && Zoo.heights('Bo').length > 0;
      Zoo.show(new Uint8Array(8));
      Zoo.show([1, 2]);
      Zoo.feed('Ada', { signal: AbortSignal.timeout(5) });
      const subscription = Zoo.arrived.addListener((animal) => console.log(animal.age + 1));
      subscription.remove();
      Zoo.closed.addListener(() => {});
      Zoo.addListener('arrived', (animal) => animal.name.length);
      async function watch() { for await (const { name } of Zoo.arrived) if (name.length === 0) break; }
      watch();
      if (trestle.moduleVersion('Zoo') === undefined) trestle.flush();
      """
    #expect(try await mistakes(in: use, declarations: text) == "")
    let misuse = [
      ("NativeModules.Zoo.feed(3)", "TS2345"),
      ("NativeModules.Zoo.keep({ name: 'Bo', age: 2, kind: 'stone' })", "TS2322"),
      ("NativeModules.Zoo.move('Ada', { type: 'moon' })", "TS2322"), ("NativeModules.Zoo.isOpen = false", "TS2540"),
      ("NativeModules.Zoo.feed('Ada').toFixed()", "TS2339"),
      ("NativeModules.Zoo.arrived.addListener((animal) => animal.legs)", "TS2339"),
      ("NativeModules.Zoo.other()", "TS2339"),
    ]
    for (script, code) in misuse {
      let found = try await mistakes(in: script, declarations: text)
      #expect(found.contains(code), "\(script): \(found)")
    }
  }
}

/// Keeps animals.
@NativeModule(isLinked: false) private actor Zoo {
  init() {}

  @Exported let isOpen = true
  /// A new one.
  @Exported let arrived = EventSource<Animal>()
  @Exported let closed = EventSource<Void>()

  /// Feeds one.
  /// - Parameter name: whom
  /// - Returns: the meals left
  @Exported func feed(_ name: String) -> Int32 { 0 }

  @Exported func keep(_ animal: Animal) {}
  @Exported func move(_ name: String, _ place: Place) -> Animal { Animal(name: name, age: 1, kind: .bird) }
  @Exported func find(_ name: String, _ found: Callback<Animal?>) { found(nil) }
  @Exported(.sync) nonisolated func heights(_ name: String) -> [Float] { [1] }
  @Exported func show(_ pixels: [UInt8]) {}
}

/// An animal.
@Record private struct Animal {
  var name: String
  /// In years.
  var age: Int32
  var kind: Kind
}

@Record private enum Kind: String { case bird, fish }

/// Where it is.
@Record private enum Place {
  /// Behind bars.
  case cage(number: Int32)
  case meadow
}
