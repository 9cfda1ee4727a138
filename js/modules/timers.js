// Timers and `performance`. Native code keeps the time; the functions stay here, by number. Each runs in a turn of its
// own, so the microtasks of one run before the next.

/** @type {Map<number, {callback: Function, values: any[], repeats: boolean}>} */
const timers = new Map();
let lastTimer = 0;

/**
 * @param {string} name @param {any} callback @param {any[]} values @param {boolean} repeats
 * @param {(id: number) => void} start tells native code: where that fails there is no timer
 */
function startTimer(name, callback, values, repeats, start) {
  if (typeof callback !== 'function') throw new ScriptTypeError(`${name}, argument 1 'callback': expected function, got ${typeof callback}`);
  runtime.needStack();
  const id = ++lastTimer;
  timers.set(id, { callback, values, repeats });
  try { start(id); } catch (error) {
    timers.delete(id);
    throw error;
  }
  return id;
}

/**
 * Milliseconds, as the HTML standard reads them: whole, never negative.
 * @param {any} delay
 */
function milliseconds(delay) {
  const number = Math.trunc(+delay);
  return number > 0 ? Math.min(number, 0x7FFF_FFFF) : 0;
}

/** @param {any} id */
function clearTimer(id) {
  if (typeof id !== 'number' || !timers.has(id)) return;
  runtime.needStack();
  // First: where this fails, the script can clear it again.
  native.deleteTimer(id);
  timers.delete(id);
}

native.addListener('due', (/** @type {number} */ id) => {
  const timer = timers.get(id);
  if (timer === undefined) return;
  if (!timer.repeats) timers.delete(id);
  apply(timer.callback, undefined, timer.values);
});

/**
 * @param {any} callback @param {any} delay @param {any[]} values
 * @returns {number}
 */
function setTimeout(callback, delay, ...values) {
  // Read first: this may run the script's own code.
  const time = milliseconds(delay);
  return startTimer('setTimeout', callback, values, false, (id) => native.createTimer(id, time, false, true));
}

/** @param {any} callback @param {any} delay @param {any[]} values */
function setInterval(callback, delay, ...values) {
  const time = Math.max(1, milliseconds(delay));
  return startTimer('setInterval', callback, values, true, (id) => native.createTimer(id, time, true, true));
}

/** @param {any} callback @param {any[]} values */
function setImmediate(callback, ...values) {
  return startTimer('setImmediate', callback, values, false, (id) => native.createImmediate(id));
}

/** @param {any} callback */
function queueMicrotask(callback) {
  if (typeof callback !== 'function') throw new ScriptTypeError(`queueMicrotask, argument 1 'callback': expected function, got ${typeof callback}`);
  // What fails behind its first step is a rejection, which nobody handles.
  runtime.needStack();
  border.runSoon(callback);
}

runtime.signalTimers.startTimeout = (/** @type {number} */ delay, /** @type {() => void} */ callback) => {
  startTimer('AbortSignal.timeout', callback, [], false, (id) => native.createTimer(id, milliseconds(delay), false, false));
};

defineGlobalFunction('setTimeout', 2, setTimeout);
defineGlobalFunction('setInterval', 2, setInterval);
defineGlobalFunction('setImmediate', 1, setImmediate);
for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate']) defineGlobalFunction(name, 1, clearTimer);
defineGlobalFunction('queueMicrotask', 1, queueMicrotask);

/**
 * What leaves entries is made when it is first used.
 * @param {string} name @param {number} count of the arguments that must be there
 */
const timing = (name, count) => publishFunction(name, count, (/** @type {any[]} */ ...values) => {
  if (values.length < count) throw new ScriptTypeError(`${name}: ${count} argument needed, got ${values.length}`);
  return timingPart().functions[name](...values);
});

function timingPart() {
  const made = runtime.part('timing');
  made.begin(() => native.now());
  return made;
}

defineGlobal('performance', publishObject({
  timeOrigin: native.timeOrigin, now: publishFunction('now', 0, () => native.now()),
  mark: timing('mark', 1), measure: timing('measure', 1), clearMarks: timing('clearMarks', 0), clearMeasures: timing('clearMeasures', 0),
  getEntries: timing('getEntries', 0), getEntriesByName: timing('getEntriesByName', 1), getEntriesByType: timing('getEntriesByType', 1),
}));
for (const name of ['PerformanceEntry', 'PerformanceMark', 'PerformanceMeasure']) defineLazyGlobal(name, () => timingPart()[name]);
