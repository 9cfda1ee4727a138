import EventLoop
import Foundation
import Trestle
import TrestleModules

extension Harness {
  /// A database in a file: rows of an integer, a text and a number, in one transaction, and back.
  mutating func measureDatabases() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var configuration = BridgeConfiguration()
    configuration.capabilities = [.files]
    let script = try HostedScript(
      modules: .standard + .sqlite, script: "const folder = '\(folder)';\n" + databaseScript,
      configuration: configuration)
    measure("database: 100 000 rows inserted in one transaction", units: 1, setUp: {}) { _ in
      script.await("inserts", 100_000)
    }
    measure("database: the same, waited for", units: 1, setUp: {}) { _ in script.await("insertsNow", 100_000) }
    measure("database: 100 000 rows read at once", units: 1, setUp: {}) { _ in script.await("reads") }
    measure("database: the same by a loop", units: 1, setUp: {}) { _ in script.await("walks") }
    measure("database: a row by its key, awaited", units: 2000, setUp: {}) { _ in script.await("gets", 2000) }
    script.close()
  }
}

private let databaseScript = """
  const { SQLite } = NativeModules, table = 'DROP TABLE IF EXISTS t; CREATE TABLE t (a INTEGER, b TEXT, c REAL)', insert = 'INSERT INTO t VALUES (?, ?, ?)';
  const database = SQLite.open(folder + '/a.db'), sync = SQLite.openSync(folder + '/b.db');
  async function inserts(count) {
    const db = await database;
    await db.exec(table);
    await db.transaction(async tx => {
      let last;
      for (let i = 0; i < count; i++) last = tx.run(insert, i, 'row ' + i, i + 0.5);
      await last;
    });
  }
  async function insertsNow(count) {
    sync.exec(table);
    const statement = sync.prepare(insert);
    sync.transaction(() => { for (let i = 0; i < count; i++) statement.run(i, 'row ' + i, i + 0.5); });
  }
  async function reads() { await (await database).all('SELECT * FROM t'); }
  async function walks() { for await (const row of (await database).iterate('SELECT * FROM t')); }
  async function gets(count) {
    const statement = await (await database).prepare('SELECT * FROM t WHERE rowid = ?');
    for (let i = 1; i <= count; i++) await statement.get(i);
  }
  Object.assign(globalThis, { inserts, insertsNow, reads, walks, gets });
  """
