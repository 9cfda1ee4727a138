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
  const { name, message, code, stack, properties, cause } = tellError(error);
  for (const text of [name, message, code, stack]) putText(tree, text);
  encodeMembers(tree, properties, ANYTHING);
  if (cause === undefined || depth === MAXIMUM_CAUSES) tree.put(TAG_UNDEFINED, 0, 2);
  else encodeError(tree, cause, depth + 1);
}

/**
 * What native code is told of an error.
 * @param {any} error
 */
function tellError(error) {
  const text = (/** @type {string} */ name) => {
    const value = read(error, name);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    name: text('name'), message: messageOf(error), code: text('code'), stack: shownStack(text('stack')), properties: propertiesOf(error),
    cause: read(error, 'cause'),
  };
}

/** @param {string | undefined} stack */
function shownStack(stack) { return stack?.split('\n').filter((line) => !isOwnFrame(line)).join('\n'); }

/**
 * What of it is a typing error in the name of a module or a member, the engine does not know.
 * @param {any} error @returns {string | undefined}
 */
function messageOf(error) {
  const message = read(error, 'message');
  return typeof message === 'string' ? message + hintFor(message) : undefined;
}

/** So much is told of an error's own members: values, and levels of them. */
const MOST_VALUES = 200, DEEPEST_MEMBER = 4;

/** What is told otherwise, and where JavaScript keeps the place. */
const toldOtherwise = new Set(['name', 'message', 'stack', 'cause', 'line', 'column', 'sourceURL', 'nativeStack']);

/**
 * The own members of an error, as far as JSON can say them, others as text; and what `AggregateError` has in `errors`. No getter
 * runs.
 * @param {any} error @returns {any}
 */
function propertiesOf(error) {
  const properties = Object.create(null);
  const left = { values: MOST_VALUES };
  const add = (/** @type {string} */ key) => {
    const value = Reflect.getOwnPropertyDescriptor(error, key)?.value;
    if (value !== undefined && key.length <= stringLimit) properties[key] = tellValue(value, left, 0);
  };
  // A proxy of an error may throw.
  try {
    for (const key of Object.keys(error)) {
      if (left.values === 0) break;
      if (!toldOtherwise.has(key) && (key !== 'code' || typeof error.code !== 'string')) add(key);
    }
    if (isArray(Reflect.getOwnPropertyDescriptor(error, 'errors')?.value)) add('errors');
  } catch {}
  return properties;
}

/**
 * @param {any} value @param {{values: number}} left @param {number} depth
 * @returns {any}
 */
function tellValue(value, left, depth) {
  left.values--;
  switch (typeof value) {
    case 'string': return shortened(value);
    case 'boolean': return value;
    case 'number': if (value - value === 0) return value;
  }
  if (value === null) return null;
  if (isError(value) && depth < DEEPEST_MEMBER) {
    const { name, message, code, stack } = tellError(value);
    return code === undefined ? { name, message, stack } : { name, message, code, stack };
  }
  const isList = isArray(value);
  if (typeof value !== 'object' || depth === DEEPEST_MEMBER || !isList && !isPlainObject(value)) return shortened(inspection().inspect(value, 0, []));
  /** @type {any} */
  const told = isList ? [] : Object.create(null);
  for (const key of Object.keys(value)) {
    if (left.values <= 0) break;
    const member = Reflect.getOwnPropertyDescriptor(value, key)?.value;
    if (member === undefined || key.length > stringLimit) continue;
    if (isList) told.push(tellValue(member, left, depth + 1)); else told[key] = tellValue(member, left, depth + 1);
  }
  return told;
}

/**
 * Values as text: made when it is first needed.
 * @type {any}
 */
let inspector;

function inspection() { return inspector ??= native.inspector()(undefined, border, { kindsOf, messageOf }); }

/** @param {any} value that was thrown, and is no error */
function thrownText(value) {
  if (typeof value === 'string') return value;
  try { return inspection().inspect(value, 0, []); } catch { return 'a value that cannot be shown'; }
}

/**
 * The same as JSON, for what was thrown to native code by the engine.
 * @param {any} value @param {number} [depth]
 * @returns {any}
 */
function describeThrown(value, depth = 0) {
  const { cause, ...told } = isError(value) ? tellError(value)
    : { name: '', message: shortened(thrownText(value)), code: undefined, stack: undefined, properties: {}, cause: undefined };
  return cause === undefined || depth === MAXIMUM_CAUSES ? told : { ...told, cause: describeThrown(cause, depth + 1) };
}

/**
 * What is thrown need not be an error.
 * @param {Tree} tree @param {any} value
 */
function encodeThrown(tree, value) {
  tree.put(TAG_ERROR, value, 2);
  tree.putString('');
  tree.putString(shortened(thrownText(value)));
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
