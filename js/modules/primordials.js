// The head of each module's script. Built-ins are taken before any script runs, so that one that replaces them later
// breaks only itself.

const {
  Array: ArrayConstructor, ArrayBuffer: ArrayBufferConstructor, BigInt: BigIntConstructor, Date: DateConstructor,
  Error: ErrorConstructor, Float64Array: Float64ArrayConstructor, Function: FunctionConstructor, Map: MapConstructor, Number: NumberConstructor, Object: ObjectConstructor,
  Promise: PromiseConstructor, RangeError: RangeErrorConstructor, RegExp: RegExpConstructor, Set: SetConstructor,
  String: StringConstructor, Symbol: SymbolConstructor, TypeError: TypeErrorConstructor,
  Uint8Array: Uint8ArrayConstructor,
} = globalThis;
const {
  apply, construct, getPrototypeOf, ownKeys, setPrototypeOf, defineProperty: reflectDefineProperty,
  getOwnPropertyDescriptor: reflectGetOwnPropertyDescriptor,
} = Reflect;
const { isArray } = ArrayConstructor;
const { isView } = ArrayBufferConstructor;
const { keys: objectKeys, create: createObject } = ObjectConstructor;
const { floor, max, min, trunc } = Math;
const { stringify } = JSON;

// Descriptors inherit nothing: a member of `Object.prototype` named `get` would be taken for theirs.

/** @param {object} object @param {PropertyKey} key @param {PropertyDescriptor} descriptor */
function defineProperty(object, key, descriptor) {
  setPrototypeOf(descriptor, null);
  return reflectDefineProperty(object, key, descriptor);
}

/** @param {object} object @param {PropertyKey} key */
function getOwnPropertyDescriptor(object, key) {
  const descriptor = reflectGetOwnPropertyDescriptor(object, key);
  if (descriptor !== undefined) setPrototypeOf(descriptor, null);
  return descriptor;
}

/**
 * Turns a method into a function whose first argument is `this`.
 * @type {<F extends Function>(method: F) => (self: any, ...rest: any[]) => any}
 */
const uncurryThis = FunctionConstructor.prototype.bind.bind(FunctionConstructor.prototype.call);

/** @param {any} object @param {PropertyKey} name @returns {(self: any) => any} */
const getter = (object, name) => uncurryThis(/** @type {any} */ (getOwnPropertyDescriptor(object, name)).get);

const typedArrayPrototype = getPrototypeOf(Uint8ArrayConstructor.prototype);
const typedArrayName = getter(typedArrayPrototype, SymbolConstructor.toStringTag);
const typedArrayLength = getter(typedArrayPrototype, 'length');
const typedArrayBuffer = getter(typedArrayPrototype, 'buffer');
const typedArrayByteOffset = getter(typedArrayPrototype, 'byteOffset');
const typedArrayByteLength = getter(typedArrayPrototype, 'byteLength');
const arrayBufferByteLength = getter(ArrayBufferConstructor.prototype, 'byteLength');
const arrayBufferSlice = uncurryThis(ArrayBufferConstructor.prototype.slice);
const dateGetTime = uncurryThis(DateConstructor.prototype.getTime);
const dateToISOString = uncurryThis(DateConstructor.prototype.toISOString);
const mapGet = uncurryThis(MapConstructor.prototype.get);
const mapSet = uncurryThis(MapConstructor.prototype.set);
const mapHas = uncurryThis(MapConstructor.prototype.has);
const mapDelete = uncurryThis(MapConstructor.prototype.delete);
const mapForEach = uncurryThis(MapConstructor.prototype.forEach);
const mapSize = getter(MapConstructor.prototype, 'size');
const setAdd = uncurryThis(SetConstructor.prototype.add);
const setForEach = uncurryThis(SetConstructor.prototype.forEach);
const setSize = getter(SetConstructor.prototype, 'size');
const promiseThen = uncurryThis(PromiseConstructor.prototype.then);
const promiseResolve = PromiseConstructor.resolve.bind(PromiseConstructor);
const regExpExec = uncurryThis(RegExpConstructor.prototype.exec);
const stringRepeat = uncurryThis(StringConstructor.prototype.repeat);
const isPrototypeOf = uncurryThis(ObjectConstructor.prototype.isPrototypeOf);

/**
 * An array that no setter or index on `Array.prototype` can reach.
 * @returns {any[]}
 */
function privateArray() {
  /** @type {any[]} */
  const array = [];
  setPrototypeOf(array, null);
  return array;
}

/** @param {any[]} list @param {any} value */
function append(list, value) { list[list.length] = value; }

/** @param {any[]} list @param {string} separator @returns {string} */
function joined(list, separator) {
  let text = '';
  for (let i = 0; i < list.length; i++) text += (i === 0 ? '' : separator) + list[i];
  return text;
}

/** @param {() => any} body @returns {any} what it returns, or undefined if it throws */
function attempt(body) {
  try { return body(); } catch { return undefined; }
}

/** @param {string} text @param {string} end */
function endsWith(text, end) {
  return text.length >= end.length && text.substring(text.length - end.length) === end;
}

/** @param {string} text @param {string} separator one unit */
function split(text, separator) {
  const parts = privateArray();
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    if (i < text.length && text[i] !== separator) continue;
    append(parts, text.substring(start, i));
    start = i + 1;
  }
  return parts;
}

/**
 * Adds a global that is writable and hidden, as the built-in ones are.
 * @param {string} name @param {any} value
 */
function defineGlobal(name, value) {
  defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
}
