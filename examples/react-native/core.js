// What a React Native bundle begins with, in small: the globals, the hooks and the calls are those of its `MessageQueue`,
// `NativeModules`, event emitters, `JSTimers`, `ExceptionsManager` and `ErrorUtils`. Native code sees no difference.

/** @typedef {(...values: any[]) => any} Fn */

(() => {
  const host = /** @type {any} */ (globalThis);

  // --- ErrorUtils

  /** @type {(error: any, isFatal: boolean) => void} */
  let globalHandler = (error) => { throw error; };
  const ErrorUtils = {
    /** @param {typeof globalHandler} handler */
    setGlobalHandler(handler) { globalHandler = handler; },
    getGlobalHandler: () => globalHandler,
    /** @param {any} error */
    reportError(error) { globalHandler(error, false); },
    /** @param {any} error */
    reportFatalError(error) { globalHandler(error, true); },
  };
  host.ErrorUtils = ErrorUtils;

  /** @param {() => void} body */
  function guard(body) {
    try { body(); } catch (error) { ErrorUtils.reportFatalError(error); }
  }

  // --- console

  if (host.nativeLoggingHook) {
    const log = (/** @type {number} */ level) => (/** @type {any[]} */ ...values) => {
      host.nativeLoggingHook(values.map((it) => typeof it === 'string' ? it : it instanceof Error ? `${it}` : JSON.stringify(it)).join(' '), level);
    };
    host.console = { debug: log(0), trace: log(0), log: log(1), info: log(1), warn: log(2), error: log(3) };
  }

  // --- MessageQueue

  class MessageQueue {
    /** @type {Record<string, () => any>} */ callableModules = {};
    /** @type {[number[], number[], any[][], number]} */ queue = [[], [], [], 0];
    /** @type {Map<number, Fn | undefined>} */ successCallbacks = new Map();
    /** @type {Map<number, Fn | undefined>} */ failureCallbacks = new Map();
    callID = 0;
    lastFlush = 0;
    /** @type {(() => void) | null} */ microtasks = null;
    /** @type {((info: {type: number, module: any, method: any, args: any[]}) => void) | null} */ spy = null;

    // Native code calls these three, detached.

    flushedQueue = () => {
      guard(() => this.microtasks?.());
      const { queue } = this;
      this.queue = [[], [], [], this.callID];
      return queue[0].length > 0 ? queue : null;
    };

    callFunctionReturnFlushedQueue = (/** @type {string} */ module, /** @type {string} */ method, /** @type {any[]} */ args) => {
      guard(() => this.callFunction(module, method, args));
      return this.flushedQueue();
    };

    invokeCallbackAndReturnFlushedQueue = (/** @type {number} */ id, /** @type {any[]} */ args) => {
      guard(() => this.invokeCallback(id, args));
      return this.flushedQueue();
    };

    /** @param {string} name @param {any} module */
    registerCallableModule(name, module) { this.callableModules[name] = () => module; }

    /** @param {string} name @param {() => any} factory */
    registerLazyCallableModule(name, factory) {
      this.callableModules[name] = () => {
        const module = factory();
        this.registerCallableModule(name, module);
        return module;
      };
    }

    /** @param {string} name */
    getCallableModule(name) { return this.callableModules[name]?.() ?? null; }

    /** @param {(() => void) | null} callback */
    setReactNativeMicrotasksCallback(callback) { this.microtasks = callback; }

    /** @param {string} name @param {string} method @param {any[]} args */
    callFunction(name, method, args) {
      this.lastFlush = Date.now();
      this.spy?.({ type: 0, module: name, method, args });
      const module = this.getCallableModule(name);
      if (!module?.[method]) throw new Error(`no callable ${name}.${method}; there are ${Object.keys(this.callableModules).join()}`);
      module[method](...args);
    }

    /** @param {number} id @param {any[]} args */
    invokeCallback(id, args) {
      this.lastFlush = Date.now();
      const callback = (id & 1 ? this.successCallbacks : this.failureCallbacks).get(id >>> 1);
      this.successCallbacks.delete(id >>> 1);
      this.failureCallbacks.delete(id >>> 1);
      callback?.(...args);
    }

    /** @param {number} moduleID @param {number} methodID @param {any[]} params @param {Fn} [onFail] @param {Fn} [onSucc] */
    processCallbacks(moduleID, methodID, params, onFail, onSucc) {
      if (onFail || onSucc) {
        if (onFail) params.push(this.callID << 1);
        if (onSucc) params.push(this.callID << 1 | 1);
        this.successCallbacks.set(this.callID, onSucc);
        this.failureCallbacks.set(this.callID, onFail);
      }
      host.nativeTraceBeginAsyncFlow?.(1 << 17, 'native', this.callID);
      this.callID++;
    }

    /** @param {number} moduleID @param {number} methodID @param {any[]} params @param {Fn} [onFail] @param {Fn} [onSucc] */
    enqueueNativeCall(moduleID, methodID, params, onFail, onSucc) {
      this.processCallbacks(moduleID, methodID, params, onFail, onSucc);
      this.queue[0].push(moduleID);
      this.queue[1].push(methodID);
      this.queue[2].push(freeze(params));
      const now = Date.now();
      if (host.nativeFlushQueueImmediate && now - this.lastFlush >= 5) {
        const { queue } = this;
        this.queue = [[], [], [], this.callID];
        this.lastFlush = now;
        host.nativeFlushQueueImmediate(queue);
      }
      this.spy?.({ type: 1, module: moduleID, method: methodID, args: params });
    }

    /** @param {number} moduleID @param {number} methodID @param {any[]} params @param {Fn} [onFail] @param {Fn} [onSucc] */
    callNativeSyncHook(moduleID, methodID, params, onFail, onSucc) {
      this.processCallbacks(moduleID, methodID, params, onFail, onSucc);
      return host.nativeCallSyncHook(moduleID, methodID, params);
    }
  }

  /**
   * As in development: what was passed cannot be changed before native code reads it.
   * @param {any} value
   * @returns {any}
   */
  function freeze(value) {
    if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
    Object.values(value).forEach(freeze);
    return Object.freeze(value);
  }

  const BatchedBridge = new MessageQueue();
  Object.defineProperty(globalThis, '__fbBatchedBridge', { configurable: true, value: BatchedBridge });

  // --- NativeModules

  /** @param {any} config @param {number} moduleID @returns {{name: string, module?: any} | null} */
  function genModule(config, moduleID) {
    if (!config) return null;
    const [name, constants, methods, promises = [], syncs = []] = config;
    if (name.startsWith('RCT') || name.startsWith('RK')) throw new Error(`${name} has its prefix still`);
    if (!constants && !methods) return { name };
    /** @type {any} */
    const module = {};
    methods?.forEach((/** @type {string} */ method, /** @type {number} */ methodID) => {
      module[method] = genMethod(moduleID, methodID, promises.includes(methodID), syncs.includes(methodID));
    });
    Object.assign(module, constants);
    module.getConstants ??= () => constants ?? {};
    return { name, module };
  }

  /** @param {number} moduleID @param {number} methodID @param {boolean} isPromise @param {boolean} isSync @returns {Fn} */
  function genMethod(moduleID, methodID, isPromise, isSync) {
    if (isPromise) {
      return (...args) => {
        const error = new Error();
        // The resolving function takes the place of the failure callback.
        return new Promise((resolve, reject) => BatchedBridge.enqueueNativeCall(
          moduleID, methodID, args, resolve, (data) => reject(Object.assign(error, data))));
      };
    }
    return (...args) => {
      const onSucc = typeof args.at(-1) === 'function' ? args.pop() : undefined;
      const onFail = onSucc && typeof args.at(-1) === 'function' ? args.pop() : undefined;
      if (isSync) return BatchedBridge.callNativeSyncHook(moduleID, methodID, args, onFail, onSucc);
      BatchedBridge.enqueueNativeCall(moduleID, methodID, args, onFail, onSucc);
    };
  }

  /** @returns {any} */
  function findNativeModules() {
    if (host.nativeModuleProxy) return host.nativeModuleProxy;
    const modules = {};
    host.__fbBatchedBridgeConfig.remoteModuleConfig.forEach((/** @type {any} */ config, /** @type {number} */ moduleID) => {
      const info = genModule(config, moduleID);
      if (!info) return;
      const define = (/** @type {any} */ value) => Object.defineProperty(modules, info.name, { value, enumerable: true, configurable: true });
      if (info.module) define(info.module);
      else Object.defineProperty(modules, info.name, { enumerable: true, configurable: true, get() {
        const module = genModule(host.nativeRequireModuleConfig(info.name), moduleID)?.module;
        define(module);
        return module;
      } });
    });
    return modules;
  }

  host.__fbGenNativeModule = genModule;
  const NativeModules = findNativeModules();

  // --- Event emitters

  class EventEmitter {
    /** @type {Record<string, Set<Fn>>} */ registry = {};

    /** @param {string} type @param {Fn} listener */
    addListener(type, listener) {
      const listeners = this.registry[type] ??= new Set();
      listeners.add(listener);
      return { remove: () => { listeners.delete(listener); } };
    }

    /** @param {string} type @param {any[]} args */
    emit(type, ...args) { [...this.registry[type] ?? []].forEach((listener) => listener(...args)); }
  }

  const RCTDeviceEventEmitter = new EventEmitter();
  BatchedBridge.registerCallableModule('RCTDeviceEventEmitter', RCTDeviceEventEmitter);

  class NativeEventEmitter {
    /** @param {any} nativeModule */
    constructor(nativeModule) { this.nativeModule = nativeModule; }

    /** @param {string} type @param {Fn} listener */
    addListener(type, listener) {
      this.nativeModule.addListener(type);
      const subscription = RCTDeviceEventEmitter.addListener(type, listener);
      return { remove: () => { this.nativeModule.removeListeners(1); subscription.remove(); } };
    }
  }

  // --- JSTimers

  /** @type {Map<number, {callback: Fn, repeats: boolean}>} */
  const timers = new Map();
  /** @type {Fn[]} */
  let immediates = [];
  /** @type {Fn[]} */
  let idleCallbacks = [];
  let lastTimer = 0;

  /** @param {Fn} callback @param {number} duration @param {boolean} repeats */
  function createTimer(callback, duration, repeats) {
    timers.set(++lastTimer, { callback, repeats });
    NativeModules.Timing.createTimer(lastTimer, duration || 0, Date.now(), repeats);
    return lastTimer;
  }

  /** @param {number} id */
  function clearTimer(id) { if (timers.delete(id)) NativeModules.Timing.deleteTimer(id); }

  BatchedBridge.registerLazyCallableModule('JSTimers', () => ({
    /** @param {number[]} ids */
    callTimers(ids) {
      if (ids.length === 0) throw new Error('no timers to call');
      const errors = /** @type {any[]} */ ([]);
      for (const id of ids) {
        const timer = timers.get(id);
        if (timer && !timer.repeats) timers.delete(id);
        try { timer?.callback(); } catch (error) { errors.push(error); }
      }
      // The first is thrown now, each other in a turn of its own.
      errors.slice(1).forEach((error) => createTimer(() => { throw error; }, 0, false));
      if (errors.length > 0) throw errors[0];
    },
    /** @param {number} frameStart */
    callIdleCallbacks(frameStart) {
      if (1000 / 60 - (Date.now() - frameStart) < 1) return;
      const due = idleCallbacks;
      idleCallbacks = [];
      due.forEach((callback) => callback({ didTimeout: false, timeRemaining: () => Math.max(0, 1000 / 60 - (Date.now() - frameStart)) }));
      if (idleCallbacks.length === 0) NativeModules.Timing.setSendIdleEvents(false);
    },
    /** @param {string} message */
    emitTimeDriftWarning(message) { console.warn(message); },
  }));
  BatchedBridge.setReactNativeMicrotasksCallback(() => {
    while (immediates.length > 0) {
      const due = immediates;
      immediates = [];
      due.forEach((callback) => callback());
    }
  });
  host.setTimeout = (/** @type {Fn} */ callback, /** @type {number} */ duration, /** @type {any[]} */ ...args) => createTimer(() => callback(...args), duration, false);
  host.setInterval = (/** @type {Fn} */ callback, /** @type {number} */ duration, /** @type {any[]} */ ...args) => createTimer(() => callback(...args), duration, true);
  host.requestAnimationFrame = (/** @type {Fn} */ callback) => createTimer(() => callback(host.performance.now()), 1, false);
  host.setImmediate = (/** @type {Fn} */ callback, /** @type {any[]} */ ...args) => { immediates.push(() => callback(...args)); };
  host.clearTimeout = host.clearInterval = host.cancelAnimationFrame = clearTimer;
  host.requestIdleCallback = (/** @type {Fn} */ callback) => {
    if (idleCallbacks.push(callback) === 1) NativeModules.Timing.setSendIdleEvents(true);
  };
  host.performance = { now: host.nativePerformanceNow };

  // --- ExceptionsManager

  let lastException = 0;

  /** @param {any} error @param {boolean} isFatal */
  function reportException(error, isFatal) {
    const stack = (error.stack ?? '').split('\n').map((/** @type {string} */ line) => {
      const match = /^(.*?)@?([^@]*):(\d+):(\d+)$/.exec(line);
      return { methodName: match?.[1] ?? line, file: match?.[2] ?? null, lineNumber: match ? Number(match[3]) : null, column: match ? Number(match[4]) : null };
    });
    NativeModules.ExceptionsManager.reportException({
      message: `${error.name}: ${error.message}`, originalMessage: error.message, name: error.name, componentStack: null, stack,
      id: ++lastException, isFatal, extraData: { jsEngine: 'jsc', rawStack: error.stack },
    });
  }

  if (!host.__fbDisableExceptionsManager) ErrorUtils.setGlobalHandler(reportException);

  host.ReactNative = { BatchedBridge, NativeModules, NativeEventEmitter, DeviceEventEmitter: RCTDeviceEventEmitter };
})();
