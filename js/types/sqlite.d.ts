/**
 * SQLite's databases; capability `files`. Calls of a database are done one after the other, away from the JavaScript thread; those of one that
 * `openSync` gives are done at once, and waited for.
 *
 * What fails does so with a `code`, the database's `path`, SQLite's own name as `sqliteCode`, and, where it is known, the place in the SQL as
 * `sqlLine` and `sqlColumn`: `ERR_SQL`, `ERR_CONSTRAINT`, `ERR_BUSY`, `ERR_NOT_PERMITTED`, `ERR_NOT_DATABASE`, `ERR_ARGUMENT`, `ERR_CLOSED` and others.
 */
interface SQLite {
  /** Opens the database in a file, or an empty one in memory, `':memory:'`. */
  open(path: string, options?: SQLiteOptions, callOptions?: CallOptions | AbortSignal): Promise<SQLiteDatabase>;
  /** The same for small things: the script waits for each call, and so does all else that it does. */
  openSync(path: string, options?: SQLiteOptions): SQLiteSyncDatabase;
  /** Opens a store of values by their keys, in the table `key_value` of a database. */
  keyValue(path: string, options?: Pick<SQLiteOptions, 'readOnly' | 'create' | 'timeout'>): Promise<SQLiteKeyValue>;
}

interface SQLiteOptions {
  /** The file must be there, and nothing is written. */
  readOnly?: boolean;
  /** Makes the file where there is none: true if nothing else is said. */
  create?: boolean;
  /** How long somebody else who is at work on the database is waited for, in milliseconds, before `ERR_BUSY`: 5000 if nothing else is said. */
  timeout?: number;
  /** What rows are if a statement does not say: objects with the columns' names, or arrays. */
  rows?: 'objects' | 'arrays';
}

/** Bytes come as `Uint8Array`; whole numbers as numbers where those are exact, else as BigInt. */
type SQLiteValue = null | number | bigint | string | ArrayBuffer | ArrayBufferView;
/** The values for the parameters of a statement, in their order, or one object by their names, and perhaps the signal of the call. */
type SQLiteValues = (SQLiteValue | SQLiteValue[] | Record<string, SQLiteValue> | AbortSignal)[];

interface SQLiteChanges {
  /** How many rows the statement has changed. */
  changes: number;
  lastInsertRowid: number | bigint;
}

interface SQLiteStatementOptions { rows?: 'objects' | 'arrays' }

/** What databases and their transactions can do. */
interface SQLiteConnection {
  /** Runs one statement. Its values are for `?`, or an object's for `:name`: `run('INSERT INTO t VALUES (?, ?)', 1, 'a')`. */
  run(sql: string, ...values: SQLiteValues): Promise<SQLiteChanges>;
  /** All rows of one statement: 512 MB at most (`ERR_LIMIT`). */
  all<Row = any>(sql: string, ...values: SQLiteValues): Promise<Row[]>;
  /** Its first row; undefined if there is none. */
  get<Row = any>(sql: string, ...values: SQLiteValues): Promise<Row | undefined>;
  /** Its rows as a loop asks for them: `for await (const row of db.iterate(sql)) …`. Until the loop is left the database is being read. */
  iterate<Row = any>(sql: string, ...values: SQLiteValues): AsyncIterableIterator<Row>;
  /** Runs many statements, which have no parameters. */
  exec(sql: string, callOptions?: CallOptions | AbortSignal): Promise<void>;
  /** One statement, for many uses. */
  prepare(sql: string, options?: SQLiteStatementOptions): Promise<SQLiteStatement>;
  /**
   * Calls the function in a transaction, which is kept once its promise has come to something, and undone where that fails. What belongs to it
   * is asked of the object that it is given; what is asked of the database meanwhile waits (`ERR_BUSY` after the `timeout`). Within another
   * transaction it is a part of that, which can be undone alone.
   */
  transaction<Result>(body: (transaction: SQLiteTransaction) => Result | PromiseLike<Result>, callOptions?: CallOptions | AbortSignal): Promise<Result>;
}

/** A transaction, until its function has come to an end. */
interface SQLiteTransaction extends SQLiteConnection {}

/** A database that is open: until `close`, or the end of the bridge; one that a script has forgotten, until the collector finds it. */
interface SQLiteDatabase extends SQLiteConnection {
  readonly path: string;
  /**
   * Lets SQL call a function of the script's, with any number of values. It gives its result at once, no promise, and cannot be called by what
   * stands in the file, such as a trigger. A `deterministic` one always gives the same for the same values.
   */
  function(name: string, body: (...values: any[]) => SQLiteValue | boolean | undefined): Promise<void>;
  function(name: string, options: { deterministic?: boolean }, body: (...values: any[]) => SQLiteValue | boolean | undefined): Promise<void>;
  /**
   * Brings the database up to date, in one transaction: takes those steps that it has not taken yet, in their order, and keeps their number as
   * its `user_version`. To a list of steps others are added at its end. Gives how many were taken.
   */
  migrate(steps: (string | ((transaction: SQLiteTransaction) => any))[]): Promise<number>;
  /** Behind the calls that were made before. Again: does nothing. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** What JSON can say, nothing of it left out, or bytes, which come as `Uint8Array`. */
type SQLiteStoredValue = null | boolean | number | string | ArrayBuffer | ArrayBufferView | any[] | { [member: string]: any };

/** Values by their keys. A transaction has one of its own. */
interface SQLiteKeyValue {
  readonly path: string;
  /** Undefined if there is none. */
  get<Value = any>(key: string): Promise<Value | undefined>;
  set(key: string, value: SQLiteStoredValue): Promise<void>;
  /** False if there was none. */
  delete(key: string): Promise<boolean>;
  /** The keys with their values, in the order of the keys' UTF-8: those that begin with `prefix`, from `start` on, before `end`. */
  list<Value = any>(options?: { prefix?: string, start?: string, end?: string, reverse?: boolean, limit?: number }): AsyncIterableIterator<[string, Value]>;
  /** All of the changes or none, in their order. */
  batch(changes: ({ type: 'set', key: string, value: SQLiteStoredValue } | { type: 'delete', key: string })[]): Promise<void>;
  /** As that of a database: what is read is still so when it is written. */
  transaction<Result>(body: (store: SQLiteKeyValue) => Result | PromiseLike<Result>): Promise<Result>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A statement: what it is asked is asked of the database, or the transaction, that it is of. */
interface SQLiteStatement {
  readonly sql: string;
  /** The names of the columns of its rows. */
  readonly columns: string[];
  run(...values: SQLiteValues): Promise<SQLiteChanges>;
  all<Row = any>(...values: SQLiteValues): Promise<Row[]>;
  get<Row = any>(...values: SQLiteValues): Promise<Row | undefined>;
  iterate<Row = any>(...values: SQLiteValues): AsyncIterableIterator<Row>;
}

/** A database whose calls are waited for. */
interface SQLiteSyncDatabase {
  readonly path: string;
  run(sql: string, ...values: SQLiteValues): SQLiteChanges;
  all<Row = any>(sql: string, ...values: SQLiteValues): Row[];
  get<Row = any>(sql: string, ...values: SQLiteValues): Row | undefined;
  iterate<Row = any>(sql: string, ...values: SQLiteValues): IterableIterator<Row>;
  exec(sql: string): void;
  prepare(sql: string, options?: SQLiteStatementOptions): SQLiteSyncStatement;
  /** Calls the function in a transaction, or in a part of one; undone where it throws. It gives no promise. */
  transaction<Result>(body: () => Result): Result;
  function(name: string, body: (...values: any[]) => SQLiteValue | boolean | undefined): void;
  function(name: string, options: { deterministic?: boolean }, body: (...values: any[]) => SQLiteValue | boolean | undefined): void;
  close(): void;
  [Symbol.dispose](): void;
}

interface SQLiteSyncStatement {
  readonly sql: string;
  readonly columns: string[];
  run(...values: SQLiteValues): SQLiteChanges;
  all<Row = any>(...values: SQLiteValues): Row[];
  get<Row = any>(...values: SQLiteValues): Row | undefined;
  iterate<Row = any>(...values: SQLiteValues): IterableIterator<Row>;
}

interface NativeModules { readonly SQLite: SQLite }
