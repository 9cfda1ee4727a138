// Hosts of URLs, as the URL standard has them.

const forbiddenHost = /[\0\t\n\r #/:<>?@[\\\]^|]/;
const forbiddenDomain = /[\0-\x20#%/:<>?@[\\\]^|\x7F]/;

/** @param {string} text without lone surrogates @returns {number[]} */
function utf8(text) {
  const bytes = [];
  for (const character of text) {
    const point = /** @type {number} */ (character.codePointAt(0));
    if (point < 0x80) bytes.push(point);
    else if (point < 0x800) bytes.push(0xC0 | point >> 6, 0x80 | point & 0x3F);
    else if (point < 0x10000) bytes.push(0xE0 | point >> 12, 0x80 | point >> 6 & 0x3F, 0x80 | point & 0x3F);
    else bytes.push(0xF0 | point >> 18, 0x80 | point >> 12 & 0x3F, 0x80 | point >> 6 & 0x3F, 0x80 | point & 0x3F);
  }
  return bytes;
}

const escapes = Array.from({ length: 256 }, (_, byte) => '%' + byte.toString(16).toUpperCase().padStart(2, '0'));

/** @param {string} text @param {RegExp} kept what is not escaped, of ASCII */
function escapeText(text, kept) {
  let result = '';
  for (const character of text) {
    if (character < '\x80' && kept.test(character)) result += character;
    else for (const byte of utf8(character)) result += escapes[byte];
  }
  return result;
}

/** @param {string} text @returns {string} what its escapes stand for, as UTF-8 */
function unescapeText(text) {
  if (!text.includes('%')) return text;
  const bytes = [], given = utf8(text);
  for (let i = 0; i < given.length; i++) {
    const value = given[i] === 0x25 && i + 2 < given.length ? parseInt(hexOf(given[i + 1]) + hexOf(given[i + 2]), 16) : NaN;
    if (given[i] === 0x25 && hexOf(given[i + 1]) !== '' && hexOf(given[i + 2]) !== '') {
      bytes.push(value);
      i += 2;
    } else bytes.push(given[i]);
  }
  return decodeUTF8(bytes);
}

/** @param {number | undefined} byte */
function hexOf(byte) {
  const text = byte === undefined ? '' : String.fromCharCode(byte);
  return /[0-9A-Fa-f]/.test(text) ? text : '';
}

/**
 * With U+FFFD for each maximal part of what is ill-formed.
 * @param {number[]} bytes
 */
function decodeUTF8(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length;) {
    const first = bytes[i++];
    const count = first < 0x80 ? 0 : first >= 0xC2 && first < 0xE0 ? 1 : first >= 0xE0 && first < 0xF0 ? 2 : first >= 0xF0 && first < 0xF5 ? 3 : -1;
    if (count < 0) {
      text += '\uFFFD';
      continue;
    }
    let point = count === 0 ? first : first & 0x3F >> count, low = first === 0xE0 ? 0xA0 : first === 0xF0 ? 0x90 : 0x80, high = first === 0xED ? 0x9F : first === 0xF4 ? 0x8F : 0xBF;
    let left = count;
    for (; left > 0 && bytes[i] >= low && bytes[i] <= high; left--, low = 0x80, high = 0xBF) point = point << 6 | bytes[i++] & 0x3F;
    text += left > 0 ? '\uFFFD' : String.fromCodePoint(point);
  }
  return text;
}

/** @param {string} text @param {boolean} isSpecial @returns {string | undefined} the host as it is written; undefined if it is none */
function parseHost(text, isSpecial) {
  if (text[0] === '[') {
    const pieces = text.endsWith(']') ? parseIPv6(text.slice(1, -1)) : undefined;
    return pieces === undefined ? undefined : `[${writeIPv6(pieces)}]`;
  }
  if (!isSpecial) return forbiddenHost.test(text) ? undefined : escapeText(text, /[^\0-\x1F\x7F]/);
  const domain = domainToASCII(unescapeText(text));
  if (domain === undefined) return undefined;
  return endsInNumber(domain) ? parseIPv4(domain) : domain;
}

/** @returns {any} */
function webNative() { return shared.webNative; }

/** @param {string} text @returns {string | undefined} */
function domainToASCII(text) {
  if (forbiddenDomain.test(text)) return undefined;
  // In ASCII nothing is mapped or checked, but for what stands for other letters.
  const domain = /^[\0-\x7F]*$/.test(text) && !/(?:^|\.)xn--/i.test(text) ? text.toLowerCase() : webNative().domainToASCII(text);
  return domain === undefined || domain === null || domain === '' || forbiddenDomain.test(domain) ? undefined : domain;
}

/** @param {string} domain */
function endsInNumber(domain) {
  const parts = domain.split('.');
  if (parts[parts.length - 1] === '') {
    if (parts.length === 1) return false;
    parts.pop();
  }
  const last = parts[parts.length - 1];
  return /^[0-9]+$/.test(last) || /^0[xX][0-9A-Fa-f]*$/.test(last);
}

/** @param {string} part @returns {number} NaN if it is no number */
function parseIPv4Number(part) {
  if (part === '') return NaN;
  if (/^0[xX]/.test(part)) return /^0[xX][0-9A-Fa-f]*$/.test(part) ? Number(`0x0${part.slice(2)}`) : NaN;
  if (part.length > 1 && part[0] === '0') return /^[0-7]+$/.test(part) ? Number(`0o${part}`) : NaN;
  return /^[0-9]+$/.test(part) ? Number(part) : NaN;
}

/** @param {string} domain @returns {string | undefined} */
function parseIPv4(domain) {
  const parts = domain.split('.');
  if (parts[parts.length - 1] === '' && parts.length > 1) parts.pop();
  if (parts.length > 4) return undefined;
  const numbers = parts.map(parseIPv4Number);
  const last = /** @type {number} */ (numbers.pop());
  if (numbers.some((number) => !(number < 256)) || !(last < 256 ** (4 - numbers.length))) return undefined;
  const address = numbers.reduce((sum, number, i) => sum + number * 256 ** (3 - i), last);
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}

/** @param {string} text @returns {number[] | undefined} eight pieces */
function parseIPv6(text) {
  const pieces = [0, 0, 0, 0, 0, 0, 0, 0];
  let index = 0, compress = -1, at = 0;
  if (text[0] === ':') {
    if (text[1] !== ':') return undefined;
    at = 2;
    compress = ++index;
  }
  while (at < text.length) {
    if (index === 8) return undefined;
    if (text[at] === ':') {
      if (compress >= 0) return undefined;
      at++;
      compress = ++index;
      continue;
    }
    const digits = /^[0-9A-Fa-f]{0,4}/.exec(text.slice(at, at + 4))?.[0] ?? '';
    if (text[at + digits.length] === '.') {
      const quad = digits === '' || index > 6 ? undefined : parseQuad(text.slice(at));
      if (quad === undefined) return undefined;
      pieces[index++] = quad[0] << 8 | quad[1];
      pieces[index++] = quad[2] << 8 | quad[3];
      at = text.length;
      break;
    }
    at += digits.length;
    if (text[at] === ':') {
      if (++at === text.length) return undefined;
    } else if (at < text.length) return undefined;
    pieces[index++] = parseInt(digits, 16);
  }
  if (compress >= 0) {
    const tail = pieces.splice(compress, index - compress);
    return [...pieces.slice(0, compress), ...Array(8 - compress - tail.length).fill(0), ...tail];
  }
  return index === 8 ? pieces : undefined;
}

/** @param {string} text @returns {number[] | undefined} */
function parseQuad(text) {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9][0-9]{0,2})$/.test(part) && Number(part) < 256) ? parts.map(Number) : undefined;
}

/** @param {number[]} pieces */
function writeIPv6(pieces) {
  let start = -1, length = 1;
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (end < 8 && pieces[end] === 0) end++;
    if (end - i > length) [start, length] = [i, end - i];
  }
  const hex = (/** @type {number[]} */ part) => part.map((piece) => piece.toString(16)).join(':');
  return start < 0 ? hex(pieces) : `${hex(pieces.slice(0, start))}::${hex(pieces.slice(start + length))}`;
}
