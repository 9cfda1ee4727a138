// Values as text: line by line with sorted keys for differences and snapshots, or on one line for messages.

const DEEPEST_LEVEL = 40, MOST_SHOWN = 1 << 20, LONGEST_BRIEF = 100;

/** @param {any} value @returns {string} on as many lines as it has members */
function pretty(value) { return show(value, { isBrief: false, parents: [], left: MOST_SHOWN }); }

/** @param {any} value @returns {string} on one line, cut where it is long */
function brief(value) {
  const text = show(value, { isBrief: true, parents: [], left: 4 * LONGEST_BRIEF }).replace(/\s*\n\s*/g, ' ');
  return text.length <= LONGEST_BRIEF ? text : text.slice(0, LONGEST_BRIEF - 1) + '…';
}

/** @typedef {{isBrief: boolean, parents: any[], left: number}} Showing */

/** @param {any} value @param {Showing} showing @returns {string} */
function show(value, showing) {
  if (showing.left <= 0) return '…';
  const text = isObject(value) ? showObject(value, showing) : showPrimitive(value, showing);
  showing.left -= Math.min(text.length, 16);
  return text;
}

/** @param {any} value @param {Showing} showing */
function showPrimitive(value, showing) {
  switch (typeof value) {
    case 'string':
      showing.left -= value.length;
      return showing.isBrief ? quotedBriefly(value) : `"${value.replace(/["\\]/g, '\\$&')}"`;
    case 'number': return Object.is(value, -0) ? '-0' : String(value);
    case 'bigint': return `${value}n`;
    default: return String(value);
  }
}

/** @param {string} text */
function quotedBriefly(text) {
  const json = JSON.stringify(text);
  return text.includes("'") ? json : `'${json.slice(1, -1).replace(/\\"/g, '"')}'`;
}

/** @param {any} value @param {Showing} showing @returns {string} */
function showObject(value, showing) {
  const matching = matchingOf(value);
  if (matching !== undefined) return matching.toString();
  if (typeof value === 'function') return showFunction(value);
  if (showing.parents.includes(value)) return '[Circular]';
  const tag = tagOf(value);
  switch (tag) {
    case 'Date': return Number.isNaN(Date.prototype.getTime.call(value)) ? 'Invalid Date' : Date.prototype.toISOString.call(value);
    case 'RegExp': return String(value);
    case 'Boolean': case 'Number': case 'String': return `[${tag}: ${show(value.valueOf(), showing)}]`;
  }
  if (isError(value) && !showing.isBrief) return showError(value, showing);
  if (isError(value)) return `[${errorTitle(value)}]`;
  if (showing.parents.length >= DEEPEST_LEVEL) return `[${classNameOf(value)}]`;
  showing.parents.push(value);
  try { return showMembers(value, tag, showing); } finally { showing.parents.pop(); }
}

/** @param {Function} value */
function showFunction(value) {
  if (isMock(value)) return `[Mock ${/** @type {any} */ (value).getMockName()}]`;
  const isClass = /^class\b/.test(Function.prototype.toString.call(value));
  return `[${isClass ? 'class' : 'Function'} ${value.name || '(anonymous)'}]`;
}

/** @param {any} error */
function errorTitle(error) { return [error.name, error.message].filter((text) => text !== '' && text !== undefined).join(': '); }

/** @param {any} error @param {Showing} showing */
function showError(error, showing) {
  const { cause } = error;
  return `[${errorTitle(error)}]` + (cause === undefined || showing.parents.includes(error) ? '' : ` caused by ${show(cause, showing)}`);
}

/** @param {any} value @param {string} tag @param {Showing} showing @returns {string} */
function showMembers(value, tag, showing) {
  const name = classNameOf(value), inner = (/** @type {any} */ item) => show(item, showing);
  if (Array.isArray(value)) return lines(name === 'Array' ? '' : name, '[', Array.from({ length: value.length }, (_, index) => index in value ? inner(value[index]) : '<empty>'), ']', showing);
  if (ArrayBuffer.isView(value) && tag !== 'DataView') return lines(name, '[', ownList(/** @type {any} */ (value)).map(inner), ']', showing);
  if (tag === 'ArrayBuffer') return lines(name, '[', Array.from(new Uint8Array(value), inner), ']', showing);
  if (tag === 'Map') return lines(name, '{', entriesOf(value).map(([key, item]) => `${inner(key)} => ${inner(item)}`), '}', showing);
  if (tag === 'URLSearchParams') return lines(name, '{', Array.from(value, ([key, item]) => `${inner(key)} => ${inner(item)}`), '}', showing);
  if (tag === 'Set') return lines(name, '{', elementsOf(value).map(inner), '}', showing);
  const members = [...attributesOf(value), ...keysOf(value)].sort((a, b) => String(a) < String(b) ? -1 : 1).map((key) => `${keyText(key, showing)}: ${memberText(value, key, inner)}`);
  return lines(name === 'Object' ? '' : name, '{', members, '}', showing);
}

/** @param {PropertyKey} key @param {Showing} showing */
function keyText(key, showing) {
  if (typeof key === 'symbol') return `[${String(key)}]`;
  return showing.isBrief && /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(String(key)) ? String(key) : show(String(key), showing);
}

/** @param {any} value @param {PropertyKey} key @param {(item: any) => string} inner */
function memberText(value, key, inner) {
  try { return inner(value[key]); } catch { return '[throws]'; }
}

/** @param {string} name @param {string} open @param {string[]} items @param {string} close @param {Showing} showing */
function lines(name, open, items, close, showing) {
  const start = name === '' ? open : `${name} ${open}`;
  if (items.length === 0) return start + close;
  if (showing.isBrief) return `${start} ${items.join(', ')} ${close}`;
  return `${start}\n${items.map((item) => `${item},`.replace(/^/gm, '  ')).join('\n')}\n${close}`;
}
