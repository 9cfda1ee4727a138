// `URLPattern`, as the URL Pattern standard has it: eight patterns, one for each part of a URL.

/** @type {InterfaceTools} */
const { defineInterface, dictionary, scalarText } = part('interfaces');
const { parseURL, overridePart, specialPorts, FAILED, escapeUserInfo } = part('url').tools;

/** The parts of a URL, in their order. */
const PARTS = ['protocol', 'username', 'password', 'hostname', 'port', 'pathname', 'search', 'hash'];

/** @typedef {{type: string, index: number, value: string}} Token */

/** @param {string} message */
function patternError(message) { return codedError('ERR_INVALID_URL_PATTERN', message, ScriptTypeError); }

const startsName = /[$_\p{ID_Start}]/u, inName = /[$_\u200C\u200D\p{ID_Continue}]/u;

/** @param {string | undefined} character */
function continuesName(character) { return character !== undefined && character !== '' && inName.test(character); }

const tokenKinds = Object.assign(Object.create(null), { '*': 'asterisk', '+': 'modifier', '?': 'modifier', '{': 'open', '}': 'close' });

/**
 * @param {string} pattern @param {boolean} isLenient whether what makes no sense is a token, and no error
 * @returns {Token[]} with one of the kind 'end'; indices and lengths are those of `pattern`
 */
function tokensOf(pattern, isLenient) {
  /** @type {Token[]} */
  const tokens = [];
  let index = 0;
  const add = (/** @type {string} */ type, /** @type {number} */ end, value = pattern.slice(index, end)) => {
    tokens.push({ type, index, value });
    index = end;
  };
  const refuse = (/** @type {number} */ end, /** @type {string} */ message) => {
    if (!isLenient) throw patternError(`${message}, in '${shownPattern(pattern)}' at ${index + 1}`);
    add('invalid', end);
  };
  while (index < pattern.length) {
    const character = characterAt(pattern, index), behind = index + character.length;
    if (character === '\\') {
      if (behind === pattern.length) refuse(behind, 'nothing behind a backslash');
      else {
        const escaped = characterAt(pattern, behind);
        add('escaped', behind + escaped.length, escaped);
      }
    } else if (character === ':') {
      let end = behind;
      while (end < pattern.length && (end === behind ? startsName : inName).test(characterAt(pattern, end))) end += characterAt(pattern, end).length;
      if (end === behind) refuse(behind, 'no name behind a colon');
      else add('name', end, pattern.slice(behind, end));
    } else if (character === '(') {
      const end = endOfGroup(pattern, behind);
      if (typeof end === 'string') refuse(behind, end);
      else add('regexp', end, pattern.slice(behind, end - 1));
    } else add(tokenKinds[character] ?? 'char', behind);
  }
  add('end', index);
  return tokens;
}

/** @param {string} text @param {number} index */
function characterAt(text, index) { return String.fromCodePoint(/** @type {number} */ (text.codePointAt(index))); }

/** @param {string} pattern @param {number} start @returns {number | string} behind its bracket, or what is wrong with it */
function endOfGroup(pattern, start) {
  let depth = 1;
  for (let i = start; i < pattern.length; i++) {
    const unit = pattern[i];
    if (unit > '\x7F') return 'a group with a character that is not ASCII';
    if (i === start && unit === '?') return "a group that begins with '?'";
    if (unit === '\\') {
      if (++i === pattern.length || pattern[i] > '\x7F') return 'a group that ends with a backslash, or has one before a character that is not ASCII';
    } else if (unit === ')') {
      if (--depth === 0) return i === start ? 'an empty group' : i + 1;
    } else if (unit === '(') {
      depth++;
      if (pattern[i + 1] !== '?') return 'a group in a group that captures';
    }
  }
  return 'a group without an end';
}

/** @param {string} pattern */
function shownPattern(pattern) { return pattern.slice(0, 200); }
