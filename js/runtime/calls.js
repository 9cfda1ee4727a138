// Calls from native code: a path such as `plugin.transform`, first among the registered callable modules, then global.

/** @type {Map<string, any>} */
const callableModules = new MapConstructor();

/**
 * Makes an object's functions callable from native code under a name of its own.
 * @param {string} name @param {any} module
 */
function registerCallableModule(name, module) { mapSet(callableModules, name, module); }

/**
 * @param {number} call 0 if nobody waits
 * @param {string | number | Operation} path of the function, or what it is kept under; or what is done with an object
 * @param {any[]} values
 */
function callIn(call, path, values) {
  if (tracksOutstanding && call !== 0) trackScriptCall(call, path);
  let result;
  try {
    if (typeof path === 'object') result = operate(call, path, values);
    else {
      const { self, called } = typeof path === 'number' ? { self: undefined, called: kept[path] } : resolveCallable(path);
      result = apply(called, self, values);
    }
  } catch (error) { return endCall(call, RUNTIME_FAILURE, error); }
  awaitAndAnswer(call, result);
}

/**
 * What native code does with a member of an object that it holds, or with what has a path.
 * @typedef {{operation: 'get' | 'set' | 'call', object?: number, name: string, keeps: boolean}} Operation
 */

/** The calls whose results native code is to hold. */
const holdingCalls = new SetConstructor();

/**
 * @param {number} call @param {Operation} what @param {any[]} values
 * @returns {any} if it is to be kept, what it is kept under
 */
function operate(call, { operation, object, name, keeps }, values) {
  if (operation === 'set') return void (kept[/** @type {number} */ (object)][name] = values[0]);
  const { self, called } = object === undefined ? valueAt(name) : { self: kept[object], called: kept[object][name] };
  if (operation === 'call' && typeof called !== 'function') throw notFound(`'${name}' is not a function: got ${describeValue(called)}`);
  const result = operation === 'call' ? apply(called, self, values) : called;
  return keeps ? keepObject(call, name, result) : result;
}

/**
 * @param {number} call @param {string} name @param {any} value perhaps the promise of one
 * @returns {Promise<number>}
 */
async function keepObject(call, name, value) {
  setAdd(holdingCalls, call);
  const object = await value;
  // Nobody would ever let go of it.
  if (!setDelete(holdingCalls, call)) return 0;
  if (!isObject(object)) throw argumentError(`'${name}': expected object, got ${describeValue(object)}`);
  return keep(object);
}

/**
 * Answers a call with a value; with what it comes to, if it is a promise.
 * @param {number} call @param {any} result
 */
function awaitAndAnswer(call, result) {
  if ((typeof result !== 'object' || result === null) && typeof result !== 'function') return endCall(call, RUNTIME_ANSWER, result);
  promiseThen(promiseResolve(result),
    (/** @type {any} */ value) => endCall(call, RUNTIME_ANSWER, value),
    (/** @type {any} */ error) => endCall(call, RUNTIME_FAILURE, error));
}

/** @param {number} call @param {number} kind @param {any} value */
function endCall(call, kind, value) {
  mapDelete(callControllers, call);
  if (tracksOutstanding) untrackScriptCall(call);
  if (call !== 0) sendAnswer(call, kind, value);
  else if (kind === RUNTIME_FAILURE) reportUncaught(value);
}

/** @param {string} path */
function resolveCallable(path) {
  const { self, called } = valueAt(path);
  if (typeof called !== 'function') {
    throw notFound(`'${path}' is not a function: got ${describeValue(called)}`);
  }
  return { self, called };
}

/** @param {string} path */
function valueAt(path) {
  /** @type {any} */
  let self;
  /** @type {any} */
  let called = globalThis;
  let start = 0;
  for (let at = 0; at <= path.length; at++) {
    if (at < path.length && path.charCodeAt(at) !== 46) continue;
    const name = path.substring(start, at);
    self = called;
    called = start === 0 && findCallableModule(name) || self?.[name];
    start = at + 1;
  }
  return { self, called };
}

/** @param {string} message */
function notFound(message) {
  const error = new TypeErrorConstructor(message);
  defineProperty(error, 'code', { __proto__: null, value: 'ERR_NOT_FOUND', enumerable: true, writable: true, configurable: true });
  return error;
}

/** @param {number} call @param {number} kind @param {any} value @returns {void} */
function answerCall(call, kind, value) {
  const tree = new Tree();
  try {
    if (kind === RUNTIME_FAILURE) encodeError(tree, value);
    else encodeAnything(tree, ANYTHING, value);
  } catch (error) {
    if (kind === RUNTIME_FAILURE) throw error;
    return answerCall(call, RUNTIME_FAILURE, error instanceof Mismatch
      ? argumentError(`${pathText('result', error.keys)}: expected ${error.expected}, got ${error.got}`) : error);
  }
  sendTree(RUNTIME, kind | 1 << 16, tree, undefined, undefined, call);
}

/**
 * An error that no code of the script takes.
 * @param {any} error
 */
function reportUncaught(error) {
  const tree = new Tree();
  encodeError(tree, error);
  sendTree(RUNTIME, RUNTIME_UNCAUGHT | 1 << 16, tree, undefined, undefined);
}
