// What the web has and needs nothing native: TextEncoder, TextDecoder; structuredClone over clone.js.

const { made: TextEncoder } = defineClass('TextEncoder', 0, {
  construct: () => ({}),
  getters: { encoding: () => 'utf-8' },
  methods: {
    /** @param {any} _ @param {any} [input] @returns {Uint8Array} lone surrogates become U+FFFD */
    encode(_, input = '') {
      const text = String(input);
      const bytes = new Uint8Array(text.length * 3);
      const { written } = encodeInto(text, bytes, bytes.length);
      const result = new ScriptUint8Array(written);
      typedArrayPrototype.set.call(result, bytes.subarray(0, written));
      return result;
    },

    /** @param {any} _ @param {any} input @param {any} bytes */
    encodeInto(_, input, bytes) {
      if (!ArrayBuffer.isView(bytes) || typedArrayName(bytes) !== 'Uint8Array') throw new ScriptTypeError("encodeInto, argument 2 'bytes': expected Uint8Array");
      return publishObject(encodeInto(String(input), /** @type {any} */ (bytes), typedArrayLength(bytes)));
    },
  },
});

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

const { made: TextDecoder, dataOf: decoderOf } = defineClass('TextDecoder', 0, {
  /** @param {any} _ @param {any} [label] only UTF-8 @param {any} [options] */
  construct(_, label = 'utf-8', options = {}) {
    const name = String(label).trim().toLowerCase();
    if (name !== 'utf-8' && name !== 'utf8') throw new ScriptRangeError(`TextDecoder: the encoding '${label}' is not supported`);
    return { fatal: options?.fatal === true, keepsMark: options?.ignoreBOM === true, isBegun: false, pending: new Uint8Array(0) };
  },
  getters: {
    encoding: () => 'utf-8',
    fatal: (decoder) => decoder.fatal,
    ignoreBOM: (decoder) => decoder.keepsMark,
  },
  methods: {
    /**
     * With `stream`, what the input breaks off in is kept for the next part.
     * @param {any} decoder @param {any} [input] an ArrayBuffer or a view on one @param {any} [options]
     */
    decode(decoder, input, options) {
      const isPart = isObject(options) && Boolean(options.stream);
      return decodePart(decoder, input === undefined ? new Uint8Array(0) : bytesOf(input), isPart);
    },
  },
});

/** @param {any} decoder @param {Uint8Array} given @param {boolean} isPart */
function decodePart(decoder, given, isPart) {
  let bytes = given;
  if (decoder.pending.length > 0) {
    bytes = new Uint8Array(decoder.pending.length + given.length);
    bytes.set(decoder.pending);
    bytes.set(given, decoder.pending.length);
  }
  const end = isPart ? wholeLength(bytes, !decoder.isBegun) : bytes.length;
  runtime.needStack(4);
  decoder.pending = bytes.slice(end);
  const hasMark = !decoder.isBegun && end >= 3 && bytes[0] === 0xEF && bytes[1] === 0xBB && bytes[2] === 0xBF;
  decoder.isBegun = isPart && (decoder.isBegun || end > 0);
  return decodeBytes(bytes, hasMark && !decoder.keepsMark ? 3 : 0, end, decoder.fatal);
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
  if (ArrayBuffer.isView(input)) {
    return typedArrayName(input) === undefined
      ? new Uint8Array(dataViewBuffer(input), dataViewByteOffset(input), dataViewByteLength(input))
      : new Uint8Array(typedArrayBuffer(input), typedArrayByteOffset(input), typedArrayByteLength(input));
  }
  if (attempt(() => arrayBufferByteLength(input)) === undefined) throw new ScriptTypeError("decode, argument 1 'input': expected ArrayBuffer or a view on one");
  return new Uint8Array(input);
}

/** So many units of text are made at once: as arguments of one call. */
const UNITS_AT_ONCE = 8192;

/**
 * As the Encoding standard says: each maximal part of an ill-formed sequence becomes one U+FFFD.
 * @param {Uint8Array} bytes @param {number} start @param {number} length @param {boolean} fatal
 */
function decodeBytes(bytes, start, length, fatal) {
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

defineGlobal('TextEncoder', TextEncoder);
defineGlobal('TextDecoder', TextDecoder);

runtime.webNative = native;
runtime.TextEncoder = TextEncoder;
runtime.TextDecoder = TextDecoder;
runtime.cloneValue = (/** @type {any} */ value) => readClone(writeClone(value, undefined, readClone));
runtime.decodeWith = (/** @type {any} */ decoder, /** @type {any} */ bytes, /** @type {boolean} */ stream) => decodePart(decoderOf(decoder), bytes, stream);

/** The parts of the runtime that globals are made by when they are first touched, and their names. @type {Record<string, string>} */
const lazyParts = {
  signals: 'AbortSignal AbortController', targets: 'Event EventTarget CustomEvent', exceptions: 'DOMException', messages: 'MessageEvent ErrorEvent', url: 'URL URLSearchParams',
  bytes: 'Crypto crypto Navigator navigator atob btoa reportError',
  'web-streams': 'ReadableStream ReadableStreamDefaultReader ReadableStreamBYOBReader ReadableStreamDefaultController ReadableByteStreamController ReadableStreamBYOBRequest WritableStream WritableStreamDefaultWriter WritableStreamDefaultController TransformStream TransformStreamDefaultController CountQueuingStrategy ByteLengthQueuingStrategy CompressionStream DecompressionStream TextEncoderStream TextDecoderStream Blob File',
};
for (const [part, names] of Object.entries(lazyParts)) for (const name of names.split(' ')) defineLazyGlobal(name, () => runtime.part(part)[name]);

defineGlobalFunction('structuredClone', 1, function structuredClone(/** @type {any} */ value, /** @type {any} */ options) {
  if (arguments.length === 0) throw new ScriptTypeError("structuredClone: argument 1 'value' is missing");
  return readClone(writeClone(value, options?.transfer, readClone));
});
