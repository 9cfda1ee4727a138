// An entry of the REPL as a script: what it declares stays, and can be declared again.
//
// `let`, `const` and `class` become `var`. An entry that awaits or imports becomes `(async()=>{ … })()`, of which the variables are
// declared outside and the last value is returned. The text stays where it is, so that errors have its lines.

const { moduleParser, editedText, findReferences, declaredNames, importModule, requirerOf, syntaxErrorAt } = part('loader').tools;

const PARSING = { ecmaVersion: 'latest', sourceType: 'script', allowAwaitOutsideFunction: true, allowImportExportEverywhere: true, allowHashBang: true };
/** The names by which the code of an entry calls `import`, asks for what it imports by name, and has the module meanwhile. */
const IMPORT = '$trestle_import', MEMBER = '$trestle_member', MODULE = '$trestle_module';
const ASYNC_START = '(async()=>{';

/** @param {string} text @returns {any} its tree, or what is wrong with it */
function parseEntry(text) { return moduleParser().parse(text, PARSING); }

/**
 * Whether more has to follow, as far as a parser can tell.
 * @param {string} text
 */
function isIncomplete(text) {
  try { parseEntry(text); } catch (error) {
    const { pos, raisedAt, message } = /** @type {any} */ (error);
    if (/^Unterminated (?:template|comment)/.test(message)) return true;
    return /^Unexpected token/.test(message) && pos >= text.trimEnd().length && raisedAt >= text.trimEnd().length;
  }
  return false;
}

/**
 * `{ … }` is an object, where it can be one.
 * @param {string} text
 */
function asExpression(text) {
  if (!/^\s*\{/.test(text) || /;\s*$/.test(text)) return text;
  try { parseEntry(`(${text}\n)`); } catch { return text; }
  return `(${text}\n)`;
}

/**
 * The names are those that are to be declared before. The code is `before`, the text with its edits, and more; the text is that of the entry
 * behind `lead` units.
 * @typedef {{code: string, names: string[], isAsync: boolean, before: string, edits: [number, number, string][], lead: number}} TransformedEntry
 */

/** @param {string} source @param {string} name of the entry, for errors @returns {TransformedEntry} */
function transformEntry(source, name) {
  const text = asExpression(source);
  /** @type {any} */
  let tree;
  try { tree = parseEntry(text); } catch (error) {
    const { message, loc } = /** @type {any} */ (error);
    if (loc === undefined) throw error;
    throw syntaxErrorAt(message.replace(/ \(\d+:\d+\)$/, ''), name, loc.line, loc.column + 1);
  }
  /** @type {[number, number, string][]} */
  const edits = [];
  let isAsync = tree.body.some((/** @type {any} */ node) => node.type === 'ImportDeclaration');
  const refuse = (/** @type {any} */ node, /** @type {string} */ what) => {
    const before = text.slice(0, node.start).split(/\r\n?|\n/);
    return syntaxErrorAt(`${what} is for modules`, name, before.length, (before.at(-1) ?? '').length + 1);
  };
  for (const node of tree.body) if (/^Export/.test(node.type)) throw refuse(node, 'export');
  findReferences(tree, {
    imports: { has: () => false }, reference() {},
    meta: (/** @type {any} */ node) => { throw refuse(node, 'import.meta'); },
    dynamicImport: (/** @type {any} */ { start }) => edits.push([start, start + 'import'.length, IMPORT]),
    awaits: () => { isAsync = true; },
    awaitsEach: (/** @type {any} */ { left, right, body }, /** @type {(child: any) => void} */ visit) => {
      isAsync = true;
      for (const child of [left, right, body]) visit(child);
    },
    less() {},
  });
  /** @type {string[]} */
  const names = [];
  tree.body.forEach((/** @type {any} */ node, /** @type {number} */ index) => {
    if (!isAsync) return editPlain(node, edits);
    editAsync(node, edits, names, text);
    if (node.type !== 'ExpressionStatement' || index < tree.body.length - 1) return;
    edits.push([node.expression.start, node.expression.start, 'return{value:('], [node.expression.end, node.expression.end, ')}']);
  });
  // What an entry's functions are called is known from its start.
  const functions = isAsync ? tree.body.filter((/** @type {any} */ node) => node.type === 'FunctionDeclaration').map((/** @type {any} */ node) => node.id.name) : [];
  const edited = editedText(text, edits), before = isAsync ? ASYNC_START + functions.map((/** @type {string} */ one) => `this.${one}=${one};`).join('') : '';
  return { code: isAsync ? `${before}${edited}\n})()` : edited, names, isAsync, before, edits, lead: text === source ? 0 : 1 };
}

/**
 * Where in an entry a place of its code is.
 * @param {TransformedEntry} entry @param {string} source @param {number} line @param {number} column both from 1
 */
function placeInEntry({ code, before, edits, lead }, source, line, column) {
  const end = /\r\n|[\n\r\u2028\u2029]/g;
  let offset = 0;
  for (let i = 1; i < line && end.exec(code) !== null; i++) offset = end.lastIndex;
  offset += column - 1 - before.length;
  let shift = 0;
  for (const [start, stop, text] of edits) {
    if (offset < start + shift) break;
    if (offset < start + shift + text.length) {
      offset = start + shift;
      break;
    }
    shift += text.length - (stop - start);
  }
  const above = source.slice(0, Math.max(0, offset - shift - lead)).split(/\r\n|[\n\r\u2028\u2029]/);
  return { line: above.length, column: (above.at(-1) ?? '').length + 1 };
}

/** @param {any} node a statement @param {[number, number, string][]} edits */
function editPlain(node, edits) {
  if (node.type === 'ClassDeclaration') edits.push([node.start, node.start, `var ${node.id.name}=`], [node.end, node.end, ';']);
  if (node.type !== 'VariableDeclaration' || node.kind === 'var') return;
  edits.push([node.start, node.start + node.kind.length, 'var'.padEnd(node.kind.length)]);
  for (const { init, end } of node.declarations) if (init === null) edits.push([end, end, '=undefined']);
}

/** @param {any} node a statement @param {[number, number, string][]} edits @param {string[]} names @param {string} text */
function editAsync(node, edits, names, text) {
  switch (node.type) {
    case 'ClassDeclaration':
      names.push(node.id.name);
      edits.push([node.start, node.start, `${node.id.name}=`], [node.end, node.end, ';']);
      return;
    case 'FunctionDeclaration': return void names.push(node.id.name);
    case 'VariableDeclaration': {
      names.push(...declaredNames(node));
      edits.push([node.start, node.start + node.kind.length, 'void(']);
      const { declarations } = node;
      for (const { init, end } of declarations) if (init === null) edits.push([end, end, '=undefined']);
      return void edits.push([declarations.at(-1).end, declarations.at(-1).end, ')']);
    }
    case 'ImportDeclaration': return void edits.push([node.start, node.end, importCode(node, names) + text.slice(node.start, node.end).replace(/[^\n\r]+/g, '')]);
  }
}

/** @param {any} node an import @param {string[]} names */
function importCode(node, names) {
  const attributes = Object.fromEntries((node.attributes ?? []).map((/** @type {any} */ { key, value }) => [key, value]));
  const specifier = JSON.stringify(node.source.value);
  const bindings = node.specifiers.map((/** @type {any} */ { type, local, imported }) => {
    names.push(local.name);
    if (type === 'ImportNamespaceSpecifier') return `${local.name}=${MODULE};`;
    const name = type === 'ImportDefaultSpecifier' ? 'default' : imported.name ?? imported.value;
    return `${local.name}=${MEMBER}(${MODULE},${JSON.stringify(name)},${specifier});`;
  });
  return `{const ${MODULE}=await ${IMPORT}(${specifier},${JSON.stringify({ with: attributes })});${bindings.join('')}}`;
}
