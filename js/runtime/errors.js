// Errors on their way to native code, and back: one that came from JavaScript keeps its identity.

/** Nested causes beyond this are left out. */
const MAXIMUM_CAUSES = 16;

/** @type {Schema} */
const ANYTHING = { kind: 'codable', expected: 'data' };

/**
 * Writes an error: name, message, code, stack, properties and cause; and keeps the error itself beside the buffer.
 * @param {Tree} tree @param {any} error @param {number} [depth]
 */
function encodeError(tree, error, depth = 0) {
  error = clean(error);
  if (!isError(error)) return encodeThrown(tree, error);
  tree.put(TAG_ERROR, error, 2);
  putText(tree, read(error, 'name'));
  putText(tree, read(error, 'message'));
  putText(tree, read(error, 'code'));
  putText(tree, read(error, 'stack'));
  encodeProperties(tree, error);
  const cause = read(error, 'cause');
  if (cause === undefined || depth === MAXIMUM_CAUSES) tree.put(TAG_UNDEFINED, 0, 2);
  else encodeError(tree, cause, depth + 1);
}

/**
 * What is thrown need not be an error.
 * @param {Tree} tree @param {any} value
 */
function encodeThrown(tree, value) {
  tree.put(TAG_ERROR, value, 2);
  tree.put(TAG_UNDEFINED, 0, 2);
  let text = 'a value that cannot be shown';
  try { text = typeof value === 'object' && value !== null ? JSON.stringify(value) ?? 'object' : String(value); } catch {}
  tree.putString(shortened(text));
  for (let i = 0; i < 2; i++) tree.put(TAG_UNDEFINED, 0, 2);
  tree.put(TAG_OBJECT, 0, 2);
  tree.put(TAG_UNDEFINED, 0, 2);
}

/** @param {any} error @param {string} name */
function read(error, name) {
  try { return error[name]; } catch { return undefined; }
}

/**
 * An error is told of even where its texts are longer than strings may be.
 * @param {string} text
 */
function shortened(text) { return text.length > stringLimit ? text.substring(0, stringLimit) : text; }

/** @param {Tree} tree @param {any} value */
function putText(tree, value) {
  if (typeof value === 'string') tree.putString(shortened(value));
  else tree.put(TAG_UNDEFINED, 0, 2);
}

/**
 * The error's own members that are plain values.
 * @param {Tree} tree @param {any} error
 */
function encodeProperties(tree, error) {
  const start = tree.tags.length;
  tree.put(TAG_OBJECT, 0, 2);
  let count = 0;
  /** @type {string[]} */
  let keys = [];
  // A proxy of an error may throw.
  try { keys = Object.keys(error); } catch {}
  for (let i = 0; i < keys.length; i++) {
    const value = read(error, keys[i]);
    const type = typeof value;
    if (keys[i] === 'code' || keys[i] === 'cause') continue;
    if (type !== 'string' && type !== 'number' && type !== 'boolean' || keys[i].length > stringLimit) continue;
    tree.putString(keys[i]);
    encodeAnything(tree, ANYTHING, type === 'string' ? shortened(value) : value);
    count++;
  }
  tree.operands[start] = count;
}

/**
 * The error of a native method, as its caller gets it.
 * @param {any} name @param {any} message @param {any} code @param {any} stack @param {any} properties @param {any} cause
 */
function makeError(name, message, code, stack, properties, cause) {
  const error = new ScriptError(message);
  if (isObject(properties)) for (const key of Object.keys(properties)) define(error, key, properties[key], true);
  if (name !== undefined) define(error, 'name', name);
  if (code !== undefined) define(error, 'code', code, true);
  if (stack !== undefined) define(error, 'nativeStack', stack, true);
  if (cause !== undefined) define(error, 'cause', cause);
  return error;
}
