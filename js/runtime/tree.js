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
