import Foundation
import Testing

extension TestCommandTests {
  /// Functions, what they give and what they throw are of the file's realm: nothing leads to that of the runner.
  @Test func nothingOfTheRunnersRealmIsHandedOut() async throws {
    let outcome = try await test([
      "a.test.js": """
      const known = new Set(), foreign = [];
      const ends = new Set([Object.prototype, null]);
      known.add(Function.prototype);
      function walk(value, path) {
        if (typeof value !== 'function' && (typeof value !== 'object' || value === null) || known.has(value) || value === globalThis) return;
        known.add(value);
        let at = value;
        while (!ends.has(Object.getPrototypeOf(at))) at = Object.getPrototypeOf(at);
        const isFunction = typeof value === 'function';
        if (Object.getPrototypeOf(at) === null && at !== Object.prototype && at !== value || isFunction && !(value instanceof Function)) foreign.push(path);
        for (const key of Reflect.ownKeys(value)) {
          const { value: member, get, set } = Reflect.getOwnPropertyDescriptor(value, key);
          walk(member, `${path}.${String(key)}`);
          walk(get, `${path}.get ${String(key)}`);
          walk(set, `${path}.set ${String(key)}`);
        }
        walk(Object.getPrototypeOf(value), `${path}.__proto__`);
      }
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
        console.log(`foreign: ${foreign.join(', ')}.`, known.size > 200);
      });
      """
    ])
    #expect(outcome.output.contains("foreign: . true"), "\(outcome)")
  }
}
