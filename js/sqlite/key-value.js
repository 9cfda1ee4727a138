// A store of values by their keys, in a table.

const { objectPrototype, arrayPrototype } = border.intrinsics;

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
  const fail = (/** @type {string} */ got, member = '') => { throw argumentError(`${place}${member}: expected what JSON can say, or bytes, got ${got}`); };
  if (typeof value !== 'object') fail(runtime.describeValue(value));
  if (around.has(value)) fail('an object that is in itself');
  const isList = isArray(value), prototype = Reflect.getPrototypeOf(value);
  if (isBytes(value) || (prototype !== null || isList) && prototype !== (isList ? arrayPrototype : objectPrototype)) fail(runtime.describeValue(value));
  for (const key of Reflect.ownKeys(value)) {
    if (typeof key === 'symbol') fail('a member whose name is a symbol', `[${String(key)}]`);
    if (isList && !(String(+String(key)) === key && +key < value.length) && key !== 'length') fail('a member of an array that is no element', `.${String(key)}`);
    if (!(isList && key === 'length') && !Reflect.getOwnPropertyDescriptor(value, key)?.enumerable) fail('a member that is hidden', `.${String(key)}`);
  }
  around.add(value);
  let text = '';
  if (isList) {
    const { length } = value;
    for (let i = 0; i < length; i++) text += (i === 0 ? '' : ',') + jsonOf(value[i], `${place}[${i}]`, around);
    text = `[${text}]`;
  } else {
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
