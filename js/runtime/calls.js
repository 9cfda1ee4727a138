// Calls from native code: a path such as `plugin.transform`, first among the registered callable modules, then global.

/** @type {Map<string, any>} */
const callableModules = new Map();

/**
 * Makes an object's functions callable from native code under a name of its own.
 * @param {string} name @param {any} module
 */
function registerCallableModule(name, module) { callableModules.set(name, module); }

/**
 * The same for scripts, which take the place of none of ours.
 * @param {any} name @param {any} module
 */
function registerScriptsModule(name, module) {
  if (typeof name === 'string' && name.startsWith('trestle:')) throw argumentError(`registerCallableModule, argument 1 'name': expected none that begins with 'trestle:', got '${name.slice(0, 100)}'`);
  registerCallableModule(name, module);
}

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
 * Calls a function that native code holds, which waits: the answer lies where the arguments did.
 * @param {number} number that it is kept under @param {string} text @param {number} [shape] of the record that it is to give
 * @param {any} [side] @param {ArrayBuffer} [elsewhere]
 * @returns {number | ArrayBuffer} where the answer ends, below 0 for an error; or what is too large for that place
 */
function callNow(number, text, shape = 0, side, elsewhere) {
  let value;
  try {
    const unread = i32[UNREAD];
    if (side !== undefined) i32[UNREAD] = 1;
    const values = readArguments(text, side, elsewhere);
    i32[UNREAD] = unread;
    value = apply(kept[number], undefined, values);
    if (typeof value === 'number') {
      i32[resultStart] = TAG_NUMBER;
      f64[(resultStart >> 1) + 1] = value;
      return resultStart + 4;
    }
    if (isObject(value) && isPrototypeOf(ScriptPromise.prototype, value)) throw argumentError('the function gave a promise, which a call that waits for it cannot: await it in Swift');
    const end = shape === 0 ? 0 : (resultWriters[shape] ?? makeResultWriter(shape))(value);
    return end === 0 ? putAnswer(RUNTIME_ANSWER, treeOf(RUNTIME_ANSWER, value)) : end;
  } catch (error) {
    value = clean(mismatchError(error));
  }
  try { return putAnswer(RUNTIME_FAILURE, treeOf(RUNTIME_FAILURE, value)); } catch { return putAnswer(RUNTIME_FAILURE, untellable()); }
}

/**
 * What writes the records that native code waits for, by shape number: straight-line code, as the encoders of methods have.
 * Each gives the word behind the record, or 0 for what goes through a tree, which also finds the words for what does not fit.
 * @type {((value: any) => number)[]}
 */
const resultWriters = [];

/** @param {number} id @returns {(value: any) => number} */
function makeResultWriter(id) {
  const schema = { kind: 'record', expected: '', id };
  const source = new Source(0);
  if (isFlat(schema)) addFlat(source, schema, 'value', 0, []);
  const { leaves, words, checks, writes } = source;
  if (leaves === 0 || leaves > MAXIMUM_LEAVES || resultStart + words > i32.length || words * 4 > native.messageLimit) return resultWriters[id] = () => 0;
  return resultWriters[id] = new Function(
    'i32', 'f64', 'isArray', 'putString', 'isBigInteger', 'putInteger',
    `'use strict'; const misfit = {}, fail = () => { throw misfit; };
return (value) => {
  try {
${checks}let p = ${resultStart};
${writes}return p;
  } catch (error) { if (error === misfit) return 0; throw error; }
};`)(i32, f64, isArray, putString, isBigInteger, putInteger);
}

/**
 * @param {number} kind @param {Tree} tree
 * @returns {number | ArrayBuffer}
 */
function putAnswer(kind, tree) {
  const { words } = tree;
  if (words * 4 > native.messageLimit) throw tooLarge('a message', native.messageLimit, words * 4);
  if (resultStart + words <= i32.length) {
    const end = writeTree(sharedViews, resultStart, tree);
    return kind === RUNTIME_FAILURE ? -end : end;
  }
  const large = new ArrayBuffer(Math.ceil(words / 2) * 8 + 8);
  const views = makeViews(large);
  views.i32[0] = writeTree(views, 2, tree);
  views.i32[1] = kind;
  return large;
}

/**
 * What native code does with a member of an object that it holds, or with what has a path.
 * @typedef {{operation: 'get' | 'set' | 'call' | 'import', object?: number, name: string, keeps: boolean}} Operation
 */

/** The names of what native code is to hold, by the calls that ask for it. @type {Map<number, string>} */
const holdingCalls = new Map();

/**
 * @param {number} call @param {Operation} what @param {any[]} values
 */
function operate(call, { operation, object, name, keeps }, values) {
  if (operation === 'set') return border.assign(kept[/** @type {number} */ (object)], name, values[0]);
  if (operation === 'import') {
    holdingCalls.set(call, name);
    return part('loader').importModule(name, '');
  }
  const { self, called } = object === undefined ? valueAt(name) : { self: kept[object], called: kept[object][name] };
  if (operation === 'call' && typeof called !== 'function') throw notFound(`'${name}' is not a function: got ${describeValue(called)}`);
  const result = operation === 'call' ? apply(called, self, values) : called;
  if (keeps) holdingCalls.set(call, name);
  return result;
}

/**
 * Answers a call with a value; with what it comes to, if it is a promise.
 * @param {number} call @param {any} result
 */
function awaitAndAnswer(call, result) {
  if (!isObject(result)) return endCall(call, RUNTIME_ANSWER, result);
  settle(result, (/** @type {any} */ value) => endCall(call, RUNTIME_ANSWER, value), (/** @type {any} */ error) => endCall(call, RUNTIME_FAILURE, error));
}

/** @param {number} call @param {number} kind @param {any} value */
function endCall(call, kind, value) {
  callSignals.delete(call);
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
  let called = scriptGlobal;
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

/**
 * An answer is always sent: of what cannot be, the reason; of a reason that cannot be, that there is one.
 * @param {number} call @param {number} kind @param {any} value
 */
function answerCall(call, kind, value) {
  const held = holdingCalls.get(call);
  holdingCalls.delete(call);
  if (kind === RUNTIME_ANSWER) {
    // What Swift is to hold is kept when Swift takes it: nobody may wait for it any more.
    try { return sendRecord(kind, value, call, held === undefined ? ANYTHING : AN_OBJECT); } catch (error) { value = mismatchError(error, held); }
  }
  sendFailure(RUNTIME_FAILURE, value, call);
}

/**
 * What a result does not fit is told with its path.
 * @param {any} error @param {string} [name] of the result, if it has one
 */
function mismatchError(error, name) {
  if (!(error instanceof Mismatch)) return error;
  try {
    return argumentError(`${name === undefined ? pathText('result', error.keys) : `'${name}'`}: expected ${error.expected}, got ${error.got}`);
  } catch (other) { return other; }
}

/** @param {number} kind @param {any} error @param {number} call */
function sendFailure(kind, error, call) {
  try { sendRecord(kind, error, call); } catch { sendTree(RUNTIME, kind | 1 << 16, untellable(), undefined, undefined, call); }
}

/** An error in place of one that could not be told: perhaps what tells errors could not be evaluated, and this needs nothing of it. */
function untellable() {
  const tree = new Tree(), error = codedError('ERR_LIMIT', 'an error that cannot be told: it is too large, or could not be read');
  tree.put(TAG_ERROR, error, 2);
  for (const text of ['Error', error.message, 'ERR_LIMIT']) tree.putString(text.substring(0, stringLimit));
  tree.put(TAG_UNDEFINED, 0, 2);
  tree.put(TAG_OBJECT, 0, 2);
  tree.put(TAG_UNDEFINED, 0, 2);
  return tree;
}

/** @type {Schema} */
const AN_OBJECT = { kind: 'scriptObject', expected: 'object' };

/** @param {number} kind @param {any} value @param {number} call @param {Schema} [schema] of an answer */
function sendRecord(kind, value, call, schema) {
  sendTree(RUNTIME, kind | 1 << 16, treeOf(kind, value, schema), undefined, undefined, call);
}

/** @param {number} kind @param {any} value @param {Schema} [schema] */
function treeOf(kind, value, schema = ANYTHING) {
  const tree = new Tree();
  if (kind === RUNTIME_ANSWER) encodeTree(tree, schema, value); else encodeError(tree, value);
  return tree;
}

/**
 * An error that no code of the script takes.
 * @param {any} error
 */
function reportUncaught(error) { sendFailure(RUNTIME_UNCAUGHT, error, 0); }
