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
  run(sql, given, title) { return changesOf(call('runSync', [this.database, sql, this.#values(given, title)], undefined)); }

  /** @param {string} sql @param {any[]} given @param {string} title */
  all(sql, given, title, isArrays = this.isArrays) {
    return border.publishArray(rowsOf(call('rowsSync', [this.database, sql, this.#values(given, title), undefined], undefined), isArrays));
  }

  /** @param {string} sql @param {any[]} given @param {string} title */
  get(sql, given, title, isArrays = this.isArrays) {
    const rows = call('rowsSync', [this.database, sql, this.#values(given, title), 1], undefined);
    return rows[0] === 0 ? undefined : rowsOf(rows, isArrays)[0];
  }

  /** @param {string} sql @param {any[]} given @param {string} title */
  iterate(sql, given, title, isArrays = this.isArrays) {
    const rows = call('iterateSync', [this.database, sql, this.#values(given, title)], undefined);
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
      const rows = call('fetchSync', [this.rows], undefined);
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
    if (rows !== undefined) call('closeRowsSync', [rows], undefined);
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

const addFunctionSync = functionAdder('SyncDatabase', 'addFunctionSync');

const { made: SyncDatabaseClass, make: makeSyncDatabase } = defineInterface('SyncDatabase', SyncConnection, {
  shown: ['path'], attributes: { path: [({ path }) => path] },
  operations: {
    ...queries('SyncDatabase'), ...walks('SyncDatabase'),
    exec({ database }, sql) { call('executeSync', [database, checkSQL(sql, 'SyncDatabase.exec')], undefined); },
    prepare(connection, sql, options = undefined) {
      const { rows = connection.isArrays ? 'arrays' : 'objects' } = readOptions(options, 'SyncDatabase.prepare', 2, ['rows']), isArrays = readsArrays(rows, 'SyncDatabase.prepare');
      const checked = checkSQL(sql, 'SyncDatabase.prepare');
      return makeSyncStatement(new SyncStatement(connection, checked, call('checkSync', [connection.database, checked], undefined), isArrays));
    },
    transaction({ database }, body) {
      checkFunction(body, 'SyncDatabase.transaction', 1);
      /** @type {any} */
      let result;
      call('transactionSync', [database, publishFunction('transaction', 0, () => {
        result = body();
        // It would be over before that.
        if (isObject(result) && typeof result.then === 'function') throw argumentError('SyncDatabase.transaction: the function gave a promise, which is not waited for');
      })], undefined);
      return result;
    },
    function(database, name, options, body = undefined) { addFunctionSync(database, name, options, body); },
    close({ database }) { call('closeSync', [database], undefined); },
  },
});
define(SyncDatabaseClass.prototype, border.disposeSymbol, SyncDatabaseClass.prototype.close);
