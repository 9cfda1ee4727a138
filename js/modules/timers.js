// Timers and `performance`. Native code keeps the time; the functions stay here, by number. Each runs in a turn of its
// own, so the microtasks of one run before the next.

/** @type {Map<number, {callback: Function, values: any[], repeats: boolean}>} */
const timers = new MapConstructor();
let lastTimer = 0;

/** @param {string} name @param {any} callback @param {any[]} values @param {boolean} repeats */
function keepTimer(name, callback, values, repeats) {
  if (typeof callback !== 'function') throw new TypeErrorConstructor(`${name}, argument 1 'callback': expected function, got ${typeof callback}`);
  mapSet(timers, ++lastTimer, { callback, values, repeats });
  return lastTimer;
}

/**
 * Milliseconds, as the HTML standard reads them: whole, never negative.
 * @param {any} delay
 */
function milliseconds(delay) {
  const number = trunc(NumberConstructor(delay));
  return number > 0 ? min(number, 0x7FFF_FFFF) : 0;
}

/** @param {any} id */
function clearTimer(id) {
  if (typeof id === 'number' && mapDelete(timers, id)) native.deleteTimer(id);
}

/** @param {any[]} values @param {number} start @returns {any[]} */
function from(values, start) {
  const rest = privateArray();
  for (let i = start; i < values.length; i++) append(rest, values[i]);
  return rest;
}

native.addListener('due', (/** @type {number} */ id) => {
  const timer = mapGet(timers, id);
  if (timer === undefined) return;
  if (!timer.repeats) mapDelete(timers, id);
  apply(timer.callback, undefined, timer.values);
});

/**
 * An `await` of what is no promise: no built-in that a script could replace takes part.
 * @param {Function} callback
 */
async function runAsMicrotask(callback) {
  await undefined;
  callback();
}

defineGlobal('setTimeout', function setTimeout(/** @type {any} */ callback, /** @type {any} */ delay) {
  const id = keepTimer('setTimeout', callback, from(/** @type {any} */ (arguments), 2), false);
  native.createTimer(id, milliseconds(delay), false);
  return id;
});
defineGlobal('setInterval', function setInterval(/** @type {any} */ callback, /** @type {any} */ delay) {
  const id = keepTimer('setInterval', callback, from(/** @type {any} */ (arguments), 2), true);
  native.createTimer(id, max(1, milliseconds(delay)), true);
  return id;
});
defineGlobal('setImmediate', function setImmediate(/** @type {any} */ callback) {
  const id = keepTimer('setImmediate', callback, from(/** @type {any} */ (arguments), 1), false);
  native.createImmediate(id);
  return id;
});
defineGlobal('clearTimeout', function clearTimeout(/** @type {any} */ id) { clearTimer(id); });
defineGlobal('clearInterval', function clearInterval(/** @type {any} */ id) { clearTimer(id); });
defineGlobal('clearImmediate', function clearImmediate(/** @type {any} */ id) { clearTimer(id); });
defineGlobal('queueMicrotask', function queueMicrotask(/** @type {any} */ callback) {
  if (typeof callback !== 'function') throw new TypeErrorConstructor(`queueMicrotask, argument 1 'callback': expected function, got ${typeof callback}`);
  runAsMicrotask(callback);
});
defineGlobal('performance', { timeOrigin: native.timeOrigin, now() { return native.now(); } });
