// Events of modules: listeners by module number and name.

/** @type {Map<string, ListenerList>[]} */
const listeners = [];
/**
 * The names of the events that are members, by module number and their own.
 * @type {string[][]}
 */
const eventSources = [];

/**
 * A listener to an event with a source is not told of what was emitted before native code knew of it: until then it waits.
 * One that was removed is told of nothing more, not even of what is being told to others.
 * @typedef {{call: (value: any) => void, waits: boolean, isRemoved: boolean, item?: Outstanding}} Listener
 * Those that are removed stay in the list until they are half of it: to remove one costs the same however many there are.
 * @typedef {{entries: Listener[], removed: number}} ListenerList
 */

/** Those that wait, by number. @type {Map<number, Listener>} */
const waitingListeners = new Map();
let lastListener = 0;

/** What ends the loops over events, each of which fails when the bridge closes. @type {Set<(error: any) => void>} */
const eventLoops = new Set();

border.lookBeforeEvents(needStack);

/** @param {any} module @param {number} id @param {string[]} sources the events that are members */
function defineEvents(module, id, sources) {
  eventSources[id] = sources;
  for (const name of sources) define(module, name, border.makeEvent((/** @type {any} */ listener) => addListener(id, name, listener, 1), beginLoop), true);
  if (Object.hasOwn(module, 'addListener')) return;
  define(module, 'addListener', publishFunction('addListener', 2, (/** @type {string} */ event, /** @type {any} */ listener) => addListener(id, event, listener, 2)));
}

/** @param {(error: any) => void} end @returns {() => void} to be called when the loop is over */
function beginLoop(end) {
  if (closingError !== undefined) end(closingError);
  eventLoops.add(end);
  return () => { eventLoops.delete(end); };
}

/**
 * @param {number} id @param {string} event @param {any} listener @param {number} position of the listener among the arguments
 * @returns {{remove(): void}} the subscription
 */
function addListener(id, event, listener, position) {
  if (typeof listener !== 'function') throw argumentError(`addListener, argument ${position} 'listener': expected function, got ${describeValue(listener)}`);
  if (typeof event !== 'string') throw argumentError(`addListener, argument 1 'event': expected string, got ${describeValue(event)}`);
  needStack(COLD_LEVELS);
  const events = listeners[id] ??= new Map();
  const source = (eventSources[id] ?? []).indexOf(event);
  /** @type {Listener} */
  const entry = { call: listener, waits: source >= 0, isRemoved: false };
  const number = entry.waits ? lastListener = lastListener + 1 >>> 0 || 1 : 0;
  if (entry.waits) {
    sendListening(RUNTIME_LISTEN, id, source, number);
    waitingListeners.set(number, entry);
  }
  const list = events.get(event) ?? { entries: [], removed: 0 };
  events.set(event, list);
  list.entries.push(entry);
  if (tracksOutstanding) entry.item = track('listener', originOf(native.moduleNames()[id], event));
  return border.makeSubscription(() => {
    if (entry.isRemoved) return;
    needStack();
    entry.isRemoved = true;
    entry.call = ignore;
    untrack(entry.item);
    // A copy, as the list may be walked just now.
    if (++list.removed * 2 > list.entries.length) {
      list.entries = list.entries.filter(({ isRemoved }) => !isRemoved);
      list.removed = 0;
    }
    if (source < 0) return;
    waitingListeners.delete(number);
    sendListening(RUNTIME_UNLISTEN, id, source, number);
  });
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
  const entry = waitingListeners.get(number);
  if (entry === undefined) return;
  waitingListeners.delete(number);
  entry.waits = false;
  const { call } = entry;
  if (replayed.length > 0) call(replayed[0]);
}

/** @param {number} id @param {string} event @param {any} value */
function emit(id, event, value) {
  const entries = listeners[id]?.get(event)?.entries;
  if (entries === undefined) return;
  // Those that are added meanwhile are told of the next one.
  const { length } = entries;
  for (let i = 0; i < length; i++) {
    const { call, waits, isRemoved } = entries[i];
    if (waits || isRemoved) continue;
    try { call(value); } catch (error) { reportUncaught(error); }
  }
}
