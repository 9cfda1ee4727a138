// What native code sends: answers, events and calls, read from the buffer's second half in one crossing a turn.

const ANSWER_RESOLVE = 1, ANSWER_REJECT = 2, ANSWER_EVENT = 3, ANSWER_CALL = 4, ANSWER_ABORT = 5, ANSWER_LISTENER = 6;

/**
 * Makes the functions that read values from a buffer.
 * @param {Int32Array} i32 @param {Float64Array} f64 @param {BigInt64Array} b64 @param {BigUint64Array} bu64
 */
function makeReader(i32, f64, b64, bu64) {
  let word = 0, textAt = 0, sideAt = 0;
  /** The text of all short strings of the delivery, and its values beside the buffer. */
  let text = '';
  /** @type {any} */
  let side;

  /** @returns {any} */
  function value() {
    const tag = i32[word], low = i32[word + 1];
    word += 2;
    switch (tag) {
      case TAG_NULL: return null;
      case TAG_BOOL: return low !== 0;
      case TAG_NUMBER: word += 2; return f64[(word >> 1) - 1];
      case TAG_STRING: textAt += low; return text.substring(textAt - low, textAt);
      case TAG_LONG_STRING: return side[sideAt++];
      case TAG_ARRAY: return array(low);
      case TAG_RECORD: return (recordReaders[low] ?? makeRecordReader(low))(value);
      case TAG_OBJECT: return object(low);
      case TAG_BIGINT: word += 2; return b64[(word >> 1) - 1];
      case TAG_BIGUINT: word += 2; return bu64[(word >> 1) - 1];
      case TAG_DATE: word += 2; return new DateConstructor(f64[(word >> 1) - 1]);
      case TAG_BINARY: return makeBinary(side[sideAt++], low - 1);
      case TAG_ERROR: return receiveError(low === 0 ? 0 : side[sideAt++], value(), value(), value(), value(), value(), value());
      case TAG_REFERENCE: return kept[side[sideAt++]];
      case TAG_STREAM: return makeStream(side[sideAt++]);
      case TAG_SHARED: return receiveObject(low, side[sideAt++]);
      case TAG_SIGNAL: return callSignal();
      case TAG_NAME: return low & 1 ? names[low >>> 1] = value() : names[low >>> 1];
      default: return undefined;
    }
  }

  /** @param {number} count */
  function array(count) {
    // Literals and bare arrays: an index that is set on `Array.prototype` must not be run into.
    switch (count) {
      case 0: return [];
      case 1: return [value()];
      case 2: return [value(), value()];
      case 3: return [value(), value(), value()];
    }
    const result = privateArray();
    for (let i = 0; i < count; i++) result[i] = value();
    setPrototypeOf(result, ArrayConstructor.prototype);
    return result;
  }

  /** @param {number} count */
  function object(count) {
    /** @type {any} */
    const result = {};
    for (let i = 0; i < count; i++) {
      const key = value();
      if (key === '__proto__') defineProperty(result, key, { __proto__: null, value: value(), writable: true, enumerable: true, configurable: true });
      else result[key] = value();
    }
    return result;
  }

  return {
    value,
    /** @param {number} atWord @param {number} atText @param {number} atSide @param {string} newText @param {any} newSide */
    moveTo(atWord, atText, atSide, newText, newSide) {
      word = atWord;
      textAt = atText;
      sideAt = atSide;
      text = newText ?? '';
      side = newSide;
    },
    /**
     * Goes on where it was once `body` has moved it.
     * @param {() => any} body
     */
    around(body) {
      const atWord = word, atText = textAt, atSide = sideAt, oldText = text, oldSide = side;
      try { return body(); } finally {
        word = atWord;
        textAt = atText;
        sideAt = atSide;
        text = oldText;
        side = oldSide;
      }
    },
    /** The next slot, as two words; the first is returned, the second is where `low` looks. */
    slot() { word += 2; return i32[word - 2]; },
    low: () => i32[word - 1],
    word: () => word,
    textAt: () => textAt,
    sideAt: () => sideAt,
  };
}

/** Strings that native sends by number. @type {string[]} */
const names = privateArray();

/** Makes an object of a record's values, by shape number. */
const recordReaders = privateArray();

/** @param {number} id */
function makeRecordReader(id) {
  const shape = shapeOf(id);
  let members = '';
  for (let i = 0; i < shape.length; i++) members += `[${stringify(shape[i].name)}]: value(), `;
  return recordReaders[id] = new FunctionConstructor('value', `'use strict'; return { ${members} };`);
}

const answers = makeReader(i32, f64, b64, bu64);
/** The delivery that is being read; it is kept so that reading can go on after a script was terminated in the middle. */
let deliveryText = '';
/** @type {any} */
let deliverySide;
let reader = answers;

/**
 * Reads what native has put there. Called by native, never while it runs already.
 * @param {number} endWord @param {string} text @param {any} side @param {ArrayBuffer} [elsewhere] instead of the buffer
 */
function deliver(endWord, text, side, elsewhere) {
  deliveryText = text;
  deliverySide = side;
  i32[ANSWER_END] = endWord;
  reader = elsewhere === undefined ? answers : makeReader(
    new Int32ArrayConstructor(elsewhere), new Float64ArrayConstructor(elsewhere),
    new BigInt64ArrayConstructor(elsewhere), new BigUint64ArrayConstructor(elsewhere));
  i32[ANSWER_CURSOR] = elsewhere === undefined ? answersStart : 0;
  i32[ANSWER_TEXT] = 0;
  i32[ANSWER_SIDE] = 0;
  goOnDelivering();
}

/** Reads the records that are left. Each is taken off before its functions run: if one is terminated, the rest is not lost. */
function goOnDelivering() {
  while (i32[ANSWER_CURSOR] < i32[ANSWER_END]) {
    reader.moveTo(i32[ANSWER_CURSOR], i32[ANSWER_TEXT], i32[ANSWER_SIDE], deliveryText, deliverySide);
    const kind = reader.slot();
    const slot = reader.low();
    if (tracksOutstanding) answered = kind === ANSWER_RESOLVE ? trackedCalls[slot] : undefined;
    const first = kind === ANSWER_ABORT ? undefined : reader.value();
    const second = kind === ANSWER_EVENT || kind === ANSWER_CALL ? reader.value() : undefined;
    i32[ANSWER_TEXT] = reader.textAt();
    i32[ANSWER_SIDE] = reader.sideAt();
    i32[ANSWER_CURSOR] = reader.word();
    try { handleAnswer(kind, slot, first, second); } catch (error) { reportUncaught(error); }
  }
  deliveryText = '';
  deliverySide = undefined;
}

/** @param {number} kind @param {number} slot @param {any} first @param {any} second */
function handleAnswer(kind, slot, first, second) {
  switch (kind) {
    case ANSWER_RESOLVE: settle(slot, resolves[slot], first); break;
    case ANSWER_REJECT: settle(slot, rejects[slot], withCallSite(slot, first)); break;
    case ANSWER_EVENT: receiveEvent(slot, first, second); break;
    case ANSWER_CALL: keepSignal(slot); receiveCall(slot, first, second); break;
    case ANSWER_ABORT: abortCall(slot); break;
    case ANSWER_LISTENER: beginListening(slot, first); break;
  }
}

/** @param {number} slot @param {any} waiting @param {any} value */
function settle(slot, waiting, value) {
  if (typeof resolves[slot] === 'number') return;
  freeSlot(slot);
  if (waiting !== undefined) waiting(value);
}

/**
 * In development mode, an error tells where the call was made.
 * @param {number} slot @param {any} error
 */
function withCallSite(slot, error) {
  const site = callSites[slot];
  if (site !== undefined && error instanceof ErrorConstructor) {
    defineProperty(error, 'stack', { __proto__: null, value: site.stack, writable: true, configurable: true });
  }
  return error;
}

/**
 * Makes the synchronous call that ends the buffer, and reads its answer.
 * @param {Origin} [origin] where what is outstanding is tracked
 * @returns {any}
 */
function flushSynchronously(origin) {
  const text = native.flushSynchronously();
  answered = origin;
  // Most answers are a number or a string.
  if (i32[resultStart] === ANSWER_RESOLVE) {
    const tag = i32[resultStart + 2];
    if (tag === TAG_NUMBER) return f64[(resultStart >> 1) + 2];
    if (tag === TAG_STRING && typeof text === 'string') return text;
  }
  return readResult(text);
}

const results = makeReader(i32, f64, b64, bu64);

/**
 * What native code says of a type: perhaps in the middle of a result, which lies where the answer is put.
 * @param {() => any} ask
 */
function readDescription(ask) {
  const around = typedArraySlice(i32, resultStart);
  return results.around(() => {
    try { return readResult(ask()); } finally { typedArraySet(i32, around, resultStart); }
  });
}

/**
 * The value that native has left in the result area, or throws the error there.
 * @param {any} given the text, or an array of it, the side values and the buffer that is used in place of the area
 */
function readResult(given) {
  let text = given, side, from = results, start = resultStart;
  if (typeof given === 'object' && given !== null) {
    text = given[0];
    side = given[1];
    if (given[2] !== undefined) {
      start = 0;
      from = makeReader(new Int32ArrayConstructor(given[2]), new Float64ArrayConstructor(given[2]),
        new BigInt64ArrayConstructor(given[2]), new BigUint64ArrayConstructor(given[2]));
    }
  }
  from.moveTo(start, 0, 0, text, side);
  const kind = from.slot();
  const value = from.value();
  if (kind === ANSWER_REJECT) throw value;
  return value;
}
