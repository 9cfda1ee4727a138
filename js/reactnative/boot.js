// Last of the files: what scripts see, and what native code calls.

/**
 * Makes the calls of a batch now.
 * @param {any} batch @param {BridgeHalf} from
 */
function handOver(batch, from) {
  takeBatch(batch, from);
  native.flush();
}

/** @param {any} queue */
function nativeFlushQueueImmediate(queue) {
  if (arguments.length !== 1) throw malformed(`nativeFlushQueueImmediate: expected 1 argument, got ${arguments.length}`);
  needStack(QUEUE_LEVELS);
  findHalf();
  handOver(queue, half);
}

/** @param {any} moduleID @param {any} methodID @param {any} params @returns {any} */
function nativeCallSyncHook(moduleID, methodID, params) {
  if (arguments.length !== 3) throw malformed(`nativeCallSyncHook: expected 3 arguments, got ${arguments.length}`);
  const method = methodOf(moduleID, methodID);
  if (method.kind !== 'sync') throw malformed(`${method.text} is not synchronous`);
  const count = lengthOf(params, () => `the params of ${method.text}`);
  sendCall(ownHalf, method, moduleID, methodID, params, count, new CallbackIDs(), SYNCHRONOUS);
  try { return flushSynchronously(tracksOutstanding ? originOf(moduleName(moduleID), method.name) : undefined); } catch (error) { throw errorOf(error); }
}

/** @param {string} name @param {number} length @param {Function} body */
function defineFunction(name, length, body) { define(scriptGlobal, name, publishFunction(name, length, body)); }

if (native.moduleTable === 'none') define(scriptGlobal, 'nativeModuleProxy', nativeModuleProxy); else defineModuleTable();
define(scriptGlobal, 'NativeModules', NativeModules);
defineFunction('nativeFlushQueueImmediate', 1, nativeFlushQueueImmediate);
defineFunction('nativeCallSyncHook', 3, nativeCallSyncHook);
defineFunction('nativeRequireModuleConfig', 1, nativeRequireModuleConfig);
defineFunction('nativeLoggingHook', 2, nativeLoggingHook);
defineFunction('nativePerformanceNow', 0, nativePerformanceNow);
defineFunction('globalEvalWithSourceUrl', 2, globalEvalWithSourceUrl);
define(scriptGlobal, '__jsiExecutorDescription', 'Trestle on JavaScriptCore');
define(scriptGlobal, '__fbGenNativeModule', publishedGenerator);
define(scriptGlobal, '__fbBatchedBridge', batchedBridge);
define(scriptGlobal, 'trestle', publishTrestle(flushQueueOfScript));

// @ts-expect-error The files are the body of one function.
return {
  deliver, goOnDelivering, collect, answerValue: awaitAndAnswer, callNow, keep, release, waitingCount: () => waitingCount + compilations, held, runModuleScript, postponeModuleScripts,
  describeOutstanding, describeThrown: (/** @type {any} */ value) => JSON.stringify(describeThrown(clean(value))),
  /** @param {string} message */
  closeAll(message) {
    collect();
    closeAll(message);
  },
};
