// What waits for an answer or is kept for the other side, and where it came from. Only on bridges that are asked to keep
// count of it: to find out where a call is made costs more than the call.

const { tracksOutstanding } = native;

/**
 * A call that a script made, or a listener that it added: the stack of `site` tells where.
 * @typedef {{module: string, member: string, site: Error | undefined}} Origin
 */
/**
 * `reference` is weak: what the collector has taken, and its registry not yet told of, is not outstanding.
 * @typedef {Origin & {kind: string, since: number, className: string, reference: any}} Outstanding
 */

/** The oldest first. @type {Set<Outstanding>} */
const outstanding = new Set();
/**
 * The calls that wait, by slot.
 * @type {(Outstanding | undefined)[]}
 */
const trackedCalls = [];
/**
 * The functions and objects that native code keeps, by the number that they are kept under.
 * @type {(Outstanding | undefined)[]}
 */
const trackedFunctions = [];
/**
 * By number.
 * @type {(Outstanding | undefined)[]}
 */
const trackedStreams = [];
/** The calls of native code that scripts have not answered. @type {Map<number, Outstanding>} */
const trackedScriptCalls = new Map();
/**
 * Of the functions beside the buffer, by index.
 * @type {(Origin | undefined)[]}
 */
const originsBeside = [];
/**
 * The call whose answer is being read: objects and streams in it came from there.
 * @type {Origin | undefined}
 */
let answered;

/** @param {string} module @param {string} member @returns {Origin} */
function originOf(module, member) { return { module, member, site: new ScriptError() }; }

/**
 * @param {string} kind @param {Origin | undefined} origin
 * @param {any} [reference] @param {string} [className] of an object
 * @returns {Outstanding}
 */
function track(kind, origin, reference, className = '') {
  const { module, member, site } = origin ?? { module: '', member: '', site: undefined };
  const item = { kind, module, member, site, since: native.now(), className, reference };
  outstanding.add(item);
  return item;
}

/** @param {Outstanding | undefined} item */
function untrack(item) { if (item !== undefined) outstanding.delete(item); }

/** @param {number} slot @param {Method} method @param {Origin} origin */
function trackCall(slot, method, origin) {
  trackedCalls[slot] = track(method.kind === 'promise' ? 'promise' : 'callback', origin);
}

/** @param {number} call @param {string | number | Operation} path */
function trackScriptCall(call, path) {
  trackedScriptCalls.set(call, track('scriptCall',
    typeof path === 'number' ? trackedFunctions[path] : { module: '', member: typeof path === 'object' ? path.name : path, site: undefined }));
}

/** @param {number} call */
function untrackScriptCall(call) {
  untrack(trackedScriptCalls.get(call));
  trackedScriptCalls.delete(call);
}

/** @returns {string} JSON: kind, module, member, class, age in milliseconds and stack of each */
function describeOutstanding() {
  const now = native.now();
  /** @type {any[]} */
  const list = [];
  for (const item of outstanding) {
    if (item.reference !== undefined && item.reference.deref() === undefined) continue;
    const stack = item.site === undefined ? '' : read(item.site, 'stack');
    list.push([item.kind, item.module, item.member, item.className, now - item.since, typeof stack === 'string' ? part('errors').mappedStack(stack) : '']);
  }
  return JSON.stringify(list);
}
