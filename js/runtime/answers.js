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
  /** What is read is for the runtime alone, and stays in its realm. */
  let isOwn = false;
  /**
   * That of the call whose arguments are being read, if it has one.
   * @type {Signal | undefined}
   */
  let signal;

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
      case TAG_DATE: word += 2; return new ScriptDate(f64[(word >> 1) - 1]);
      case TAG_BINARY: return makeBinary(side[sideAt++], low - 1);
      case TAG_ERROR: return receiveError(low === 0 ? 0 : side[sideAt++], value(), value(), value(), value(), value(), value());
      case TAG_REFERENCE: return kept[side[sideAt++]];
      case TAG_STREAM: return makeStream(side[sideAt++]);
      case TAG_SHARED: return receiveObject(low, side[sideAt++]);
      case TAG_SIGNAL: return (signal ??= makeSignal()).signal;
      case TAG_NAME: return low & 1 ? names[low >>> 1] = value() : names[low >>> 1];
      default: return undefined;
    }
  }

  /** @param {number} count */
  function array(count) {
    if (!isOwn) {
      switch (count) {
        case 1: return arrayOf1(value());
        case 2: return arrayOf2(value(), value());
        case 3: return arrayOf3(value(), value(), value());
      }
    }
    /** @type {any[]} */
    const result = [];
    for (let i = 0; i < count; i++) result.push(value());
    return isOwn ? result : publishArray(result);
  }

  /** @param {number} count */
  function object(count) {
    /** @type {any} */
    const result = Object.create(null);
    for (let i = 0; i < count; i++) {
      const key = value();
      result[key] = value();
    }
    return isOwn ? result : publishObject(result);
  }

  return {
    value,
    /** A value for the runtime. */
    ownValue() {
      isOwn = true;
      try { return value(); } finally { isOwn = false; }
    },
    /** An array for the runtime, of values for scripts. */
    list() {
      /** @type {any[]} */
      const result = [];
      word += 2;
      for (let count = i32[word - 1]; count > 0; count--) result.push(value());
      return result;
    },
    /** @param {number} atWord @param {number} atText @param {number} atSide @param {string} newText @param {any} newSide */
    moveTo(atWord, atText, atSide, newText, newSide) {
      word = atWord;
      textAt = atText;
      sideAt = atSide;
      text = newText ?? '';
      side = newSide;
      signal = undefined;
      // A limit that ends a script runs no `finally`.
      isOwn = false;
    },
    /**
     * Goes on where it was once `body` has moved it.
     * @param {() => any} body
     */
    around(body) {
      const atWord = word, atText = textAt, atSide = sideAt, oldText = text, oldSide = side, oldSignal = signal, wasOwn = isOwn;
      isOwn = false;
      try { return body(); } finally {
        isOwn = wasOwn;
        word = atWord;
        textAt = atText;
        sideAt = atSide;
        text = oldText;
        side = oldSide;
        signal = oldSignal;
      }
    },
    /**
     * Passes over values without making them; names among them are learned.
     * @param {number} count
     */
    skip(count) {
      while (count-- > 0) {
        const tag = i32[word], low = i32[word + 1];
        word += 2;
        switch (tag) {
          case TAG_NUMBER: case TAG_BIGINT: case TAG_BIGUINT: case TAG_DATE: word += 2; break;
          case TAG_STRING: textAt += low; break;
          case TAG_STREAM: case TAG_SHARED: case TAG_LONG_STRING: case TAG_BINARY: case TAG_REFERENCE: sideAt++; break;
          case TAG_ARRAY: count += low; break;
          case TAG_OBJECT: count += 2 * low; break;
          case TAG_RECORD: count += shapeOf(low).length; break;
          case TAG_ERROR: if (low !== 0) sideAt++; count += 6; break;
          case TAG_NAME: if (low & 1) names[low >>> 1] = value();
        }
      }
    },
    /** The next slot, as two words; the first is returned, the second is where `low` looks. */
    slot() { word += 2; return i32[word - 2]; },
    low: () => i32[word - 1],
    word: () => word,
    textAt: () => textAt,
    sideAt: () => sideAt,
    signal: () => signal,
  };
}

/**
 * Strings that native sends by number.
 * @type {string[]}
 */
const names = [];

/**
 * Makes an object of a record's values, by shape number.
 * @type {any[]}
 */
const recordReaders = [];

/** @param {number} id */
function makeRecordReader(id) {
  const members = shapeOf(id).map(({ name }) => `[${JSON.stringify(name)}]: value()`);
  return recordReaders[id] = new ScriptFunction('value', `'use strict'; return { ${members.join(', ')} };`);
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
  reader = elsewhere === undefined ? answers : makeReader(
    new Int32Array(elsewhere), new Float64Array(elsewhere),
    new BigInt64Array(elsewhere), new BigUint64Array(elsewhere));
  i32[ANSWER_CURSOR] = elsewhere === undefined ? answersStart : 0;
  i32[ANSWER_TEXT] = 0;
  i32[ANSWER_SIDE] = 0;
  // Last: a limit may end this anywhere.
  i32[ANSWER_END] = endWord;
  goOnDelivering();
}

/**
 * Reads the records that are left. Each is taken off before its functions run: if one is ended by a limit, the rest is not lost.
 * The reading itself runs no script and is not ended.
 */
function goOnDelivering() {
  while (i32[ANSWER_CURSOR] < i32[ANSWER_END]) {
    i32[READING] = 1;
    reader.moveTo(i32[ANSWER_CURSOR], i32[ANSWER_TEXT], i32[ANSWER_SIDE], deliveryText, deliverySide);
    const kind = reader.slot();
    const slot = reader.low();
    if (tracksOutstanding) answered = kind === ANSWER_RESOLVE ? trackedCalls[slot] : undefined;
    let first, second, failure;
    try {
      switch (kind) {
        case ANSWER_EVENT: first = reader.value(); second = reader.value(); break;
        case ANSWER_CALL: first = reader.ownValue(); second = reader.list(); break;
        case ANSWER_LISTENER: first = reader.list(); break;
        case ANSWER_ABORT: break;
        default: first = reader.value();
      }
    } catch (error) {
      // The stack or the memory is at its end.
      failure = { error };
      skipRecord(kind);
    }
    i32[ANSWER_TEXT] = reader.textAt();
    i32[ANSWER_SIDE] = reader.sideAt();
    i32[ANSWER_CURSOR] = reader.word();
    i32[READING] = 0;
    try {
      if (failure === undefined) handleAnswer(kind, slot, first, second);
      else handleUnreadable(kind, slot, clean(failure.error));
    } catch (error) { reportUncaught(error); }
  }
  deliveryText = '';
  deliverySide = undefined;
}

/**
 * Moves behind a record that could not be read, wherever it broke off.
 * @param {number} kind
 */
function skipRecord(kind) {
  i32[UNREAD] = 1;
  reader.moveTo(i32[ANSWER_CURSOR] + 2, i32[ANSWER_TEXT], i32[ANSWER_SIDE], deliveryText, deliverySide);
  try { reader.skip(kind === ANSWER_EVENT || kind === ANSWER_CALL ? 2 : 1); } catch (error) {
    reader.moveTo(i32[ANSWER_END], 0, 0, '', undefined);
    reportUncaught(error);
  }
}

/** @param {number} kind @param {number} slot @param {any} error */
function handleUnreadable(kind, slot, error) {
  switch (kind) {
    case ANSWER_RESOLVE: case ANSWER_REJECT: return finishCall(slot, rejects[slot], error);
    case ANSWER_CALL: return endCall(slot, RUNTIME_FAILURE, error);
    case ANSWER_LISTENER: beginListening(slot, []);
  }
  reportUncaught(error);
}

/** @param {number} kind @param {number} slot @param {any} first @param {any} second */
function handleAnswer(kind, slot, first, second) {
  switch (kind) {
    case ANSWER_RESOLVE: finishCall(slot, resolves[slot], first); break;
    case ANSWER_REJECT: finishCall(slot, rejects[slot], withCallSite(slot, first)); break;
    case ANSWER_EVENT: receiveEvent(slot, first, second); break;
    case ANSWER_CALL: keepSignal(slot, reader.signal()); receiveCall(slot, first, second); break;
    case ANSWER_ABORT: abortCall(slot); break;
    case ANSWER_LISTENER: beginListening(slot, first); break;
  }
}

/** @param {number} slot @param {any} waiting @param {any} value */
function finishCall(slot, waiting, value) {
  if (typeof resolves[slot] === 'number') return;
  // Before a script can have the slot: to send may run some.
  if (cancelledSlots.size > 0 && cancelledSlots.delete(slot)) sendRuntimeRecord(RUNTIME_CANCELLED, slot);
  freeSlot(slot);
  if (waiting !== undefined) waiting(value);
}

/**
 * In development mode, an error tells where the call was made.
 * @param {number} slot @param {any} error
 */
function withCallSite(slot, error) {
  const site = callSites[slot];
  // It may be a proxy of one, which throws.
  try { if (site !== undefined && isError(error)) define(error, 'stack', clean(site).stack); } catch {}
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
  if (typeof text !== 'object') return readResult(text);
  // What native code hands over with it is received, or is not.
  const unread = i32[UNREAD];
  i32[UNREAD] = 1;
  const value = readResult(text);
  i32[UNREAD] = unread;
  return value;
}

const results = makeReader(i32, f64, b64, bu64);

/**
 * What native code says of a type: perhaps in the middle of a result, which lies where the answer is put.
 * @param {() => any} ask
 */
function describe(ask) {
  const around = i32.slice(resultStart);
  return results.around(() => {
    try { return readResult(ask(), true); } finally { i32.set(around, resultStart); }
  });
}

/**
 * The arguments that native has left in the result area. As with answers, no limit cuts that off.
 * @param {string} text @param {any} side @param {ArrayBuffer} [elsewhere] instead of the area
 * @returns {any[]}
 */
function readArguments(text, side, elsewhere) {
  const from = elsewhere === undefined ? results : makeReader(
    new Int32Array(elsewhere), new Float64Array(elsewhere),
    new BigInt64Array(elsewhere), new BigUint64Array(elsewhere));
  from.moveTo(elsewhere === undefined ? resultStart : 0, 0, 0, text, side);
  i32[READING]++;
  try { return from.list(); } finally { i32[READING]--; }
}

/**
 * The value that native has left in the result area, or throws the error there.
 * @param {any} given the text, or an array of it, the side values and the buffer that is used in place of the area
 * @param {boolean} [isOwn] for the runtime alone
 */
function readResult(given, isOwn = false) {
  let text = given, side, from = results, start = resultStart;
  if (typeof given === 'object' && given !== null) {
    text = given[0];
    side = given[1];
    if (given[2] !== undefined) {
      start = 0;
      from = makeReader(new Int32Array(given[2]), new Float64Array(given[2]),
        new BigInt64Array(given[2]), new BigUint64Array(given[2]));
    }
  }
  from.moveTo(start, 0, 0, text, side);
  const kind = from.slot();
  let value;
  // No limit cuts that off.
  const isUncut = side === undefined ? 0 : 1;
  i32[READING] += isUncut;
  try { value = isOwn ? from.ownValue() : from.value(); } finally { i32[READING] -= isUncut; }
  if (kind === ANSWER_REJECT) throw value;
  return value;
}
