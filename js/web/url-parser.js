// The parser of URLs: the state machine of the URL standard.

/** Their ports that are not written. @type {Record<string, number | null>} */
const specialPorts = Object.assign(Object.create(null), { ftp: 21, file: null, http: 80, https: 443, ws: 80, wss: 443 });

// What is not escaped in each part, of ASCII.
const inFragment = /[^\0-\x20"<>`\x7F]/, inQuery = /[^\0-\x20"#<>\x7F]/, inSpecialQuery = /[^\0-\x20"#<>'\x7F]/, inPath = /[^\0-\x20"#<>?^`{}\x7F]/;
const inUserInfo = /[^\0-\x20"#<>?^`{}/:;=@[\\\]|\x7F]/, inOpaque = /[^\0-\x1F\x7F]/;

class URLRecord {
  scheme = '';
  username = '';
  password = '';
  /** @type {string | null} */
  host = null;
  /** @type {number | null} */
  port = null;
  /** @type {string[] | string} A text if it is opaque. */
  path = [];
  /** @type {string | null} */
  query = null;
  /** @type {string | null} */
  fragment = null;

  get isSpecial() { return this.scheme in specialPorts; }
  get hasCredentials() { return this.username !== '' || this.password !== ''; }
  get cannotHaveCredentials() { return this.host === null || this.host === '' || this.scheme === 'file'; }

  get pathText() { return typeof this.path === 'string' ? this.path : this.path.map((segment) => '/' + segment).join(''); }

  shorten() {
    const path = /** @type {string[]} */ (this.path);
    if (this.scheme === 'file' && path.length === 1 && /^[A-Za-z]:$/.test(path[0])) return;
    path.pop();
  }

  get hostText() { return this.host === null ? '' : this.host + (this.port === null ? '' : `:${this.port}`); }

  get href() {
    let text = this.scheme + ':';
    if (this.host !== null) {
      text += '//';
      if (this.hasCredentials) text += this.username + (this.password === '' ? '' : ':' + this.password) + '@';
      text += this.hostText;
    } else if (typeof this.path !== 'string' && this.path.length > 1 && this.path[0] === '') text += '/.';
    return text + this.pathText + (this.query === null ? '' : '?' + this.query) + (this.fragment === null ? '' : '#' + this.fragment);
  }

  copy() {
    const copy = Object.assign(new URLRecord(), this);
    if (typeof this.path !== 'string') copy.path = [...this.path];
    return copy;
  }
}

const FAILED = Symbol('failed'), ENDED = Symbol('ended');

/**
 * @param {string} input without lone surrogates @param {URLRecord} [base] @returns {URLRecord | undefined} undefined if it is none
 */
function parseURL(input, base) {
  let end = input.length;
  // An expression would begin anew at each of many spaces.
  while (end > 0 && input.charCodeAt(end - 1) <= 0x20) end--;
  const text = input.slice(0, end).replace(/^[\0-\x20]+/, '').replace(/[\t\n\r]/g, '');
  const parser = new URLParser(text, new URLRecord(), base, undefined);
  return parser.run('schemeStart') === FAILED ? undefined : parser.url;
}

/**
 * Changes a part of a URL; leaves it as it is if that fails.
 * @param {URLRecord} url @param {string} input @param {string} state
 */
function overridePart(url, input, state) { return new URLParser(input.replace(/[\t\n\r]/g, ''), url, undefined, state).run(state); }

/** @param {string} text of which the start is looked at */
function startsWithDrive(text) { return /^[A-Za-z][:|](?:[/\\?#]|$)/.test(text); }

const singleDot = /^(?:\.|%2e)$/i, doubleDot = /^(?:\.|%2e){2}$/i;

class URLParser {
  buffer = '';
  at = 0;
  hasAt = false;
  isInBrackets = false;
  hasPasswordToken = false;

  /** @param {string} text @param {URLRecord} url @param {URLRecord | undefined} base @param {string | undefined} override */
  constructor(text, url, base, override) {
    this.points = Array.from(text);
    this.url = url;
    this.base = base;
    this.override = override;
    this.state = '';
  }

  /** @param {string} state @returns {any} `FAILED`, `ENDED` or undefined */
  run(state) {
    this.state = state;
    for (; this.at <= this.points.length; this.at++) {
      const end = /** @type {any} */ (this)[this.state](this.points[this.at] ?? '');
      if (end !== undefined) return end;
    }
    return undefined;
  }

  rest(from = this.at + 1) { return this.points.slice(from, from + 3).join(''); }

  /** @param {string} c */
  schemeStart(c) {
    if (/^[A-Za-z]$/.test(c)) {
      this.buffer += c.toLowerCase();
      this.state = 'scheme';
    } else if (this.override === undefined) this.#again('noScheme');
    else return FAILED;
  }

  /** @param {string} state in which the same character is read */
  #again(state) {
    this.state = state;
    this.at--;
  }

  /** @param {string} c */
  scheme(c) {
    const { url, base, override } = this;
    if (/^[A-Za-z0-9+.-]$/.test(c)) this.buffer += c.toLowerCase();
    else if (c === ':') {
      if (override !== undefined) {
        if (url.isSpecial !== this.buffer in specialPorts || (url.hasCredentials || url.port !== null) && this.buffer === 'file' || url.scheme === 'file' && url.host === '') return ENDED;
        url.scheme = this.buffer;
        if (url.port === specialPorts[url.scheme]) url.port = null;
        return ENDED;
      }
      url.scheme = this.buffer;
      this.buffer = '';
      if (url.scheme === 'file') this.state = 'file';
      else if (url.isSpecial && base?.scheme === url.scheme) this.state = 'specialRelativeOrAuthority';
      else if (url.isSpecial) this.state = 'specialAuthoritySlashes';
      else if (this.points[this.at + 1] === '/') {
        this.state = 'pathOrAuthority';
        this.at++;
      } else {
        url.path = '';
        this.state = 'opaquePath';
      }
    } else if (override === undefined) {
      this.buffer = '';
      this.at = -1;
      this.state = 'noScheme';
    } else return FAILED;
  }

  /** @param {string} c */
  noScheme(c) {
    const { url, base } = this;
    if (base === undefined || typeof base.path === 'string' && c !== '#') return FAILED;
    if (typeof base.path === 'string') {
      this.url = Object.assign(base.copy(), { fragment: '' });
      this.state = 'fragment';
    } else this.#again(base.scheme === 'file' ? 'file' : 'relative');
    if (this.state === 'file') url.scheme = 'file';
  }

  /** @param {string} c */
  specialRelativeOrAuthority(c) {
    if (c === '/' && this.points[this.at + 1] === '/') {
      this.state = 'specialAuthorityIgnoreSlashes';
      this.at++;
    } else this.#again('relative');
  }

  /** @param {string} c */
  pathOrAuthority(c) { if (c === '/') this.state = 'authority'; else this.#again('pathState'); }

  /** @param {string} c */
  relative(c) {
    const { url } = this, base = /** @type {URLRecord} */ (this.base);
    url.scheme = base.scheme;
    if (c === '/' || url.isSpecial && c === '\\') {
      this.state = 'relativeSlash';
      return;
    }
    Object.assign(url, base.copy(), { fragment: null });
    if (c === '?') {
      url.query = '';
      this.state = 'queryState';
    } else if (c === '#') {
      url.fragment = '';
      this.state = 'fragment';
    } else if (c !== '') {
      url.query = null;
      url.shorten();
      this.#again('pathState');
    }
  }

  /** @param {string} c */
  relativeSlash(c) {
    const { url } = this, base = /** @type {URLRecord} */ (this.base);
    if (url.isSpecial && (c === '/' || c === '\\')) this.state = 'specialAuthorityIgnoreSlashes';
    else if (c === '/') this.state = 'authority';
    else {
      url.username = base.username;
      url.password = base.password;
      url.host = base.host;
      url.port = base.port;
      this.#again('pathState');
    }
  }

  /** @param {string} c */
  specialAuthoritySlashes(c) {
    if (c === '/' && this.points[this.at + 1] === '/') {
      this.state = 'specialAuthorityIgnoreSlashes';
      this.at++;
    } else this.#again('specialAuthorityIgnoreSlashes');
  }

  /** @param {string} c */
  specialAuthorityIgnoreSlashes(c) { if (c !== '/' && c !== '\\') this.#again('authority'); }

  /** @param {string} c */
  #endsAuthority(c) { return c === '' || c === '/' || c === '?' || c === '#' || this.url.isSpecial && c === '\\'; }

  /** @param {string} c */
  authority(c) {
    const { url } = this;
    if (c === '@') {
      if (this.hasAt) this.buffer = '%40' + this.buffer;
      this.hasAt = true;
      const colon = this.hasPasswordToken ? -1 : this.buffer.indexOf(':');
      const name = this.hasPasswordToken ? '' : colon < 0 ? this.buffer : this.buffer.slice(0, colon);
      const password = this.hasPasswordToken ? this.buffer : colon < 0 ? '' : this.buffer.slice(colon + 1);
      if (colon >= 0) this.hasPasswordToken = true;
      url.username += escapeText(name, inUserInfo);
      url.password += escapeText(password, inUserInfo);
      this.buffer = '';
    } else if (this.#endsAuthority(c)) {
      if (this.hasAt && this.buffer === '') return FAILED;
      this.at -= Array.from(this.buffer).length + 1;
      this.buffer = '';
      this.state = 'hostState';
    } else this.buffer += c;
  }

  /** @param {string} c @returns {any} */
  hostState(c) {
    const { url, override } = this;
    if (override !== undefined && url.scheme === 'file') return this.#again('fileHost');
    if (c === ':' && !this.isInBrackets) {
      if (this.buffer === '') return FAILED;
      if (override === 'hostname') return FAILED;
      const host = parseHost(this.buffer, url.isSpecial);
      if (host === undefined) return FAILED;
      url.host = host;
      this.buffer = '';
      this.state = 'portState';
    } else if (this.#endsAuthority(c)) {
      this.at--;
      if (url.isSpecial && this.buffer === '') return FAILED;
      if (override !== undefined && this.buffer === '' && (url.hasCredentials || url.port !== null)) return FAILED;
      const host = parseHost(this.buffer, url.isSpecial);
      if (host === undefined) return FAILED;
      url.host = host;
      this.buffer = '';
      this.state = 'pathStart';
      if (override !== undefined) return ENDED;
    } else {
      if (c === '[') this.isInBrackets = true;
      if (c === ']') this.isInBrackets = false;
      this.buffer += c;
    }
  }

  /** @param {string} c */
  hostname(c) { return this.hostState(c); }

  /** @param {string} c */
  portState(c) {
    const { url, override } = this;
    if (/^[0-9]$/.test(c)) this.buffer += c;
    else if (this.#endsAuthority(c) || override !== undefined) {
      if (this.buffer !== '') {
        const port = Number(this.buffer);
        if (port > 65535) return FAILED;
        url.port = port === specialPorts[url.scheme] ? null : port;
        this.buffer = '';
        if (override !== undefined) return ENDED;
      }
      if (override !== undefined) return FAILED;
      this.#again('pathStart');
    } else return FAILED;
  }

  /** @param {string} c */
  file(c) {
    const { url, base } = this;
    url.scheme = 'file';
    url.host = '';
    if (c === '/' || c === '\\') this.state = 'fileSlash';
    else if (base?.scheme === 'file') {
      const { host, path, query } = base.copy();
      Object.assign(url, { host, path, query });
      if (c === '?') {
        url.query = '';
        this.state = 'queryState';
      } else if (c === '#') {
        url.fragment = '';
        this.state = 'fragment';
      } else if (c !== '') {
        url.query = null;
        if (startsWithDrive(this.rest(this.at))) url.path = [];
        else url.shorten();
        this.#again('pathState');
      }
    } else this.#again('pathState');
  }

  /** @param {string} c */
  fileSlash(c) {
    const { url, base } = this;
    if (c === '/' || c === '\\') {
      this.state = 'fileHost';
      return;
    }
    if (base?.scheme === 'file') {
      url.host = base.host;
      const first = base.path[0];
      if (!startsWithDrive(this.rest(this.at)) && first !== undefined && /^[A-Za-z]:$/.test(first)) /** @type {string[]} */ (url.path).push(first);
    }
    this.#again('pathState');
  }

  /** @param {string} c */
  fileHost(c) {
    const { url, override } = this;
    if (c !== '' && c !== '/' && c !== '\\' && c !== '?' && c !== '#') {
      this.buffer += c;
      return;
    }
    this.at--;
    if (override === undefined && /^[A-Za-z][:|]$/.test(this.buffer)) this.state = 'pathState';
    else if (this.buffer === '') {
      url.host = '';
      if (override !== undefined) return ENDED;
      this.state = 'pathStart';
    } else {
      const host = parseHost(this.buffer, true);
      if (host === undefined) return FAILED;
      url.host = host === 'localhost' ? '' : host;
      if (override !== undefined) return ENDED;
      this.buffer = '';
      this.state = 'pathStart';
    }
  }

  /** @param {string} c */
  pathStart(c) {
    const { url, override } = this;
    if (url.isSpecial) {
      this.state = 'pathState';
      if (c !== '/' && c !== '\\') this.at--;
    } else if (override === undefined && c === '?') {
      url.query = '';
      this.state = 'queryState';
    } else if (override === undefined && c === '#') {
      url.fragment = '';
      this.state = 'fragment';
    } else if (c !== '') {
      this.state = 'pathState';
      if (c !== '/') this.at--;
    } else if (override !== undefined && url.host === null) /** @type {string[]} */ (url.path).push('');
  }

  /** @param {string} c */
  pathState(c) {
    const { url, override } = this, path = /** @type {string[]} */ (url.path);
    const isSlash = c === '/' || url.isSpecial && c === '\\';
    if (c !== '' && !isSlash && (override !== undefined || c !== '?' && c !== '#')) {
      this.buffer += escapeText(c, inPath);
      return;
    }
    if (doubleDot.test(this.buffer)) {
      url.shorten();
      if (!isSlash) path.push('');
    } else if (singleDot.test(this.buffer)) {
      if (!isSlash) path.push('');
    } else {
      if (url.scheme === 'file' && path.length === 0 && /^[A-Za-z][:|]$/.test(this.buffer)) this.buffer = this.buffer[0] + ':';
      path.push(this.buffer);
    }
    this.buffer = '';
    if (c === '?') {
      url.query = '';
      this.state = 'queryState';
    } else if (c === '#') {
      url.fragment = '';
      this.state = 'fragment';
    }
  }

  /** @param {string} c */
  opaquePath(c) {
    const { url } = this, next = this.points[this.at + 1];
    if (c === '?') {
      url.query = '';
      this.state = 'queryState';
    } else if (c === '#') {
      url.fragment = '';
      this.state = 'fragment';
    } else if (c === ' ') url.path += next === '?' || next === '#' ? '%20' : ' ';
    else url.path += escapeText(c, inOpaque);
  }

  /** To its end at once. */
  queryState() {
    let end = this.override === undefined ? this.points.indexOf('#', this.at) : -1;
    if (end < 0) end = this.points.length;
    this.url.query += escapeText(this.points.slice(this.at, end).join(''), this.url.isSpecial ? inSpecialQuery : inQuery);
    this.at = end;
    if (end < this.points.length) {
      this.url.fragment = '';
      this.state = 'fragment';
    }
  }

  fragment() {
    this.url.fragment += escapeText(this.points.slice(this.at).join(''), inFragment);
    this.at = this.points.length;
  }
}
