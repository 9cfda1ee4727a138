// `expect`.

/**
 * What is being tested at the moment.
 * @type {{name: string, assertions: number, expected: number | undefined, needsAssertions: boolean, snapshots: Map<string, number>} | undefined}
 */
let current;

/**
 * @typedef {{value: any, isNot: boolean, promise: '' | 'resolves' | 'rejects', place: string}} Subject `place` is the stack of who asks
 * @typedef {(subject: Subject, ...values: any[]) => any} Matcher may give a promise
 */

/** @type {Map<string, Matcher>} */
const matchers = new Map();

/**
 * @param {Subject} subject @param {boolean} pass @param {() => string} message @param {{expected: string, actual: string}} [diff]
 */
function conclude(subject, pass, message, diff) {
  if (pass !== subject.isNot) return;
  throw assertionError(message(), subject.isNot ? undefined : diff);
}

/** @param {Subject} subject @param {Verdict} verdict */
function judge(subject, { pass, to, diff, received }) {
  conclude(subject, pass, () => `expected ${received ?? brief(subject.value)} ${subject.isNot ? 'not ' : ''}to ${to}`, diff);
}

for (const [name, matcher] of Object.entries(valueMatchers)) matchers.set(name, (subject, ...values) => judge(subject, matcher(subject.value, ...values)));
for (const [name, matcher] of Object.entries(mockMatchers)) {
  matchers.set(name, (subject, ...values) => {
    requireMock(subject.value, name);
    judge(subject, matcher(subject.value, ...values));
  });
}
for (const name of ['toThrow', 'toThrowError']) {
  matchers.set(name, (subject, ...values) => judge(subject, throwVerdict(subject.value, values[0], values.length > 0 && values[0] !== undefined, subject.promise === 'rejects')));
}

/**
 * What a matcher of a test's own has as `this`.
 * @param {boolean} isNot @param {string} promise
 */
function matcherContext(isNot, promise) {
  return published({ isNot, promise, equals: exposedEquals, utils: { stringify: exposedBrief, printExpected: exposedBrief, printReceived: exposedBrief } });
}
const exposedBrief = exposed(brief), exposedEquals = exposed(equals);

/**
 * Matchers of a test's own, as Jest has them: `{ toBeEven(value) { return { pass, message: () => text }; } }`.
 * @param {Record<string, any>} given
 */
function extend(given) {
  requireArgument('expect.extend', 'an object', isObject(given), given);
  for (const [name, matcher] of Object.entries(given)) {
    requireArgument(`expect.extend: '${name}'`, 'a function', typeof matcher === 'function', matcher);
    matchers.set(name, (subject, ...values) => {
      const { isNot, promise } = subject;
      const result = Reflect.apply(matcher, matcherContext(isNot, promise), [subject.value, ...values]);
      const end = (/** @type {any} */ verdict) => {
        if (typeof verdict?.pass !== 'boolean') throw new ScriptTypeError(`${name}: expected { pass, message } of a matcher, got ${brief(verdict)}`);
        const { message } = verdict;
        conclude(subject, verdict.pass, () => String(typeof message === 'function' ? message() : message ?? `${name} failed`), 'expected' in verdict && 'actual' in verdict ? diffOf(verdict.expected, verdict.actual) : undefined);
      };
      return isThenable(result) ? following(result, end, undefined, subject.place) : end(result);
    });
    if (isMatching(name)) continue;
    define(expect, name, exposed((/** @type {any[]} */ ...values) => makeMatching(name, (value) => Reflect.apply(matcher, matcherContext(false, ''), [value, ...values]).pass, values.map(brief).join(', '))), true);
  }
}

/** @param {Subject} subject @returns {any} */
function assertionOf(subject) {
  return publishProxy(publishObject({}), {
    get(/** @type {any} */ _, /** @type {PropertyKey} */ name) {
      switch (name) {
        case 'not': return assertionOf({ ...subject, isNot: !subject.isNot });
        case 'resolves': case 'rejects': return assertionOf({ ...subject, promise: name });
        // An expectation that is awaited is none that waits.
        case 'then': return undefined;
      }
      const matcher = typeof name === 'string' ? matchers.get(name) : undefined;
      if (matcher === undefined) throw new ScriptTypeError(`expect: there is no matcher '${String(name)}'${nearest(String(name), [...matchers.keys()])}`);
      return exposed((/** @type {any[]} */ ...values) => {
        if (current !== undefined) current.assertions++;
        const asked = { ...subject, place: new Error().stack ?? '' };
        return subject.promise === '' ? matcher(asked, ...values) : matchSettled(matcher, asked, values);
      });
    },
  });
}

/** @param {Matcher} matcher @param {Subject} subject @param {any[]} values @returns {Promise<any>} */
function matchSettled(matcher, subject, values) {
  const { promise, place, value: given } = subject;
  const judge = (/** @type {boolean} */ isRejected, /** @type {any} */ value) => {
    if (isRejected === (promise === 'rejects')) return matcher({ ...subject, value }, ...values);
    throw assertionError(`expected the promise ${isRejected ? `to resolve, and it was rejected with ${brief(value)}` : `to be rejected, and it resolved with ${brief(value)}`}`);
  };
  return promiseOf((/** @type {(value: any) => void} */ resolve) => {
    const value = promise === 'rejects' && typeof given === 'function' ? given() : given;
    requireArgument(`expect(…).${promise}`, 'a promise', isThenable(value), value);
    resolve(following(value, (result) => judge(false, result), (reason) => judge(true, reason), place));
  });
}

/** @param {string} name @param {string[]} names @returns {string} the one that was probably meant, in words */
function nearest(name, names) {
  const letters = (/** @type {string} */ text) => text.toLowerCase().replace(/^to(?:be|have)?/, '');
  const found = names.find((one) => letters(one) === letters(name)) ?? names.find((one) => letters(one).startsWith(letters(name)) || letters(name).startsWith(letters(one)) && letters(one) !== '');
  return found === undefined ? '' : `; did you mean '${found}'?`;
}

/** @param {string} name */
function isMatching(name) { return Object.hasOwn(matchings, name); }

const expect = exposed(/** @param {any[]} values @returns {any} */ function expect(...values) {
  if (values.length > 1) throw new ScriptTypeError('expect: takes one value');
  return assertionOf({ value: values[0], isNot: false, promise: '', place: '' });
}, {
  ...matchings,
  extend,
  assertions(/** @type {number} */ count) {
    requireArgument('expect.assertions', 'a whole number from 0', Number.isSafeInteger(count) && count >= 0, count);
    if (current !== undefined) current.expected = count;
  },
  hasAssertions() { if (current !== undefined) current.needsAssertions = true; },
  /** @param {string} [message] */
  fail(message = 'expect.fail()') { throw assertionError(message); },
  /** @param {string} [message] */
  unreachable(message = 'this was not to be reached') { throw assertionError(message); },
});
