// The shared wire: what native code sends is done at once, what it is told goes into the buffer.

/** @param {number} module @param {string} event @param {any} value */
function receiveEvent(module, event, value) { emit(module, event, value); }

/** @param {number} call @param {string | number} path @param {any[]} values */
function receiveCall(call, path, values) { callIn(call, path, values); }

/**
 * The error of a native method, or the error object of a script that it was.
 * @param {number} identity the number that it is kept under, or 0
 * @param {any} name @param {any} message @param {any} code @param {any} stack @param {any} properties @param {any} cause
 */
function receiveError(identity, name, message, code, stack, properties, cause) {
  const error = identity === 0 ? undefined : kept[identity];
  return error ?? makeError(name, message, code, stack, properties, cause);
}

/** @param {any} error as `receiveError` makes it */
function errorOf(error) { return error; }

/**
 * The function that scripts find on an object of native code, and module scripts on their module.
 * @param {Function} encoder @param {Method} method
 */
function directMethod(encoder, method) { return encoder; }

/** The levels of the stack that a call needs for those that wait to be handed over before it. */
function waitingLevels() { return 0; }

/** @param {() => any} read what native code says of a module */
function readModule(read) { return read(); }

/** @param {number} call @param {number} kind @param {any} value */
function sendAnswer(call, kind, value) { answerCall(call, kind, value); }

/** @param {string} name @returns {any} */
function findCallableModule(name) { return callableModules.get(name); }
