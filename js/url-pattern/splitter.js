// The pattern of a whole URL.

/** Splits the text of a pattern of a whole URL into patterns of its parts. */
class PatternSplitter {
  /** @type {Record<string, string>} */
  result = {};
  #at = 0;
  #step = 1;
  #start = 0;
  #depth = 0;
  #brackets = 0;
  #isSpecial = false;
  #state = 'init';

  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.tokens = tokensOf(text, true);
  }

  run() {
    for (; this.#at < this.tokens.length; this.#at += this.#step) {
      this.#step = 1;
      const { type } = this.tokens[this.#at];
      if (type === 'end') {
        if (this.#state === 'init') {
          this.#rewind();
          if (this.#is('#')) this.#enter('hash', 1);
          else if (this.#beginsSearch) this.#enter('search', 1);
          else this.#enter('pathname', 0);
        } else if (this.#state === 'authority') this.#rewind('hostname');
        else {
          this.#enter('done', 0);
          break;
        }
      } else if (type === 'open') this.#depth++;
      else if (this.#depth > 0 && type === 'close') this.#depth--;
      else if (this.#depth === 0) this.#read();
    }
    if (this.result.hostname !== undefined && this.result.port === undefined) this.result.port = '';
    return this.result;
  }

  #read() {
    switch (this.#state) {
      case 'init': return this.#is(':') ? this.#rewind('protocol') : undefined;
      case 'protocol': {
        if (!this.#is(':')) return undefined;
        this.#isSpecial = matchesSpecial(new PatternComponent(this.#text(), encoders.protocol));
        if (this.#is('/', 1) && this.#is('/', 2)) return this.#enter('authority', 3);
        return this.#enter(this.#isSpecial ? 'authority' : 'pathname', 1);
      }
      case 'authority':
        if (this.#is('@')) return this.#rewind('username');
        return this.#is('/') || this.#beginsSearch || this.#is('#') ? this.#rewind('hostname') : undefined;
      case 'username': return this.#is(':') ? this.#enter('password', 1) : this.#is('@') ? this.#enter('hostname', 1) : undefined;
      case 'password': return this.#is('@') ? this.#enter('hostname', 1) : undefined;
      case 'hostname':
        if (this.#is('[')) this.#brackets++;
        else if (this.#is(']')) this.#brackets--;
        else if (this.#is(':') && this.#brackets === 0) return this.#enter('port', 1);
        return this.#leaveFor('pathname', 'search', 'hash');
      case 'port': return this.#leaveFor('pathname', 'search', 'hash');
      case 'pathname': return this.#leaveFor('search', 'hash');
      case 'search': return this.#leaveFor('hash');
    }
    return undefined;
  }

  /** @param {string[]} states */
  #leaveFor(...states) {
    if (states.includes('pathname') && this.#is('/')) return this.#enter('pathname', 0);
    if (states.includes('search') && this.#beginsSearch) return this.#enter('search', 1);
    return this.#is('#') ? this.#enter('hash', 1) : undefined;
  }

  /** @param {string} state @param {number} skipped */
  #enter(state, skipped) {
    const order = ['protocol', 'authority', 'username', 'password', 'hostname', 'port', 'pathname', 'search', 'hash'], { result } = this;
    if (PARTS.includes(this.#state)) result[this.#state] = this.#text();
    if (this.#state !== 'init' && state !== 'done') {
      const from = order.indexOf(this.#state), to = order.indexOf(state);
      const passes = (/** @type {string} */ part) => from < order.indexOf(part) && order.indexOf(part) < to && result[part] === undefined;
      if (from < order.indexOf('hostname') && to > order.indexOf('hostname')) result.hostname ??= '';
      if (passes('pathname')) result.pathname = this.#isSpecial ? '/' : '';
      if (passes('search')) result.search = '';
    }
    this.#state = state;
    this.#at += skipped;
    this.#start = this.#at;
    this.#step = 0;
  }

  /** @param {string} [state] */
  #rewind(state = this.#state) {
    this.#at = this.#start;
    this.#step = 0;
    this.#state = state;
  }

  /** @param {number} index */
  #tokenAt(index) { return this.tokens[Math.min(index, this.tokens.length - 1)]; }

  /**
   * Whether a token stands for itself.
   * @param {string} character @param {number} behind
   */
  #is(character, behind = 0) {
    const { type, value } = this.#tokenAt(this.#at + behind);
    return value === character && (type === 'char' || type === 'escaped' || type === 'invalid');
  }

  get #beginsSearch() {
    if (this.#is('?')) return true;
    if (this.#tokenAt(this.#at).value !== '?') return false;
    // Else it says how often what is before it may come.
    return this.#at === 0 || !['name', 'regexp', 'close', 'asterisk'].includes(this.tokens[this.#at - 1].type);
  }

  #text() { return this.text.slice(this.#tokenAt(this.#start).index, this.tokens[this.#at].index); }
}
