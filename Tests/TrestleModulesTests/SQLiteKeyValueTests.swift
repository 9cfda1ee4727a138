import Testing

/// `SQLite.keyValue`, and `migrate`.
@Suite struct SQLiteKeyValueTests {
  @Test func valuesByKeys() async throws {
    let seen = try await sqliteResult(
      of: """
        const store = await SQLite.keyValue(path), seen = [];
        seen.push(await store.get('a'), await store.set('a', { b: [1, null, 'x'] }), await store.get('a'), await store.set('a', 2), await store.get('a'));
        seen.push(await store.delete('a'), await store.delete('a'), await store.get('a'));
        await store.set('', null); await store.set('a\\0b', new Uint8Array([1, 2]));
        await store.close();
        const again = await SQLite.keyValue(path, { readOnly: true });
        for await (const [key, value] of again.list()) seen.push(`${key.length} ${value}`);
        seen.push(await again.set('x', 1).catch(told), store.path.length > 3, await store.get('a').catch(told));
        return seen;
        """)
    #expect(
      seen
        == #"[null,null,{"b":[1,null,"x"]},null,2,true,false,null,"0 null","3 1,2","ERR_NOT_PERMITTED F/a.db: attempt to write a readonly database",true,"ERR_CLOSED F/a.db: the database is closed"]"#
    )
  }

  /// Thousands of values of any shape, of which each is as it was.
  @Test func valuesAreKeptExactly() async throws {
    let seen = try await sqliteResult(
      of: """
        let seed = 7;
        const random = n => (seed = seed * 48271 % 2147483647) % n;
        const texts = ['', 'a', '\\0', '\\ud800', '\\udc00x', '\\u2028', '"', '\\\\', '😀', '__proto__', 'toJSON', 'then', 'é'.repeat(2000)];
        const numbers = [0, -0, 1, -1, 0.1, 1e21, -1e-7, 5e-324, 2 ** 53, 2 ** 53 + 2, Number.MAX_VALUE];
        const value = depth => {
          switch (random(depth > 4 ? 4 : 7)) {
            case 0: return null;
            case 1: return random(2) === 1;
            case 2: return numbers[random(numbers.length)];
            case 3: return texts[random(texts.length)];
            case 4: return Array.from({ length: random(4) }, () => value(depth + 1));
            default: {
              const object = random(2) ? {} : Object.create(null);
              for (let i = random(4); i > 0; i--) Object.defineProperty(object, texts[random(texts.length)], { value: value(depth + 1), enumerable: true, configurable: true });
              return object;
            }
          }
        };
        const same = (a, b) => typeof a !== 'object' || a === null ? Object.is(a, b) : Array.isArray(a) === Array.isArray(b)
          && Object.keys(a).join() === Object.keys(b).join() && Object.keys(a).every(key => same(a[key], b[key]));
        const store = await SQLite.keyValue(path, { timeout: 1e8 }), all = Array.from({ length: 3000 }, () => value(0));
        await store.batch(all.map((value, i) => ({ type: 'set', key: `${i}`, value })));
        let wrong = 0;
        for (const [i, value] of all.entries()) if (!same(value, await store.get(`${i}`))) wrong++;
        return wrong;
        """)
    #expect(seen == "0")
  }

  @Test(arguments: [
    "undefined", "NaN", "Infinity", "1n", "() => {}", "Symbol()", "new Date", "new Map", "/x/", "new Error('x')",
    "[undefined]", "[,1]", "{ a: undefined }", "{ a: [new Set] }", "{ a: new Uint8Array(1) }", "circle", "deep",
    "new (class A { b = 1 })", "{ get a() { throw new Error('expected mine'); } }",
    "new Proxy({}, { ownKeys() { throw new Error('expected mine'); } })",
    "new Proxy({}, { getPrototypeOf() { throw new Error('expected mine'); } })",
    "new Proxy([], { get: () => { throw new Error('expected mine'); } })", "Promise.resolve(1)",
    "{ [Symbol('x')]: 1 }", "[{ [Symbol()]: 1 }]", "Object.defineProperty({}, 'h', { value: 1 })",
    "Object.assign([1], { x: 2 })",
    "Object.assign([1], { [Symbol()]: 2 })", "Object.defineProperty([1], 0, { enumerable: false })",
    "new (class extends Array {})()", "Object.create({ __proto__: null, x: 1 })", "Object.setPrototypeOf([1], null)",
  ])
  func whatCannotBeKept(_ value: String) async throws {
    let seen = try await sqliteResult(
      of: """
        const store = await SQLite.keyValue(path), circle = {}, seen = [];
        circle.a = [circle];
        let deep = 1;
        for (let i = 0; i < 200000; i++) deep = [deep];
        const value = \(value);
        for (const call of [() => store.set('k', value), () => store.batch([{ type: 'set', key: 'a', value: 1 }, { type: 'set', key: 'k', value }])])
          seen.push(await call().then(() => 'kept', error => /expected|call stack/.test(error.message) && error instanceof Error ? 'refused' : error.message));
        return [...seen, await store.get('a')];
        """)
    #expect(seen == #"["refused","refused",null]"#)
  }

  @Test func whatWouldBeLeftOutIsNamed() async throws {
    let seen = try await sqliteResult(
      of: """
        const store = await SQLite.keyValue(path), seen = [];
        for (const value of [{ a: [{ [Symbol('x')]: 1 }] }, Object.defineProperty({}, 'h', { value: 1 }), Object.assign([1], { x: 2 })])
          await store.set('k', value).catch((error) => seen.push(error.code, error.message.replace(/.*'value'/, '')));
        return seen.join('; ');
        """)
    let expected = "expected what JSON can say, or bytes, got a member"
    #expect(
      seen == """
        "ERR_ARGUMENT; .a[0][Symbol(x)]: \(expected) whose name is a symbol; ERR_ARGUMENT; .h: \(expected) that is hidden; \
        ERR_ARGUMENT; .x: \(expected) of an array that is no element"
        """)
  }

  @Test func listsByPrefixAndRange() async throws {
    let seen = try await sqliteResult(
      of: """
        const store = await SQLite.keyValue(path, { timeout: 1e8 });
        const keys = ['', 'a', 'a/1', 'a/2', 'a0', 'b', '\\ud7ff', '\\ud7ffx', '\\ue000', '\\uffff', '😀', '\\u{10ffff}', '\\u{10ffff}x', 'a\\0'];
        await store.batch(keys.map((key, value) => ({ type: 'set', key, value })));
        const list = async options => { const found = []; for await (const [key, value] of store.list(options)) found.push(keys[value] === key ? value : 'wrong'); return found.join(); };
        return Promise.all([list(), list({ prefix: 'a' }), list({ prefix: 'a/' }), list({ prefix: '\\ud7ff' }), list({ prefix: '\\u{10ffff}' }), list({ prefix: '' }),
          list({ start: 'a/2', end: '\\ud7ff' }), list({ reverse: true, limit: 3 }), list({ limit: 0 }), list({ prefix: 'a\\0' })]);
        """)
    #expect(
      seen
        == #"["0,1,13,2,3,4,5,6,7,8,9,10,11,12","1,13,2,3,4","2,3","6,7","11,12","0,1,13,2,3,4,5,6,7,8,9,10,11,12","3,4,5","12,11,10","","13"]"#
    )
  }

  @Test func batchesAndTransactionsAreWhole() async throws {
    let seen = try await sqliteResult(
      of: """
        const store = await SQLite.keyValue(path, { timeout: 1e8 }), other = await SQLite.keyValue(path, { timeout: 1e8 }), seen = [];
        await store.set('n', 0);
        const add = store => store.transaction(async part => part.set('n', await part.get('n') + 1));
        await Promise.all(Array.from({ length: 40 }, (_, i) => add(i % 2 ? store : other)));
        seen.push(await store.get('n'));
        seen.push(await store.transaction(async part => { await part.set('n', 0); await part.batch([{ type: 'delete', key: 'n' }]); throw new Error('no'); }).catch(told), await store.get('n'));
        await store.batch([{ type: 'set', key: 'x', value: 1 }, { type: 'set', key: 'x', value: 2 }, { type: 'delete', key: 'n' }]);
        seen.push(await store.get('x'), await store.get('n'));
        for (const bad of [3, [3], [{ type: 'put', key: 'x' }], [{ type: 'set', key: 3, value: 1 }], [{ type: 'set', key: '\\ud800', value: 1 }]]) seen.push(await store.batch(bad).then(() => '?', ({ code }) => code));
        seen.push(await store.get(3).catch(told));
        return seen;
        """)
    let refused = #""ERR_ARGUMENT","ERR_ARGUMENT","ERR_ARGUMENT","ERR_ARGUMENT","ERR_ARGUMENT""#
    #expect(
      seen
        == "[40,\"undefined no\",40,2,null,\(refused),\"ERR_ARGUMENT KeyValue.get, argument 1 'key': expected string, got number 3\"]"
    )
  }

  @Test func migrations() async throws {
    let seen = try await sqliteResult(
      of: """
        const db = await SQLite.open(path, { rows: 'arrays', timeout: 1e8 }), other = await SQLite.open(path, { timeout: 1e8 }), seen = [];
        const steps = ['CREATE TABLE t (a); INSERT INTO t VALUES (1)', async tx => { await tx.run('INSERT INTO t VALUES (2)'); }];
        seen.push(await Promise.all([db.migrate(steps), other.migrate(steps)]).then(all => all.sort().join()), await db.migrate(steps));
        steps.push('ALTER TABLE t ADD COLUMN b', async tx => { await tx.run('DELETE FROM t'); throw new Error('mine'); });
        seen.push(await db.migrate(steps).catch(error => error.message), await db.all('SELECT * FROM t'));
        steps[3] = () => {};
        seen.push(await db.migrate(steps), await db.all('SELECT * FROM t'), await db.migrate(steps.slice(0, 1)).catch(told));
        for (const bad of [3, [3], ['SELECT \\0'], [tx => tx.run('COMMIT')].concat(steps)]) seen.push((await db.migrate(bad).catch(error => error)).code ?? 'done');
        await db.exec('PRAGMA user_version = -5');
        return [...seen, await db.migrate(steps).catch(told)];
        """)
    #expect(
      seen
        == #"["0,2",0,"mine",[[1],[2]],2,[[1,null],[2,null]],"ERR_ARGUMENT F/a.db: has taken 4 steps, of which there are only 1 here","ERR_ARGUMENT","ERR_ARGUMENT","ERR_ARGUMENT","done","ERR_ARGUMENT F/a.db: its user_version is -5, which is no count of steps"]"#
    )
  }
}
