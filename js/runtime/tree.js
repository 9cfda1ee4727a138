// The general encoder: values of any shape and size. It first reads and checks everything, which may run the script's
// own getters and proxies, into a list of tokens of its own; then writes, during which no foreign code runs.

/** Nesting beyond this is an error; native code has a limit of its own. */
const MAXIMUM_DEPTH = native.nestingLimit;
const MOST_WORDS = native.messageLimit / 4;

/** What a tree does not fit: carries where to the one who knows the method's name. */
class Mismatch {
  /** @param {any[]} keys @param {string} expected @param {string} got */
  constructor(keys, expected, got) {
    this.keys = keys;
    this.expected = expected;
    this.got = got;
  }
}

/** Collects tokens: pairs of a tag and its operand, a number, string, bigint or side value. */
class Tree {
  constructor() {
    /** @type {any[]} */
    this.tags = [];
    /** @type {any[]} */
    this.operands = [];
    /** @type {any[]} */
    this.keys = [];
    /** @type {any[]} */
    this.parents = [];
    this.words = 0;
    this.depth = 0;
    /**
     * The call that it is sent with, where that is tracked.
     * @type {Origin | undefined}
     */
    this.origin = undefined;
  }

  /** @param {number} tag @param {any} operand @param {number} words */
  put(tag, operand, words) {
    const index = this.tags.length;
    this.tags[index] = tag;
    this.operands[index] = operand;
    this.words += words;
    // At once: a proxy may have members without end.
    if (this.words > MOST_WORDS) throw tooLarge('a message', native.messageLimit, this.words * 4);
  }

  /** @param {string} value */
  putString(value) {
    if (value.length > LONGEST_INLINE_STRING) {
      checkLength(value.length);
      this.put(TAG_LONG_STRING, value, 2);
    } else this.put(TAG_STRING, value, 4 + (value.length >> 1) + 2);
  }

  /** @param {Schema} schema @param {any} value @returns {never} */
  fail(schema, value) { return this.failWith(schema.expected, describeValue(value)); }

  /** @param {string} expected @param {string} got @returns {never} */
  failWith(expected, got) {
    throw new Mismatch(this.keys.slice(0, this.depth), expected, got);
  }

  /**
   * Steps into a container, whose children `visit` adds.
   * @param {any} value @param {() => void} visit
   */
  enter(value, visit) {
    const depth = this.depth;
    if (depth === MAXIMUM_DEPTH) this.failWith(`at most ${MAXIMUM_DEPTH} levels of nesting`, 'more');
    for (let i = 0; i < depth; i++) if (this.parents[i] === value) this.failWith('a value without cycles', 'a cycle');
    this.parents[depth] = value;
    this.depth = depth + 1;
    visit();
    this.depth = depth;
  }

  /** @param {any} key @param {Schema} schema @param {any} value */
  child(key, schema, value) {
    this.keys[this.depth - 1] = key;
    encodeTree(this, schema, value);
  }

  /** @param {Member} member @param {any} value */
  member({ name, schema, optional }, value) {
    if (optional && value === undefined) this.put(TAG_UNDEFINED, 0, 2);
    else this.child(name, schema, value);
  }
}

const setForEach = Set.prototype.forEach;

/**
 * A proxy of an array may answer anything for its length.
 * @param {Tree} tree @param {any} value an array
 */
function lengthOfArray(tree, value) {
  const { length } = value;
  if (typeof length !== 'number' || length >>> 0 !== length) tree.failWith('an array', 'a proxy of one without a length');
  return length;
}

/** @type {Record<string, (tree: Tree, schema: Schema, value: any) => void>} */
const treeEncoders = {
  __proto__: /** @type {any} */ (null),
  bool(tree, schema, value) {
    if (typeof value !== 'boolean') tree.fail(schema, value);
    tree.put(TAG_BOOL, value ? 1 : 0, 2);
  },
  number(tree, schema, value) {
    if (typeof value !== 'number') tree.fail(schema, value);
    tree.put(TAG_NUMBER, value, 4);
  },
  duration(tree, schema, value) {
    if (typeof value !== 'number' || value - value !== 0) tree.fail(schema, value);
    tree.put(TAG_NUMBER, value, 4);
  },
  integer(tree, schema, value) {
    if (!isInteger(schema, value)) tree.fail(schema, value);
    if (typeof value === 'bigint') tree.put(value < 0n ? TAG_BIGINT : TAG_BIGUINT, value, 4);
    else tree.put(TAG_NUMBER, value, 4);
  },
  string(tree, schema, value) {
    if (typeof value !== 'string') tree.fail(schema, value);
    tree.putString(value);
  },
  enumeration(tree, schema, value) {
    const allowed = /** @type {any[]} */ (schema.allowed);
    // Native knows the raw values of some enumerations only by trying.
    let found = allowed.length === 0 && (typeof value === 'string' || typeof value === 'number');
    for (let i = 0; i < allowed.length; i++) if (allowed[i] === value) found = true;
    if (!found) tree.fail(schema, value);
    if (typeof value === 'string') tree.putString(value);
    else tree.put(TAG_NUMBER, value, 4);
  },
  optional(tree, schema, value) {
    if (value === undefined || value === null) tree.put(value === null ? TAG_NULL : TAG_UNDEFINED, 0, 2);
    else encodeTree(tree, /** @type {Schema} */ (schema.of), value);
  },
  array(tree, schema, value) {
    if (!isArray(value)) tree.fail(schema, value);
    const length = lengthOfArray(tree, value);
    tree.put(TAG_ARRAY, length, 2);
    tree.enter(value, () => {
      for (let i = 0; i < length; i++) tree.child(i, /** @type {Schema} */ (schema.of), value[i]);
    });
  },
  set(tree, schema, value) {
    if (isArray(value)) return treeEncoders.array(tree, schema, value);
    /** @type {any[]} */
    const elements = [];
    try { setForEach.call(value, (/** @type {any} */ element) => { elements.push(element); }); } catch { tree.fail(schema, value); }
    treeEncoders.array(tree, schema, elements);
  },
  dictionary(tree, schema, value) {
    if (!isPlainObject(value)) tree.fail(schema, value);
    encodeMembers(tree, value, /** @type {Schema} */ (schema.of));
  },
  record(tree, schema, value) {
    if (typeof value !== 'object' || value === null || isArray(value)) tree.fail(schema, value);
    const shape = shapeOf(/** @type {number} */ (schema.id));
    tree.put(TAG_RECORD, schema.id, 2);
    tree.enter(value, () => {
      for (let i = 0; i < shape.length; i++) tree.member(shape[i], value[shape[i].name]);
    });
  },
  union(tree, schema, value) {
    if (typeof value !== 'object' || value === null || isArray(value)) tree.fail(schema, value);
    const discriminator = /** @type {string} */ (schema.discriminator);
    const name = value[discriminator];
    const cases = unionCases(/** @type {number} */ (schema.id));
    for (let i = 0; i < cases.length; i++) {
      if (cases[i].name !== name) continue;
      const members = cases[i].members;
      tree.put(TAG_OBJECT, members.length + 1, 2);
      tree.putString(discriminator);
      tree.putString(name);
      tree.enter(value, () => {
        for (let k = 0; k < members.length; k++) {
          tree.putString(members[k].name);
          tree.member(members[k], value[members[k].name]);
        }
      });
      return;
    }
    tree.keys[tree.depth] = discriminator;
    tree.depth++;
    tree.failWith(caseNames(cases), describeValue(name));
  },
  date(tree, schema, value) {
    let time = NaN;
    try { time = dateGetTime.call(value); } catch { tree.fail(schema, value); }
    if (time !== time) tree.failWith(schema.expected, 'invalid Date');
    tree.put(TAG_DATE, time, 4);
  },
  data(tree, schema, value) {
    if (binaryKind(value) === undefined || isDetached(value)) tree.fail(schema, value);
    putBinary(tree, value);
  },
  numbers(tree, schema, value) {
    if (isArray(value)) return treeEncoders.array(tree, schema, value);
    if (binaryKind(value) === undefined || isDetached(value)) tree.fail(schema, value);
    const { kind } = binaryPart(value);
    // Bytes are also taken from what has no element type of its own.
    if (kind !== schema.elements && !(schema.elements === 0 && (kind === CLAMPED || kind === ARRAY_BUFFER))) tree.fail(schema, value);
    putBinary(tree, value);
  },
  function(tree, schema, value) {
    if (typeof value !== 'function') tree.fail(schema, value);
    tree.put(TAG_REFERENCE, value, 2);
  },
  scriptObject(tree, schema, value) {
    if (!isObject(value)) tree.fail(schema, value);
    tree.put(TAG_REFERENCE, value, 2);
  },
  shared(tree, schema, value) {
    const handle = handleOf(value);
    if (handle === undefined || handle.classID !== schema.id || handle.number === 0) tree.fail(schema, value);
    tree.put(TAG_SHARED, handle, 2);
  },
  sequence(tree, schema, value) {
    const begin = typeof value === 'object' && value !== null ? value[Symbol.asyncIterator] ?? value[Symbol.iterator] : undefined;
    if (typeof begin !== 'function') tree.fail(schema, value);
    tree.put(TAG_REFERENCE, pullerOf(value, begin), 2);
  },
  json: (tree, schema, value) => encodeAnything(tree, schema, value),
  codable: (tree, schema, value) => encodeAnything(tree, schema, value),
  void: (tree) => tree.put(TAG_UNDEFINED, 0, 2),
};

/** @param {Tree} tree @param {Schema} schema @param {any} value */
function encodeTree(tree, schema, value) {
  const encode = treeEncoders[schema.kind];
  if (encode === undefined) tree.fail(schema, value);
  encode(tree, schema, value);
}

/** @param {{name: string}[]} cases */
function caseNames(cases) {
  return cases.map(({ name }) => JSON.stringify(name)).join(' | ');
}

/** @param {Schema} schema @param {any} value */
function isInteger(schema, value) {
  if (schema.big) return isBigInteger(value, schema.low === 0);
  if (typeof value !== 'number' || value % 1 !== 0) return false;
  return value >= /** @type {number} */ (schema.low) && value <= /** @type {number} */ (schema.high);
}

/**
 * Whether it is a whole number that is exact, or a BigInt, of 64 bits.
 * @param {any} value @param {boolean} unsigned
 */
function isBigInteger(value, unsigned) {
  if (typeof value === 'number') return Number.isSafeInteger(value) && (!unsigned || value >= 0);
  if (typeof value !== 'bigint') return false;
  return unsigned ? value >= 0n && value <= 0xFFFF_FFFF_FFFF_FFFFn
    : value >= -0x8000_0000_0000_0000n && value <= 0x7FFF_FFFF_FFFF_FFFFn;
}

/** @param {any} value */
function isPlainObject(value) {
  return typeof value === 'object' && value !== null && !isArray(value) && binaryKind(value) === undefined && !isDate(value);
}

/**
 * Binary data travels beside the buffer: what kind it is, where it starts and how long it is.
 * @param {Tree} tree @param {any} value
 */
function putBinary(tree, value) { tree.put(TAG_BINARY, binaryPart(value), 6); }

/**
 * The own enumerable members of an object; those that are `undefined` are left out.
 * @param {Tree} tree @param {any} value @param {Schema} schema of the members
 */
function encodeMembers(tree, value, schema) {
  const start = tree.tags.length;
  tree.put(TAG_OBJECT, 0, 2);
  let count = 0;
  tree.enter(value, () => {
    const keys = Object.keys(value);
    for (let i = 0; i < keys.length; i++) {
      const member = value[keys[i]];
      if (member === undefined) continue;
      count++;
      tree.putString(keys[i]);
      tree.child(keys[i], schema, member);
    }
  });
  tree.operands[start] = count;
}

/**
 * A value that no schema describes.
 * @param {Tree} tree @param {Schema} schema @param {any} value
 */
function encodeAnything(tree, schema, value) {
  switch (typeof value) {
    case 'undefined': return tree.put(TAG_UNDEFINED, 0, 2);
    case 'boolean': return tree.put(TAG_BOOL, value ? 1 : 0, 2);
    case 'number': return tree.put(TAG_NUMBER, value, 4);
    case 'string': return tree.putString(value);
    case 'bigint':
      if (value < -0x8000_0000_0000_0000n || value > 0xFFFF_FFFF_FFFF_FFFFn) tree.failWith('a 64-bit integer', describeValue(value));
      return tree.put(value < 0n ? TAG_BIGINT : TAG_BIGUINT, value, 4);
    case 'symbol':
    case 'function': return tree.fail(schema, value);
  }
  if (value === null) return tree.put(TAG_NULL, 0, 2);
  if (isArray(value)) return treeEncoders.array(tree, { kind: 'array', expected: 'array', of: schema }, value);
  const isBinary = binaryKind(value) !== undefined;
  if (schema.kind === 'json' && (isBinary || isDate(value)) || isBinary && isDetached(value)) tree.fail(schema, value);
  if (isBinary) return putBinary(tree, value);
  if (isDate(value)) return treeEncoders.date(tree, schema, value);
  if (isError(value)) return encodeError(tree, value);
  const handle = handleOf(value);
  if (handle !== undefined) return schema.kind === 'json' ? tree.fail(schema, value) : tree.put(TAG_SHARED, handle, 2);
  encodeMembers(tree, value, schema);
}
