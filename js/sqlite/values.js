// `SQLite`: databases, over calls of native code that take the SQL, the values and the transaction that they belong to. What native code
// gives is of the scripts' realm: nothing here awaits it, and its arrays are read by index alone.

/** @type {InterfaceTools} */
const { defineInterface } = runtime.part('interfaces');
const { deferred } = border;

// Values on their way to native code.

const LEAST_INTEGER = -0x8000_0000_0000_0000n, GREATEST_INTEGER = 0x7FFF_FFFF_FFFF_FFFFn;

/** @param {any} value */
function isBytes(value) {
  return isObject(value) && (isView(value) || attempt(() => arrayBufferByteLength(value)) !== undefined);
}

/**
 * A value that a database can have, exactly as it is.
 * @param {any} value @param {() => string} place
 */
function checkValue(value, place) {
  const fail = (/** @type {string} */ got) => { throw argumentError(`${place()}: expected null, number, bigint, string or bytes, got ${got}`); };
  switch (typeof value) {
    case 'number':
      if (value !== value) fail('NaN');
      return value;
    case 'bigint':
      if (value < LEAST_INTEGER || value > GREATEST_INTEGER) fail(`bigint ${value}, which has more than 64 bits`);
      return value;
    case 'string':
      if (!value.isWellFormed()) fail('a string with half of a surrogate pair');
      return value;
    default:
      if (value !== null && !isBytes(value)) fail(runtime.describeValue(value));
      return value;
  }
}

/** @param {any} sql @param {string} title */
function checkSQL(sql, title) {
  if (typeof sql !== 'string') throw argumentError(`${title}, argument 1 'sql': expected string, got ${runtime.describeValue(sql)}`);
  if (!sql.isWellFormed()) throw argumentError(`${title}, argument 1 'sql': half of a surrogate pair`);
  const nul = sql.indexOf('\0');
  if (nul < 0) return sql;
  const before = sql.substring(0, nul).split('\n');
  throw argumentError(`${title}, argument 1 'sql': a NUL character (line ${before.length}, column ${before[before.length - 1].length + 1})`);
}

/**
 * The signal behind the values of a call, if there is one, and the values for native code: in their order, or with their names.
 * @param {any[]} given @param {string} title
 * @returns {{values: [string[] | null, any[]], signal: any}}
 */
function readValues(given, title) {
  const last = given.length > 0 ? given[given.length - 1] : undefined;
  const signal = isObject(last) && !isBytes(last) && !isArray(last) && runtime.part('signals').isSignal(last) ? given.pop() : undefined;
  const first = given.length === 1 ? given[0] : undefined;
  if (isArray(first)) {
    const { length } = first, copy = [];
    for (let i = 0; i < length; i++) copy.push(first[i]);
    given = copy;
  } else if (typeof first === 'object' && first !== null && !isBytes(first)) {
    if (attempt(() => dateGetTime(first)) !== undefined) checkValue(first, () => `${title}, value 1`);
    const names = Object.keys(first);
    return { values: [names, names.map((name) => checkValue(first[name], () => `${title}, value '${name}'`))], signal };
  }
  return { values: [null, given.map((value, i) => checkValue(value, () => `${title}, value ${i + 1}`))], signal };
}

/** @param {any} body @param {string} title @param {number} index */
function checkFunction(body, title, index) {
  if (typeof body !== 'function') throw argumentError(`${title}, argument ${index}: expected function, got ${runtime.describeValue(body)}`);
}

/** @param {any} rows @param {string} title */
function readsArrays(rows, title) {
  if (rows === undefined || rows === 'objects') return false;
  if (rows === 'arrays') return true;
  throw argumentError(`${title}, argument 2 'options.rows': expected 'objects' or 'arrays', got ${runtime.describeValue(rows)}`);
}
