// What native code gives.

/**
 * What makes a row of its values among those of all, by their kind and the names of their columns: code of the scripts' realm.
 * @type {Map<string, (values: any, at: number) => any>}
 */
const rowMakers = new Map();
const MOST_MAKERS = 256, LONGEST_KEY = 1 << 12;

/** @param {any} names @param {boolean} isArrays */
function rowMaker(names, isArrays) {
  const own = [];
  for (let i = 0; i < names.length; i++) own.push(names[i]);
  const key = isArrays ? `${own.length}` : JSON.stringify(own);
  let made = rowMakers.get(key);
  if (made === undefined) {
    // In brackets: the name `__proto__` would be no member.
    const row = isArrays ? `[${own.map((_, i) => `values[at + ${i}]`)}]` : `{ ${own.map((name, i) => `[${JSON.stringify(name)}]: values[at + ${i}]`)} }`;
    made = /** @type {any} */ (new ScriptFunction('values', 'at', `'use strict'; return ${row};`));
    if (rowMakers.size >= MOST_MAKERS) rowMakers.clear();
    if (key.length <= LONGEST_KEY) rowMakers.set(key, /** @type {any} */ (made));
  }
  return /** @type {any} */ (made);
}

/** @param {any} given what native code gives of rows @param {boolean} isArrays @returns {any[]} them, in an array of our own */
function rowsOf(given, isArrays) {
  const count = given[0], names = given[1], values = given[2], width = names.length, makeRow = rowMaker(names, isArrays), rows = [];
  for (let n = 0; n < count; n++) rows.push(makeRow(values, n * width));
  return rows;
}

/** @param {any} given */
function changesOf(given) { return border.publishObject({ changes: given[0], lastInsertRowid: given[1] }); }

/**
 * @param {any} promise of native code's @param {(value: any) => any} make what scripts get of what it comes to
 * @returns {any} a promise of it
 */
function answered(promise, make) {
  const { promise: made, resolve, reject } = deferred();
  settle(promise, (/** @type {any} */ value) => {
    let result;
    try { result = make(value); } catch (error) { return reject(clean(error)); }
    resolve(result);
  }, reject);
  return made;
}

function nothing() {}

/**
 * What a promise of a script's or of native code's comes to, in a box: in itself it is awaited nowhere here.
 * @param {any} promise @returns {Promise<{value: any}>}
 */
function outcome(promise) { return new Promise((resolve, reject) => { settle(promise, (/** @type {any} */ value) => resolve({ value }), reject); }); }

/** @param {string} method @param {any[]} values @param {any} signal @returns {any} a promise */
function call(method, values, signal) {
  const { [method]: made } = native;
  return signal === undefined ? made(...values) : made(...values, signal);
}
