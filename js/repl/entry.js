// An entry of the REPL as a script: what it declares stays, and can be declared again.
//
// `let`, `const` and `class` become `var`; what was declared by `const`, or imported, cannot be assigned to until it is declared again, which
// the entry says by two functions (`session.js`). An entry that awaits or imports becomes `(async()=>{ … })()`, of which the variables are
// declared outside and the last value is returned. The text stays where it is, so that errors have its lines.

const { moduleParser, editedText, findReferences, declaredNames, importModule, requirerOf, syntaxErrorAt } = part('loader').tools;

const PARSING = { ecmaVersion: 'latest', sourceType: 'script', allowAwaitOutsideFunction: true, allowImportExportEverywhere: true, allowHashBang: true };
/** The names by which the code of an entry calls `import`, asks for what it imports by name, and has the module meanwhile. */
const IMPORT = '$trestle_import', MEMBER = '$trestle_member', MODULE = '$trestle_module';
/** Those that make constants of names, and variables of constants. Each gives itself: a `var` is set to it, where there is no expression. */
const CONSTANTS = '$trestle_constants', VARIABLES = '$trestle_variables';
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
 * @param {string} change `CONSTANTS` or `VARIABLES` @param {string[]} names
 */
function changing(change, names) { return `${change}(${names.map((name) => JSON.stringify(name)).join(',')})`; }

/**
 * The names are those that are to be declared before, `declared` all. The code is `before`, the text with its edits, and more; the text is that of the entry
 * behind `lead` units.
 * @typedef {{code: string, names: string[], declared: string[], isAsync: boolean, before: string, edits: [number, number, string][], lead: number}} TransformedEntry
 */

/**
 * @param {string} source @param {string} name of the entry, for errors @param {(name: string) => boolean} isConstant of a name that is declared
 * @returns {TransformedEntry}
 */
function transformEntry(source, name, isConstant) {
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
  /** @type {string[]} */
  const declared = [];
  tree.body.forEach((/** @type {any} */ node, /** @type {number} */ index) => {
    const own = namesIn(node), again = own.filter(isConstant);
    declared.push(...own);
    if (!isAsync) return editPlain(node, edits, own, again);
    names.push(...own);
    editAsync(node, edits, own, again, text);
    if (node.type !== 'ExpressionStatement' || index < tree.body.length - 1) return;
    edits.push([node.expression.start, node.expression.start, 'return{value:('], [node.expression.end, node.expression.end, ')}']);
  });
  // What an entry's functions are called is known from its start.
  const functions = isAsync ? tree.body.filter((/** @type {any} */ node) => node.type === 'FunctionDeclaration').map((/** @type {any} */ node) => node.id.name) : [];
  const edited = editedText(text, edits), before = isAsync ? ASYNC_START + functions.map((/** @type {string} */ one) => `${isConstant(one) ? `${changing(VARIABLES, [one])};` : ''}this.${one}=${one};`).join('') : '';
  // Of a text that says `name = 1` and no more the engine makes no code, so that an error has no place: it is not that text with a comment.
  return { code: isAsync ? `${before}${edited}\n})()` : `${edited}\n//`, names, declared, isAsync, before, edits, lead: text === source ? 0 : 1 };
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

/** @param {any} node a statement @returns {string[]} what it declares for later entries */
function namesIn(node) {
  switch (node.type) {
    case 'ClassDeclaration': case 'FunctionDeclaration': return [node.id.name];
    case 'VariableDeclaration': return declaredNames(node);
    case 'ImportDeclaration': return node.specifiers.map((/** @type {any} */ { local }) => local.name);
    default: return [];
  }
}

/**
 * @param {any} node a statement @param {[number, number, string][]} edits @param {string[]} own what it declares
 * @param {string[]} again of that, what has been a constant
 */
function editPlain(node, edits, own, again) {
  const opened = again.length === 0 ? '' : `${VARIABLES}=${changing(VARIABLES, again)},`;
  if (node.type === 'ClassDeclaration') edits.push([node.start, node.start, `var ${opened}${node.id.name}=`], [node.end, node.end, ';']);
  if (node.type !== 'VariableDeclaration') return;
  const { kind, start, declarations } = node, end = declarations.at(-1).end;
  edits.push([start, start + kind.length, opened === '' ? 'var'.padEnd(kind.length) : `var ${opened}`]);
  if (kind === 'var') return;
  for (const { init, end } of declarations) if (init === null) edits.push([end, end, '=undefined']);
  if (kind === 'const' && own.length > 0) edits.push([end, end, `,${CONSTANTS}=${changing(CONSTANTS, own)}`]);
}

/**
 * @param {any} node a statement @param {[number, number, string][]} edits @param {string[]} own what it declares
 * @param {string[]} again of that, what has been a constant @param {string} text
 */
function editAsync(node, edits, own, again, text) {
  const opened = again.length === 0 ? '' : `${changing(VARIABLES, again)},`;
  switch (node.type) {
    case 'ClassDeclaration': return void edits.push([node.start, node.start, `${opened}${node.id.name}=`], [node.end, node.end, ';']);
    case 'VariableDeclaration': {
      edits.push([node.start, node.start + node.kind.length, `void(${opened}`]);
      const { declarations, kind } = node, { end } = declarations.at(-1);
      for (const { init, end } of declarations) if (init === null) edits.push([end, end, '=undefined']);
      return void edits.push([end, end, `${kind === 'const' && own.length > 0 ? `,${changing(CONSTANTS, own)}` : ''})`]);
    }
    case 'ImportDeclaration':
      return void edits.push([node.start, node.end, importCode(node, own, again) + text.slice(node.start, node.end).replace(/[^\n\r]+/g, '')]);
  }
}

/** @param {any} node an import @param {string[]} own what it declares @param {string[]} again of that, what has been a constant */
function importCode(node, own, again) {
  const attributes = Object.fromEntries((node.attributes ?? []).map((/** @type {any} */ { key, value }) => [key, value]));
  const specifier = JSON.stringify(node.source.value);
  const bindings = node.specifiers.map((/** @type {any} */ { type, local, imported }) => {
    if (type === 'ImportNamespaceSpecifier') return `${local.name}=${MODULE};`;
    const name = type === 'ImportDefaultSpecifier' ? 'default' : imported.name ?? imported.value;
    return `${local.name}=${MEMBER}(${MODULE},${JSON.stringify(name)},${specifier});`;
  });
  const opened = again.length === 0 ? '' : `${changing(VARIABLES, again)};`, closed = own.length === 0 ? '' : `${changing(CONSTANTS, own)};`;
  return `{const ${MODULE}=await ${IMPORT}(${specifier},${JSON.stringify({ with: attributes })});${opened}${bindings.join('')}${closed}}`;
}
