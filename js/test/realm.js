// `trestle:test`: the tests of a file, in the file's own engine. All files are the body of one function of `native`, `scriptGlobal`,
// `border` and `runtime`, in a realm of their own, which is not the runtime's either: what a file does to its built-ins does not reach this one. So
// whatever may be a test's is asked by the built-ins of this realm, which know the objects of any.
//
// As in the runtime (`js/runtime/realm.js`), whatever a test may get hold of is made by `border`, and so is each descriptor by which a member
// of its objects is set: `exposed`, `published`, `promiseOf`, `assertionError`. And no value of a test's is awaited, nor is a promise of this
// realm resolved with one (`following`): that would hand functions of this realm to its `then`.

const { assign, clean, define, defineAccessor, defineAs, implantOf, isOwnFrame, makeInstance, makePromise: promiseOf, publishArray, publishConstructible, publishFunction, publishObject, publishProxy, settle } = border;
border.addRealm({
  objectPrototype: Object.prototype, rangeErrorPrototype: RangeError.prototype, typeErrorPrototype: TypeError.prototype, syntaxErrorPrototype: SyntaxError.prototype,
});

/** What is the tests' own, as it was before any of them ran. */
const {
  Object: ScriptObject, Array: ScriptArray, Function: ScriptFunction, Error: ScriptError, TypeError: ScriptTypeError, Date: ScriptDate,
  Number: ScriptNumber, String: ScriptString, Boolean: ScriptBoolean, BigInt: ScriptBigInt, Symbol: ScriptSymbol,
} = /** @type {any} */ (scriptGlobal);
const scriptErrorPrototype = ScriptError.prototype, scriptObjectPrototype = ScriptObject.prototype;

/** @param {any} value */
function isError(value) { return value instanceof Error || Object.prototype.isPrototypeOf.call(scriptErrorPrototype, value); }

/** @param {any} value */
function isRegExp(value) { return isObject(value) && tagOf(value) === 'RegExp'; }

/**
 * A list that tests may hold, walked over by index: they may have changed how lists are.
 * @param {ArrayLike<any>} list @returns {any[]}
 */
function ownList(list) {
  const own = [];
  for (let i = 0; i < list.length; i++) own[i] = list[i];
  return own;
}

/**
 * Adds to a list that tests may hold.
 * @param {any[]} list @param {any} value
 */
function append(list, value) { define(list, list.length, value, true); }

/**
 * What a test calls.
 * @template {(...values: any[]) => any} Body
 * @param {Body} body @param {Record<string, any>} [members] @returns {Body}
 */
function exposed(body, members = {}) {
  const made = publishFunction(body.name, body.length, body);
  for (const [key, member] of Object.entries(members)) define(made, key, published(member), true);
  return made;
}

/**
 * What a test gets for what was made here: with all that it holds it is of the test's realm. What is the test's own stays as it is.
 * @param {any} value @returns {any}
 */
function published(value) {
  if (!isObject(value)) return value;
  switch (Object.getPrototypeOf(value)) {
    case Function.prototype: return exposed(value);
    case Array.prototype: return publishArray(value.map(published));
    case Object.prototype: return publishObject(Object.fromEntries(Object.entries(value).map(([key, member]) => [key, published(member)])));
    default: return value;
  }
}

/**
 * A test's promise of what is made of a value, or of what the promise comes to, once that is there.
 * @param {any} value @param {(value: any) => any} act @param {(reason: any) => any} [failed]
 * @param {string} [place] the stack of who waits for it
 * @returns {Promise<any>}
 */
function following(value, act, failed = (reason) => { throw reason; }, place = '') {
  return promiseOf((/** @type {(value: any) => void} */ resolve, /** @type {(reason: any) => void} */ reject) => {
    const attempt = (/** @type {(value: any) => any} */ body) => (/** @type {any} */ given) => {
      try { resolve(body(given)); } catch (error) { reject(placed(clean(error), place)); }
    };
    settle(value, attempt(act), attempt(failed));
  });
}

/**
 * What waited for something has lost its way back: an error that was made here meanwhile is at the place of who asked.
 * @param {any} error @param {string} place
 */
function placed(error, place) {
  if (!isError(error)) return error;
  const stack = Object.getOwnPropertyDescriptor(error, 'stack')?.value;
  if (typeof stack === 'string' && stack.split('\n').every((line) => isOwnFrame(line) || line.endsWith('@[native code]'))) define(error, 'stack', place);
  return error;
}

/** @param {any} map @returns {[any, any][]} */
function entriesOf(map) {
  try { return [...Map.prototype.entries.call(map)]; } catch { return [...map]; }
}

/** @param {any} set @returns {any[]} */
function elementsOf(set) {
  try { return [...Set.prototype.values.call(set)]; } catch { return [...set]; }
}

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
  for (let at = Object.getPrototypeOf(value); at !== null && at !== scriptObjectPrototype; at = Object.getPrototypeOf(at)) {
    const name = Object.getOwnPropertyDescriptor(at, Symbol.toStringTag)?.value;
    if (typeof name !== 'string' || /** @type {any} */ (scriptGlobal)[name]?.prototype !== at) continue;
    for (const [key, { get }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (get !== undefined && key !== 'constructor' && !attributesLeftOut.has(key)) names.push(key);
    }
  }
  return names;
}

/**
 * Of whoever asserts something that is not so.
 * @param {string} message @param {{expected: string, actual: string}} [diff] texts of which the difference is shown
 */
function assertionError(message, diff) {
  const error = new ScriptError(message);
  define(error, 'name', 'AssertionError');
  if (diff !== undefined) define(error, 'diff', published(diff), true);
  return error;
}
