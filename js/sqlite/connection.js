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
