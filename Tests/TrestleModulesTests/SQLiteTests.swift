import Foundation
import TestSupport
import Testing
import Trestle
import TrestleModules

/// Databases in files: `SQLite.open`.
@Suite struct SQLiteTests {
  @Test func rowsAreKeptExactly() async throws {
    let seen = try await sqliteResult(
      of: """
        const db = await SQLite.open(path, { timeout: 1e8 });
        await db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, value)');
        const values = [null, 0, -1, 1.5, -1e308, 2 ** 53 - 1, 2 ** 53, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n), Infinity, '', 'a\\0b', '\\u{1f600}é', 'x'.repeat(100000), new Uint8Array([0, 255]), new Uint8Array(0)];
        for (const value of values) await db.run('INSERT INTO t (value) VALUES (?)', value);
        const rows = await db.all('SELECT value FROM t ORDER BY id');
        const same = (a, b) => a instanceof Uint8Array ? b instanceof Uint8Array && `${a}` === `${b}` : typeof a === 'bigint' ? BigInt(b) === a : Object.is(a, b);
        const wrong = values.filter((value, i) => !same(value, rows[i].value)).map(String);
        const { minus } = await db.get('SELECT ? AS minus', -0);
        await db.close();
        return [wrong, rows.length === values.length, Object.is(minus, -0)];
        """)
    #expect(seen == "[[],true,true]")
  }

  @Test func positionalAndNamedValues() async throws {
    let seen = try await sqliteResult(
      of: """
        const db = await SQLite.open(':memory:'), get = (...all) => db.get(...all).then(row => row && Object.values(row), told);
        return [await get('SELECT ? AS a, ? AS b', 1, 'a'), await get('SELECT ?2 AS a, ?1 AS b', [1, 'a']), await get('SELECT :a AS a, @b AS b, $c AS c, :a AS d', { a: 1, '@b': 2, c: 3 }),
          await get('SELECT 1'), await get('SELECT 1 WHERE 0')];
        """)
    #expect(seen == #"[[1,"a"],["a",1],[1,2,3,1],[1],null]"#)
  }

  @Test func whatAStatementHasChanged() async throws {
    let seen = try await sqliteResult(
      of: """
        const db = await SQLite.open(path, { timeout: 1e8 }), seen = [];
        for (const sql of ['CREATE TABLE t (a)', 'INSERT INTO t VALUES (1), (2), (3)', 'SELECT * FROM t', 'UPDATE t SET a = a + 1 WHERE a > 1', 'DELETE FROM t', 'DROP TABLE t'])
          seen.push((({ changes, lastInsertRowid }) => `${changes} ${lastInsertRowid}`)(await db.run(sql)));
        return seen;
        """)
    #expect(seen == #"["0 0","3 3","0 3","2 3","3 3","0 3"]"#)
  }

  @Test func whatIsInWALModeSaysWhyItIsNotRead() async throws {
    let seen = try await sqliteResult(
      of: """
        const db = await SQLite.open(path, { timeout: 1e8 });
        await db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)');
        await db.close();
        const refused = await SQLite.open(path, { readOnly: true }).catch(({ code, message }) => `${code} ${message}`);
        const again = await SQLite.open(path, { timeout: 1e8 });
        return [refused.replace(folder, ''), await again.all('SELECT a FROM t')];
        """)
    #expect(
      seen
        == #"["ERR_NOT_PERMITTED /a.db: it is in WAL mode, and only who may write it can have it alone: open it without 'readOnly'",[{"a":1}]]"#
    )
  }

  @Test func rowsAsArraysAndUnderAnyName() async throws {
    let seen = try await sqliteResult(
      of: """
        const db = await SQLite.open(':memory:', { rows: 'arrays' }), sql = 'SELECT 1 AS a, 2 AS a, 3 AS "__proto__", 4 AS "b c\\'`${x}", 5 AS "constructor"';
        const arrays = await db.all(sql), objects = await (await db.prepare(sql, { rows: 'objects' })).all();
        const [row] = objects;
        return [arrays, Object.keys(row), Object.getPrototypeOf(row) === Object.prototype, row.a, row['__proto__'], arrays instanceof Array];
        """)
    #expect(seen == #"[[[1,2,3,4,5]],["a","__proto__","b c'`${x}","constructor"],true,2,3,true]"#)
  }

  @Test func loopsTakeWhatTheyWant() async throws {
    let seen = try await sqliteResult(
      of: """
        const db = await SQLite.open(path, { timeout: 1e8 }), seen = [];
        await db.exec('CREATE TABLE t (a); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) INSERT INTO t SELECT i FROM n');
        let sum = 0;
        for await (const { a } of db.iterate('SELECT a FROM t')) sum += a;
        for await (const { a } of db.iterate('SELECT a FROM t WHERE a > ?', 500)) if (a > 900) { seen.push(a); break; }
        const rows = (await db.prepare('SELECT a FROM t LIMIT 2')).iterate();
        const asked = await Promise.all([rows.next(), rows.next(), rows.next(), rows.next()]);
        seen.push(sum, asked.map(({ value, done }) => done ? 'done' : value.a));
        seen.push(await db.iterate('SELECT nope').next().catch(told), (await db.iterate('SELECT 1').return('x')).value);
        // Nothing is being read any more.
        await (await SQLite.open(path, { timeout: 0 })).run('DELETE FROM t');
        return seen;
        """)
    #expect(seen == #"[901,500500,[1,2,"done","done"],"ERR_SQL F/a.db: no such column: nope (line 1, column 8)","x"]"#)
  }

  /// An endless query gives what is asked for, and no more.
  @Test func loopsHoldBackTheirQuery() async throws {
    let seen = try await sqliteResult(
      of: """
        const db = await SQLite.open(':memory:');
        let count = 0;
        for await (const { i } of db.iterate('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n')) if (++count === 5000) return i;
        """)
    #expect(seen == "5000")
  }

  // MARK: Transactions

  @Test func transactionsAreKeptOrUndone() async throws {
    let seen = try await sqliteResult(
      of: """
        const db = await SQLite.open(path, { timeout: 1e8 }), seen = [];
        await db.exec('CREATE TABLE t (a)');
        const all = async (from = db) => (await from.all('SELECT a FROM t')).map(({ a }) => a).join();
        seen.push(await db.transaction(async tx => { await tx.run('INSERT INTO t VALUES (1)'); return 'kept'; }), await all());
        const failure = new Error('mine');
        seen.push(await db.transaction(async tx => { await tx.run('INSERT INTO t VALUES (2)'); throw failure; }).catch(error => error === failure), await all());
        seen.push(await db.transaction(tx => { tx.run('INSERT INTO t VALUES (3)'); throw failure; }).catch(error => error === failure), await all());
        await db.transaction(async tx => {
          await tx.run('INSERT INTO t VALUES (4)');
          await tx.transaction(async inner => {
            await inner.run('INSERT INTO t VALUES (5)');
            await inner.transaction(third => third.run('INSERT INTO t VALUES (6)'));
            throw failure;
          }).catch(() => seen.push('inner'));
          await tx.transaction(inner => inner.run('INSERT INTO t VALUES (7)'));
          seen.push(await all(tx));
        });
        seen.push(await all());
        return seen;
        """)
    #expect(seen == #"["kept","1",true,"1",true,"1","inner","1,4,7","1,4,7"]"#)
  }

  /// Whatever is asked beside them, and wherever the calls are waited for.
  @Test func transactionsAreAlone() async throws {
    let seen = try await sqliteResult(
      of: """
        const db = await SQLite.open(path, { timeout: 1e8 });
        await db.exec('CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (0)');
        const add = tx => tx.get('SELECT n FROM t').then(({ n }) => new Promise(resolve => setTimeout(resolve, 1, n))).then(n => tx.run('UPDATE t SET n = ?', n + 1));
        const others = [];
        await Promise.all(Array.from({ length: 20 }, (_, i) => {
          others.push(db.get('SELECT n FROM t'));
          return db.transaction(tx => i % 2 ? add(tx) : Promise.all([tx.transaction(add), tx.transaction(add)]));
        }));
        await Promise.all(others);
        return (await db.get('SELECT n FROM t')).n;
        """)
    #expect(seen == "30")
  }

  @Test func callsAreDoneInTheirOrder() async throws {
    let seen = try await sqliteResult(
      of: """
        const db = await SQLite.open(path, { timeout: 1e8 });
        db.exec('CREATE TABLE t (a)');
        for (let i = 0; i < 200; i++) db.run('INSERT INTO t VALUES (?)', i);
        const rows = db.all('SELECT a FROM t');
        await db.close();
        return (await rows).every(({ a }, i) => a === i) && (await rows).length;
        """)
    #expect(seen == "200")
  }

  /// Thousands of calls that wait for a transaction are done behind it, in their order.
  @Test func manyWaitForATransaction() async throws {
    let seen = try await sqliteResult(
      of: """
        const db = await SQLite.open(path, { timeout: 1e8 }), count = 5000;
        await db.exec('CREATE TABLE t (a INTEGER PRIMARY KEY, n)');
        let last;
        await db.transaction(async tx => {
          for (let n = 1; n <= count; n++) last = n % 250 === 0 ? db.transaction(tx => tx.run('INSERT INTO t (n) VALUES (?)', n)) : db.get('SELECT 1');
          await tx.run('INSERT INTO t (n) VALUES (0)');
        });
        await last;
        return (await db.all('SELECT n FROM t ORDER BY a')).map(({ n }) => n / 250).join();
        """)
    #expect(seen == #""0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20""#)
  }

  @Test(arguments: [
    ("tx => tx.run('COMMIT')", "ERR_NOT_PERMITTED F/a.db: a transaction is open, which ends with its function"),
    ("tx => tx.exec('ROLLBACK; SELECT 1')", "ERR_NOT_PERMITTED F/a.db: a transaction is open"),
    ("tx => tx.run('SAVEPOINT x')", "ERR_NOT_PERMITTED F/a.db: a transaction is open"),
    ("tx => tx.run('BEGIN')", "ERR_NOT_PERMITTED F/a.db: a transaction is open"),
    (
      "() => db.run('SELECT 1')",
      "ERR_BUSY F/a.db: a transaction has been open for longer than 0.05 seconds: what belongs"
    ),
    ("() => db.transaction(() => {})", "ERR_BUSY F/a.db: a transaction has been open for longer"),
    ("() => db.close()", "ERR_BUSY F/a.db: a transaction has been open for longer"),
    ("tx => tx.transaction(() => tx.run('SELECT 1'))", "ERR_BUSY F/a.db: a transaction has been open for longer"),
    ("3", "ERR_ARGUMENT Database.transaction, argument 1: expected function, got number 3"),
    ("tx => tx.run('INSERT INTO child VALUES (7)')", "ERR_CONSTRAINT F/a.db: FOREIGN KEY constraint failed"),
  ])
  func whatEndsATransaction(_ body: String, _ outcome: String) async throws {
    let seen = try await sqliteResult(
      of: """
        const db = await SQLite.open(path, { timeout: 50 });
        await db.exec('CREATE TABLE t (a); CREATE TABLE parent (id INTEGER PRIMARY KEY); CREATE TABLE child (id REFERENCES parent DEFERRABLE INITIALLY DEFERRED)');
        await db.run('COMMIT').catch(() => {});
        const outcome = await db.transaction(\(body)).then(() => 'done', told);
        // Nothing of it is left, and what follows is none the worse.
        await db.transaction(tx => tx.run('INSERT INTO t VALUES (1)'));
        return [outcome, (await db.all('SELECT * FROM t')).length, (await db.all('SELECT * FROM child')).length];
        """)
    #expect(seen.hasPrefix("[\"\(outcome)") && seen.hasSuffix(",1,0]"), "\(seen)")
  }

  @Test func aTransactionThatIsOverIsClosed() async throws {
    let seen = try await sqliteResult(
      of: """
        const db = await SQLite.open(path, { timeout: 1e8 }), seen = [];
        let kept, rows, statement;
        await db.transaction(async tx => {
          kept = tx;
          statement = await tx.prepare('SELECT 1');
          rows = tx.iterate('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) SELECT i FROM n');
          await rows.next();
        });
        for (let i = 0; i < 255; i++) await rows.next();
        return [await kept.run('SELECT 1').catch(told), await kept.transaction(() => {}).catch(told), await statement.get().catch(told), await rows.next().catch(told), (await rows.next()).done];
        """)
    let over = #""ERR_CLOSED F/a.db: the transaction is over""#
    #expect(seen == "[\(over),\(over),\(over),\"ERR_CLOSED F/a.db: the rows went with their transaction\",true]")
  }

  // MARK: Functions

  @Test func functionsOfTheScript() async throws {
    let seen = try await sqliteResult(
      of: """
        const db = await SQLite.open(path, { timeout: 1e8 }), seen = [], values = (sql) => db.get(sql).then(row => Object.values(row)[0], told);
        await db.function('glue', (...all) => all.map(value => value === null ? 'null' : typeof value === 'object' ? `<${value}>` : `${typeof value} ${value}`).join());
        await db.function('give', { deterministic: true }, i => [undefined, null, true, 2n ** 60n, 'a\\0b', new Uint8Array([7]), new Uint8Array(0), 1.5][i]);
        seen.push(await values("SELECT glue(1, 1.5, 'a', x'0102', NULL, 9007199254740993)"), await values('SELECT glue()'));
        for (let i = 0; i < 8; i++) seen.push(`${await values(`SELECT give(${i})`)} ${await values(`SELECT typeof(give(${i}))`)}`);
        return seen;
        """)
    #expect(
      seen
        == #"["number 1,number 1.5,string a,<1,2>,null,bigint 9007199254740993","","null null","null null","1 integer","1152921504606846976 integer","a\u0000b text","7 blob"," blob","1.5 real"]"#
    )
  }

  @Test(arguments: [
    ("() => { throw failure; }", "mine"),
    ("() => Promise.resolve(1)", "what the function gives: expected null"),
    ("() => ({})", "what the function gives: expected"), ("() => NaN", "got NaN"),
    ("() => '\\ud800'", "half of a surrogate pair"),
    ("() => 2n ** 64n", "which has more than 64 bits"), ("function f() { return f(); }", "Maximum call stack"),
    ("() => ({ get then() { throw failure; } })", "what the function gives: expected"),
    ("() => new Proxy({}, { get() { throw failure; } })", "what the function gives: expected"),
  ])
  func functionsThatFail(_ body: String, _ outcome: String) async throws {
    for open in ["await SQLite.open(path)", "SQLite.openSync(path)"] {
      let seen = try await sqliteResult(
        of: """
          const db = \(open), failure = new Error('mine');
          await db.function('f', \(body));
          const outcome = await (async () => db.get('SELECT f()'))().then(() => 'done', error => error === failure ? 'mine' : error.message);
          return [outcome, (await db.get('SELECT 1 AS a')).a];
          """)
      #expect(seen.contains(outcome) && seen.hasSuffix(",1]"), "\(open): \(seen)")
    }
  }

  /// A function cannot wait for what waits for it; what it asks for is done behind it.
  @Test func functionsThatUseTheirDatabase() async throws {
    let seen = try await sqliteResult(
      of: """
        const db = await SQLite.open(path, { timeout: 1e8 }), sync = SQLite.openSync(':memory:'), seen = [];
        let asked;
        await db.function('f', () => { asked = db.get('SELECT 2 AS a'); return 1; });
        seen.push((await db.get('SELECT f() AS a')).a, (await asked).a);
        sync.function('f', () => sync.get('SELECT 1').a);
        sync.function('g', () => { sync.close(); });
        for (const sql of ['SELECT f()', 'SELECT g()']) try { sync.get(sql); } catch (error) { seen.push(told(error)); }
        return [...seen, sync.get('SELECT 3 AS a').a];
        """)
    let busy = #""ERR_BUSY :memory:: at work: a function that SQL calls cannot use the database that calls it""#
    #expect(seen == "[1,2,\(busy),\(busy),3]")
  }

  /// What stands in a file is not trusted: it calls no function of the script's.
  @Test func filesCallNoFunctions() async throws {
    let seen = try await sqliteResult(
      of: """
        const db = await SQLite.open(path, { timeout: 1e8 });
        await db.function('f', () => 1);
        await db.exec('CREATE TABLE t (a); CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT f(); END; CREATE VIEW v AS SELECT f() AS a');
        return [await db.run('INSERT INTO t VALUES (1)').catch(told), await db.all('SELECT * FROM v').catch(told), (await db.get('SELECT f() AS a')).a];
        """)
    #expect(seen == #"["ERR_SQL F/a.db: unsafe use of f()","ERR_SQL F/a.db: unsafe use of f()",1]"#)
  }

  // MARK: The synchronous form

  @Test func whatIsWaitedFor() async throws {
    let seen = try await sqliteResult(
      of: """
        const db = SQLite.openSync(path), seen = [];
        db.exec('CREATE TABLE t (a)');
        const insert = db.prepare('INSERT INTO t VALUES (:a)');
        seen.push(db.transaction(() => { for (let a = 0; a < 1000; a++) insert.run({ a }); return 'kept'; }));
        const failure = new Error('mine'), failed = body => { try { return body(); } catch (error) { return error === failure ? 'mine' : told(error); } };
        seen.push(failed(() => db.transaction(() => { db.run('DELETE FROM t'); throw failure; })));
        seen.push(failed(() => db.transaction(() => { db.run('DELETE FROM t WHERE a > 500'); failed(() => db.transaction(() => { db.run('DELETE FROM t'); throw failure; })); return 'outer'; })));
        seen.push(failed(() => db.transaction(async () => {})), failed(() => db.run('COMMIT')));
        seen.push(db.get('SELECT count(*) AS n FROM t').n, [...db.iterate('SELECT a FROM t')].length);
        for (const { a } of db.iterate('SELECT a FROM t')) if (a === 300) break;
        await (await SQLite.open(path, { timeout: 0 })).run('DELETE FROM t');
        db.close(); db.close();
        seen.push(failed(() => insert.run({ a: 1 })), failed(() => db.close()));
        return seen;
        """)
    #expect(
      seen
        == #"["kept","mine","outer","ERR_ARGUMENT SyncDatabase.transaction: the function gave a promise, which is not waited for","ERR_SQL F/a.db: cannot commit - no transaction is active",501,501,"ERR_CLOSED F/a.db: the database is closed",null]"#
    )
  }
}

/// Runs the body of an async function that has `SQLite`, a `folder` of its own and `path` in it; gives what it returns, as text. In that
/// `F` stands for the folder.
///
/// - Parameter meanwhile: is called with the folder once the script has told its answer; the bridge is closed behind that.
func sqliteResult(
  of body: String, configure: (inout BridgeConfiguration) -> Void = { _ in },
  meanwhile: (_ folder: String) async throws -> Void = { _ in }
) async throws -> String {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let bridge = try await ModuleBridge(.files + .sqlite, capabilities: [.files], configure)
  let script = """
    (async () => {
      const { SQLite, Files } = NativeModules, folder = '\(folder)', path = folder + '/a.db', told = error => `${error.code} ${error.message}`;
      \(body)
    })().then(value => JSON.stringify(value) ?? 'undefined', error => error.message)
    """
  let text = try await bridge.bridge.evaluate(script, as: String.self)
  try await meanwhile(folder)
  await bridge.bridge.close()
  #expect(bridge.uncaught == [])
  return text.replacing(folder, with: "F")
}
