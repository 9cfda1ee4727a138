// Streams of native code, and iterables of scripts that native code walks.

/**
 * An async iterator over a stream. Elements are asked for one after the other, however often `next` is called.
 */
class Stream {
  #number;
  /** @type {any} */
  #last = promiseResolve();
  /** Of the question that waits; 0 if none does. */
  #slot = 0;
  #isOver = false;
  /** Elements that came with one that was asked for, and how many of them have been taken. */
  #elements = /** @type {any[]} */ (noElements);
  #taken = 0;

  /** @param {any} key @param {number} number */
  constructor(key, number) {
    if (key !== streamKey) throw new TypeErrorConstructor('a stream is made by native code');
    this.#number = number;
  }

  next() {
    // No promise is resolved with another: that would ask for its `then`, which a script may have replaced.
    return this.#last = new PromiseConstructor((resolve, reject) => {
      const pull = () => { try { this.#pull(resolve, reject); } catch (error) { reject(error); } };
      promiseThen(this.#last, pull, pull);
    });
  }

  /** @param {(result: {value: any, done: boolean}) => void} resolve @param {(error: any) => void} reject */
  #pull(resolve, reject) {
    if (this.#taken < this.#elements.length) return resolve({ value: this.#elements[this.#taken++], done: false });
    if (this.#isOver) return resolve({ value: undefined, done: true });
    const tree = new Tree();
    tree.put(TAG_NUMBER, this.#number, 4);
    this.#slot = sendTree(RUNTIME, RUNTIME_PULL | 1 << 16, tree, (/** @type {any[]} */ elements) => {
      const done = this.#settle() || elements.length === 0;
      if (done) this.#end();
      else this.#elements = elements;
      this.#taken = 1;
      resolve({ value: done ? undefined : elements[0], done });
    }, (/** @type {any} */ error) => {
      const wasOver = this.#settle();
      this.#end();
      if (wasOver) resolve({ value: undefined, done: true });
      else reject(error);
    });
  }

  /** The answer has come. @returns {boolean} whether it was cancelled before */
  #settle() {
    if (this.#isOver) sendRuntimeRecord(RUNTIME_CANCELLED, this.#slot);
    this.#slot = 0;
    return this.#isOver;
  }

  #end() {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#elements = noElements;
    registryUnregister(streamRegistry, this);
    untrackStream(this.#number);
    if (this.#slot !== 0) sendRuntimeRecord(RUNTIME_CANCEL, this.#slot);
    sendRuntimeRecord(RUNTIME_DROP, this.#number);
  }

  /** @param {any} value */
  return(value) {
    this.#end();
    return promiseResolve({ value, done: true });
  }

  [asyncIteratorSymbol]() { return this; }
}

const noElements = /** @type {any} */ (freeze([]));
/** Lets no script make a stream. */
const streamKey = {};
/**
 * Tells native code of streams that scripts have forgotten.
 * @type {any}
 */
let streamRegistry;

/** @param {number} number */
function makeStream(number) {
  streamRegistry ??= new FinalizationRegistryConstructor((/** @type {number} */ forgotten) => {
    untrackStream(forgotten);
    sendRuntimeRecord(RUNTIME_DROP, forgotten);
  });
  const stream = new Stream(streamKey, number);
  if (tracksOutstanding) trackedStreams[number] = track('stream', answered, new WeakRefConstructor(stream));
  registryRegister(streamRegistry, stream, number, stream);
  return stream;
}

/** @param {number} number */
function untrackStream(number) {
  if (!tracksOutstanding) return;
  untrack(trackedStreams[number]);
  trackedStreams[number] = undefined;
}

/**
 * The function through which native code walks an iterable: with true it gives the next element in an array, or an
 * empty one at the end; with false it ends.
 * @param {any} iterable @param {any} begin
 */
function pullerOf(iterable, begin) {
  /** @type {any} */
  let iterator;
  return async (/** @type {boolean} */ goesOn) => {
    if (!goesOn) {
      await iterator?.return?.();
      return [];
    }
    iterator ??= apply(begin, iterable, []);
    const { done, value } = await iterator.next();
    return done ? [] : [value];
  };
}
