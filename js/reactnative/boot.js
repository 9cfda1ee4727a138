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

/**
 * Writable and hidden, as the built-in ones are.
 * @param {string} name @param {any} value
 */
function defineGlobal(name, value) {
  defineProperty(globalThis, name, { __proto__: null, value, writable: true, configurable: true, enumerable: false });
}

if (native.moduleTable === 'none') defineGlobal('nativeModuleProxy', nativeModuleProxy); else defineModuleTable();
defineGlobal('NativeModules', NativeModules);
defineGlobal('nativeFlushQueueImmediate', nativeFlushQueueImmediate);
defineGlobal('nativeCallSyncHook', nativeCallSyncHook);
defineGlobal('nativeRequireModuleConfig', nativeRequireModuleConfig);
defineGlobal('nativeLoggingHook', nativeLoggingHook);
defineGlobal('nativePerformanceNow', nativePerformanceNow);
defineGlobal('globalEvalWithSourceUrl', globalEvalWithSourceUrl);
defineGlobal('__jsiExecutorDescription', 'Trestle on JavaScriptCore');
defineGlobal('__fbGenNativeModule', genNativeModule);
defineGlobal('__fbBatchedBridge', batchedBridge);
defineGlobal('trestle', freeze({ registerCallableModule, flush: flushQueue, moduleNames: () => native.moduleNames(), moduleVersion, requireVersion }));

// @ts-expect-error The files are the body of one function.
return {
  deliver, goOnDelivering, collect, answerValue: awaitAndAnswer, keep, release, waitingCount: () => waitingCount, runModuleScript,
  describeOutstanding,
  /** @param {string} message */
  closeAll(message) {
    collect();
    closeAll(message);
  },
};
