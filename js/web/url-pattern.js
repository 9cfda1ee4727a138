// `URLPattern`, as the URL Pattern standard has it: eight patterns, one for each part of a URL.
(() => {
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

  /** @param {PatternPart[]} parts @param {PatternOptions} options @returns {string} */
  function expressionOf(parts, options) {
    let text = '^';
    for (const { type, value, modifier, prefix, suffix } of parts) {
      if (type === 'fixed') {
        text += modifier === '' ? escapeForRegExp(value) : `(?:${escapeForRegExp(value)})${modifier}`;
        continue;
      }
      const inner = type === 'segment' ? segmentExpression(options) : type === 'whole' ? WHOLE : value, repeats = modifier === '*' || modifier === '+';
      const before = escapeForRegExp(prefix), behind = escapeForRegExp(suffix);
      if (before === '' && behind === '') text += repeats ? `((?:${inner})${modifier})` : `(${inner})${modifier}`;
      else if (!repeats) text += `(?:${before}(${inner})${behind})${modifier}`;
      else text += `(?:${before}((?:${inner})(?:${behind}${before}(?:${inner}))*)${behind})${modifier === '*' ? '?' : ''}`;
    }
    return text + '$';
  }

  const isNumbered = /^[0-9]/;

  /** @param {PatternPart[]} parts @param {PatternOptions} options @returns {string} the pattern that they were made of, in its shortest form */
  function patternOf(parts, options) {
    let text = '';
    for (const [index, { type, value, modifier, name, prefix, suffix }] of parts.entries()) {
      if (type === 'fixed') {
        text += modifier === '' ? escapeForPattern(value) : `{${escapeForPattern(value)}}${modifier}`;
        continue;
      }
      const previous = parts[index - 1], next = parts[index + 1], isNamed = !isNumbered.test(name);
      let isGrouped = suffix !== '' || prefix !== '' && prefix !== options.prefix;
      if (!isGrouped && isNamed && type === 'segment' && modifier === '' && next !== undefined && next.prefix === '' && next.suffix === '') {
        isGrouped = next.type === 'fixed' ? continuesName(Array.from(next.value)[0]) : isNumbered.test(next.name);
      }
      if (!isGrouped && prefix === '' && previous?.type === 'fixed' && options.prefix !== '' && previous.value.endsWith(options.prefix)) isGrouped = true;
      if (isGrouped) text += '{';
      text += escapeForPattern(prefix);
      if (isNamed) text += ':' + name;
      if (type === 'regexp') text += `(${value})`;
      else if (type === 'segment' && !isNamed) text += `(${segmentExpression(options)})`;
      else if (type === 'whole') {
        text += !isNamed && (previous === undefined || previous.type === 'fixed' || previous.modifier !== '' || isGrouped || prefix !== '') ? '*' : `(${WHOLE})`;
      }
      if (type === 'segment' && isNamed && continuesName(Array.from(suffix)[0])) text += '\\';
      text += escapeForPattern(suffix);
      if (isGrouped) text += '}';
      text += modifier;
    }
    return text;
  }

  /** A pattern of one part of a URL. */
  class PatternComponent {
    /**
     * @param {string} pattern @param {(text: string) => string} encode writes text as it stands in a URL
     * @param {PatternOptions} options @param {boolean} ignoresCase
     */
    constructor(pattern, encode, options = plainOptions, ignoresCase = false) {
      const parts = new PatternParser(pattern, options, encode).run();
      try { this.expression = new RegExp(expressionOf(parts, options), ignoresCase ? 'vi' : 'v'); } catch {
        throw patternError(`'${shownPattern(pattern)}' has a group that is no regular expression`);
      }
      this.text = patternOf(parts, options);
      this.names = parts.filter(({ type }) => type !== 'fixed').map(({ name }) => name);
      this.hasGroups = parts.some(({ type }) => type === 'regexp');
    }
  }

  /** @param {PatternComponent} protocol */
  function matchesSpecial(protocol) { return Object.keys(specialPorts).some((scheme) => protocol.expression.test(scheme)); }

  // How the text of each part stands in a URL.

  /** @param {string} part @param {string} value @param {any} ended what the parser says of what is no such part */
  function checked(part, value, ended) {
    if (ended === FAILED) throw patternError(`'${shownPattern(value)}' is no ${part} of a URL`);
  }

  /** @type {Record<string, (value: string, protocol?: string) => string>} */
  const encoders = {
    protocol(value) {
      if (value === '') return '';
      const url = parseURL(`${value}://dummy.invalid/`);
      checked('protocol', value, url ?? FAILED);
      return url.scheme;
    },
    username: escapeUserInfo,
    password: escapeUserInfo,
    hostname(value) {
      if (value === '') return '';
      const url = dummyURL();
      checked('hostname', value, overridePart(url, value, 'hostname'));
      return url.host;
    },
    address(value) {
      if (/[^0-9A-Fa-f:[\]]/.test(value)) checked('IPv6 address', value, FAILED);
      return value.toLowerCase();
    },
    port(value, protocol = '') {
      if (value === '') return '';
      const url = dummyURL();
      if (protocol !== '') url.scheme = protocol;
      checked('port', value, overridePart(url, value, 'portState'));
      return url.port === null ? '' : String(url.port);
    },
    pathname(value) {
      if (value === '') return '';
      // What does not begin with a slash may be a rest of a path.
      const begins = value.startsWith('/'), url = dummyURL();
      url.path = [];
      overridePart(url, begins ? value : '/-' + value, 'pathStart');
      return begins ? url.pathText : url.pathText.slice(2);
    },
    opaque(value) {
      if (value === '') return '';
      const url = Object.assign(dummyURL(), { path: '' });
      overridePart(url, value, 'opaquePath');
      return url.pathText;
    },
    search(value) {
      if (value === '') return '';
      const url = Object.assign(dummyURL(), { query: '' });
      overridePart(url, value, 'queryState');
      return url.query;
    },
    hash(value) {
      if (value === '') return '';
      const url = Object.assign(dummyURL(), { fragment: '' });
      overridePart(url, value, 'fragment');
      return url.fragment;
    },
  };

  /** @returns {any} of a scheme whose hosts and paths are those of the web */
  function dummyURL() { return parseURL('https://dummy.invalid/'); }

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

  /**
   * The parts that `given` and its `baseURL` say.
   * @param {Record<string, string | undefined>} given @param {boolean} isPattern whether they are patterns, and no parts of a URL
   * @param {Record<string, string | undefined>} known what is not given
   */
  function partsFrom(given, isPattern, known) {
    const result = { ...known }, { baseURL } = given;
    const quote = (/** @type {string} */ text) => isPattern ? escapeForPattern(text) : text;
    const write = (/** @type {string} */ part, /** @type {string} */ value) => isPattern ? value : encoders[part](value);
    let base;
    if (baseURL !== undefined) {
      base = parseURL(baseURL);
      if (base === undefined) throw patternError(`'${shownPattern(baseURL)}' is no URL to be the base of a pattern`);
      const parts = partsOf(base), lacks = (/** @type {string[]} */ ...names) => names.every((name) => given[name] === undefined);
      if (lacks('protocol')) result.protocol = quote(parts.protocol);
      if (!isPattern && lacks('protocol', 'hostname', 'port', 'username')) result.username = parts.username;
      if (!isPattern && lacks('protocol', 'hostname', 'port', 'username', 'password')) result.password = parts.password;
      const order = ['protocol', 'hostname', 'port', 'pathname', 'search', 'hash'];
      for (const [index, part] of order.entries()) if (index > 0 && lacks(...order.slice(0, index + 1))) result[part] = quote(parts[part]);
    }
    if (given.protocol !== undefined) result.protocol = write('protocol', given.protocol.replace(/:$/, ''));
    for (const part of ['username', 'password', 'hostname']) {
      const value = given[part];
      if (value !== undefined) result[part] = write(part, value);
    }
    const protocol = result.protocol ?? '';
    if (given.port !== undefined) result.port = isPattern ? given.port : encoders.port(given.port, protocol);
    if (given.pathname !== undefined) {
      let path = given.pathname;
      if (base !== undefined && typeof base.path !== 'string' && !isAbsolute(path, isPattern)) {
        const before = quote(base.pathText), slash = before.lastIndexOf('/');
        if (slash >= 0) path = before.slice(0, slash + 1) + path;
      }
      result.pathname = write(protocol === '' || protocol in specialPorts ? 'pathname' : 'opaque', path);
    }
    if (given.search !== undefined) result.search = write('search', given.search.replace(/^\?/, ''));
    if (given.hash !== undefined) result.hash = write('hash', given.hash.replace(/^#/, ''));
    return result;
  }

  /** @param {string} path @param {boolean} isPattern */
  function isAbsolute(path, isPattern) { return path.startsWith('/') || isPattern && (path.startsWith('\\/') || path.startsWith('{/')); }

  /** @param {any} url a record @returns {Record<string, string>} */
  function partsOf(url) {
    return {
      protocol: url.scheme, username: url.username, password: url.password, hostname: url.host ?? '', port: url.port === null ? '' : String(url.port),
      pathname: url.pathText, search: url.query ?? '', hash: url.fragment ?? '',
    };
  }

  /** @param {any} value an object of a script's @returns {Record<string, string | undefined>} */
  function readInit(value) {
    if (!isObject(value)) return {};
    /** @type {Record<string, string | undefined>} */
    const init = {};
    for (const name of ['baseURL', 'hash', 'hostname', 'password', 'pathname', 'port', 'protocol', 'search', 'username']) {
      const member = value[name];
      if (member !== undefined) init[name] = scalarText(member);
    }
    return init;
  }

  class PatternData {
    /** @type {Record<string, PatternComponent>} */
    components = {};

    /** @param {Record<string, string | undefined>} init @param {boolean} ignoresCase */
    constructor(init, ignoresCase) {
      const made = this.components, parts = partsFrom(init, true, {});
      const { protocol = '*', username = '*', password = '*', hostname = '*', pathname = '*', search = '*', hash = '*' } = parts;
      const port = parts.port === undefined ? '*' : parts.port === String(specialPorts[protocol]) ? '' : parts.port;
      made.protocol = new PatternComponent(protocol, encoders.protocol);
      made.username = new PatternComponent(username, encoders.username);
      made.password = new PatternComponent(password, encoders.password);
      made.hostname = new PatternComponent(hostname, /^(?:\[|\{\[|\\\[)/.test(hostname) && hostname.length > 1 ? encoders.address : encoders.hostname, hostOptions);
      made.port = new PatternComponent(port, encoders.port);
      made.pathname = matchesSpecial(made.protocol) ? new PatternComponent(pathname, encoders.pathname, pathOptions, ignoresCase)
        : new PatternComponent(pathname, encoders.opaque, plainOptions, ignoresCase);
      made.search = new PatternComponent(search, encoders.search, plainOptions, ignoresCase);
      made.hash = new PatternComponent(hash, encoders.hash, plainOptions, ignoresCase);
    }

    /**
     * @param {{init: any, text: string, base: string | undefined}} input
     * @returns {Record<string, {input: string, found: RegExpExecArray}> | undefined} of each part
     */
    match(input) {
      const parts = partsToMatch(input);
      if (parts === undefined) return undefined;
      /** @type {Record<string, {input: string, found: RegExpExecArray}>} */
      const matches = {};
      for (const part of PARTS) {
        const found = this.components[part].expression.exec(parts[part]);
        if (found === null) return undefined;
        matches[part] = { input: parts[part], found };
      }
      return matches;
    }
  }

  /**
   * Reads what a script gives to be matched, once.
   * @param {any} input @param {any} base
   */
  function readInput(input, base) {
    if (!isPartsObject(input)) return { init: undefined, text: scalarText(input), base: base === undefined ? undefined : scalarText(base) };
    const init = readInit(input);
    if (base !== undefined) throw new ScriptTypeError('URLPattern: a base comes with a text alone; an object has it as baseURL');
    return { init, text: '', base: undefined };
  }

  /** @param {any} value whether it says parts of a URL, and is no text */
  function isPartsObject(value) { return isObject(value) || value === undefined || value === null; }

  /** @param {{init: any, text: string, base: string | undefined}} input @returns {Record<string, any> | undefined} undefined for what is no URL */
  function partsToMatch({ init, text, base }) {
    if (init !== undefined) {
      try { return partsFrom(init, false, Object.fromEntries(PARTS.map((part) => [part, '']))); } catch { return undefined; }
    }
    const behind = base === undefined ? undefined : parseURL(base);
    if (base !== undefined && behind === undefined) return undefined;
    const url = parseURL(text, behind);
    return url && partsOf(url);
  }

  /** @param {any} input @param {any} base @param {any} options @returns {PatternData} */
  function makePattern(input, base, options) {
    if (isObject(base) || base === null) [base, options] = [undefined, base];
    const { ignoreCase } = dictionary(options, 'URLPattern: the options');
    const given = readInput(input, base), { text } = given;
    if (given.init !== undefined) return new PatternData(given.init, !!ignoreCase);
    const init = new PatternSplitter(text).run();
    if (given.base !== undefined) init.baseURL = given.base;
    else if (init.protocol === undefined) throw patternError(`'${shownPattern(text)}' has no protocol, and there is no base`);
    return new PatternData(init, !!ignoreCase);
  }

  const { made: URLPattern } = defineInterface('URLPattern', PatternData, {
    shown: [...PARTS, 'hasRegExpGroups'],
    construct: (_, input = undefined, base = undefined, options = undefined) => makePattern(input, base, options),
    attributes: {
      ...Object.fromEntries(PARTS.map((part) => [part, [(/** @type {PatternData} */ { components }) => components[part].text]])),
      hasRegExpGroups: [({ components }) => PARTS.some((part) => components[part].hasGroups)],
    },
    operations: {
      test: (data, input = undefined, base = undefined) => data.match(readInput(input, base)) !== undefined,
      exec(data, input = undefined, base = undefined) {
        const given = readInput(input, base), matches = data.match(given);
        if (matches === undefined) return null;
        const inputs = given.init !== undefined ? [publishObject(given.init)] : given.base === undefined ? [given.text] : [given.text, given.base];
        /** @type {Record<string, any>} */
        const result = { inputs: publishArray(inputs) };
        for (const part of PARTS) {
          const { input: text, found } = matches[part], groups = Object.create(null);
          for (const [index, name] of data.components[part].names.entries()) groups[name] = found[index + 1];
          result[part] = publishObject({ input: text, groups: publishObject(groups) });
        }
        return publishObject(result);
      },
    },
  });
  return { URLPattern };
})()
