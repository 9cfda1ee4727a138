// The kinds of modules: in the language's own form, in that of CommonJS, data, and native modules.

/** In the language's own form: imports and exports. */
class SourceModule extends ModuleRecord {
  #transformed;
  /**
   * What its body reads its imports from.
   * @type {any}
   */
  #imports;
  /**
   * The script's object with the getters of its exports.
   * @type {any}
   */
  #exports;
  /** @type {any} */
  #generator;

  /** @param {string} key @param {string} name @param {TransformedModule} transformed */
  constructor(key, name, transformed) {
    super(key, name);
    this.#transformed = transformed;
  }

  get requests() { return this.#transformed.requests; }
  get isAsync() { return this.#transformed.isAsync; }
  get imports() { return this.#transformed.imports; }
  get indirect() { return this.#transformed.indirect; }
  get stars() { return this.#transformed.stars; }
  get localNames() { return this.#transformed.exports; }

  /** @param {string} name @returns {() => any} */
  getterOf(name) {
    const getter = this.#exports && Reflect.getOwnPropertyDescriptor(this.#exports, name)?.get;
    return getter ?? super.getterOf(name);
  }

  instantiate() {
    if (this.#generator !== undefined) return;
    const { text, source, usesMeta, usesImport, usesWalk } = this.#transformed;
    this.#imports = bareObject();
    this.#exports = undefined;
    const setUp = publishFunction('', 2, (/** @type {any} */ exports, /** @type {any} */ defaultFunction) => {
      this.#exports ??= exports;
      if (defaultFunction !== undefined) border.nameDefault(defaultFunction);
    });
    const generator = apply(compileFunction(source, text, this.name), undefined, [
      this.#imports, usesMeta ? metaOf(this.key) : undefined, usesImport ? importerOf(this.key) : undefined, setUp, usesWalk ? border.walk : undefined,
    ]);
    apply(generatorNext, generator, []);
    this.#generator = generator;
  }

  /** @param {string} local @param {() => any} getter */
  bind(local, getter) { defineAccessor(this.#imports, local, getter, undefined); }

  execute() { return this.isAsync ? border.runAwaiting(this.#generator) : void apply(generatorNext, this.#generator, []); }
}

/** One whose value is there at once: all that can be imported of it is the value and its members. */
class ValueModule extends ModuleRecord {
  #names;

  /** @param {string} key @param {string[]} names of members that it exports beside `default` @param {any} value */
  constructor(key, names, value) {
    super(key);
    this.#names = names;
    this.value = value;
  }

  get localNames() { return ['default', ...this.#names]; }

  /** @param {string} name */
  getterOf(name) { return name === 'default' ? valueGetter(this.value) : memberGetter(this.value, name); }
}

/** One that is a function's body, and says by `module.exports` what it exports. */
class CommonJSModule extends ModuleRecord {
  #text;
  #names;
  /** Holds the script's `module`. @type {any} */
  #holder = bareObject();
  hasBegun = false;
  /** It was put into `require.cache`, from where scripts may take it. */
  isCached = false;

  /** @param {string} key @param {string} name @param {string} text */
  constructor(key, name, text) {
    super(key, name);
    this.#text = text;
    this.#names = namesOfExports(text);
    this.forget();
  }

  get isDynamic() { return true; }
  get localNames() { return ['default', ...this.#names]; }
  hasLocal() { return true; }
  /** The script's `module`. */
  get module() { return this.#holder.module; }

  /** @param {string} name */
  getterOf(name) { return name === 'default' ? border.exportsGetter(this.#holder) : border.exportGetter(this.#holder, name); }

  execute() { this.run(); }

  /** Whatever a script has made of `module`: the next run has another one. */
  forget() {
    if (this.isCached) Reflect.deleteProperty(requireCache, this.key);
    this.hasBegun = this.isCached = false;
    this.#holder.module = publishObject({ id: this.key, filename: fileOf(this.key), path: folderOf(this.key), exports: publishObject({}), loaded: false });
  }

  /** Runs it unless it has begun to: where two need each other one sees what the other has exported so far. */
  run() {
    const { module } = this;
    if (this.hasBegun) return module.exports;
    runs.push(this);
    this.hasBegun = true;
    try {
      define(requireCache, this.key, module, true);
      this.isCached = cachedModule(this.key) !== undefined;
      const { source, importName } = editedCommonJS(this.#text, this.name);
      const { exports } = module;
      apply(compileCommonJS(source, this.#text, this.name), exports, [
        exports, requirerOf(this.key), module, fileOf(this.key), folderOf(this.key), importName === '' ? undefined : importerOf(this.key),
      ]);
    } catch (error) {
      runs.pop();
      this.forget();
      throw error;
    }
    runs.pop();
    define(module, 'loaded', true, true);
    return module.exports;
  }
}

/**
 * Where the engine cannot parse it the parser knows the place.
 * @param {EditedSource} source @param {string} text that it is of @param {string} name
 */
function compileCommonJS(source, text, name) {
  try { return compileFunction(source, text, name); } catch (error) {
    if (read(error, 'name') === 'SyntaxError') parseSource(text, name, 'script');
    throw error;
  }
}

/**
 * `require.cache`: the modules of CommonJS that have begun to run, by their keys. What a script takes out is loaded again; what it puts in
 * stands for the module.
 * @type {any}
 */
const requireCache = bareObject();

/** @param {string} key @returns {any} */
function cachedModule(key) { return Reflect.getOwnPropertyDescriptor(requireCache, key)?.value; }

/**
 * Those of CommonJS that are being run, each within the one before.
 * @type {CommonJSModule[]}
 */
const runs = [];

/** Those that a limit has ended are run again when they are asked for. */
function endRuns() { for (const module of runs.splice(0)) module.forget(); }

/** What shows an export; and what begins comments and strings, in which nothing does. */
const exportOrText = /\/\/.*|\/\*|['"]|\bexports\.([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*=(?!=)/gu;
/** @type {Record<string, RegExp>} What ends one that has begun; without what it ends with, where that is not there. */
const endings = { "'": /(?:\\[^]|[^'\\\n])*('?)/uy, '"': /(?:\\[^]|[^"\\\n])*("?)/uy };

/**
 * What a script seems to export: as text alone shows it. What begins and does not end is none, nor is what seems to begin in it: the time
 * grows with the length of the text alone.
 * @param {string} text
 */
function namesOfExports(text) {
  /** @type {Set<string>} */
  const names = new Set();
  if (!text.includes('exports.')) return [];
  const token = new RegExp(exportOrText), lastComment = text.lastIndexOf('*/');
  /** @type {Record<string, number>} */
  const unended = { "'": 0, '"': 0 };
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [found, name] = match, start = token.lastIndex;
    if (name !== undefined) names.add(name);
    else if (found === '/*') {
      if (start <= lastComment) token.lastIndex = text.indexOf('*/', start) + 2;
    } else if (found in unended && start > unended[found]) {
      const ending = endings[found];
      ending.lastIndex = start;
      const [, end] = /** @type {RegExpExecArray} */ (ending.exec(text));
      if (end === '') unended[found] = ending.lastIndex;
      else token.lastIndex = ending.lastIndex;
    }
  }
  names.delete('default');
  return [...names];
}

/** @param {string} text @param {string} name @returns {{source: EditedSource, importName: string}} with `import(…)` as a call of that name, if it has one */
function editedCommonJS(text, name) {
  const importName = ownPrefix(text) + '_import';
  /** @type {Edit[]} */
  const edits = [];
  if (/\bimport\b/.test(text)) {
    /** @type {any} */
    let tree;
    // What the parser does not know is left to the engine, which says what is wrong.
    try { tree = parseSource(text, name, 'script'); } catch {}
    if (tree !== undefined) {
      findReferences(tree, {
        imports: { has: () => false }, reference() {}, meta() {}, awaits() {}, awaitsEach() {}, less() {},
        dynamicImport: ({ start }) => edits.push([start, start + 'import'.length, importName]),
      });
    }
  }
  const hasImport = edits.length > 0;
  const head = `(function(exports,require,module,__filename,__dirname${hasImport ? ',' + importName : ''}){`;
  return { source: new EditedSource(text, edits, head), importName: hasImport ? importName : '' };
}
