// `trestle:test`: the tests of a file, in the file's own engine. All files are the body of one function of `native` and `scriptGlobal`, in a
// realm of their own, which is not the runtime's either: what a file does to its built-ins does not reach this one, and what it does to
// what it is given here breaks its own tests, and nothing else. So whatever may be a test's is asked by the built-ins of this realm, which
// know the objects of any; what a test is given that it may compare or catch is of its own.

/** What is the tests' own, as it was before any of them ran. */
const {
  Object: ScriptObject, Array: ScriptArray, Function: ScriptFunction, Error: ScriptError, TypeError: ScriptTypeError, RangeError: ScriptRangeError,
  SyntaxError: ScriptSyntaxError, Promise: ScriptPromise, Date: ScriptDate,
  Number: ScriptNumber, String: ScriptString, Boolean: ScriptBoolean, BigInt: ScriptBigInt, Symbol: ScriptSymbol,
} = /** @type {any} */ (scriptGlobal);
const scriptErrorPrototype = ScriptError.prototype, scriptObjectPrototype = ScriptObject.prototype;
const { then: scriptThen } = ScriptPromise.prototype;

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
function append(list, value) { Object.defineProperty(list, list.length, { value, writable: true, enumerable: true, configurable: true }); }

/**
 * What was made here of a test's own: nothing of that is looked at.
 * @template {object} Made
 * @param {Made} made @param {any} Class @returns {Made}
 */
function given(made, Class) { return Object.setPrototypeOf(made, Class.prototype); }

/**
 * A test's promise: of others nobody hears that they are rejected.
 * @param {(resolve: (value: any) => void, reject: (reason: any) => void) => void} start @returns {Promise<any>}
 */
function promiseOf(start) { return new ScriptPromise(start); }

/** @param {() => Promise<any>} body @returns {Promise<any>} */
function givenPromise(body) { return promiseOf((resolve, reject) => void body().then(resolve, reject)); }

/**
 * What a test calls: an error that the engine raises here, as where a BigInt is taken for a number, is one of the test's own.
 * @template {(...values: any[]) => any} Body
 * @param {Body} body @returns {Body} with its members
 */
function exposed(body) {
  // A method, as it has no `prototype`.
  const { made } = {
    /** @this {any} @param {any[]} values */
    made(...values) {
      try { return Reflect.apply(body, this, values); } catch (error) { throw ownError(error); }
    },
  };
  const { prototype, ...descriptors } = Object.getOwnPropertyDescriptors(body);
  return handedOver(/** @type {any} */ (Object.defineProperties(made, /** @type {any} */ (descriptors))));
}

/** The prototypes of this realm, and of what they are in the test's. */
const handedOverAs = new Map([[Object.prototype, scriptObjectPrototype], [Array.prototype, ScriptArray.prototype], [Function.prototype, ScriptFunction.prototype]]);

/**
 * What a test gets that was made here: with all that it holds it is of the test's realm, as far as that can be seen.
 * @template Value
 * @param {Value} value @returns {Value}
 */
function handedOver(value) {
  if (!isObject(value)) return value;
  const prototype = Object.getPrototypeOf(value), own = handedOverAs.get(prototype);
  if (own === undefined) return value;
  Object.setPrototypeOf(value, own);
  for (const { value: member } of Object.values(Object.getOwnPropertyDescriptors(value))) handedOver(member);
  return value;
}

/**
 * @template {Record<string, any>} Members
 * @param {Members} members @returns {Members}
 */
function exposedMembers(members) {
  return /** @type {any} */ (Object.fromEntries(Object.entries(members).map(([key, value]) => [key, typeof value === 'function' ? exposed(value) : value])));
}

/** @param {any} error */
function ownError(error) {
  if (!(error instanceof Error)) return error;
  const classes = [[RangeError, ScriptRangeError], [SyntaxError, ScriptSyntaxError], [TypeError, ScriptTypeError]];
  return given(error, classes.find(([Class]) => error instanceof Class)?.[1] ?? ScriptError);
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

/** Whoever asserts something that is not so. */
class AssertionError extends /** @type {ErrorConstructor} */ (ScriptError) {
  /** @param {string} message @param {{expected: string, actual: string}} [diff] texts of which the difference is shown */
  constructor(message, diff) {
    super(message);
    Object.defineProperty(this, 'name', { value: 'AssertionError', configurable: true, writable: true });
    if (diff !== undefined) this.diff = handedOver(diff);
  }
}
