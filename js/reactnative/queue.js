// The JavaScript half of React Native's wire: what its `MessageQueue` does. It knows native code only by the hooks that
// native.js installs, and is known to it only as `__fbBatchedBridge`, in whose place React Native's own may be put.

const MIN_TIME_BETWEEN_FLUSHES_MS = 5;
const { now } = Date;

/** The calls that wait: module numbers, method numbers and parameters. */
let queuedModules = /** @type {any[]} */ ([]), queuedMethods = /** @type {any[]} */ ([]), queuedParams = /** @type {any[]} */ ([]);
/** Of every call, one more. */
let callID = 0;
/** What it was when the queue was begun. */
let queueCallID = 0;
let lastFlush = 0;
/** Where the calls that wait were made, by their parameters: only where what is outstanding is tracked. */
const callSitesByParams = new WeakMap();

/** @type {Map<number, Function>} */
const successCallbacks = new Map();
/** @type {Map<number, Function>} */
const failureCallbacks = new Map();

/**
 * Numbers a call, and puts the IDs of its callbacks behind its parameters: the even one is that of `onFail`.
 * @param {any[]} params @param {Function | undefined} onFail @param {Function | undefined} onSuccess
 */
function processCallbacks(params, onFail, onSuccess) {
  const id = callID++;
  if (onFail !== undefined) {
    failureCallbacks.set(id, onFail);
    params.push(id << 1);
  }
  if (onSuccess !== undefined) {
    successCallbacks.set(id, onSuccess);
    params.push(id << 1 | 1);
  }
}

/**
 * @param {number} moduleID @param {number} methodID @param {any[]} params
 * @param {Function} [onFail] @param {Function} [onSuccess]
 */
function enqueueNativeCall(moduleID, methodID, params, onFail, onSuccess) {
  processCallbacks(params, onFail, onSuccess);
  if (tracksOutstanding) callSitesByParams.set(params, new ScriptError());
  const index = queuedModules.length;
  queuedModules[index] = moduleID;
  queuedMethods[index] = methodID;
  queuedParams[index] = params;
  if (now() - lastFlush < MIN_TIME_BETWEEN_FLUSHES_MS) return;
  // Where the stack ends they wait on.
  try { flushQueueOfScript(); } catch {}
}

/** @param {number} moduleID @param {number} methodID @param {any[]} params @returns {any} */
function callNativeSyncHook(moduleID, methodID, params) {
  // What was called before comes before.
  flushQueueOfScript();
  processCallbacks(params, undefined, undefined);
  return nativeCallSyncHook(moduleID, methodID, params);
}

/** Hands over the calls that wait, now. */
function flushQueue() {
  const queue = takeQueue();
  lastFlush = now();
  if (queue !== null) handOver(queue, ownHalf);
}

/** The same for a script, wherever on the stack it is: all of them are handed over, or none. */
function flushQueueOfScript() {
  const levels = waitingLevels();
  if (levels > 0) needStack(levels);
  flushQueue();
}

/** The levels of the stack that a call needs for those that wait to be handed over before it. */
function waitingLevels() { return queuedModules.length > 0 ? QUEUE_LEVELS : 0; }

/**
 * What JavaScript runs before it gives up the thread, in place of microtasks of the engine.
 * @type {any}
 */
let microtasksCallback;

/** @param {any} callback a function, or null for none */
function setReactNativeMicrotasksCallback(callback) { microtasksCallback = callback ?? undefined; }

/** @returns {any[] | null} the batch of all calls that wait, which are then on their way */
function flushedQueue() {
  if (microtasksCallback !== undefined) guard(microtasksCallback, undefined, []);
  return takeQueue();
}

/**
 * Calls a function whose errors go to the `ErrorUtils` of a script, if it has them, as those of React Native's entries do.
 * @param {Function} called @param {any} self @param {any[]} args
 */
function guard(called, self, args) {
  try { apply(called, self, args); } catch (error) { reportFatalError(error); }
}

/** @param {any} error */
function reportFatalError(error) {
  try {
    const utils = scriptGlobal.ErrorUtils;
    if (typeof utils?.reportFatalError !== 'function') return reportUncaught(error);
    utils.reportFatalError(clean(error));
  } catch (rethrown) { reportUncaught(rethrown); }
}

/** @returns {any[] | null} */
function takeQueue() {
  const id = queueCallID;
  queueCallID = callID;
  if (queuedModules.length === 0) return null;
  const queue = [queuedModules, queuedMethods, queuedParams, id];
  queuedModules = [];
  queuedMethods = [];
  queuedParams = [];
  return queue;
}

/**
 * @param {string} module @param {string} method @param {any[]} args
 * @returns {any[] | null} the calls that this led to
 */
function callFunctionReturnFlushedQueue(module, method, args) {
  lastFlush = now();
  guard(callFunction, undefined, [module, method, args]);
  return flushedQueue();
}

/** @param {string} name @param {string} method @param {any[]} args */
function callFunction(name, method, args) {
  const module = findCallableModule(name);
  if (typeof module?.[method] !== 'function') {
    throw notFound(`'${name}.${method}' is not a function: got ${describeValue(module?.[method])}`);
  }
  apply(module[method], module, args);
}

/**
 * @param {number} id @param {any[]} args
 * @returns {any[] | null} the calls that this led to
 */
function invokeCallbackAndReturnFlushedQueue(id, args) {
  lastFlush = now();
  const callbacks = id & 1 ? successCallbacks : failureCallbacks;
  const callback = callbacks.get(id >>> 1);
  // A pair is one shot.
  successCallbacks.delete(id >>> 1);
  failureCallbacks.delete(id >>> 1);
  if (callback !== undefined) guard(callback, undefined, args);
  return flushedQueue();
}

/** What makes a callable module at its first call. @type {Map<string, () => any>} */
const lazyCallableModules = new Map();

/** @param {string} name @param {() => any} factory */
function registerLazyCallableModule(name, factory) { lazyCallableModules.set(name, factory); }

/** @param {string} name @returns {any} */
function findCallableModule(name) {
  const factory = lazyCallableModules.get(name);
  if (factory !== undefined) {
    lazyCallableModules.delete(name);
    registerScriptsModule(name, factory());
  }
  return callableModules.get(name) ?? findForeignModule(name);
}

/** @param {string} name */
function isOwnCallableModule(name) { return callableModules.get(name) !== undefined || lazyCallableModules.get(name) !== undefined; }

/**
 * Behind the calls that were made before it, and out of reach of a script that takes the queue.
 * @param {number} call @param {number} kind @param {any} value
 */
function sendAnswer(call, kind, value) {
  takeBatch(takeQueue(), ownHalf);
  answerCall(call, kind, value);
}

/**
 * A batch as scripts get it.
 * @param {() => any[] | null} take
 */
function publishQueue(take) {
  needStack(QUEUE_LEVELS);
  const queue = take();
  if (queue === null) return null;
  const [modules, methods, params, id] = queue;
  return publishArray([publishArray(modules), publishArray(methods), publishArray(params.map(publishArray)), id]);
}

/**
 * The parameters that a script has queued, with room for the IDs of callbacks: its own array stays as it is.
 * @param {any} params
 */
function copyOfParams(params) {
  const length = lengthOf(params, () => 'the params of a call');
  const copy = [];
  for (let i = 0; i < length; i++) copy.push(params[i]);
  return copy;
}

const batchedBridge = publishObject({
  callFunctionReturnFlushedQueue: publishFunction('callFunctionReturnFlushedQueue', 3,
    (/** @type {string} */ module, /** @type {string} */ method, /** @type {any[]} */ args) => publishQueue(() => callFunctionReturnFlushedQueue(module, method, args))),
  invokeCallbackAndReturnFlushedQueue: publishFunction('invokeCallbackAndReturnFlushedQueue', 2,
    (/** @type {number} */ id, /** @type {any[]} */ args) => publishQueue(() => invokeCallbackAndReturnFlushedQueue(id, args))),
  flushedQueue: publishFunction('flushedQueue', 0, () => publishQueue(flushedQueue)),
  enqueueNativeCall: publishFunction('enqueueNativeCall', 5,
    (/** @type {number} */ moduleID, /** @type {number} */ methodID, /** @type {any} */ params, /** @type {any} */ onFail, /** @type {any} */ onSuccess) =>
      enqueueNativeCall(moduleID, methodID, copyOfParams(params), onFail, onSuccess)),
  callNativeSyncHook: publishFunction('callNativeSyncHook', 3,
    (/** @type {number} */ moduleID, /** @type {number} */ methodID, /** @type {any} */ params) => callNativeSyncHook(moduleID, methodID, copyOfParams(params))),
  registerCallableModule: publishFunction('registerCallableModule', 2, registerScriptsModule),
  registerLazyCallableModule: publishFunction('registerLazyCallableModule', 2, registerLazyCallableModule),
  getCallableModule: publishFunction('getCallableModule', 1, findCallableModule),
  setReactNativeMicrotasksCallback: publishFunction('setReactNativeMicrotasksCallback', 1, setReactNativeMicrotasksCallback),
});
