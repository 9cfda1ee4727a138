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

/** What of an event is another time, or another word for the same. */
const attributesLeftOut = new Set(['timeStamp', 'srcElement', 'cancelBubble', 'returnValue']);

/**
 * What the web's objects hold is behind attributes of their classes, not in members of their own.
 * @param {any} value @returns {string[]} their names
 */
function attributesOf(value) {
  // All others are parts of it.
  if (tagOf(value) === 'URL') return ['href'];
  const names = [];
  for (let at = Object.getPrototypeOf(value); at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    const name = Object.getOwnPropertyDescriptor(at, Symbol.toStringTag)?.value;
    if (typeof name !== 'string' || /** @type {any} */ (globalThis)[name]?.prototype !== at) continue;
    for (const [key, { get }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (get !== undefined && key !== 'constructor' && !attributesLeftOut.has(key)) names.push(key);
    }
  }
  return names;
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
