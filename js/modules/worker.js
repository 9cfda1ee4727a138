// `Worker`: a script on a thread and in an engine of its own, as the HTML standard has it, over `Workers`.

/** What stands behind a worker. */
class WorkerState {
  listeners = new runtime.Listeners();
  isTerminated = false;
  number = 0;

  /** @param {any} target the worker */
  constructor(target) { this.target = target; }

  /**
   * What a worker has sent when it is terminated is lost.
   * @param {Record<string, any>} event
   */
  dispatch(event) {
    return this.isTerminated && event.type !== 'close' || this.listeners.dispatch(this.target, publishObject({ ...event, target: this.target }));
  }
}

/**
 * Those that have not ended.
 * @type {Map<number, WorkerState>}
 */
const workers = new Map();

/** Of a buffer that has to be had before: what the engine needs at least. */
const ROOM_FOR_ENGINE = 1 << 20;

const { made: Worker } = defineClass('Worker', 1, {
  construct(self, ...values) {
    const [script, options] = values;
    if (values.length === 0) throw new ScriptTypeError("Worker: argument 1 'script' is missing");
    const { name, eval: isCode } = options ?? {};
    for (const handler of ['onmessage', 'onerror', 'onclose']) define(self, handler, null, true);
    const state = new WorkerState(self), text = String(script), shownName = name === undefined ? undefined : String(name);
    runtime.needStack(COLD_LEVELS);
    // The engine ends the process where it finds no room for a new one.
    if (new Uint8Array(ROOM_FOR_ENGINE).length !== ROOM_FOR_ENGINE) throw new ScriptRangeError('Out of memory');
    state.number = native.start(text, isCode === true, shownName);
    workers.set(state.number, state);
    return state;
  },
  methods: {
    /** @param {WorkerState} state @param {any[]} values the message; the buffers to transfer, or `{ transfer }` with them */
    postMessage(state, ...values) {
      if (values.length === 0) throw new ScriptTypeError("postMessage: argument 1 'message' is missing");
      const [message, options] = values;
      // Made at its first touch, which may fail.
      const { post } = native;
      const { numbers, strings, buffers } = writeClone(message, isArray(options) ? options : options?.transfer);
      post(state.number, numbers, strings, buffers);
    },

    /** @param {WorkerState} state @returns {Promise<void>} once the worker has ended */
    terminate(state) {
      const { terminate } = native;
      runtime.needStack(COLD_LEVELS);
      state.isTerminated = true;
      return terminate(state.number);
    },

    /** @param {WorkerState} state @param {any} type @param {any} listener @param {any} options */
    addEventListener(state, type, listener, options) { state.listeners.add(String(type), listener, options); },

    /** @param {WorkerState} state @param {any} type @param {any} listener */
    removeEventListener(state, type, listener) { state.listeners.remove(String(type), listener); },
  },
});

native.addListener('message', (/** @type {{worker: number, message: Clone}} */ { worker: number, message }) => {
  workers.get(number)?.dispatch({ type: 'message', data: readClone(message) });
});

native.addListener('error', (/** @type {[number, any, any?]} */ failure) => {
  const worker = workers.get(failure[0]);
  if (worker === undefined) return;
  const error = runtime.errorOf(failure[1]);
  // Made here, it has the stack of here.
  if (typeof error.nativeStack === 'string') {
    define(error, 'stack', error.nativeStack);
    delete error.nativeStack;
  }
  const isThrown = failure.length > 2, thrown = isThrown ? failure[2] : error;
  const message = isThrown ? `Uncaught ${error.message}` : error.message;
  const { filename, lineno, colno } = placeOf(isThrown ? '' : error.stack);
  if (!worker.dispatch({ type: 'error', error: thrown, message, filename, lineno, colno })) surface(thrown);
});

native.addListener('close', (/** @type {number} */ number) => {
  const worker = workers.get(number);
  workers.delete(number);
  worker?.dispatch({ type: 'close' });
});

/** So much of a stack is looked at for the place: longer than the longest name of a file. */
const LONGEST_FRAME = 1 << 13;
const digits = /^\d{1,10}$/;

/**
 * The innermost frame's place. The text is the worker's: a regular expression for all of it would take time that grows with its square.
 * @param {any} stack `function@source:line:column`, line by line
 */
function placeOf(stack) {
  const nowhere = { filename: '', lineno: 0, colno: 0 };
  if (typeof stack !== 'string') return nowhere;
  const text = stack.substring(0, LONGEST_FRAME), end = text.indexOf('\n');
  if (end < 0 && stack.length > LONGEST_FRAME) return nowhere;
  const frame = end < 0 ? text : text.substring(0, end), place = frame.substring(frame.indexOf('@') + 1);
  const second = place.lastIndexOf(':'), first = place.lastIndexOf(':', second - 1);
  const line = place.substring(first + 1, second), column = place.substring(second + 1);
  if (first < 0 || first === second || !digits.test(line) || !digits.test(column)) return nowhere;
  return { filename: place.substring(0, first), lineno: +line, colno: +column };
}

defineGlobal('Worker', Worker);
