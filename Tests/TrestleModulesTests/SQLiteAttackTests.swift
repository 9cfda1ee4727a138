import EventLoop
import Foundation
import TestSupport
import Testing
import Trestle
import TrestleModules

/// Scripts that want more of a database than is theirs.
@Suite struct SQLiteAttackTests {
  private static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  // MARK: Limits

  /// Whatever SQLite is at on the JavaScript thread.
  @Test(arguments: [
    "db.get(endless)", "[...db.iterate(endless)]", "db.exec(endless)", "db.transaction(() => db.all(endless))",
    "other.run('BEGIN IMMEDIATE'), db.run('CREATE TABLE x (a)')", "other.run('BEGIN EXCLUSIVE'), open()",
    "db.function('f', () => { for (;;); }), db.get('SELECT f()')",
    "db.function('f', () => other.get(endless)), db.get('SELECT f()')",
    "db.transaction(() => { db.exec('CREATE TABLE x (a)'); for (;;); })",
    "db.transaction(() => db.transaction(() => { db.exec('CREATE TABLE x (a)'); db.get(endless); }))",
    "db.transaction(() => { db.exec('CREATE TABLE x (a)'); db.transaction(() => { db.exec('CREATE TABLE z (a)'); for (;;); }); })",
    "db.transaction(() => { db.exec('CREATE TABLE x (a)'); for (const _ of db.iterate('SELECT 1')) for (;;); })",
    "db.function('f', () => { for (;;); }), db.transaction(() => { db.exec('CREATE TABLE x (a)'); db.get('SELECT f()'); })",
  ])
  func limitsHoldWhileSQLiteIsWaitedFor(_ call: String) async throws {
    let (bridge, folder) = try await bridge()
    try await bridge.bridge.evaluate(
      """
      const path = '\(folder)/a.db', endless = '\(Self.endless)', open = () => NativeModules.SQLite.openSync(path, { timeout: 1e9 });
      globalThis.open = open; globalThis.db = open(); globalThis.other = open();
      """)
    // For this turn alone: all others have the time that a machine at work needs.
    try await bridge.bridge.setLimits(ExecutionLimits(time: .milliseconds(300)))
    await #expect(throws: BridgeError.self) { try await bridge.bridge.evaluate("\(call)") }
    try await bridge.bridge.setLimits(nil)
    // What the turn has left open is undone, but for what SQL of the script's has begun.
    let text = try await bridge.bridge.evaluate(
      """
      other.close(); db.run('CREATE TABLE y (a)');
      const outside = NativeModules.SQLite.openSync(db.path, { timeout: 10 }); outside.run('INSERT INTO y VALUES (1)'); outside.close();
      db.all('SELECT name FROM sqlite_schema').map(({ name }) => name).join() + db.get('SELECT count(*) AS n FROM y').n
      """, as: String.self)
    #expect(text == "y1")
    try await close(bridge, folder)
  }

  @Test func aTurnThatEndsUndoesItsTransaction() async throws {
    let (bridge, folder) = try await bridge()
    try await bridge.bridge.evaluate(
      """
      globalThis.ready = (async () => {
        globalThis.db = await NativeModules.SQLite.open('\(folder)/a.db');
        await db.exec('CREATE TABLE t (a)');
      })();
      """)
    _ = try await bridge.bridge.evaluate("ready.then(() => 1)", as: Int.self)
    let script =
      "db.transaction(async tx => { await tx.run('INSERT INTO t VALUES (1)'); for (;;); }).then(() => '', ({ message }) => message)"
    try await bridge.bridge.setLimits(ExecutionLimits(time: .milliseconds(300)))
    _ = try? await bridge.bridge.evaluate(script, as: String.self)
    try await bridge.bridge.setLimits(nil)
    let count = try await bridge.bridge.evaluate("db.all('SELECT * FROM t').then(({ length }) => length)", as: Int.self)
    #expect(count == 0)
    await bridge.bridge.close()
    try? FileManager.default.removeItem(atPath: folder)
  }

  @Test func signalsEndWhatIsAtWork() async throws {
    let seen = try await sqliteResult(
      of: """
        const db = await SQLite.open(path, { timeout: 1e8 }), endless = '\(Self.endless)', seen = [];
        const abort = (start) => { const end = new AbortController, call = start(end.signal).catch(error => error.name); setTimeout(() => end.abort(), 5); return call; };
        seen.push(await abort(signal => db.get(endless, signal)), await abort(signal => db.all(`${endless} WHERE i < ?`, 1e300, signal)), await abort(signal => db.exec(endless, { signal })));
        seen.push(await abort(signal => db.transaction(async tx => { await tx.exec('CREATE TABLE t (a)'); await tx.get(endless); }, signal)));
        seen.push(await abort(signal => db.iterate(endless, signal).next()).then(String));
        const end = new AbortController; end.abort();
        seen.push(await db.run('CREATE TABLE t (a)', end.signal).catch(error => error.name));
        return [...seen, (await db.get('SELECT count(*) AS n FROM sqlite_schema')).n];
        """)
    #expect(seen.hasSuffix(",0]") && seen.components(separatedBy: "AbortError").count >= 6, "\(seen)")
  }

  /// What is at work, what waits, and what waits for a script.
  @Test(arguments: [
    "db.get(endless)", "db.transaction(() => new Promise(() => {}))",
    "db.function('f', () => { for (;;); }).then(() => db.get('SELECT f()'))",
    "other.run('BEGIN EXCLUSIVE').then(() => db.run('CREATE TABLE x (a)'))",
    "other.run('BEGIN EXCLUSIVE').then(() => SQLite.open(path, options))",
    "db.transaction(() => { db.run('SELECT 1').catch(() => {}); return new Promise(() => {}); })",
    "Array.from({ length: 100 }, () => SQLite.open(path))",
  ])
  func bridgesCloseWhateverIsAtWork(_ call: String) async throws {
    let (bridge, folder) = try await bridge { $0.limits = ExecutionLimits(isInterruptible: true) }
    try await bridge.bridge.evaluate(
      """
      globalThis.ready = (async () => {
        const { SQLite } = NativeModules, path = '\(folder)/a.db', endless = '\(Self.endless)', options = { timeout: 1e9 };
        globalThis.kept = [await SQLite.open(path, options), await SQLite.open(path, options)];
        const [db, other] = kept;
        setTimeout(() => \(call));
      })();
      """)
    _ = try await bridge.bridge.evaluate("ready.then(() => 1)", as: Int.self)
    try await Task.sleep(for: .milliseconds(50))
    #expect(await bridge.bridge.close(within: patience, interrupting: true))
    try await expectNothingOpen(in: folder)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Otherwise the bridge would never be idle: nobody is left who could settle the promise.
  @Test(arguments: [
    "db.transaction(() => never)", "db.transaction(tx => tx.transaction(() => never))", "db.migrate([() => never])",
    "(await SQLite.keyValue(folder + '/k.db')).transaction(() => never)",
  ])
  func transactionsThatWaitForNothingAreUndone(_ call: String) async throws {
    let (bridge, folder) = try await bridge()
    try await bridge.bridge.evaluate(
      """
      globalThis.seen = 'nothing';
      (async () => {
        const { SQLite } = NativeModules, folder = '\(folder)', db = await SQLite.open(folder + '/a.db'), never = new Promise(() => {});
        await db.exec('CREATE TABLE t (a)');
        try { await \(call); } catch ({ code }) { seen = code; }
        await db.transaction(tx => tx.run('INSERT INTO t VALUES (1)'));
        seen += (await db.all('SELECT * FROM t')).length;
      })();
      """)
    await bridge.bridge.waitUntilIdle()
    #expect(try await bridge.bridge.evaluate("seen", as: String.self) == "ERR_UNSETTLED1")
    try await close(bridge, folder)
  }

  /// What is done after that would be kept, though its transaction is not.
  @Test(arguments: [
    "tx => lose(tx).then(() => tx.run('INSERT INTO t VALUES (3)'))",
    "tx => lose(tx).then(() => tx.exec('INSERT INTO t VALUES (3)'))",
    "tx => lose(tx).then(() => tx.transaction(inner => inner.run('INSERT INTO t VALUES (3)')))",
    "tx => tx.transaction(lose).then(() => tx.run('INSERT INTO t VALUES (3)'))", "tx => lose(tx)",
    "tx => tx.exec('INSERT OR ROLLBACK INTO t VALUES (1); INSERT INTO t VALUES (3)')",
  ])
  func nothingIsKeptOfWhatSQLiteHasUndone(_ body: String) async throws {
    let seen = try await sqliteResult(
      of: """
        const db = await SQLite.open(path), sync = SQLite.openSync(':memory:'), seen = [];
        const lose = tx => { const lost = tx.run('INSERT INTO t VALUES (2)').then(() => tx.run('INSERT OR ROLLBACK INTO t VALUES (1)')); return lost.catch(() => {}); };
        await db.exec('CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)');
        seen.push(await db.transaction(\(body)).then(() => 'kept', ({ code }) => code), await db.migrate([\(body)]).then(() => 'kept', ({ code }) => code));
        seen.push((await db.get('SELECT group_concat(a) AS a FROM t')).a, (await db.get('PRAGMA user_version')).user_version);
        await db.transaction(tx => tx.run('INSERT INTO t VALUES (4)'));
        sync.exec('CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)');
        const attempt = call => { try { call(); } catch { return; } };
        attempt(() => sync.transaction(() => { attempt(() => sync.run('INSERT OR ROLLBACK INTO t VALUES (1)')); sync.run('INSERT INTO t VALUES (3)'); }));
        return [...seen, (await db.get('SELECT group_concat(a) AS a FROM t')).a, sync.get('SELECT group_concat(a) AS a FROM t').a];
        """)
    #expect(seen.contains(#","1",0,"1,4","1"]"#) && !seen.contains("kept"), "\(seen)")
  }

  /// While nobody waits for the end, somebody may still settle it.
  @Test func transactionsMayWaitForTheHost() async throws {
    let (bridge, folder) = try await bridge()
    try await bridge.bridge.evaluate(
      """
      globalThis.done = (async () => {
        const db = await NativeModules.SQLite.open('\(folder)/a.db');
        return db.transaction(() => new Promise(resolve => { globalThis.settle = resolve; }));
      })();
      """)
    while try await bridge.bridge.evaluate("typeof settle", as: String.self) == "undefined" { await Task.yield() }
    try await Task.sleep(for: .milliseconds(50))
    try await bridge.bridge.evaluate("settle(5)")
    #expect(try await bridge.bridge.evaluate("done", as: Int.self) == 5)
    try await close(bridge, folder)
  }

  /// What is forgotten is closed, and so is what is disposed of.
  @Test func nothingIsLeftBehind() async throws {
    let (bridge, folder) = try await bridge()
    try await bridge.bridge.evaluate(
      """
      globalThis.ready = (async () => {
        const { SQLite } = NativeModules;
        for (let i = 0; i < 20; i++) { const db = await SQLite.open('\(folder)/a.db'); await db.iterate('SELECT 1').next(); }
        for (let i = 0; i < 20; i++) SQLite.openSync('\(folder)/a.db').iterate('SELECT 1').next();
        const db = await SQLite.open('\(folder)/b.db'); await db[Symbol.asyncDispose]();
        const sync = SQLite.openSync('\(folder)/b.db'); sync[Symbol.dispose]();
      })();
      """)
    _ = try await bridge.bridge.evaluate("ready.then(() => 1)", as: Int.self)
    #expect(openFiles(in: folder + "/b.db") == 0)
    let deadline = ContinuousClock.now + patience
    while openFiles(in: folder) > 0, .now < deadline {
      try await bridge.bridge.withContext { $0.collectGarbage() }
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(openFiles(in: folder) == 0)
    try await close(bridge, folder)
  }

  // MARK: What is not granted

  @Test func withoutFilesThereIsNone() async throws {
    let bridge = try await ModuleBridge(.sqlite)
    #expect(try await bridge.bridge.evaluate("typeof NativeModules.SQLite", as: String.self) == "undefined")
    await bridge.bridge.close()
  }

  @Test(arguments: [
    ("ATTACH 'file:F/b.db?mode=rwc&vfs=unix' AS b", "ERR_NOT_PERMITTED"),
    ("ATTACH 'fi' || 'le:F/b.db' AS b", "ERR_NOT_PERMITTED"),
    ("ATTACH (SELECT 'F/b.db') AS b", "ERR_NOT_PERMITTED"), ("VACUUM INTO 'file:F/b.db?vfs=unix'", "ERR_NOT_PERMITTED"),
    ("VACUUM INTO 'fi' || 'le:F/b.db'", "ERR_NOT_PERMITTED"), ("ATTACH '/dev/zero' AS b", "ERR_SYSTEM"),
    ("ATTACH '/dev/tty' AS b", "ERR_SYSTEM"), ("ATTACH 'F' AS b", "ERR_SYSTEM"),
    ("SELECT load_extension('F/b.so')", "ERR_NOT_PERMITTED"), ("SELECT LOAD_extension('x', 'y')", "ERR_NOT_PERMITTED"),
    ("SELECT fts3_tokenizer('simple', x'0000000000000000')", "ERR_NOT_PERMITTED"),
    ("PRAGMA MMAP_SIZE = 1000000", "ERR_NOT_PERMITTED"),
    ("PRAGMA main.mmap_size(1)", "ERR_NOT_PERMITTED"), ("SELECT * FROM pragma_mmap_size(1)", "ERR_"),
    ("PRAGMA hard_heap_limit = 1", "ERR_NOT_PERMITTED"), ("PRAGMA temp_store_directory = '/tmp'", "ERR_NOT_PERMITTED"),
    ("SELECT zeroblob(600000000)", "ERR_LIMIT"), ("SELECT \"nope\"", "ERR_SQL"),
    ("UPDATE sqlite_schema SET sql = 'x'", "ERR_SQL"),
    ("SELECT writefile('F/x', 1)", "ERR_SQL"), ("SELECT edit('x')", "ERR_SQL"),
  ])
  func whatIsNotForScripts(_ sql: String, _ code: String) async throws {
    let seen = try await sqliteResult(
      of: """
        const db = await SQLite.open(path, { timeout: 1e8 }), sync = SQLite.openSync(path), sql = `\(sql)`.replaceAll('F/', folder + '/').replaceAll("'F'", `'${folder}'`);
        await db.exec('CREATE TABLE t (a)');
        const codes = [await db.run(sql).then(() => 'done', ({ code }) => code), await db.exec(sql).then(() => 'done', ({ code }) => code)];
        try { sync.all(sql); } catch ({ code }) { codes.push(code); }
        return [codes, await Files.exists(folder + '/b.db'), (await db.all('SELECT * FROM t')).length];
        """)
    #expect(seen.hasSuffix(",false,0]") && seen.components(separatedBy: "\"" + code).count == 4, "\(seen)")
  }

  /// What SQLite itself keeps for code at the top is refused, whatever a later one has of it. Bound values are trusted more there than
  /// those in the text: `fts3_tokenizer` gives and takes addresses so.
  @Test func functionsThatLeadOutOfSQLiteAreRefused() async throws {
    let seen = try await sqliteResult(
      of: """
        const db = await SQLite.open(path), sync = SQLite.openSync(':memory:');
        const functions = await db.all('SELECT DISTINCT name, narg, flags & 0x80000 AS isDirect FROM pragma_function_list');
        const direct = functions.filter(({ isDirect }) => isDirect).map(({ name }) => name), got = [];
        const given = ['simple', new Uint8Array(8).fill(0x41), 3, null];
        for (const { name, narg, isDirect } of functions)
          for (const count of narg < 0 ? [0, 1, 2, 3] : [narg])
            for (const value of given) {
              const sql = `SELECT ${name}(${Array(count).fill('?').join()})`, values = Array(count).fill(value);
              if (!/^\\w+$/.test(name)) continue;
              for (const run of [() => db.all(sql, ...values), async () => sync.all(sql, ...values)])
                await run().then(() => { if (isDirect) got.push(sql); }, ({ code }) => { if (isDirect && code !== 'ERR_NOT_PERMITTED') got.push(sql, code); });
            }
        return [direct.includes('fts3_tokenizer'), functions.length > 100, got];
        """)
    #expect(seen == "[true,true,[]]")
  }

  @Test func whatIsOpenedToBeReadWritesNothing() async throws {
    let seen = try await sqliteResult(
      of: """
        const db = await SQLite.open(path, { timeout: 1e8 });
        await db.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
        const reader = await SQLite.open(path, { readOnly: true }), code = ({ code }) => code, seen = [await SQLite.open(folder + '/b.db', { readOnly: true }).catch(code)];
        for (const sql of ['INSERT INTO t VALUES (2)', `VACUUM INTO '${folder}/b.db'`, `ATTACH '${folder}/b.db' AS b`, 'PRAGMA user_version = 3']) seen.push(await reader.run(sql).then(() => 'done', code));
        seen.push(await reader.transaction(tx => tx.all('SELECT * FROM t')), await Files.list(folder));
        return seen;
        """)
    #expect(
      seen
        == #"["ERR_NOT_FOUND","ERR_NOT_PERMITTED","ERR_NOT_PERMITTED","ERR_NOT_PERMITTED","ERR_NOT_PERMITTED",[{"a":1}],["a.db"]]"#
    )
  }

  @Test func relativePathsAreNoURLs() async throws {
    let seen = try await sqliteResult(
      of: """
        return [await SQLite.open('file:' + path).catch(({ code }) => code), await SQLite.open(`file://${path}?mode=memory`).catch(({ code }) => code), await Files.list(folder)];
        """)
    #expect(seen == #"["ERR_NOT_FOUND","ERR_NOT_FOUND",[]]"#)
  }

  /// A file whose changes go to another is had alone, without memory that is mapped.
  @Test func filesInWALMode() async throws {
    let seen = try await sqliteResult(
      of: """
        const db = await SQLite.open(path, { timeout: 1e8 });
        await db.exec('CREATE TABLE t (a)');
        const mode = await db.get('PRAGMA journal_mode = WAL');
        await db.close();
        const file = await Files.open(path, { mode: 'readWrite' });
        await file.write(18, new Uint8Array([2, 2]));
        await file.close();
        const again = await SQLite.open(path);
        await again.run('INSERT INTO t VALUES (1)');
        const files = await Files.list(folder);
        return [mode, await again.all('SELECT * FROM t'), files.includes('a.db-shm'), await (await SQLite.open(path, { timeout: 0 })).all('SELECT * FROM t').catch(({ code }) => code)];
        """)
    #expect(seen == #"[{"journal_mode":"delete"},[{"a":1}],false,"ERR_BUSY"]"#)
  }

  // MARK: Together

  @Test func twoBridgesOnOneFile() async throws {
    let (first, folder) = try await bridge()
    let second = try await ModuleBridge(.sqlite, capabilities: [.files])
    let open =
      "globalThis.ready = NativeModules.SQLite.open('\(folder)/a.db', { timeout: 50 }).then(db => { globalThis.db = db; return 1; })"
    for bridge in [first, second] { _ = try await bridge.bridge.evaluate(open, as: Int.self) }
    _ = try await first.bridge.evaluate("db.exec('CREATE TABLE t (a); BEGIN IMMEDIATE').then(() => 1)", as: Int.self)
    let told = "({ code, message }) => `${code} ${message}`"
    for call in ["db.run('INSERT INTO t VALUES (1)')", "db.transaction(() => {})"] {
      let text = try await second.bridge.evaluate("\(call).then(() => 'done', \(told))", as: String.self)
      #expect(
        text
          == "ERR_BUSY \(folder)/a.db: database is locked: somebody else has been at work on it for longer than 0.05 seconds"
      )
    }
    _ = try await first.bridge.evaluate("db.run('COMMIT').then(() => 1)", as: Int.self)
    let done = try await second.bridge.evaluate("db.run('INSERT INTO t VALUES (1)').then(() => 1)", as: Int.self)
    #expect(done == 1)
    await second.bridge.close()
    try await close(first, folder)
  }

  // MARK: Hostile arguments

  /// Whatever is given to whatever there is: errors of the script's own realm, and a database that is none the worse.
  @Test func hostileArguments() async throws {
    let (bridge, folder) = try await bridge(with: .definitions([.foreignCheck]))
    try await bridge.bridge.evaluate(
      """
      globalThis.ready = (async () => {
        const { SQLite } = NativeModules, path = '\(folder)/a.db';
        const bomb = () => { throw new RangeError('mine'); };
        const values = [undefined, null, NaN, -0, 2 ** 53 + 2, 2n ** 64n, -(2n ** 63n), '', '\\ud800', 'a\\0b', 'SELECT 1', 'SELECT ?', 'x'.repeat(1 << 20), Symbol('s'), bomb, async () => {}, [], [[]], {},
          { '': 1 }, { a: bomb }, { get a() { return bomb(); } }, { valueOf: bomb, toString: bomb }, { then: bomb }, new Proxy({}, { get: bomb, ownKeys: bomb, getPrototypeOf: bomb, has: bomb }),
          new Proxy([], { get: bomb }), new Proxy([], { get: () => 1e9 }), new Proxy(function () {}, { apply: bomb, get: bomb }), new Date, new Map, /x/, Promise.reject(new Error('rejected')), new Uint8Array(3), new ArrayBuffer(8).transfer(), new DataView(new ArrayBuffer(2)),
          new Error('e'), globalThis, NativeModules, Object.create(null), class {}, new WeakRef({}), AbortSignal.abort()];
        values[31].catch(() => {});
        // They cannot be asked for their length.
        values.splice(26, 1);
        const db = await SQLite.open(path, { timeout: 1e8 }), sync = SQLite.openSync(':memory:'), store = await SQLite.keyValue('\(folder)/b.db'), statement = await db.prepare('SELECT ? AS a'), syncStatement = sync.prepare('SELECT ? AS a');
        await db.exec('CREATE TABLE t (a)');
        const wrong = [], check = (name, value) => { if ((typeof value === 'object' && value !== null || typeof value === 'function') && isForeign(value)) wrong.push(name); };
        let seed = 3;
        const random = n => (seed = seed * 48271 % 2147483647) % n, any = () => values[random(values.length)];
        const objects = { SQLite, db, sync, store, statement, syncStatement };
        for (const [owner, object] of Object.entries(objects)) {
          const prototype = owner === 'SQLite' ? object : Object.getPrototypeOf(object);
          for (const name of Reflect.ownKeys(prototype)) {
            const method = Object.getOwnPropertyDescriptor(prototype, name).value;
            if (typeof method !== 'function' || name === 'close' || name === 'constructor' || typeof name === 'symbol') continue;
            for (let i = 0; i < 120; i++) {
              const given = Array.from({ length: random(5) }, any), self = random(10) === 0 ? any() : object;
              if (owner === 'SQLite' && typeof given[0] === 'string') given[0] = ':memory:';
              try {
                const made = method.apply(self, given);
                check(`${owner}.${String(name)}`, made);
                if (typeof made?.next === 'function') { check('next', await made.next()); check('return', await made.return?.(1)); }
                const value = await made;
                check(`${owner}.${String(name)} value`, value);
                if (Array.isArray(value)) for (const one of value) check('row', one);
              } catch (error) {
                check(`${owner}.${String(name)} error`, error);
                if (typeof error === 'object' && error !== null && !(error instanceof Error)) wrong.push(`${owner}.${String(name)} ${error}`);
              }
            }
          }
        }
        sync.function('ok', a => a); await db.function('ok', a => a);
        return [wrong.join(), (await db.get('SELECT ok(1) AS a')).a, sync.get('SELECT ok(2) AS a').a, await db.transaction(async tx => (await tx.all('SELECT 3')).length)].join(' ');
      })();
      """)
    #expect(try await bridge.bridge.evaluate("ready", as: String.self) == " 1 2 1")
    try await close(bridge, folder)
  }

  /// SQL of all kinds of nonsense ends as an error with a place, or not at all.
  @Test func hostileSQL() async throws {
    let seen = try await sqliteResult(
      of: """
        const db = await SQLite.open(path, { timeout: 1e8 }), words = ['SELECT', '(', ')', '*', 'FROM', "'", '"', '--', '/*', ';', 't', '1', 'x', ',', '\\n', '?', ':a', 'WHERE', 'BEGIN', 'COMMIT', 'INSERT INTO', 'VALUES', 'é', '😀', '\\t', 'WITH', 'AS', 'UNION', "x'0", '1e999', '[', '`'];
        let seed = 11, count = 0;
        const random = n => (seed = seed * 48271 % 2147483647) % n, wrong = [];
        for (let i = 0; i < 3000; i++) {
          const sql = Array.from({ length: random(12) }, () => words[random(words.length)]).join(' ');
          try { await db.all(sql); } catch (error) {
            count++;
            const { code, sqlLine, sqlColumn } = error, lines = sql.split('\\n');
            if (!['ERR_SQL', 'ERR_ARGUMENT'].includes(code) || sqlLine !== undefined && !(sqlLine <= lines.length && sqlColumn <= lines[sqlLine - 1].length + 1)) wrong.push(`${sql}: ${error}`);
          }
        }
        const deep = '('.repeat(100000) + '1' + ')'.repeat(100000), wide = 'SELECT ' + Array(3000).fill(1).join();
        return [wrong, count > 1000, await db.all(`SELECT ${deep}`).catch(({ code }) => code), await db.all(wide).catch(({ code }) => code), await db.all('SELECT 1 ' + ' '.repeat(1 << 25)).catch(({ code }) => code),
          await db.exec(';'.repeat(1000000)), await db.all('SELECT 1' + ';'.repeat(1000000)).then(({ length }) => length), await db.exec('-- a\\n;'.repeat(100000) + 'SELECT 1; SELECT 2'), await db.run('/* */ ; -- x').catch(({ code }) => code),
          await db.all('SELECT ' + '?,'.repeat(1999) + '?', ...Array(2000).fill(1)).then(([row]) => Object.keys(row).length)];
        """)
    #expect(seen == #"[[],true,"ERR_SQL","ERR_SQL","ERR_LIMIT",null,1,null,"ERR_ARGUMENT",1]"#)
  }

  // MARK: What they share

  private func bridge(
    with modules: ModuleSelection = .none, _ configure: (inout BridgeConfiguration) -> Void = { _ in }
  ) async throws -> (bridge: ModuleBridge, folder: String) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    return (try await ModuleBridge(.sqlite + modules, capabilities: [.files], configure), folder)
  }

  private func close(_ bridge: ModuleBridge, _ folder: String) async throws {
    #expect(await bridge.bridge.close(within: patience))
    #expect(bridge.uncaught == [])
    try await expectNothingOpen(in: folder)
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func expectNothingOpen(in folder: String) async throws {
    let deadline = ContinuousClock.now + patience
    while openFiles(in: folder) > 0, .now < deadline { try await Task.sleep(for: .milliseconds(5)) }
    #expect(openFiles(in: folder) == 0)
  }

  /// How many descriptors of this process lead there.
  private func openFiles(in path: String) -> Int {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return all.count { descriptor in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
      return target?.hasPrefix(path) == true
    }
  }
}
