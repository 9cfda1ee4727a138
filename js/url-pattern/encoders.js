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
