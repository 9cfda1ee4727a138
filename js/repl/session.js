// Runs entries one after the other, and keeps what the last of them came to in `_` and `_error`.

const { SyntaxError: ScriptSyntaxError } = border.intrinsics;

const entryImport = publishFunction('import', 1, (/** @type {any} */ specifier, /** @type {any} */ options) => importModule(specifier, '', options));
const memberOf = publishFunction('member', 3, (/** @type {any} */ namespace, /** @type {string} */ name, /** @type {string} */ specifier) => {
  if (!(name in namespace)) throw clean(new ScriptSyntaxError(`'${specifier}' ${name === 'default' ? 'has no default export' : `does not export '${name}'`}`));
  return namespace[name];
});
define(scriptGlobal, IMPORT, entryImport);
define(scriptGlobal, MEMBER, memberOf);

/**
 * Keeps a value in a global, until a script gives that another.
 * @param {string} name @returns {(value: any) => void}
 */
function keeperOf(name) {
  /** @type {any} */
  let last;
  let isTaken = false;
  const get = publishFunction(`get ${name}`, 0, () => last);
  const set = publishFunction(`set ${name}`, 1, (/** @type {any} */ value) => {
    isTaken = true;
    define(scriptGlobal, name, value, true);
  });
  let isDefined = false;
  return (value) => {
    last = value;
    if (!isDefined && !isTaken) defineAccessor(scriptGlobal, name, get, set);
    isDefined = true;
  };
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
    const { code, names, isAsync } = entry = transformEntry(text, name);
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
    const { code, names, isAsync } = entry = transformEntry(text, name);
    if (names.length > 0) native.compileModule(`var ${names.join(',')};`, name);
    const value = native.compileModule(code, name);
    settle(value, isAsync ? (/** @type {any} */ result) => settle(result?.value, succeed, fail) : succeed, fail);
  } catch (error) {
    // Of what the engine cannot parse the parser knows the place.
    try { if (isPlain && read(error, 'name') === 'SyntaxError') transformEntry(text, name); } catch (placed) { return fail(placed); }
    fail(error);
  }
}
