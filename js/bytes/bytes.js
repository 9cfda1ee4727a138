// `atob`, `btoa`, `crypto`, `navigator` and `reportError`.

/** @type {InterfaceTools} */
const { defineInterface, text, needCount } = part('interfaces');
const { makeException } = part('exceptions');

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const valueOfDigit = new Uint8Array(128).fill(255);
for (let i = 0; i < 64; i++) valueOfDigit[DIGITS.charCodeAt(i)] = i;

const btoa = publishFunction('btoa', 1, (/** @type {any[]} */ ...values) => {
  needCount('btoa', 1, values);
  const data = text(values[0]), parts = [];
  if (/[^\0-\xFF]/.test(data)) throw makeException('InvalidCharacterError', 'btoa: the text has characters beyond U+00FF; TextEncoder makes bytes of it');
  for (let i = 0; i < data.length; i += 3) {
    const bits = data.charCodeAt(i) << 16 | data.charCodeAt(i + 1) << 8 | data.charCodeAt(i + 2);
    parts.push(DIGITS[bits >> 18], DIGITS[bits >> 12 & 63], i + 1 < data.length ? DIGITS[bits >> 6 & 63] : '=', i + 2 < data.length ? DIGITS[bits & 63] : '=');
  }
  return parts.join('');
});

const atob = publishFunction('atob', 1, (/** @type {any[]} */ ...values) => {
  needCount('atob', 1, values);
  let data = text(values[0]).replace(/[\t\n\f\r ]+/g, '');
  if (data.length % 4 === 0) data = data.replace(/={1,2}$/, '');
  if (data.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(data)) throw makeException('InvalidCharacterError', 'atob: the text is not in base64');
  const units = [];
  for (let i = 0; i < data.length; i += 4) {
    const digit = (/** @type {number} */ at) => at < data.length ? valueOfDigit[data.charCodeAt(at)] : 0;
    const bits = digit(i) << 18 | digit(i + 1) << 12 | digit(i + 2) << 6 | digit(i + 3);
    units.push(String.fromCharCode(bits >> 16), i + 2 < data.length ? String.fromCharCode(bits >> 8 & 255) : '', i + 3 < data.length ? String.fromCharCode(bits & 255) : '');
  }
  return units.join('');
});

class CryptoData {}
const integerArrays = new Set(['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'BigInt64Array', 'BigUint64Array']);
const MOST_RANDOM = 65536;

/** @param {number} count @returns {Uint8Array} */
function randomBytes(count) { return new Uint8Array(shared.webNative.random(count)); }

const { made: Crypto, make: makeCrypto } = defineInterface('Crypto', CryptoData, {
  operations: {
    getRandomValues(_, array) {
      const name = ArrayBuffer.isView(array) ? typedArrayName(array) : undefined;
      if (name === undefined || !integerArrays.has(name)) {
        if (ArrayBuffer.isView(array)) throw makeException('TypeMismatchError', "getRandomValues, argument 1 'array': expected a typed array of integers");
        throw new ScriptTypeError(`getRandomValues, argument 1 'array': expected a typed array of integers, got ${describeValue(array)}`);
      }
      const length = typedArrayByteLength(array);
      if (length > MOST_RANDOM) throw makeException('QuotaExceededError', `getRandomValues: ${length} bytes are more than ${MOST_RANDOM}`);
      new Uint8Array(typedArrayBuffer(array), typedArrayByteOffset(array), length).set(randomBytes(length));
      return array;
    },
    randomUUID() {
      const bytes = randomBytes(16);
      bytes[6] = bytes[6] & 15 | 0x40;
      bytes[8] = bytes[8] & 63 | 0x80;
      const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
    },
  },
});
const crypto = makeCrypto(new CryptoData());

class NavigatorData {}
const { made: Navigator, make: makeNavigator } = defineInterface('Navigator', NavigatorData, {
  shown: ['hardwareConcurrency'], attributes: { hardwareConcurrency: [() => shared.webNative.processors()] },
});
const navigator = makeNavigator(new NavigatorData());

/** As what a listener throws: whoever opened the bridge is told. */
const reportError = publishFunction('reportError', 1, (/** @type {any[]} */ ...values) => {
  needCount('reportError', 1, values);
  surface(clean(values[0]));
});

// @ts-expect-error The file is the end of a function.
return { Crypto, crypto, Navigator, navigator, atob, btoa, reportError };
