// Events of modules: listeners by module number and name.

/** @type {Map<string, Listener[]>[]} */
const listeners = privateArray();
/** The names of the events that are members, by module number and their own. @type {string[][]} */
const eventSources = privateArray();
const { delete: mapDeleteMethod, get: mapGetMethod, set: mapSetMethod } = MapConstructor.prototype;
const mapDelete = uncurryThis(mapDeleteMethod);
const mapGet = uncurryThis(mapGetMethod);
const mapSet = uncurryThis(mapSetMethod);

/**
 * A listener to an event with a source is not told of what was emitted before native code knew of it: until then it waits.
 * @typedef {{call: (value: any) => void, waits: boolean, item?: Outstanding}} Listener
 */

/** Those that wait, by number. @type {Map<number, Listener>} */
const waitingListeners = new MapConstructor();
let lastListener = 0;

/** @param {any} module @param {number} id @param {string[]} sources the events that are members */
function defineEvents(module, id, sources) {
  setPrototypeOf(sources, null);
  eventSources[id] = sources;
  for (let i = 0; i < sources.length; i++) {
    defineProperty(module, sources[i], { __proto__: null, value: new ModuleEvent(eventKey, id, sources[i]), enumerable: true, writable: true, configurable: true });
  }
  if (module.addListener !== undefined) return;
  defineProperty(module, 'addListener', {
    __proto__: null,
    value: (/** @type {string} */ event, /** @type {any} */ listener) => addListener(id, event, listener, 2),
    writable: true, configurable: true,
  });
}

/** Lets no script make an event. */
const eventKey = {};

/**
 * The loops over events, each of which fails when the bridge closes.
 * @type {Set<{end(error: any): void}>}
 */
const eventLoops = new SetConstructor();

/** An event that is a member of its module. */
class ModuleEvent {
  #module;
  #name;

  /** @param {any} key @param {number} module @param {string} name */
  constructor(key, module, name) {
    if (key !== eventKey) throw new TypeErrorConstructor('an event is made by native code');
    this.#module = module;
    this.#name = name;
  }

  /** @param {any} listener */
  addListener(listener) { return addListener(this.#module, this.#name, listener, 1); }

  /** Every value from the first question on, in a list whose taken part nobody holds. */
  async *[asyncIteratorSymbol]() {
    /** @typedef {{value: any, next: Link | undefined}} Link */
    /** @type {Link} */
    let taken = { value: undefined, next: undefined };
    let last = taken;
    let wake = () => {};
    const loop = { end: (/** @type {any} */ error) => {} };
    setAdd(eventLoops, loop);
    const subscription = addListener(this.#module, this.#name, (/** @type {any} */ value) => {
      last = last.next = { value, next: undefined };
      wake();
    }, 1);
    try {
      for (;;) {
        if (taken.next !== undefined) {
          taken = taken.next;
          yield taken.value;
          continue;
        }
        await new PromiseConstructor((resolve, reject) => {
          wake = () => resolve(undefined);
          loop.end = reject;
          if (closingError !== undefined) reject(closingError);
        });
      }
    } finally {
      setDelete(eventLoops, loop);
      subscription.remove();
    }
  }
}

/**
 * @param {number} id @param {string} event @param {any} listener @param {number} position of the listener among the arguments
 * @returns {{remove(): void}} the subscription
 */
function addListener(id, event, listener, position) {
  if (typeof listener !== 'function') throw argumentError(`addListener, argument ${position} 'listener': expected function, got ${describeValue(listener)}`);
  const events = listeners[id] ??= new MapConstructor();
  const source = indexOf(eventSources[id], event);
  /** @type {Listener} */
  const entry = { call: listener, waits: source >= 0 };
  const number = entry.waits ? lastListener = lastListener + 1 >>> 0 || 1 : 0;
  let isRemoved = false;
  if (entry.waits) {
    sendListening(RUNTIME_LISTEN, id, source, number);
    mapSet(waitingListeners, number, entry);
  }
  mapSet(events, event, appended(mapGet(events, event), entry));
  if (tracksOutstanding) entry.item = track('listener', originOf(native.moduleNames()[id], event));
  return {
    remove() {
      if (isRemoved) return;
      isRemoved = true;
      untrack(entry.item);
      mapSet(events, event, without(mapGet(events, event), entry));
      if (source < 0) return;
      mapDelete(waitingListeners, number);
      sendListening(RUNTIME_UNLISTEN, id, source, number);
    },
  };
}

/** @param {number} record @param {number} module @param {number} source @param {number} listener */
function sendListening(record, module, source, listener) {
  const tree = new Tree();
  tree.put(TAG_NUMBER, module, 4);
  tree.put(TAG_NUMBER, source, 4);
  sendTree(RUNTIME, record | 2 << 16, tree, undefined, undefined, listener);
}

/**
 * Native code tells the listener from now on.
 * @param {number} number @param {any[]} replayed the last value, if it is to have it
 */
function beginListening(number, replayed) {
  const entry = mapGet(waitingListeners, number);
  if (entry === undefined) return;
  mapDelete(waitingListeners, number);
  entry.waits = false;
  const { call } = entry;
  if (replayed.length > 0) call(replayed[0]);
}

/** @param {any} list @param {any} value @returns {number} -1 if it is not there */
function indexOf(list, value) {
  for (let i = 0; list !== undefined && i < list.length; i++) if (list[i] === value) return i;
  return -1;
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
    const { call, waits } = list[i];
    if (waits) continue;
    try { call(value); } catch (error) { reportUncaught(error); }
  }
}
