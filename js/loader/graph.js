// Modules and what they import of each other: the specification's cyclic module records, linked and evaluated in its order.

/**
 * Where an export comes from: `name` is undefined for a namespace.
 * @typedef {{module: ModuleRecord, name: string | undefined}} ExportBinding
 */

/** What several imports of a module wait for. */
class Completion {
  /** @type {{fulfilled: () => void, rejected: (error: any) => void}[]} */
  #waiting = [];
  /** @type {'pending' | 'fulfilled' | 'rejected'} */
  state = 'pending';
  /** @type {any} */
  error;

  /** @param {() => void} fulfilled @param {(error: any) => void} rejected */
  then(fulfilled, rejected) {
    if (this.state === 'pending') this.#waiting.push({ fulfilled, rejected });
    else if (this.state === 'fulfilled') fulfilled();
    else rejected(this.error);
  }

  fulfill() {
    this.state = 'fulfilled';
    for (const { fulfilled } of this.#waiting.splice(0)) fulfilled();
  }

  /** @param {any} error */
  reject(error) {
    this.state = 'rejected';
    this.error = error;
    for (const { rejected } of this.#waiting.splice(0)) rejected(error);
  }
}

/** A module, in whatever language. */
class ModuleRecord {
  /** @type {'unlinked' | 'linked' | 'evaluating' | 'evaluating-async' | 'evaluated'} */
  status = 'unlinked';
  /** Whether all that it needs, and what that needs, has been loaded. */
  isComplete = false;
  /** @type {ModuleRecord[]} by the numbers of its requests */
  dependencies = [];
  /** @type {{error: any} | undefined} what its evaluation has come to */
  failure;
  // Of the search for cycles.
  index = 0;
  ancestor = 0;
  /** @type {ModuleRecord | undefined} the first that was reached of those which import each other */
  cycleRoot;
  /** @type {Completion | undefined} */
  completion;
  /** The order in which asynchronous ones were reached; 0 for others. */
  asyncOrder = 0;
  pendingDependencies = 0;
  /** @type {ModuleRecord[]} */
  asyncParents = [];
  /** @type {any} */
  #namespace;

  /** @param {string} key @param {string} [name] what stacks call it */
  constructor(key, name = key) {
    this.key = key;
    this.name = name;
  }

  /** @returns {ModuleRequest[]} */
  get requests() { return []; }
  /** Whether it awaits something itself. */
  get isAsync() { return false; }
  /** @returns {ImportBinding[]} */
  get imports() { return []; }
  /** @returns {IndirectExport[]} */
  get indirect() { return []; }
  /** @returns {number[]} */
  get stars() { return []; }
  /** @returns {string[]} its own exports */
  get localNames() { return []; }

  /** @param {string} name @returns {boolean} whether it exports that by itself */
  hasLocal(name) { return this.localNames.includes(name); }

  /** Its exports are known when it has run. */
  get isDynamic() { return false; }

  /** @param {string} name of an export of its own @returns {() => any} of the script's realm */
  getterOf(name) { throw new ScriptReferenceError(`Cannot access '${name}' before initialization.`); }

  /** Makes its bindings; no code of the script runs. */
  instantiate() {}

  /** @param {string} local @param {() => any} getter */
  bind(local, getter) {}

  /** Runs it. @returns {any} the script's promise if it is asynchronous */
  execute() {}

  /**
   * @param {string} name @param {Set<string>} [asked] what leads back here is nothing
   * @returns {ExportBinding | undefined | 'ambiguous'}
   */
  resolveExport(name, asked = new Set()) {
    const question = `${this.key}\n${name}`;
    if (asked.has(question)) return undefined;
    asked.add(question);
    if (this.hasLocal(name)) return { module: this, name };
    for (const { exported, request, name: inner } of this.indirect) {
      if (exported !== name) continue;
      const module = this.dependencies[request];
      return inner === '*' ? { module, name: undefined } : module.resolveExport(inner, asked);
    }
    if (name === 'default') return undefined;
    /** @type {ExportBinding | undefined} */
    let found;
    // What may export anything comes last.
    const sources = this.stars.map((request) => this.dependencies[request]);
    for (const source of sources.filter((one) => !one.isDynamic)) {
      const binding = source.resolveExport(name, asked);
      if (binding === 'ambiguous') return binding;
      if (binding === undefined) continue;
      if (found !== undefined && (found.module !== binding.module || found.name !== binding.name)) return 'ambiguous';
      found = binding;
    }
    return found ?? sources.find((one) => one.isDynamic)?.resolveExport(name, asked);
  }

  /** @param {Set<ModuleRecord>} [asked] @returns {Set<string>} */
  exportedNames(asked = new Set()) {
    if (asked.has(this)) return new Set();
    asked.add(this);
    const names = new Set(this.localNames);
    for (const { exported } of this.indirect) names.add(exported);
    for (const request of this.stars) for (const name of this.dependencies[request].exportedNames(asked)) if (name !== 'default') names.add(name);
    return names;
  }

  /** What `import * as` gives. */
  get namespace() {
    if (this.#namespace !== undefined) return this.#namespace;
    /** @type {Map<string, ExportBinding>} */
    const bindings = new Map();
    // A getter of a module that is not set up yet is asked for when it is needed.
    const { namespace, fill } = publishModuleNamespace((/** @type {string} */ name) => {
      const binding = bindings.get(name);
      return binding && getterOf(binding);
    });
    this.#namespace = namespace;
    for (const name of [...this.exportedNames()].sort(compareByUnits)) {
      const binding = this.resolveExport(name);
      if (binding !== undefined && binding !== 'ambiguous') bindings.set(name, binding);
    }
    fill([...bindings.keys()]);
    return namespace;
  }
}

/** @param {string} one @param {string} other */
function compareByUnits(one, other) { return one < other ? -1 : 1; }

/** @param {ExportBinding} binding @returns {() => any} of the script's realm */
function getterOf({ module, name }) { return name === undefined ? valueGetter(module.namespace) : module.getterOf(name); }

/** @param {ModuleRecord} root @returns {ModuleRecord[]} all that it needs, itself too, dependencies first */
function graphOf(root) {
  /** @type {Set<ModuleRecord>} */
  const found = new Set([root]);
  const order = [];
  // A loop: chains of imports can be long.
  const stack = [{ module: root, next: 0 }];
  while (stack.length > 0) {
    const top = stack[stack.length - 1];
    const dependency = top.module.dependencies[top.next++];
    if (dependency === undefined) {
      order.push(top.module);
      stack.pop();
    } else if (!found.has(dependency)) {
      found.add(dependency);
      stack.push({ module: dependency, next: 0 });
    }
  }
  return order;
}

/**
 * Checks what the modules import of each other, then makes their bindings.
 * @param {ModuleRecord} root @returns {ModuleRecord[]} those that were not linked before
 */
function link(root) {
  if (root.status !== 'unlinked') return [];
  const modules = graphOf(root).filter((module) => module.status === 'unlinked');
  const bindings = modules.map(bindingsOf);
  for (const module of modules) module.instantiate();
  modules.forEach((module, index) => {
    for (const { local, binding } of bindings[index]) module.bind(local, getterOf(binding));
  });
  for (const module of modules) module.status = 'linked';
  return modules;
}

/** @param {ModuleRecord} module @returns {{local: string, binding: ExportBinding}[]} */
function bindingsOf(module) {
  for (const { exported, request } of module.indirect) requireExport(module, exported, module, request);
  return module.imports.map(({ local, request, name }) => {
    const dependency = module.dependencies[request];
    return { local, binding: name === '*' ? { module: dependency, name: undefined } : requireExport(dependency, name, module, request) };
  });
}

/**
 * @param {ModuleRecord} from @param {string} name @param {ModuleRecord} importer @param {number} request of the importer's
 * @returns {ExportBinding}
 */
function requireExport(from, name, importer, request) {
  const binding = from.resolveExport(name);
  if (binding !== undefined && binding !== 'ambiguous') return binding;
  const { specifier, line, column } = importer.requests[request];
  const problem = binding === 'ambiguous' ? `exports '${name}' from two modules`
    : name === 'default' ? 'has no default export' : `does not export '${name}'`;
  const names = [...importer.dependencies[request].exportedNames()];
  const hint = binding === undefined && name !== 'default' ? didYouMean(name, names) : '';
  throw syntaxErrorAt(`'${specifier}' ${problem}${hint}`, importer.name, line, column);
}

let asyncModules = 0;

/** @param {ModuleRecord} module that is linked @returns {Completion} */
function evaluate(module) {
  if (module.status === 'evaluated' || module.status === 'evaluating-async') module = module.cycleRoot ?? module;
  if (module.completion !== undefined) return module.completion;
  const completion = module.completion = new Completion();
  /** @type {ModuleRecord[]} */
  const stack = [];
  evaluations.push(stack);
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
  evaluations.pop();
  return completion;
}

/** @param {ModuleRecord[]} modules @param {any} error */
function fail(modules, error) {
  for (const one of modules) {
    one.status = 'evaluated';
    one.failure = { error };
    one.cycleRoot ??= one;
  }
}

/**
 * What is being evaluated, each within the one before.
 * @type {ModuleRecord[][]}
 */
const evaluations = [];

/** A limit that ends a turn runs nothing more of it: modules that were being evaluated have failed. Called where none is. */
function endEvaluations() {
  for (const stack of evaluations.splice(0)) {
    const error = clean(codedError('ERR_LIMIT', 'the module was ended before it had run'));
    fail(stack, error);
    for (const one of stack) if (one.completion?.state === 'pending') one.completion.reject(error);
  }
  endRuns();
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
function executeAsync(module) { settle(module.execute(), () => asyncModuleFulfilled(module), (/** @type {any} */ error) => asyncModuleRejected(module, error)); }

/** @param {ModuleRecord} module @param {ModuleRecord[]} list to which those are added that wait for nothing else any more */
function gatherAvailable(module, list) {
  for (const parent of module.asyncParents) {
    if (list.includes(parent) || (parent.cycleRoot ?? parent).failure !== undefined) continue;
    if (--parent.pendingDependencies > 0) continue;
    list.push(parent);
    if (!parent.isAsync) gatherAvailable(parent, list);
  }
}

/** @param {ModuleRecord} module */
function asyncModuleFulfilled(module) {
  if (module.status === 'evaluated') return;
  module.status = 'evaluated';
  module.completion?.fulfill();
  /** @type {ModuleRecord[]} */
  const list = [];
  gatherAvailable(module, list);
  for (const parent of list.sort((a, b) => a.asyncOrder - b.asyncOrder)) {
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
  for (const parent of module.asyncParents) asyncModuleRejected(parent, error);
  module.completion?.reject(error);
}
