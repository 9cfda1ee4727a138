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
    const { code, usesMeta, usesImport } = this.#transformed;
    this.#imports = bareObject();
    const setUp = publishFunction('', 2, (/** @type {any} */ exports, /** @type {any} */ defaultFunction) => {
      this.#exports = exports;
      if (defaultFunction !== undefined) define(defaultFunction, 'name', 'default');
    });
    this.#generator = apply(native.compileModule(code, this.name), undefined, [
      this.#imports, usesMeta ? metaOf(this.key) : undefined, usesImport ? importerOf(this.key) : undefined, setUp,
    ]);
    this.#step();
  }

  #step() { return apply(this.isAsync ? asyncGeneratorNext : generatorNext, this.#generator, []); }

  /** @param {string} local @param {() => any} getter */
  bind(local, getter) { defineAccessor(this.#imports, local, getter, undefined); }

  execute() {
    const result = this.#step();
    return this.isAsync ? result : undefined;
  }
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
  /** The script's `module`. @type {any} */
  #module;
  #hasBegun = false;

  /** @param {string} key @param {string} name @param {string} text */
  constructor(key, name, text) {
    super(key, name);
    this.#text = text;
    this.#names = namesOfExports(text);
    this.#module = publishObject({ id: key, filename: key, path: folderOf(key), exports: publishObject({}), loaded: false });
  }

  get isDynamic() { return true; }
  get localNames() { return ['default', ...this.#names]; }
  hasLocal() { return true; }

  /** @param {string} name */
  getterOf(name) { return name === 'default' ? memberGetter(this.#module, 'exports') : memberOfMemberGetter(this.#module, 'exports', name); }

  execute() { this.run(); }

  forget() {
    this.#hasBegun = false;
    border.assign(this.#module, 'exports', publishObject({}));
  }

  /** Runs it unless it has begun to: where two need each other one sees what the other has exported so far. */
  run() {
    if (this.#hasBegun) return this.#module.exports;
    this.#hasBegun = true;
    runs.push(this);
    try {
      const { edits, importName } = editsOfCommonJS(this.#text, this.name);
      const head = `(function(exports,require,module,__filename,__dirname,${importName}){`;
      noteEdits(this.name, head.length, this.#text, edits);
      const code = `${head}${editedText(this.#text, edits)}\n})`;
      const { exports } = this.#module;
      apply(native.compileModule(code, this.name), exports, [
        exports, requirerOf(this.key), this.#module, this.key, folderOf(this.key), importerOf(this.key),
      ]);
    } catch (error) {
      runs.pop();
      this.forget();
      throw error;
    }
    runs.pop();
    border.assign(this.#module, 'loaded', true);
    return this.#module.exports;
  }
}

/**
 * Those of CommonJS that are being run, each within the one before.
 * @type {CommonJSModule[]}
 */
const runs = [];

/** Those that a limit has ended are run again when they are asked for. */
function endRuns() { for (const module of runs.splice(0)) module.forget(); }

/**
 * What a script seems to export: as text alone shows it.
 * @param {string} text
 */
function namesOfExports(text) {
  const names = new Set();
  for (const [, name] of text.matchAll(/\bexports\.([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*=(?!=)/gu)) names.add(name);
  names.delete('default');
  return [...names];
}

/** @param {string} text @param {string} name @returns {{edits: Edit[], importName: string}} which make of `import(…)` a call of that name */
function editsOfCommonJS(text, name) {
  let importName = '$trestle_import';
  while (text.includes(importName)) importName = '$' + importName;
  /** @type {Edit[]} */
  const edits = [];
  if (/\bimport\b/.test(text)) {
    findReferences(parseSource(text, name, 'script'), {
      imports: { has: () => false }, reference() {}, meta() {}, awaits() {},
      dynamicImport: ({ start }) => edits.push([start, start + 'import'.length, importName]),
    });
  }
  return { edits, importName };
}
