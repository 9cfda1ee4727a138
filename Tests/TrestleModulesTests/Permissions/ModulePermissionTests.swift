import CLinux
import EventLoop
import Foundation
import TestSupport
import Testing
import Trestle

@testable import TrestleModules

/// What the modules beside `Files` ask for.
@Suite struct ModulePermissionTests {
  let folder: PermittedFolder

  init() throws { folder = try PermittedFolder() }

  private enum Decision {
    /// Needs nothing: it is the script's own, or goes to who has started it.
    case free
    case needs(Set<Permissions.Kind>, call: String)
  }

  private static let table: [String: [String: Decision]] = [
    "Process": [
      "script": .free, "arguments": .free, "platform": .free, "id": .free, "exit": .free, "write": .free,
      "readLine": .free,
      "readInput": .free, "lines": .free,
      // What is not granted is left out.
      "environment": .free,
      "workingDirectory": .needs([.read], call: "Process.workingDirectory()"),
    ],
    "Processes": [
      "run": .needs([.run], call: "await Processes.run('true')"),
      "start": .needs([.run], call: "await (await Processes.start('true')).status()"),
    ],
    "SQLite": [
      "open": .needs([.read, .write], call: "await (await SQLite.open(folder + '/secret/a.db')).close()"),
      "openSync": .needs([.read, .write], call: "SQLite.openSync(folder + '/secret/a.db').close()"),
      "keyValue": .needs([.read, .write], call: "await (await SQLite.keyValue(folder + '/secret/a.db')).close()"),
    ],
  ]

  private static func modules() -> ModuleSelection {
    .files + .processes + .sqlite + .process(script: "a.js", arguments: []) { _ in }
  }

  @Test func everyMemberIsDecidedUpon() async throws {
    for (module, members) in Self.table {
      let text = try await folder.result(of: "return Object.keys(NativeModules.\(module)).sort()", .all, Self.modules())
      #expect(try JSONDecoder().decode([String].self, from: Data(text.utf8)) == members.keys.sorted(), "\(module)")
    }
    #expect(
      StandardModules.names.sorted()
        == ["Console", "Files", "Process", "Processes", "SQLite", "Timers", "Web", "Workers"],
      "a new module is to be decided upon here, or in a table of its own")
  }

  private static let cases = table.flatMap { module, members in members.keys.map { (module, $0) } }.sorted { $0 < $1 }

  @Test(arguments: cases) func membersAndWhatTheyNeed(_ module: String, _ member: String) async throws {
    guard case .needs(let needs, let call) = Self.table[module]?[member] else { return }
    for granted: Set<Permissions.Kind> in [[], [.read], [.write], [.run], [.read, .write], [.read, .write, .run]] {
      func grant(_ kind: Permissions.Kind) -> Permissions.Grant { granted.contains(kind) ? .all : .none }
      let text = try await folder.result(
        of: "\(call); return 'done'", Permissions(read: grant(.read), write: grant(.write), run: grant(.run)),
        Self.modules())
      let isAllowed = needs.isSubset(of: granted)
      #expect(isAllowed ? text == "\"done\"" : text.hasPrefix("ERR_PERMISSION: "), "\(granted): \(text)")
    }
  }

  @Test func variablesThatAreNotGrantedAreNotThere() async throws {
    let body = "return Object.keys(Process.environment)"
    #expect(try await folder.result(of: body, .none, Self.modules()) == "[]")
    let path = try await folder.result(
      of: body, Permissions(environment: .only(["PATH", "NOT_THERE"])), Self.modules())
    #expect(path == #"["PATH"]"#)
    #expect(try await folder.result(of: body, Permissions(environment: .all), Self.modules()).contains("PATH"))
  }

  @Test func programsByTheirNames() async throws {
    let permissions = Permissions(read: .only(["/bin", "/usr"]), run: .only(["true", "/bin/sh"]))
    let text = try await folder.result(
      of: """
        const told = [];
        for (const [program, options] of [
          ['true'], ['/bin/sh'], ['./sh', { folder: '/bin' }], ['sh'], ['/bin/true'], ['../bin/sh', { folder: '/usr' }], ['true', { environment: { LD_PRELOAD: '/tmp/x.so' } }],
        ]) told.push(await Processes.run(program, ['-c', 'exit'], options).then(({ code }) => code, ({ code, message }) => `${code} ${message}`));
        return told;
        """, permissions, Self.modules())
    #expect(
      text
        == #"[0,0,0,"ERR_PERMISSION running sh is not permitted","ERR_PERMISSION running /bin/true is not permitted",0,"ERR_NOT_PERMITTED true: the variable LD_PRELOAD is for who may run every program"]"#
    )
  }

  /// The program might not tell.
  @Test func programsRunInFoldersThatMayBeRead() async throws {
    let text = try await folder.result(
      of: """
        const told = [];
        for (const name of ['secret', 'secret/file', 'none', 'open', 'open/file'])
          told.push(await Processes.run('true', [], { folder: `${folder}/${name}` }).then(({ code }) => code, ({ code }) => code));
        return told;
        """, Permissions(read: .only([folder.path + "/open"]), run: .only(["true"])), Self.modules())
    #expect(text == #"["ERR_PERMISSION","ERR_PERMISSION","ERR_PERMISSION",0,"ERR_NOT_DIRECTORY"]"#)
  }

  /// Somebody puts a link in the place of the folder all the time.
  @Test func programsRunInTheFolderThatWasLookedAt() async throws {
    let path = folder.path
    try FileManager.default.createDirectory(atPath: path + "/open/dir", withIntermediateDirectories: false)
    try folder.link("open/link", to: "../secret")
    let isOver = Lock(false)
    let thread = Thread {
      while !isOver.withLock({ $0 }) { renameat2(AT_FDCWD, path + "/open/dir", AT_FDCWD, path + "/open/link", 2) }
    }
    thread.start()
    let text = try await folder.result(
      of: """
        const seen = new Set();
        for (let i = 0; i < 150; i++)
          await Processes.run('pwd', ['-P'], { folder: folder + '/open/dir' }).then(({ output }) => seen.add(output.trim().slice(folder.length)), () => {});
        return [...seen];
        """, Permissions(read: .only([path + "/open"]), run: .only(["pwd"])), Self.modules())
    isOver.withLock { $0 = true }
    while !thread.isFinished { try await Task.sleep(for: .milliseconds(1)) }
    let places = try JSONDecoder().decode([String].self, from: Data(text.utf8))
    #expect(places.allSatisfy { ["/open/dir", "/open/link"].contains($0) }, "\(text)")
  }

  /// The working folder is told to who may read it.
  @Test(arguments: ["./x", "../x", "a/"]) func refusedProgramsDoNotTellTheWorkingFolder(_ program: String) async throws
  {
    let text = try await folder.result(
      of: "return Processes.run('\(program)').catch(({ message, subject }) => [message, subject])",
      Permissions(run: .only(["true"])), Self.modules())
    #expect(text.hasPrefix(#"["running \#(program) "#) && text.hasSuffix(#""\#(program)"]"#), "\(text)")
  }

  /// The system would follow the link before it goes up.
  @Test(arguments: [
    "folder + '/open/link/../program'", "'program', { folder: folder + '/open/link/..' }",
    "'link/../program', { folder: folder + '/open' }",
  ])
  func whatIsStartedIsWhatWasGranted(_ program: String) async throws {
    for name in ["open", "secret"] {
      let path = "\(folder.path)/\(name)/program"
      try Data("#!/bin/sh\necho \(name)\n".utf8).write(to: URL(fileURLWithPath: path))
      #expect(chmod(path, 0o700) == 0)
    }
    try folder.link("open/link", to: "../secret/dir")
    let arguments = program.replacing("', {", with: "', [], {").replacing("'program'", with: "'./program'")
    let text = try await folder.result(
      of: "return (await Processes.run(\(arguments))).output",
      Permissions(read: .all, run: .only([folder.path + "/open/program"])), Self.modules())
    #expect(text == #""open\n""#)
  }

  /// Many a program runs what a variable says.
  @Test func variablesOfProgramsAreAskedFor() async throws {
    let call = "return (await Processes.run('true', [], { environment: { BASH_ENV: '/x' } })).code"
    let run = Permissions.Grant.only(["true"])
    #expect(
      try await folder.result(of: call, Permissions(run: run, environment: .only(["A"])), Self.modules())
        .hasPrefix("ERR_PERMISSION: the variable BASH_ENV"))
    #expect(
      try await folder.result(of: call, Permissions(run: run, environment: .only(["BASH_ENV"])), Self.modules()) == "0")
  }

  // MARK: SQLite

  @Test func databasesLeadNowhereElse() async throws {
    try folder.link("open/out", to: "../secret")
    try folder.link("open/out.db", to: "../secret/out.db")
    let open = Permissions.Grant.only([folder.path + "/open"])
    let before = try folder.content(of: "secret")
    let text = try await folder.result(
      of: """
        const told = [];
        const attempt = async (what, call) => told.push(`${what} ${await call().then(() => 'done', ({ code }) => code)}`);
        for (const path of ['/secret/a.db', '/open/out/a.db', '/open/out.db', '/open/../secret/a.db', '/secret/file'])
          for (const options of [{}, { readOnly: true }]) await attempt(path, () => SQLite.open(folder + path, options));
        const db = await SQLite.open(folder + '/open/a.db');
        await db.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
        for (const path of ['/secret/b.db', '/open/out/b.db', '/open/out.db']) {
          await attempt('attach', () => db.exec(`ATTACH '${folder}${path}' AS other`));
          await attempt('vacuum', () => db.exec(`VACUUM INTO '${folder}${path}'`));
        }
        await attempt('attach', () => db.exec(`ATTACH '${folder}/open/c.db' AS c; CREATE TABLE c.t (a); DETACH c`));
        await attempt('vacuum', () => db.exec(`VACUUM INTO '${folder}/open/d.db'`));
        await attempt('vacuum', () => db.exec('VACUUM'));
        await attempt('memory', () => db.exec("ATTACH ':memory:' AS m; CREATE TABLE m.t (a)"));
        await attempt('wal', () => db.exec('PRAGMA journal_mode = WAL; INSERT INTO t VALUES (2)'));
        await attempt('transaction', () => db.transaction(async (inner) => { await inner.run('INSERT INTO t VALUES (3)'); }));
        await db.close();
        const now = SQLite.openSync(folder + '/open/a.db');
        told.push(now.get('SELECT count(*) AS n FROM t').n);
        now.close();
        return told;
        """, Permissions(read: open, write: open), Self.modules())
    let told = try JSONDecoder().decode([Told].self, from: Data(text.utf8)).map(\.text)
    #expect(told.prefix(16).allSatisfy { $0.hasSuffix(" ERR_PERMISSION") }, "\(told)")
    #expect(
      Array(told.dropFirst(16))
        == ["attach done", "vacuum done", "vacuum done", "memory done", "wal done", "transaction done", "3"])
    #expect(try folder.content(of: "secret") == before)
  }

  private struct Told: Decodable {
    let text: String
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      text = try (try? container.decode(String.self)) ?? "\(container.decode(Int.self))"
    }
  }

  @Test func databasesThatAreReadAreNotWritten() async throws {
    let secret = Permissions.Grant.only([folder.path + "/secret"])
    let made = try await folder.result(
      of: """
        const db = await SQLite.open(folder + '/secret/a.db'); await db.exec('CREATE TABLE t (a); INSERT INTO t VALUES (7)'); await db.close();
        """, .all, Self.modules())
    #expect(made == "undefined")
    let before = try folder.content(of: "secret")
    let text = try await folder.result(
      of: """
        const db = await SQLite.open(folder + '/secret/a.db', { readOnly: true });
        const told = [await db.get('SELECT a FROM t'), await db.run('INSERT INTO t VALUES (1)').catch(({ code }) => code)];
        await db.close();
        return [...told, await SQLite.open(folder + '/secret/a.db').catch(({ message }) => message.split(' ')[0])];
        """, Permissions(read: secret), Self.modules())
    #expect(text == #"[{"a":7},"ERR_NOT_PERMITTED","writing"]"#)
    #expect(try folder.content(of: "secret") == before)
  }

  /// A grant of one file takes in what SQLite keeps beside it, and no other file that has such a name.
  @Test(arguments: ["-journal", "-wal", "-shm", "-mj01234567", "-other"])
  func filesBesideADatabaseAreTheUsers(_ ending: String) async throws {
    let file = Permissions.Grant.only([folder.path + "/open/a.db"])
    let permissions = Permissions(read: file, write: file)
    let work = """
      const db = await SQLite.open(folder + '/open/a.db'), told = [];
      for (const sql of ['PRAGMA journal_mode = PERSIST', 'CREATE TABLE IF NOT EXISTS t (a)', 'INSERT INTO t VALUES (1)', 'PRAGMA journal_mode = WAL', 'INSERT INTO t VALUES (2)', 'PRAGMA journal_mode = DELETE', 'INSERT INTO t VALUES (3)'])
        told.push(await db.exec(sql).then(() => 'done', ({ code }) => code));
      await db.close();
      return told;
      """
    let undisturbed = try await folder.result(of: work, permissions, Self.modules())
    #expect(!undisturbed.contains("ERR_"), "\(undisturbed)")
    let path = folder.path + "/open/a.db" + ending
    try Data("the user's own".utf8).write(to: URL(fileURLWithPath: path))
    _ = try await folder.result(of: work, permissions, Self.modules())
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "the user's own")
  }

  /// What a process that died has left is undone, as without permissions.
  @Test func aHotJournalIsUndone() async throws {
    let file = Permissions.Grant.only([folder.path + "/open/a.db"])
    let text = try await folder.result(
      of: """
        const db = SQLite.openSync(folder + '/open/a.db');
        db.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1); PRAGMA cache_size = 1; PRAGMA cache_spill = 1');
        db.exec('BEGIN; UPDATE t SET a = 2; WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 20000) INSERT INTO t SELECT i FROM c');
        for (const end of ['', '-journal']) await Files.copy(folder + '/open/a.db' + end, folder + '/open/b.db' + end);
        return (await Files.stat(folder + '/open/b.db-journal')).size > 512;
        """, .all, Self.modules())
    #expect(text == "true")
    for name in ["a.db", "a.db-journal"] { try? FileManager.default.removeItem(atPath: folder.path + "/open/" + name) }
    for ending in ["", "-journal"] {
      try FileManager.default.moveItem(
        atPath: folder.path + "/open/b.db" + ending, toPath: folder.path + "/open/a.db" + ending)
    }
    let read = try await folder.result(
      of: "const db = await SQLite.open(folder + '/open/a.db'); return db.all('SELECT a FROM t')",
      Permissions(read: file, write: file), Self.modules())
    #expect(read == #"[{"a":1}]"#)
  }

  /// A journal names others that SQLite reads and removes.
  @Test func aForgedJournalRemovesNothingElsewhere() async throws {
    let open = Permissions.Grant.only([folder.path + "/open"])
    let victim = folder.path + "/secret/dir/file"
    let text = try await folder.result(
      of: """
        const db = await SQLite.open(folder + '/open/a.db'); await db.exec('CREATE TABLE t (a)'); await db.close();
        const name = new TextEncoder().encode('\(victim)'), size = 512, bytes = new Uint8Array(size * 2), view = new DataView(bytes.buffer);
        bytes.set([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]);
        view.setUint32(8, 0); view.setUint32(12, 1); view.setUint32(16, 2); view.setUint32(20, size); view.setUint32(24, 4096);
        let at = size;
        view.setUint32(at, 0x40000000 / 4096 + 1); bytes.set(name, at + 4);
        view.setUint32(at + 4 + name.length, name.length); view.setUint32(at + 8 + name.length, name.reduce((sum, byte) => sum + byte, 0));
        bytes.set([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7], at + 12 + name.length);
        await Files.writeBytes(folder + '/open/a.db-journal', bytes.slice(0, at + 20 + name.length));
        const other = await SQLite.open(folder + '/open/a.db').catch(({ code }) => code);
        return typeof other;
        """, Permissions(read: open, write: open), Self.modules())
    #expect(text == "\"object\"" || text == "\"string\"", "\(text)")
    #expect(FileManager.default.fileExists(atPath: victim))
  }

  // MARK: Workers and imports

  @Test func workersMayDoNoMore() async throws {
    try Data("postMessage(1)".utf8).write(to: URL(fileURLWithPath: folder.path + "/secret/worker.js"))
    let code = """
      const told = [];
      const attempt = (call) => call().then((text) => told.push(text), ({ code }) => told.push(code));
      (async () => {
        await attempt(() => NativeModules.Files.readText('\(folder.path)/open/file'));
        await attempt(() => NativeModules.Files.readText('\(folder.path)/secret/file'));
        await attempt(() => import('\(folder.path)/secret/file', { with: { type: 'text' } }));
        await attempt(() => import('\(folder.path)/open/file', { with: { type: 'text' } }).then((module) => module.default));
        postMessage(told);
      })();
      """
    try Data(code.utf8).write(to: URL(fileURLWithPath: folder.path + "/open/worker.js"))
    var options = WorkerOptions()
    options.modules = .standard + .files
    options.configuration.capabilities = [.files]
    options.configuration.moduleLoader = FileModuleLoader(root: "/")
    let open = Permissions.Grant.only([folder.path + "/open"])
    let text = try await folder.result(
      of: """
        const say = (file) => new Promise((resolve) => {
          try {
            const worker = new Worker(folder + file);
            worker.onmessage = ({ data }) => resolve(data);
            worker.onerror = (event) => resolve(event.message);
          } catch ({ code }) { resolve(code); }
        });
        return [await say('/open/worker.js'), await say('/secret/worker.js')];
        """, Permissions(read: open), .files + .workers(options))
    #expect(
      text
        == #"[["text of open/file\n","ERR_PERMISSION","ERR_PERMISSION","text of open/file\n"],"ERR_PERMISSION"]"#)
  }

  @Test func importsAreReads() async throws {
    for name in ["open/a.mjs", "secret/a.mjs"] {
      try Data("export default '\(name)'".utf8).write(to: URL(fileURLWithPath: folder.path + "/" + name))
    }
    try Data("import one from '../secret/a.mjs'; export default one".utf8)
      .write(to: URL(fileURLWithPath: folder.path + "/open/b.mjs"))
    try folder.link("open/out.mjs", to: "../secret/a.mjs")
    try folder.link("open/none-out.mjs", to: "../secret/none.mjs")
    try folder.link("open/way-out", to: "../secret")
    let open = Permissions.Grant.only([folder.path + "/open"])
    let text = try await folder.result(
      of: """
        const told = [];
        for (const path of ['/open/a.mjs', '/open/b.mjs', '/secret/a.mjs', '/secret/none.mjs', '/open/none.mjs', '/open/out.mjs', '/open/none-out.mjs', '/open/way-out/a.mjs', '/open/way-out/none', '/open/../secret/a.mjs'])
          told.push(await load(folder + path).then((module) => module.default, ({ code }) => code));
        return told;
        """, Permissions(read: open)
    ) {
      $0.moduleLoader = FileModuleLoader(
        root: "/", given: ["/given.mjs": ModuleSource("globalThis.load = (path) => import(path)")])
    } before: { bridge in
      _ = try await bridge.importModule("/given.mjs")
    }
    #expect(
      text
        == #"["open/a.mjs","ERR_PERMISSION","ERR_PERMISSION","ERR_PERMISSION","ERR_NOT_FOUND","ERR_PERMISSION","ERR_PERMISSION","ERR_PERMISSION","ERR_PERMISSION","ERR_PERMISSION"]"#
    )
  }
}
