// What React Native's `NativeModules` makes of a config.

/**
 * @param {any} config `[name, constants, methodNames, promiseMethodIDs, syncMethodIDs]` @param {number} moduleID
 * @returns {{name: string, module: any}}
 */
function genModule(config, moduleID) {
  const name = config[0], constants = memberOf(config, 1) ?? {}, methods = memberOf(config, 2) ?? [];
  const promises = memberOf(config, 3) ?? [], syncs = memberOf(config, 4) ?? [];
  const module = publishObject({});
  // The config and the number may be a script's.
  const known = wireModules.get(moduleID);
  for (let methodID = 0; methodID < methods.length; methodID++) {
    // Listeners of ours are functions, which `defineEvents` keeps.
    if (known?.methods[methodID]?.kind === 'listening') continue;
    const type = hasElement(promises, methodID) ? 'promise' : hasElement(syncs, methodID) ? 'sync' : 'async';
    defineMember(module, methods[methodID], genMethod(moduleID, methodID, methods[methodID], type));
  }
  const names = Object.keys(constants);
  for (let i = 0; i < names.length; i++) defineMember(module, names[i], constants[names[i]]);
  if (known !== undefined) defineEvents(module, moduleID, known.sources);
  return { name, module };
}

/**
 * `__fbGenNativeModule`: nothing for no config, no module for a lazy one.
 * @param {any} config @param {number} moduleID
 */
function genNativeModule(config, moduleID) {
  if (!isArray(config)) return null;
  const isLazy = memberOf(config, 1) == null && memberOf(config, 2) == null;
  return publishObject(isLazy ? { name: config[0] } : genModule(config, moduleID));
}

/** @param {any[]} config @param {number} index @returns {any} undefined for what was cut off */
function memberOf(config, index) { return index < config.length ? config[index] : undefined; }

/**
 * The list may be a script's.
 * @param {any[]} list @param {any} value
 */
function hasElement(list, value) {
  for (let i = 0; i < list.length; i++) if (list[i] === value) return true;
  return false;
}

/** @param {any} object @param {string} name @param {any} value */
function defineMember(object, name, value) { define(object, name, value, true); }

/** @param {number} moduleID @param {number} methodID @param {string} name @param {string} type */
function genMethod(moduleID, methodID, name, type) {
  const call = type === 'sync' ? callNativeSyncHook : type === 'promise' ? callForPromise : callWithCallbacks;
  return publishFunction(name, 0, (/** @type {any[]} */ ...args) => call(moduleID, methodID, args));
}

/**
 * The signals of calls that wait to go over, by their parameters.
 * @type {WeakMap<any[], any>}
 */
const signalsByParams = new WeakMap();

/**
 * The resolving function takes the failure callback's place: native code goes by position.
 * @param {number} moduleID @param {number} methodID @param {any[]} args
 */
function callForPromise(moduleID, methodID, args) {
  const isStream = wireModules.get(moduleID)?.methods[methodID]?.isStream;
  // A promise that is rejected, and of which the script knows nothing, is nobody's to handle.
  needStack(isStream ? COLD_LEVELS : 1);
  const site = native.isDevelopment ? new ScriptError() : undefined;
  const promise = makePromise((/** @type {any} */ resolve, /** @type {any} */ reject) => {
    const signal = takeSignal(moduleID, methodID, args);
    if (signal?.aborted) return reject(signal.reason);
    if (signal !== undefined) signalsByParams.set(args, signal);
    enqueueNativeCall(moduleID, methodID, args, resolve, (/** @type {any} */ data) => reject(errorOf(data, site)));
  });
  return isStream ? walkable(promise) : promise;
}

/**
 * Takes the signal behind the arguments of a call off them.
 * @param {number} moduleID @param {number} methodID @param {any[]} args @returns {any} undefined if there is none
 */
function takeSignal(moduleID, methodID, args) {
  const method = wireModules.get(moduleID)?.methods[methodID];
  if (method === undefined || args.length !== method.parameters.length + 1) return undefined;
  const signal = signalOf(args[args.length - 1], moduleName(moduleID), method);
  args.length--;
  return signal;
}

/**
 * Of the last two arguments those that are functions are callbacks: failure and success, or success alone. Of a method that is known
 * to take less of them the others are arguments.
 * @param {number} moduleID @param {number} methodID @param {any[]} args
 */
function callWithCallbacks(moduleID, methodID, args) {
  const count = args.length;
  const most = wireModules.get(moduleID)?.methods[methodID]?.callbackCount ?? 2;
  const onSuccess = most > 0 && typeof args[count - 1] === 'function' ? args[count - 1] : undefined;
  const onFail = most > 1 && onSuccess !== undefined && typeof args[count - 2] === 'function' ? args[count - 2] : undefined;
  if (onSuccess !== undefined) args.length = count - (onFail === undefined ? 1 : 2);
  enqueueNativeCall(moduleID, methodID, args, onFail, onSuccess);
}

/** So many causes hang on one error: that which a script describes may be its own. */
const MOST_CAUSES = 16;

/**
 * The error that native code describes; one that came from a script comes back as it is.
 * @param {any} data @param {Error} [site] where the call was made @param {number} [causesLeft]
 */
function errorOf(data, site, causesLeft = MOST_CAUSES) {
  let error = clean(data);
  if (!isError(error) && typeof data === 'object' && data !== null) {
    // What a script has put on `Object.prototype` is not told of this error.
    /** @type {any} */
    const described = { __proto__: null, ...data };
    const { domain, message, code, nativeStackIOS, userInfo, cause } = described;
    const made = cause === undefined || causesLeft === 0 ? undefined : errorOf(cause, undefined, causesLeft - 1);
    error = makeError(domain, message, code, joinedLines(nativeStackIOS), userInfo, made);
  }
  // It may be a proxy of one, which throws.
  try { if (site !== undefined && isError(error)) define(error, 'stack', clean(site).stack); } catch {}
  return error;
}

/**
 * The function that scripts find on an object of native code, and module scripts on their module: such calls do not go over the
 * queue, where scripts could read, change and forge them. What they fail with is no error yet.
 * @param {Function} encoder @param {Method} method
 */
function directMethod(encoder, { kind, isStream }) {
  return publishFunction(encoder.name, encoder.length, function (/** @type {any[]} */ ...args) {
    // All of this is done, or nothing.
    const levels = waitingLevels() + (isStream ? COLD_LEVELS : kind === 'promise' ? 2 : 0);
    if (levels > 0) needStack(levels);
    // What was called before comes before.
    takeBatch(takeQueue(), ownHalf);
    /** @type {any} */
    let result;
    // @ts-expect-error Called on the object.
    try { result = apply(encoder, this, args); } catch (error) { throw errorOf(error); }
    if (kind !== 'promise') return result;
    const promise = makePromise((/** @type {any} */ resolve, /** @type {any} */ reject) => settle(result, resolve, (/** @type {any} */ data) => reject(errorOf(data))));
    return isStream ? walkable(promise) : promise;
  });
}

/** @param {() => any} read what native code says of a module */
function readModule(read) {
  try { return read(); } catch (error) { throw errorOf(error); }
}

/** @param {string} name */
function makeModule(name) {
  const described = describeModule(name);
  if (described === undefined) return undefined;
  return genModule(described.config, described.moduleID).module;
}
