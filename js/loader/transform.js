// Turns the source of a module into that of a function, which the engine can run as a script.
//
//     (function* ($i, $meta, $import, $setup) { 'use strict'; $setup({ get x() { return x; } }); yield; … })
//
// Its first step hands out the exports: the getters read the module's own bindings, so that they are live, and not to be read before
// they are initialized. Its second step is the module's body. The text stays where it is, line by line: what imports and exports is
// blanked, what reads an import reads a member of `$i`.

/**
 * @typedef {[start: number, end: number, replacement: string]} Edit
 * @typedef {{specifier: string, type: string, line: number, column: number}} ModuleRequest
 * @typedef {{local: string, request: number, name: string}} ImportBinding `*` is the namespace
 * @typedef {{exported: string, request: number, name: string}} IndirectExport
 * @typedef {{code: string, requests: ModuleRequest[], imports: ImportBinding[], exports: string[], indirect: IndirectExport[],
 *   stars: number[], isAsync: boolean, usesMeta: boolean, usesImport: boolean, isModule: boolean}} TransformedModule `isModule` unless it may as well be a script
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
  hasDefaultFunction = false;

  /** @param {string} text @param {string} name */
  constructor(text, name) {
    this.text = text;
    this.name = name;
    this.tree = parseSource(text, name, 'module');
    // Names that the module does not have.
    let prefix = '$';
    while (text.includes(prefix + 'trestle')) prefix += '$';
    this.prefix = prefix + 'trestle';
  }

  /** @param {string} name */
  own(name) { return `${this.prefix}_${name}`; }

  transform() {
    const { body } = this.tree;
    // Modules run in the order in which they are named.
    for (const node of body) if (node.source) this.requestOf(node);
    for (const node of body) if (node.type === 'ImportDeclaration') this.declareImports(node);
    for (const node of body) this.editDeclaration(node);
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
      awaits: () => { this.isAsync = true; },
    });
    const { requests, stars, indirect, isAsync, usesMeta, usesImport } = this;
    const isModule = usesMeta || isAsync || body.some((/** @type {any} */ node) => /^(?:Import|Export)/.test(node.type));
    return {
      code: this.code(), requests, imports: [...this.imports.values()], exports: [...this.exports.keys()], indirect, stars, isAsync, usesMeta,
      usesImport, isModule,
    };
  }

  /** @returns {string} */
  code() {
    const getters = [...this.exports].map(([exported, local]) => `get ${JSON.stringify(exported)}(){return ${local}}`);
    const parameters = ['i', 'meta', 'import', 'setup'].map((name) => this.own(name));
    const setup = `${this.own('setup')}({${getters}}${this.hasDefaultFunction ? ',' + this.own('default') : ''})`;
    const head = `(${this.isAsync ? 'async ' : ''}function*(${parameters}){"use strict";${setup};yield;`;
    noteEdits(this.name, head.length, this.text, this.edits);
    return `${head}${editedText(this.text, this.edits)}\n})`;
  }

  /** @param {any} node @param {string} text */
  replace(node, text) { this.edits.push([node.start, node.end, text]); }

  /**
   * Takes text out, but for its line ends.
   * @param {number} start @param {number} end @param {string} [behind] what to put in its place
   */
  blank(start, end, behind = '') {
    this.edits.push([start, end, this.text.slice(start, end).replace(/[^\n\r\u2028\u2029]+/g, '') + behind]);
  }

  /** @param {number} at @param {string} text */
  insert(at, text) { this.edits.push([at, at, text]); }

  /** @param {any} node that names a module @returns {number} */
  requestOf(node) {
    const specifier = node.source.value;
    let type = '';
    for (const { key, value, start } of node.attributes ?? []) {
      if (key !== 'type') throw this.error(`no attribute '${key}' of imports is known`, start);
      type = value;
    }
    const id = `${type}:${specifier}`, known = this.#requestNumbers.get(id);
    if (known !== undefined) return known;
    this.#requestNumbers.set(id, this.requests.length);
    return this.requests.push({ specifier, type, ...this.placeOf(node.source.start) }) - 1;
  }

  /** @param {number} offset @returns {{line: number, column: number}} both from 1 */
  placeOf(offset) {
    const starts = this.#lineStarts ??= lineStartsOf(this.text);
    let line = 1, end = starts.length;
    while (line < end) {
      const middle = (line + end) >> 1;
      if (starts[middle] <= offset) line = middle + 1; else end = middle;
    }
    return { line, column: offset - starts[line - 1] + 1 };
  }

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
      case 'shorthand': return this.replace(node, `${node.name}:${member}`);
      default: return this.replace(node, member);
    }
  }
}

/** @param {string} text @param {Edit[]} edits none of which overlap; they are sorted */
function editedText(text, edits) {
  edits.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const pieces = [];
  let position = 0;
  for (const [start, end, replacement] of edits) {
    pieces.push(text.slice(position, start), replacement);
    position = end;
  }
  pieces.push(text.slice(position));
  const edited = pieces.join('');
  return edited.startsWith('#!') ? '//' + edited : edited;
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
