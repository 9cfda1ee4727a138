// Values as text, for console.

const MAXIMUM_DEPTH = 2, MAXIMUM_ITEMS = 100, LINE_LENGTH = 76;

const booleanValueOf = uncurryThis(Boolean.prototype.valueOf);
const numberValueOf = uncurryThis(Number.prototype.valueOf);
const bigIntValueOf = uncurryThis(BigInt.prototype.valueOf);
const stringValueOf = uncurryThis(String.prototype.valueOf);
const symbolToString = uncurryThis(Symbol.prototype.toString);
const functionToString = uncurryThis(Function.prototype.toString);
const regExpToString = uncurryThis(RegExp.prototype.toString);
const identifier = /^[A-Za-z_$][\w$]*$/;

/** So much text is made of one value at most; what is left after that is `…`. */
const MOST_TEXT = 1 << 22;
/** What a value takes of that at least, besides its indentation. */
const LEAST_COST = 8;
const INDENT = '  ';
/** Causes of causes beyond this are left out. */
const MAXIMUM_CAUSES = 16;

/**
 * How one value is shown: the objects that the one at hand is inside of, the depth at which objects are named only, and how much
 * text is left.
 * @typedef {{parents: any[], limit: number, left: number}} View
 */

/**
 * @param {any} value @param {number} [limit] @param {number} [left] @param {any[]} [parents]
 * @returns {string}
 */
function inspect(value, limit = MAXIMUM_DEPTH, left = MOST_TEXT, parents = []) {
  return visible(show(value, 0, { parents: [...parents], limit, left }));
}

/** What terminals obey, line breaks and tabs apart, and what turns the direction of a line. */
const obeyed = /[\0-\x08\x0B-\x1F\x7F-\x9F\u202A-\u202E\u2066-\u2069]/g;

/**
 * With that as escapes: whatever part of a value it comes from, a script need not mean it for a terminal.
 * @param {string} text
 */
function visible(text) { return text.replace(obeyed, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`); }

/** @param {any} value @param {number} depth how many objects it is inside @param {View} view @returns {string} */
function show(value, depth, view) {
  if (view.left <= 0) return '…';
  view.left -= LEAST_COST + INDENT.length * depth;
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') {
    const text = inspectPrimitive(value);
    view.left -= text.length;
    return text;
  }
  if (view.parents.includes(value)) return '[Circular]';
  const { length } = view.parents;
  view.parents.push(value);
  try { return showObject(value, depth, view); } catch { return '[Object that cannot be read]'; } finally { view.parents.length = length; }
}

/** @param {any} value */
function inspectPrimitive(value) {
  switch (typeof value) {
    case 'string': return quoted(value);
    case 'number': return value === 0 && 1 / value < 0 ? '-0' : String(value);
    case 'bigint': return String(value) + 'n';
    case 'symbol': return symbolToString(value);
    default: return String(value);
  }
}

/**
 * In single quotes, unless that would take escapes that other quotes do not.
 * @param {string} text
 */
function quoted(text) {
  const json = JSON.stringify(text);
  if (!text.includes("'")) return `'${json.slice(1, -1).replace(escaped, (pair) => pair === '\\"' ? '"' : pair)}'`;
  if (!text.includes('"')) return json;
  return `'${json.slice(1, -1).replace(escapedOrSingle, (part) => part === '\\"' ? '"' : part === "'" ? "\\'" : part)}'`;
}

const escaped = /\\./g, escapedOrSingle = /\\.|'/g;

/** @param {any} value @param {number} depth @param {View} view */
function showObject(value, depth, view) {
  const native = runtime.kindsOf(value);
  if (native !== undefined) return layOut(`${native.title} {`, native.kinds.map((/** @type {[string, string]} */ [name, kind]) => `${name}: [${kind}]`), '}', depth);
  if (depth > view.limit) return isArray(value) || typedArrayName(value) !== undefined ? '[Array]' : `[${nameOf(value) || 'Object'}]`;
  const { prefix, items, brackets, hidden } = describeObject(value, depth, view);
  appendMembers(items, value, hidden, depth, view);
  if (items.length === 0) return prefix === '' ? brackets : hidden === HIDES_ALL ? prefix : `${prefix} ${brackets}`;
  return layOut(hidden === HIDES_ALL ? `${brackets[0]} ${prefix}` : prefix === '' ? brackets[0] : `${prefix} ${brackets[0]}`, items, brackets[1], depth);
}

// Which own members are shown by other means.
const HIDES_NONE = 0, HIDES_INDICES = 1, HIDES_ALL = 2, HIDES_ACCESSORS = 3;

/**
 * What kind of object it is: the text before its members, the items that are no members, and its brackets.
 * @param {any} value @param {number} depth @param {View} view
 * @returns {{prefix: string, items: any[], brackets: string, hidden: number}}
 */
function describeObject(value, depth, view) {
  const name = nameOf(value);
  /** @type {any[]} */
  const items = [];
  const inner = (/** @type {any} */ item) => show(item, depth + 1, view);
  if (typeof value === 'function') return { prefix: describeFunction(value), items, brackets: '{}', hidden: HIDES_ALL };
  if (isArray(value)) {
    arrayItems(value, items, inner);
    return { prefix: name === 'Array' ? '' : `${name}(${value.length})`, items, brackets: '[]', hidden: HIDES_INDICES };
  }
  const typed = typedArrayName(value);
  if (typed !== undefined) {
    const length = typedArrayLength(value);
    for (let i = 0; i < Math.min(length, MAXIMUM_ITEMS); i++) items.push(inspectPrimitive(value[i]));
    appendRest(items, length);
    return { prefix: `${typed}(${length})`, items, brackets: '[]', hidden: HIDES_INDICES };
  }
  const shown = runtime.shownOf(value);
  if (shown !== undefined) {
    const { members, pairs } = shown;
    for (const [key, member] of members) items.push(`${key}: ${inner(member)}`);
    for (const [key, item] of pairs.slice(0, MAXIMUM_ITEMS)) items.push(`${inner(key)} => ${inner(item)}`);
    appendRest(items, pairs.length);
    return { prefix: name, items, brackets: '{}', hidden: HIDES_ACCESSORS };
  }
  return describeSpecial(value, name, items, inner, (error) => errorText(error, depth, view))
    ?? { prefix: titleOf(value, name), items, brackets: '{}', hidden: HIDES_NONE };
}

/**
 * The class of an object that is shown by its members, and what it calls itself beside that.
 * @param {any} value @param {string} name
 */
function titleOf(value, name) {
  const tag = tagOf(value);
  if (name === '') return `[${tag || 'Object'}: null prototype]`;
  return tag !== '' && tag !== name ? `${name} [${tag}]` : name === 'Object' ? '' : name;
}

/**
 * `Symbol.toStringTag`, without running the script's code.
 * @param {any} value
 */
function tagOf(value) {
  for (let object = value; object !== null; object = Reflect.getPrototypeOf(object)) {
    const tag = Reflect.getOwnPropertyDescriptor(object, Symbol.toStringTag);
    if (tag !== undefined) return typeof tag.value === 'string' ? tag.value : '';
  }
  return '';
}

/**
 * @param {any} value @param {string} name @param {any[]} items @param {(item: any) => string} inner
 * @param {(error: any) => string} textOf of an error
 */
function describeSpecial(value, name, items, inner, textOf) {
  const braces = (/** @type {string} */ prefix, hidden = HIDES_NONE) => ({ prefix, items, brackets: '{}', hidden });
  const mapCount = attempt(() => mapSize(value));
  if (mapCount !== undefined) {
    mapForEach(value, (/** @type {any} */ item, /** @type {any} */ key) => {
      if (items.length < MAXIMUM_ITEMS) items.push(`${inner(key)} => ${inner(item)}`);
    });
    appendRest(items, mapCount);
    return braces(`${name}(${mapCount})`);
  }
  const setCount = attempt(() => setSize(value));
  if (setCount !== undefined) {
    setForEach(value, (/** @type {any} */ item) => { if (items.length < MAXIMUM_ITEMS) items.push(inner(item)); });
    appendRest(items, setCount);
    return braces(`${name}(${setCount})`);
  }
  const byteLength = attempt(() => arrayBufferByteLength(value));
  if (byteLength !== undefined) {
    items.push(`byteLength: ${byteLength}`);
    return braces(name);
  }
  if (isView(value)) {
    const view = attempt(() => [dataViewByteLength(value), dataViewByteOffset(value)]) ?? [0, 0];
    items.push(`byteLength: ${view[0]}`, `byteOffset: ${view[1]}`, `buffer: ${inner(dataViewBuffer(value))}`);
    return braces(name);
  }
  const time = attempt(() => dateGetTime(value));
  if (time !== undefined) return braces(time === time ? dateToISOString(value) : 'Invalid Date', HIDES_ALL);
  if (isError(value)) return braces(textOf(value), HIDES_ALL);
  return describeBoxed(value, braces);
}

/** @param {any} value @param {(prefix: string, hidden: number) => any} braces */
function describeBoxed(value, braces) {
  if (isPrototypeOf(scriptRegExpPrototype, value)) {
    const text = attempt(() => regExpToString(value));
    if (text !== undefined) return braces(text, HIDES_ALL);
  }
  const boxes = [['Boolean', booleanValueOf], ['Number', numberValueOf], ['BigInt', bigIntValueOf], ['String', stringValueOf]];
  for (let i = 0; i < boxes.length; i++) {
    const primitive = attempt(() => /** @type {any} */ (boxes[i][1])(value));
    if (primitive !== undefined) return braces(`[${boxes[i][0]}: ${inspectPrimitive(primitive)}]`, HIDES_ALL);
  }
  return undefined;
}

/**
 * Holes in a row are one item.
 * @param {any[]} value @param {any[]} items @param {(item: any) => string} inner
 */
function arrayItems(value, items, inner) {
  const { length } = value, endOfHoles = holesOf(value);
  let index = 0;
  for (let shown = 0; shown < MAXIMUM_ITEMS && index < length; shown++) {
    const descriptor = Reflect.getOwnPropertyDescriptor(value, String(index));
    if (descriptor !== undefined) {
      items.push(memberValue(descriptor, inner));
      index++;
      continue;
    }
    const end = endOfHoles(index), holes = end - index;
    items.push(`<${holes} empty item${holes === 1 ? '' : 's'}>`);
    index = end;
  }
  appendMore(items, length - index);
}

/** So many holes are looked at one by one: what comes behind more is among the keys, all of which are made for that. */
const LONGEST_GAP = 1000;

/** @param {any[]} value @returns {(start: number) => number} where the holes end that begin there; asked from left to right */
function holesOf(value) {
  const { length } = value;
  /** @type {(string | symbol)[] | undefined} */
  let keys;
  let at = 0;
  return (start) => {
    let end = start + 1;
    for (const last = Math.min(length, start + LONGEST_GAP); end < last; end++) if (Reflect.getOwnPropertyDescriptor(value, String(end)) !== undefined) return end;
    if (end >= length) return length;
    // The indices come first, and in their order.
    keys ??= Reflect.ownKeys(value);
    while (at < keys.length && indexOf(keys[at]) < end) at++;
    return at < keys.length ? Math.min(indexOf(keys[at]), length) : length;
  };
}

/** @param {string | symbol} key @returns {number} Infinity of what is no index */
function indexOf(key) {
  const index = typeof key === 'string' ? Number(key) : NaN;
  return Number.isInteger(index) && index >= 0 && String(index) === key && index < 2 ** 32 - 1 ? index : Infinity;
}

/** @param {any[]} items @param {number} more */
function appendMore(items, more) { if (more > 0) items.push(`... ${more} more item${more === 1 ? '' : 's'}`); }

/** @param {any[]} items @param {number} count */
function appendRest(items, count) { if (items.length > 0) appendMore(items, count - MAXIMUM_ITEMS); }

/** Of longer ones the elements alone are shown. */
const LONGEST_LIST_WITH_MEMBERS = 100_000;

/** @param {any[]} items @param {any} value @param {number} hidden @param {number} depth @param {View} view */
function appendMembers(items, value, hidden, depth, view) {
  // Each index is a text among its keys.
  if (hidden === HIDES_INDICES && (isArray(value) ? value.length : typedArrayLength(value)) > LONGEST_LIST_WITH_MEMBERS) return;
  const keys = Reflect.ownKeys(value);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    const descriptor = Reflect.getOwnPropertyDescriptor(value, key);
    if (descriptor === undefined || !descriptor.enumerable) continue;
    if (hidden === HIDES_INDICES && indexOf(key) !== Infinity) continue;
    if (hidden === HIDES_ACCESSORS && (descriptor.get ?? descriptor.set) !== undefined) continue;
    if (isError(value) && (key === 'cause' || key === 'errors' && isArray(descriptor.value))) continue;
    if (view.left <= 0) return void items.push('…');
    const name = typeof key === 'symbol' ? `[${symbolToString(key)}]` : identifier.test(key) ? key : quoted(key);
    items.push(`${name}: ${memberValue(descriptor, item => show(item, depth + 1, view))}`);
  }
}

/**
 * Without running getters.
 * @param {PropertyDescriptor} descriptor @param {(item: any) => string} inner
 */
function memberValue(descriptor, inner) {
  if (descriptor.get !== undefined) return descriptor.set !== undefined ? '[Getter/Setter]' : '[Getter]';
  if (descriptor.set !== undefined) return '[Setter]';
  return inner(descriptor.value);
}

/**
 * Long items are put behind each other with `+` alone, and no unit of theirs is looked at: the engine would copy all that is inside
 * at every level.
 * @param {string} open @param {string[]} items @param {string} close @param {number} depth
 */
function layOut(open, items, close, depth) {
  let length = open.length + close.length + INDENT.length * depth;
  for (let i = 0; i < items.length && length <= LINE_LENGTH; i++) length += items[i].length + 2;
  if (length <= LINE_LENGTH) {
    const line = `${open} ${items.join(', ')} ${close}`;
    if (!line.includes('\n')) return line;
  }
  const indent = INDENT.repeat(depth + 1);
  const rows = close === ']' ? filledRows(items, LINE_LENGTH - indent.length) : items;
  let text = open;
  for (let i = 0; i < rows.length; i++) text += (i === 0 ? '\n' : ',\n') + indent + rows[i];
  return text + '\n' + INDENT.repeat(depth) + close;
}

/** Longer items have rows of their own, and with them all items of a list. */
const LONGEST_SHARING = 16;

/**
 * Short items share lines.
 * @param {string[]} items @param {number} width
 */
function filledRows(items, width) {
  if (items.some((item) => item.length > LONGEST_SHARING && !isCount(item))) return items;
  /** @type {string[]} */
  const rows = [];
  let row = '';
  for (let i = 0; i < items.length; i++) {
    if (row !== '' && row.length + items[i].length + 2 > width) {
      rows.push(row);
      row = '';
    }
    row += row === '' ? items[i] : ', ' + items[i];
  }
  rows.push(row);
  return rows;
}

/** @param {string} item whether it says how many are left out */
function isCount(item) { return item.length < 40 && item.startsWith('... '); }

/**
 * The name of its class, without running the script's code.
 * @param {any} value @returns {string}
 */
function nameOf(value) {
  for (let object = value; object !== null; object = Reflect.getPrototypeOf(object)) {
    const maker = Reflect.getOwnPropertyDescriptor(object, 'constructor')?.value;
    const name = typeof maker === 'function' ? Reflect.getOwnPropertyDescriptor(maker, 'name')?.value : undefined;
    if (typeof name === 'string' && name !== '') return name;
  }
  return '';
}

const kindsOfFunctions = new Set(['AsyncFunction', 'GeneratorFunction', 'AsyncGeneratorFunction']);

/** @param {Function} value */
function describeFunction(value) {
  const name = Reflect.getOwnPropertyDescriptor(value, 'name')?.value;
  const isClass = attempt(() => functionToString(value).substring(0, 5)) === 'class';
  const own = typeof name === 'string' ? name : '';
  if (isClass) {
    const parent = Reflect.getOwnPropertyDescriptor(Reflect.getPrototypeOf(value) ?? {}, 'name')?.value;
    return `[class ${own || '(anonymous)'}${typeof parent === 'string' && parent !== '' ? ` extends ${parent}` : ''}]`;
  }
  const tag = tagOf(value), kind = kindsOfFunctions.has(tag) ? tag : 'Function';
  return own !== '' ? `[${kind}: ${own}]` : `[${kind} (anonymous)]`;
}

/**
 * Name, message and stack.
 * @param {any} error @param {number} depth @param {View} view @returns {string}
 */
function errorText(error, depth, view) {
  const member = (/** @type {string} */ name) => attempt(() => error[name]);
  const name = member('name');
  const message = attempt(() => runtime.messageOf(error));
  const title = `${typeof name === 'string' ? name : 'Error'}${typeof message === 'string' && message !== '' ? ': ' + message : ''}`;
  const stack = member('stack');
  const text = title + (typeof stack === 'string' ? stackText(stack, error) : '');
  view.left -= text.length;
  if (view.parents.length > MAXIMUM_CAUSES) return text;
  const cause = member('cause'), errors = member('errors');
  return text + (cause === undefined ? '' : `\n  [cause]: ${show(cause, depth, view)}`)
    + (isArray(errors) ? `\n  [errors]: ${show(errors, depth + 1, view)}` : '');
}

/**
 * The engine's `function@source:line:column`, one line each, as `at function (source:line:column)`: without the bridge's own, and
 * what comes again and again once.
 * @param {string} stack @param {any} [error] that has it
 */
function stackText(stack, error) {
  /** @type {string[]} */
  const lines = [];
  for (const line of runtime.mappedStack(stack, error).split('\n')) {
    const { name, place } = splitFrame(line);
    if (place === '' || place === '[native code]' || border.isOwnFrame(line)) continue;
    lines.push(name === '' || name.endsWith(' code') ? `at ${place}` : `at ${name} (${place})`);
  }
  return visible(folded(lines).map((line) => `\n    ${line}`).join(''));
}

/** So many frames that come again together are found; so many times in a row they are shown. */
const LONGEST_CYCLE = 8, MOST_SHOWN = 2;

/**
 * Of functions that call each other without end.
 * @param {string[]} lines
 */
function folded(lines) {
  /** @type {string[]} */
  const shown = [];
  for (let i = 0; i < lines.length;) {
    let length = 1, count = 0;
    for (; length <= LONGEST_CYCLE; length++) {
      count = i + length;
      while (count < lines.length && lines[count] === lines[count - length]) count++;
      count = Math.floor((count - i) / length) - MOST_SHOWN;
      if (count >= MOST_SHOWN) break;
    }
    if (count < MOST_SHOWN || length > LONGEST_CYCLE) {
      shown.push(lines[i++]);
      continue;
    }
    shown.push(...lines.slice(i, i + MOST_SHOWN * length), `… ${count * length} more of the same`);
    i += (count + MOST_SHOWN) * length;
  }
  return shown;
}

/** @param {string} line @returns {{name: string, place: string}} */
function splitFrame(line) {
  const at = line.indexOf('@');
  return at < 0 ? { name: '', place: line } : { name: line.substring(0, at), place: line.substring(at + 1) };
}
