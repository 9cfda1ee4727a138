import CLinux
import Foundation
import TestSupport
import Testing

@testable import TrestleCLI

/// What `--sandbox` and the `--allow` options do.
@Suite struct PermissionTests: ScriptSuite {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.url.resolvingSymlinksInPath().path }

  /// Says what becomes of each of these.
  private static let script = """
    const { Files, Process, Processes } = NativeModules;
    const tell = async (call) => console.log(await call().then(() => 'done', (error) => `${error.code} ${error.message}`));
    const run = async () => {
      await tell(() => Files.readText('script.js'));
      await tell(() => Files.writeText('new', 'text'));
      await tell(() => Processes.run('true'));
      await tell(async () => { if (Process.environment.HOME === undefined) throw { code: 'NO', message: 'HOME' }; });
    };
    run();
    """

  @Test func everythingIsAllowedWhereNothingIsSaid() async throws {
    #expect(try await run(Self.script) == Program.Outcome(code: 0, output: "done\ndone\ndone\ndone\n", error: ""))
  }

  @Test(arguments: [
    (["--sandbox"], [false, false, false, false]), (["--allow-read"], [true, false, false, false]),
    (["--allow-write=new,other"], [false, true, false, false]),
    (["--allow-run=false,true"], [false, false, true, false]),
    (["--allow-env=HOME", "--timeout", "100"], [false, false, false, true]),
    (["--allow-read=elsewhere", "--allow-read=.", "--allow-write"], [true, true, false, false]),
    (["--allow-read", "--allow-write", "--allow-run", "--allow-env", "--no-prompt"], [true, true, true, true]),
  ])
  func onlyWhatIsGrantedIsAllowed(_ options: [String], _ granted: [Bool]) async throws {
    // The working folder is told to who may read it.
    let place = granted[0] ? path + "/" : ""
    let refusals = [
      "ERR_PERMISSION reading \(place)script.js needs --allow-read=\(place)script.js",
      "ERR_PERMISSION writing \(place)new needs --allow-write=\(place)new",
      "ERR_PERMISSION running true needs --allow-run=true", "NO HOME",
    ]
    let outcome = try await run(Self.script, options: options)
    let expected = zip(granted, refusals).map { $0 ? "done\n" : $1 + "\n" }.joined()
    #expect(outcome == Program.Outcome(code: 0, output: expected, error: ""))
  }

  @Test func whatTheOptionSaysGrantsIt() async throws {
    let script = "NativeModules.Files.readText('/etc/hosts').then(() => console.log('done'))"
    let refused = try await run(script, options: ["--sandbox"])
    #expect(refused.code == 1 && refused.error.contains("needs --allow-read=/etc/hosts"), "\(refused)")
    #expect(try await run(script, options: ["--allow-read=/etc/hosts"]).output == "done\n")
  }

  @Test(arguments: [
    ("/a b", "--allow-read='/a b'"), ("/it's", #"--allow-read='/it'\''s'"#), ("/a,b", "--allow-read"),
    ("/a\u{e9}", "--allow-read='/a\u{e9}'"),
  ])
  func theOptionIsOneWordOfAShell(_ path: String, _ option: String) async throws {
    folder.write(
      "NativeModules.Files.exists(NativeModules.Process.arguments[0]).catch(({ message }) => console.log(message))",
      to: "script.js")
    let outcome = try await Program(name: Program.trestle, folder: folder).run(["--sandbox", "script.js", path])
    #expect(outcome.output == "reading \(path) needs \(option)\n")
  }

  /// The system would look for it in the folder that the program is to run in.
  @Test(arguments: ["", ".", "bin"]) func programsAreNotFoundWhereAScriptWants(_ entry: String) async throws {
    try FileManager.default.createDirectory(
      atPath: folder.url.path + "/here/bin", withIntermediateDirectories: true)
    for name in ["here/true", "here/bin/true"] {
      folder.write("#!/bin/sh\necho wrong\n", to: name)
      chmod(folder.url.path + "/" + name, 0o700)
    }
    folder.write(
      "NativeModules.Processes.run('true', [], { folder: 'here' }).then(({ output }) => console.log('right' + output))",
      to: "script.js")
    let trestle = Program.products.appendingPathComponent(Program.trestle).path
    let outcome = try await Program(name: "/bin/sh", folder: folder)
      .run(["-c", "PATH='\(entry):/usr/bin:/bin' exec '\(trestle)' --allow-read --allow-run=true script.js"])
    #expect(outcome.output == "right\n", "\(outcome)")
  }

  /// What is started for a script, or by a name that was granted to it, is none that it has put there.
  @Test(arguments: [
    ("Processes.run('true')", ["--allow-run=true"], "ran"), ("import('./a.ts')", [], "ran"),
    ("Processes.run('planted')", ["--allow-run=planted"], "is where the script may write, and not started"),
  ])
  func noProgramOfTheScriptsIsStarted(_ body: String, _ options: [String], _ words: String) async throws {
    folder.write(
      """
      const { Files, Processes } = NativeModules;
      await Files.makeDirectory('bin');
      for (const name of ['true', 'esbuild', 'planted']) {
        await Files.writeText(`bin/${name}`, `#!/bin/sh\\necho planted > '${import.meta.dirname}/../evil'\\n`);
        await Files.setPermissions(`bin/${name}`, 0o755);
      }
      await Files.writeText('a.ts', 'enum A { x = 1 }; export const a = A.x;');
      await \(body).then(() => console.log('ran'), ({ message }) => console.log(message));
      """.replacing("/../evil", with: "/evil"), to: "script.mjs")
    let trestle = Program.products.appendingPathComponent(Program.trestle).path
    let all = (["--allow-read=.", "--allow-write=bin,a.ts"] + options).joined(separator: " ")
    let outcome = try await Program(name: "/bin/sh", folder: folder)
      .run(["-c", "PATH=\"$PWD/bin:/usr/bin:/bin\" exec '\(trestle)' \(all) script.mjs"])
    #expect(outcome.output.hasSuffix(words + "\n") && folder.read("evil") == "", "\(outcome)")
  }

  @Test func argumentsOfTheScriptAreItsOwn() async throws {
    folder.write("console.log(NativeModules.Process.arguments.join(' '))", to: "script.js")
    let outcome = try await Program(name: Program.trestle, folder: folder)
      .run(["--sandbox", "script.js", "--allow-read", "--allow-write=", "--allow-run=a", "--sandbox"])
    #expect(outcome.output == "--allow-read --allow-write= --allow-run=a --sandbox\n")
  }

  /// Who writes them there believes that the script is restricted.
  @Test(arguments: [
    (["script.js", "--sandbox"], "--sandbox"), (["script.js", "a", "--allow-write=b c"], "'--allow-write=b c'"),
    (["script.js", "--", "--sandbox"], nil), (["-e", "1", "--", "--sandbox"], nil),
    (["script.js", "--sandboxed"], nil), (["--sandbox", "script.js", "--sandbox"], nil),
  ])
  func optionsBehindTheScriptAreToldOf(_ arguments: [String], _ option: String?) async throws {
    folder.write("", to: "script.js")
    let outcome = try await Program(name: Program.trestle, folder: folder).run(arguments)
    let told = option.map {
      "trestle: warning: \($0) stands behind the script, which gets it as an argument: there it grants and refuses nothing.\n"
    }
    #expect(outcome == Program.Outcome(code: 0, output: "", error: told ?? ""))
  }

  @Test(arguments: [
    ["--allow-read="], ["--allow-run=a,,b"], ["--no-prompt"], ["--allow-env=HOME=/root"], ["--allow-env=A, B"],
    ["--allow-env=X_*"], ["--allow-read=a, b"], ["--allow-write=a "], ["--alow-read", "-e", "1"],
    ["-e", "1", "--sandboxx"],
  ])
  func mistakes(_ options: [String]) async throws {
    let outcome = try await run("", options: options)
    let option = options.first { $0.hasPrefix("--") }?.split(separator: "=").first ?? ""
    #expect(outcome.code == 2 && outcome.error.contains(option), "\(outcome)")
  }

  // MARK: Imports

  @Test func aProgramsOwnModulesNeedNoPermission() async throws {
    for name in ["node_modules/left", "lib"] {
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    folder.write("export { default as left } from 'left'; export const lib = 'lib';", to: "lib/lib.mjs")
    folder.write("export default 'left'", to: "node_modules/left/index.mjs")
    folder.write(#"{ "exports": "./index.mjs" }"#, to: "node_modules/left/package.json")
    folder.write("export default 1", to: "later.mjs")
    folder.write("text", to: "data.txt")
    folder.write(
      """
      import { left, lib } from './lib/lib.mjs';
      console.log(left, lib);
      for (const call of [() => import('./later.mjs'), () => import('./none.mjs'), () => import('./data.txt', { with: { type: 'text' } })])
        console.log(await call().then(() => 'done', ({ code, message }) => `${code} ${message}`));
      """, to: "main.mjs")
    let trestle = Program(name: Program.trestle, folder: folder)
    let outcome = try await trestle.run(["--sandbox", "main.mjs"])
    let refusals = ["later.mjs", "none.mjs", "data.txt"].map {
      "ERR_PERMISSION reading \(path)/\($0) needs --allow-read=\(path)/\($0)\n"
    }
    #expect(outcome == Program.Outcome(code: 0, output: "left lib\n" + refusals.joined(), error: ""))
  }

  @Test func aProgramMayBeNamedByALink() async throws {
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("lib"), withIntermediateDirectories: true)
    folder.write("export default 'lib'", to: "lib/lib.mjs")
    folder.write("import lib from './lib.mjs'; console.log(lib)", to: "lib/main.mjs")
    try FileManager.default.createSymbolicLink(atPath: path + "/tool", withDestinationPath: "lib/main.mjs")
    let outcome = try await Program(name: Program.trestle, folder: folder).run(["--sandbox", "tool"])
    #expect(outcome == Program.Outcome(code: 0, output: "lib\n", error: ""))
  }

  /// What is data, or lies elsewhere, is read as any other file.
  @Test(arguments: [
    "import text from './data.txt' with { type: 'text' }", "import json from './data.json' with { type: 'json' }",
    "import json from './data.json'", "import '../elsewhere.mjs'", "import '/etc/hosts'", "import './link.mjs'",
  ])
  func dataAndWhatLiesElsewhereNeedsPermission(_ line: String) async throws {
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("program"), withIntermediateDirectories: true)
    folder.write("1", to: "elsewhere.mjs")
    folder.write("1", to: "program/data.json")
    folder.write("1", to: "program/data.txt")
    try FileManager.default.createSymbolicLink(
      atPath: path + "/program/link.mjs", withDestinationPath: "../elsewhere.mjs")
    folder.write(line + "; console.log('run')", to: "program/main.mjs")
    let trestle = Program(name: Program.trestle, folder: folder)
    let refused = try await trestle.run(["--sandbox", "program/main.mjs"])
    #expect(refused.code == 1 && refused.output == "" && refused.error.contains("needs --allow-read=/"), "\(refused)")
    guard !line.contains("hosts") else { return }
    #expect(try await trestle.run(["--allow-read=.", "program/main.mjs"]).output == "run\n")
  }

  /// A link among the packages may lead anywhere.
  @Test func packagesTellNothingOfWhatLiesElsewhere() async throws {
    let manager = FileManager.default
    for name in ["program/node_modules/json", "program/node_modules/inner", "secret/package"] {
      try manager.createDirectory(at: folder.url.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    folder.write(#"{ "exports": "TOKEN" }"#, to: "secret/json")
    folder.write("export default 'there'", to: "secret/package/index.js")
    folder.write("export default 'inner'", to: "program/node_modules/inner/index.js")
    for (link, target) in [
      ("all", "/"), ("package", "../../secret/package"), ("none", "../../secret/none"), ("same", "inner"),
      ("json/package.json", "../../../secret/json"),
    ] {
      try manager.createSymbolicLink(atPath: "\(path)/program/node_modules/\(link)", withDestinationPath: target)
    }
    folder.write(
      """
      const tell = (error) => `${error.code} ${error.message}`.replaceAll('/none', '/package').replaceAll("'none'", "'package'");
      const told = [];
      for (const name of ['package', 'none', 'all/etc/hosts', 'all/etc/none', 'all/etc', 'all\(path)/secret/package/index.js', 'json', 'same']) {
        let resolved, imported;
        try { resolved = import.meta.resolve(name); } catch (error) { resolved = tell(error); }
        try { imported = (await import(name)).default; } catch (error) { imported = tell(error); }
        told.push([resolved, imported]);
      }
      console.log(JSON.stringify(told));
      """, to: "program/main.mjs")
    let outcome = try await Program(name: Program.trestle, folder: folder).run(["--sandbox", "program/main.mjs"])
    let told = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String]], "\(outcome)")
    #expect(told[0] == told[1])
    for answer in told[..<6].joined() { #expect(answer.hasPrefix("ERR_PERMISSION reading "), "\(answer)") }
    #expect(told[6].allSatisfy { !$0.contains("TOKEN") && $0.hasPrefix("ERR_") }, "\(told[6])")
    let granted = try await Program(name: Program.trestle, folder: folder).run(
      ["--sandbox", "--allow-read=program,secret/package", "program/main.mjs"])
    #expect(granted.output.contains(#""there""#) && granted.output.contains(#""inner""#), "\(granted)")
    #expect(!granted.output.contains("TOKEN"))
  }

  /// Nor does what says how to compile.
  @Test func configurationsOfCompilersTellNothingOfWhatLiesElsewhere() async throws {
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("program"), withIntermediateDirectories: true)
    folder.write(#"{ "compilerOptions": { "jsx": "react", "jsxFactory": "SECRET" } }"#, to: "elsewhere.json")
    folder.write("try { <a/>; } catch (error) { console.log(error.message); }", to: "program/main.tsx")
    let trestle = Program(name: Program.trestle, folder: folder)
    var errors: [String] = []
    for name in ["elsewhere.json", "nothing.json"] {
      folder.write(#"{ "extends": "../\#(name)" }"#, to: "program/tsconfig.json")
      let outcome = try await trestle.run(["--sandbox", "program/main.tsx"])
      #expect(outcome.code != 0 && outcome.output == "", "\(outcome)")
      errors.append(outcome.error.replacing(name, with: "name"))
    }
    #expect(errors[0] == errors[1] && !errors[0].contains("SECRET"), "\(errors)")
  }

  @Test(arguments: [".env", "names", "names.conf"]) func codeOfAProgramIsWhatIsNamedSo(_ name: String) async throws {
    folder.write("globalThis.PASSWORD = 'hunter2'", to: name)
    folder.write("import './\(name)'; console.log(PASSWORD)", to: "main.mjs")
    let trestle = Program(name: Program.trestle, folder: folder)
    let refused = try await trestle.run(["--sandbox", "main.mjs"])
    #expect(refused.code == 1 && refused.output == "" && refused.error.contains("needs --allow-read=/"), "\(refused)")
    #expect(try await trestle.run(["--allow-read=\(name)", "main.mjs"]).output == "hunter2\n")
  }

  /// Read as another name they would grant, and run, another file.
  @Test(arguments: [
    (#"--sandbox --allow-read="$odd" script.js"#, "argument 2 is not UTF-8 text: --allow-read=x\u{FFFD}"),
    (#""$odd""#, "argument 1 is not UTF-8 text: x\u{FFFD}"),
    (#"script.js "$odd""#, "argument 2 is not UTF-8 text: x\u{FFFD}"),
  ])
  func argumentsAreText(_ arguments: String, _ words: String) async throws {
    folder.write("console.log('it runs')", to: "script.js")
    folder.write("console.log('it runs')", to: "x\u{FFFD}")
    let trestle = URL(fileURLWithPath: Program.trestle, relativeTo: Program.products).path
    let shell = Program(name: "/bin/sh", folder: folder)
    let outcome = try await shell.run(["-c", #"odd=$(printf 'x\377'); exec "$0" "# + arguments, trestle])
    #expect(outcome.code == 2 && outcome.output == "" && outcome.error.contains(words), "\(outcome)")
  }

  /// Whoever grants a folder does not mean what the kernel tells in one that is mounted there.
  @Test(.enabled(if: Mounting.isPossible)) func whatTheKernelTellsIsNotPartOfAFolder() async throws {
    folder.write(
      """
      const { Files } = NativeModules;
      (async () => {
        for (const body of [() => Files.list('in/proc'), () => Files.copy('in', 'out'), () => Files.copy('in/proc', 'other')])
          await body().then(told => console.log('told', told), ({ code }) => console.log(code));
        console.log(await Files.exists('out/proc'), await Files.exists('other'));
      })();
      """, to: "script.js")
    let trestle = URL(fileURLWithPath: Program.trestle, relativeTo: Program.products).path
    let outcome = try await Program(name: "/usr/bin/unshare", folder: folder).run([
      "-rm", "/bin/sh", "-c",
      #"mkdir -p in/proc && mount --rbind /proc in/proc && exec "$0" --allow-read=in,out,other --allow-write=out,other script.js"#,
      trestle,
    ])
    #expect(
      outcome
        == Program.Outcome(
          code: 0, output: "ERR_PERMISSION\nERR_PERMISSION\nERR_PERMISSION\nfalse false\n", error: ""))
  }

  /// In the file system that another process sees, a path of what is granted may be anything.
  @Test(.enabled(if: Mounting.isPossible)) func otherProcessesFileSystemsAreNotWalkedThrough() async throws {
    folder.write(
      """
      const { Files, Process } = NativeModules, [id] = Process.arguments;
      for (const path of [`/proc/${id}/cwd`, `/proc/${id}/cwd/.`, `/proc/${id}/root\(folder.url.path)/in`])
        try { for await (const entry of Files.walk(path)) console.log('told', entry.path); } catch ({ code }) { console.log(code); }
      """, to: "script.mjs")
    let trestle = URL(fileURLWithPath: Program.trestle, relativeTo: Program.products).path
    let outcome = try await Program(name: "/bin/sh", folder: folder).run([
      "-c",
      #"""
      mkdir in; mkfifo up; unshare -rm /bin/sh -c 'mount --bind /usr in && cd in && echo > ../up; exec sleep 1000' &
      read x < up; "$0" --allow-read=in,/proc script.mjs $!; kill $!
      """#, trestle,
    ])
    #expect(!outcome.output.contains("told") && outcome.code == 0, "\(outcome)")
  }

  private enum Mounting {
    static let isPossible =
      (try? Toolchain.run("unshare", ["-rm", "/bin/sh", "-c", "mount --rbind /proc /mnt && echo ok"])) == "ok\n"
  }

  /// Each folder stays open, once.
  @Test func aDatabaseIsAttachedAgainAndAgain() async throws {
    folder.write(
      """
      const { SQLite } = NativeModules;
      (async () => {
        const database = await SQLite.open('a.db');
        for (let i = 0; i < 400; i++) {
          await database.exec("ATTACH 'b.db' AS b; CREATE TABLE IF NOT EXISTS b.t (x); INSERT INTO b.t VALUES (1); DETACH b");
        }
        await database.exec("ATTACH 'b.db' AS b");
        console.log((await database.get('SELECT count(*) AS count FROM b.t')).count);
      })();
      """, to: "script.js")
    let trestle = URL(fileURLWithPath: Program.trestle, relativeTo: Program.products).path
    let outcome = try await Program(name: "/bin/sh", folder: folder).run([
      "-c", #"ulimit -n 200; exec "$0" --allow-read=. --allow-write=. script.js"#, trestle,
    ])
    #expect(outcome == Program.Outcome(code: 0, output: "400\n", error: ""))
  }

  @Test func theWorkingFolderIsText() async throws {
    folder.write("console.log('it runs')", to: "script.js")
    let trestle = URL(fileURLWithPath: Program.trestle, relativeTo: Program.products).path
    let shell = Program(name: "/bin/sh", folder: folder)
    let outcome = try await shell.run([
      "-c", #"odd=$(printf 'x\377'); mkdir "$odd"; cd "$odd"; exec "$0" ../script.js"#, trestle,
    ])
    #expect(outcome.code == 2 && outcome.output == "" && outcome.error.contains("working folder"), "\(outcome)")
  }

  @Test func refusalsDoNotTellTheWorkingFolder() async throws {
    let script = """
      const { Files, Process } = NativeModules, told = [];
      const tell = ({ message, subject }) => console.log(subject, message.includes('/'));
      Files.exists('.').catch(tell).then(() => Files.readText('a/../b').catch(tell)).then(() => {
        try { Process.workingDirectory(); } catch (error) { tell(error); }
      });
      """
    #expect(try await run(script, options: ["--sandbox"]).output == ". false\na/../b true\n. false\n")
  }

  @Test func workersMayDoNoMore() async throws {
    folder.write(
      "NativeModules.Files.readText('script.js').then(postMessage, ({ code }) => postMessage(code))", to: "worker.js")
    let outcome = try await run(
      """
      const worker = new Worker('worker.js');
      worker.onmessage = ({ data }) => { console.log(data); worker.terminate(); };
      """, options: ["--allow-read=worker.js"])
    #expect(outcome.output == "ERR_PERMISSION\n", "\(outcome)")
  }

  /// What links lead to may change by programs.
  @Test func grantsAreResolvedOnceForAllTests() async throws {
    try makeFoldersAndLink()
    folder.write(
      "test('a', async () => { await NativeModules.Processes.run('ln', ['-sfn', 'secret', 'link']); });",
      to: "a.test.mjs")
    folder.write(
      "test('b', async () => { console.log(await NativeModules.Files.readText('link/file')); });", to: "b.test.mjs")
    let outcome = try await Program(name: Program.trestle, folder: folder).run(
      ["test", "--jobs", "1", "--allow-read=link", "--allow-run=ln"])
    #expect(outcome.code == 1 && !outcome.output.contains("text of"), "\(outcome)")
    #expect(outcome.output.contains("reading link/file needs") && outcome.output.contains("1 passed"), "\(outcome)")
  }

  private func makeFoldersAndLink() throws {
    for name in ["public", "secret"] {
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent(name), withIntermediateDirectories: true)
      folder.write("text of \(name)", to: "\(name)/file")
    }
    try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: "public")
  }

  /// The profile is written as the run ends.
  @Test(arguments: ["link/file", "link/new", "new", "file"]) func reportsGoWhereTheyWereToGo(_ place: String)
    async throws
  {
    try makeFoldersAndLink()
    folder.write("", to: "file")
    let last = place.contains("/") ? "link" : place
    let target = place.contains("/") ? "secret" : "secret/file"
    let outcome = try await run(
      "NativeModules.Processes.run('ln', ['-sfn', '\(target)', '\(last)']).then(({ code }) => console.log(code))",
      options: ["--allow-run=ln", "--cpu-prof", place])
    #expect(outcome.output == "0\n")
    #expect(folder.read("secret/file") == "text of secret" && folder.read("secret/new") == "")
    let isWritten = place.contains("/") && folder.read(place.replacing("link", with: "public")).contains("nodes")
    #expect(isWritten || outcome.error.contains("\(place): cannot write the profile: "), "\(outcome)")
  }

  @Test func snapshotsAreBesideTheTestsAsTheyWere() async throws {
    try makeFoldersAndLink()
    folder.write(
      """
      test('a', async () => {
        await NativeModules.Processes.run('mv', ['public', 'old']);
        await NativeModules.Processes.run('ln', ['-s', 'secret', 'public']);
        expect('text').toMatchSnapshot();
      });
      """, to: "public/a.test.mjs")
    let outcome = try await Program(name: Program.trestle, folder: folder).run(["test", "public", "--allow-run=ln,mv"])
    #expect(outcome.code == 1 && outcome.output.contains("neither is a link"), "\(outcome)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/secret") == ["file"])
  }

  @Test func testsHaveThemToo() async throws {
    folder.write("export const path = 'data.txt';", to: "library.mjs")
    folder.write("text", to: "data.txt")
    folder.write(
      """
      import { path } from './library.mjs';
      test('reads', async () => { expect(await NativeModules.Files.readText(path)).toBe('text'); });
      """, to: "a.test.mjs")
    let trestle = Program(name: Program.trestle, folder: folder)
    let refused = try await trestle.run(["test", "--sandbox"])
    #expect(refused.code == 1 && refused.output.contains("needs --allow-read=data.txt"), "\(refused)")
    #expect(try await trestle.run(["test", "--allow-read=data.txt"]).code == 0)
  }

  /// A source map names files whose lines reports show.
  @Test func reportsShowNoFileThatIsNotGranted() async throws {
    folder.write("the secret line\n", to: "secret.txt")
    let map = #"{"version":3,"sources":["secret.txt"],"names":[],"mappings":"AAAA"}"#
    let data = Data(map.utf8).base64EncodedString()
    let script = "throw new Error('thrown')\n//# sourceMappingURL=data:application/json;base64,\(data)"
    #expect(try await run(script).error.contains("the secret line"))
    let outcome = try await run(script, options: ["--sandbox"])
    #expect(outcome.error.contains("thrown") && !outcome.error.contains("the secret line"), "\(outcome)")
  }
}
