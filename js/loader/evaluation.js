// Runs modules in the order of the specification, and fails those whose run a limit has cut off.

/** What several imports of a module wait for. */
class Completion {
  /** @type {{fulfilled: () => void, rejected: (error: any) => void}[]} */
  #waiting = [];
  /** @type {'pending' | 'fulfilled' | 'rejected'} */
  #state = 'pending';
  /** @type {any} */
  #error;

  /** @param {() => void} fulfilled @param {(error: any) => void} rejected */
  then(fulfilled, rejected) {
    this.#waiting.push({ fulfilled, rejected });
    this.#tell();
  }

  fulfill() { this.#end('fulfilled', undefined); }

  /** @param {any} error */
  reject(error) { this.#end('rejected', error); }

  /** @param {'fulfilled' | 'rejected'} state @param {any} error */
  #end(state, error) {
    if (this.#state !== 'pending') return;
    this.#error = error;
    this.#state = state;
    this.#tell();
  }

  /** One that fails keeps nobody else from hearing. */
  #tell() {
    if (this.#state === 'pending') return;
    for (const { fulfilled, rejected } of this.#waiting.splice(0)) {
      if (this.#state === 'rejected') rejected(this.#error);
      else try { fulfilled(); } catch (error) { rejected(clean(error)); }
    }
  }
}

/**
 * Modules whose run has begun and has not ended. What goes on with one may lie in a microtask alone.
 * @type {Set<ModuleRecord>}
 */
const unfinished = new Set();

/**
 * What rejects the promises of imports that have not come to their end.
 * @type {Set<(error: any) => void>}
 */
const unfinishedImports = new Set();

/** How many turns limits had ended when that was last looked at. */
let endedTurns = native.endedTurns();

/**
 * A limit that ends a turn drops what that has left for later, and nobody knows whose it was: all that had begun fails, as calls from
 * Swift do. To be called wherever the loader is entered; nothing of a turn that was ended is on the stack then.
 */
function failCutOff() {
  const count = native.endedTurns();
  if (count === endedTurns) return;
  endRuns();
  const error = clean(codedError('ERR_LIMIT', 'the module was ended before it had run'));
  fail(unfinished, error);
  for (const reject of unfinishedImports) {
    reject(error);
    unfinishedImports.delete(reject);
  }
  endedTurns = count;
}

let asyncModules = 0;

/** @param {ModuleRecord} module that is linked @returns {Completion} */
function evaluate(module) {
  if (module.status === 'evaluated' || module.status === 'evaluating-async') module = module.cycleRoot ?? module;
  const known = module.completion;
  // A limit may have ended this before it had begun, or where it was about to tell.
  if (known !== undefined && module.status !== 'linked') {
    if (module.status !== 'evaluated') return known;
    if (module.failure === undefined) known.fulfill(); else known.reject(module.failure.error);
    return known;
  }
  const completion = module.completion = new Completion();
  /** @type {ModuleRecord[]} */
  const stack = [];
  try {
    evaluateInner(module, stack, 0);
    // At once, or long ago, as a part of another.
    if (module.status === 'evaluated') completion.fulfill();
  } catch (thrown) {
    const error = clean(thrown);
    fail(stack, error);
    module.failure ??= { error };
    completion.reject(error);
  }
  return completion;
}

/** @param {Iterable<ModuleRecord>} modules @param {any} error */
function fail(modules, error) {
  for (const one of modules) {
    one.failure = { error };
    // Who imports it later asks that one.
    one.cycleRoot ??= one;
    one.completion?.reject(error);
    // Last: a limit may end this at any line, and what is left is failed again.
    one.status = 'evaluated';
  }
}

/** @param {ModuleRecord} module @param {ModuleRecord[]} stack @param {number} index @returns {number} */
function evaluateInner(module, stack, index) {
  if (module.status === 'evaluated' || module.status === 'evaluating-async') {
    if (module.failure !== undefined) throw module.failure.error;
    return index;
  }
  if (module.status === 'evaluating') return index;
  module.status = 'evaluating';
  module.index = module.ancestor = index++;
  module.pendingDependencies = 0;
  stack.push(module);
  for (const dependency of module.dependencies) {
    index = evaluateInner(dependency, stack, index);
    let needed = dependency;
    if (dependency.status === 'evaluating') {
      module.ancestor = Math.min(module.ancestor, dependency.ancestor);
    } else {
      needed = dependency.cycleRoot ?? dependency;
      if (needed.failure !== undefined) throw needed.failure.error;
    }
    if (needed.asyncOrder > 0 && needed.status !== 'evaluated') {
      module.pendingDependencies++;
      needed.asyncParents.push(module);
    }
  }
  if (module.pendingDependencies > 0 || module.isAsync) {
    module.asyncOrder = ++asyncModules;
    if (module.pendingDependencies === 0) executeAsync(module);
  } else {
    module.execute();
  }
  if (module.index === module.ancestor) {
    for (let one; one !== module; ) {
      one = /** @type {ModuleRecord} */ (stack.pop());
      one.status = one.asyncOrder > 0 ? 'evaluating-async' : 'evaluated';
      one.cycleRoot = module;
    }
  }
  return index;
}

/** @param {ModuleRecord} module */
function executeAsync(module) {
  settle(module.execute(), () => {
    failCutOff();
    asyncModuleFulfilled(module);
  }, (/** @type {any} */ error) => {
    failCutOff();
    asyncModuleRejected(module, error);
  });
}

/** @param {ModuleRecord} module @param {Set<ModuleRecord>} list to which those are added that wait for nothing else any more */
function gatherAvailable(module, list) {
  for (const parent of module.asyncParents) {
    if (list.has(parent) || (parent.cycleRoot ?? parent).failure !== undefined) continue;
    if (--parent.pendingDependencies > 0) continue;
    list.add(parent);
    if (!parent.isAsync) gatherAvailable(parent, list);
  }
}

/** @param {ModuleRecord} module */
function asyncModuleFulfilled(module) {
  if (module.status === 'evaluated') return;
  module.status = 'evaluated';
  module.completion?.fulfill();
  /** @type {Set<ModuleRecord>} */
  const list = new Set();
  gatherAvailable(module, list);
  for (const parent of [...list].sort((a, b) => a.asyncOrder - b.asyncOrder)) {
    if (parent.status === 'evaluated') continue;
    if (parent.isAsync) {
      executeAsync(parent);
      continue;
    }
    try { parent.execute(); } catch (error) {
      asyncModuleRejected(parent, clean(error));
      continue;
    }
    parent.status = 'evaluated';
    parent.completion?.fulfill();
  }
}

/** @param {ModuleRecord} module @param {any} error */
function asyncModuleRejected(module, error) {
  if (module.status === 'evaluated') return;
  module.failure = { error };
  module.status = 'evaluated';
  module.completion?.reject(error);
  for (const parent of module.asyncParents) asyncModuleRejected(parent, error);
}
