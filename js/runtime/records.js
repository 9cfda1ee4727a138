// Putting a tree into a record: into the buffer if it fits, else into one of its own that the buffer refers to.

/**
 * The views on one buffer, and the function that writes strings into it.
 * @typedef {{i32: Int32Array, f64: Float64Array, b64: BigInt64Array, bu64: BigUint64Array, putString: (p: number, s: string) => number}} Views
 */

/** @type {Views} */
const sharedViews = { i32, f64, b64, bu64, putString };

/** @param {ArrayBuffer} buffer @returns {Views} */
function makeViews(buffer) {
  const i32 = new Int32Array(buffer);
  return {
    i32, f64: new Float64Array(buffer), b64: new BigInt64Array(buffer),
    bu64: new BigUint64Array(buffer),
    putString: stringWriter(i32, new Uint8Array(buffer), new Uint16Array(buffer)),
  };
}

/**
 * Flushes if there is no room for a record, which may run scripts. A synchronous call is alone in the buffer: what was called before it
 * may run scripts, whose synchronous calls would take its answer.
 * @param {Tree} tree @param {number} [slot]
 */
function makeRoom(tree, slot) {
  if (slot === SYNCHRONOUS ? i32[CURSOR] !== commandsStart : i32[CURSOR] + RECORD_HEADER + tree.words > commandsEnd) flush();
}

/**
 * Sends one record with the values of `tree`.
 * @param {number} module @param {number} methodAndCount @param {Tree} tree
 * @param {Function | undefined} resolve @param {Function | undefined} reject who waits for the answer, if anyone does
 * @param {number} [slot] in place of functions @param {string} [callee] what is called
 */
function sendTree(module, methodAndCount, tree, resolve, reject, slot = 0, callee = '') {
  const words = RECORD_HEADER + tree.words;
  if (words * 4 > native.messageLimit) throw tooLarge('a message', native.messageLimit, words * 4);
  makeRoom(tree, slot);
  if (i32[CURSOR] + words > commandsEnd) return sendElsewhere(module, methodAndCount, tree, words, resolve, reject, slot, callee);
  const start = i32[CURSOR];
  const end = writeTree(sharedViews, start + RECORD_HEADER, tree);
  writeHeader(i32, start, end, module, methodAndCount);
  const waiting = resolve === undefined && reject === undefined ? slot : takeSlot(resolve, reject, callee);
  i32[start + 3] = waiting;
  i32[CURSOR] = end;
  return waiting;
}

/** @param {Int32Array} view @param {number} start @param {number} end @param {number} module @param {number} methodAndCount */
function writeHeader(view, start, end, module, methodAndCount) {
  view[start] = end - start;
  view[start + 1] = module;
  view[start + 2] = methodAndCount;
}

/**
 * A record too large for the buffer: it is written into one of its own.
 * @param {number} module @param {number} methodAndCount @param {Tree} tree @param {number} words
 * @param {Function | undefined} resolve @param {Function | undefined} reject @param {number} slot @param {string} callee
 */
function sendElsewhere(module, methodAndCount, tree, words, resolve, reject, slot, callee) {
  const large = new ArrayBuffer(Math.ceil(words / 2) * 8);
  const views = makeViews(large);
  const end = writeTree(views, RECORD_HEADER, tree);
  writeHeader(views.i32, 0, end, module, methodAndCount);
  const waiting = resolve === undefined && reject === undefined ? slot : takeSlot(resolve, reject, callee);
  views.i32[3] = waiting;
  const reference = i32[CURSOR];
  writeHeader(i32, reference, reference + RECORD_HEADER + 2, RUNTIME, RUNTIME_ELSEWHERE);
  i32[reference + 3] = 0;
  i32[reference + 4] = TAG_REFERENCE;
  i32[reference + 5] = keepBeside(large);
  i32[CURSOR] = reference + RECORD_HEADER + 2;
  return waiting;
}

/**
 * Writes the tokens of a tree. No foreign code runs.
 * @param {Views} views @param {number} p the word to start at @param {Tree} tree
 * @returns {number} the word behind them
 */
function writeTree(views, p, tree) {
  const { i32, f64, b64, bu64, putString } = views;
  const { tags, operands } = tree;
  for (let k = 0; k < tags.length; k++) {
    const tag = tags[k];
    const operand = operands[k];
    i32[p] = tag;
    switch (tag) {
      case TAG_NUMBER: case TAG_DATE: f64[(p >> 1) + 1] = operand; p += 4; break;
      case TAG_BIGINT: b64[(p >> 1) + 1] = operand; p += 4; break;
      case TAG_BIGUINT: bu64[(p >> 1) + 1] = operand; p += 4; break;
      case TAG_STRING: p = putString(p, operand); break;
      // The number that it has now, not when it was read: getters behind it may have released it.
      case TAG_SHARED: i32[p + 1] = operand.number; p += 2; break;
      case TAG_LONG_STRING: i32[p + 1] = keepBeside(operand); p += 2; break;
      case TAG_REFERENCE:
        i32[p + 1] = keepBeside(operand);
        if (tracksOutstanding) originsBeside[i32[p + 1]] = tree.origin;
        p += 2;
        break;
      case TAG_ERROR: i32[p + 1] = keepBeside(operand); p += 2; break;
      case TAG_BINARY:
        i32[p + 1] = keepBeside(operand.buffer);
        i32[p + 2] = operand.kind;
        // Of both what 32 bits do not hold: an ArrayBuffer may have 4 GiB.
        i32[p + 3] = operand.offset / 0x1_0000_0000 | operand.length / 0x1_0000_0000 << 16;
        i32[p + 4] = operand.offset;
        i32[p + 5] = operand.length;
        p += 6;
        break;
      default: i32[p + 1] = operand; p += 2;
    }
  }
  return p;
}

/** @param {string} what @param {number} limit @param {number} size */
function tooLarge(what, limit, size) { return limitError(`${what} of ${size} bytes is larger than the limit of ${limit} bytes`); }
