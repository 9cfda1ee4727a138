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

/** @param {any} body @param {string} title @param {number} index */
function checkFunction(body, title, index) {
  if (typeof body !== 'function') throw argumentError(`${title}, argument ${index}: expected function, got ${runtime.describeValue(body)}`);
}

/**
 * @param {any} options @param {string} title @param {number} index @param {string[]} names that it may have
 * @returns {Record<string, any>}
 */
function readOptions(options, title, index, names) {
  if (options === undefined) return {};
  if (typeof options !== 'object' || options === null) throw argumentError(`${title}, argument ${index} 'options': expected object, got ${runtime.describeValue(options)}`);
  for (const name of Object.keys(options)) if (!names.includes(name)) throw argumentError(`${title}, argument ${index} 'options': there is no option '${name}', only ${names.join(', ')}`);
  return Object.fromEntries(names.map((name) => [name, options[name]]));
}

/** @param {any} rows @param {string} title */
function readsArrays(rows, title) {
  if (rows === undefined || rows === 'objects') return false;
  if (rows === 'arrays') return true;
  throw argumentError(`${title}, argument 2 'options.rows': expected 'objects' or 'arrays', got ${runtime.describeValue(rows)}`);
}

// Databases whose calls are done elsewhere.

/** A database, or a transaction of it. */
class Connection {
  /** @param {string} path @param {any} database native code's @param {number} scope its transaction; 0 if it has none @param {boolean} isArrays */
  constructor(path, database, scope, isArrays) {
    this.path = path;
    this.database = database;
    this.scope = scope;
    this.isArrays = isArrays;
  }

  /** @param {string} sql @param {any[]} given @param {string} title */
  run(sql, given, title) {
    const { values, signal } = readValues(given, title);
    return answered(call('run', [this.database, this.scope, sql, values], signal), changesOf);
  }

  /** @param {string} sql @param {any[]} given @param {string} title */
  all(sql, given, title, isArrays = this.isArrays) {
    const { values, signal } = readValues(given, title);
    return answered(call('rows', [this.database, this.scope, sql, values, undefined], signal), (rows) => border.publishArray(rowsOf(rows, isArrays)));
  }

  /** @param {string} sql @param {any[]} given @param {string} title */
  get(sql, given, title, isArrays = this.isArrays) {
    const { values, signal } = readValues(given, title);
    return answered(call('rows', [this.database, this.scope, sql, values, 1], signal), (rows) => rows[0] === 0 ? undefined : rowsOf(rows, isArrays)[0]);
  }

  /** @param {string} sql @param {any[]} given @param {string} title */
  iterate(sql, given, title, isArrays = this.isArrays) {
    const { values, signal } = readValues(given, title);
    return this.walk(sql, values, signal, (rows) => rowsOf(rows, isArrays));
  }

  /** @param {string} sql @param {any} values @param {any} signal @param {(rows: any) => any} make an array of what the loop is given */
  walk(sql, values, signal, make) {
    const walk = new Walk(() => call('iterate', [this.database, this.scope, sql, values], signal), signal, make);
    return border.makeStream(() => walk.next(), () => walk.end());
  }

  /** @param {(transaction: Transaction) => any} body what its promise comes to is the result @param {any} [signal] */
  transaction(body, signal) {
    /** @type {any} */
    let result;
    const run = publishFunction('transaction', 1, (/** @type {number} */ scope) => makePromise((/** @type {any} */ resolve, /** @type {any} */ reject) => {
      settle(body(new Transaction(this.path, this.database, scope, this.isArrays)), (/** @type {any} */ value) => {
        result = value;
        resolve(undefined);
      }, (/** @type {any} */ error) => reject(clean(error)));
    }));
    return answered(call('transaction', [this.database, this.scope, run], signal), () => result);
  }
}

class Transaction extends Connection {}

/** Rows as a loop asks for them, question after question. Nothing is begun before the first. */
class Walk {
  /** @type {any} */
  #rows;
  /**
   * Those that are there, and how many of them have been taken.
   * @type {any}
   */
  #waiting = [];
  #taken = 0;
  #isOver = false;
  #isAsked = false;
  /** @type {{resolve: (value: any) => void, reject: (error: any) => void}[]} */
  #questions = [];

  /** @param {() => any} begin @param {any} signal @param {(rows: any) => any} make */
  constructor(begin, signal, make) {
    this.begin = begin;
    this.signal = signal;
    this.make = make;
  }

  next() {
    const { promise, resolve, reject } = deferred();
    this.#questions.push({ resolve, reject });
    this.#answer();
    return promise;
  }

  #answer() {
    while (this.#questions.length > 0 && !this.#isAsked) {
      if (!this.#isOver && this.#taken === this.#waiting.length) return this.#ask();
      const { resolve } = /** @type {any} */ (this.#questions.shift());
      resolve(this.#isOver ? iteration(undefined, true) : iteration(this.#waiting[this.#taken++], false));
    }
  }

  #ask() {
    this.#isAsked = true;
    const fail = (/** @type {any} */ error) => {
      this.#isAsked = false;
      this.end();
      this.#questions.shift()?.reject(error);
      this.#answer();
    };
    const fetch = () => settle(call('fetch', [this.#rows], this.signal), (/** @type {any} */ rows) => {
      this.#isAsked = false;
      if (rows[0] === 0) this.end();
      else if (!this.#isOver) {
        this.#waiting = this.make(rows);
        this.#taken = 0;
      }
      this.#answer();
    }, fail);
    try {
      if (this.#rows !== undefined) return fetch();
      settle(this.begin(), (/** @type {any} */ rows) => {
        this.#rows = rows;
        if (!this.#isOver) return fetch();
        this.#isAsked = false;
        native.closeRows(rows);
        this.#answer();
      }, fail);
    } catch (error) { fail(clean(error)); }
  }

  end() {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#waiting = [];
    this.#taken = 0;
    if (this.#rows !== undefined) native.closeRows(this.#rows);
  }
}

/** SQL that was looked at once. */
class Statement {
  /** @param {any} connection @param {string} sql @param {any} columns @param {boolean} isArrays */
  constructor(connection, sql, columns, isArrays) {
    this.connection = connection;
    this.sql = sql;
    this.columns = columns;
    this.isArrays = isArrays;
  }
}

const SOME_ROWS = ['all', 'get'];

/**
 * What databases and transactions can do with SQL, and statements without it.
 * @param {string} name of the class
 */
function queries(name) {
  return {
    run: (/** @type {Connection} */ connection, /** @type {any} */ sql, /** @type {any[]} */ ...values) => connection.run(checkSQL(sql, `${name}.run`), values, `${name}.run`),
    ...Object.fromEntries(SOME_ROWS.map((key) => [key, (/** @type {any} */ connection, /** @type {any} */ sql, /** @type {any[]} */ ...values) =>
      connection[key](checkSQL(sql, `${name}.${key}`), values, `${name}.${key}`)])),
  };
}

/** @param {string} name */
function statementQueries(name) {
  return {
    run: (/** @type {Statement} */ { connection, sql }, /** @type {any[]} */ ...values) => connection.run(sql, values, `${name}.run`),
    ...Object.fromEntries(SOME_ROWS.map((key) => [key, (/** @type {Statement} */ { connection, sql, isArrays }, /** @type {any[]} */ ...values) =>
      connection[key](sql, values, `${name}.${key}`, isArrays)])),
  };
}

/** @param {string} name */
function walks(name) {
  return {
    iterate: (/** @type {any} */ connection, /** @type {any} */ sql, /** @type {any[]} */ ...values) => connection.iterate(checkSQL(sql, `${name}.iterate`), values, `${name}.iterate`),
  };
}

/** @param {string} name */
function connectionPromises(name) {
  return {
    ...queries(name),
    exec: (/** @type {Connection} */ { database, scope }, /** @type {any} */ sql, /** @type {any} */ signal = undefined) =>
      answered(call('execute', [database, scope, checkSQL(sql, `${name}.exec`)], signal), nothing),
    prepare: (/** @type {Connection} */ connection, /** @type {any} */ sql, /** @type {any} */ options = undefined) => {
      const { rows = connection.isArrays ? 'arrays' : 'objects' } = readOptions(options, `${name}.prepare`, 2, ['rows']), isArrays = readsArrays(rows, `${name}.prepare`);
      const { database, scope } = connection, checked = checkSQL(sql, `${name}.prepare`);
      return answered(call('check', [database, scope, checked], undefined), (columns) => makeStatement(new Statement(connection, checked, columns, isArrays)));
    },
    transaction: (/** @type {Connection} */ connection, /** @type {any} */ body, /** @type {any} */ signal = undefined) => {
      checkFunction(body, `${name}.transaction`, 1);
      return connection.transaction((transaction) => body(makeTransaction(transaction)), signal);
    },
  };
}

const statementAttributes = {
  sql: [(/** @type {Statement} */ { sql }) => sql], columns: [(/** @type {Statement} */ { columns }) => border.publishArray(columns)],
};

const { make: makeStatement } = defineInterface('Statement', Statement, {
  shown: ['sql'], attributes: /** @type {any} */ (statementAttributes), promises: statementQueries('Statement'),
  operations: {
    iterate: ({ connection, sql, isArrays }, ...values) => connection.iterate(sql, values, 'Statement.iterate', isArrays),
  },
});

const { make: makeTransaction } = defineInterface('Transaction', Transaction, {
  promises: connectionPromises('Transaction'), operations: walks('Transaction'),
});

class Database extends Connection {}

/**
 * The function that SQL calls, of one of a script's.
 * @param {string} title @param {any} body
 */
function sqlFunction(title, body) {
  return publishFunction('call', 1, (/** @type {any} */ values) => {
    const copy = [];
    for (let i = 0; i < values.length; i++) copy.push(values[i]);
    const result = body(...copy);
    if (result === undefined) return null;
    return typeof result === 'boolean' ? +result : checkValue(result, () => `${title}, what the function gives`);
  });
}

/**
 * @param {string} name of the class @param {string} method of native code's
 * @returns {(connection: any, name: any, options: any, body?: any) => any}
 */
function functionAdder(name, method) {
  const title = `${name}.function`;
  return (connection, functionName, options, body = undefined) => {
    if (typeof functionName !== 'string') throw argumentError(`${title}, argument 1 'name': expected string, got ${runtime.describeValue(functionName)}`);
    const isShort = typeof options === 'function', given = isShort ? options : body;
    const { deterministic = false } = isShort ? {} : readOptions(options, title, 2, ['deterministic']);
    checkFunction(given, title, isShort ? 2 : 3);
    return call(method, [connection.database, functionName, deterministic === true, sqlFunction(`${title} '${functionName}'`, given)], undefined);
  };
}

const addFunction = functionAdder('Database', 'addFunction');

const { made: DatabaseClass, make: makeDatabase } = defineInterface('Database', Database, {
  shown: ['path'], attributes: { path: [({ path }) => path] },
  promises: {
    ...connectionPromises('Database'),
    function: (database, name, options, body = undefined) => answered(addFunction(database, name, options, body), nothing),
    migrate: (database, steps) => migrate(database, steps),
    close: ({ database }) => answered(call('close', [database], undefined), nothing),
  },
  operations: walks('Database'),
});
define(DatabaseClass.prototype, border.asyncDisposeSymbol, DatabaseClass.prototype.close);

/**
 * Takes those steps that the database has not taken yet, all or none of them.
 * @param {Database} database @param {any} steps SQL, or functions that are given a transaction @returns {any} a promise of how many
 */
function migrate(database, steps) {
  const title = 'Database.migrate';
  if (!isArray(steps)) throw argumentError(`${title}, argument 1 'steps': expected array, got ${runtime.describeValue(steps)}`);
  const { length } = steps, list = /** @type {any[]} */ ([]);
  for (let i = 0; i < length; i++) {
    const step = steps[i];
    if (typeof step === 'string') checkSQL(step, title);
    else checkFunction(step, `${title}, step ${i + 1}`, 1);
    list.push(step);
  }
  return database.transaction(async (transaction) => {
    const { value: row } = await outcome(transaction.get('PRAGMA user_version', [], title, false)), version = row.user_version;
    if (version > list.length) throw codedError('ERR_ARGUMENT', `${database.path}: has taken ${version} steps, of which there are only ${list.length} here`);
    const execute = (/** @type {string} */ sql) => call('execute', [transaction.database, transaction.scope, sql], undefined);
    for (let i = version; i < list.length; i++) {
      const step = list[i];
      await outcome(typeof step === 'string' ? execute(step) : step(makeTransaction(transaction)));
    }
    if (version < list.length) await outcome(execute(`PRAGMA user_version = ${list.length}`));
    return list.length - version;
  });
}

// A store of values by their keys, in a table.

/**
 * A value as it is kept: bytes as they are, all else as JSON, of which nothing is left out.
 * @param {any} value @param {string} place
 */
function keptValue(value, place) { return isBytes(value) ? value : jsonOf(value, place, new Set()); }

/** @param {any} value @param {string} place @param {Set<any>} around @returns {string} */
function jsonOf(value, place, around) {
  if (value === null || typeof value === 'boolean') return `${value}`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' && value - value === 0) return Object.is(value, -0) ? '-0' : `${value}`;
  const fail = (/** @type {string} */ got) => { throw argumentError(`${place}: expected what JSON can say, or bytes, got ${got}`); };
  if (typeof value !== 'object') fail(runtime.describeValue(value));
  if (around.has(value)) fail('an object that is in itself');
  around.add(value);
  let text = '';
  if (isArray(value)) {
    const { length } = value;
    for (let i = 0; i < length; i++) text += (i === 0 ? '' : ',') + jsonOf(value[i], `${place}[${i}]`, around);
    text = `[${text}]`;
  } else {
    const prototype = Reflect.getPrototypeOf(value);
    if (isBytes(value) || prototype !== null && Reflect.getPrototypeOf(prototype) !== null) fail(runtime.describeValue(value));
    for (const key of Object.keys(value)) text += (text === '' ? '' : ',') + JSON.stringify(key) + ':' + jsonOf(value[key], `${place}.${key}`, around);
    text = `{${text}}`;
  }
  around.delete(value);
  return text;
}

/** @param {any} kept */
function readKept(kept) { return typeof kept === 'string' ? border.intrinsics.parseJSON(kept) : kept; }

/** @param {any} key @param {string} place */
function checkKey(key, place) {
  if (typeof key !== 'string') throw argumentError(`${place}: expected string, got ${runtime.describeValue(key)}`);
  return checkValue(key, () => place);
}

/**
 * The first text that is behind all that begin so; undefined where there is none.
 * @param {string} prefix
 */
function behind(prefix) {
  const points = Array.from(prefix);
  for (let point = points.pop(); point !== undefined; point = points.pop()) {
    const code = /** @type {number} */ (point.codePointAt(0));
    if (code < 0x10FFFF) return points.join('') + String.fromCodePoint(code === 0xD7FF ? 0xE000 : code + 1);
  }
  return undefined;
}

const KEY_VALUE_TABLE = 'CREATE TABLE IF NOT EXISTS key_value (key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID';
const SET_KEY = 'INSERT INTO key_value VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value', DELETE_KEY = 'DELETE FROM key_value WHERE key = ?';

/** All of it, or what a transaction has of it. */
class KeyValue {
  /** @param {Connection} connection */
  constructor(connection) { this.connection = connection; }

  /** @param {string} sql @param {any[]} values */
  run(sql, values) { return call('run', [this.connection.database, this.connection.scope, sql, [null, values]], undefined); }
}

/** @param {any} options @returns {{sql: string, values: any[]}} */
function listing(options) {
  const title = 'KeyValue.list', { prefix, start, end, reverse = false, limit } = readOptions(options, title, 1, ['prefix', 'start', 'end', 'reverse', 'limit']);
  const conditions = /** @type {string[]} */ ([]), values = /** @type {any[]} */ ([]);
  const add = (/** @type {string} */ condition, /** @type {any} */ value, /** @type {string} */ name) => {
    if (value === undefined) return;
    conditions.push(condition);
    values.push(checkKey(value, `${title}, argument 1 'options.${name}'`));
  };
  add('key >= ?', prefix, 'prefix');
  if (prefix !== undefined) add('key < ?', behind(prefix), 'prefix');
  add('key >= ?', start, 'start');
  add('key < ?', end, 'end');
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 0)) throw argumentError(`${title}, argument 1 'options.limit': expected a whole number from 0 on, got ${runtime.describeValue(limit)}`);
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  return { sql: `SELECT key, value FROM key_value${where} ORDER BY key${reverse === true ? ' DESC' : ''}${limit === undefined ? '' : ` LIMIT ${limit}`}`, values };
}

/** @param {any} changes @returns {{key: string, value: any}[]} without a value those that are deleted */
function readBatch(changes) {
  const title = 'KeyValue.batch', list = [];
  if (!isArray(changes)) throw argumentError(`${title}, argument 1 'changes': expected array, got ${runtime.describeValue(changes)}`);
  const { length } = changes;
  for (let i = 0; i < length; i++) {
    const change = changes[i], place = `${title}, argument 1 'changes[${i}]`;
    if (!isObject(change)) throw argumentError(`${place}': expected object, got ${runtime.describeValue(change)}`);
    const { type, key, value } = change;
    if (type !== 'set' && type !== 'delete') throw argumentError(`${place}.type': expected 'set' or 'delete', got ${runtime.describeValue(type)}`);
    list.push({ key: checkKey(key, `${place}.key'`), value: type === 'set' ? keptValue(value, `${place}.value'`) : undefined });
  }
  return list;
}

const { made: KeyValueClass, make: makeKeyValue } = defineInterface('KeyValue', KeyValue, {
  shown: ['path'], attributes: { path: [({ connection }) => connection.path] },
  promises: {
    get: ({ connection }, key) => answered(
      call('rows', [connection.database, connection.scope, 'SELECT value FROM key_value WHERE key = ?', [null, [checkKey(key, "KeyValue.get, argument 1 'key'")]], 1], undefined),
      (rows) => rows[0] === 0 ? undefined : readKept(rows[2][0])),
    set: (store, key, value) => answered(store.run(SET_KEY, [checkKey(key, "KeyValue.set, argument 1 'key'"), keptValue(value, "KeyValue.set, argument 2 'value'")]), nothing),
    delete: (store, key) => answered(store.run(DELETE_KEY, [checkKey(key, "KeyValue.delete, argument 1 'key'")]), (changes) => changes[0] > 0),
    batch(store, changes) {
      const list = readBatch(changes);
      return store.connection.transaction(async (/** @type {Transaction} */ transaction) => {
        const part = new KeyValue(transaction);
        const all = list.map(({ key, value }) => outcome(value === undefined ? part.run(DELETE_KEY, [key]) : part.run(SET_KEY, [key, value])));
        // Of those that fail behind the first nobody hears.
        for (const one of all) one.catch(nothing);
        for (const one of all) await one;
      });
    },
    transaction({ connection }, body) {
      checkFunction(body, 'KeyValue.transaction', 1);
      return connection.transaction((/** @type {Transaction} */ transaction) => body(makeKeyValue(new KeyValue(transaction))));
    },
    close({ connection }) {
      if (connection.scope !== 0) throw argumentError('KeyValue.close: a transaction ends with its function');
      return answered(call('close', [connection.database], undefined), nothing);
    },
  },
  operations: {
    list({ connection }, options = undefined) {
      const { sql, values } = listing(options);
      return connection.walk(sql, [null, values], undefined, (/** @type {any} */ rows) => {
        const count = rows[0], all = rows[2], entries = [];
        for (let i = 0; i < count; i++) entries.push(arrayOf2(all[2 * i], readKept(all[2 * i + 1])));
        return entries;
      });
    },
  },
});
define(KeyValueClass.prototype, border.asyncDisposeSymbol, KeyValueClass.prototype.close);

/** @param {any} path @param {any} options */
function openKeyValue(path, options) {
  const { others } = readOpening(path, options, 'SQLite.keyValue');
  const { promise, resolve, reject } = deferred();
  const open = async () => {
    const { value: database } = await outcome(call('open', [path, others], undefined));
    if (others.readOnly !== true) await outcome(call('execute', [database, 0, KEY_VALUE_TABLE], undefined));
    return new KeyValue(new Database(path, database, 0, false));
  };
  open().then((store) => resolve(makeKeyValue(store)), (error) => reject(clean(error)));
  return promise;
}

// Databases that the JavaScript thread waits for.

class SyncConnection {
  /** @param {string} path @param {any} database native code's @param {boolean} isArrays */
  constructor(path, database, isArrays) {
    this.path = path;
    this.database = database;
    this.isArrays = isArrays;
  }

  /** @param {any[]} given @param {string} title */
  #values(given, title) {
    const { values, signal } = readValues(given, title);
    if (signal !== undefined) throw argumentError(`${title}: nobody can abort what is waited for`);
    return values;
  }

  /** @param {string} sql @param {any[]} given @param {string} title */
  run(sql, given, title) { return changesOf(call('runNow', [this.database, sql, this.#values(given, title)], undefined)); }

  /** @param {string} sql @param {any[]} given @param {string} title */
  all(sql, given, title, isArrays = this.isArrays) {
    return border.publishArray(rowsOf(call('rowsNow', [this.database, sql, this.#values(given, title), undefined], undefined), isArrays));
  }

  /** @param {string} sql @param {any[]} given @param {string} title */
  get(sql, given, title, isArrays = this.isArrays) {
    const rows = call('rowsNow', [this.database, sql, this.#values(given, title), 1], undefined);
    return rows[0] === 0 ? undefined : rowsOf(rows, isArrays)[0];
  }

  /** @param {string} sql @param {any[]} given @param {string} title */
  iterate(sql, given, title, isArrays = this.isArrays) {
    const rows = call('iterateNow', [this.database, sql, this.#values(given, title)], undefined);
    return border.makeInstance(rowIterators, new SyncWalk(rows, isArrays));
  }
}

/** Rows as a loop asks for them. */
class SyncWalk {
  /**
   * Those that are there, and how many of them have been taken.
   * @type {any}
   */
  #waiting = [];
  #taken = 0;

  /** @param {any} rows @param {boolean} isArrays */
  constructor(rows, isArrays) {
    this.rows = rows;
    this.isArrays = isArrays;
  }

  next() {
    if (this.rows !== undefined && this.#taken === this.#waiting.length) {
      const rows = call('fetchNow', [this.rows], undefined);
      this.#waiting = rowsOf(rows, this.isArrays);
      this.#taken = 0;
      if (rows[0] === 0) this.rows = undefined;
    }
    return this.#taken === this.#waiting.length ? iteration(undefined, true) : iteration(this.#waiting[this.#taken++], false);
  }

  end() {
    const { rows } = this;
    this.rows = undefined;
    this.#waiting = [];
    this.#taken = 0;
    if (rows !== undefined) call('closeRowsNow', [rows], undefined);
  }
}

/** Behind the iterators of all such loops. */
const rowIterators = border.bareObject();
Reflect.setPrototypeOf(rowIterators, border.intrinsics.iteratorPrototype);
for (const [key, body] of /** @type {[string, (walk: SyncWalk, value: any) => any][]} */ ([
  ['next', (walk) => walk.next()],
  ['return', (walk, value) => {
    walk.end();
    return iteration(value, true);
  }],
])) {
  define(rowIterators, key, publishFunction(key, 0, /** @this {any} @param {any[]} values */ function (...values) {
    const walk = border.implantOf(this);
    if (!(walk instanceof SyncWalk)) throw new ScriptTypeError(`${key}: expected to be called on rows of a database`);
    return body(walk, values[0]);
  }), true);
}
border.defineTag(rowIterators, 'Rows');
border.opaquePrototypes.set(rowIterators, 'rows of a database');

class SyncStatement extends Statement {}

const { make: makeSyncStatement } = defineInterface('SyncStatement', SyncStatement, {
  shown: ['sql'], attributes: /** @type {any} */ (statementAttributes),
  operations: {
    ...statementQueries('SyncStatement'),
    iterate: ({ connection, sql, isArrays }, ...values) => connection.iterate(sql, values, 'SyncStatement.iterate', isArrays),
  },
});

const addFunctionNow = functionAdder('SyncDatabase', 'addFunctionNow');

const { made: SyncDatabaseClass, make: makeSyncDatabase } = defineInterface('SyncDatabase', SyncConnection, {
  shown: ['path'], attributes: { path: [({ path }) => path] },
  operations: {
    ...queries('SyncDatabase'), ...walks('SyncDatabase'),
    exec({ database }, sql) { call('executeNow', [database, checkSQL(sql, 'SyncDatabase.exec')], undefined); },
    prepare(connection, sql, options = undefined) {
      const { rows = connection.isArrays ? 'arrays' : 'objects' } = readOptions(options, 'SyncDatabase.prepare', 2, ['rows']), isArrays = readsArrays(rows, 'SyncDatabase.prepare');
      const checked = checkSQL(sql, 'SyncDatabase.prepare');
      return makeSyncStatement(new SyncStatement(connection, checked, call('checkNow', [connection.database, checked], undefined), isArrays));
    },
    transaction({ database }, body) {
      checkFunction(body, 'SyncDatabase.transaction', 1);
      /** @type {any} */
      let result;
      call('transactionNow', [database, publishFunction('transaction', 0, () => {
        result = body();
        // It would be over before that.
        if (isObject(result) && typeof result.then === 'function') throw argumentError('SyncDatabase.transaction: the function gave a promise, which is not waited for');
      })], undefined);
      return result;
    },
    function(database, name, options, body = undefined) { addFunctionNow(database, name, options, body); },
    close({ database }) { call('closeNow', [database], undefined); },
  },
});
define(SyncDatabaseClass.prototype, border.disposeSymbol, SyncDatabaseClass.prototype.close);

// The module.

const OPEN_OPTIONS = ['readOnly', 'create', 'timeout', 'rows'];

/** @param {any} path @param {any} options @param {string} title */
function readOpening(path, options, title) {
  const { rows, ...others } = readOptions(options, title, 2, OPEN_OPTIONS);
  if (typeof path === 'string' && !path.isWellFormed()) throw argumentError(`${title}, argument 1 'path': half of a surrogate pair`);
  return { others, isArrays: readsArrays(rows, title) };
}

/** @param {string} name @param {number} count @param {(...values: any[]) => any} body */
function publish(name, count, body) {
  return publishFunction(name, count, (/** @type {any[]} */ ...values) => {
    runtime.needStack(COLD_LEVELS);
    return body(...values);
  });
}

/** @param {(...values: any[]) => any} body @returns {(...values: any[]) => any} what it throws becomes a promise that is rejected */
function rejecting(body) {
  return (...values) => { try { return body(...values); } catch (error) { return runtime.part('interfaces').rejected(clean(error)); } };
}

// @ts-expect-error The files are the body of one function.
return border.publishObject({
  open: publish('open', 1, rejecting((path, options = undefined, signal = undefined) => {
    const { others, isArrays } = readOpening(path, options, 'SQLite.open');
    return answered(call('open', [path, others], signal), (database) => makeDatabase(new Database(path, database, 0, isArrays)));
  })),
  keyValue: publish('keyValue', 1, rejecting((path, options = undefined) => openKeyValue(path, options))),
  openSync: publish('openSync', 1, (path, options = undefined) => {
    const { others, isArrays } = readOpening(path, options, 'SQLite.openSync');
    return makeSyncDatabase(new SyncConnection(path, call('openNow', [path, others], undefined), isArrays));
  }),
});
