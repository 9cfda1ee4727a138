// Runs entries one after the other, and keeps what the last of them came to in `_` and `_error`.

const { SyntaxError: ScriptSyntaxError } = border.intrinsics;

const entryImport = publishFunction('import', 1, (/** @type {any} */ specifier, /** @type {any} */ options) => importModule(specifier, '', options));
const memberOf = publishFunction('member', 3, (/** @type {any} */ namespace, /** @type {string} */ name, /** @type {string} */ specifier) => {
  if (!(name in namespace)) throw clean(new ScriptSyntaxError(`'${specifier}' ${name === 'default' ? 'has no default export' : `does not export '${name}'`}`));
  return namespace[name];
});
define(scriptGlobal, IMPORT, entryImport);
define(scriptGlobal, MEMBER, memberOf);

/** What runs nothing of a script's. @type {WeakSet<Function>} */
const ownGetters = new WeakSet();
/** Those of constants. @type {WeakSet<Function>} */
const constants = new WeakSet();

/** @param {string} name of a global */
function isConstant(name) {
  const getter = Reflect.getOwnPropertyDescriptor(scriptGlobal, name)?.get;
  return getter !== undefined && constants.has(getter);
}

/** @param {string} name of a global that can be another property yet */
function makeConstant(name) {
  const value = scriptGlobal[name], getter = publishFunction(`get ${name}`, 0, () => value);
  const refuse = publishFunction(`set ${name}`, 1, () => { throw new ScriptTypeError('Attempted to assign to readonly property.'); });
  constants.add(getter);
  ownGetters.add(getter);
  // No constant is a member of the global object, for those who look at that.
  defineAccessor(scriptGlobal, name, getter, refuse);
}

const makeConstants = publishFunction('constants', 0, (/** @type {string[]} */ ...names) => {
  names.forEach(makeConstant);
  return makeConstants;
});
const makeVariables = publishFunction('variables', 0, (/** @type {string[]} */ ...names) => {
  for (const name of names) if (isConstant(name)) define(scriptGlobal, name, scriptGlobal[name], true);
  return makeVariables;
});
define(scriptGlobal, CONSTANTS, makeConstants);
define(scriptGlobal, VARIABLES, makeVariables);

/**
 * What a script declares can never be another property.
 * @param {string[]} names that are to be declared
 */
function prepare(names) { for (const name of names) if (!Object.hasOwn(scriptGlobal, name)) define(scriptGlobal, name, undefined, true); }

/**
 * Keeps a value in a global, until a script gives that another.
 * @param {string} name @returns {(value: any) => void}
 */
function keeperOf(name) {
  /** @type {any} */
  let last;
  const get = publishFunction(`get ${name}`, 0, () => last);
  const set = publishFunction(`set ${name}`, 1, (/** @type {any} */ value) => {
    define(scriptGlobal, name, value, true);
  });
  ownGetters.add(get);
  defineAccessor(scriptGlobal, name, get, set);
  return (value) => { last = value; };
}

const keepValue = keeperOf('_'), keepError = keeperOf('_error');

/** @param {any} value as text */
function shown(value) { return inspection().inspect(value); }

/**
 * What is thrown in an entry has the places of its text.
 * @param {any} error @param {string} name of the entry @param {string} text @param {TransformedEntry} entry
 */
function moveBack(error, name, text, entry) {
  const stack = isError(error) && !movedErrors.has(error) && Reflect.getOwnPropertyDescriptor(error, 'stack')?.value;
  if (typeof stack !== 'string') return;
  const moved = stack.split('\n').map((frame) => {
    const at = frame.lastIndexOf(`${name}:`), found = /^(\d+):(\d+)$/.exec(frame.slice(at + name.length + 1));
    if (at < 0 || found === null) return frame;
    const { line, column } = placeInEntry(entry, text, Number(found[1]), Number(found[2]));
    return `${frame.slice(0, at)}${name}:${line}:${column}`;
  });
  define(error, 'stack', moved.join('\n'));
  movedErrors.add(error);
}

/** An error may be thrown again. */
const movedErrors = new WeakSet();

/**
 * Runs an entry, and answers with its value as text.
 * @param {number} call @param {string} text @param {string} name
 */
function runEntry(call, text, name) {
  /** @type {TransformedEntry | undefined} */
  let entry;
  const succeed = (/** @type {any} */ value) => {
    keepValue(value);
    endCall(call, RUNTIME_ANSWER, shown(value));
  };
  const fail = (/** @type {any} */ thrown) => {
    const error = clean(thrown);
    if (entry !== undefined) moveBack(error, name, text, entry);
    keepError(error);
    endCall(call, RUNTIME_FAILURE, error);
  };
  try {
    if (!('require' in scriptGlobal)) define(scriptGlobal, 'require', requirerOf(''));
    const { code, names, declared, isAsync } = entry = transformEntry(text, name, isConstant);
    prepare(declared);
    if (names.length > 0) native.compileModule(`var ${names.join(',')};`, name);
    const value = native.compileModule(code, name);
    if (isAsync) settle(value, (/** @type {any} */ result) => succeed(result?.value), fail); else succeed(value);
  } catch (error) { fail(error); }
}

/**
 * Runs code, and answers with what `console.log` shows of its last value; of a promise, of what it comes to.
 * @param {number} call @param {string} text @param {string} name
 */
function printCode(call, text, name) {
  const succeed = (/** @type {any} */ value) => endCall(call, RUNTIME_ANSWER, typeof value === 'string' ? value : shown(value));
  /** @type {TransformedEntry | undefined} */
  let entry;
  const fail = (/** @type {any} */ thrown) => {
    const error = clean(thrown);
    if (entry !== undefined) moveBack(error, name, text, entry);
    endCall(call, RUNTIME_FAILURE, error);
  };
  const isPlain = !/\b(?:import|export|await)\b/.test(text);
  try {
    if (isPlain) return settle(native.compileModule(text, name), succeed, fail);
    const { code, names, declared, isAsync } = entry = transformEntry(text, name, isConstant);
    prepare(declared);
    if (names.length > 0) native.compileModule(`var ${names.join(',')};`, name);
    const value = native.compileModule(code, name);
    settle(value, isAsync ? (/** @type {any} */ result) => settle(result?.value, succeed, fail) : succeed, fail);
  } catch (error) {
    // Of what the engine cannot parse the parser knows the place.
    try { if (isPlain && read(error, 'name') === 'SyntaxError') transformEntry(text, name, isConstant); } catch (placed) { return fail(placed); }
    fail(error);
  }
}
