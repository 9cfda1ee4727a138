// Calls that a signal can end, in both directions: `module.method(…, { signal })`, and the signal of a call from native code.

/** @param {any} value also a signal that scripts have brought along */
function isSignal(value) { return isObject(value) && typeof value.addEventListener === 'function'; }

/**
 * The signal behind the arguments of a call: by itself or as a member of options.
 * @param {any} options @param {string} module @param {Method} method
 * @returns {any}
 */
function signalOf(options, module, method) {
  if (typeof options !== 'object' || options === null) failCount(module, method, method.parameters.length + 1);
  if (isSignal(options)) return options;
  checkOptions(module, method, method.parameters.length, ['signal'], options);
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
    needStack();
    isOver = true;
    resolves[slot] = rejects[slot] = () => {};
    cancelCall(slot);
    reject(reasonOf(signal));
  };
  let endListening = () => {};
  /** @param {Function} settle */
  const ending = (settle) => (/** @type {any} */ value) => {
    isOver = true;
    settle(value);
    endListening();
  };
  resolves[slot] = ending(resolve);
  rejects[slot] = ending(reject);
  endListening = followAbort(signal, onAbort);
  // By a getter among the arguments, behind the look at it.
  if (signalState(signal)?.isAborted) onAbort();
}

/** @param {any} signal also a script's own, whose getter may throw */
function reasonOf(signal) {
  const state = signalState(signal);
  if (state !== undefined) return state.reason;
  try { return signal.reason; } catch (error) { return error; }
}

/**
 * @param {any} signal @param {() => void} listener
 * @returns {() => void} ends the listening
 */
function followAbort(signal, listener) {
  const state = signalState(signal);
  if (state === undefined) return listenForAbort(signal, listener);
  state.followers.add(listener);
  state.noteListeners();
  return () => {
    state.followers.delete(listener);
    state.noteListeners();
  };
}

/**
 * The slots of calls that native code was told to cancel, until their answers have come.
 * @type {Set<number>}
 */
const cancelledSlots = new Set();

/** @param {number} slot */
function cancelCall(slot) {
  cancelledSlots.add(slot);
  sendRuntimeRecord(RUNTIME_CANCEL, slot);
}

/** @param {number} record @param {number} slot */
function sendRuntimeRecord(record, slot) { sendTree(RUNTIME, record, new Tree(), undefined, undefined, slot); }

/**
 * The signals of calls from native code whose functions have them.
 * @type {Map<number, {signal: any, state: SignalState}>}
 */
const callSignals = new Map();
/** @param {number} call @param {{signal: any, state: SignalState} | undefined} given with its arguments */
function keepSignal(call, given) { if (given !== undefined) callSignals.set(call, given); }

/** @param {number} call */
function abortCall(call) {
  const kept = callSignals.get(call);
  callSignals.delete(call);
  holdingCalls.delete(call);
  if (tracksOutstanding) untrackScriptCall(call);
  kept?.state.abort(undefined);
}
