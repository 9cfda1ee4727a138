// Calls from native code: a path such as `plugin.transform`, first among the registered callable modules, then global.

/** @type {Map<string, any>} */
const callableModules = new MapConstructor();

/**
 * Makes an object's functions callable from native code under a name of its own.
 * @param {string} name @param {any} module
 */
function registerCallableModule(name, module) { mapSet(callableModules, name, module); }

/**
 * @param {number} call 0 if nobody waits @param {string | number} path of the function, or what it is kept under
 * @param {any[]} values
 */
function callIn(call, path, values) {
  let result;
  try {
    const { self, called } = typeof path === 'number' ? { self: undefined, called: kept[path] } : resolveCallable(path);
    result = apply(called, self, values);
  } catch (error) { return endCall(call, RUNTIME_FAILURE, error); }
  awaitAndAnswer(call, result);
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
  if (call !== 0) sendAnswer(call, kind, value);
  else if (kind === RUNTIME_FAILURE) reportUncaught(value);
}

/** @param {string} path */
function resolveCallable(path) {
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
  if (typeof called !== 'function') {
    throw notFound(`'${path}' is not a function: got ${describeValue(called)}`);
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
