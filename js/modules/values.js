// Reading values of scripts without asking them: built-ins of this realm, which work on those of the other.

/**
 * Turns a method into a function whose first argument is `this`.
 * @type {<F extends Function>(method: F) => (self: any, ...rest: any[]) => any}
 */
const uncurryThis = Function.prototype.bind.bind(Function.prototype.call);
/** @param {any} object @param {PropertyKey} name @returns {(self: any) => any} */
const getter = (object, name) => uncurryThis(/** @type {any} */ (Object.getOwnPropertyDescriptor(object, name)).get);

const typedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype);
const typedArrayName = getter(typedArrayPrototype, Symbol.toStringTag);
const typedArrayLength = getter(typedArrayPrototype, 'length');
const typedArrayBuffer = getter(typedArrayPrototype, 'buffer');
const typedArrayByteOffset = getter(typedArrayPrototype, 'byteOffset');
const typedArrayByteLength = getter(typedArrayPrototype, 'byteLength');
const dataViewBuffer = getter(DataView.prototype, 'buffer');
const dataViewByteOffset = getter(DataView.prototype, 'byteOffset');
const dataViewByteLength = getter(DataView.prototype, 'byteLength');
const arrayBufferByteLength = getter(ArrayBuffer.prototype, 'byteLength');
const dateGetTime = uncurryThis(Date.prototype.getTime);
const dateToISOString = uncurryThis(Date.prototype.toISOString);
const mapForEach = uncurryThis(Map.prototype.forEach);
const mapSize = getter(Map.prototype, 'size');
const setForEach = uncurryThis(Set.prototype.forEach);
const setSize = getter(Set.prototype, 'size');

/** @param {() => any} body @returns {any} what it returns, or undefined if it throws; the end of the stack is no answer */
function attempt(body) {
  try { return body(); } catch (error) { return passOn(error, undefined); }
}
