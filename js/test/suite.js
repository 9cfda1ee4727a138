// `test`, `describe` and hooks: what a file declares while it is loaded.

/**
 * @typedef {'run' | 'only' | 'skip' | 'todo'} Mode
 * @typedef {{run: (...values: any[]) => any, timeout: number | undefined}} Hook
 * @typedef {'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach'} HookName
 * @typedef {{name: string, run: ((...values: any[]) => any) | undefined, mode: Mode, fails: boolean, timeout: number | undefined,
 *   place: string}} Test `place` is the stack of its declaration, as the engine tells it
 */

class Block {
  /** @type {(Block | Test)[]} */
  children = [];
  /** @type {Record<HookName, Hook[]>} */
  hooks = { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] };

  /** @param {string} name @param {Mode} mode @param {Block | undefined} parent */
  constructor(name, mode, parent) {
    this.name = name;
    this.mode = mode;
    this.parent = parent;
  }
}

const root = new Block('', 'run', undefined);
let openBlock = root;
let hasOnly = false, isLoaded = false;

/** @param {string} what */
function requireLoading(what) {
  if (isLoaded) throw new ScriptError(`${what}: tests are declared while their file is loaded, not within a test or later`);
}

/** @param {any} name @returns {string} */
function nameText(name) { return typeof name !== 'function' ? String(name) : typeof name.name === 'string' && name.name || '(anonymous)'; }

/** In milliseconds: what `--timeout` takes at most. */
const LONGEST_TIMEOUT = 1e8;

/** @param {string} what @param {any} timeout @returns {number | undefined} */
function timeoutFor(what, timeout) {
  if (timeout === undefined || typeof timeout === 'number' && timeout > 0 && timeout <= LONGEST_TIMEOUT) return timeout;
  throw new ScriptTypeError(`${what}: expected a time above 0 and at most ${LONGEST_TIMEOUT} milliseconds, got ${brief(timeout)}`);
}

/**
 * `(name, run, timeout)` or `(name, { timeout }, run)`.
 * @param {string} what @param {any[]} values
 */
function readDeclaration(what, values) {
  const [name, second, third] = values;
  const [run, options] = typeof second === 'function' ? [second, third] : [third, second];
  if (typeof run === 'function' && options !== undefined && typeof options !== 'number' && (typeof options !== 'object' || options === null)) {
    throw new ScriptTypeError(`${what}: expected a time in milliseconds or { timeout }, got ${brief(options)}`);
  }
  if (typeof options === 'object' && options !== null) requireOptions(what, options, ['timeout']);
  return { name: nameText(name), run, timeout: timeoutFor(what, typeof options === 'number' ? options : options?.timeout) };
}

/** @param {string} what @param {Mode} mode @param {boolean} fails @param {any[]} values */
function declareTest(what, mode, fails, values) {
  requireLoading(what);
  const { name, run, timeout } = readDeclaration(what, values);
  if (mode !== 'todo' && typeof run !== 'function') throw new ScriptTypeError(`${what}, '${name}': expected a function, got ${brief(run)}; test.todo declares one without`);
  if (mode === 'only') hasOnly = true;
  openBlock.children.push({ name, run, mode, fails, timeout, place: new Error().stack ?? '' });
}

/** @param {string} what @param {Mode} mode @param {any[]} values */
function declareBlock(what, mode, values) {
  requireLoading(what);
  const { name, run } = readDeclaration(what, values);
  if (typeof run !== 'function' && mode !== 'todo') throw new ScriptTypeError(`${what}, '${name}': expected a function, got ${brief(run)}`);
  if (mode === 'only') hasOnly = true;
  const block = new Block(name, mode === 'todo' ? 'skip' : mode, openBlock);
  openBlock.children.push(block);
  openBlock = block;
  try {
    if (isThenable(run?.())) throw new ScriptTypeError(`${what}, '${name}': the function is asynchronous; what it awaits belongs into beforeAll, or before it`);
  } finally { openBlock = /** @type {Block} */ (block.parent); }
}

/** @param {HookName} name */
function hookDeclarer(name) {
  return (/** @type {any} */ run, /** @type {number | undefined} */ timeout) => {
    requireLoading(name);
    requireArgument(name, 'a function', typeof run === 'function', run);
    openBlock.hooks[name].push({ run, timeout: timeoutFor(name, timeout) });
  };
}

/**
 * Makes `each`: of rows, or of a table between backticks.
 * @param {(...values: any[]) => any} declare
 */
function eachOf(declare) {
  return exposed((/** @type {any} */ rows, /** @type {any[]} */ ...values) => {
    const table = Array.isArray(rows) && 'raw' in rows ? tableRows(ownList(/** @type {any} */ (rows)), values) : Array.isArray(rows) ? ownList(rows) : [...rows];
    return exposed((/** @type {any} */ name, /** @type {any[]} */ ...rest) => {
      const at = rest.findIndex((value) => typeof value === 'function'), run = rest[at];
      requireArgument('each', 'a function', at >= 0, run);
      table.forEach((row, index) => {
        const row_ = Array.isArray(row) ? ownList(row) : [row];
        const own = [...rest];
        own[at] = () => run(...row_);
        declare(rowName(nameText(name), row_, index), ...own);
      });
    });
  });
}

/** @param {string[]} texts @param {any[]} values @returns {any[]} a record of each row */
function tableRows(texts, values) {
  const heads = String(texts[0]).split('\n').map((line) => line.trim()).filter((line) => line !== '')[0].split('|').map((head) => head.trim());
  const rows = [];
  for (let i = 0; i + heads.length <= values.length; i += heads.length) rows.push(publishObject(Object.fromEntries(heads.map((head, k) => [head, values[i + k]]))));
  return rows;
}

/** @param {string} name with `%s`, `%#`, `$member` and the like @param {any[]} values @param {number} index @returns {string} */
function rowName(name, values, index) {
  let next = 0;
  const filled = name.replace(/%([sdifjoOp#%])/g, (all, letter) => {
    if (letter === '%') return '%';
    if (letter === '#') return String(index);
    if (next >= values.length) return all;
    const value = values[next++];
    switch (letter) {
      case 's': return typeof value === 'string' ? value : brief(value);
      case 'd': case 'f': return String(Number(value));
      case 'i': return String(Math.trunc(Number(value)));
      case 'j': return JSON.stringify(value) ?? 'undefined';
      default: return brief(value);
    }
  });
  const [row] = values;
  if (!isObject(row)) return filled;
  return filled.replace(/\$(#|[\p{ID_Start}$_][\p{ID_Continue}$]*(?:\.[\p{ID_Start}$_][\p{ID_Continue}$]*)*)/gu, (all, path) => {
    if (path === '#') return String(index);
    let at = row;
    for (const key of path.split('.')) {
      if (at === undefined || at === null || !(key in Object(at))) return all;
      at = at[key];
    }
    return typeof at === 'string' ? at : brief(at);
  });
}

/** @param {string} what @param {(mode: Mode) => (...values: any[]) => void} declarer @param {Record<string, any>} [members] @returns {any} */
function declarerOf(what, declarer, members) {
  const withEach = (/** @type {Mode} */ mode, members = {}) => {
    const declare = declarer(mode);
    return exposed((/** @type {any[]} */ ...values) => declare(...values), { each: eachOf(declare), for: eachOf(declare), ...members });
  };
  const made = withEach('run', {
    ...members, only: withEach('only'), skip: withEach('skip'), todo: declarer('todo'),
    skipIf: (/** @type {any} */ condition) => withEach(condition ? 'skip' : 'run'),
    runIf: (/** @type {any} */ condition) => withEach(condition ? 'run' : 'skip'),
  });
  defineAs(made, 'name', { value: what, configurable: true });
  return made;
}

const failing = exposed((/** @type {any[]} */ ...values) => declareTest('test.failing', 'run', true, values));
const test = declarerOf('test', (mode) => (...values) => declareTest(mode === 'run' ? 'test' : `test.${mode}`, mode, false, values), { failing, fails: failing });
const describe = declarerOf('describe', (mode) => (...values) => declareBlock(mode === 'run' ? 'describe' : `describe.${mode}`, mode, values));
