// Parsing, by acorn, which the build takes from its own package. Beside what that one knows: attributes of imports.

/** The names of a scope: acorn looks through all of them for each that is declared. It calls `push` and `indexOf`, and asks of the latter whether it is below 0. */
class NameList extends Array {
  /** @type {Set<string> | undefined} */
  #known;

  /** @param {string[]} names */
  push(...names) {
    if (this.length === 8) this.#known = new Set(this);
    for (const name of names) this.#known?.add(name);
    return super.push(...names);
  }

  /** @param {string} name @returns {number} where it is, or some place if there are many */
  indexOf(name) {
    if (this.#known === undefined) return super.indexOf(name);
    return this.#known.has(name) ? 0 : -1;
  }
}

/** @type {any} */
let knownParser;

/** The parser of modules. It is evaluated when the first source is parsed. */
function moduleParser() {
  if (knownParser !== undefined) return knownParser;
  const { Parser, tokTypes } = part('acorn');
  return knownParser = Parser.extend((/** @type {any} */ Base) => class extends Base {
    /**
     * The statement that may have attributes, while it is parsed.
     * @type {any}
     */
    declaration;

    // The engine, which knows more of them, checks regular expressions.
    validateRegExpFlags() {}
    validateRegExpPattern() {}

    /** Where what returns at its top level may: in the body of a function. */
    get allowNewDotTarget() { return this.options.allowReturnOutsideFunction || super.allowNewDotTarget; }

    /** @param {any} flags */
    enterScope(flags) {
      super.enterScope(flags);
      const scope = this.currentScope();
      scope.var = new NameList();
      scope.lexical = new NameList();
      scope.functions = new NameList();
    }

    /** @param {any} node */
    parseImport(node) { return this.withAttributes(node, () => super.parseImport(node)); }

    /** @param {any} node @param {any} exports */
    parseExport(node, exports) { return this.withAttributes(node, () => super.parseExport(node, exports)); }

    /**
     * A statement that names a module: `with { … }` may stand before its end.
     * @param {any} node @param {() => any} parse
     */
    withAttributes(node, parse) {
      this.declaration = node;
      try { return parse(); } finally { this.declaration = undefined; }
    }

    /** The end of a statement. */
    semicolon() {
      const node = this.declaration;
      // Only behind the name of the module, not within a declaration that is exported.
      if (node?.source && node.attributes === undefined && this.type === tokTypes._with) this.parseAttributes(node);
      super.semicolon();
    }

    /** @param {any} node */
    parseAttributes(node) {
      node.attributes = [];
      this.next();
      this.expect(tokTypes.braceL);
      while (!this.eat(tokTypes.braceR)) {
        if (node.attributes.length > 0) {
          this.expect(tokTypes.comma);
          if (this.eat(tokTypes.braceR)) return;
        }
        const { start } = this;
        const key = this.type === tokTypes.string ? this.parseExprAtom().value : this.parseIdent(true).name;
        this.expect(tokTypes.colon);
        if (this.type !== tokTypes.string) this.unexpected();
        const { value } = this.parseExprAtom();
        if (node.attributes.some((/** @type {any} */ known) => known.key === key)) this.raise(start, `the attribute '${key}' is given twice`);
        node.attributes.push({ key, value, start });
      }
    }

    /** @param {any} node */
    parseDynamicImport(node) {
      this.next();
      node.source = this.parseMaybeAssign();
      node.options = null;
      if (this.eat(tokTypes.comma) && this.type !== tokTypes.parenR) {
        node.options = this.parseMaybeAssign();
        this.eat(tokTypes.comma);
      }
      this.expect(tokTypes.parenR);
      return this.finishNode(node, 'ImportExpression');
    }
  });
}

/**
 * Throws a syntax error of the script's, with its place.
 * @param {string} text @param {string} name of the module in stacks
 * @param {'module' | 'script'} goal @returns {any} the tree
 */
function parseSource(text, name, goal) {
  try {
    return moduleParser().parse(text, {
      ecmaVersion: 'latest', sourceType: goal, allowHashBang: true,
      // A script of CommonJS is the body of a function.
      allowReturnOutsideFunction: goal === 'script', allowAwaitOutsideFunction: goal === 'module',
    });
  } catch (error) {
    const { message, loc } = /** @type {any} */ (error);
    if (loc === undefined) throw error;
    throw syntaxErrorAt(message.replace(/ \(\d+:\d+\)$/, ''), name, loc.line, loc.column + 1);
  }
}

/**
 * @param {string} message @param {string} name of the module in stacks @param {number} line @param {number} column both from 1
 */
function syntaxErrorAt(message, name, line, column) {
  return placeError(clean(new ScriptSyntaxError(message)), name, line, column);
}

/** Errors that lie in the text of a module, not in what runs. */
const placedErrors = new WeakSet();

/**
 * Gives it the place in the text that somebody wrote.
 * @param {any} error @param {string} name of the module in stacks @param {number} line @param {number} column both from 1
 */
function placeError(error, name, line, column) {
  placedErrors.add(error);
  let stack = `@${name}:${line}:${column}`;
  if (native.hasSourceMaps()) stack = native.mappedStack(stack);
  define(error, 'stack', stack);
  const [, source, ...place] = /** @type {string[]} */ (/^@(.*):(\d+):(\d+)$/s.exec(stack));
  define(error, 'sourceURL', source);
  define(error, 'line', Number(place[0]));
  define(error, 'column', Number(place[1]));
  return error;
}
