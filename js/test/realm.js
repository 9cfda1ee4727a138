// `trestle:test`: the tests of a file, in the file's own engine and realm. All files are the body of one function of `native`. Unlike the
// runtime they trust their surroundings: a file that replaces built-ins breaks its own tests, and nothing else.

/** @param {any} value @returns {boolean} functions are objects too */
function isObject(value) { return typeof value === 'object' ? value !== null : typeof value === 'function'; }

/** @param {any} value @returns {string} `Array`, `Map` and so on, whatever a script calls it */
function tagOf(value) { return Object.prototype.toString.call(value).slice(8, -1); }

/** @param {any} value */
function isThenable(value) { return isObject(value) && typeof value.then === 'function'; }

/** @param {any} value @returns {string} the name of its class */
function classNameOf(value) {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null) return '[Object: null prototype]';
  const { constructor } = prototype;
  return typeof constructor === 'function' && constructor.name !== '' ? constructor.name : 'Object';
}

/** @param {any} value @returns {PropertyKey[]} its own enumerable keys, those that are strings in their order */
function keysOf(value) {
  const symbols = Object.getOwnPropertySymbols(value).filter((symbol) => Object.getOwnPropertyDescriptor(value, symbol)?.enumerable);
  return [...Object.keys(value), ...symbols];
}

/** Whoever asserts something that is not so. */
class AssertionError extends Error {
  /** @param {string} message @param {{expected: string, actual: string}} [diff] texts of which the difference is shown */
  constructor(message, diff) {
    super(message);
    Object.defineProperty(this, 'name', { value: 'AssertionError', configurable: true, writable: true });
    if (diff !== undefined) this.diff = diff;
  }
}
