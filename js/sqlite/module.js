// What opens databases: `SQLite` as scripts have it.

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
    return makeSyncDatabase(new SyncConnection(path, call('openSync', [path, others], undefined), isArrays));
  }),
});
