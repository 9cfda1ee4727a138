// What native code sends over React Native's wire, and the half that it sends it to.

/**
 * The three functions of a `__fbBatchedBridge`.
 * @typedef {{self: any, callFunction: Function, invokeCallback: Function, flushedQueue: Function}} BridgeHalf
 */

/** @type {BridgeHalf} */
const ownHalf = {
  self: batchedBridge, callFunction: callFunctionReturnFlushedQueue, invokeCallback: invokeCallbackAndReturnFlushedQueue,
  flushedQueue,
};
let half = ownHalf;

/** Goes over to the `__fbBatchedBridge` that a script has put in the place of ours, if it is one. */
function findHalf() {
  try {
    const self = /** @type {any} */ (globalThis).__fbBatchedBridge;
    if (self === half.self || typeof self !== 'object' || self === null) return;
    const callFunction = self.callFunctionReturnFlushedQueue;
    const invokeCallback = self.invokeCallbackAndReturnFlushedQueue;
    const flushedQueue = self.flushedQueue;
    if (typeof callFunction !== 'function' || typeof invokeCallback !== 'function' || typeof flushedQueue !== 'function') return;
    half = { self, callFunction, invokeCallback, flushedQueue };
  } catch (error) { reportUncaught(error); }
}

/**
 * A callable module of that other half.
 * @param {string} name @returns {any}
 */
function findForeignModule(name) {
  return half === ownHalf ? undefined : half.self.getCallableModule?.(name);
}

/**
 * Calls one of the functions of a half, and takes the calls that it returns.
 * @param {BridgeHalf} half @param {Function} entry @param {any[]} args
 * @returns {boolean} whether there were any
 */
function enter(half, entry, args) {
  try {
    const batch = apply(entry, half.self, args);
    takeBatch(batch, half);
    return batch !== null && batch !== undefined;
  } catch (error) {
    reportUncaught(error);
    return false;
  }
}

/** @param {BridgeHalf} half @param {number} id @param {any} value */
function answer(half, id, value) { enter(half, half.invokeCallback, [id, value === undefined ? [] : [value]]); }

/** @param {number} module @param {string} event @param {any} value */
function receiveEvent(module, event, value) {
  const args = [event, value, native.moduleNames()[module]];
  enter(ownHalf, ownHalf.callFunction, ['RCTDeviceEventEmitter', 'emit', args]);
  if (half !== ownHalf) enter(half, half.callFunction, ['RCTDeviceEventEmitter', 'emit', args]);
}

/** @param {number} call @param {string | number} path @param {any[]} values */
function receiveCall(call, path, values) { enter(ownHalf, ownHalf.callFunction, ['Trestle', 'call', [call, path, values]]); }

/**
 * An error as native code describes it to JavaScript; or the error object of a script that it was.
 * @param {number} identity the number that it is kept under, or 0
 * @param {any} domain @param {any} message @param {any} code @param {any} nativeStack @param {any} properties @param {any} cause
 */
function receiveError(identity, domain, message, code, nativeStack, properties, cause) {
  const error = identity === 0 ? undefined : kept[identity];
  if (error !== undefined) return error;
  const hasProperties = typeof properties === 'object' && properties !== null && objectKeys(properties).length > 0;
  /** @type {any} */
  const data = { code, message, domain, userInfo: hasProperties ? properties : null };
  if (nativeStack !== undefined) data.nativeStack = nativeStack;
  if (cause !== undefined) data.cause = cause;
  return data;
}

/**
 * Takes the calls that the turn has left, its microtasks included. Called by native at the end of each, never inside one.
 * @returns {boolean} whether scripts ran, which may have left some
 */
function collect() {
  takeCalls();
  let didRun = false;
  findHalf();
  enter(ownHalf, ownHalf.flushedQueue, []);
  if (half !== ownHalf) didRun = enter(half, half.flushedQueue, []);
  while (firstRefusal < refusals.length) {
    didRun = true;
    refusals[firstRefusal++]();
  }
  refusals.length = 0;
  firstRefusal = 0;
  return didRun;
}
