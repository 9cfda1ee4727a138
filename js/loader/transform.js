// Turns the source of a module into that of a function, which the engine can run as a script.
//
//     (function* ($i, $meta, $import, $setup, $walk) { 'use strict'; $setup({ get x() { return x; } }); yield; … })
//
// Its first step hands out the exports: the getters read the module's own bindings, so that they are live, and not to be read before
// they are initialized. Its second step is the module's body. An `await` at the top level is a further step (`runAwaiting` of `js/border`):
// an asynchronous function could not rest between the two, and an asynchronous generator rests only when microtasks have run.
// The text stays where it is, line by line: what imports and exports is blanked, what reads an import reads a member of `$i`.

/**
 * @typedef {{specifier: string, type: string, line: number, column: number}} ModuleRequest
 * @typedef {{local: string, request: number, name: string}} ImportBinding `*` is the namespace
 * @typedef {{exported: string, request: number, name: string}} IndirectExport
 * @typedef {{text: string, source: EditedSource, requests: ModuleRequest[], imports: ImportBinding[], exports: string[], indirect: IndirectExport[],
 *   stars: number[], isAsync: boolean, usesMeta: boolean, usesImport: boolean, usesWalk: boolean, isModule: boolean}} TransformedModule `isModule` unless it may as well be a script
 */

/** @param {string} text @param {string} name of the module in stacks @returns {TransformedModule} */
function transformModule(text, name) { return new ModuleTransformer(text, name).transform(); }

class ModuleTransformer {
  /** @type {Edit[]} */
  edits = [];
  /** @type {ModuleRequest[]} */
  requests = [];
  /** @type {Map<string, number>} */
  #requestNumbers = new Map();
  /**
   * Where each line starts, once that is needed.
   * @type {number[] | undefined}
   */
  #lineStarts;
  /** @type {Map<string, ImportBinding>} by their local names */
  imports = new Map();
  /** @type {Map<string, string>} from exported names to local ones */
  exports = new Map();
  /** @type {IndirectExport[]} */
  indirect = [];
  /** @type {number[]} */
  stars = [];
  isAsync = false;
  usesMeta = false;
  usesImport = false;
  usesWalk = false;
  hasDefaultFunction = false;

  /** @param {string} text @param {string} name */
  constructor(text, name) {
    this.text = text;
    this.name = name;
    this.tree = parseSource(text, name, 'module');
    this.prefix = ownPrefix(text);
  }

  /** @param {string} name */
  own(name) { return `${this.prefix}_${name}`; }

  transform() {
    const { body } = this.tree;
    // Modules run in the order in which they are named.
    for (const node of body) if (node.source) this.requestOf(node);
    for (const node of body) if (node.type === 'ImportDeclaration') this.declareImports(node);
    findReferences(this.tree, {
      imports: this.imports,
      reference: (node, style) => this.editReference(node, style),
      meta: (node) => {
        this.usesMeta = true;
        this.replace(node, this.own('meta'));
      },
      dynamicImport: (node) => {
        this.usesImport = true;
        this.edits.push([node.start, node.start + 'import'.length, this.own('import')]);
      },
      awaits: (node, isFirst) => this.editAwait(node, isFirst),
      awaitsEach: (node, visit) => this.editLoop(node, visit),
      less: (node) => this.editLess(node),
    });
    // Last: what ends an exported expression stands behind what ends an `await` in it.
    for (const node of body) this.editDeclaration(node);
    const { text, requests, stars, indirect, isAsync, usesMeta, usesImport, usesWalk } = this;
    const isModule = usesMeta || isAsync || body.some((/** @type {any} */ node) => /^(?:Import|Export)/.test(node.type));
    return {
      text, source: new EditedSource(text, this.edits, this.head()), requests, imports: [...this.imports.values()], exports: [...this.exports.keys()], indirect, stars, isAsync, usesMeta,
      usesImport, usesWalk, isModule,
    };
  }

  /** @returns {string} what stands before the text */
  head() {
    const getters = [...this.exports].map(([exported, local]) => `get ${JSON.stringify(exported)}(){return ${local}}`);
    const parameters = ['i', 'meta', 'import', 'setup', 'walk'].map((name) => this.own(name));
    const setup = `${this.own('setup')}({${getters}}${this.hasDefaultFunction ? ',' + this.own('default') : ''})`;
    return `(function*(${parameters}){"use strict";${setup};yield;`;
  }

  /** @param {any} node @param {string} text */
  replace(node, text) { this.edits.push([node.start, node.end, text]); }

  /**
   * Takes text out, but for its line ends.
   * @param {number} start @param {number} end @param {string} [behind] what to put in its place
   */
  blank(start, end, behind = '') { this.edits.push([start, end, this.lineEnds(start, end) + behind]); }

  /** @param {number} start @param {number} end */
  lineEnds(start, end) { return this.text.slice(start, end).replace(/[^\n\r\u2028\u2029]+/g, ''); }

  /** @param {number} at @param {string} text */
  insert(at, text) { this.edits.push([at, at, text]); }

  /** @param {any} node that names a module @returns {number} */
  requestOf(node) {
    const specifier = node.source.value;
    let type = '';
    for (const { key, value, start } of attributesOf(node)) {
      if (key !== 'type') throw this.error(`no attribute '${key}' of imports is known`, start);
      type = value;
    }
    const id = JSON.stringify([type, specifier]), known = this.#requestNumbers.get(id);
    if (known !== undefined) return known;
    this.#requestNumbers.set(id, this.requests.length);
    return this.requests.push({ specifier, type, ...this.placeOf(node.source.start) }) - 1;
  }

  /** @param {number} offset @returns {{line: number, column: number}} both from 1 */
  placeOf(offset) { return placeAt(this.#lineStarts ??= lineStartsOf(this.text), offset); }

  /** @param {string} message @param {number} offset */
  error(message, offset) {
    const { line, column } = this.placeOf(offset);
    return syntaxErrorAt(message, this.name, line, column);
  }

  /** @param {any} node */
  declareImports(node) {
    const request = this.requestOf(node);
    for (const specifier of node.specifiers) {
      const local = specifier.local.name;
      const name = specifier.type === 'ImportNamespaceSpecifier' ? '*' : specifier.type === 'ImportDefaultSpecifier' ? 'default'
        : exportName(specifier.imported);
      this.imports.set(local, { local, request, name });
    }
  }

  /** @param {any} node of the module's top level */
  editDeclaration(node) {
    switch (node.type) {
      case 'ImportDeclaration': return this.blank(node.start, node.end, ';');
      case 'ExportAllDeclaration': {
        const request = this.requestOf(node);
        if (node.exported === null) this.stars.push(request);
        else this.indirect.push({ exported: exportName(node.exported), request, name: '*' });
        return this.blank(node.start, node.end, ';');
      }
      case 'ExportNamedDeclaration':
        if (node.declaration === null) return this.editExportList(node);
        for (const name of declaredNames(node.declaration)) this.exports.set(name, name);
        return this.blank(node.start, node.declaration.start);
      case 'ExportDefaultDeclaration': return this.editDefaultExport(node);
    }
  }

  /** @param {any} node */
  editExportList(node) {
    const request = node.source ? this.requestOf(node) : -1;
    for (const specifier of node.specifiers) {
      const exported = exportName(specifier.exported), local = exportName(specifier.local);
      const imported = this.imports.get(local);
      if (node.source) this.indirect.push({ exported, request, name: local });
      else if (imported !== undefined) this.indirect.push({ exported, request: imported.request, name: imported.name });
      else this.exports.set(exported, local);
    }
    this.blank(node.start, node.end, ';');
  }

  /** @param {any} node */
  editDefaultExport(node) {
    const { declaration } = node, name = declaration.id?.name ?? this.own('default');
    this.exports.set('default', name);
    const isFunction = declaration.type === 'FunctionDeclaration';
    if (isFunction || (declaration.type === 'ClassDeclaration' && declaration.id)) {
      this.blank(node.start, declaration.start);
      if (declaration.id) return;
      // As a declaration it is there before the body runs. Its name is put right when the module is set up.
      this.hasDefaultFunction = true;
      return this.insert(behind(this.text, declaration.start, /async|function|\*/), ' ' + name);
    }
    // A member's name is what an anonymous function or class is called.
    const start = behind(this.text, node.start, /export|default/);
    this.blank(node.start, start, `const ${name} = {default:`);
    const hasEnd = this.text[node.end - 1] === ';' && declaration.end < node.end;
    this.edits.push([hasEnd ? node.end - 1 : node.end, node.end, '}.default;']);
  }

  /** @param {any} node @param {ReferenceStyle} style */
  editReference(node, style) {
    // Those of the function around it: a module has none.
    const member = node.name === 'arguments' ? this.own('arguments') : `${this.own('i')}.${node.name}`;
    switch (style) {
      // Without the parentheses the function would be called on `$i`.
      case 'call': return this.replace(node, `(0,${member})`);
      case 'statement': return this.replace(node, `;(0,${member})`);
      // By that name alone, `__proto__: …` would set the prototype.
      case 'shorthand': return this.replace(node, `${node.name === '__proto__' ? '["__proto__"]' : node.name}:${member}`);
      default: return this.replace(node, member);
    }
  }

  /** @param {any} node at the top level @param {boolean} isFirst a statement begins with it */
  editAwait(node, isFirst) {
    this.isAsync = true;
    // Parentheses: no line may end behind `yield`.
    this.edits.push([node.start, node.start + 'await'.length, `${isFirst ? ';' : ''}(yield(`]);
    this.insert(node.end, '))');
  }

  /**
   * `for await (left of right) body` at the top level: `await` stands where it asks for the next element, and where it ends the iteration.
   * @param {any} node @param {(child: any) => void} visit
   */
  editLoop(node, visit) {
    const { left, right, body } = node, start = node.labelStart ?? node.start;
    const [walk, step, error] = ['loop', 'step', 'error'].map((name) => this.own(name));
    this.isAsync = this.usesWalk = true;
    const mark = this.edits.length;
    visit(left);
    const target = editedPart(this.text, sortEdits(this.edits.splice(mark)), left.start, left.end);
    visit(right);
    const assignment = left.type === 'VariableDeclaration' ? `${target}=${step}.value;` : `(${target}=${step}.value);`;
    this.insert(start, `{let ${walk},${step};try{`);
    this.edits.push([node.start, right.start, `${this.lineEnds(node.start, left.start)}${this.lineEnds(left.end, right.start)}for(${walk}=${this.own('walk')}(`]);
    this.blank(right.end, body.start, `);!(${step}=yield(${walk}.next())).done;){${assignment}`);
    visit(body);
    this.insert(node.end, `}}catch(${error}){if(${walk}){const w=${walk};${walk}=undefined;yield(w.fail())}throw ${error}}finally{if(${walk}&&!${step}.done)yield(${walk}.end())}}`);
  }

  /**
   * `x<!--y` is a comment to scripts.
   * @param {any} node what is compared
   */
  editLess(node) { if (this.text.startsWith('<!--', node.right.start - 1)) this.insert(node.right.start, ' '); }
}

/** Letters of names may be written so. */
const escapes = /\\u(?:\{0*([\da-f]{1,6})\}|([\da-f]{4}))/gi;

/**
 * What the names begin with that a module is given beside its own.
 * @param {string} text that has none of them
 */
function ownPrefix(text) {
  const names = text.includes('\\u') ? text.replace(escapes, (_, long, short) => String.fromCharCode(parseInt(long ?? short, 16))) : text;
  let longest = 0;
  if (names.includes('$trestle')) for (const [run] of names.matchAll(/\$+/g)) longest = Math.max(longest, run.length);
  return '$'.repeat(longest + 1) + 'trestle';
}

/**
 * Those of an import: newer versions of acorn have them as nodes.
 * @param {any} node @returns {{key: string, value: string, start: number}[]}
 */
function attributesOf({ attributes = [] }) {
  return attributes.map((/** @type {any} */ one) => typeof one.key === 'string' ? one : { key: exportName(one.key), value: one.value.value, start: one.start });
}

/** @param {any} node an identifier or a string @returns {string} */
function exportName(node) { return node.type === 'Literal' ? node.value : node.name; }

/**
 * The end of some words, and of the comments between them.
 * @param {string} text @param {number} start @param {RegExp} words
 */
function behind(text, start, words) {
  const pattern = new RegExp(`(?:(?:${words.source})(?![\\p{ID_Continue}$])|\\s|/\\*[^]*?\\*/|//[^\\n\\r\\u2028\\u2029]*)*`, 'uy');
  pattern.lastIndex = start;
  pattern.test(text);
  return pattern.lastIndex;
}
