// `Worker`: a script on a thread and in an engine of its own, as the HTML standard has it, over `Workers`.

/**
 * Those that have not ended.
 * @type {Map<number, any>}
 */
const workers = new Map();

/** Of a buffer that has to be had before: what the engine needs at least. */
const ROOM_FOR_ENGINE = 1 << 20;

/** The class, made when it is first touched. */
function makeClass() {
  const { defineInterface } = runtime.part('interfaces'), { EventTarget, EventData, TargetData, dispatchOwn, handlerAttributes } = runtime.part('targets');
  const { dispatchMessage, dispatchError } = runtime.part('messages');

  /** What stands behind a worker. */
  class WorkerState extends TargetData {
    isTerminated = false;
    number = 0;

    // What a worker has sent when it is terminated is lost.
    /** @param {any} data */
    tellMessage(data) { if (!this.isTerminated) dispatchMessage(this, data); }

    /** @param {Record<string, any>} failure @returns {boolean} whether anybody listens */
    tellError(failure) {
      if (!this.isTerminated && this.hears('error')) dispatchError(this, failure);
      return this.isTerminated || this.hears('error');
    }

    tellClose() { dispatchOwn(this, new EventData('close')); }
  }

  const { made } = defineInterface('Worker', WorkerState, {
    length: 1, parent: EventTarget, shown: ['onmessage', 'onerror', 'onclose'],
    construct: (/** @type {any} */ self, /** @type {any} */ script, /** @type {any} */ options) => start(new (/** @type {any} */ (WorkerState))(self), script, options),
    attributes: handlerAttributes('message', 'error', 'close'),
    operations: {
      /** @param {WorkerState} state @param {any} message @param {any} [options] the buffers to transfer, or `{ transfer }` with them */
      postMessage(state, message, options = undefined) {
        // Made at its first touch, which may fail.
        const { post } = native;
        const { numbers, strings, buffers } = writeClone(message, transferOf(options));
        post(state.number, numbers, strings, buffers);
      },

      /** @param {WorkerState} state @returns {Promise<void>} once the worker has ended */
      terminate(state) {
        const { terminate } = native;
        runtime.needStack(COLD_LEVELS);
        state.isTerminated = true;
        return terminate(state.number);
      },
    },
  });
  return made;
}

/** @param {string} argument @param {string} expected @param {any} value @returns {never} */
function refuse(argument, expected, value) { throw argumentError(`Worker, argument ${argument}: expected ${expected}, got ${runtime.describeValue(value)}`); }

/**
 * A string, or what an object such as a `URL` is as one.
 * @param {any} value @param {string} argument @param {string} expected
 */
function textOf(value, argument, expected) { return typeof value === 'string' || typeof value === 'object' && value !== null ? String(value) : refuse(argument, expected, value); }

/** @param {any} state @param {any} script @param {any} options */
function start(state, script, options) {
  const { name, eval: isCode = false, type } = readOptions(options, 'Worker', 2, ['name', 'eval', 'type']), option = (/** @type {string} */ member) => `2 'options.${member}'`;
  const text = textOf(script, "1 'script'", 'string or URL'), shownName = name === undefined ? undefined : textOf(name, option('name'), 'string');
  if (typeof isCode !== 'boolean') refuse(option('eval'), 'boolean', isCode);
  if (type !== undefined && type !== 'classic' && type !== 'module') refuse(option('type'), "'classic' or 'module'", type);
  runtime.needStack(COLD_LEVELS);
  // The engine ends the process where it finds no room for a new one.
  if (new Uint8Array(ROOM_FOR_ENGINE).length !== ROOM_FOR_ENGINE) throw new ScriptRangeError('Out of memory');
  state.number = native.start(text, isCode, shownName);
  workers.set(state.number, state);
  return state;
}

native.addListener('message', (/** @type {{worker: number, message: Clone}} */ { worker: number, message }) => {
  workers.get(number)?.tellMessage(readClone(message));
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
  if (!worker.tellError({ error: thrown, message, filename, lineno, colno })) surface(thrown);
});

native.addListener('close', (/** @type {number} */ number) => {
  const worker = workers.get(number);
  workers.delete(number);
  worker?.tellClose();
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

defineLazyGlobal('Worker', makeClass);
