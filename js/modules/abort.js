// `AbortController` and `AbortSignal`, as the DOM standard has them, without the rest of its events.

/** Lets no script make a signal by itself. */
const signalKey = {};
const setTimeoutOfTiming = () => /** @type {any} */ (globalThis).setTimeout;

/** @type {() => {signal: AbortSignal, abort: (reason: any) => void}} */
let makeSignal;
/** @type {(value: any) => boolean} */
let isSignal;

class AbortSignal {
  #isAborted = false;
  /** @type {any} */
  #reason;
  #listeners = new Listeners();
  /** @type {any} */
  onabort = null;

  /** @param {any} key */
  constructor(key) {
    if (key !== signalKey) throw new TypeErrorConstructor('AbortSignal is made by AbortController, AbortSignal.abort, any or timeout');
  }

  get aborted() { return this.#isAborted; }
  get reason() { return this.#reason; }

  throwIfAborted() { if (this.#isAborted) throw this.#reason; }

  /** @param {string} type only 'abort' comes @param {any} listener @param {any} [options] */
  addEventListener(type, listener, options) { if (!this.#isAborted) this.#listeners.add(type, listener, options); }

  /** @param {string} type @param {any} listener */
  removeEventListener(type, listener) { this.#listeners.remove(type, listener); }

  /** @param {AbortSignal} signal @param {any} reason */
  static #abort(signal, reason) {
    if (signal.#isAborted) return;
    signal.#isAborted = true;
    signal.#reason = reason === undefined ? namedError('AbortError', 'ERR_ABORTED', 'this operation was aborted') : reason;
    const listeners = signal.#listeners;
    signal.#listeners = new Listeners();
    listeners.dispatch(signal, { type: 'abort', target: signal });
  }

  /** A signal, and what aborts it. */
  static #make() {
    const signal = new AbortSignal(signalKey);
    return { signal, abort: (/** @type {any} */ reason) => AbortSignal.#abort(signal, reason) };
  }

  static {
    makeSignal = () => AbortSignal.#make();
    isSignal = (value) => #isAborted in value;
  }

  /** @param {any} [reason] */
  static abort(reason) {
    const { signal, abort } = AbortSignal.#make();
    abort(reason);
    return signal;
  }

  /** @param {number} milliseconds */
  static timeout(milliseconds) {
    const setTimeout = setTimeoutOfTiming();
    if (typeof setTimeout !== 'function') throw new TypeErrorConstructor("AbortSignal.timeout needs the module 'Timers', which this bridge does not have");
    const { signal, abort } = AbortSignal.#make();
    setTimeout(() => abort(namedError('TimeoutError', 'ERR_TIMEOUT', `this operation took more than ${milliseconds} ms`)), milliseconds);
    return signal;
  }

  /** @param {AbortSignal[]} signals aborted with the first of them */
  static any(signals) {
    const { signal, abort } = AbortSignal.#make();
    for (let i = 0; i < signals.length; i++) {
      const source = signals[i];
      if (typeof source !== 'object' || source === null || !isSignal(source)) throw new TypeErrorConstructor(`AbortSignal.any, argument 1 'signals[${i}]': expected AbortSignal`);
      if (source.aborted) abort(source.reason);
      else source.addEventListener('abort', () => abort(source.reason));
    }
    return signal;
  }
}

class AbortController {
  #made = makeSignal();
  get signal() { return this.#made.signal; }
  /** @param {any} [reason] */
  abort(reason) { this.#made.abort(reason); }
}

defineGlobal('AbortSignal', AbortSignal);
defineGlobal('AbortController', AbortController);
