// Loads modules, with all that they need, and runs them.

/** By the type that was asked for, and the key. @type {Map<string, Map<string, ModuleRecord>>} */
const loadedModules = new Map();
/** That of the module that the run began with. */
let mainKey = '';
/** What is loaded is the main module with all that it imports: nothing of it has run yet. */
let isLoadingMain = false;

/** @param {string} type @returns {Map<string, ModuleRecord>} */
function modulesOf(type) { return memberOf(loadedModules, type); }

/**
 * @template Value
 * @param {Map<string, Map<string, Value>>} table @param {string} key @returns {Map<string, Value>} the one of that key
 */
function memberOf(table, key) {
  let member = table.get(key);
  if (member === undefined) table.set(key, member = new Map());
  return member;
}

/** @param {string} key @returns {string} the path of its file: that of an instance of its own is a URL */
function fileOf(key) { return key.startsWith('file:///') ? decodeURIComponent(key.slice('file://'.length).replace(/[?#][^]*/, '')) : key; }

/** @param {string} key @returns {string} the folder that it lies in */
function folderOf(key) {
  const file = fileOf(key);
  return file.slice(0, Math.max(file.lastIndexOf('/'), 0)) || '/';
}

/** Where specifiers lead, by the keys of the modules that have them. @type {{import: Map<string, Map<string, string>>, require: Map<string, Map<string, string>>}} */
const resolved = { import: new Map(), require: new Map() };

/**
 * @param {string} specifier @param {string} referrer the key of who asks; empty for the host
 * @param {boolean} isRequired by CommonJS
 * @returns {string} a module's key
 */
function resolveModule(specifier, referrer, isRequired) {
  const resolve = () => readResult(native.resolveModule(specifier, referrer, isRequired, isLoadingMain), true);
  // A host may mean another one the next time.
  if (referrer === '') return resolve();
  const known = memberOf(isRequired ? resolved.require : resolved.import, referrer);
  let key = known.get(specifier);
  if (key === undefined) known.set(specifier, key = resolve());
  return /** @type {string} */ (key);
}

/** @param {string} key @param {string} type what an attribute says; empty without one */
function loadModule(key, type) {
  const known = modulesOf(type).get(key);
  if (known !== undefined) return known;
  const source = key.startsWith('trestle:') ? { format: 'native', text: '', name: key } : readResult(native.loadModule(key, type), true);
  const { format } = source;
  if (format === 'unparsed') throw syntaxErrorAt(source.text, key, source.line, source.column);
  // What a file's name says of data is the same as what an attribute says.
  const same = modulesOf(format === 'json' || format === 'text' ? format : type);
  const module = same.get(key) ?? makeModuleRecord(key, source);
  same.set(key, module);
  modulesOf(type).set(key, module);
  return module;
}

/** @param {string} key @param {{format: string, text: string, name: string}} source @returns {ModuleRecord} */
function makeModuleRecord(key, { format, text, name }) {
  switch (format) {
    case 'native': return nativeModuleRecord(key);
    case 'json': return new ValueModule(key, [], jsonValue(text, key));
    case 'text': return new ValueModule(key, [], text);
    case 'commonjs': return new CommonJSModule(key, name, text);
    case 'module': return new SourceModule(key, name, transformModule(text, name));
  }
  // A file of which nothing says what it is.
  if (!/\b(?:import|export|await)\b/.test(text)) return new CommonJSModule(key, name, text);
  /** @type {TransformedModule} */
  let transformed;
  try { transformed = transformModule(text, name); } catch (error) {
    // Such as one that returns.
    try { parseSource(text, name, 'script'); } catch { throw error; }
    return new CommonJSModule(key, name, text);
  }
  return transformed.isModule ? new SourceModule(key, name, transformed) : new CommonJSModule(key, name, text);
}

/** @param {string} key `trestle:files` @returns {ModuleRecord} of `NativeModules.Files` */
function nativeModuleRecord(key) {
  const asked = key.slice('trestle:'.length);
  // Whether scripts have anything of one is asked of this one alone: scripts of the others may not have run yet.
  const name = native.moduleNames().find((/** @type {string} */ one) => one.toLowerCase() === asked);
  const module = name && NativeModules[name];
  if (!isObject(module)) throw notFound(`no module '${key}'${asked === 'test' ? ': it is there in files that trestle test runs' : didYouMean(key, moduleNames().map((one) => 'trestle:' + one.toLowerCase()))}`);
  return new ValueModule(key, Object.keys(module).filter((one) => one !== 'default'), module);
}

/** @param {string} text @param {string} key */
function jsonValue(text, key) {
  const json = text.replace(/^\uFEFF/, '');
  try { return parseJSON(json); } catch (error) {
    // The engine does not say where.
    const { line, column } = placeAt(lineStartsOf(json), native.jsonMistake(json));
    throw syntaxErrorAt(`not JSON: ${/** @type {any} */ (clean(error)).message}`, key, line, column);
  }
}

/**
 * A module and all that it needs.
 * @param {string} key @param {string} type @returns {ModuleRecord}
 */
function loadGraph(key, type) {
  const root = loadModule(key, type);
  if (root.isComplete) return root;
  const found = new Set([root]);
  // How many of them were prepared, with what they import.
  let prepared = 0, reached = 0;
  for (const module of found) {
    if (reached++ === prepared) {
      prepareImports([...found].slice(prepared));
      prepared = found.size;
    }
    if (module.dependencies.length < module.requests.length) module.dependencies = module.requests.map((/** @type {ModuleRequest} */ request) => loadRequest(module, request));
    for (const dependency of module.dependencies) if (!dependency.isComplete) found.add(dependency);
  }
  for (const module of found) module.isComplete = true;
  return root;
}

/** What is made into JavaScript by another program, as its name tells: better several at once. */
const needsProgram = /\.(?:[cm]?ts|[jt]sx)$/;

/** @param {ModuleRecord[]} modules of which the imports will be loaded next */
function prepareImports(modules) {
  const keys = new Set();
  for (const module of modules) {
    if (module.isComplete || !needsProgram.test(module.key)) continue;
    for (const { specifier, type } of module.requests) {
      if (type !== '') continue;
      // What is not found is told of where it is loaded.
      try {
        const key = resolveModule(specifier, module.key, false);
        if (needsProgram.test(key) && !modulesOf('').has(key)) keys.add(key);
      } catch {}
    }
  }
  if (keys.size > 1) readResult(native.prepareModules([...keys].join('\0')), true);
}

/** @param {ModuleRecord} module @param {ModuleRequest} request */
function loadRequest(module, { specifier, type, line, column }) {
  try {
    return loadModule(resolveModule(specifier, module.key, false), type);
  } catch (error) {
    // An error in that module has its own place.
    const reason = clean(error);
    if (isError(reason) && !placedErrors.has(reason)) placeError(reason, module.name, line, column);
    throw reason;
  }
}

/**
 * What `import()` gives: a promise of the script's for the namespace.
 * @param {any} specifier @param {string} referrer @param {any} [options]
 */
function importModule(specifier, referrer, options) {
  // A promise that is made where nobody can be given it any more would be one that nobody handles.
  needStack(COLD_LEVELS);
  let name = '', type = '';
  /** @type {{error: any} | undefined} */
  let failure;
  // First: where a limit ends these there is no promise yet, which nobody would have been given.
  try {
    name = `${specifier}`;
    type = attributeOf(options);
  } catch (error) { failure = { error }; }
  return importing((begin) => {
    if (failure !== undefined) throw failure.error;
    later(() => begin(() => loadGraph(resolveModule(name, referrer, false), type)));
  }, (module) => module.namespace);
}

/**
 * A promise of the script's for what a module comes to.
 * @param {(begin: (load: () => ModuleRecord) => void) => void} start has it loaded and run, at once or later
 * @param {(module: ModuleRecord) => any} result
 */
function importing(start, result) {
  failCutOff();
  // A limit may have ended what would have said so.
  isLoadingMain = false;
  return makePromise((/** @type {(value: any) => void} */ resolve, /** @type {(error: any) => void} */ reject) => {
    unfinishedImports.add(reject);
    const end = (/** @type {() => void} */ tell) => {
      tell();
      unfinishedImports.delete(reject);
    };
    const fail = (/** @type {any} */ error) => end(() => reject(error));
    const begin = (/** @type {() => ModuleRecord} */ load) => {
      failCutOff();
      if (!unfinishedImports.has(reject)) return;
      try {
        const module = load();
        link(module);
        evaluate(module).then(() => end(() => resolve(result(module))), fail);
      } catch (error) { fail(clean(error)); }
    };
    try { start(begin); } catch (error) { fail(clean(error)); }
  });
}

/** @param {any} options of `import(specifier, options)` @returns {string} */
function attributeOf(options) {
  if (options === undefined) return '';
  if (!isObject(options)) throw new ScriptTypeError('import: the options are no object');
  const attributes = options.with;
  if (attributes === undefined) return '';
  if (!isObject(attributes)) throw new ScriptTypeError("import: 'with' is no object");
  let type = '';
  for (const name of Object.keys(attributes)) {
    const value = attributes[name];
    if (typeof value !== 'string') throw new ScriptTypeError(`import: the attribute '${name}' is no string`);
    if (name !== 'type') throw new ScriptTypeError(`import: no attribute '${name}' is known`);
    type = value;
  }
  return type;
}

/** @param {string} key of a module @returns {any} the function that stands for `import` in it */
function importerOf(key) {
  return publishFunction('import', 1, (/** @type {any} */ specifier, /** @type {any} */ options) => importModule(specifier, key, options));
}

/** @param {string} key @returns {string} */
function urlOf(key) { return key.startsWith('/') ? 'file://' + encodeURI(key).replace(/[?#]/g, encodeURIComponent) : key; }

/** @param {string} key @returns {any} `import.meta` of a module */
function metaOf(key) {
  const meta = bareObject();
  const file = fileOf(key);
  define(meta, 'url', urlOf(key), true);
  if (file.startsWith('/')) {
    define(meta, 'filename', file, true);
    define(meta, 'dirname', folderOf(key), true);
  }
  define(meta, 'main', key === mainKey, true);
  define(meta, 'resolve', publishFunction('resolve', 1, (/** @type {any} */ specifier) => {
    return urlOf(resolveModule(`${specifier}`, key, false));
  }), true);
  return meta;
}

/** @param {string} key of a module of CommonJS @returns {any} its `require` */
function requirerOf(key) {
  const require = publishFunction('require', 1, (/** @type {any} */ specifier) => requireFrom(`${specifier}`, key));
  define(require, 'resolve', publishFunction('resolve', 1, (/** @type {any} */ specifier) => resolveModule(`${specifier}`, key, true)), true);
  const main = modulesOf('').get(mainKey);
  define(require, 'main', main instanceof CommonJSModule ? main.module : undefined, true);
  define(require, 'cache', requireCache, true);
  return require;
}

/** @param {string} specifier @param {string} referrer */
function requireFrom(specifier, referrer) {
  needStack(COLD_LEVELS);
  failCutOff();
  isLoadingMain = false;
  const key = resolveModule(specifier, referrer, true);
  const known = modulesOf('').get(key), cached = cachedModule(key);
  // A script has put its own into `require.cache`, or has taken the module out.
  if (isObject(cached) && !(known instanceof CommonJSModule && known.module === cached)) return cached.exports;
  if (cached === undefined && known instanceof CommonJSModule && known.isCached) modulesOf('').delete(key);
  const module = loadModule(key, '');
  if (module instanceof CommonJSModule) return module.run();
  if (module instanceof ValueModule) return module.value;
  return requireGraph(loadGraph(key, ''), specifier);
}

/** @param {ModuleRecord} root @param {string} specifier */
function requireGraph(root, specifier) {
  const awaiting = graphOf(root).find((one) => one.isAsync);
  if (awaiting !== undefined) throw codedError('ERR_REQUIRE_ASYNC_MODULE', `cannot require '${specifier}': ${awaiting.key} awaits; import() it`);
  const begun = graphOf(root).find(({ status }) => status === 'evaluating' || status === 'evaluating-async');
  if (begun !== undefined) throw codedError('ERR_REQUIRE_CYCLE_MODULE', `cannot require '${specifier}': ${begun.key} is being run; import() it`);
  link(root);
  /** @type {{error: any} | undefined} */
  let failure;
  evaluate(root).then(() => {}, (error) => { failure = { error }; });
  if (failure !== undefined) throw failure.error;
  return root.namespace;
}

/**
 * Begins the run of a program's main module.
 * @param {string} specifier
 */
function importMain(specifier) {
  native.setMainPending(true);
  const load = () => {
    isLoadingMain = true;
    try { return loadGraph(mainKey = resolveModule(specifier, '', false), ''); } finally { isLoadingMain = false; }
  };
  return importing((begin) => begin(load), () => native.setMainPending(false));
}

// @ts-expect-error The files are the body of one function.
return {
  importModule, importMain, sourceStack, sourceMessage,
  /** What `js/repl` has of these files. */
  tools: { moduleParser, editedText, findReferences, declaredNames, importModule, requirerOf, syntaxErrorAt },
};
