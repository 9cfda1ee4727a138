// `URL` and `URLSearchParams`, as the URL standard has them.

/** @type {InterfaceTools} */
const { defineInterface, definePairs, text, scalarText } = part('interfaces');

/** @param {string} input @returns {[string, string][]} */
function parseQuery(input) {
  const decode = (/** @type {string} */ part) => unescapeText(part.replaceAll('+', ' '));
  return input.split('&').filter((part) => part !== '').map((part) => {
    const equals = part.indexOf('=');
    return equals < 0 ? [decode(part), ''] : [decode(part.slice(0, equals)), decode(part.slice(equals + 1))];
  });
}

/** @param {[string, string][]} pairs */
function writeQuery(pairs) {
  const encode = (/** @type {string} */ part) => (/^[A-Za-z0-9*._ -]*$/.test(part) ? part : escapeText(part, /[A-Za-z0-9*._ -]/)).replaceAll(' ', '+');
  return pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}

class ParamsData {
  /** @type {[string, string][]} */
  pairs = [];
  /** @type {URLData | undefined} whose query this is */
  url = undefined;

  update() { if (this.url !== undefined) this.url.changed = this; }
}

/** @param {any} init @returns {[string, string][]} */
function pairsFrom(init) {
  if (!isObject(init)) return parseQuery(scalarText(init).replace(/^\?/, ''));
  const begin = init[Symbol.iterator];
  if (begin !== undefined && begin !== null) {
    if (typeof begin !== 'function') throw new ScriptTypeError("URLSearchParams, argument 1 'init': its Symbol.iterator is no function");
    return Array.from(stepsOf(init, begin), (pair) => {
      const start = isObject(pair) ? pair[Symbol.iterator] : undefined;
      const both = typeof start === 'function' ? Array.from(stepsOf(pair, start), scalarText) : [];
      if (both.length !== 2) throw new ScriptTypeError("URLSearchParams, argument 1 'init': expected pairs of a name and a value");
      return [both[0], both[1]];
    });
  }
  /** @type {Map<string, string>} */
  const pairs = new Map();
  for (const key of Reflect.ownKeys(init)) {
    if (Reflect.getOwnPropertyDescriptor(init, key)?.enumerable) pairs.set(scalarText(key), scalarText(init[key]));
  }
  return [...pairs];
}

/** @param {any} iterable of a script's @param {any} begin @returns {Iterable<any>} */
function stepsOf(iterable, begin) { return { [Symbol.iterator]: () => apply(begin, iterable, []) }; }

const { made: URLSearchParams, dataOf: paramsOf, make: makeParams } = defineInterface('URLSearchParams', ParamsData, {
  construct(_, init = '') {
    const data = new ParamsData();
    data.pairs = pairsFrom(init === null ? 'null' : init);
    return data;
  },
  attributes: { size: [({ pairs }) => pairs.length] },
  shownPairs: ({ pairs }) => pairs,
  operations: {
    append(data, name, value) {
      data.pairs.push([scalarText(name), scalarText(value)]);
      data.update();
    },
    delete(data, name, value = undefined) {
      const key = scalarText(name), given = value === undefined ? undefined : scalarText(value);
      data.pairs = data.pairs.filter((/** @type {[string, string]} */ pair) => pair[0] !== key || given !== undefined && pair[1] !== given);
      data.update();
    },
    get(data, name) {
      const key = scalarText(name);
      return data.pairs.find((/** @type {[string, string]} */ pair) => pair[0] === key)?.[1] ?? null;
    },
    getAll(data, name) {
      const key = scalarText(name);
      return publishArray(data.pairs.filter((/** @type {[string, string]} */ pair) => pair[0] === key).map((/** @type {[string, string]} */ pair) => pair[1]));
    },
    has(data, name, value = undefined) {
      const key = scalarText(name), given = value === undefined ? undefined : scalarText(value);
      return data.pairs.some((/** @type {[string, string]} */ pair) => pair[0] === key && (given === undefined || pair[1] === given));
    },
    set(data, name, value) {
      const key = scalarText(name), given = scalarText(value);
      const first = data.pairs.findIndex((/** @type {[string, string]} */ pair) => pair[0] === key);
      if (first < 0) data.pairs.push([key, given]);
      else data.pairs = data.pairs.flatMap((/** @type {[string, string]} */ pair, /** @type {number} */ i) => i === first ? [[key, given]] : pair[0] === key ? [] : [pair]);
      data.update();
    },
    sort(data) {
      // By units of UTF-16, and stable.
      data.pairs.sort((/** @type {any} */ [a], /** @type {any} */ [b]) => a < b ? -1 : a > b ? 1 : 0);
      data.update();
    },
    toString: (/** @type {any} */ data) => writeQuery(data.pairs),
  },
});
definePairs('URLSearchParams', URLSearchParams, paramsOf, ({ pairs }) => pairs);

class URLData {
  /** @type {any} */
  params = undefined;
  /** @type {ParamsData | undefined} Its query is that of these pairs, once somebody asks: it takes them all to write one. */
  changed = undefined;
  #record;

  /** @param {URLRecord} record */
  constructor(record) { this.#record = record; }

  get record() {
    if (this.changed !== undefined) {
      const query = writeQuery(this.changed.pairs);
      this.#record.query = query === '' ? null : query;
      this.changed = undefined;
    }
    return this.#record;
  }

  set record(record) {
    this.#record = record;
    this.changed = undefined;
  }

  /** The pairs are those of the query again. */
  refresh() { if (this.params !== undefined) this.params.data.pairs = parseQuery(this.record.query ?? ''); }

  get searchParams() {
    if (this.params === undefined) {
      const data = Object.assign(new ParamsData(), { url: this });
      this.params = { data, object: makeParams(data) };
      this.refresh();
    }
    return this.params.object;
  }

  /** @returns {string} */
  get origin() {
    const { scheme, hostText, path } = this.record;
    if (scheme === 'blob') {
      const inner = typeof path === 'string' ? parseURL(path) : undefined;
      return inner?.scheme === 'http' || inner?.scheme === 'https' ? new URLData(inner).origin : 'null';
    }
    return scheme in specialPorts && scheme !== 'file' ? `${scheme}://${hostText}` : 'null';
  }
}

/** @param {any} given @param {any} base @returns {URLRecord | undefined} */
function parseGiven(given, base) {
  const url = scalarText(given);
  if (base === undefined) return parseURL(url);
  const parsed = parseURL(scalarText(base));
  return parsed && parseURL(url, parsed);
}

/** @param {any} given @param {any} base */
function invalid(given, base) {
  const error = argumentlessError(`'${shown(given)}' is no URL${base === undefined ? '' : ` behind '${shown(base)}'`}`);
  return error;
}

/** @param {any} value */
function shown(value) { return String(value).slice(0, 200); }

/** @param {string} message */
function argumentlessError(message) { return codedError('ERR_INVALID_URL', message, ScriptTypeError); }

const { made: URL, make: makeURL } = defineInterface('URL', URLData, {
  length: 1,
  shown: ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'searchParams', 'hash'],
  construct(_, url, base = undefined) {
    const given = scalarText(url), behind = base === undefined ? undefined : scalarText(base), record = parseGiven(given, behind);
    if (record === undefined) throw invalid(given, behind);
    return new URLData(record);
  },
  attributes: {
    href: [({ record }) => record.href, (data, value) => {
      const given = scalarText(value), record = parseURL(given);
      if (record === undefined) throw invalid(given, undefined);
      data.record = record;
      data.refresh();
    }],
    origin: [({ origin }) => origin],
    protocol: [({ record }) => record.scheme + ':', ({ record }, value) => { overridePart(record, scalarText(value) + ':', 'schemeStart'); }],
    username: [({ record }) => record.username, ({ record }, value) => {
      const name = scalarText(value);
      if (!record.cannotHaveCredentials) record.username = escapeText(name, inUserInfo);
    }],
    password: [({ record }) => record.password, ({ record }, value) => {
      const password = scalarText(value);
      if (!record.cannotHaveCredentials) record.password = escapeText(password, inUserInfo);
    }],
    host: [({ record }) => record.hostText, ({ record }, value) => {
      const host = scalarText(value);
      if (typeof record.path !== 'string') overridePart(record, host, 'hostState');
    }],
    hostname: [({ record }) => record.host ?? '', ({ record }, value) => {
      const host = scalarText(value);
      if (typeof record.path !== 'string') overridePart(record, host, 'hostname');
    }],
    port: [({ record }) => record.port === null ? '' : String(record.port), ({ record }, value) => {
      const port = scalarText(value);
      if (record.cannotHaveCredentials) return;
      if (port === '') record.port = null;
      else overridePart(record, port, 'portState');
    }],
    pathname: [({ record }) => record.pathText, ({ record }, value) => {
      const path = scalarText(value);
      if (typeof record.path === 'string') return;
      record.path = [];
      overridePart(record, path, 'pathStart');
    }],
    search: [({ record }) => record.query ? '?' + record.query : '', (data, value) => {
      const { record } = data, query = scalarText(value);
      if (query === '') record.query = null;
      else {
        record.query = '';
        overridePart(record, query.replace(/^\?/, ''), 'queryState');
      }
      data.refresh();
    }],
    searchParams: [(data) => data.searchParams],
    hash: [({ record }) => record.fragment ? '#' + record.fragment : '', ({ record }, value) => {
      const fragment = scalarText(value);
      record.fragment = fragment === '' ? null : '';
      if (fragment !== '') overridePart(record, fragment.replace(/^#/, ''), 'fragment');
    }],
  },
  operations: { toString: (/** @type {any} */ data) => data.record.href, toJSON: (/** @type {any} */ data) => data.record.href },
  statics: {
    parse(url, base = undefined) {
      const record = parseGiven(url, base);
      return record === undefined ? null : makeURL(new URLData(record));
    },
    canParse: (url, base = undefined) => parseGiven(url, base) !== undefined,
  },
});

// @ts-expect-error The file is the end of a function.
return {
  URL, URLSearchParams,
  /** For `URLPattern`. */
  tools: { parseURL, overridePart, specialPorts, FAILED, escapeUserInfo: (/** @type {string} */ text) => escapeText(text, inUserInfo) },
};
