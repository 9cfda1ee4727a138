// The functions that wait for an answer, by slot. A free slot holds the number of the next free one in `resolves`.

/** @type {any[]} */
const resolves = [];
/** @type {any[]} */
const rejects = [];
/**
 * Where each call was made, in development mode and where what is outstanding is tracked.
 * @type {any[]}
 */
const callSites = [];
/**
 * What was called, for the error that it fails with when the bridge closes.
 * @type {string[]}
 */
const callees = [];
let firstFree = 0;
let waitingCount = 0;
const { callLimit, sharedCallLimit } = native;
/** How many wait in all bridges that share the limit. */
const sharedCalls = native.sharedCalls && new Int32Array(native.sharedCalls);

resolves[0] = 1;  // Slot 0 means that nobody waits.
firstFree = 1;

/**
 * Keeps the functions of one call. Straight-line code: it is never half done.
 * @param {Function | undefined} resolve @param {Function | undefined} reject @param {string} callee
 * @returns {number}
 */
function takeSlot(resolve, reject, callee) {
  if (waitingCount >= callLimit) throw limitError(`more than ${callLimit} calls would wait for an answer`);
  if (sharedCalls !== undefined && Atomics.add(sharedCalls, 0, 1) >= sharedCallLimit) {
    Atomics.sub(sharedCalls, 0, 1);
    throw limitError(`more than ${sharedCallLimit} calls would wait for an answer, those of workers included`);
  }
  const slot = firstFree;
  const next = resolves[slot];
  firstFree = next === undefined ? slot + 1 : next;
  resolves[slot] = resolve;
  rejects[slot] = reject;
  callees[slot] = callee;
  i32[WAITING] = ++waitingCount;
  return slot;
}

const remembersCalls = native.isDevelopment || tracksOutstanding;

/**
 * Keeps where a call is made, for the error that may be its answer.
 * @param {number} slot @param {string} module @param {Method} method @param {Origin} [origin]
 */
function rememberCall(slot, module, method, origin = originOf(module, method.name)) {
  callSites[slot] = origin.site;
  if (tracksOutstanding) trackCall(slot, method, origin);
}

/** @param {number} slot */
function freeSlot(slot) {
  resolves[slot] = firstFree;
  rejects[slot] = undefined;
  callSites[slot] = undefined;
  if (tracksOutstanding) {
    untrack(trackedCalls[slot]);
    trackedCalls[slot] = undefined;
  }
  firstFree = slot;
  i32[WAITING] = --waitingCount;
  if (sharedCalls !== undefined) Atomics.sub(sharedCalls, 0, 1);
}
