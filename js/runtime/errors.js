// Errors on their way to native code, and back: one that came from JavaScript keeps its identity.

/** @type {Schema} */
const ANYTHING = { kind: 'codable', expected: 'data' };

/** @param {any} error @param {string} name */
function read(error, name) {
  try { return error[name]; } catch { return undefined; }
}

/**
 * The error of a native method, as its caller gets it.
 * @param {any} name @param {any} message @param {any} code @param {any} stack @param {any} properties @param {any} cause
 */
function makeError(name, message, code, stack, properties, cause) {
  const error = clean(new ScriptError(message));
  if (isObject(properties)) for (const key of Object.keys(properties)) define(error, key, properties[key], true);
  if (name !== undefined) define(error, 'name', name);
  if (code !== undefined) define(error, 'code', code, true);
  if (stack !== undefined) define(error, 'nativeStack', stack, true);
  if (cause !== undefined) define(error, 'cause', cause);
  return error;
}
