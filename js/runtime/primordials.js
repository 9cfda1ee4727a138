// The runtime is one function: its files are joined and run inside `(function (native) { 'use strict'; … })`, so nothing
// in them can be reached from a script. Built-ins are taken here, before any script runs: one that replaces
// `Array.prototype.push`, `JSON` or `Promise` later breaks only itself.

const {
  Array: ArrayConstructor, Date: DateConstructor, Error: ErrorConstructor, Function: FunctionConstructor,
  Map: MapConstructor, Object: ObjectConstructor, Promise: PromiseConstructor, Proxy: ProxyConstructor,
  Set: SetConstructor, String: StringConstructor, Symbol: SymbolConstructor, TypeError: TypeErrorConstructor,
  ArrayBuffer: ArrayBufferConstructor, Uint8Array: Uint8ArrayConstructor, Int32Array: Int32ArrayConstructor,
  Uint16Array: Uint16ArrayConstructor, Float64Array: Float64ArrayConstructor,
  BigInt64Array: BigInt64ArrayConstructor, BigUint64Array: BigUint64ArrayConstructor,
  BigInt: BigIntFunction, FinalizationRegistry: FinalizationRegistryConstructor,
} = globalThis;

const { apply, defineProperty: reflectDefineProperty, getPrototypeOf, setPrototypeOf, ownKeys } = Reflect;
const { keys: objectKeys, create: createObject, freeze, is: objectIs } = ObjectConstructor;
const { isArray } = ArrayConstructor;
const { isView } = ArrayBufferConstructor;
const { stringify } = JSON;
const isSafeInteger = Number.isSafeInteger;
const { asyncIterator: asyncIteratorSymbol, iterator: iteratorSymbol } = SymbolConstructor;

/**
 * Descriptors inherit nothing: a member of `Object.prototype` named `get` would be taken for theirs.
 * @param {object} object @param {PropertyKey} key @param {PropertyDescriptor & { __proto__?: null }} descriptor
 */
function defineProperty(object, key, descriptor) {
  setPrototypeOf(descriptor, null);
  return reflectDefineProperty(object, key, descriptor);
}

/**
 * Turns a method into a function whose first argument is `this`.
 * @type {<F extends Function>(method: F) => (self: any, ...rest: any[]) => any}
 */
const uncurryThis = FunctionConstructor.prototype.bind.bind(FunctionConstructor.prototype.call);
const dateGetTime = uncurryThis(DateConstructor.prototype.getTime);
const errorToString = uncurryThis(ErrorConstructor.prototype.toString);
const mapForEach = uncurryThis(MapConstructor.prototype.forEach);
const promiseThen = uncurryThis(PromiseConstructor.prototype.then);
const promiseResolve = PromiseConstructor.resolve.bind(PromiseConstructor);
const registryRegister = uncurryThis(FinalizationRegistryConstructor.prototype.register);
const registryUnregister = uncurryThis(FinalizationRegistryConstructor.prototype.unregister);
const setForEach = uncurryThis(SetConstructor.prototype.forEach);
const getter = (/** @type {any} */ object, /** @type {PropertyKey} */ name) =>
  uncurryThis(/** @type {any} */ (ObjectConstructor.getOwnPropertyDescriptor(object, name)).get);
const typedArrayPrototype = /** @type {any} */ (getPrototypeOf(Uint8ArrayConstructor.prototype));
const stringToWellFormed = uncurryThis(/** @type {any} */ (StringConstructor.prototype).toWellFormed);
const arrayBufferDetached = getter(ArrayBufferConstructor.prototype, 'detached');
const arrayBufferByteLength = getter(ArrayBufferConstructor.prototype, 'byteLength');
const typedArrayTag = getter(typedArrayPrototype, SymbolConstructor.toStringTag);
const typedArrayBuffer = getter(typedArrayPrototype, 'buffer');
const typedArrayByteLength = getter(typedArrayPrototype, 'byteLength');
const typedArrayByteOffset = getter(typedArrayPrototype, 'byteOffset');
const typedArraySet = uncurryThis(typedArrayPrototype.set);
const typedArraySlice = uncurryThis(typedArrayPrototype.slice);
const dataViewBuffer = getter(DataView.prototype, 'buffer');
const dataViewByteLength = getter(DataView.prototype, 'byteLength');
const dataViewByteOffset = getter(DataView.prototype, 'byteOffset');

// The two that the inner loops need as plain method calls, which the compiler turns into a few instructions. They are
// fixed in place: a call through a captured reference costs five times as much.
for (const name of ['charCodeAt', 'substring']) {
  defineProperty(StringConstructor.prototype, name, { __proto__: null, writable: false, configurable: false });
}

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
