// When two values are equal: by what they hold, not by identity.

/**
 * @typedef {{isStrict: boolean, pairs: [any, any][]}} Comparison strict: classes, holes and members that are undefined count
 */

/** @param {any} one @param {any} other @param {boolean} [isStrict] */
function equals(one, other, isStrict = false) { return same(one, other, { isStrict, pairs: [] }); }

/** @param {any} one @param {any} other @param {Comparison} comparison @returns {boolean} */
function same(one, other, comparison) {
  const matching = matchingOf(other), ownMatching = matchingOf(one);
  if (matching !== undefined) return matching.matches(one);
  if (ownMatching !== undefined) return ownMatching.matches(other);
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const tag = tagOf(one);
  if (tag !== tagOf(other)) return false;
  if (comparison.isStrict && Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  // What refers to itself is the same if it does so in the same way.
  for (const [first, second] of comparison.pairs) if (first === one || second === other) return first === one && second === other;
  comparison.pairs.push([one, other]);
  try { return sameObjects(one, other, tag, comparison); } finally { comparison.pairs.pop(); }
}

/** @param {any} one @param {any} other @param {string} tag @param {Comparison} comparison @returns {boolean} */
function sameObjects(one, other, tag, comparison) {
  switch (tag) {
    case 'Date': return Object.is(Date.prototype.getTime.call(one), Date.prototype.getTime.call(other));
    case 'RegExp': return String(one) === String(other) && one.lastIndex === other.lastIndex;
    case 'Boolean': case 'Number': case 'String': case 'Symbol': case 'BigInt': return Object.is(one.valueOf(), other.valueOf());
    // What they hold cannot be seen.
    case 'Promise': case 'WeakMap': case 'WeakSet': case 'WeakRef': case 'Blob': case 'File': case 'ReadableStream': case 'WritableStream': case 'TransformStream': case 'Worker':
      return false;
    case 'URLSearchParams': return sameList([...one], [...other], comparison) && sameMembers(one, other, comparison);
    case 'ArrayBuffer': return sameList(new Uint8Array(one), new Uint8Array(other), comparison);
    case 'DataView': return sameList(new Uint8Array(one.buffer, one.byteOffset, one.byteLength), new Uint8Array(other.buffer, other.byteOffset, other.byteLength), comparison);
    case 'Map': return sameEntries(entriesOf(one), entriesOf(other), comparison) && sameMembers(one, other, comparison);
    case 'Set': return sameElements(elementsOf(one), elementsOf(other), comparison) && sameMembers(one, other, comparison);
  }
  if (isError(one) && isError(other)) return sameErrors(one, other, comparison);
  if (ArrayBuffer.isView(one)) return sameList(/** @type {any} */ (one), other, comparison);
  if (Array.isArray(one) && one.length !== other.length) return false;
  return attributesOf(one).every((key) => same(one[key], other[key], comparison)) && sameMembers(one, other, comparison);
}

/** @param {ArrayLike<any>} one @param {ArrayLike<any>} other @param {Comparison} comparison */
function sameList(one, other, comparison) {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (!same(one[i], other[i], comparison)) return false;
  return true;
}

/** @param {[any, any][]} one @param {[any, any][]} other @param {Comparison} comparison */
function sameEntries(one, other, comparison) {
  if (one.length !== other.length) return false;
  const left = new Map(other);
  for (const [key, value] of one) {
    if (left.has(key)) {
      if (!same(value, left.get(key), comparison)) return false;
      left.delete(key);
      continue;
    }
    const found = [...left].find(([otherKey, otherValue]) => isObject(otherKey) && same(key, otherKey, comparison) && same(value, otherValue, comparison));
    if (found === undefined) return false;
    left.delete(found[0]);
  }
  return true;
}

/** @param {any[]} one @param {any[]} other @param {Comparison} comparison */
function sameElements(one, other, comparison) {
  if (one.length !== other.length) return false;
  const left = new Set(other);
  for (const value of one) {
    if (left.delete(value)) continue;
    const found = [...left].find((item) => isObject(item) && same(value, item, comparison));
    if (found === undefined) return false;
    left.delete(found);
  }
  return true;
}

/** @param {any} one @param {any} other @param {Comparison} comparison */
function sameErrors(one, other, comparison) {
  if (one.name !== other.name || one.message !== other.message) return false;
  return same(one.cause, other.cause, comparison) && same(one.errors, other.errors, comparison) && sameMembers(one, other, comparison);
}

/** What the engine puts on errors. */
const placeOfError = new Set(['line', 'column', 'sourceURL', 'stack']);

/** @param {any} one @param {any} other @param {Comparison} comparison */
function sameMembers(one, other, comparison) {
  const isOfErrors = isError(one);
  const keys = (/** @type {any} */ object) => keysOf(object).filter((key) => (comparison.isStrict || object[key] !== undefined) && !(isOfErrors && placeOfError.has(String(key))));
  const own = keys(one), others = keys(other);
  if (own.length !== others.length) return false;
  return own.every((key) => Object.prototype.hasOwnProperty.call(other, key) && same(one[key], other[key], comparison));
}

/**
 * Whether all that `expected` has is in `value`, too.
 * @param {any} value @param {any} expected @param {any[]} [parents] @returns {boolean}
 */
function containsMembers(value, expected, parents = []) {
  if (matchingOf(expected) !== undefined || typeof expected !== 'object' || expected === null) return equals(value, expected);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(expected)) {
    return Array.isArray(value) && value.length === expected.length && ownList(expected).every((item, index) => containsMembers(value[index], item, parents));
  }
  if (tagOf(expected) !== 'Object' || isError(expected)) return equals(value, expected);
  if (parents.includes(expected)) return true;
  return keysOf(expected).every((key) => key in value && containsMembers(value[key], expected[key], [...parents, expected]));
}
