// Structured clones: a value as a list of tokens, and the ArrayBuffers that go with it, which any engine can read back.
//
// A token that is no number is a value by itself. A number says what follows: of a number that is the number itself. Objects
// are counted as they begin; one that is met again is a reference to its place in that count.

const CLONE_NUMBER = 0, CLONE_BIGINT = 1, CLONE_OBJECT = 2, CLONE_ARRAY = 3, CLONE_MAP = 4, CLONE_SET = 5, CLONE_DATE = 6, CLONE_REGEXP = 7,
  CLONE_ERROR = 8, CLONE_BOX = 9, CLONE_BUFFER = 10, CLONE_VIEW = 11, CLONE_REFERENCE = 12;

const dataViewBuffer = getter(DataView.prototype, 'buffer');
const dataViewByteOffset = getter(DataView.prototype, 'byteOffset');
const dataViewByteLength = getter(DataView.prototype, 'byteLength');
const isBufferDetached = getter(ArrayBufferConstructor.prototype, 'detached');
const transferBuffer = uncurryThis(/** @type {any} */ (ArrayBufferConstructor.prototype).transfer);
const hasOwn = uncurryThis(ObjectConstructor.prototype.hasOwnProperty);
const errorConstructors = { __proto__: null, EvalError, RangeError: RangeErrorConstructor, ReferenceError, SyntaxError, TypeError: TypeErrorConstructor, URIError };
const viewConstructors = {
  __proto__: null, BigInt64Array, BigUint64Array, DataView, Float16Array: /** @type {any} */ (globalThis).Float16Array, Float32Array, Float64Array,
  Int8Array, Int16Array, Int32Array, Uint8Array, Uint8ClampedArray, Uint16Array, Uint32Array,
};
const boxPrototypes = [Boolean.prototype, NumberConstructor.prototype, StringConstructor.prototype, BigInt.prototype];
const unboxers = [uncurryThis(Boolean.prototype.valueOf), uncurryThis(NumberConstructor.prototype.valueOf), uncurryThis(StringConstructor.prototype.valueOf), uncurryThis(BigInt.prototype.valueOf)];
/** What holds something that cannot be read from it. */
const opaquePrototypes = [PromiseConstructor.prototype, WeakMap.prototype, WeakSet.prototype, WeakRef.prototype, SymbolConstructor.prototype];

/** @typedef {{tokens: any[], buffers: ArrayBuffer[]}} Clone */

/** @param {string} message */
function cloneError(message) { return namedError('DataCloneError', 'ERR_DATA_CLONE', message); }

/** Writes one clone. */
class CloneWriter {
  tokens = privateArray();
  /** Copies of the buffers that the value holds; in front of them those that are transferred, still to be taken. */
  buffers = privateArray();
  /** The objects that were met, by their place. @type {Map<any, number>} */
  #places = new MapConstructor();
  /** @type {Map<any, number>} */
  #transferred = new MapConstructor();

  /** @param {any} buffer @param {number} index in the list of those to transfer */
  willTransfer(buffer, index) {
    const isBuffer = attempt(() => arrayBufferByteLength(buffer)) !== undefined;
    if (!isBuffer) throw cloneError(`transfer[${index}]: expected an ArrayBuffer`);
    if (isBufferDetached(buffer)) throw cloneError(`transfer[${index}]: the ArrayBuffer is detached`);
    if (mapHas(this.#transferred, buffer)) throw cloneError(`transfer[${index}]: the ArrayBuffer is in the list twice`);
    mapSet(this.#transferred, buffer, this.buffers.length);
    append(this.buffers, buffer);
  }

  /** @param {any} token */
  put(token) { append(this.tokens, token); }

  /** @param {any} value */
  write(value) {
    switch (typeof value) {
      case 'number':
        this.put(CLONE_NUMBER);
        return this.put(value);
      case 'bigint':
        // As text: native code passes on 64 bits at most.
        this.put(CLONE_BIGINT);
        return this.put(StringConstructor(value));
      case 'function': case 'symbol': throw cloneError(`a ${typeof value} cannot be cloned`);
      case 'object': return value === null ? this.put(null) : this.#object(value);
      default: return this.put(value);
    }
  }

  /** @param {any} value */
  #object(value) {
    const place = mapGet(this.#places, value);
    if (place !== undefined) {
      this.put(CLONE_REFERENCE);
      return this.put(place);
    }
    mapSet(this.#places, value, mapSize(this.#places));
    if (isArray(value)) return this.#array(value);
    if (getPrototypeOf(value) === ObjectConstructor.prototype || !this.#special(value)) {
      this.put(CLONE_OBJECT);
      this.#members(value, objectKeys(value), 0);
    }
  }

  /** @param {any} value @param {string[]} keys @param {number} start the first of them that is written */
  #members(value, keys, start) {
    this.put(keys.length - start);
    for (let i = start; i < keys.length; i++) {
      this.put(keys[i]);
      this.write(value[keys[i]]);
    }
  }

  /**
   * The elements in a row from the first on, then what else it has, by key.
   * @param {any[]} value
   */
  #array(value) {
    this.put(CLONE_ARRAY);
    this.put(value.length);
    const at = this.tokens.length;
    this.put(0);
    let count = 0;
    for (; count < value.length && hasOwn(value, count); count++) this.write(value[count]);
    this.tokens[at] = count;
    const keys = objectKeys(value);
    this.#members(value, keys, min(count, keys.length));
  }

  /** @param {any} value @returns {boolean} whether it was more than its members */
  #special(value) {
    const byteLength = attempt(() => arrayBufferByteLength(value));
    if (byteLength !== undefined) this.#buffer(value, byteLength);
    else if (isView(value)) this.#view(value);
    else if (attempt(() => mapSize(value)) !== undefined) this.#map(value);
    else if (attempt(() => setSize(value)) !== undefined) this.#set(value);
    else if (attempt(() => dateGetTime(value)) !== undefined) this.#parts(CLONE_DATE, dateGetTime(value));
    else if (isPrototypeOf(RegExpConstructor.prototype, value)) this.#parts(CLONE_REGEXP, value.source, value.flags);
    else if (isPrototypeOf(ErrorConstructor.prototype, value)) this.#error(value);
    else return this.#box(value);
    return true;
  }

  /** @param {number} kind @param {any[]} parts */
  #parts(kind, ...parts) {
    this.put(kind);
    for (let i = 0; i < parts.length; i++) this.put(parts[i]);
  }

  /** @param {any} value @param {number} byteLength */
  #buffer(value, byteLength) {
    const transferred = mapGet(this.#transferred, value);
    if (transferred === undefined && isBufferDetached(value)) throw cloneError('an ArrayBuffer that is detached cannot be cloned');
    this.#parts(CLONE_BUFFER, transferred ?? this.buffers.length);
    if (transferred === undefined) append(this.buffers, arrayBufferSlice(value, 0, byteLength));
  }

  /** @param {any} value */
  #view(value) {
    const name = typedArrayName(value);
    if (name === undefined) {
      this.#parts(CLONE_VIEW, 'DataView', dataViewByteOffset(value), dataViewByteLength(value));
      return this.write(dataViewBuffer(value));
    }
    this.#parts(CLONE_VIEW, name, typedArrayByteOffset(value), typedArrayLength(value));
    this.write(typedArrayBuffer(value));
  }

  // Entries are collected first: writing one may run the script's getters, which may change the collection.

  /** @param {Map<any, any>} value */
  #map(value) {
    const entries = privateArray();
    mapForEach(value, (/** @type {any} */ item, /** @type {any} */ key) => {
      append(entries, key);
      append(entries, item);
    });
    this.#entries(CLONE_MAP, entries);
  }

  /** @param {Set<any>} value */
  #set(value) {
    const entries = privateArray();
    setForEach(value, (/** @type {any} */ item) => append(entries, item));
    this.#entries(CLONE_SET, entries);
  }

  /** @param {number} kind @param {any[]} entries */
  #entries(kind, entries) {
    this.#parts(kind, entries.length);
    for (let i = 0; i < entries.length; i++) this.write(entries[i]);
  }

  /** @param {any} error */
  #error(error) {
    const { name, message, stack, code } = error;
    this.#parts(CLONE_ERROR, StringConstructor(name), StringConstructor(message), typeof stack === 'string' ? stack : undefined, typeof code === 'string' ? code : undefined);
    const hasCause = hasOwn(error, 'cause');
    this.put(hasCause);
    if (hasCause) this.write(error.cause);
  }

  /** @param {any} value */
  #box(value) {
    for (let i = 0; i < boxPrototypes.length; i++) {
      if (!isPrototypeOf(boxPrototypes[i], value)) continue;
      const primitive = attempt(() => unboxers[i](value));
      if (primitive === undefined) continue;
      this.put(CLONE_BOX);
      this.write(primitive);
      return true;
    }
    for (let i = 0; i < opaquePrototypes.length; i++) {
      if (isPrototypeOf(opaquePrototypes[i], value)) throw cloneError(`a ${opaquePrototypes[i][SymbolConstructor.toStringTag]} cannot be cloned`);
    }
    return false;
  }
}

/**
 * @param {any} value
 * @param {any} [transfer] an array of ArrayBuffers: the clone takes them, script has them detached
 * @returns {Clone}
 */
function writeClone(value, transfer) {
  if (transfer !== undefined && !isArray(transfer)) throw new TypeErrorConstructor(`transfer: expected an array of ArrayBuffers`);
  const writer = new CloneWriter();
  for (let i = 0; transfer !== undefined && i < transfer.length; i++) writer.willTransfer(transfer[i], i);
  const transferred = writer.buffers.length;
  writer.write(value);
  // Last: a value that cannot be cloned leaves the script what it has.
  for (let i = 0; i < transferred; i++) writer.buffers[i] = transferBuffer(writer.buffers[i]);
  return writer;
}

/** Reads one clone. */
class CloneReader {
  #tokens;
  #buffers;
  #at = 0;
  #objects = privateArray();

  /** @param {Clone} clone */
  constructor({ tokens, buffers }) {
    this.#tokens = tokens;
    this.#buffers = buffers;
  }

  #next() { return this.#tokens[this.#at++]; }

  /** @template Value @param {Value} object @returns {Value} which takes the next place */
  #begin(object) {
    append(this.#objects, object);
    return object;
  }

  /** @returns {any} */
  read() {
    const token = this.#next();
    switch (token) {
      case CLONE_NUMBER: return this.#next();
      case CLONE_BIGINT: return BigIntConstructor(this.#next());
      case CLONE_OBJECT: return this.#object();
      case CLONE_ARRAY: return this.#array();
      case CLONE_MAP: return this.#map();
      case CLONE_SET: return this.#set();
      case CLONE_DATE: return this.#begin(new DateConstructor(this.#next()));
      case CLONE_REGEXP: return this.#begin(new RegExpConstructor(this.#next(), this.#next()));
      case CLONE_ERROR: return this.#error();
      case CLONE_BOX: return this.#box();
      case CLONE_BUFFER: return this.#begin(this.#buffers[this.#next()]);
      case CLONE_VIEW: return this.#view();
      case CLONE_REFERENCE: return this.#objects[this.#next()];
      default: return token;
    }
  }

  // What inherits nothing while it is filled runs no setter of the script's.

  #object() {
    const object = this.#begin(createObject(null));
    this.#members(object);
    setPrototypeOf(object, ObjectConstructor.prototype);
    return object;
  }

  #array() {
    const array = this.#begin(privateArray());
    array.length = this.#next();
    const count = this.#next();
    for (let i = 0; i < count; i++) array[i] = this.read();
    this.#members(array);
    setPrototypeOf(array, ArrayConstructor.prototype);
    return array;
  }

  /** @param {any} object */
  #members(object) {
    for (let left = this.#next(); left > 0; left--) {
      const key = this.#next();
      object[key] = this.read();
    }
  }

  #map() {
    const map = this.#begin(new MapConstructor());
    for (let left = this.#next(); left > 0; left -= 2) {
      const key = this.read();
      mapSet(map, key, this.read());
    }
    return map;
  }

  #set() {
    const set = this.#begin(new SetConstructor());
    for (let left = this.#next(); left > 0; left--) setAdd(set, this.read());
    return set;
  }

  #error() {
    const name = this.#next();
    const Constructor = /** @type {any} */ (errorConstructors)[name] ?? ErrorConstructor;
    const error = this.#begin(new Constructor(this.#next()));
    const define = (/** @type {string} */ key, /** @type {any} */ value, enumerable = false) => {
      if (value !== undefined) defineProperty(error, key, { value, enumerable, writable: true, configurable: true });
    };
    if (name !== Constructor.name) define('name', name);
    define('stack', this.#next());
    define('code', this.#next(), true);
    if (this.#next()) define('cause', this.read());
    return error;
  }

  #box() {
    const place = this.#objects.length;
    append(this.#objects, undefined);
    return this.#objects[place] = ObjectConstructor(this.read());
  }

  #view() {
    const place = this.#objects.length;
    append(this.#objects, undefined);
    const name = this.#next(), offset = this.#next(), length = this.#next();
    return this.#objects[place] = construct(/** @type {any} */ (viewConstructors)[name], [this.read(), offset, length]);
  }
}

/** @param {Clone} clone */
function readClone(clone) { return new CloneReader(clone).read(); }
