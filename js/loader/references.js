// Finds what a module's body says of its imports, whatever stands between: names are shadowed by parameters, declarations and such.

/**
 * How an import, or the `arguments` of no function, is mentioned: called, called where a statement begins, as `{name}`, or any other way.
 * @typedef {'call' | 'statement' | 'shorthand' | 'value'} ReferenceStyle
 * @typedef {{imports: {has(name: string): boolean}, reference(node: any, style: ReferenceStyle): void, meta(node: any): void,
 *   dynamicImport(node: any): void, awaits(node: any, isFirst: boolean): void, awaitsEach(node: any, visit: (child: any) => void): void,
 *   less(node: any): void}} ReferenceVisitor
 * @typedef {{names: Set<string>, outer: Scope | undefined}} Scope
 */

/** @param {any} tree of a module @param {ReferenceVisitor} visitor */
function findReferences(tree, visitor) { new ReferenceFinder(visitor).list(tree.body, undefined, true); }

class ReferenceFinder {
  /** @param {ReferenceVisitor} visitor */
  constructor(visitor) { this.visitor = visitor; }

  /** @param {any} node an identifier @param {Scope | undefined} scope @param {ReferenceStyle} style */
  refer(node, scope, style) {
    if (node.name !== 'arguments' && !this.visitor.imports.has(node.name)) return;
    for (let at = scope; at !== undefined; at = at.outer) if (at.names.has(node.name)) return;
    this.visitor.reference(node, style);
  }

  /**
   * Statements that follow each other.
   * @param {any[]} statements @param {Scope | undefined} scope @param {boolean} isTop not within a function
   */
  list(statements, scope, isTop) {
    for (const statement of statements) {
      const first = statement.type === 'ExpressionStatement' ? firstPart(statement.expression) : undefined;
      this.visit(statement, scope, isTop, first?.start === statement.start ? first : undefined);
    }
  }

  /** @param {any} node @param {Scope | undefined} scope @param {boolean} isTop @param {any} [first] what the statement begins with @returns {void} */
  visit(node, scope, isTop, first) {
    if (node === null) return;
    switch (node.type) {
      case 'ImportDeclaration': case 'ExportAllDeclaration': case 'BreakStatement': case 'ContinueStatement': return;
      case 'ExportNamedDeclaration': return this.visit(node.declaration, scope, isTop);
      case 'Identifier': return this.refer(node, scope, 'value');
      case 'MetaProperty':
        if (node.meta.name === 'import') this.visitor.meta(node);
        return;
      case 'ImportExpression':
        this.visitor.dynamicImport(node);
        break;
      case 'AwaitExpression':
        if (isTop) this.visitor.awaits(node, node === first);
        break;
      case 'BinaryExpression':
        if (node.operator === '<') this.visitor.less(node);
        break;
      case 'MemberExpression':
        this.visit(node.object, scope, isTop, first);
        if (node.computed) this.visit(node.property, scope, isTop);
        return;
      case 'CallExpression':
      case 'TaggedTemplateExpression': {
        const callee = node.callee ?? node.tag;
        if (callee.type === 'Identifier') this.refer(callee, scope, callee === first ? 'statement' : 'call');
        else this.visit(callee, scope, isTop, first);
        if (node.quasi) return this.visit(node.quasi, scope, isTop);
        for (const argument of node.arguments) this.visit(argument, scope, isTop);
        return;
      }
      case 'Property': return this.property(node, scope, isTop);
      case 'MethodDefinition':
      case 'PropertyDefinition':
        if (node.computed) this.visit(node.key, scope, isTop);
        return this.visit(node.value, scope, false);
      case 'StaticBlock': return this.list(node.body, functionScope(node.body, scope), false);
      case 'LabeledStatement':
        // An `await` of the loop stands before its labels.
        if (/^(?:Labeled|ForOf)Statement$/.test(node.body.type)) node.body.labelStart = node.labelStart ?? node.start;
        return this.visit(node.body, scope, isTop);
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression': return this.callable(node, scope);
      case 'ClassDeclaration':
      case 'ClassExpression': {
        const inner = node.id ? { names: new Set([node.id.name]), outer: scope } : scope;
        this.visit(node.superClass, inner, isTop);
        for (const member of node.body.body) this.visit(member, inner, isTop);
        return;
      }
      case 'BlockStatement': return this.list(node.body, blockScope(node.body, scope), isTop);
      case 'SwitchStatement': {
        this.visit(node.discriminant, scope, isTop);
        const inner = blockScope(node.cases.flatMap((/** @type {any} */ one) => one.consequent), scope);
        for (const one of node.cases) {
          this.visit(one.test, inner, isTop);
          this.list(one.consequent, inner, isTop);
        }
        return;
      }
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement': {
        const inner = blockScope([node.init ?? node.left].filter(Boolean), scope);
        if (node.await && isTop) return this.visitor.awaitsEach(node, (/** @type {any} */ child) => this.visit(child, inner, isTop));
        for (const child of [node.init, node.test, node.update, node.left, node.right, node.body]) if (child) this.visit(child, inner, isTop);
        return;
      }
      case 'CatchClause': {
        const inner = { names: new Set(patternNames(node.param)), outer: scope };
        if (node.param) this.pattern(node.param, inner, isTop);
        return this.visit(node.body, inner, isTop);
      }
      case 'VariableDeclarator':
        this.pattern(node.id, scope, isTop);
        return this.visit(node.init, scope, isTop);
    }
    this.children(node, scope, isTop, first);
  }

  /** @param {any} node @param {Scope | undefined} scope @param {boolean} isTop @param {any} [first] */
  children(node, scope, isTop, first) {
    for (const key of Object.keys(node)) {
      const child = node[key];
      if (Array.isArray(child)) {
        for (const one of child) if (typeof one?.type === 'string') this.visit(one, scope, isTop, first);
      } else if (typeof child?.type === 'string') this.visit(child, scope, isTop, first);
    }
  }

  /** @param {any} node @param {Scope | undefined} scope @param {boolean} isTop @returns {void} */
  property(node, scope, isTop) {
    if (node.computed) this.visit(node.key, scope, isTop);
    if (!node.shorthand) return this.visit(node.value, scope, isTop);
    // `{name}`, or `{name = value}` of an assignment.
    const { value } = node;
    this.refer(value.type === 'AssignmentPattern' ? value.left : value, scope, 'shorthand');
    if (value.type === 'AssignmentPattern') this.visit(value.right, scope, isTop);
  }

  /** @param {any} node a function @param {Scope | undefined} outer */
  callable(node, outer) {
    const parameters = { names: new Set(node.params.flatMap(patternNames)), outer };
    if (node.type === 'FunctionExpression' && node.id) parameters.names.add(node.id.name);
    if (node.type !== 'ArrowFunctionExpression') parameters.names.add('arguments');
    // What the body declares is not seen there.
    for (const parameter of node.params) this.pattern(parameter, parameters, false);
    if (node.body.type !== 'BlockStatement') return this.visit(node.body, parameters, false);
    this.list(node.body.body, functionScope(node.body.body, parameters), false);
  }

  /**
   * What is declared: of it but values and computed names can mention an import.
   * @param {any} node @param {Scope | undefined} scope @param {boolean} isTop @returns {void}
   */
  pattern(node, scope, isTop) {
    switch (node?.type) {
      case 'AssignmentPattern':
        this.pattern(node.left, scope, isTop);
        return this.visit(node.right, scope, isTop);
      case 'RestElement': return this.pattern(node.argument, scope, isTop);
      case 'ArrayPattern':
        for (const element of node.elements) this.pattern(element, scope, isTop);
        return;
      case 'ObjectPattern':
        for (const property of node.properties) {
          if (property.computed) this.visit(property.key, scope, isTop);
          this.pattern(property.value ?? property.argument, scope, isTop);
        }
    }
  }
}

/**
 * What an expression begins with, if that is a name that is called, or an `await`: the parenthesis that stands there then would go on
 * with the line before.
 * @param {any} expression
 */
function firstPart(expression) {
  for (let at = expression; at; ) {
    switch (at.type) {
      case 'CallExpression':
        if (at.callee.type === 'Identifier') return at.callee;
        at = at.callee;
        break;
      case 'TaggedTemplateExpression':
        if (at.tag.type === 'Identifier') return at.tag;
        at = at.tag;
        break;
      case 'AwaitExpression': return at;
      case 'MemberExpression': at = at.object; break;
      case 'ChainExpression': at = at.expression; break;
      case 'BinaryExpression': case 'LogicalExpression': case 'AssignmentExpression': at = at.left; break;
      case 'SequenceExpression': at = at.expressions[0]; break;
      case 'ConditionalExpression': at = at.test; break;
      case 'UpdateExpression': at = at.prefix ? undefined : at.argument; break;
      default: return undefined;
    }
  }
}

/** @param {any} node a pattern @returns {string[]} what it declares */
function patternNames(node) {
  switch (node?.type) {
    case 'Identifier': return [node.name];
    case 'AssignmentPattern': return patternNames(node.left);
    case 'RestElement': return patternNames(node.argument);
    case 'ArrayPattern': return node.elements.flatMap(patternNames);
    case 'ObjectPattern': return node.properties.flatMap((/** @type {any} */ property) => patternNames(property.value ?? property.argument));
    default: return [];
  }
}

/** @param {any} node a declaration @returns {string[]} */
function declaredNames(node) {
  return node.type === 'VariableDeclaration' ? node.declarations.flatMap((/** @type {any} */ one) => patternNames(one.id)) : [node.id.name];
}

/** @param {any[]} statements @param {Scope | undefined} outer @returns {Scope} */
function blockScope(statements, outer) {
  const names = new Set();
  for (const statement of statements) {
    const { type, kind } = statement;
    const isScoped = type === 'VariableDeclaration' ? kind !== 'var' : type === 'ClassDeclaration' || type === 'FunctionDeclaration';
    if (isScoped) for (const name of declaredNames(statement)) names.add(name);
  }
  return { names, outer };
}

/** @param {any[]} statements @param {Scope | undefined} outer @returns {Scope} */
function functionScope(statements, outer) {
  const scope = blockScope(statements, outer);
  for (const statement of statements) addVariables(statement, scope.names);
  return scope;
}

/**
 * Those that `var` declares, however deep in blocks.
 * @param {any} node @param {Set<string>} names
 */
function addVariables(node, names) {
  if (node.type === 'VariableDeclaration' && node.kind === 'var') for (const name of declaredNames(node)) names.add(name);
  // Nothing but statements holds declarations of this function's.
  const { body, consequent, alternate, block, handler, finalizer, cases, init, left } = node;
  if (!/Statement$|^(?:SwitchCase|CatchClause)$/.test(node.type)) return;
  for (const child of [body, consequent, alternate, block, handler, finalizer, cases, init, left].flat()) if (child) addVariables(child, names);
}
