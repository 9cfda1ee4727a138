// The shared buffer. Values are 8-byte slots: a tag, 32 bits that depend on it, and what follows (see `Tag` in Swift).
// Native code reads it only between the turns of JavaScript, and trusts nothing in it.

const TAG_UNDEFINED = 0, TAG_NULL = 1, TAG_BOOL = 2, TAG_NUMBER = 3, TAG_BIGINT = 4, TAG_BIGUINT = 5, TAG_STRING = 6,
  TAG_UTF16 = 7, TAG_LONG_STRING = 8, TAG_ARRAY = 9, TAG_RECORD = 10, TAG_OBJECT = 11, TAG_BINARY = 12, TAG_DATE = 13,
  TAG_CALLBACK = 14, TAG_ERROR = 15, TAG_REFERENCE = 16, TAG_NAME = 17,
  TAG_SIGNAL = 18, TAG_STREAM = 19, TAG_SHARED = 20;

// Words of the header.
/** Where the next record goes: all before it is complete. Stored last, so that a record is there whole or not at all. */
const CURSOR = 0;
/** Native counts in it every 5 ms: above 1, calls have waited long enough. */
const CLOCK = 1;
/** How many values lie beside the buffer. */
const SIDE_COUNT = 2;
/** Where reading answers goes on: words, text units and side values. */
const ANSWER_CURSOR = 3, ANSWER_TEXT = 4, ANSWER_SIDE = 5;
/** Where the answers end. */
const ANSWER_END = 6;
/** Not 0 while what native code sent is read: no limit cuts that off. */
const READING = 7;
/** Not 0 where reading has broken off what native code handed over: it asks what has arrived, and lets go of the rest. */
const UNREAD = 8, WAITING = 9;

// Layout, in words; given by native.
const { buffer, commandsStart, commandsEnd, answersStart, resultStart } = native;

const i32 = new Int32Array(buffer);
const f64 = new Float64Array(buffer);
const u8 = new Uint8Array(buffer);
const u16 = new Uint16Array(buffer);
const b64 = new BigInt64Array(buffer);
const bu64 = new BigUint64Array(buffer);

/** Values too large for the buffer, or that stay in JavaScript. Native fetches them by index and clears them. */
const { side } = native;

const { stringLimit } = native;
/** Strings of more units than this travel beside the buffer. */
const LONGEST_INLINE_STRING = stringLimit < 1024 ? stringLimit : 1024;

// A record starts with its length in words, module number, method number and argument count, and reply slot.
const RECORD_HEADER = 4;
/** The module number of records that the runtime itself sends. */
const RUNTIME = -1;
const RUNTIME_ANSWER = 0, RUNTIME_FAILURE = 1, RUNTIME_ELSEWHERE = 2, RUNTIME_UNCAUGHT = 3, RUNTIME_CANCEL = 4,
  RUNTIME_CANCELLED = 5, RUNTIME_PULL = 6, RUNTIME_DROP = 7, RUNTIME_LISTEN = 8, RUNTIME_UNLISTEN = 9,
  RUNTIME_RELEASE = 10;
/** The slot of a call that waits here and now. */
const SYNCHRONOUS = -1;

/** The words that a string takes at most inside the buffer. */
const STRING_WORDS = 4 + (LONGEST_INLINE_STRING >> 1);

/**
 * Keeps a value beside the buffer. One that no record comes to refer to goes with the next flush.
 * @param {any} value
 * @returns {number} its index
 */
function keepBeside(value) {
  const index = i32[SIDE_COUNT];
  side[index] = value;
  i32[SIDE_COUNT] = index + 1;
  return index;
}

/**
 * Makes the function that writes strings into a buffer: at word `p`, where there is room for STRING_WORDS; it returns the
 * word behind.
 * @param {Int32Array} i32 @param {Uint8Array} u8 @param {Uint16Array} u16
 * @returns {(p: number, s: string) => number}
 */
function stringWriter(i32, u8, u16) {
  return function putString(p, s) {
    const length = s.length;
    if (length > LONGEST_INLINE_STRING) {
      checkLength(length);
      i32[p + 1] = keepBeside(s);
      i32[p] = TAG_LONG_STRING;
      return p + 2;
    }
    const start = (p + 2) << 2;
    let seen = 0;
    for (let i = 0; i < length; i++) {
      const unit = s.charCodeAt(i);
      seen |= unit;
      u8[start + i] = unit;
    }
    i32[p + 1] = length;
    if (seen < 128) {
      i32[p] = TAG_STRING;
      return p + 2 + (((length + 7) >> 3) << 1);
    }
    i32[p] = TAG_UTF16;
    const wide = start >> 1;
    for (let i = 0; i < length; i++) u16[wide + i] = s.charCodeAt(i);
    return p + 2 + (((length + 3) >> 2) << 1);
  };
}

const putString = stringWriter(i32, u8, u16);

/** @param {number} length of a string */
function checkLength(length) {
  if (length > stringLimit) throw limitError(`a string of ${length} units is longer than the limit of ${stringLimit} units`);
}

/**
 * Writes a whole number or a BigInt of 64 bits.
 * @param {number} p @param {number | bigint} value
 */
function putInteger(p, value) {
  if (typeof value === 'number') {
    i32[p] = TAG_NUMBER;
    f64[(p >> 1) + 1] = value;
  } else if (value < 0n) {
    i32[p] = TAG_BIGINT;
    b64[(p >> 1) + 1] = value;
  } else {
    i32[p] = TAG_BIGUINT;
    bu64[(p >> 1) + 1] = value;
  }
  return p + 4;
}

/**
 * Throws where less than 8 KB of the stack are left for each level: before something is begun that would be done by halves at the
 * stack's end, and could not be tried again.
 */
function needStack(levels = 1) { (looks[levels] ?? lookByPassing(levels))(); }

/** @type {(() => void)[]} */
const looks = [];
/** A look that takes no time is worth its making (1.3 ms for eight levels) only to those who look often. */
const LOOKS_BY_PASSING = 100;

/**
 * Passes as many arguments, which takes 500 ns a level.
 * @param {number} levels
 */
function lookByPassing(levels) {
  const room = new Array(1024 * levels).fill(0);
  let left = LOOKS_BY_PASSING;
  return looks[levels] = () => {
    if (left-- === 0) looks[levels] = makeLook(levels);
    apply(ignore, undefined, room);
  };
}

/**
 * The room is that of arguments which are never passed: the engine asks for a function's whole frame when it is entered, so that
 * this costs 20 ns. One frame for all levels: what an interpreted function calls lies over those arguments.
 * @param {number} levels
 */
function makeLook(levels) {
  return new Function(`'use strict'; return function needStack(pass) { if (pass !== undefined) pass(${'0,'.repeat(1024 * levels - 1)}0); };`)();
}

/** The levels that handing a queue over needs. */
const QUEUE_LEVELS = 8;

function ignore() {}

/** Hands what is in the buffer over, now. */
function flush() {
  i32[CLOCK] = 0;
  native.flush();
}

