// Structured clones: a value as a list of numbers, with the strings and ArrayBuffers that they refer to by index, which any engine
// can read back.
//
// Each value is its kind and what that needs. Objects are counted as they begin; one that is met again is a reference to its
// place in that count.

const CLONE_UNDEFINED = 0, CLONE_NULL = 1, CLONE_FALSE = 2, CLONE_TRUE = 3, CLONE_NUMBER = 4, CLONE_STRING = 5, CLONE_BIGINT = 6, CLONE_OBJECT = 7,
  CLONE_ARRAY = 8, CLONE_MAP = 9, CLONE_SET = 10, CLONE_DATE = 11, CLONE_REGEXP = 12, CLONE_ERROR = 13, CLONE_BOX = 14, CLONE_BUFFER = 15,
  CLONE_VIEW = 16, CLONE_REFERENCE = 17;

const dataViewBuffer = getter(DataView.prototype, 'buffer');
const dataViewByteOffset = getter(DataView.prototype, 'byteOffset');
const dataViewByteLength = getter(DataView.prototype, 'byteLength');
const isBufferDetached = getter(ArrayBufferConstructor.prototype, 'detached');
const transferBuffer = uncurryThis(/** @type {any} */ (ArrayBufferConstructor.prototype).transfer);
const typedArraySet = uncurryThis(/** @type {any} */ (typedArrayPrototype).set);
const typedArraySubarray = uncurryThis(/** @type {any} */ (typedArrayPrototype).subarray);
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

/** @typedef {{numbers: Float64Array | number[], strings: string[], buffers: ArrayBuffer[]}} Clone */

/** @param {string} message */
function cloneError(message) { return namedError('DataCloneError', 'ERR_DATA_CLONE', message); }

/** Writes one clone. */
class CloneWriter {
  /**
   * A list while it is short: to send a typed array costs as much as two hundred numbers.
   * @type {any}
   */
  #numbers = privateArray();
  #room = 256;
  #count = 0;
  strings = privateArray();
  /** @type {Map<string, number>} */
  #indices = new MapConstructor();
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

  /** @returns {Float64Array | number[]} */
  get numbers() { return isArray(this.#numbers) ? this.#numbers : typedArraySubarray(this.#numbers, 0, this.#count); }

  /** @param {number} number */
  put(number) {
    if (this.#count === this.#room) {
      this.#room *= 4;
      const larger = new Float64ArrayConstructor(this.#room);
      typedArraySet(larger, this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#count++] = number;
  }

  /** @param {string} text */
  #string(text) {
    let index = mapGet(this.#indices, text);
    if (index === undefined) {
      index = this.strings.length;
      append(this.strings, text);
      mapSet(this.#indices, text, index);
    }
    this.put(index);
  }

  /** @param {any} value */
  write(value) {
    switch (typeof value) {
      case 'undefined': return this.put(CLONE_UNDEFINED);
      case 'boolean': return this.put(value ? CLONE_TRUE : CLONE_FALSE);
      case 'number':
        this.put(CLONE_NUMBER);
        return this.put(value);
      case 'string':
        this.put(CLONE_STRING);
        return this.#string(value);
      case 'bigint':
        this.put(CLONE_BIGINT);
        return this.#string(StringConstructor(value));
      case 'object': return value === null ? this.put(CLONE_NULL) : this.#object(value);
      default: throw cloneError(`a ${typeof value} cannot be cloned`);
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
      this.#string(keys[i]);
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
    const at = this.#count;
    this.put(0);
    let count = 0;
    for (; count < value.length; count++) {
      const element = value[count];
      if (element === undefined && !hasOwn(value, count)) break;
      this.write(element);
    }
    this.#numbers[at] = count;
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
    else if (attempt(() => dateGetTime(value)) !== undefined) this.#numbersOf(CLONE_DATE, dateGetTime(value));
    else if (isPrototypeOf(RegExpConstructor.prototype, value)) this.#regExp(value);
    else if (isPrototypeOf(ErrorConstructor.prototype, value)) this.#error(value);
    else return this.#box(value);
    return true;
  }

  /** @param {number[]} numbers */
  #numbersOf(...numbers) { for (let i = 0; i < numbers.length; i++) this.put(numbers[i]); }

  /** @param {RegExp} value */
  #regExp({ source, flags }) {
    this.put(CLONE_REGEXP);
    this.#string(StringConstructor(source));
    this.#string(StringConstructor(flags));
  }

  /** @param {any} value @param {number} byteLength */
  #buffer(value, byteLength) {
    const transferred = mapGet(this.#transferred, value);
    if (transferred === undefined && isBufferDetached(value)) throw cloneError('an ArrayBuffer that is detached cannot be cloned');
    this.#numbersOf(CLONE_BUFFER, transferred ?? this.buffers.length);
    if (transferred === undefined) append(this.buffers, arrayBufferSlice(value, 0, byteLength));
  }

  /** @param {any} value */
  #view(value) {
    const name = typedArrayName(value);
    this.put(CLONE_VIEW);
    this.#string(name ?? 'DataView');
    if (name === undefined) this.#numbersOf(dataViewByteOffset(value), dataViewByteLength(value));
    else this.#numbersOf(typedArrayByteOffset(value), typedArrayLength(value));
    this.write(name === undefined ? dataViewBuffer(value) : typedArrayBuffer(value));
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
    this.#numbersOf(kind, entries.length);
    for (let i = 0; i < entries.length; i++) this.write(entries[i]);
  }

  /** @param {any} error */
  #error(error) {
    const { name, message, stack, code } = error;
    this.put(CLONE_ERROR);
    this.#string(StringConstructor(name));
    this.#string(StringConstructor(message));
    this.write(typeof stack === 'string' ? stack : undefined);
    this.write(typeof code === 'string' ? code : undefined);
    const hasCause = hasOwn(error, 'cause');
    this.write(hasCause);
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
  #numbers;
  #strings;
  #buffers;
  #at = 0;
  #objects = privateArray();

  /** @param {Clone} clone */
  constructor({ numbers, strings, buffers }) {
    this.#numbers = numbers;
    this.#strings = strings;
    this.#buffers = buffers;
  }

  #next() { return this.#numbers[this.#at++]; }
  #string() { return this.#strings[this.#next()]; }

  /** How many follow: no more than there are, whoever wrote it. */
  #count() {
    const count = this.#next();
    if (!(count <= this.#numbers.length)) throw cloneError('the clone is malformed');
    return count;
  }

  /** @template Value @param {Value} object @returns {Value} which takes the next place */
  #begin(object) {
    append(this.#objects, object);
    return object;
  }

  /** @returns {any} */
  read() {
    switch (this.#next()) {
      case CLONE_NULL: return null;
      case CLONE_FALSE: return false;
      case CLONE_TRUE: return true;
      case CLONE_NUMBER: return this.#next();
      case CLONE_STRING: return this.#string();
      case CLONE_BIGINT: return BigIntConstructor(this.#string());
      case CLONE_OBJECT: return this.#object();
      case CLONE_ARRAY: return this.#array();
      case CLONE_MAP: return this.#map();
      case CLONE_SET: return this.#set();
      case CLONE_DATE: return this.#begin(new DateConstructor(this.#next()));
      case CLONE_REGEXP: return this.#begin(new RegExpConstructor(this.#string(), this.#string()));
      case CLONE_ERROR: return this.#error();
      case CLONE_BOX: return this.#box();
      case CLONE_BUFFER: return this.#begin(this.#buffers[this.#next()]);
      case CLONE_VIEW: return this.#view();
      case CLONE_REFERENCE: return this.#objects[this.#next()];
      default: return undefined;
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
    const count = this.#count();
    for (let i = 0; i < count; i++) array[i] = this.read();
    this.#members(array);
    setPrototypeOf(array, ArrayConstructor.prototype);
    return array;
  }

  /** @param {any} object */
  #members(object) {
    for (let left = this.#count(); left > 0; left--) {
      const key = this.#string();
      object[key] = this.read();
    }
  }

  #map() {
    const map = this.#begin(new MapConstructor());
    for (let left = this.#count(); left > 0; left -= 2) {
      const key = this.read();
      mapSet(map, key, this.read());
    }
    return map;
  }

  #set() {
    const set = this.#begin(new SetConstructor());
    for (let left = this.#count(); left > 0; left--) setAdd(set, this.read());
    return set;
  }

  #error() {
    const name = this.#string();
    const Constructor = /** @type {any} */ (errorConstructors)[name] ?? ErrorConstructor;
    const error = this.#begin(new Constructor(this.#string()));
    const define = (/** @type {string} */ key, /** @type {any} */ value, enumerable = false) => {
      if (value !== undefined) defineProperty(error, key, { value, enumerable, writable: true, configurable: true });
    };
    if (name !== Constructor.name) define('name', name);
    define('stack', this.read());
    define('code', this.read(), true);
    if (this.read()) define('cause', this.read());
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
    const name = this.#string(), offset = this.#next(), length = this.#next();
    return this.#objects[place] = construct(/** @type {any} */ (viewConstructors)[name], [this.read(), offset, length]);
  }
}

/** @param {Clone} clone */
function readClone(clone) { return new CloneReader(clone).read(); }
