// What `expect(value)` can be asked.

/**
 * Whether it is so, and the words behind "expected … to"; `diff` are texts of which the difference is shown, if it is not so.
 * @typedef {{pass: boolean, to: string, diff?: {expected: string, actual: string}, received?: string}} Verdict
 */

/** @param {any} expected @param {any} actual @returns {{expected: string, actual: string} | undefined} */
function diffOf(expected, actual) {
  const texts = { expected: textOf(expected), actual: textOf(actual) };
  // Of two short values the message says all.
  return /\n/.test(texts.expected + texts.actual) || texts.expected.length > 40 ? differing(texts) : undefined;
}

/** In UTF-16 units: more of a text than that does not cross with an error, nor would anyone read it. */
const MOST_COMPARED = 100_000;

/** @param {{expected: string, actual: string}} texts from where they differ, if they are long */
function differing({ expected, actual }) {
  if (Math.max(expected.length, actual.length) <= MOST_COMPARED) return { expected, actual };
  let place = 0;
  while (place < expected.length && expected[place] === actual[place]) place++;
  const start = Math.max(0, place - 1000);
  const part = (/** @type {string} */ text) => ((start > 0 ? '…' : '') + text.slice(start, start + MOST_COMPARED)).toWellFormed() + (text.length > start + MOST_COMPARED ? '…' : '');
  return { expected: part(expected), actual: part(actual) };
}

/**
 * Strings as they are, so that their lines are compared.
 * @param {any} value
 */
function textOf(value) { return typeof value === 'string' ? value : pretty(value); }

/** @param {string} matcher @param {any} value @param {string} [kind] */
function requireNumber(matcher, value, kind = 'a number') {
  requireArgument(matcher, kind, typeof value === 'number' || typeof value === 'bigint', value);
}

/** @param {string} name @param {string} words @param {(value: any, limit: any) => boolean} test */
function comparison(name, words, test) {
  return (/** @type {any} */ value, /** @type {any} */ limit) => {
    requireNumber(name, limit);
    requireNumber('expect', value);
    return { pass: test(value, limit), to: `be ${words} ${brief(limit)}` };
  };
}

/** @param {string} words @param {(value: any) => boolean} test */
function quality(words, test) { return (/** @type {any} */ value) => ({ pass: test(value), to: `be ${words}` }); }

/** @type {Record<string, (value: any, ...values: any[]) => Verdict>} */
const valueMatchers = {
  toBe(value, expected) {
    const isSame = Object.is(value, expected), isEqual = !isSame && equals(value, expected, true);
    return { pass: isSame, to: `be ${brief(expected)}` + (isEqual ? ': they are equal, and not the same object; toEqual compares what they hold' : ''), diff: isEqual ? undefined : diffOf(expected, value) };
  },
  toEqual: (value, expected) => ({ pass: equals(value, expected), to: `equal ${brief(expected)}`, diff: diffOf(expected, value) }),
  toStrictEqual: (value, expected) => ({ pass: equals(value, expected, true), to: `strictly equal ${brief(expected)}`, diff: diffOf(expected, value) }),
  toMatchObject(value, expected) {
    requireArgument('toMatchObject', 'an object', isObject(expected), expected);
    return { pass: isObject(value) && containsMembers(value, expected), to: `have the members ${brief(expected)}`, diff: diffOf(expected, value) };
  },
  toBeDefined: quality('defined', (value) => value !== undefined),
  toBeUndefined: quality('undefined', (value) => value === undefined),
  toBeNull: quality('null', (value) => value === null),
  toBeNaN: quality('NaN', (value) => Number.isNaN(value)),
  toBeTruthy: quality('truthy', Boolean),
  toBeFalsy: quality('falsy', (value) => !value),
  toBeGreaterThan: comparison('toBeGreaterThan', 'greater than', (value, limit) => value > limit),
  toBeGreaterThanOrEqual: comparison('toBeGreaterThanOrEqual', 'at least', (value, limit) => value >= limit),
  toBeLessThan: comparison('toBeLessThan', 'less than', (value, limit) => value < limit),
  toBeLessThanOrEqual: comparison('toBeLessThanOrEqual', 'at most', (value, limit) => value <= limit),
  toBeCloseTo(value, expected, digits = 2) {
    requireNumber('toBeCloseTo', expected);
    return { pass: typeof value === 'number' && isClose(value, expected, digits), to: `be ${brief(expected)} to ${digits} digits` };
  },
  toBeTypeOf: (value, type) => ({ pass: typeof value === type, to: `be of type ${brief(type)}, and it is ${typeof value}` }),
  toBeInstanceOf(value, type) {
    requireArgument('toBeInstanceOf', 'a constructor', typeof type === 'function', type);
    return { pass: value instanceof type, to: `be an instance of ${type.name || 'the class'}` };
  },
  toSatisfy(value, test) {
    requireArgument('toSatisfy', 'a function', typeof test === 'function', test);
    return { pass: Boolean(test(value)), to: `satisfy ${brief(test)}` };
  },
  toMatch(value, pattern) {
    requireArgument('toMatch', 'a string or a regular expression', typeof pattern === 'string' || isRegExp(pattern), pattern);
    requireArgument('expect', 'a string', typeof value === 'string', value);
    const pass = typeof pattern === 'string' ? value.includes(pattern) : new RegExp(pattern).test(value);
    return { pass, to: `match ${brief(pattern)}` };
  },
  toContain(value, item) {
    if (typeof value === 'string') {
      requireArgument('toContain', 'a string', typeof item === 'string', item);
      return { pass: value.includes(item), to: `contain ${brief(item)}` };
    }
    const items = listOf(value, 'toContain');
    const pass = items.some((one) => Object.is(one, item) || one === item);
    const isEqual = !pass && items.some((one) => equals(one, item));
    return { pass, to: `contain ${brief(item)}` + (isEqual ? ': it has one that is equal, and not the same; toContainEqual finds that' : '') };
  },
  toContainEqual: (value, item) => ({ pass: listOf(value, 'toContainEqual').some((one) => equals(one, item)), to: `contain ${brief(item)}` }),
  toHaveLength(value, length) {
    requireNumber('toHaveLength', length);
    const own = value?.length;
    return { pass: own === length, to: `have the length ${length}, and it ${own === undefined ? 'has none' : `has ${brief(own)}`}` };
  },
  toHaveProperty(value, path, ...expected) {
    const keys = Array.isArray(path) ? ownList(path) : String(path).split(/\.|\[(\d+)\]\.?/).filter((key) => key !== undefined && key !== '');
    let at = value, isThere = value !== undefined && value !== null;
    for (const key of keys) {
      isThere &&= at !== undefined && at !== null && key in Object(at);
      if (!isThere) break;
      at = at[key];
    }
    const shown = Array.isArray(path) ? ownList(path).map(String).join('.') : String(path);
    if (expected.length === 0) return { pass: isThere, to: `have the property '${shown}'` };
    const pass = isThere && equals(at, expected[0]);
    return { pass, to: `have the property '${shown}' with ${brief(expected[0])}${isThere && !pass ? `, and it has ${brief(at)}` : ''}`, diff: isThere ? diffOf(expected[0], at) : undefined };
  },
};

/** @param {any} value @param {string} matcher @returns {any[]} */
function listOf(value, matcher) {
  requireArgument(`expect(…).${matcher}`, 'something that can be walked over', isObject(value) && typeof value[Symbol.iterator] === 'function', value);
  return Array.isArray(value) ? ownList(value) : [...value];
}

/**
 * What a function has thrown, or a promise was rejected with.
 * @param {any} value @param {boolean} isReason @returns {{thrown: any} | undefined}
 */
function thrownBy(value, isReason) {
  if (isReason) return { thrown: value };
  requireArgument('expect(…).toThrow', 'a function', typeof value === 'function', value);
  try { value(); } catch (thrown) { return { thrown }; }
  return undefined;
}

/** @param {any} value @param {any} expected @param {boolean} isGiven @param {boolean} isReason @returns {Verdict} */
function throwVerdict(value, expected, isGiven, isReason) {
  const found = thrownBy(value, isReason);
  const received = typeof value === 'function' ? 'the function' : brief(value);
  const thrown = found?.thrown, text = isObject(thrown) && 'message' in thrown ? String(thrown.message) : String(thrown);
  const got = found === undefined ? ', and it did not' : `, and it threw ${brief(found.thrown)}`;
  const verdict = (/** @type {boolean} */ pass, /** @type {string} */ what) => ({ pass: found !== undefined && pass, to: `throw${what}${got}`, received });
  if (!isGiven) return verdict(true, '');
  if (typeof expected === 'string') return verdict(text.includes(expected), ` an error with ${brief(expected)}`);
  if (isRegExp(expected)) return verdict(new RegExp(expected).test(text), ` an error that matches ${expected}`);
  const matching = matchingOf(expected);
  if (matching !== undefined) return verdict(matching.matches(found?.thrown), ` ${matching}`);
  if (typeof expected === 'function') return verdict(found?.thrown instanceof expected, ` ${expected.name}`);
  if (isObject(expected)) return verdict(text === expected.message, ` an error with the message ${brief(expected.message)}`);
  throw new ScriptTypeError(`toThrow: expected a text, a regular expression, a class or an error, got ${brief(expected)}`);
}
