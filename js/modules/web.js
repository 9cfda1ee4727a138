// What the web has and needs nothing native: TextEncoder, TextDecoder; structuredClone over clone.js.

/** @returns {any} */
function interfaces() { return runtime.part('interfaces'); }

class EncoderData {}

function makeTextEncoder() {
  const { defineInterface, text } = interfaces();
  return defineInterface('TextEncoder', EncoderData, {
    shown: ['encoding'],
    construct: () => new EncoderData(),
    attributes: { encoding: [() => 'utf-8'] },
    operations: {
      encode: (/** @type {any} */ _, /** @type {any} */ input = '') => encodeText(text(input)),
      encodeInto(/** @type {any} */ _, /** @type {any} */ input, /** @type {any} */ bytes) {
        if (!isView(bytes) || typedArrayName(bytes) !== 'Uint8Array') throw new ScriptTypeError("encodeInto, argument 2 'bytes': expected Uint8Array");
        return publishObject(encodeInto(text(input), /** @type {any} */ (bytes), typedArrayLength(bytes)));
      },
    },
  }).made;
}

/** How much native code converts at a time, in units or bytes, and what it is not worth a call for. */
const PART = 1 << 16, SHORT = 512;

/**
 * Where a part ends that is to end there at most: not within a character.
 * @param {string} text @param {number} end
 */
function wholeUnits(text, end) {
  if (end >= text.length) return text.length;
  const isSplit = (text.charCodeAt(end - 1) & 0xFC00) === 0xD800 && (text.charCodeAt(end) & 0xFC00) === 0xDC00;
  return isSplit ? end - 1 : end;
}

/** @param {string} text @returns {Uint8Array} of the script's; lone surrogates become U+FFFD */
function encodeText(text) {
  const parts = [];
  let length = 0;
  for (let read = 0; read < text.length;) {
    const end = wholeUnits(text, read + PART), part = encodePart(text.slice(read, end));
    parts.push(part);
    length += part.length;
    read = end;
  }
  const result = new ScriptUint8Array(length);
  let written = 0;
  for (const part of parts) {
    typedArrayPrototype.set.call(result, part, written);
    written += part.length;
  }
  return result;
}

/** @param {string} text @returns {Uint8Array} */
function encodePart(text) {
  // A host may let no strings of that length go over.
  const encoded = text.length > SHORT ? attempt(() => native.encodeText(text)) : undefined;
  if (encoded !== undefined) return new Uint8Array(encoded);
  const bytes = new Uint8Array(text.length * 3);
  return bytes.subarray(0, encodeInto(text, bytes, bytes.length).written);
}

/** @param {string} text @param {Uint8Array} bytes @param {number} room */
function encodeInto(text, bytes, room) {
  let written = 0, read = 0;
  // As long as parts surely fit.
  while (text.length - read > SHORT && room - written > SHORT * 3) {
    const end = wholeUnits(text, read + Math.min(PART, Math.floor((room - written) / 3)));
    const encoded = attempt(() => native.encodeText(text.slice(read, end)));
    if (encoded === undefined) break;
    const part = new Uint8Array(encoded);
    typedArrayPrototype.set.call(bytes, part, written);
    written += part.length;
    read = end;
  }
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

/** What UTF-8 is called, in small letters. */
const namesOfUTF8 = new Set(['utf-8', 'utf8', 'unicode-1-1-utf-8', 'unicode11utf8', 'unicode20utf8', 'x-unicode20utf8']);

/** What stands behind a `TextDecoder`, or a `TextDecoderStream`. */
class DecoderData {
  #isBegun = false;
  #pending = new Uint8Array(0);
  /** @type {any} of another encoding than UTF-8 */
  #encoded;

  /** @param {string} label @param {any} options */
  constructor(label, options) {
    const name = label.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '').replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
    this.fatal = Boolean(options.fatal);
    this.ignoreBOM = Boolean(options.ignoreBOM);
    this.encoding = 'utf-8';
    if (namesOfUTF8.has(name)) return;
    const { encodingOf, EncodedText } = runtime.part('encodings');
    this.encoding = encodingOf(name);
    if (this.encoding === undefined || this.encoding === 'replacement') throw new ScriptRangeError(`TextDecoder: the encoding '${label}' is not supported`);
    this.#encoded = new EncodedText(this.encoding, this.fatal, this.ignoreBOM);
  }

  /** @param {Uint8Array} given @param {boolean} isPart what the input breaks off in is kept for the next part */
  decode(given, isPart) {
    if (this.#encoded !== undefined) return this.#encoded.decode(given, isPart);
    let bytes = given;
    if (this.#pending.length > 0) {
      bytes = new Uint8Array(this.#pending.length + given.length);
      bytes.set(this.#pending);
      bytes.set(given, this.#pending.length);
    }
    const end = isPart ? wholeLength(bytes, !this.#isBegun) : bytes.length;
    runtime.needStack(4);
    this.#pending = bytes.slice(end);
    const hasMark = !this.#isBegun && end >= 3 && bytes[0] === 0xEF && bytes[1] === 0xBB && bytes[2] === 0xBF;
    this.#isBegun = isPart && (this.#isBegun || end > 0);
    return decodeBytes(bytes, hasMark && !this.ignoreBOM ? 3 : 0, end, this.fatal);
  }
}

function makeTextDecoder() {
  const { defineInterface, dictionary, text } = interfaces();
  return defineInterface('TextDecoder', DecoderData, {
    shown: ['encoding', 'fatal', 'ignoreBOM'],
    construct: (/** @type {any} */ _, /** @type {any} */ label = 'utf-8', /** @type {any} */ options = undefined) => new DecoderData(text(label), dictionary(options, "TextDecoder, argument 2 'options'")),
    attributes: Object.fromEntries(['encoding', 'fatal', 'ignoreBOM'].map((key) => [key, [(/** @type {any} */ decoder) => decoder[key]]])),
    operations: {
      decode(/** @type {DecoderData} */ decoder, /** @type {any} */ input = undefined, /** @type {any} */ options = undefined) {
        const isPart = Boolean(dictionary(options, "decode, argument 2 'options'").stream);
        return decoder.decode(input === undefined ? new Uint8Array(0) : bytesOf(input), isPart);
      },
    },
  }).made;
}

/**
 * Without the sequence at the end that may go on.
 * @param {Uint8Array} bytes @param {boolean} isStart which may be a part of the byte-order mark
 */
function wholeLength(bytes, isStart) {
  const { length } = bytes;
  if (isStart && length < 3 && bytes[0] === 0xEF) return 0;
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back];
    if ((byte & 0xC0) === 0x80) continue;
    const count = byte >= 0xF0 && byte < 0xF5 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 1;
    return byte < 0xF5 && count > back && isBeginning(bytes, length - back) ? length - back : length;
  }
  return length;
}

/**
 * Whether the bytes from there on begin a character, all that are there being right.
 * @param {Uint8Array} bytes @param {number} start
 */
function isBeginning(bytes, start) {
  if (start + 1 === bytes.length) return true;
  const [low, high] = secondByteRange(bytes[start]);
  return bytes[start + 1] >= low && bytes[start + 1] <= high;
}

/**
 * Where the second byte of a character lies.
 * @param {number} first
 */
function secondByteRange(first) {
  return [first === 0xE0 ? 0xA0 : first === 0xF0 ? 0x90 : 0x80, first === 0xED ? 0x9F : first === 0xF4 ? 0x8F : 0xBF];
}

/** @param {any} input @returns {Uint8Array} */
function bytesOf(input) {
  const isOnBuffer = isView(input), isData = isOnBuffer && typedArrayName(input) === undefined;
  // Without its buffer a view of data has no length.
  const length = attempt(() => isData ? dataViewByteLength(input) : isOnBuffer ? typedArrayByteLength(input) : arrayBufferByteLength(input)) ?? (isOnBuffer ? 0 : undefined);
  if (length === undefined) throw new ScriptTypeError("decode, argument 1 'input': expected ArrayBuffer or a view on one");
  // What has been given away has no bytes.
  if (length === 0) return new Uint8Array(0);
  if (!isOnBuffer) return new Uint8Array(input);
  return isData ? new Uint8Array(dataViewBuffer(input), dataViewByteOffset(input), length) : new Uint8Array(typedArrayBuffer(input), typedArrayByteOffset(input), length);
}

/** So many units of text are made at once: as arguments of one call. */
const UNITS_AT_ONCE = 8192;

/**
 * Where a part ends that is to end there at most: before a byte that begins a character, or that no beginning reaches.
 * @param {Uint8Array} bytes @param {number} end @param {number} length
 */
function wholeBytes(bytes, end, length) {
  if (end >= length) return length;
  for (let back = 0; back < 4; back++) if ((bytes[end - back] & 0xC0) !== 0x80) return end - back;
  return end;
}

/** @param {Uint8Array} bytes @param {number} start @param {number} length @param {boolean} fatal */
function decodeBytes(bytes, start, length, fatal) {
  const parts = [];
  for (let read = start; read < length;) {
    const end = wholeBytes(bytes, read + PART, length), from = read;
    // Of a copy: the engine detaches no buffer any more that native code has read.
    const text = end - from > SHORT ? attempt(() => native.decodeText(bytes.slice(from, end))) : undefined;
    parts.push(typeof text === 'string' ? text : decodeByHand(bytes, from, end, fatal));
    read = end;
  }
  return parts.join('');
}

/**
 * As the Encoding standard says: each maximal part of an ill-formed sequence becomes one U+FFFD.
 * @param {Uint8Array} bytes @param {number} start @param {number} length @param {boolean} fatal
 */
function decodeByHand(bytes, start, length, fatal) {
  /** @type {string[]} */
  const parts = [];
  const units = new Uint16Array(Math.min(UNITS_AT_ONCE, length - start));
  let count = 0;
  for (let i = start; i < length;) {
    // A character takes two units at most, and no more than its bytes.
    if (count + 2 > units.length && count > 0 && units.length === UNITS_AT_ONCE) {
      parts.push(textOf(units, count));
      count = 0;
    }
    const first = bytes[i++];
    if (first < 0x80) {
      units[count++] = first;
      continue;
    }
    const more = first >= 0xC2 && first < 0xE0 ? 1 : first >= 0xE0 && first < 0xF0 ? 2 : first >= 0xF0 && first < 0xF5 ? 3 : 0;
    let point = more === 0 ? -1 : first & (0x3F >> more);
    for (let k = 0; k < more && point >= 0; k++) {
      const [low, high] = k > 0 ? [0x80, 0xBF] : secondByteRange(first);
      if (i < length && bytes[i] >= low && bytes[i] <= high) point = point << 6 | bytes[i++] & 0x3F;
      else point = -1;
    }
    if (point < 0 && fatal) throw new ScriptTypeError('decode: the bytes are not UTF-8');
    if (point >= 0x10000) {
      units[count++] = 0xD800 + (point - 0x10000 >> 10);
      units[count++] = 0xDC00 + (point & 0x3FF);
    } else units[count++] = point < 0 ? 0xFFFD : point;
  }
  parts.push(textOf(units, count));
  return parts.join('');
}

/** @param {Uint16Array} units @param {number} count */
function textOf(units, count) { return apply(String.fromCharCode, undefined, count === units.length ? units : units.subarray(0, count)); }

defineLazyGlobal('TextEncoder', makeTextEncoder);
defineLazyGlobal('TextDecoder', makeTextDecoder);

runtime.webNative = native;
runtime.encodeText = encodeText;
runtime.DecoderData = DecoderData;
runtime.cloneValue = (/** @type {any} */ value) => readClone(writeClone(value, undefined, readClone));

/** The parts of the runtime that globals are made by when they are first touched, and their names. @type {Record<string, string>} */
const lazyParts = {
  signals: 'AbortSignal AbortController', targets: 'Event EventTarget CustomEvent', exceptions: 'DOMException', messages: 'MessageEvent ErrorEvent', url: 'URL URLSearchParams', 'url-pattern': 'URLPattern',
  bytes: 'Crypto crypto Navigator navigator atob btoa reportError',
  'web-streams': 'ReadableStream ReadableStreamDefaultReader ReadableStreamBYOBReader ReadableStreamDefaultController ReadableByteStreamController ReadableStreamBYOBRequest WritableStream WritableStreamDefaultWriter WritableStreamDefaultController TransformStream TransformStreamDefaultController CountQueuingStrategy ByteLengthQueuingStrategy CompressionStream DecompressionStream TextEncoderStream TextDecoderStream Blob File',
};
for (const [part, names] of Object.entries(lazyParts)) for (const name of names.split(' ')) defineLazyGlobal(name, () => runtime.part(part)[name]);

defineGlobalFunction('structuredClone', 1, function structuredClone(/** @type {any} */ value, /** @type {any} */ options) {
  if (arguments.length === 0) throw new ScriptTypeError("structuredClone: argument 1 'value' is missing");
  const transfer = options === undefined ? undefined : interfaces().dictionary(options, "structuredClone, argument 2 'options'").transfer;
  return readClone(writeClone(value, transfer, readClone));
});
