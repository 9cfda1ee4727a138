import Foundation
import Testing

extension TestCommandTests {
  /// Functions, what they give and what they throw are of the file's realm: nothing leads to that of the runner.
  @Test func nothingOfTheRunnersRealmIsHandedOut() async throws {
    let outcome = try await test([
      "a.test.js": """
      \(Self.walk)
      const hostile = [1n, Symbol('s'), { __proto__: null }, null, undefined, {}, [], () => 1, NaN, 'text'];
      expect.extend({ toBeOurs() { walk(this, 'matcher'); return { pass: true, message: () => '' }; } });
      for (const [name, value] of Object.entries({ test, it, describe, suite, expect, mock, beforeAll, afterAll, beforeEach, afterEach, spyOn })) walk(value, name);
      for (const one of hostile) for (const declare of [test, test.only, describe.skip, test.each, test.each([1]), test.skipIf, test.todo, afterAll]) {
        try { walk(declare(one, ...[one].filter(() => false)), 'declared'); } catch (error) { walk(error, `error of ${declare.name}`); }
      }
      const named = Object.defineProperty(() => {}, 'name', { value: { replace(...values) { walk(values, 'a name'); } } });
      test(named, () => {});
      test.each([[1]])(named, () => {});
      beforeAll((done) => { walk(done, 'done of a hook'); done(); });
      it('ends by a call', (done) => { walk(done, 'done'); done(); });
      it('hands out its own', () => {
        for (const value of hostile) {
          for (const call of [() => mock.fn(value)(), () => mock.fn().mockImplementation(value)(), () => expect.closeTo(1, value)]) {
            try { walk(call(), 'a call'); } catch (error) { walk(error, `error of ${call}`); }
          }
        }
        const frozen = { f() {} }, spy = mock.spyOn(frozen, 'f');
        Object.freeze(frozen);
        try { spy.mockRestore(); } catch (error) { walk(error, 'error of mockRestore'); }
        const calls = [
          ...Object.keys(mock).filter((name) => !/All/.test(name)).map((name) => [`mock.${name}`, (value) => mock[name](value)]),
          ...Object.keys(expect).filter((name) => !/ssertions/.test(name)).map((name) => [`expect.${name}`, (value) => expect[name](value)]),
          ...['toBe', 'toEqual', 'toBeCloseTo', 'toBeLessThan', 'toMatch', 'toHaveLength', 'toContain', 'toThrow', 'toMatchObject', 'toHaveProperty', 'toBeInstanceOf', 'toBeOurs']
            .flatMap((name) => hostile.map((subject) => [name, (value) => (walk(expect(subject), 'expectation'), walk(expect(subject)[name], name), expect(subject)[name](value))])),
          ['a spy', (value) => mock.spyOn({ f() { return value; } }, 'f')], ['a spy', (value) => mock.spyOn({}, value)], ['expect', (value) => expect(value, value)],
        ];
        for (const [name, call] of calls) for (const value of hostile) {
          try {
            const given = call(value);
            if (given instanceof Promise) given.catch((error) => walk(error, `error of ${name}`));
            walk(given, name);
          } catch (error) { walk(error, `error of ${name}`); }
        }
        mock.useFakeTimers();
        for (const name of ['setTimeout', 'clearTimeout', 'setInterval', 'Date', 'performance']) {
          walk(globalThis[name], name);
          for (const value of hostile) try { walk(globalThis[name](value, value), name); } catch (error) { walk(error, `error of ${name}`); }
        }
        walk(Date.now, 'now');
        for (const value of hostile) try { walk(mock.advanceTimersByTime(value), 'advance'); } catch (error) { walk(error, 'error of advance'); }
        mock.useRealTimers();
        const mocked = mock.fn(() => 1).mockReturnThis();
        mocked(1);
        walk(mocked, 'mocked');
        walk(mocked.getMockImplementation(), 'implementation');
        console.log(`foreign: ${[...foreign].join(', ')}.`, known.size > 200);
      });
      """
    ])
    #expect(outcome.output.contains("foreign: . true"), "\(outcome)")
  }

  /// Nor do the functions, thenables and proxies of a file see anything of it, where the runner calls or sets them, nor who calls what there
  /// is in a way that nobody means, or at the end of the stack.
  @Test func nothingOfTheRunnersRealmIsShown() async throws {
    let outcome = try await test([
      "a.test.js": #"""
      \#(Self.walk)
      for (const [name, value] of Object.entries({ test, it, describe, suite, expect, mock, beforeAll, afterAll, beforeEach, afterEach, spyOn })) walk(value, name);
      for (const made of [mock.fn(), expect.any(Number), expect(1), expect(1).toBe]) walk(made, 'made');
      const all = [...known].filter((value) => typeof value === 'function' && !/native code/.test(Function.prototype.toString.call(value)));
      // What looks at all that it is given.
      const looked = (path, value) => { lookedAt.add(path); return walk(value, path); };
      const lookedAt = new Set();
      function looking(target, path) {
        const traps = {};
        for (const name of ownKeys(Reflect)) if (typeof name === 'string') traps[name] = (...values) => {
          for (const value of values.slice(1)) looked(`${path}: ${name}`, value);
          return Reflect[name](...values);
        };
        return new Proxy(target, traps);
      }
      const caller = (path, give) => function (...values) {
        looked(`${path}: this`, this);
        for (const value of values) looked(path, value);
        return give?.(...values);
      };
      const thenable = (path, value, isRejected) => ({ then: caller(path, (resolve, reject) => (isRejected ? reject : resolve)(value)) });
      const attempt = (path, body) => { try { return walk(body(), path); } catch (error) { walk(error, `error of ${path}`); } };
      for (const [holder, name] of [[Promise.prototype, 'then'], [Promise.prototype, 'catch'], [globalThis, 'setImmediate'], [globalThis, 'queueMicrotask']]) {
        const own = holder[name];
        holder[name] = function (...values) { for (const value of values) looked(name, value); return Reflect.apply(own, this, values); };
      }

      expect.extend({ toCome: () => thenable('a matcher', { pass: true }), toCall: caller('a matcher of its own', () => ({ pass: true, message: caller('message') })) });
      beforeAll(() => thenable('what a hook gives'));
      afterEach(caller('a hook'));
      test('what a test gives', () => thenable('what a test gives'));
      test('a promise of its own class', () => new (class extends Promise { then(...values) { looked('a class of promises', values[0]); return super.then(...values); } })((resolve) => resolve()));
      attempt('a table', () => test.each(Object.assign([{ split: caller('a table', () => ({ map: caller('a table', () => []) })) }], { raw: [] })));
      test.each([looking([1], 'a row')])('each', caller('each'));
      test('waits', async () => {
        for (const isRejected of [false, true]) {
          const of = () => expect(thenable('a promise', 1, isRejected));
          await (isRejected ? of().rejects : of().resolves).toBe(1);
          for (const wrong of [of().rejects, of().resolves, of().resolves.not, of().rejects.not]) await wrong.toBe(isRejected ? 2 : 1).then((value) => walk(value, 'settled'), (error) => walk(error, 'rejected'));
        }
        await expect(Promise.resolve(1)).resolves.toBe(1);
        await expect(thenable('a promise', thenable('within', 1))).resolves.toBe(1);
        await expect(caller('what rejects', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
        await expect(1).toCome();
        await expect(thenable('a promise', 1)).resolves.toCome();
        expect(1).toCall(2);
        expect(1).toEqual(expect.toCall(2));
        expect(1).toSatisfy(caller('satisfy', () => true));
        mock.useFakeTimers();
        setTimeout(caller('a timer'), 1, {});
        await mock.advanceTimersByTimeAsync(5);
        await mock.runAllTimersAsync();
        mock.useRealTimers();
        await mock.fn().mockResolvedValue(thenable('a mock', 1))();
      });
      test('mocks', () => {
        const mocked = mock.fn(looking(function () { return this; }, 'an answer'));
        mocked.call({}, 1);
        new mocked(2);
        for (const key of ownKeys(mocked.mock)) if (Array.isArray(mocked.mock[key])) mocked.mock[key] = looking([], `mock.${key}`);
        mocked(3);
        mocked.mockClear();
        for (const access of [undefined, 'get', 'set']) {
          const object = looking({ f() {}, get g() { return 1; }, set g(_) {} }, 'a spy');
          const spy = mock.spyOn(object, access ? 'g' : 'f', access);
          spy.mockRestore();
          mock.spyOn(object, access ? 'g' : 'f', access);
          mock.restoreAllMocks();
          const inherited = looking(Object.create({ f() {} }), 'a spy of what is inherited');
          mock.spyOn(inherited, 'f').mockRestore();
        }
        const frozen = { f() {} }, spy = mock.spyOn(frozen, 'f');
        Object.freeze(frozen);
        attempt('mockRestore', () => spy.mockRestore());
        for (const value of [{}, 1n, Symbol(), '', class {}, looking(() => {}, 'an answer')]) {
          for (const make of [mock.fn, mock, mock.fn().mockImplementation, mock.fn().mockImplementationOnce]) {
            attempt('a mock', () => make(value)());
            attempt('a mock', () => new (make(value))());
            attempt('a mock', () => Reflect.construct(make(value), [], value));
          }
        }
      });
      test('all that there is, with and without new, with a wrong this, and at the end of the stack', () => {
        const given = [undefined, 1, 1n, 'a', looking({}, 'given'), looking([1], 'given'), looking(() => thenable('given', 1), 'given'), looking(new Error('x'), 'given'), thenable('given', 1), /a/, Symbol('s')];
        let count = 0;
        for (const made of all) {
          const name = `${made.name}()`;
          for (const value of given) for (const other of given) {
            count++;
            const result = attempt(name, () => made(value, other)), built = attempt(`new ${name}`, () => new made(value, other)), bound = attempt(name, () => made.call(value, other));
            for (const one of [result, built, bound]) if (one instanceof Promise) one.then((value) => walk(value, `what ${name} comes to`), (error) => walk(error, `what ${name} is rejected with`));
          }
          attempt('useRealTimers', mock.useRealTimers);
        }
        const atTheEnd = (body, left = { count: 20 }) => {
          try { atTheEnd(body, left); } catch { if (left.count-- > 0) body(); }
        };
        for (const made of [...all, expect(1).toBe, expect(1).not.toEqual, mock.fn(), Date.now]) {
          let last;
          atTheEnd(() => { try { const given = made(1, () => {}); if (given instanceof Promise) given.catch(() => {}); } catch (error) { last = error; throw error; } });
          walk(last, `the end of the stack in ${made.name}`);
        }
        mock.useRealTimers();
        console.log('calls', count);
      });
      test('has looked', () => console.log(`foreign: ${[...foreign].join(', ')}.`, lookedAt.size > 40));
      """#
    ])
    #expect(outcome.output.contains("foreign: . true"), "\(outcome)")
  }

  /// What native code asks of the runner, no test answers.
  @Test func noTestTakesThePlaceOfTheRunner() async throws {
    let outcome = try await test([
      "a.test.js": """
      test('fails', () => { throw new Error('must fail'); });
      let error;
      try { trestle.registerCallableModule('trestle:test', { next: () => ({ type: 'finished', isEmpty: false, snapshots: {} }), step() {} }); } catch (thrown) { error = thrown; }
      test('is told', () => { expect(`${error.code} ${error.message}`).toMatch("ERR_ARGUMENT registerCallableModule, argument 1 'name'"); });
      """
    ])
    #expect(outcome.code == 1 && outcome.output.contains("2 tests, 1 failed"), "\(outcome)")
    #expect(outcome.output.contains("Error: must fail"), "\(outcome)")
  }

  /// Keeps the paths of what is of another realm in `foreign`.
  private static let walk = """
    const known = new Set([Function.prototype]), foreign = new Set();
    const ends = new Set([Object.prototype, null]);
    const { getPrototypeOf, ownKeys, getOwnPropertyDescriptor } = Reflect;
    function walk(value, path) {
      if (typeof value !== 'function' && (typeof value !== 'object' || value === null) || known.has(value) || value === globalThis) return value;
      known.add(value);
      let at = value;
      while (!ends.has(getPrototypeOf(at))) at = getPrototypeOf(at);
      const isFunction = typeof value === 'function';
      if (getPrototypeOf(at) === null && at !== Object.prototype && at !== value || isFunction && !(value instanceof Function)) foreign.add(path);
      for (const key of ownKeys(value)) {
        const { value: member, get, set } = getOwnPropertyDescriptor(value, key);
        walk(member, `${path}.${String(key)}`);
        walk(get, `${path}.get ${String(key)}`);
        walk(set, `${path}.set ${String(key)}`);
      }
      walk(getPrototypeOf(value), `${path}.__proto__`);
      return value;
    }
    """
}
