// `Worker`: a script on a thread and in an engine of its own, as the HTML standard has it, over `Workers`.

/** Those that have not ended. @type {Map<number, Worker>} */
const workers = new MapConstructor();
/** @type {(worker: Worker, event: any) => boolean} */
let dispatch;

class Worker {
  #number;
  #isTerminated = false;
  #listeners = new Listeners();
  /** @type {any} */
  onmessage = null;
  /** @type {any} */
  onerror = null;
  /** @type {any} */
  onclose = null;

  /** @param {any} script @param {any} [options] */
  constructor(script, options) {
    if (arguments.length === 0) throw new TypeErrorConstructor("Worker: argument 1 'script' is missing");
    const { name, eval: isCode } = options ?? {};
    this.#number = native.start(StringConstructor(script), isCode === true, name === undefined ? undefined : StringConstructor(name));
    mapSet(workers, this.#number, this);
  }

  /** @param {any} message @param {any} [options] the buffers to transfer, or `{ transfer }` with them */
  postMessage(message, options) {
    if (arguments.length === 0) throw new TypeErrorConstructor("postMessage: argument 1 'message' is missing");
    const { numbers, strings, buffers } = writeClone(message, isArray(options) ? options : options?.transfer);
    native.post(this.#number, numbers, strings, buffers);
  }

  /** @returns {Promise<void>} once the worker has ended */
  terminate() {
    this.#isTerminated = true;
    return native.terminate(this.#number);
  }

  /** @param {string} type @param {any} listener @param {any} [options] */
  addEventListener(type, listener, options) { this.#listeners.add(type, listener, options); }

  /** @param {string} type @param {any} listener */
  removeEventListener(type, listener) { this.#listeners.remove(type, listener); }

  // What a worker has sent when it is terminated is lost.
  static {
    dispatch = (worker, event) => worker.#isTerminated && event.type !== 'close' || worker.#listeners.dispatch(worker, event);
  }
}

native.addListener('message', (/** @type {{worker: number, message: Clone}} */ { worker: number, message }) => {
  const worker = mapGet(workers, number);
  if (worker !== undefined) dispatch(worker, { type: 'message', data: readClone(message), target: worker });
});

native.addListener('error', (/** @type {[number, any]} */ failure) => {
  const worker = mapGet(workers, failure[0]);
  if (worker === undefined) return;
  const error = failure[1];
  // Made here, it has the stack of here.
  if (typeof error.nativeStack === 'string') {
    defineProperty(error, 'stack', { value: error.nativeStack, writable: true, configurable: true });
    delete error.nativeStack;
  }
  const { filename, lineno, colno } = placeOf(error.stack);
  const isHeard = dispatch(worker, { type: 'error', error, message: error.message, filename, lineno, colno, target: worker });
  if (!isHeard) (async () => { throw error; })();
});

native.addListener('close', (/** @type {number} */ number) => {
  const worker = mapGet(workers, number);
  mapDelete(workers, number);
  if (worker !== undefined) dispatch(worker, { type: 'close', target: worker });
});

const framePlace = /^(?:[^\n]*?@)?([^\n]*?):(\d+):(\d+)(?:\n|$)/;

/**
 * The innermost frame's place.
 * @param {any} stack `function@source:line:column`, line by line
 */
function placeOf(stack) {
  const found = typeof stack === 'string' ? regExpExec(framePlace, stack) : null;
  return { filename: found?.[1] ?? '', lineno: +(found?.[2] ?? 0), colno: +(found?.[3] ?? 0) };
}

defineGlobal('Worker', Worker);
