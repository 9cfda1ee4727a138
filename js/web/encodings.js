// The encodings of `TextDecoder` beside UTF-8. How bytes make up characters is here, as the Encoding standard says; which character
// they make ICU knows, but for what is listed where the two differ.

/** @type {Record<string, string>} the names of each, beside its own */
const labelsOfEncodings = {
  'ibm866': '866 cp866 csibm866',
  'iso-8859-2': 'csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2',
  'iso-8859-3': 'csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3',
  'iso-8859-4': 'csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4',
  'iso-8859-5': 'csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988',
  'iso-8859-6': 'arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987',
  'iso-8859-7': 'csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek',
  'iso-8859-8': 'csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 visual',
  'iso-8859-8-i': 'csiso88598i logical',
  'iso-8859-10': 'csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6',
  'iso-8859-13': 'iso8859-13 iso885913',
  'iso-8859-14': 'iso8859-14 iso885914',
  'iso-8859-15': 'csisolatin9 iso8859-15 iso885915 iso_8859-15 l9',
  'iso-8859-16': '',
  'koi8-r': 'cskoi8r koi koi8 koi8_r',
  'koi8-u': 'koi8-ru',
  'macintosh': 'csmacintosh mac x-mac-roman',
  'windows-874': 'dos-874 iso-8859-11 iso8859-11 iso885911 tis-620',
  'windows-1250': 'cp1250 x-cp1250',
  'windows-1251': 'cp1251 x-cp1251',
  'windows-1252': 'ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252',
  'windows-1253': 'cp1253 x-cp1253',
  'windows-1254': 'cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 x-cp1254',
  'windows-1255': 'cp1255 x-cp1255',
  'windows-1256': 'cp1256 x-cp1256',
  'windows-1257': 'cp1257 x-cp1257',
  'windows-1258': 'cp1258 x-cp1258',
  'x-mac-cyrillic': 'x-mac-ukrainian',
  'gbk': 'chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk',
  'gb18030': '',
  'big5': 'big5-hkscs cn-big5 csbig5 x-x-big5',
  'euc-jp': 'cseucpkdfmtjapanese x-euc-jp',
  'iso-2022-jp': 'csiso2022jp',
  'shift_jis': 'csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis',
  'euc-kr': 'cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949',
  'replacement': 'csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr',
  'utf-16be': 'unicodefffe',
  'utf-16le': 'csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16',
  'x-user-defined': '',
};

/** @type {Map<string, string>} */
const encodingOfLabel = new Map();
for (const [name, labels] of Object.entries(labelsOfEncodings)) for (const label of [name, ...labels.split(' ')]) if (label !== '') encodingOfLabel.set(label, name);

/** What a decoder is given behind the last byte. */
const END = -1;
/** A pair of bytes that stands for nothing. */
const NOTHING = 0xFFFD;
const UNITS_AT_ONCE = 8192;

/** @param {Uint16Array} units @returns {string} */
function textOfUnits(units) { return String.fromCharCode.apply(undefined, /** @type {any} */ (units)); }

/** The text that a decoder makes, and the bytes that it wants to see again. */
class DecodedText {
  /** @type {string[]} */
  #parts = [];
  #units = new Uint16Array(UNITS_AT_ONCE);
  #count = 0;
  /** @type {number[]} the last is the next */
  again = [];

  /** @param {boolean} fatal @param {string} encoding */
  constructor(fatal, encoding) {
    this.fatal = fatal;
    this.encoding = encoding;
  }

  /** @param {number} point */
  put(point) {
    if (this.#count + 2 > UNITS_AT_ONCE) this.#flush();
    if (point < 0x10000) {
      this.#units[this.#count++] = point;
      return;
    }
    this.#units[this.#count++] = 0xD800 + (point - 0x10000 >> 10);
    this.#units[this.#count++] = 0xDC00 + (point & 0x3FF);
  }

  /** @param {number} point `NOTHING` where there is none @param {number} [byte] the last, which stands for itself then if it is ASCII */
  putFound(point, byte = END) {
    if (point !== NOTHING) return this.put(point);
    if (byte >= 0 && byte < 0x80) this.again.push(byte);
    this.wrong();
  }

  wrong() {
    if (this.fatal) throw new ScriptTypeError(`decode: the bytes are not ${this.encoding}`);
    this.put(0xFFFD);
  }

  #flush() {
    this.#parts.push(textOfUnits(this.#units.subarray(0, this.#count)));
    this.#count = 0;
  }

  take() {
    this.#flush();
    const text = this.#parts.join('');
    this.#parts = [];
    return text;
  }
}

/** @typedef {(byte: number, out: DecodedText) => void} ByteDecoder takes one byte, or `END` */

// Tables, made when they are first needed.

/** Those that have characters of the private area in the standard, too. */
const withPrivate = new Set(['gb18030', 'macintosh']);

/** @type {Map<string, Uint32Array>} */
const tables = new Map();

/**
 * The characters of `count` sequences of bytes.
 * @param {string} key @param {string} converter ICU's name @param {number} width in bytes @param {number} count
 * @param {(index: number) => number[]} bytesOf
 * @param {string} [differences] numbers of sequences, each with the character that it stands for
 */
function table(key, converter, width, count, bytesOf, differences = '') {
  const made = tables.get(key);
  if (made !== undefined) return made;
  const bytes = new Uint8Array(count * width), points = new Uint32Array(count);
  for (let i = 0; i < count; i++) bytes.set(bytesOf(i), i * width);
  const units = shared.webNative.decodeSequences(converter, bytes, width);
  for (let i = 0; i < count; i++) {
    const [unit, second] = [units[2 * i], units[2 * i + 1]];
    if (second === 0) points[i] = unit;
    else points[i] = unit >= 0xD800 && unit < 0xDC00 ? 0x10000 + (unit - 0xD800 << 10) + (second - 0xDC00) : NOTHING;
    // What ICU has for characters of users' own.
    if (points[i] >= 0xE000 && points[i] < 0xF900 && !withPrivate.has(converter)) points[i] = NOTHING;
  }
  for (const [, index, character] of differences.matchAll(/(\d+)(\D)/gu)) points[Number(index)] = character.codePointAt(0) ?? NOTHING;
  tables.set(key, points);
  return points;
}

/**
 * Where a table of pairs has the second byte: there is a gap behind 0x7E.
 * @param {number} index @param {number} gap
 */
function secondByte(index, gap) { return index + (index < 0x3F ? 0x40 : gap); }

/** JIS X 0208, with what NEC and IBM have added. */
function jis0208() {
  return table('jis0208', 'ibm-943_P15A-2003', 2, 11104, (index) => {
    const lead = Math.floor(index / 188);
    return [lead + (lead < 0x1F ? 0x81 : 0xC1), secondByte(index % 188, 0x41)];
  });
}

/** The second plane of Japanese. Its last rows, which ICU knows, are none in the standard. */
function jis0212() {
  return table('jis0212', 'EUC-JP', 3, 82 * 94, (index) => [0x8F, Math.floor(index / 94) + 0xA1, index % 94 + 0xA1]);
}

function koreanTable() {
  return table('euc-kr', 'windows-949', 2, 125 * 190, (index) => [Math.floor(index / 190) + 0x81, index % 190 + 0x41]);
}

function chineseTable() {
  return table('gb18030', 'gb18030', 2, 126 * 190, (index) => [Math.floor(index / 190) + 0x81, secondByte(index % 190, 0x41)],
    '6555\u30007182\uFE107183\uFE127184\uFE117185\uFE137186\uFE147187\uFE157188\uFE167201\uFE177202\uFE187208\uFE1923775\u9FB423783\u9FB523788\u9FB623789\u9FB723795\u9FB823812\u9FB923829\u9FBA23845\u9FBB');
}

/** Four bytes, of which these stand for what is in the basic plane and has no two. */
function longChineseTable() {
  return table('gb18030 long', 'gb18030', 4, 39420, (index) => [
    Math.floor(index / 12600) + 0x81, Math.floor(index / 1260) % 10 + 0x30, Math.floor(index / 10) % 126 + 0x81, index % 10 + 0x30,
  ]);
}

/** With what Hong Kong has added, in characters that ICU has in the private area or not at all. */
function taiwaneseTable() {
  return table('big5', 'Big5-HKSCS', 2, 126 * 157, (index) => [Math.floor(index / 157) + 0x81, secondByte(index % 157, 0x62)],
    '1008龗1016龖1099㇀1100㇁1101㇂1102㇃1103㇄1105㇅1108㇆1109㇇1112㇈1114㇉1115㇊1116㇋1117㇌1119㇍1120㇎1170⏚1171⏛1730龦1772龧1779龨1812龩1814龪1816龫1821龬1844龭1845龮1847龯1866龲1892龳2082箸2088簆2103糎2114緒2123縝2148者2151耨2221菁2239蒨2244萏2303覦2304覩2354起2400都2413銹2477靜2498響2605鼖2673蔃2746兙2747兛2748兝2749兞2771鍮2780瑹2990浧3087禛3259邗3301靝3436瀞3451嬨4136爁4138矗4141纇4182駖4206釔4220惞4230澶4241輶4258侻4273營4279鄄4282鷰4294菏4329尐4330秣4349婧4419輋4422筑4494拐4624恢4694痹4708汊4742鬮4748鼗4815僭4828弌4902蠏4922拎4982瑨4992煢4997牐5432␀5433␁5434␂5435␃5436␄5437␅5438␆5439␇5440␈5441␉5442␊5443␋5444␌5445␍5446␎5447␏5448␐5449␑5450␒5451␓5452␔5453␕5454␖5455␗5456␘5457␙5458␚5459␛5460␜5461␝5462␞5463␟5464␡10942廴10946无10948癶10950隶10957〃10958仝11204㇏11210龰11212龱19028倩19035偽19088包19096卄19112卿19162嘅19240婷19299幵19305廐19326彘19355悤19398撐19439晴19454杞19553沜19554渝19557港19611煮19643猪19672瑜19697瓩19748砉');
}

/** The upper half of ISO-8859-16 from 0xA0 on, which ICU does not know. */
const romanian = '\xA0ĄąŁ€„Š§š©Ș«Ź\xADźŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ';

/** @type {Record<string, Record<number, number>>} what the upper half of an encoding has otherwise than ICU's converter: bytes, each with its character, or none */
const upperDifferences = {
  'koi8-u': { 0xAE: 0x45E, 0xBE: 0x40E },
  'windows-1253': { 0xAA: NOTHING },
  'windows-1255': { 0xCA: 0x5BA },
};

/** @param {string} name @returns {Uint32Array} the characters of the bytes from 0x80 on */
function upperHalf(name) {
  if (name === 'x-user-defined') return Uint32Array.from({ length: 128 }, (_, index) => 0xF780 + index);
  if (name === 'iso-8859-16') return Uint32Array.from({ length: 128 }, (_, index) => index < 32 ? index + 0x80 : romanian.charCodeAt(index - 32));
  const points = table(name, name === 'iso-8859-8-i' ? 'iso-8859-8' : name, 1, 128, (index) => [index + 0x80]);
  for (const [byte, point] of Object.entries(upperDifferences[name] ?? {})) points[Number(byte) - 0x80] = point;
  return points;
}

/** @param {string} name @returns {Uint16Array} the characters of all bytes */
function characters(name) { return Uint16Array.from([...Array(128).keys(), ...upperHalf(name)]); }

/** @param {Uint8Array} bytes @param {Uint16Array} all @param {DecodedText} out */
function decodeSingleBytes(bytes, all, out) {
  const parts = [], units = new Uint16Array(Math.min(bytes.length, UNITS_AT_ONCE));
  for (let start = 0; start < bytes.length; start += UNITS_AT_ONCE) {
    const count = Math.min(bytes.length - start, UNITS_AT_ONCE);
    for (let i = 0; i < count; i++) units[i] = all[bytes[start + i]];
    const part = units.subarray(0, count);
    if (out.fatal && part.includes(NOTHING)) out.wrong();
    parts.push(textOfUnits(part));
  }
  return parts.join('');
}

// Decoders.

/** @param {boolean} isBigEndian @returns {ByteDecoder} */
function utf16Decoder(isBigEndian) {
  let first = END, high = 0;
  return (byte, out) => {
    if (byte === END) {
      if (first !== END || high !== 0) out.wrong();
      [first, high] = [END, 0];
      return;
    }
    if (first === END) {
      first = byte;
      return;
    }
    const unit = isBigEndian ? first << 8 | byte : byte << 8 | first;
    const isLow = (unit & 0xFC00) === 0xDC00;
    first = END;
    if (high !== 0) {
      if (isLow) out.put(0x10000 + (high - 0xD800 << 10) + (unit - 0xDC00));
      else out.wrong();
      high = 0;
      if (isLow) return;
    } else if (isLow) return out.wrong();
    if ((unit & 0xFC00) === 0xD800) high = unit;
    else out.put(unit);
  };
}

/**
 * Of bytes from 0x81 to 0xFE, each with a second one.
 * @param {(lead: number, byte: number, out: DecodedText) => number} pointOf
 * @param {(byte: number) => number} [alone] what a byte stands for by itself; END if it is the first of two
 * @returns {ByteDecoder}
 */
function pairDecoder(pointOf, alone = (byte) => byte < 0x80 ? byte : byte > 0x80 && byte < 0xFF ? END : NOTHING) {
  let lead = 0;
  return (byte, out) => {
    if (byte === END) {
      if (lead !== 0) out.wrong();
      lead = 0;
    } else if (lead !== 0) {
      const point = pointOf(lead, byte, out);
      lead = 0;
      if (point !== END) out.putFound(point, byte);
    } else {
      const point = alone(byte);
      if (point === END) lead = byte;
      else out.putFound(point);
    }
  };
}

function big5Decoder() {
  const points = taiwaneseTable();
  /** @type {Record<number, [number, number]>} those that are two characters */
  const doubled = { 1133: [0xCA, 0x304], 1135: [0xCA, 0x30C], 1164: [0xEA, 0x304], 1166: [0xEA, 0x30C] };
  return pairDecoder((lead, byte, out) => {
    if (!(byte >= 0x40 && byte < 0x7F || byte > 0xA0 && byte < 0xFF)) return NOTHING;
    const index = (lead - 0x81) * 157 + byte - (byte < 0x7F ? 0x40 : 0x62);
    const both = doubled[index];
    if (both === undefined) return index < 942 ? NOTHING : points[index];
    out.put(both[0]);
    return both[1];
  });
}

function koreanDecoder() {
  const points = koreanTable();
  return pairDecoder((lead, byte) => byte < 0x41 || byte > 0xFE ? NOTHING : points[(lead - 0x81) * 190 + byte - 0x41] ?? NOTHING);
}

function shiftJISDecoder() {
  const points = jis0208();
  return pairDecoder((lead, byte) => {
    if (!(byte >= 0x40 && byte < 0x7F || byte >= 0x80 && byte < 0xFD)) return NOTHING;
    const index = (lead - (lead < 0xA0 ? 0x81 : 0xC1)) * 188 + byte - (byte < 0x7F ? 0x40 : 0x41);
    if (index >= 8836 && index < 10716) return 0xE000 + index - 8836;
    return points[index] ?? NOTHING;
  }, (byte) => byte <= 0x80 ? byte : byte > 0xA0 && byte < 0xE0 ? 0xFF61 - 0xA1 + byte : byte === 0xA0 || byte > 0xFC ? NOTHING : END);
}

/** @returns {ByteDecoder} */
function japaneseDecoder() {
  const points = jis0208();
  let lead = 0, isSecondPlane = false;
  return (byte, out) => {
    if (byte === END) {
      if (lead !== 0) out.wrong();
      [lead, isSecondPlane] = [0, false];
    } else if (lead === 0) {
      if (byte === 0x8E || byte === 0x8F || byte > 0xA0 && byte < 0xFF) lead = byte;
      else out.putFound(byte < 0x80 ? byte : NOTHING);
    } else if (lead === 0x8F && !isSecondPlane && byte > 0xA0 && byte < 0xFF) {
      [lead, isSecondPlane] = [byte, true];
    } else {
      const isKana = lead === 0x8E && byte > 0xA0 && byte < 0xE0 && !isSecondPlane;
      const isPair = lead > 0xA0 && byte > 0xA0 && byte < 0xFF;
      const index = (lead - 0xA1) * 94 + byte - 0xA1;
      const point = isKana ? 0xFF61 - 0xA1 + byte : !isPair ? NOTHING : (isSecondPlane ? jis0212() : points)[index];
      [lead, isSecondPlane] = [0, false];
      out.putFound(point ?? NOTHING, byte);
    }
  };
}

/** @returns {ByteDecoder} */
function iso2022JPDecoder() {
  const points = jis0208();
  /** @type {'ascii' | 'roman' | 'katakana' | 'lead' | 'trail' | 'escape start' | 'escape'} */
  let state = 'ascii';
  /** @type {'ascii' | 'roman' | 'katakana' | 'lead'} */
  let chosen = 'ascii';
  let lead = 0, isChosen = false;
  /** @param {DecodedText} out @param {number[]} bytes the first comes first */
  const notEscaped = (out, bytes) => {
    for (const byte of bytes.reverse()) if (byte !== END) out.again.push(byte);
    [state, isChosen] = [chosen, false];
    out.wrong();
  };
  return (byte, out) => {
    switch (state) {
      case 'escape start':
        if (byte !== 0x24 && byte !== 0x28) return notEscaped(out, [byte]);
        [lead, state] = [byte, 'escape'];
        return;
      case 'escape': {
        const first = lead;
        lead = 0;
        const next = first === 0x28 ? ({ 0x42: 'ascii', 0x4A: 'roman', 0x49: 'katakana' })[byte] : byte === 0x40 || byte === 0x42 ? 'lead' : undefined;
        if (next === undefined) return notEscaped(out, [first, byte]);
        state = chosen = /** @type {typeof chosen} */ (next);
        const isRepeated = isChosen;
        isChosen = true;
        if (isRepeated) out.wrong();
        return;
      }
      case 'trail': {
        if (byte === 0x1B) {
          state = 'escape start';
          return out.wrong();
        }
        state = 'lead';
        if (byte < 0x21 || byte > 0x7E) return out.wrong();
        return out.putFound(points[(lead - 0x21) * 94 + byte - 0x21] ?? NOTHING);
      }
    }
    if (byte === 0x1B) {
      state = 'escape start';
      return;
    }
    if (byte === END) return;
    isChosen = false;
    if (state === 'lead') {
      if (byte < 0x21 || byte > 0x7E) return out.wrong();
      [lead, state] = [byte, 'trail'];
    } else if (state === 'katakana') out.putFound(byte > 0x20 && byte < 0x60 ? 0xFF61 - 0x21 + byte : NOTHING);
    else if (state === 'roman' && byte === 0x5C) out.put(0xA5);
    else if (state === 'roman' && byte === 0x7E) out.put(0x203E);
    else out.putFound(byte < 0x80 && byte !== 0x0E && byte !== 0x0F ? byte : NOTHING);
  };
}

/** @returns {ByteDecoder} for GBK, too */
function gb18030Decoder() {
  const points = chineseTable();
  let first = 0, second = 0, third = 0;
  return (byte, out) => {
    if (byte === END) {
      if (first !== 0) out.wrong();
      [first, second, third] = [0, 0, 0];
    } else if (third !== 0) {
      const given = [first, second, third];
      [first, second, third] = [0, 0, 0];
      if (byte < 0x30 || byte > 0x39) {
        out.again.push(byte, given[2], given[1]);
        return out.wrong();
      }
      out.putFound(longChinese((given[0] - 0x81) * 12600 + (given[1] - 0x30) * 1260 + (given[2] - 0x81) * 10 + byte - 0x30));
    } else if (second !== 0) {
      if (byte > 0x80 && byte < 0xFF) {
        third = byte;
        return;
      }
      out.again.push(byte, second);
      [first, second] = [0, 0];
      out.wrong();
    } else if (first !== 0) {
      if (byte >= 0x30 && byte <= 0x39) {
        second = byte;
        return;
      }
      const isPair = byte >= 0x40 && byte < 0xFF && byte !== 0x7F;
      const point = isPair ? points[(first - 0x81) * 190 + byte - (byte < 0x7F ? 0x40 : 0x41)] : NOTHING;
      first = 0;
      out.putFound(point, byte);
    } else if (byte > 0x80 && byte < 0xFF) first = byte;
    else out.putFound(byte < 0x80 ? byte : byte === 0x80 ? 0x20AC : NOTHING);
  };
}

/** @param {number} index */
function longChinese(index) {
  if (index < 39420) return longChineseTable()[index];
  return index < 189000 || index > 1237575 ? NOTHING : 0x10000 + index - 189000;
}

/** @type {Record<string, () => ByteDecoder>} */
const decoderMakers = {
  'utf-16le': () => utf16Decoder(false), 'utf-16be': () => utf16Decoder(true), big5: big5Decoder, gbk: gb18030Decoder, gb18030: gb18030Decoder,
  'euc-jp': japaneseDecoder, 'iso-2022-jp': iso2022JPDecoder, shift_jis: shiftJISDecoder, 'euc-kr': koreanDecoder,
};

/** Decodes a text in parts by one of these encodings. */
class EncodedText {
  #fatal;
  #ignoresMark;
  /** @type {ByteDecoder | undefined} */
  #decoder = undefined;
  #hasBegun = false;
  /** @type {Uint16Array | undefined} of an encoding by single bytes */
  #characters = undefined;

  /** @param {string} encoding @param {boolean} fatal @param {boolean} ignoresMark */
  constructor(encoding, fatal, ignoresMark) {
    this.encoding = encoding;
    this.#fatal = fatal;
    // A mark is one of UTF-16 alone; elsewhere it is text.
    this.#ignoresMark = ignoresMark || !encoding.startsWith('utf-16');
  }

  /** @param {Uint8Array} bytes @param {boolean} isPart */
  decode(bytes, isPart) {
    const out = new DecodedText(this.#fatal, this.encoding), makeDecoder = decoderMakers[this.encoding];
    if (makeDecoder === undefined) return decodeSingleBytes(bytes, this.#characters ??= characters(this.encoding), out);
    const decoder = this.#decoder ??= makeDecoder();
    try {
      for (let i = 0; i < bytes.length; i++) {
        decoder(bytes[i], out);
        while (out.again.length > 0) decoder(out.again.pop() ?? END, out);
      }
      if (!isPart) decoder(END, out);
      // What is given back at the end is read once more, and ends there.
      while (out.again.length > 0) {
        decoder(out.again.pop() ?? END, out);
        if (out.again.length === 0) decoder(END, out);
      }
    } catch (error) {
      [this.#decoder, this.#hasBegun] = [undefined, false];
      throw error;
    }
    const text = out.take();
    const hasMark = !this.#hasBegun && !this.#ignoresMark && text.startsWith('\uFEFF');
    this.#hasBegun ||= text !== '';
    if (!isPart) [this.#decoder, this.#hasBegun] = [undefined, false];
    return hasMark ? text.slice(1) : text;
  }
}

// @ts-expect-error The file is the end of a function.
return { encodingOf: (/** @type {string} */ label) => encodingOfLabel.get(label), EncodedText };
