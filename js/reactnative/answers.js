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
    const self = scriptGlobal.__fbBatchedBridge;
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
function answer(half, id, value) { enter(half, half.invokeCallback, [id, value === undefined ? publishArray([]) : arrayOf1(value)]); }

/** The callable module of another half that is told of events. */
const emitter = 'RCTDeviceEventEmitter';

/**
 * Our own listeners hear of events from here alone: no callable module of ours emits any, for scripts call those too. Events of
 * modules with a script are for that script.
 * @param {number} module @param {string} event @param {any} value
 */
function receiveEvent(module, event, value) {
  enter(ownHalf, emitReturnFlushedQueue, [module, event, value]);
  if (half === ownHalf || !native.hasModule(native.moduleNames()[module]) || !hasForeignModule(emitter)) return;
  enter(half, half.callFunction, [emitter, 'emit', value === undefined ? arrayOf1(event) : arrayOf2(event, value)]);
}

/** @param {string} name @returns {boolean} whether the other half has a callable module of that name */
function hasForeignModule(name) {
  if (half === ownHalf) return false;
  // Before 0.45 there is no way to ask.
  return typeof half.self.getCallableModule !== 'function' || (half.self.getCallableModule(name) ?? null) !== null;
}

/** @param {number} module @param {string} event @param {any} value */
function emitReturnFlushedQueue(module, event, value) {
  lastFlush = now();
  guard(emit, undefined, [module, event, value]);
  return flushedQueue();
}

/** @param {number} call @param {string | number} path @param {any[]} values */
function callInReturnFlushedQueue(call, path, values) {
  lastFlush = now();
  guard(callIn, undefined, [call, path, values]);
  return flushedQueue();
}

/** @param {number} call @param {string | number} path @param {any[]} values */
function receiveCall(call, path, values) {
  if (call === 0 && typeof path === 'string') {
    let dot = path.length - 1;
    while (dot > 0 && path.charCodeAt(dot) !== 46) dot--;
    const name = path.substring(0, dot);
    if (dot > 0 && !isOwnCallableModule(name) && hasForeignModule(name)) {
      enter(half, half.callFunction, [name, path.substring(dot + 1), publishArray(values)]);
      return;
    }
  }
  enter(ownHalf, callInReturnFlushedQueue, [call, path, values]);
}

/**
 * An error as native code describes it to JavaScript; or the error object of a script that it was.
 * @param {number} identity the number that it is kept under, or 0
 * @param {any} domain @param {any} message @param {any} code @param {any} nativeStack @param {any} properties @param {any} cause
 */
function receiveError(identity, domain, message, code, nativeStack, properties, cause) {
  const error = identity === 0 ? undefined : kept[identity];
  if (error !== undefined) return error;
  const hasProperties = typeof properties === 'object' && properties !== null && Object.keys(properties).length > 0;
  /** @type {any} */
  const data = { code, message, domain, userInfo: hasProperties ? properties : null, nativeStackIOS: publishArray(nativeStack === undefined ? [] : nativeStack.split('\n')) };
  if (cause !== undefined) data.cause = cause;
  return publishObject(data);
}

/** @param {any} lines @returns {string | undefined} undefined if there are none */
function joinedLines(lines) {
  if (!isArray(lines) || lines.length === 0) return undefined;
  let text = `${lines[0]}`;
  for (let i = 1; i < lines.length; i++) text += `\n${lines[i]}`;
  return text;
}

/**
 * Takes the calls that the turn has left, its microtasks included. Called by native at the end of each, never inside one.
 * @returns {number} 0 if there were none, 1 if there were none but scripts ran, which may leave microtasks of the engine behind
 *   this turn of it, and those more calls; 2 if there were calls or answers
 */
function collect() {
  takeCalls();
  findHalf();
  let found = enter(ownHalf, ownHalf.flushedQueue, []);
  if (half !== ownHalf && enter(half, half.flushedQueue, [])) found = true;
  endListening();
  while (firstRefusal < refusals.length) {
    found = true;
    refusals[firstRefusal++]();
  }
  refusals.length = 0;
  firstRefusal = 0;
  if (found) return 2;
  return half !== ownHalf || microtasksCallback !== undefined ? 1 : 0;
}
