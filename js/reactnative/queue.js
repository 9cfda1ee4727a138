// The JavaScript half of React Native's wire: what its `MessageQueue` does. It knows native code only by the hooks that
// native.js installs, and is known to it only as `__fbBatchedBridge`, in whose place React Native's own may be put.

const MIN_TIME_BETWEEN_FLUSHES_MS = 5;
const now = DateConstructor.now;

/** The calls that wait: module numbers, method numbers and parameters. */
let queuedModules = privateArray(), queuedMethods = privateArray(), queuedParams = privateArray();
/** Of every call, one more. */
let callID = 0;
/** What it was when the queue was begun. */
let queueCallID = 0;
let lastFlush = 0;
/** Where the calls that wait were made, by their parameters: only where what is outstanding is tracked. */
const callSitesByParams = new WeakMap();
const weakMapGet = uncurryThis(WeakMap.prototype.get);
const weakMapSet = uncurryThis(WeakMap.prototype.set);

/** @type {Map<number, Function>} */
const successCallbacks = new MapConstructor();
/** @type {Map<number, Function>} */
const failureCallbacks = new MapConstructor();

/** To see whether a script has put something behind an index that arrays lack. */
const emptyArray = freeze(/** @type {any[]} */ ([]));

/**
 * `list.push(value)`, also where a script has replaced that, or has set an index of `Array.prototype`.
 * @param {any[]} list @param {any} value
 */
function append(list, value) {
  const index = list.length;
  if (index in emptyArray) defineProperty(list, index, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
  else list[index] = value;
}

/**
 * Numbers a call, and puts the IDs of its callbacks behind its parameters: the even one is that of `onFail`.
 * @param {any[]} params @param {Function | undefined} onFail @param {Function | undefined} onSuccess
 */
function processCallbacks(params, onFail, onSuccess) {
  const id = callID++;
  if (onFail !== undefined) {
    mapSet(failureCallbacks, id, onFail);
    append(params, id << 1);
  }
  if (onSuccess !== undefined) {
    mapSet(successCallbacks, id, onSuccess);
    append(params, id << 1 | 1);
  }
}

/**
 * @param {number} moduleID @param {number} methodID @param {any[]} params
 * @param {Function} [onFail] @param {Function} [onSuccess]
 */
function enqueueNativeCall(moduleID, methodID, params, onFail, onSuccess) {
  processCallbacks(params, onFail, onSuccess);
  if (tracksOutstanding) weakMapSet(callSitesByParams, params, new ErrorConstructor());
  const index = queuedModules.length;
  queuedModules[index] = moduleID;
  queuedMethods[index] = methodID;
  queuedParams[index] = params;
  if (now() - lastFlush >= MIN_TIME_BETWEEN_FLUSHES_MS) flushQueue();
}

/** @param {number} moduleID @param {number} methodID @param {any[]} params @returns {any} */
function callNativeSyncHook(moduleID, methodID, params) {
  // What was called before comes before.
  flushQueue();
  processCallbacks(params, undefined, undefined);
  return nativeCallSyncHook(moduleID, methodID, params);
}

/** Hands over the calls that wait, now. */
function flushQueue() {
  const queue = takeQueue();
  lastFlush = now();
  if (queue !== null) handOver(queue, ownHalf);
}

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
    const utils = /** @type {any} */ (globalThis).ErrorUtils;
    if (typeof utils?.reportFatalError !== 'function') return reportUncaught(error);
    utils.reportFatalError(error);
  } catch (rethrown) { reportUncaught(rethrown); }
}

/** @returns {any[] | null} */
function takeQueue() {
  const id = queueCallID;
  queueCallID = callID;
  if (queuedModules.length === 0) return null;
  setPrototypeOf(queuedModules, ArrayConstructor.prototype);
  setPrototypeOf(queuedMethods, ArrayConstructor.prototype);
  setPrototypeOf(queuedParams, ArrayConstructor.prototype);
  const queue = [queuedModules, queuedMethods, queuedParams, id];
  queuedModules = privateArray();
  queuedMethods = privateArray();
  queuedParams = privateArray();
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
  const module = hostModules[name] ?? findCallableModule(name);
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
  const callback = mapGet(callbacks, id >>> 1);
  // A pair is one shot.
  mapDelete(successCallbacks, id >>> 1);
  mapDelete(failureCallbacks, id >>> 1);
  if (callback !== undefined) guard(callback, undefined, args);
  return flushedQueue();
}

/** What makes a callable module at its first call. @type {Map<string, () => any>} */
const lazyCallableModules = new MapConstructor();

/** @param {string} name @param {() => any} factory */
function registerLazyCallableModule(name, factory) { mapSet(lazyCallableModules, name, factory); }

/** @param {string} name @returns {any} */
function findCallableModule(name) {
  const factory = mapGet(lazyCallableModules, name);
  if (factory !== undefined) {
    mapDelete(lazyCallableModules, name);
    registerCallableModule(name, factory());
  }
  return mapGet(callableModules, name) ?? findForeignModule(name);
}

/** @param {string} name */
function isOwnCallableModule(name) { return mapGet(callableModules, name) !== undefined || mapGet(lazyCallableModules, name) !== undefined; }

/**
 * The callable modules that native code calls, which no script can replace: calls with results, and events.
 * @type {any}
 */
const hostModules = {
  __proto__: null,
  Trestle: { call: callIn },
  RCTDeviceEventEmitter: {
    /** @param {string} event @param {any} value @param {string} module */
    emit(event, value, module) { emit(moduleNumber(module), event, value); },
  },
};

/** @param {number} call @param {number} kind @param {any} value */
function sendAnswer(call, kind, value) { enqueueNativeCall(RUNTIME, kind, [call, value]); }

const batchedBridge = {
  __proto__: null, callFunctionReturnFlushedQueue, invokeCallbackAndReturnFlushedQueue, flushedQueue,
  enqueueNativeCall, callNativeSyncHook, registerCallableModule, registerLazyCallableModule,
  getCallableModule: findCallableModule, setReactNativeMicrotasksCallback,
};
