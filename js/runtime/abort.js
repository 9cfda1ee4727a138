// Calls that a signal can end, in both directions: `module.method(…, { signal })`, and the signal of a call from native code.

/** @param {any} value */
function isSignal(value) { return typeof value === 'object' && value !== null && typeof value.addEventListener === 'function'; }

/**
 * The signal behind the arguments of a call: by itself or as a member of options.
 * @param {any} options @param {string} module @param {Method} method
 * @returns {any}
 */
function signalOf(options, module, method) {
  if (typeof options !== 'object' || options === null) failCount(module, method, method.parameters.length + 1);
  if (isSignal(options)) return options;
  const signal = options.signal;
  if (signal === undefined || isSignal(signal)) return signal;
  throw argumentError(`${module}.${method.name}, argument ${method.parameters.length + 1} 'options.signal': expected AbortSignal, got ${describeValue(signal)}`);
}

/**
 * Rejects a call when its signal is aborted, and tells native code, which cancels the task. Its answer, whatever it
 * comes to, is for nobody then; until it has come the slot stays taken.
 * @param {any} signal @param {number} slot
 */
function followSignal(signal, slot) {
  const resolve = resolves[slot], reject = rejects[slot];
  let isOver = false;
  const onAbort = () => {
    if (isOver) return;
    isOver = true;
    resolves[slot] = rejects[slot] = () => sendRuntimeRecord(RUNTIME_CANCELLED, slot);
    reject(signal.reason);
    sendRuntimeRecord(RUNTIME_CANCEL, slot);
  };
  /** @param {Function} settle */
  const ending = (settle) => (/** @type {any} */ value) => {
    isOver = true;
    settle(value);
    signal.removeEventListener('abort', onAbort);
  };
  resolves[slot] = ending(resolve);
  rejects[slot] = ending(reject);
  signal.addEventListener('abort', onAbort, { once: true });
}

/** @param {number} record @param {number} slot */
function sendRuntimeRecord(record, slot) { sendTree(RUNTIME, record, new Tree(), undefined, undefined, slot); }

/** The controllers of calls from native code whose functions have their signals. @type {Map<number, any>} */
const callControllers = new MapConstructor();
/**
 * That of the call whose arguments are being read.
 * @type {any}
 */
let nextController;

/** The signal of the call whose arguments are being read; undefined where scripts have no such thing. */
function callSignal() {
  try {
    nextController ??= new (/** @type {any} */ (globalThis).AbortController)();
    return nextController.signal;
  } catch { return nextController = undefined; }
}

/** @param {number} call */
function keepSignal(call) {
  if (nextController !== undefined) mapSet(callControllers, call, nextController);
  nextController = undefined;
}

/** @param {number} call */
function abortCall(call) {
  const controller = mapGet(callControllers, call);
  mapDelete(callControllers, call);
  setDelete(holdingCalls, call);
  controller?.abort();
}
