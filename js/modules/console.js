// `console`, over `Console.write`.

let indentation = '';
/** @type {Map<string, number>} */
const counts = new MapConstructor();
/** @type {Map<string, number>} */
const starts = new MapConstructor();
const now = DateConstructor.now;

/** @param {boolean} isError @param {string} text */
function writeLines(isError, text) {
  const lines = indentation === '' ? text : indentation + joined(split(text, '\n'), '\n' + indentation);
  native.write(isError, lines + '\n');
}

/** @param {any[]} values a format with its arguments, or any values @returns {string} */
function formatAll(values) {
  let text = '', next = 0;
  if (typeof values[0] === 'string') {
    next = 1;
    const format = values[0];
    for (let i = 0; i < format.length; i++) {
      const directive = format[i] === '%' && i + 1 < format.length ? format[i + 1] : '';
      if (directive === '%') {
        text += '%';
        i++;
      } else if (directive !== '' && next < values.length && isDirective(directive)) {
        text += formatOne(directive, values[next++]);
        i++;
      } else text += format[i];
    }
  }
  for (; next < values.length; next++) {
    text += (next === 0 ? '' : ' ') + (typeof values[next] === 'string' ? values[next] : inspect(values[next], 0, privateArray()));
  }
  return text;
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
    case 's': return typeof value === 'string' ? value : inspect(value, 0, privateArray(), 0);
    case 'd': return typeof value === 'bigint' ? value + 'n' : inspectPrimitive(toNumber(value));
    case 'i': return typeof value === 'bigint' ? value + 'n' : inspectPrimitive(trunc(toNumber(value)));
    case 'f': return inspectPrimitive(toNumber(value));
    case 'j': return attempt(() => stringify(value)) ?? 'undefined';
    case 'c': return '';
    default: return inspect(value, 0, privateArray(), 4);
  }
}

/** @param {any} value @returns {number} */
function toNumber(value) { return attempt(() => NumberConstructor(value)) ?? NaN; }

/** @param {any} label */
function labelText(label) { return label === undefined ? 'default' : typeof label === 'string' ? label : inspect(label, 0, privateArray()); }

/** @param {string} label @param {any[]} values */
function writeTime(label, values) {
  const start = mapGet(starts, label);
  if (start === undefined) return writeLines(true, `console: there is no timer '${label}'`);
  const rest = values.length === 0 ? '' : ' ' + formatAll(values);
  writeLines(false, `${label}: ${now() - start}ms${rest}`);
}

/** @param {any[]} values from the second on @returns {any[]} */
function tail(values) {
  const rest = privateArray();
  for (let i = 1; i < values.length; i++) append(rest, values[i]);
  return rest;
}

const methods = {
  log(/** @type {any[]} */ ...values) { writeLines(false, formatAll(values)); },
  info(/** @type {any[]} */ ...values) { writeLines(false, formatAll(values)); },
  debug(/** @type {any[]} */ ...values) { writeLines(false, formatAll(values)); },
  warn(/** @type {any[]} */ ...values) { writeLines(true, formatAll(values)); },
  error(/** @type {any[]} */ ...values) { writeLines(true, formatAll(values)); },
  trace(/** @type {any[]} */ ...values) {
    const stack = new ErrorConstructor().stack ?? '';
    const own = split(stack, '\n');
    const frames = privateArray();
    for (let i = 1; i < own.length; i++) append(frames, own[i]);
    writeLines(true, `Trace${values.length === 0 ? '' : ': ' + formatAll(values)}${stackText(joined(frames, '\n'))}`);
  },
  assert(/** @type {any} */ condition, /** @type {any[]} */ ...values) {
    if (condition) return;
    const text = formatAll(values);
    writeLines(true, 'Assertion failed' + (text === '' ? '' : ': ' + text));
  },
  dir(/** @type {any} */ value, /** @type {{depth?: number | null} | undefined} */ options) {
    const depth = options?.depth;
    writeLines(false, inspect(value, 0, privateArray(), depth === null ? Infinity : depth ?? MAXIMUM_DEPTH));
  },
  dirxml(/** @type {any[]} */ ...values) { writeLines(false, formatAll(values)); },
  table(/** @type {any} */ rows, /** @type {string[] | undefined} */ columns) {
    writeLines(false, tableText(rows, columns) ?? formatAll([rows]));
  },
  group(/** @type {any[]} */ ...values) {
    if (values.length > 0) writeLines(false, formatAll(values));
    indentation += '  ';
  },
  groupCollapsed(/** @type {any[]} */ ...values) { apply(methods.group, undefined, values); },
  groupEnd() { indentation = indentation.substring(0, max(0, indentation.length - 2)); },
  count(/** @type {any} */ label) {
    const text = labelText(label);
    const count = (mapGet(counts, text) ?? 0) + 1;
    mapSet(counts, text, count);
    writeLines(false, `${text}: ${count}`);
  },
  countReset(/** @type {any} */ label) { mapSet(counts, labelText(label), 0); },
  time(/** @type {any} */ label) {
    const text = labelText(label);
    if (mapHas(starts, text)) return writeLines(true, `console: there is a timer '${text}' already`);
    mapSet(starts, text, now());
  },
  timeLog(/** @type {any[]} */ ...values) { writeTime(labelText(values[0]), tail(values)); },
  timeEnd(/** @type {any} */ label) {
    writeTime(labelText(label), []);
    mapDelete(starts, labelText(label));
  },
  clear() {},
};

const names = objectKeys(methods);
const console = {};
for (let i = 0; i < names.length; i++) {
  const value = /** @type {any} */ (methods)[names[i]];
  defineProperty(console, names[i], { value, writable: true, enumerable: true, configurable: true });
}
defineProperty(console, SymbolConstructor.toStringTag, { value: 'console', configurable: true });
defineGlobal('console', console);
