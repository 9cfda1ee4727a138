// What all streams of the web share. Promises here are of this realm, and come to undefined or to a reason: what a script's promise
// comes to is never the value of one.

/** @type {InterfaceTools} */
const { defineInterface, rejected, resolved, dictionary, text, scalarText } = part('interfaces');
const { implantOf, makeInstance } = border;
const { makeException } = part('exceptions');

function ignoreAll() {}

/** What a callback of a script's has come to: seen a microtask after that, as the standard's reactions to promises are. */
class Outcome {
  /** @param {() => any} run calls a script's function */
  constructor(run) {
    this.isFailed = false;
    try { this.value = run(); } catch (error) {
      this.value = clean(error);
      this.isFailed = true;
    }
  }

  /** @returns {Promise<any>} */
  then(fulfilled, rejected) {
    const { value, isFailed } = this;
    return new Promise((resolve, reject) => {
      const step = (act, given) => { try { resolve(act(given)); } catch (error) { reject(error); } };
      const fulfill = () => fulfilled === undefined ? resolve(undefined) : step(fulfilled, undefined);
      const fail = (reason) => rejected === undefined ? reject(reason) : step(rejected, reason);
      if (isFailed) return void Promise.resolve(undefined).then(() => fail(value));
      let isNow = true;
      settle(value, () => { if (isNow) Promise.resolve(undefined).then(fulfill); else fulfill(); }, fail);
      isNow = false;
    });
  }

  catch(rejected) { return this.then(undefined, rejected); }
}

/** @param {() => any} run calls a script's function @returns {any} */
function promiseOf(run) { return new Outcome(run); }

/** @param {Promise<undefined>} promise @returns {any} the same for scripts */
function publishPromise(promise) {
  const { promise: made, resolve, reject } = border.deferred();
  promise.then(() => { resolve(undefined); }, (reason) => { reject(reason); });
  return made;
}

/** @param {any} reason @returns {Promise<undefined>} */
function failed(reason) {
  const promise = Promise.reject(reason);
  promise.catch(ignoreAll);
  return promise;
}

/** A promise of both realms, which others settle. */
class Settlement {
  isPending = true;
  /** @param {boolean} [isHandled] whether nobody is to be told of its rejection */
  constructor(isHandled = true) {
    const { promise, resolve, reject } = border.deferred(isHandled);
    this.promise = promise;
    this.own = new Promise((fulfill, refuse) => {
      this.resolve = () => {
        this.isPending = false;
        resolve(undefined);
        fulfill(undefined);
      };
      this.reject = (reason) => {
        this.isPending = false;
        reject(reason);
        refuse(reason);
      };
    });
    this.own.catch(ignoreAll);
  }
  static resolved() {
    const made = new Settlement();
    made.resolve();
    return made;
  }
  static rejected(reason, isHandled = true) {
    const made = new Settlement(isHandled);
    made.reject(reason);
    return made;
  }
}

/** Chunks with their sizes. */
class Queue {
  #items = [];
  #taken = 0;
  total = 0;
  get length() { return this.#items.length - this.#taken; }
  get first() { return this.#items[this.#taken].value; }
  add(value, size) {
    if (!(size >= 0) || size === Infinity) throw new ScriptRangeError('the size of a chunk is negative, infinite or no number');
    this.#items.push({ value, size });
    this.total += size;
  }
  take() {
    const { value, size } = this.#items[this.#taken];
    this.#items[this.#taken++] = undefined;
    if (this.#taken > 32 && this.#taken * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#taken);
      this.#taken = 0;
    }
    this.total = Math.max(0, this.total - size);
    return value;
  }
  clear() {
    this.#items = [];
    this.#taken = this.total = 0;
  }
}

/** @param {any} object @param {string[]} names @param {string} title */
function callbacksOf(object, names, title) {
  return Object.fromEntries(names.map((name) => {
    const callback = object[name];
    if (callback !== undefined && typeof callback !== 'function') throw new ScriptTypeError(`${title}.${name}: expected function, got ${describeValue(callback)}`);
    return [name, callback];
  }));
}

/** @param {any} strategy @param {string} title */
function readStrategy(strategy, title) {
  const given = dictionary(strategy, `${title}: the strategy`), { highWaterMark } = given;
  const mark = highWaterMark === undefined ? undefined : +highWaterMark;
  return { highWaterMark: mark, size: callbacksOf(given, ['size'], title).size };
}

function markOf({ highWaterMark }, otherwise) {
  if (highWaterMark === undefined) return otherwise;
  if (!(highWaterMark >= 0)) throw new ScriptRangeError('highWaterMark is negative or no number');
  return highWaterMark;
}

function sizeOf({ size }) { return size === undefined ? () => 1 : (chunk) => +apply(size, undefined, [chunk]); }

/** @param {any} object @param {string} title @returns {any} undefined is null */
function readUnderlying(object, title) {
  if (object === undefined || object === null && title === '') return null;
  if (!isObject(object)) throw new ScriptTypeError(`${title}: expected object, got ${describeValue(object)}`);
  return object;
}

function defineStrategy(name, size) {
  class StrategyData { constructor(highWaterMark) { this.highWaterMark = highWaterMark; } }
  const published = publishFunction('size', size.length, size);
  return defineInterface(name, StrategyData, {
    length: 1, shown: ['highWaterMark'],
    construct(_, init) {
      const { highWaterMark } = dictionary(init, name);
      if (highWaterMark === undefined) throw new ScriptTypeError(`${name}: highWaterMark is missing`);
      return new StrategyData(+highWaterMark);
    },
    attributes: { highWaterMark: [(data) => data.highWaterMark], size: [() => published] },
  }).made;
}

const CountQueuingStrategy = defineStrategy('CountQueuingStrategy', () => 1);
const ByteLengthQueuingStrategy = defineStrategy('ByteLengthQueuingStrategy', (chunk) => chunk.byteLength);
