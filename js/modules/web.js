// What the web has and needs nothing native: TextEncoder, TextDecoder; structuredClone over clone.js.

class TextEncoder {
  get encoding() { return 'utf-8'; }

  /** @param {any} [input] @returns {Uint8Array} lone surrogates become U+FFFD */
  encode(input = '') {
    const text = StringConstructor(input);
    const bytes = new Uint8ArrayConstructor(text.length * 3);
    const buffer = typedArrayBuffer(bytes);
    return new Uint8ArrayConstructor(arrayBufferSlice(buffer, 0, encodeInto(text, bytes, bytes.length).written));
  }

  /** @param {any} input @param {Uint8Array} bytes */
  encodeInto(input, bytes) {
    if (typedArrayName(bytes) !== 'Uint8Array') throw new TypeErrorConstructor("encodeInto, argument 2 'bytes': expected Uint8Array");
    return encodeInto(StringConstructor(input), bytes, typedArrayLength(bytes));
  }
}

/** @param {string} text @param {Uint8Array} bytes @param {number} room */
function encodeInto(text, bytes, room) {
  let written = 0, read = 0;
  while (read < text.length) {
    const first = text.charCodeAt(read);
    const second = first >= 0xD800 && first < 0xDC00 && read + 1 < text.length ? text.charCodeAt(read + 1) : 0;
    const isPair = second >= 0xDC00 && second < 0xE000;
    const point = isPair ? (first - 0xD800) * 0x400 + second - 0xDC00 + 0x10000 : first >= 0xD800 && first < 0xE000 ? 0xFFFD : first;
    const count = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (written + count > room) break;
    putCodePoint(bytes, written, point, count);
    written += count;
    read += isPair ? 2 : 1;
  }
  return { read, written };
}

/** @param {Uint8Array} bytes @param {number} at @param {number} point @param {number} count of bytes */
function putCodePoint(bytes, at, point, count) {
  if (count === 1) {
    bytes[at] = point;
    return;
  }
  for (let i = count - 1; i > 0; i--) {
    bytes[at + i] = point & 0x3F | 0x80;
    point >>= 6;
  }
  bytes[at] = point | (count === 2 ? 0xC0 : count === 3 ? 0xE0 : 0xF0);
}

class TextDecoder {
  #fatal;
  #keepsMark;

  /** @param {string} [label] only UTF-8 @param {{fatal?: boolean, ignoreBOM?: boolean}} [options] */
  constructor(label = 'utf-8', options = {}) {
    if (label !== 'utf-8' && label !== 'utf8' && label !== 'UTF-8') throw new RangeErrorConstructor(`TextDecoder: the encoding '${label}' is not supported`);
    this.#fatal = options.fatal === true;
    this.#keepsMark = options.ignoreBOM === true;
  }

  get encoding() { return 'utf-8'; }
  get fatal() { return this.#fatal; }
  get ignoreBOM() { return this.#keepsMark; }

  /** @param {any} [input] an ArrayBuffer or a view on one */
  decode(input) {
    if (input === undefined) return '';
    const bytes = bytesOf(input);
    const hasMark = bytes[0] === 0xEF && bytes[1] === 0xBB && bytes[2] === 0xBF;
    return decodeBytes(bytes, hasMark && !this.#keepsMark ? 3 : 0, this.#fatal);
  }
}

/** @param {any} input @returns {Uint8Array} */
function bytesOf(input) {
  if (isView(input)) {
    return typedArrayName(input) === undefined
      ? new Uint8ArrayConstructor(dataViewBuffer(input), dataViewByteOffset(input), dataViewByteLength(input))
      : new Uint8ArrayConstructor(typedArrayBuffer(input), typedArrayByteOffset(input), typedArrayByteLength(input));
  }
  if (attempt(() => arrayBufferByteLength(input)) === undefined) throw new TypeErrorConstructor("decode, argument 1 'input': expected ArrayBuffer or a view on one");
  return new Uint8ArrayConstructor(input);
}

const fromCharCode = StringConstructor.fromCharCode;

/**
 * As the Encoding standard says: each maximal part of an ill-formed sequence becomes one U+FFFD.
 * @param {Uint8Array} bytes @param {number} start @param {boolean} fatal
 */
function decodeBytes(bytes, start, fatal) {
  const length = typedArrayLength(bytes);
  let text = '';
  for (let i = start; i < length;) {
    const first = bytes[i++];
    if (first < 0x80) {
      text += fromCharCode(first);
      continue;
    }
    const count = first >= 0xC2 && first < 0xE0 ? 1 : first >= 0xE0 && first < 0xF0 ? 2 : first >= 0xF0 && first < 0xF5 ? 3 : 0;
    let point = count === 0 ? -1 : first & (0x3F >> count);
    for (let k = 0; k < count && point >= 0; k++) {
      const low = k > 0 ? 0x80 : first === 0xE0 ? 0xA0 : first === 0xF0 ? 0x90 : 0x80;
      const high = k > 0 ? 0xBF : first === 0xED ? 0x9F : first === 0xF4 ? 0x8F : 0xBF;
      if (i < length && bytes[i] >= low && bytes[i] <= high) point = point << 6 | bytes[i++] & 0x3F;
      else point = -1;
    }
    if (point < 0 && fatal) throw new TypeErrorConstructor('decode: the bytes are not UTF-8');
    if (point < 0) text += '\uFFFD';
    else if (point < 0x10000) text += fromCharCode(point);
    else text += fromCharCode(0xD800 + (point - 0x10000 >> 10), 0xDC00 + (point - 0x10000 & 0x3FF));
  }
  return text;
}

defineGlobal('TextEncoder', TextEncoder);
defineGlobal('TextDecoder', TextDecoder);
defineGlobal('structuredClone', function structuredClone(/** @type {any} */ value, /** @type {any} */ options) {
  if (arguments.length === 0) throw new TypeErrorConstructor("structuredClone: argument 1 'value' is missing");
  return readClone(writeClone(value, options?.transfer));
});
