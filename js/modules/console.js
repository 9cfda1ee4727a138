// `console`, over `Console.write`.

let indentation = '';
/** @type {Map<string, number>} */
const counts = new Map();
/** @type {Map<string, number>} */
const starts = new Map();
const now = Date.now;

/** @param {boolean} isError @param {string} text */
function writeLines(isError, text) {
  const lines = indentation === '' ? text : indentation + text.split('\n').join('\n' + indentation);
  native.write(isError, lines + '\n');
}

/**
 * Values as text: made when there is something else than a string.
 * @param {any[]} values @returns {string}
 */
function inspect(...values) { return runtime.inspection().inspect(...values); }

/** @param {string} text that the script may have from elsewhere */
function visible(text) { return runtime.inspection().visible(text); }

/** @param {any[]} values a format with its arguments, or any values @returns {string} */
function formatAll(values) {
  /** @type {string[]} */
  const parts = [];
  let next = 0;
  // A text alone is no format.
  if (typeof values[0] === 'string' && values.length > 1) {
    next = 1;
    const format = values[0];
    let start = 0;
    for (let at = format.indexOf('%'); at >= 0 && at + 1 < format.length; at = format.indexOf('%', start)) {
      const directive = format[at + 1];
      const isPercent = directive === '%';
      if (!isPercent && !(next < values.length && isDirective(directive))) {
        parts.push(format.substring(start, at + 1));
        start = at + 1;
        continue;
      }
      parts.push(format.substring(start, at), isPercent ? '%' : formatOne(directive, values[next++]));
      start = at + 2;
    }
    parts.push(start === 0 ? format : format.substring(start));
  }
  for (; next < values.length; next++) {
    if (next > 0) parts.push(' ');
    parts.push(typeof values[next] === 'string' ? values[next] : inspect(values[next]));
  }
  return parts.join('');
}

/** @param {string} letter */
function isDirective(letter) {
  switch (letter) {
    case 's': case 'd': case 'i': case 'f': case 'j': case 'o': case 'O': case 'c': return true;
    default: return false;
  }
}

/** @param {string} directive @param {any} value */
function formatOne(directive, value) {
  switch (directive) {
    case 's': return typeof value === 'string' ? value : inspect(value, 0);
    case 'd': return typeof value === 'bigint' ? value + 'n' : runtime.inspection().inspectPrimitive(toNumber(value));
    case 'i': return typeof value === 'bigint' ? value + 'n' : runtime.inspection().inspectPrimitive(Math.trunc(toNumber(value)));
    case 'f': return runtime.inspection().inspectPrimitive(toNumber(value));
    case 'j': return visible(attempt(() => JSON.stringify(value)) ?? 'undefined');
    case 'c': return '';
    default: return inspect(value, 4);
  }
}

/** @param {any} value @returns {number} */
function toNumber(value) { return attempt(() => Number(value)) ?? NaN; }

/** @param {any} label */
function labelText(label) { return label === undefined ? 'default' : typeof label === 'string' ? visible(label) : inspect(label); }

/** @param {string} label @param {any[]} values */
function writeTime(label, values) {
  const start = starts.get(label);
  if (start === undefined) return writeLines(true, `console: there is no timer '${label}'`);
  const rest = values.length === 0 ? '' : ' ' + formatAll(values);
  writeLines(false, `${label}: ${now() - start}ms${rest}`);
}

const methods = {
  log(/** @type {any[]} */ ...values) { writeLines(false, formatAll(values)); },
  info(/** @type {any[]} */ ...values) { writeLines(false, formatAll(values)); },
  debug(/** @type {any[]} */ ...values) { writeLines(false, formatAll(values)); },
  warn(/** @type {any[]} */ ...values) { writeLines(true, formatAll(values)); },
  error(/** @type {any[]} */ ...values) { writeLines(true, formatAll(values)); },
  trace(/** @type {any[]} */ ...values) {
    const stack = new ScriptError().stack ?? '';
    const own = stack.split('\n');
    const frames = [];
    for (let i = 1; i < own.length; i++) frames.push(own[i]);
    writeLines(true, `Trace${values.length === 0 ? '' : ': ' + formatAll(values)}${runtime.inspection().stackText(frames.join('\n'))}`);
  },
  assert(/** @type {any} */ condition, /** @type {any[]} */ ...values) {
    if (condition) return;
    const text = formatAll(values);
    writeLines(true, 'Assertion failed' + (text === '' ? '' : ': ' + text));
  },
  dir(/** @type {any} */ value, /** @type {{depth?: number | null} | undefined} */ options) {
    const depth = options?.depth;
    writeLines(false, inspect(value, depth === null ? Infinity : depth ?? undefined));
  },
  dirxml(/** @type {any[]} */ ...values) { writeLines(false, formatAll(values)); },
  table(/** @type {any} */ rows, /** @type {string[] | undefined} */ columns) {
    writeLines(false, runtime.inspection().tableText(rows, columns) ?? formatAll([rows]));
  },
  group(/** @type {any[]} */ ...values) {
    if (values.length > 0) writeLines(false, formatAll(values));
    indentation += '  ';
  },
  groupCollapsed(/** @type {any[]} */ ...values) { apply(methods.group, undefined, values); },
  groupEnd() { indentation = indentation.substring(0, Math.max(0, indentation.length - 2)); },
  count(/** @type {any} */ label) {
    const text = labelText(label);
    const count = (counts.get(text) ?? 0) + 1;
    writeLines(false, `${text}: ${count}`);
    counts.set(text, count);
  },
  countReset(/** @type {any} */ label) { counts.set(labelText(label), 0); },
  time(/** @type {any} */ label) {
    const text = labelText(label);
    if (starts.has(text)) return writeLines(true, `console: there is a timer '${text}' already`);
    starts.set(text, now());
  },
  timeLog(/** @type {any[]} */ ...values) { writeTime(labelText(values[0]), values.slice(1)); },
  timeEnd(/** @type {any} */ label) {
    const text = labelText(label);
    writeTime(text, []);
    starts.delete(text);
  },
  clear() {},
};

const console = publishObject({});
for (const [name, body] of Object.entries(methods)) define(console, name, publishFunction(name, body.length, body), true);
Object.defineProperty(console, Symbol.toStringTag, { value: 'console', configurable: true });
defineGlobal('console', console);
