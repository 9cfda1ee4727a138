import Foundation
import Testing
import Trestle
import TrestleModules

/// What the article Databases shows.
@Suite struct DatabaseGuideTests {
  /// Runs the body of an asynchronous function that has `SQLite` and a `path`.
  private func result(of body: String) async throws -> String {
    try await guideResult(of: body, .sqlite) { folder in
      "const { SQLite } = NativeModules, path = '\(folder)/a.db', names = [];"
    }
  }

  private static let cities = """
    const db = await SQLite.open(path);
    await db.exec('CREATE TABLE city (name TEXT, people INTEGER)');
    await db.run('INSERT INTO city VALUES (?, ?)', 'Ulm', 126000);
    await db.run('INSERT INTO city VALUES (:name, :people)', { name: 'Bonn', people: 331000 });
    const { people } = await db.get('SELECT people FROM city WHERE name = ?', 'Bonn');
    const rows = await db.all('SELECT name FROM city ORDER BY name');

    """

  @Test func rows() async throws {
    let seen = try await result(
      of: Self.cities + """
        for await (const { name, people } of db.iterate('SELECT * FROM city ORDER BY people DESC')) {
          names.push(name);
          if (people < 200000) break;
        }
        return [people, rows.map(({ name }) => name), names].join(' ');
        """)
    #expect(seen == "331000 Bonn,Ulm Bonn,Ulm")
  }

  @Test func transactions() async throws {
    let seen = try await result(
      of: """
        const db = await SQLite.open(path);
        await db.exec("CREATE TABLE account (name TEXT, amount INTEGER); INSERT INTO account VALUES ('a', 10), ('b', 0)");
        const transfer = (from, to, amount) => db.transaction(async tx => {
          await tx.run('UPDATE account SET amount = amount - ? WHERE name = ?', amount, from);
          const { left } = await tx.get('SELECT amount AS left FROM account WHERE name = ?', from);
          if (left < 0) throw new RangeError(`${from} has not so much`);
          await tx.run('UPDATE account SET amount = amount + ? WHERE name = ?', amount, to);
          return left;
        });
        const left = await Promise.all([transfer('a', 'b', 7), transfer('a', 'b', 7).catch(({ message }) => message)]);
        return [left, (await db.all('SELECT amount FROM account')).map(({ amount }) => amount)].join(' ');
        """)
    #expect(seen == "3,a has not so much 3,7")
  }

  @Test func functionsAndMigrations() async throws {
    let seen = try await result(
      of: Self.cities + """
        await db.function('reverse', { deterministic: true }, text => [...text].reverse().join(''));
        const { mlU } = await db.get('SELECT reverse(name) AS mlU FROM city WHERE reverse(name) = ?', 'mlU');
        const taken = await db.migrate([
          'CREATE TABLE note (text TEXT)',
          'ALTER TABLE note ADD COLUMN time INTEGER',
          async tx => { await tx.run('UPDATE note SET time = ?', Date.now()); },
        ]);
        return [mlU, taken].join(' ');
        """)
    #expect(seen == "mlU 3")
  }

  @Test func valuesByKeys() async throws {
    let seen = try await result(
      of: """
        const store = await SQLite.keyValue(path);
        await store.set('user/1', { name: 'Ida', tags: ['new'] });
        await store.batch([{ type: 'set', key: 'user/2', value: { name: 'Ole' } }, { type: 'delete', key: 'user/3' }]);
        await store.transaction(async part => part.set('count', (await part.get('count') ?? 0) + 1));
        for await (const [key, { name }] of store.list({ prefix: 'user/' })) names.push(`${key} ${name}`);
        return [await store.get('count'), names].join(' ');
        """)
    #expect(seen == "1 user/1 Ida,user/2 Ole")
  }

  @Test func smallThings() async throws {
    let seen = try await result(
      of: """
        const sync = SQLite.openSync(':memory:');
        sync.exec('CREATE TABLE t (a)');
        const insert = sync.prepare('INSERT INTO t VALUES (?)');
        sync.transaction(() => { for (let i = 0; i < 1000; i++) insert.run(i); });
        const { sum } = sync.get('SELECT sum(a) AS sum FROM t');
        return sum;
        """)
    #expect(seen == "499500")
  }
}
