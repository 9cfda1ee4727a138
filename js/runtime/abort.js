// Calls that a signal can end, in both directions. What stands behind signals is in `late/signals.js`.

/** @typedef {{signal: any, state: {abort(reason: any): void}}} Signal */

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
 * @type {Map<number, Signal>}
 */
const callSignals = new Map();

/** @param {number} call @param {Signal | undefined} given with its arguments */
function keepSignal(call, given) { if (given !== undefined) callSignals.set(call, given); }

/** @param {number} call */
function abortCall(call) {
  const kept = callSignals.get(call);
  callSignals.delete(call);
  holdingCalls.delete(call);
  if (tracksOutstanding) untrackScriptCall(call);
  kept?.state.abort(undefined);
}

/**
 * Timers for signals, which keep no run alive; set by the module that has them.
 * @type {{startTimeout?: (milliseconds: number, callback: () => void) => void}}
 */
const signalTimers = {};
