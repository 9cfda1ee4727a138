import Foundation
import Testing

/// Databases of scripts that are ended, through the real binary.
@Suite struct DatabaseTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ script: String, options: [String] = []) async throws -> Program.Outcome {
    folder.write(script, to: "script.mjs")
    return try await Program(name: Program.trestle, folder: folder).run(options + ["script.mjs"])
  }

  /// SQLite calls itself once for each link of a chain: also where a script leaves it little of the stack.
  @Test(arguments: [
    ("open", "create table t$(a primary key references t#(a) on delete cascade)", "delete from t0"),
    ("openSync", "create table t$(a primary key references t#(a) on delete cascade)", "delete from t0"),
    (
      "openSync", "create table t$(a); create trigger x$ after insert on t# begin insert into t$ values (1); end",
      "insert into t0 values (1)"
    ),
  ]) func chainsOfTriggers(_ open: String, _ link: String, _ statement: String) async throws {
    let outcome = try await run(
      """
      import { \(open) } from 'trestle:sqlite';
      const db = await \(open)(':memory:');
      let sql = 'begin; create table t0(a primary key);';
      for (let i = 1; i < 8000; i++) sql += `\(link);`.replaceAll('$', i).replaceAll('#', i - 1);
      await db.exec(sql + 'commit');
      const told = new Set();
      const act = async () => { try { await db.run('\(statement)'); told.add('done') } catch ({ code }) { told.add(code) } };
      await act();
      const deeper = n => n === 0 ? act() : deeper(n - 1);
      for (let n = 100; n < 1e6; n *= 2) try { await deeper(n) } catch (error) { if (!(error instanceof RangeError)) throw error }
      console.log([...told].join());
      """)
    #expect(outcome == Program.Outcome(code: 0, output: "ERR_LIMIT\n", error: ""))
  }

  /// Its queries overflow the stack.
  @Test func withPermissionsThereIsNoFTS5() async throws {
    let script =
      """
      import { openSync } from 'trestle:sqlite';
      const db = openSync(':memory:');
      for (const version of [4, 5]) try { db.exec(`create virtual table f${version} using fts${version}(a)`) } catch ({ message }) { console.log(message) }
      """
    let sandboxed = try await run(script, options: ["--sandbox", "--allow-read=."])
    #expect(sandboxed.output == ":memory:: no such module: fts5: with permissions there is fts4\n", "\(sandboxed)")
    #expect(try await run(script) == Program.Outcome(code: 0, output: "", error: ""))
  }

  /// What is told to be kept is there after the process was killed, each transaction whole or not at all.
  @Test(arguments: ["open", "openSync"], [0, 1, 2, 3]) func whatIsKeptSurvives(_ open: String, _ round: Int)
    async throws
  {
    folder.write(
      """
      import { \(open) } from 'trestle:sqlite';
      const db = await \(open)('a.db');
      await db.exec('CREATE TABLE t (n, part)');
      for (let n = 0; ; n++) {
        await db.transaction(\(open == "open" ? "async tx" : "(tx = db)") => {
          for (let part = 0; part < 100; part++) { const done = tx.run('INSERT INTO t VALUES (?, ?)', n, part); \(open == "open" ? "await done;" : "") }
        });
        console.log(n);
      }
      """, to: "writer.mjs")
    let program = Program(name: Program.trestle, folder: folder)
    let child = try program.start(["writer.mjs"])
    while folder.read(".output").split(separator: "\n").count < 1 + round * 2 {
      try await Task.sleep(for: .milliseconds(1))
    }
    try await Task.sleep(for: .microseconds(round * 700))
    kill(child, SIGKILL)
    let killed = try await program.finish(child)
    #expect(killed.code == 128 + SIGKILL, "\(killed)")
    // The last line may be cut short.
    let told = killed.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().count
    let outcome = try await run(
      """
      import { open } from 'trestle:sqlite';
      const db = await open('a.db', { create: false });
      const rows = await db.all('SELECT n, count(*) AS parts FROM t GROUP BY n ORDER BY n');
      console.log(rows.length, rows.every(({ n, parts }, i) => n === i && parts === 100), (await db.get('PRAGMA integrity_check')).integrity_check);
      """)
    let words = outcome.output.split { $0.isWhitespace }
    #expect(words.dropFirst() == ["true", "ok"] && outcome.error == "", "\(outcome)")
    let count = words.first.flatMap { Int($0) } ?? -1
    #expect(count == told || count == told + 1, "\(count) of \(told)")
  }

  /// Also on the JavaScript thread SQLite is ended with the run.
  @Test(
    arguments: ["(await open('a.db')).get(endless)", "openSync('a.db').get(endless)"],
    [[], ["--cpu-prof", "a.cpuprofile"]])
  func aRunEndsWhateverSQLiteIsAt(_ call: String, _ options: [String]) async throws {
    let outcome = try await run(
      """
      import { open, openSync } from 'trestle:sqlite';
      const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
      await \(call);
      """, options: options + ["--timeout", "1"])
    #expect(outcome.code == 124, "\(outcome)")
  }

  /// Databases that are open open files of their own when they are written: others still find descriptors.
  @Test func descriptorsAreLeftForOthers() async throws {
    folder.write(
      """
      import { open } from 'trestle:sqlite';
      const all = [], failures = new Set();
      try { for (let i = 0; ; i++) all.push(await open(`${i}.db`)); } catch ({ code }) { failures.add(code); }
      for (const db of all) await db.exec('BEGIN; CREATE TABLE t (a)').catch(({ code }) => failures.add(code));
      await new Promise(resolve => new Worker('postMessage(1)', { eval: true }).onmessage = ({ target }) => { target.terminate(); resolve(); }).catch(() => {});
      console.log(all.length > 10, [...failures].join());
      """, to: "many.mjs")
    let trestle = Program.products.appendingPathComponent(Program.trestle).path
    let outcome = try await Program(name: "/bin/sh", folder: folder).run([
      "-c", "ulimit -n 150; exec '\(trestle)' --timeout 60 many.mjs",
    ])
    #expect(outcome.output == "true ERR_SYSTEM\n" && outcome.code == 0, "\(outcome)")
  }

  @Test func errorsNameTheFileAndThePlace() async throws {
    let outcome = try await run(
      "import { open } from 'trestle:sqlite'; await (await open('a.db')).all('SELECT\\n  nope');")
    #expect(outcome.code == 1 && outcome.error.contains("a.db: no such column: nope (line 2, column 3)"), "\(outcome)")
  }

  /// What has forgotten its databases ends by itself.
  @Test func openDatabasesKeepNoRunAlive() async throws {
    let outcome = try await run(
      "import { open, keyValue } from 'trestle:sqlite'; const db = await open('a.db'); await db.iterate('SELECT 1').next(); await keyValue('b.db'); console.log(db);"
    )
    #expect(outcome.output == "Database { path: 'a.db' }\n" && outcome.code == 0, "\(outcome)")
  }
}
