// What a pattern is made of: text, and groups that stand for others.

/** @param {string} text */
function escapeForRegExp(text) { return text.replace(/[.+*?^${}()[\]|/\\]/g, '\\$&'); }

/** @param {string} text */
function escapeForPattern(text) { return text.replace(/[+*?:{}()\\]/g, '\\$&'); }

/**
 * What a group without an expression stands for: all up to the next delimiter.
 * @param {PatternOptions} options
 */
function segmentExpression(options) { return `[^${escapeForRegExp(options.delimiter)}]+?`; }

const WHOLE = '.*';

/** @typedef {{delimiter: string, prefix: string}} PatternOptions */
/** @typedef {{type: 'fixed' | 'regexp' | 'segment' | 'whole', value: string, modifier: string, name: string, prefix: string, suffix: string}} PatternPart */

const plainOptions = { delimiter: '', prefix: '' }, hostOptions = { delimiter: '.', prefix: '' }, pathOptions = { delimiter: '/', prefix: '/' };

/** Makes parts of the tokens of one pattern. */
class PatternParser {
  /** @type {PatternPart[]} */
  parts = [];
  #tokens;
  #at = 0;
  /** Text that is not in a part yet. */
  #pending = '';
  #nextNumber = 0;
  /** @type {Set<string>} */
  #names = new Set();

  /** @param {string} pattern @param {PatternOptions} options @param {(text: string) => string} encode */
  constructor(pattern, options, encode) {
    this.#tokens = tokensOf(pattern, false);
    this.pattern = pattern;
    this.options = options;
    this.encode = encode;
  }

  run() {
    while (this.#at < this.#tokens.length) {
      const character = this.#take('char'), name = this.#take('name'), group = this.#takeGroup(name);
      if (name !== undefined || group !== undefined) {
        let prefix = character ?? '';
        if (prefix !== '' && prefix !== this.options.prefix) {
          this.#pending += prefix;
          prefix = '';
        }
        this.#endText();
        this.#add(prefix, name, group, '');
        continue;
      }
      const fixed = character ?? this.#take('escaped');
      if (fixed !== undefined) this.#pending += fixed;
      else if (this.#take('open') !== undefined) {
        const prefix = this.#takeText(), inner = this.#take('name'), innerGroup = this.#takeGroup(inner), suffix = this.#takeText();
        this.#need('close');
        this.#add(prefix, inner, innerGroup, suffix);
      } else {
        this.#endText();
        this.#need('end');
      }
    }
    return this.parts;
  }

  /** @param {string} type @returns {string | undefined} */
  #take(type) {
    const token = this.#tokens[this.#at];
    if (token?.type !== type) return undefined;
    this.#at++;
    return token.value;
  }

  /** @param {string | undefined} name @returns {string | undefined} the expression */
  #takeGroup(name) { return this.#take('regexp') ?? (name === undefined && this.#take('asterisk') !== undefined ? WHOLE : undefined); }

  #takeText() {
    let text = '';
    for (;;) {
      const more = this.#take('char') ?? this.#take('escaped');
      if (more === undefined) return text;
      text += more;
    }
  }

  /** @param {string} type */
  #need(type) {
    const { index, value } = this.#tokens[this.#at];
    if (this.#take(type) === undefined) throw patternError(`unexpected ${value === '' ? 'end' : `'${shownPattern(value)}'`}, in '${shownPattern(this.pattern)}' at ${index + 1}`);
  }

  #endText() {
    if (this.#pending === '') return;
    const text = this.#pending;
    this.#pending = '';
    this.#addFixed(this.encode(text), '');
  }

  /** @param {string} value @param {string} modifier */
  #addFixed(value, modifier) { this.parts.push({ type: 'fixed', value, modifier, name: '', prefix: '', suffix: '' }); }

  /**
   * With the modifier that comes next.
   * @param {string} prefix @param {string | undefined} name @param {string | undefined} group @param {string} suffix
   */
  #add(prefix, name, group, suffix) {
    const modifier = this.#take('modifier') ?? this.#take('asterisk') ?? '', hasValue = name !== undefined || group !== undefined;
    if (!hasValue && modifier === '') {
      this.#pending += prefix;
      return;
    }
    this.#endText();
    if (!hasValue) {
      if (prefix !== '') this.#addFixed(this.encode(prefix), modifier);
      return;
    }
    const value = group ?? segmentExpression(this.options);
    const type = value === segmentExpression(this.options) ? 'segment' : value === WHOLE ? 'whole' : 'regexp';
    const known = name ?? String(this.#nextNumber++);
    if (this.#names.has(known)) throw patternError(`the name '${known}' comes twice, in '${shownPattern(this.pattern)}'`);
    this.#names.add(known);
    this.parts.push({ type, value: type === 'regexp' ? value : '', modifier, name: known, prefix: this.encode(prefix), suffix: this.encode(suffix) });
  }
}
