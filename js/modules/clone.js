// Structured clones: a value as a list of numbers, with the strings and ArrayBuffers that they refer to by index, which any engine
// can read back.
//
// Each value is its kind and what that needs. Objects are counted as they begin; one that is met again is a reference to its
// place in that count.

const CLONE_UNDEFINED = 0, CLONE_NULL = 1, CLONE_FALSE = 2, CLONE_TRUE = 3, CLONE_NUMBER = 4, CLONE_STRING = 5, CLONE_BIGINT = 6, CLONE_OBJECT = 7,
  CLONE_ARRAY = 8, CLONE_MAP = 9, CLONE_SET = 10, CLONE_DATE = 11, CLONE_REGEXP = 12, CLONE_ERROR = 13, CLONE_BOX = 14, CLONE_BUFFER = 15,
  CLONE_VIEW = 16, CLONE_REFERENCE = 17, CLONE_EXCEPTION = 18, CLONE_BLOB = 19;

const isBufferDetached = getter(ArrayBuffer.prototype, 'detached');
const resizeBuffer = uncurryThis(/** @type {any} */ (ArrayBuffer.prototype).resize);
const isBufferResizable = getter(ArrayBuffer.prototype, 'resizable');
const arrayBufferMaxByteLength = getter(ArrayBuffer.prototype, 'maxByteLength');
const typedArrayKeys = uncurryThis(typedArrayPrototype.keys);
const hasOwn = uncurryThis(Object.prototype.hasOwnProperty);

// What a clone is made of is the scripts' own. A script may have put something else in their place by now: they are given nothing of this
// realm but numbers and texts.
const {
  Object: ScriptObject, Map: ScriptMap, Set: ScriptSet, RegExp: ScriptRegExp, Uint8Array: ScriptUint8Array, ArrayBuffer: ScriptArrayBuffer,
} = scriptGlobal;
const transferBuffer = uncurryThis(ScriptArrayBuffer.prototype.transfer);
const { prototype: rangeErrorPrototype } = scriptGlobal.RangeError;

/**
 * Constructors of scripts, by name.
 * @param {string[]} names
 * @returns {Record<string, any>}
 */
const scriptClasses = (...names) => Object.assign(Object.create(null), Object.fromEntries(names.map((name) => [name, scriptGlobal[name]])));
const errorConstructors = scriptClasses('EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError');
/** Of what is an error and no DOMException. */
const errorPrototypes = new Set([ScriptError, ...Object.values(errorConstructors)].map(({ prototype }) => prototype));
const viewConstructors = scriptClasses(
  'BigInt64Array', 'BigUint64Array', 'DataView', 'Float16Array', 'Float32Array', 'Float64Array', 'Int8Array', 'Int16Array', 'Int32Array', 'Uint8Array',
  'Uint8ClampedArray', 'Uint16Array', 'Uint32Array');
const boxPrototypes = ['Boolean', 'Number', 'String', 'BigInt'].map((name) => scriptGlobal[name].prototype);
const unboxers = [Boolean, Number, String, BigInt].map(({ prototype }) => uncurryThis(prototype.valueOf));
/** What holds something that cannot be read from it. */
const { opaquePrototypes } = border;
for (const name of ['Promise', 'WeakMap', 'WeakSet', 'WeakRef', 'FinalizationRegistry', 'Symbol']) opaquePrototypes.set(scriptGlobal[name].prototype, name);
for (const iterator of [
  new ScriptMap().keys(), new ScriptSet().keys(), new ScriptUint8Array().keys(), ScriptObject('')[Symbol.iterator](), ScriptObject('').matchAll(''),
  new ScriptMap().keys().take?.(0), scriptGlobal.Iterator?.from(border.bareObject()),
]) if (iterator !== undefined) opaquePrototypes.set(Reflect.getPrototypeOf(iterator), 'built-in iterator');

/** What the engine makes when it is first touched is known when the first object is cloned that may be of it. */
let knowsAll = false;

function findSeldomOnes() {
  for (const space of ['Intl', 'WebAssembly']) {
    const classes = scriptGlobal[space];
    for (const name of isObject(classes) ? Reflect.ownKeys(classes) : []) {
      const prototype = classes[name]?.prototype;
      if (isObject(prototype)) opaquePrototypes.set(prototype, `${space}.${String(name)}`);
    }
  }
  knowsAll = true;
}

/** So are those that are no members of `Intl`: to make one takes milliseconds. */
let knowsSegments = false;

function findSegments() {
  knowsSegments = true;
  const segments = new scriptGlobal.Intl.Segmenter().segment('');
  opaquePrototypes.set(Reflect.getPrototypeOf(segments), 'Intl.Segments');
  opaquePrototypes.set(Reflect.getPrototypeOf(segments[Symbol.iterator]()), 'built-in iterator');
}

/** @param {any} value @returns {string | undefined} what it is, if that cannot be cloned */
function opaqueKind(value) {
  // A script may have put something in their place that throws.
  if (!knowsAll) attempt(findSeldomOnes);
  for (let at = value; at !== null; at = Reflect.getPrototypeOf(at)) {
    if (!knowsSegments && (hasOwn(at, 'containing') || hasOwn(at, 'next'))) attempt(findSegments);
    const kind = opaquePrototypes.get(at);
    if (kind !== undefined) return kind;
  }
}
const { prototype: scriptObjectPrototype } = ScriptObject, { prototype: scriptArrayPrototype } = scriptGlobal.Array;
const { prototype: clonedRegExpPrototype } = ScriptRegExp;

/** The engine's. */
const LONGEST_BUFFER = 2 ** 32;

/**
 * A copy that belongs to scripts. No species of theirs is asked.
 * @param {ArrayBuffer} buffer @param {number} [maxByteLength] how far the copy can be resized, if it can
 */
function copyOfBuffer(buffer, maxByteLength) {
  const byteLength = arrayBufferByteLength(buffer);
  const bytes = new ScriptUint8Array(maxByteLength === undefined ? byteLength : new ScriptArrayBuffer(byteLength, publishObject({ maxByteLength })));
  typedArrayPrototype.set.call(bytes, new Uint8Array(buffer));
  return typedArrayBuffer(bytes);
}

/** @typedef {{numbers: Float64Array | number[], strings: string[], buffers: ArrayBuffer[]}} Clone */

/** @param {string} message */
function cloneError(message) { return runtime.part('exceptions').makeException('DataCloneError', message); }

function detached() { return cloneError('an ArrayBuffer that is detached cannot be cloned'); }

/** @param {any} buffer @param {number} index in the list of those to transfer */
function checkTransfer(buffer, index) {
  if (isBufferDetached(buffer)) throw cloneError(`transfer[${index}]: the ArrayBuffer is detached`);
  // Too long for any: what may be detached is refused for that, and for that alone.
  try { transferBuffer(buffer, Number.MAX_SAFE_INTEGER); } catch (error) {
    if (!isPrototypeOf(rangeErrorPrototype, error)) throw cloneError(`transfer[${index}]: the ArrayBuffer cannot be detached`);
  }
}

/**
 * Whether a view reaches to the end of its buffer, however long that comes to be. Nothing tells but a buffer that has grown: where it
 * cannot, to reach to its end is enough.
 * @param {any} buffer @param {number} offset @param {() => number} lengthOf the view @param {number} size of an element
 */
function followsBuffer(buffer, offset, lengthOf, size) {
  if (!isBufferResizable(buffer)) return false;
  const length = lengthOf(), byteLength = arrayBufferByteLength(buffer);
  if (byteLength - offset - length * size >= size) return false;
  if (byteLength + size > arrayBufferMaxByteLength(buffer)) return true;
  resizeBuffer(buffer, byteLength + size);
  const grown = lengthOf();
  resizeBuffer(buffer, byteLength);
  return grown !== length;
}

/** Writes one clone. */
class CloneWriter {
  /**
   * A list while it is short: to send a typed array costs as much as two hundred numbers.
   * @type {any}
   */
  #numbers = [];
  #room = 256;
  #count = 0;
  /** @type {string[]} */
  strings = [];
  /** @type {Map<string, number>} */
  #indices = new Map();
  /**
   * Copies of the buffers that the value holds; in front of them those that are transferred, still to be taken.
   * @type {any[]}
   */
  buffers = [];
  /** The objects that were met, by their place. @type {Map<any, number>} */
  #places = new Map();
  /** @type {Map<any, number>} */
  #transferred = new Map();

  /** @param {any} buffer @param {number} index in the list of those to transfer */
  willTransfer(buffer, index) {
    const isBuffer = attempt(() => arrayBufferByteLength(buffer)) !== undefined;
    if (!isBuffer) throw cloneError(`transfer[${index}]: expected an ArrayBuffer`);
    checkTransfer(buffer, index);
    if (this.#transferred.has(buffer)) throw cloneError(`transfer[${index}]: the ArrayBuffer is in the list twice`);
    this.#transferred.set(buffer, this.buffers.length);
    this.buffers.push(buffer);
  }

  /** @returns {Float64Array | number[]} */
  get numbers() { return isArray(this.#numbers) ? this.#numbers : this.#numbers.subarray(0, this.#count); }

  /** @param {number} number */
  put(number) {
    if (this.#count === this.#room) {
      this.#room *= 4;
      const larger = new Float64Array(this.#room);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#count++] = number;
  }

  /** @param {string} text */
  #string(text) {
    let index = this.#indices.get(text);
    if (index === undefined) {
      index = this.strings.length;
      this.strings.push(text);
      this.#indices.set(text, index);
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
        return this.#string(String(value));
      case 'object': return value === null ? this.put(CLONE_NULL) : this.#object(value);
      default: throw cloneError(`a ${typeof value} cannot be cloned`);
    }
  }

  /** @param {any} value */
  #object(value) {
    const place = this.#places.get(value);
    if (place !== undefined) {
      this.put(CLONE_REFERENCE);
      return this.put(place);
    }
    this.#places.set(value, this.#places.size);
    if (isArray(value)) return this.#array(value);
    if (this.#transferred.has(value)) return this.#buffer(value);
    if (Reflect.getPrototypeOf(value) === scriptObjectPrototype || !this.#special(value)) {
      this.put(CLONE_OBJECT);
      this.#members(value, Object.keys(value), 0);
    }
  }

  /** @param {any} value @param {string[]} keys @param {number} start the first of them that is written */
  #members(value, keys, start) {
    const at = this.#count;
    this.put(keys.length - start);
    let gone = 0;
    for (let i = start; i < keys.length; i++) {
      const member = value[keys[i]];
      // A getter may have removed it.
      if (member === undefined && !hasOwn(value, keys[i])) gone++;
      else {
        this.#string(keys[i]);
        this.write(member);
      }
    }
    if (gone > 0) this.#numbers[at] -= gone;
  }

  /**
   * The elements in a row from the first on, then what else it has, by key.
   * @param {any[]} value
   */
  #array(value) {
    const { length } = value;
    // A proxy of an array may answer anything.
    if (!isIndex(length)) throw cloneError('an array without a length cannot be cloned');
    this.put(CLONE_ARRAY);
    this.put(length);
    const keys = Object.keys(value), at = this.#count;
    this.put(0);
    // Indices come first, in their order.
    const isDense = keys.length >= length && (length === 0 || keys[length - 1] === String(length - 1));
    let count = 0;
    for (; isDense ? count < length : keys[count] === String(count); count++) {
      const element = value[count];
      // A getter may have removed it.
      if (element === undefined && !hasOwn(value, count)) break;
      this.write(element);
    }
    this.#numbers[at] = count;
    this.#members(value, keys, count);
  }

  /** @param {any} value @returns {boolean} whether it was more than its members */
  #special(value) {
    const byteLength = attempt(() => arrayBufferByteLength(value));
    if (byteLength !== undefined) this.#buffer(value);
    else if (isView(value)) this.#view(value);
    else if (attempt(() => mapSize(value)) !== undefined) this.#map(value);
    else if (attempt(() => setSize(value)) !== undefined) this.#set(value);
    else if (attempt(() => dateGetTime(value)) !== undefined) this.#numbersOf(CLONE_DATE, dateGetTime(value));
    else if (isPrototypeOf(clonedRegExpPrototype, value)) this.#regExp(value);
    else if (isError(value)) this.#error(value);
    else return this.#box(value);
    return true;
  }

  /** @param {number[]} numbers */
  #numbersOf(...numbers) { for (let i = 0; i < numbers.length; i++) this.put(numbers[i]); }

  /** @param {RegExp} value */
  #regExp({ source, flags }) {
    this.put(CLONE_REGEXP);
    this.#string(String(source));
    this.#string(String(flags));
  }

  /** @param {any} value */
  #buffer(value) {
    const transferred = this.#transferred.get(value);
    if (transferred === undefined && isBufferDetached(value)) throw detached();
    this.#numbersOf(CLONE_BUFFER, transferred ?? this.buffers.length, isBufferResizable(value) ? arrayBufferMaxByteLength(value) : -1);
    if (transferred === undefined) this.buffers.push(copyOfBuffer(value));
  }

  /** @param {any} value */
  #view(value) {
    const name = typedArrayName(value), buffer = name === undefined ? dataViewBuffer(value) : typedArrayBuffer(value);
    if (!isBuffer(buffer)) throw cloneError('a view on shared memory cannot be cloned');
    if (isBufferDetached(buffer)) throw detached();
    // It throws where the buffer has been made too short for the view.
    if (attempt(() => name === undefined ? dataViewByteLength(value) : typedArrayKeys(value)) === undefined) {
      throw cloneError('a view that is out of bounds cannot be cloned');
    }
    this.put(CLONE_VIEW);
    this.#string(name ?? 'DataView');
    const lengthOf = () => name === undefined ? dataViewByteLength(value) : typedArrayLength(value);
    const offset = name === undefined ? dataViewByteOffset(value) : typedArrayByteOffset(value);
    this.#numbersOf(offset, followsBuffer(buffer, offset, lengthOf, viewConstructors[name]?.BYTES_PER_ELEMENT ?? 1) ? -1 : lengthOf());
    this.write(buffer);
  }

  // Entries are collected first: writing one may run the script's getters, which may change the collection.

  /** @param {Map<any, any>} value */
  #map(value) {
    /** @type {any[]} */
    const entries = [];
    mapForEach(value, (/** @type {any} */ item, /** @type {any} */ key) => {
      entries.push(key);
      entries.push(item);
    });
    this.#entries(CLONE_MAP, entries);
  }

  /** @param {Set<any>} value */
  #set(value) {
    /** @type {any[]} */
    const entries = [];
    setForEach(value, (/** @type {any} */ item) => entries.push(item));
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
    if (!errorPrototypes.has(Reflect.getPrototypeOf(error)) && runtime.part('exceptions').exceptionOf(error) !== undefined) {
      this.put(CLONE_EXCEPTION);
      this.#string(String(name));
      this.#string(String(message));
      return this.write(typeof stack === 'string' ? stack : undefined);
    }
    this.put(CLONE_ERROR);
    this.#string(String(name));
    this.#string(String(message));
    this.write(typeof stack === 'string' ? stack : undefined);
    this.write(typeof code === 'string' ? code : undefined);
    const hasCause = hasOwn(error, 'cause');
    this.write(hasCause);
    if (hasCause) this.write(error.cause);
  }

  /** @param {any} blob what stands behind it: a file has a name, too */
  #blob(blob) {
    this.put(CLONE_BLOB);
    this.#string(blob.type);
    this.put(this.buffers.length);
    this.buffers.push(blob.copy());
    this.write(blob.name);
    this.write(blob.lastModified);
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
    const blob = runtime.blobs?.dataOf(value);
    if (blob !== undefined) {
      this.#blob(blob);
      return true;
    }
    const kind = opaqueKind(value);
    if (kind !== undefined) throw cloneError(`${/^[AEIO]/i.test(kind) ? 'an' : 'a'} ${kind} cannot be cloned`);
    // What a view can be of, and is no ArrayBuffer.
    if (attempt(() => new DataView(value)) !== undefined) throw cloneError('shared memory cannot be cloned');
    return false;
  }
}

/**
 * @param {any} options of `postMessage`: the buffers to transfer, or `{ transfer }` with them
 * @returns {any} what is to be transferred
 */
function transferOf(options) {
  if (options === undefined || options === null) return undefined;
  if (!isObject(options)) throw new ScriptTypeError("postMessage, argument 2: expected an array of ArrayBuffers, or an object with one as 'transfer'");
  return isArray(options) ? options : options.transfer;
}

/**
 * @param {any} value
 * @param {any} [transfer] an array of ArrayBuffers: the clone takes them, the script has them detached
 * @param {(clone: Clone) => void} [tryOut] does with it what will be done, where that may fail
 * @returns {Clone}
 */
function writeClone(value, transfer, tryOut = tryToSend) {
  if (transfer !== undefined && !isArray(transfer)) throw new ScriptTypeError(`transfer: expected an array of ArrayBuffers`);
  const writer = new CloneWriter();
  for (let i = 0; transfer !== undefined && i < transfer.length; i++) writer.willTransfer(transfer[i], i);
  const transferred = writer.buffers.length;
  writer.write(value);
  if (transferred === 0) return writer;
  // Last, and all or none: what cannot be cloned, sent or read again leaves the script what it has.
  runtime.needStack(COLD_LEVELS);
  // Getters may have taken some meanwhile.
  for (let i = 0; i < transferred; i++) checkTransfer(writer.buffers[i], i);
  tryOut(writer);
  for (let i = 0; i < transferred; i++) writer.buffers[i] = transferBuffer(writer.buffers[i]);
  return writer;
}

/** @param {Clone} clone */
function tryToSend({ numbers, strings, buffers }) {
  // The first ones stand for what is sent beside it.
  runtime.checkSending([0, 0, numbers, strings, buffers]);
}

/** What may lie in the lists of a clone. */
const isNumber = (/** @type {any} */ value) => typeof value === 'number';
const isString = (/** @type {any} */ value) => typeof value === 'string';
const isBuffer = (/** @type {any} */ value) => attempt(() => arrayBufferByteLength(value)) !== undefined;
const isIndex = (/** @type {any} */ value) => typeof value === 'number' && value >>> 0 === value;

function malformed() { return cloneError('the clone is malformed'); }

/**
 * A list of this realm with the own elements of one that may be anybody's.
 * @param {any} list @param {(value: any) => boolean} fits whether an element is what it has to be
 */
function elementsOf(list, fits) {
  const length = isArray(list) ? list.length : -1;
  if (!isIndex(length)) throw malformed();
  /** @type {any[]} */
  const elements = [];
  for (let i = 0; i < length; i++) {
    const element = hasOwn(list, i) ? list[i] : undefined;
    if (!fits(element)) throw malformed();
    elements.push(element);
  }
  return elements;
}

/**
 * Reads one clone, which another script wrote, or forged: nothing in it is trusted. Whatever it says, what is read is made of the
 * script's own classes, and runs nothing of the script's.
 */
class CloneReader {
  #numbers;
  #length;
  #strings;
  #buffers;
  #at = 0;
  /** @type {any[]} */
  #objects = [];

  /** @param {Clone} clone */
  constructor({ numbers, strings, buffers }) {
    this.#numbers = isView(numbers) && typedArrayName(numbers) === 'Float64Array' ? numbers : elementsOf(numbers, isNumber);
    this.#length = isArray(this.#numbers) ? this.#numbers.length : typedArrayLength(this.#numbers);
    this.#strings = elementsOf(strings, isString);
    this.#buffers = elementsOf(buffers, isBuffer);
  }

  /** @returns {any} the value that is all of the clone */
  readAll() {
    const value = this.read();
    if (this.#at !== this.#length) throw malformed();
    return value;
  }

  /** @returns {number} */
  #next() {
    if (this.#at >= this.#length) throw malformed();
    return /** @type {number[]} */ (this.#numbers)[this.#at++];
  }

  /** A number below 2³². */
  #index() {
    const number = this.#next();
    if (!isIndex(number)) throw malformed();
    return number;
  }

  /** @param {any[]} list @returns {any} what is there at the index that comes next */
  #from(list) {
    const index = this.#index();
    if (index >= list.length) throw malformed();
    return list[index];
  }

  #string() { return this.#from(this.#strings); }

  /** How many values follow. Each takes a number at least. */
  #count() {
    const count = this.#index();
    if (count > this.#length - this.#at) throw malformed();
    return count;
  }

  /** @template Value @param {Value} object @returns {Value} which takes the next place */
  #begin(object) {
    this.#objects.push(object);
    return object;
  }

  /**
   * What can be made only once its parts are read.
   * @param {() => any} make
   */
  #later(make) {
    const place = this.#objects.length;
    this.#objects.push(undefined);
    return this.#objects[place] = make();
  }

  /** @returns {any} */
  read() {
    switch (this.#next()) {
      case CLONE_UNDEFINED: return undefined;
      case CLONE_NULL: return null;
      case CLONE_FALSE: return false;
      case CLONE_TRUE: return true;
      case CLONE_NUMBER: return this.#next();
      case CLONE_STRING: return this.#string();
      case CLONE_BIGINT: return this.#bigInt();
      case CLONE_OBJECT: return this.#object();
      case CLONE_ARRAY: return this.#array();
      case CLONE_MAP: return this.#map();
      case CLONE_SET: return this.#set();
      case CLONE_DATE: return this.#begin(new ScriptDate(this.#next()));
      case CLONE_REGEXP: return this.#regExp();
      case CLONE_ERROR: return this.#error();
      case CLONE_BOX: return this.#box();
      case CLONE_BUFFER: return this.#begin(this.#buffer());
      case CLONE_VIEW: return this.#view();
      case CLONE_REFERENCE: return this.#reference();
      case CLONE_EXCEPTION: return this.#exception();
      case CLONE_BLOB: return this.#blob();
      default: throw malformed();
    }
  }

  /** What has come from another engine has its bytes alone. */
  #buffer() {
    const buffer = this.#from(this.#buffers), maxByteLength = this.#next();
    if (maxByteLength === -1 || isBufferResizable(buffer)) return buffer;
    if (!(maxByteLength >= arrayBufferByteLength(buffer) && maxByteLength <= LONGEST_BUFFER)) throw malformed();
    return copyOfBuffer(buffer, maxByteLength);
  }

  #bigInt() {
    const text = this.#string();
    if (!wholeNumber.test(text)) throw malformed();
    return BigInt(text);
  }

  /** One that is not made yet is in none of its own parts. */
  #reference() {
    const object = this.#from(this.#objects);
    if (object === undefined) throw malformed();
    return object;
  }

  // What inherits nothing while it is filled runs no setter of the script's.

  #object() {
    const object = this.#begin(border.bareObject());
    this.#members(object);
    Reflect.setPrototypeOf(object, scriptObjectPrototype);
    return object;
  }

  #array() {
    const array = this.#begin(border.bareArray());
    array.length = this.#index();
    const count = this.#count();
    if (count > array.length) throw malformed();
    for (let i = 0; i < count; i++) array[i] = this.read();
    this.#members(array);
    Reflect.setPrototypeOf(array, scriptArrayPrototype);
    return array;
  }

  /** @param {any} object */
  #members(object) {
    for (let left = this.#count(); left > 0; left--) {
      const key = this.#string();
      // No writer's key: an array asks what is to be its length for a number.
      if (key === 'length' && isArray(object)) throw malformed();
      object[key] = this.read();
    }
  }

  #map() {
    const map = this.#begin(new ScriptMap());
    const count = this.#count();
    if (count % 2 !== 0) throw malformed();
    for (let left = count; left > 0; left -= 2) {
      const key = this.read();
      Map.prototype.set.call(map, key, this.read());
    }
    return map;
  }

  #set() {
    const set = this.#begin(new ScriptSet());
    for (let left = this.#count(); left > 0; left--) Set.prototype.add.call(set, this.read());
    return set;
  }

  #regExp() {
    const source = this.#string(), flags = this.#string();
    try { return this.#begin(new ScriptRegExp(source, flags)); } catch { throw malformed(); }
  }

  #error() {
    const name = this.#string();
    const Constructor = errorConstructors[name] ?? ScriptError;
    const error = this.#begin(new Constructor(this.#string()));
    const set = (/** @type {string} */ key, /** @type {any} */ value, enumerable = false) => { if (value !== undefined) define(error, key, value, enumerable); };
    if (errorConstructors[name] === undefined && name !== 'Error') set('name', name);
    // Its own would show how it was read.
    set('stack', this.#text() ?? '');
    set('code', this.#text(), true);
    if (this.read() === true) set('cause', this.read());
    return error;
  }

  #exception() {
    const name = this.#string(), exception = this.#begin(runtime.part('exceptions').makeException(name, this.#string()));
    define(exception, 'stack', this.#text() ?? '');
    return exception;
  }

  /** @returns {string | undefined} */
  #text() {
    const text = this.read();
    if (text !== undefined && !isString(text)) throw malformed();
    return text;
  }

  #blob() {
    const type = this.#string(), buffer = this.#from(this.#buffers), name = this.#text(), lastModified = this.read();
    if (name !== undefined && !isNumber(lastModified)) throw malformed();
    // The classes come with the module's script, which may not have run yet.
    runtime.runPostponed('Web');
    if (runtime.webNative === undefined) throw cloneError("a Blob cannot be read without the web's globals");
    runtime.part('web-streams');
    return this.#begin(runtime.blobs.make(buffer, type, name, lastModified));
  }

  #box() {
    return this.#later(() => {
      const primitive = this.read();
      if (primitive === undefined || primitive === null || typeof primitive === 'object') throw malformed();
      return ScriptObject(primitive);
    });
  }

  #view() {
    return this.#later(() => {
      const Constructor = viewConstructors[this.#string()], offset = this.#next(), length = this.#next(), buffer = this.read();
      // Any other object would be asked for its elements.
      if (Constructor === undefined || !isBuffer(buffer)) throw malformed();
      try { return new Constructor(buffer, offset, length === -1 ? undefined : length); } catch { throw malformed(); }
    });
  }
}

const wholeNumber = /^-?\d+$/;

/** @param {Clone} clone */
function readClone(clone) { return new CloneReader(clone).readAll(); }
