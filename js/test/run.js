// Runs the tests step by step, as native code asks for: a step is one function of the file's, which native code ends when its time is
// over. No step waits within another, so that one that is ended leaves nothing half done here.

/**
 * What native code is told: a step to run, a test or a hook that fails outside of any, how a test has ended, or that all have.
 * @typedef {{type: 'step', label: string, timeout?: number}
 *   | {type: 'begin', path: string[], place?: string} | {type: 'end', path: string[]} | {type: 'result', path: string[], status: 'ran' | 'skipped' | 'todo', fails?: boolean}
 *   | {type: 'finished', isEmpty: boolean, snapshots: typeof snapshotCounts}} Item
 */

/** @type {(() => any) | undefined} */
let step;
/** @type {Generator<Item, void, boolean> | undefined} */
let walk;
let isAnySkipped = false;

/** @param {Block | Test} one @param {boolean} isWithinOnly @returns {boolean} whether a test of it is run */
function willRun(one, isWithinOnly) {
  if (one.mode === 'skip' || one.mode === 'todo') return false;
  const isOnly = isWithinOnly || one.mode === 'only';
  if (one instanceof Block) return one.children.some((child) => willRun(child, isOnly && !hasOnlyWithin(one)));
  return (!hasOnly || isOnly) && nameFits(one);
}

/** @param {Block} block @returns {boolean} */
function hasOnlyWithin(block) { return block.children.some((/** @type {any} */ child) => child.mode === 'only' || child instanceof Block && hasOnlyWithin(child)); }

/** @type {WeakMap<Test, string>} */
const fullNames = new WeakMap();
let fullNameCount = 0;

/** @param {Test} one */
function nameFits(one) { return namePattern === undefined || namePattern.test(fullNames.get(one) ?? one.name); }

/** @type {RegExp | undefined} */
const namePattern = native.namePattern === '' ? undefined : new RegExp(native.namePattern);

/** @param {Block} block @param {string[]} path */
function nameTests(block, path) {
  for (const child of block.children) {
    const own = [...path, child.name];
    if (child instanceof Block) nameTests(child, own);
    else {
      fullNames.set(child, own.join(' > '));
      fullNameCount++;
    }
  }
}

/** @param {Hook | {run: (...values: any[]) => any, timeout: number | undefined}} one @param {string} label @returns {Item} */
function stepOf({ run, timeout }, label) {
  step = run.length === 0 ? () => run() : () => promiseOf((/** @type {(value: any) => void} */ resolve, /** @type {(reason: any) => void} */ reject) => {
    // In the manner of those who know no promises.
    const result = run(exposed((/** @type {any} */ error) => error === undefined || error === null ? resolve(undefined) : reject(error)));
    if (isThenable(result)) reject(new ScriptTypeError('a function that takes `done` must not give a promise too'));
  });
  return { type: 'step', label, timeout };
}

/**
 * @param {Block} block @param {string[]} path @param {boolean} isWithinOnly @param {Block[]} outer
 * @returns {Generator<Item, void, boolean>}
 */
function* walkBlock(block, path, isWithinOnly, outer) {
  const isOnly = (isWithinOnly || block.mode === 'only') && !hasOnlyWithin(block);
  if (!willRun(block, isWithinOnly)) return yield* skipAll(block, path);
  let isReady = true;
  for (const [index, hook] of block.hooks.beforeAll.entries()) {
    if (index === 0) yield { type: 'begin', path: [...path, 'beforeAll'] };
    if (!(isReady = yield stepOf(hook, 'beforeAll'))) break;
  }
  if (block.hooks.beforeAll.length > 0) yield { type: 'end', path: [...path, 'beforeAll'] };
  const blocks = [...outer, block];
  for (const child of block.children) {
    const own = [...path, child.name];
    if (child instanceof Block) {
      if (isReady) yield* walkBlock(child, own, isOnly, blocks); else yield* skipAll(child, own);
    } else if (isReady && willRun(child, isOnly)) {
      yield* walkTest(child, own, blocks);
    } else {
      yield* skip(child, own);
    }
  }
  if (block.hooks.afterAll.length === 0) return;
  yield { type: 'begin', path: [...path, 'afterAll'] };
  for (const hook of [...block.hooks.afterAll].reverse()) yield stepOf(hook, 'afterAll');
  yield { type: 'end', path: [...path, 'afterAll'] };
}

/** @param {Block} block @param {string[]} path @returns {Generator<Item, void, boolean>} */
function* skipAll(block, path) {
  for (const child of block.children) {
    if (child instanceof Block) yield* skipAll(child, [...path, child.name]); else yield* skip(child, [...path, child.name]);
  }
}

/** @param {Test} one @param {string[]} path @returns {Generator<Item, void, boolean>} */
function* skip(one, path) {
  isAnySkipped = true;
  yield { type: 'result', path, status: one.mode === 'todo' ? 'todo' : 'skipped' };
}

/** @param {Test} one @param {string[]} path @param {Block[]} blocks @returns {Generator<Item, void, boolean>} */
function* walkTest(one, path, blocks) {
  current = { name: path.join(' > '), assertions: 0, expected: undefined, needsAssertions: false, snapshots: new Map() };
  yield { type: 'begin', path, place: runtime.sourceStackOf(one.place) };
  let isReady = true;
  for (const hook of blocks.flatMap(({ hooks }) => hooks.beforeEach)) if (!(isReady = yield stepOf(hook, 'beforeEach'))) break;
  const { run } = one;
  if (isReady && run !== undefined) isReady = yield stepOf({ run, timeout: one.timeout }, '');
  for (const { hooks } of [...blocks].reverse()) for (const hook of [...hooks.afterEach].reverse()) yield stepOf(hook, 'afterEach');
  if (isReady) yield stepOf({ run: checkAssertions, timeout: one.timeout }, '');
  current = undefined;
  yield { type: 'result', path, status: 'ran', fails: one.fails };
}

function checkAssertions() {
  if (current === undefined) return;
  const { assertions, expected, needsAssertions } = current;
  if (expected !== undefined && expected !== assertions) throw assertionError(`expected ${expected} assertion${expected === 1 ? '' : 's'}, and there ${assertions === 1 ? 'was one' : `were ${assertions}`}`);
  if (needsAssertions && assertions === 0) throw assertionError('expected assertions, and there were none');
}

/** @returns {Generator<Item, void, boolean>} */
function* walkAll() {
  nameTests(root, []);
  yield* walkBlock(root, [], false, []);
}

runtime.registerCallableModule('trestle:test', {
  /**
   * What comes next.
   * @param {boolean} isFine the step before has not failed @returns {Item}
   */
  next(isFine) {
    isLoaded = true;
    walk ??= walkAll();
    const { value, done } = walk.next(isFine);
    return done ? { type: 'finished', isEmpty: fullNameCount === 0, snapshots: endSnapshots(!isAnySkipped && native.namePattern === '') } : /** @type {Item} */ (value);
  },
  /** Runs the step. What it gives is nobody's; but a promise is waited for. */
  step() {
    const value = step?.();
    return isThenable(value) ? following(value, () => undefined) : undefined;
  },
});
