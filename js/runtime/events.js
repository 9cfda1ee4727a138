// Events of modules: listeners by module number and name.

/** @type {Map<string, Function>[]} */
const listeners = privateArray();
const { delete: mapDeleteMethod, get: mapGetMethod, set: mapSetMethod } = MapConstructor.prototype;
const mapDelete = uncurryThis(mapDeleteMethod);
const mapGet = uncurryThis(mapGetMethod);
const mapSet = uncurryThis(mapSetMethod);

/** @param {any} module @param {number} id */
function defineEvents(module, id) {
  if (module.addListener !== undefined) return;
  defineProperty(module, 'addListener', {
    __proto__: null,
    value: (/** @type {string} */ event, /** @type {any} */ listener) => addListener(id, event, listener),
    writable: true, configurable: true,
  });
}

/**
 * @param {number} id @param {string} event @param {any} listener
 * @returns {{remove(): void}} the subscription
 */
function addListener(id, event, listener) {
  if (typeof listener !== 'function') throw argumentError(`addListener, argument 2 'listener': expected function, got ${describeValue(listener)}`);
  const events = listeners[id] ??= new MapConstructor();
  const before = mapGet(events, event);
  const entry = { listener };
  mapSet(events, event, appended(before, entry));
  return {
    remove() { mapSet(events, event, without(mapGet(events, event), entry)); },
  };
}

/** @param {any} list @param {any} entry */
function appended(list, entry) {
  const result = without(list, entry);
  result[result.length] = entry;
  return result;
}

/**
 * A copy, so that one that is being walked does not change.
 * @param {any} list @param {any} entry
 */
function without(list, entry) {
  const result = privateArray();
  for (let i = 0; list !== undefined && i < list.length; i++) if (list[i] !== entry) result[result.length] = list[i];
  return result;
}

/** @param {number} id @param {string} event @param {any} value */
function emit(id, event, value) {
  const events = listeners[id];
  const list = events && mapGet(events, event);
  for (let i = 0; list !== undefined && i < list.length; i++) {
    try { list[i].listener(value); } catch (error) { reportUncaught(error); }
  }
}
