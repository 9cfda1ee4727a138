// Values that stand for all that are of a kind: `expect.any(Number)`.

class Matching {
  #name;
  #test;
  #shown;
  #isNot;

  /** @param {string} name @param {(value: any) => boolean} test @param {string} shown what it is of @param {boolean} [isNot] */
  constructor(name, test, shown, isNot = false) {
    this.#name = name;
    this.#test = test;
    this.#shown = shown;
    this.#isNot = isNot;
  }

  /** @param {any} value */
  matches(value) {
    const test = this.#test;
    return test(value) !== this.#isNot;
  }
  toString() { return `${this.#isNot ? 'not.' : ''}${this.#name}(${this.#shown})`; }
}

/** What tests have of one. */
const { prototype: matchingPrototype } = border.publishInterface('Matching', 0, () => { throw new ScriptTypeError('a value that stands for others is made by expect'); });
/** As others call it. */
define(matchingPrototype, 'asymmetricMatch', exposed(/** @this {any} @param {any} value */ function asymmetricMatch(value) { return requireMatching(this).matches(value); }));
define(matchingPrototype, 'toString', exposed(/** @this {any} */ function toString() { return requireMatching(this).toString(); }));

/** @param {any} value @returns {Matching | undefined} what stands behind it, if it is one */
function matchingOf(value) {
  const found = implantOf(value);
  return found instanceof Matching ? found : undefined;
}

/** @param {any} value */
function requireMatching(value) {
  const found = matchingOf(value);
  if (found === undefined) throw new ScriptTypeError('expected to be called on what expect has made');
  return found;
}

/**
 * @param {string} name @param {(value: any) => boolean} test @param {string} shown @param {boolean} [isNot] @returns {any}
 */
function makeMatching(name, test, shown, isNot) { return makeInstance(matchingPrototype, new Matching(name, test, shown, isNot)); }

/** @param {any} value @param {string} tag */
function isBoxed(value, tag) { return isObject(value) && tagOf(value) === tag; }

/** @param {any} type a constructor @param {any} value */
function isOfType(type, value) {
  switch (type) {
    case ScriptNumber: return typeof value === 'number' || isBoxed(value, 'Number');
    case ScriptString: return typeof value === 'string' || isBoxed(value, 'String');
    case ScriptBoolean: return typeof value === 'boolean' || isBoxed(value, 'Boolean');
    case ScriptBigInt: return typeof value === 'bigint';
    case ScriptSymbol: return typeof value === 'symbol';
    case ScriptFunction: return typeof value === 'function';
    case ScriptObject: return typeof value === 'object' && value !== null;
    case ScriptArray: return Array.isArray(value);
    default: return value instanceof type;
  }
}

/** @param {number} value @param {number} expected @param {number} digits behind the point that count */
function isClose(value, expected, digits) {
  return Object.is(value, expected) || (Math.abs(value) === Infinity ? value === expected : Math.abs(value - expected) < 10 ** -digits / 2);
}

/** @param {string} what @param {string} kind @param {boolean} isRight @param {any} value */
function requireArgument(what, kind, isRight, value) {
  if (!isRight) throw new ScriptTypeError(`${what}: expected ${kind}, got ${brief(value)}`);
}

/** @param {string} what @param {any} options @param {string[]} names of the members that there are */
function requireOptions(what, options, names) {
  requireArgument(what, `{ ${names.join(', ')} }`, typeof options === 'object' && options !== null, options);
  const unknown = keysOf(options).find((key) => !names.includes(/** @type {string} */ (key)));
  if (unknown !== undefined) throw new ScriptTypeError(`${what}: there is no option '${String(unknown)}', only ${names.join(', ')}`);
}

/** @param {boolean} isNot @returns {Record<string, (...values: any[]) => any>} those that `expect` has, and `expect.not` */
function matchingsOf(isNot) {
  const make = (/** @type {string} */ name, /** @type {(value: any) => boolean} */ test, /** @type {string} */ shown) => makeMatching(name, test, shown, isNot);
  return {
    arrayContaining(items) {
      requireArgument('expect.arrayContaining', 'an array', Array.isArray(items), items);
      return make('arrayContaining', (value) => Array.isArray(value) && ownList(items).every((/** @type {any} */ item) => ownList(value).some((other) => equals(other, item))), brief(items));
    },
    objectContaining(members) {
      requireArgument('expect.objectContaining', 'an object', isObject(members), members);
      return make('objectContaining', (value) => isObject(value) && keysOf(members).every((key) => key in value && equals(value[key], members[key])), brief(members));
    },
    stringContaining(text) {
      requireArgument('expect.stringContaining', 'a string', typeof text === 'string', text);
      return make('stringContaining', (value) => typeof value === 'string' && value.includes(text), brief(text));
    },
    stringMatching(pattern) {
      requireArgument('expect.stringMatching', 'a string or a regular expression', typeof pattern === 'string' || isRegExp(pattern), pattern);
      return make('stringMatching', (value) => typeof value === 'string' && new RegExp(pattern).test(value), brief(pattern));
    },
    closeTo(expected, digits = 2) {
      requireArgument('expect.closeTo', 'a number', typeof expected === 'number', expected);
      requireArgument('expect.closeTo', 'a number of digits', typeof digits === 'number', digits);
      return make('closeTo', (value) => typeof value === 'number' && isClose(value, expected, digits), `${expected}, ${digits}`);
    },
  };
}

const matchings = {
  ...matchingsOf(false),
  any(/** @type {any} */ type) {
    requireArgument('expect.any', 'a constructor', typeof type === 'function', type);
    return makeMatching('any', (value) => isOfType(type, value), type.name);
  },
  anything() { return makeMatching('anything', (value) => value !== null && value !== undefined, ''); },
  not: matchingsOf(true),
};
