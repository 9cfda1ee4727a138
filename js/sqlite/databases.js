// What scripts hold: databases, transactions and statements.

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
    if (version < 0) throw codedError('ERR_ARGUMENT', `${database.path}: its user_version is ${version}, which is no count of steps`);
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
