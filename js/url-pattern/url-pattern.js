// What scripts hold.

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
// @ts-expect-error The files are the body of one function.
return { URLPattern };
