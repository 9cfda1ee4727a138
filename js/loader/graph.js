// Modules and what they import of each other: the specification's cyclic module records, linked and evaluated in its order.

/** @typedef {'unlinked' | 'linked' | 'evaluating' | 'evaluating-async' | 'evaluated'} ModuleStatus */

/**
 * Where an export comes from: `name` is undefined for a namespace.
 * @typedef {{module: ModuleRecord, name: string | undefined}} ExportBinding
 */

/** A module, in whatever language. */
class ModuleRecord {
  /** @type {ModuleStatus} */
  #status = 'unlinked';
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
  /** @type {Set<string> | undefined} */
  #localNames;
  /** @type {Map<string, IndirectExport> | undefined} by what they are exported as */
  #indirectExports;

  /** @param {string} key @param {string} [name] what stacks call it */
  constructor(key, name = key) {
    this.key = key;
    this.name = name;
  }

  get status() { return this.#status; }
  set status(status) {
    this.#status = status;
    if (status === 'evaluating') unfinished.add(this);
    else if (status === 'evaluated') unfinished.delete(this);
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
  hasLocal(name) { return (this.#localNames ??= new Set(this.localNames)).has(name); }

  /** @param {string} name */
  #indirectExport(name) { return (this.#indirectExports ??= new Map(this.indirect.map((one) => [one.exported, one]))).get(name); }

  /** Its exports are known when it has run. */
  get isDynamic() { return false; }

  /** @param {string} name of an export of its own @returns {() => any} of the script's realm */
  getterOf(name) { throw new ScriptReferenceError(`Cannot access '${name}' before initialization.`); }

  /** Makes its bindings; no code of the script runs. Again: does nothing. */
  instantiate() {}

  /** @param {string} local @param {() => any} getter */
  bind(local, getter) {}

  /** Runs it. @returns {any} the script's promise if it is asynchronous */
  execute() {}

  /**
   * @param {string} name @param {Map<ModuleRecord, Set<string>>} [asked] what leads back here is nothing
   * @returns {ExportBinding | undefined | 'ambiguous'}
   */
  resolveExport(name, asked = new Map()) {
    const names = asked.get(this);
    if (names?.has(name)) return undefined;
    if (names === undefined) asked.set(this, new Set([name])); else names.add(name);
    if (this.hasLocal(name)) return { module: this, name };
    const indirect = this.#indirectExport(name);
    if (indirect !== undefined) {
      const module = this.dependencies[indirect.request];
      return indirect.name === '*' ? { module, name: undefined } : module.resolveExport(indirect.name, asked);
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
    for (const name of [...this.exportedNames()].sort(compareByUnits)) {
      const binding = this.resolveExport(name);
      if (binding !== undefined && binding !== 'ambiguous') bindings.set(name, binding);
    }
    fill([...bindings.keys()]);
    // Last: the stack's end, or a limit, may end this at any line.
    return this.#namespace = namespace;
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
 * @param {ModuleRecord} root
 */
function link(root) {
  if (root.status !== 'unlinked') return;
  const modules = graphOf(root).filter((module) => module.status === 'unlinked');
  const bindings = modules.map(bindingsOf);
  for (const module of modules) module.instantiate();
  modules.forEach((module, index) => {
    for (const { local, binding } of bindings[index]) module.bind(local, getterOf(binding));
  });
  for (const module of modules) module.status = 'linked';
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
  const hint = binding !== undefined || name === 'default' ? ''
    : names.includes(name) ? ': modules that export it from each other go round in a circle' : didYouMean(name, names);
  throw syntaxErrorAt(`'${specifier}' ${problem}${hint}`, importer.name, line, column);
}
