// Values as text, for console.

const MAXIMUM_DEPTH = 2, MAXIMUM_ITEMS = 100, LINE_LENGTH = 76;

const booleanValueOf = uncurryThis(Boolean.prototype.valueOf);
const numberValueOf = uncurryThis(Number.prototype.valueOf);
const stringValueOf = uncurryThis(String.prototype.valueOf);
const symbolToString = uncurryThis(Symbol.prototype.toString);
const functionToString = uncurryThis(Function.prototype.toString);
const regExpToString = uncurryThis(RegExp.prototype.toString);
const scriptRegExpPrototype = scriptGlobal.RegExp.prototype;
const identifier = /^[A-Za-z_$][\w$]*$/;
const arrayIndex = /^(0|[1-9]\d*)$/;

/**
 * @param {any} value @param {number} depth how many objects it is inside @param {any[]} parents those objects
 * @param {number} [limit] the depth at which objects are named only
 * @returns {string}
 */
function inspect(value, depth, parents, limit = MAXIMUM_DEPTH) {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return inspectPrimitive(value);
  for (let i = 0; i < depth; i++) if (parents[i] === value) return '[Circular]';
  try { return inspectObject(value, depth, parents, limit); } catch { return '[Object that cannot be read]'; }
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
  let has = { single: false, double: false };
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "'") has.single = true;
    if (text[i] === '"') has.double = true;
  }
  const json = JSON.stringify(text);
  if (has.single && !has.double) return json;
  let body = '';
  for (let i = 1; i < json.length - 1; i++) {
    if (json[i] === '\\') {
      body += json[i + 1] === '"' ? '"' : json[i] + json[i + 1];
      i++;
    } else body += json[i] === "'" ? "\\'" : json[i];
  }
  return "'" + body + "'";
}

/** @param {any} value @param {number} depth @param {any[]} parents @param {number} limit */
function inspectObject(value, depth, parents, limit) {
  const native = runtime.kindsOf(value);
  if (native !== undefined) return layOut(`${native.title} {`, native.kinds.map((/** @type {[string, string]} */ [name, kind]) => `${name}: [${kind}]`), '}', depth);
  const { prefix, items, brackets, hidden } = describeObject(value, depth, parents, limit);
  const full = depth > limit ? undefined : items;
  if (full === undefined) return brackets === '[]' ? '[Array]' : `[${nameOf(value) || 'Object'}]`;
  parents[depth] = value;
  appendMembers(full, value, hidden, depth, parents, limit);
  parents.length = depth;
  if (full.length === 0) return prefix === '' ? brackets : hidden === HIDES_ALL ? prefix : `${prefix} ${brackets}`;
  return layOut(hidden === HIDES_ALL ? `${brackets[0]} ${prefix}` : prefix === '' ? brackets[0] : `${prefix} ${brackets[0]}`, full, brackets[1], depth);
}

// Which own members are shown by other means.
const HIDES_NONE = 0, HIDES_INDICES = 1, HIDES_ALL = 2;

/**
 * What kind of object it is: the text before its members, the items that are no members, and its brackets.
 * @param {any} value @param {number} depth @param {any[]} parents @param {number} limit
 * @returns {{prefix: string, items: any[], brackets: string, hidden: number}}
 */
function describeObject(value, depth, parents, limit) {
  const name = nameOf(value);
  /** @type {any[]} */
  const items = [];
  const inner = (/** @type {any} */ item) => inspectInside(value, item, depth, parents, limit);
  const nothing = depth > limit;
  if (typeof value === 'function') return { prefix: describeFunction(value), items, brackets: '{}', hidden: HIDES_ALL };
  if (isArray(value)) {
    if (!nothing) arrayItems(value, items, inner);
    return { prefix: name === 'Array' ? '' : `${name}(${value.length})`, items, brackets: '[]', hidden: HIDES_INDICES };
  }
  const typed = typedArrayName(value);
  if (typed !== undefined) {
    const length = typedArrayLength(value);
    for (let i = 0; !nothing && i < Math.min(length, MAXIMUM_ITEMS); i++) items.push(inspectPrimitive(value[i]));
    appendRest(items, length);
    return { prefix: `${typed}(${length})`, items, brackets: '[]', hidden: HIDES_INDICES };
  }
  return describeSpecial(value, name, items, inner, nothing)
    ?? { prefix: name === 'Object' ? '' : name || '[Object: null prototype]', items, brackets: '{}', hidden: HIDES_NONE };
}

/** @param {any} value @param {string} name @param {any[]} items @param {(item: any) => string} inner @param {boolean} nothing */
function describeSpecial(value, name, items, inner, nothing) {
  const braces = (/** @type {string} */ prefix, hidden = HIDES_NONE) => ({ prefix, items, brackets: '{}', hidden });
  const mapCount = attempt(() => mapSize(value));
  if (mapCount !== undefined) {
    if (!nothing) mapForEach(value, (/** @type {any} */ item, /** @type {any} */ key) => {
      if (items.length < MAXIMUM_ITEMS) items.push(`${inner(key)} => ${inner(item)}`);
    });
    appendRest(items, mapCount);
    return braces(`${name}(${mapCount})`);
  }
  const setCount = attempt(() => setSize(value));
  if (setCount !== undefined) {
    if (!nothing) setForEach(value, (/** @type {any} */ item) => { if (items.length < MAXIMUM_ITEMS) items.push(inner(item)); });
    appendRest(items, setCount);
    return braces(`${name}(${setCount})`);
  }
  const byteLength = attempt(() => arrayBufferByteLength(value));
  if (byteLength !== undefined) {
    items.push(`byteLength: ${byteLength}`);
    return braces(name);
  }
  const time = attempt(() => dateGetTime(value));
  if (time !== undefined) return braces(time === time ? dateToISOString(value) : 'Invalid Date', HIDES_ALL);
  if (isError(value)) return braces(errorText(value), HIDES_ALL);
  return describeBoxed(value, braces);
}

/** @param {any} value @param {(prefix: string, hidden: number) => any} braces */
function describeBoxed(value, braces) {
  if (isPrototypeOf(scriptRegExpPrototype, value)) {
    const text = attempt(() => regExpToString(value));
    if (text !== undefined) return braces(text, HIDES_ALL);
  }
  const boxes = [['Boolean', booleanValueOf], ['Number', numberValueOf], ['String', stringValueOf]];
  for (let i = 0; i < boxes.length; i++) {
    const primitive = attempt(() => /** @type {any} */ (boxes[i][1])(value));
    if (primitive !== undefined) return braces(`[${boxes[i][0]}: ${inspectPrimitive(primitive)}]`, HIDES_ALL);
  }
  return undefined;
}

/** @param {any} parent @param {any} value @param {number} depth @param {any[]} parents @param {number} limit */
function inspectInside(parent, value, depth, parents, limit) {
  parents[depth] = parent;
  const text = inspect(value, depth + 1, parents, limit);
  parents.length = depth;
  return text;
}

/** @param {any[]} value @param {any[]} items @param {(item: any) => string} inner */
function arrayItems(value, items, inner) {
  let holes = 0;
  const endHoles = () => {
    if (holes > 0) items.push(`<${holes} empty item${holes === 1 ? '' : 's'}>`);
    holes = 0;
  };
  const shown = Math.min(value.length, MAXIMUM_ITEMS);
  for (let i = 0; i < shown; i++) {
    const descriptor = Reflect.getOwnPropertyDescriptor(value, String(i));
    if (descriptor === undefined) {
      holes++;
      continue;
    }
    endHoles();
    items.push(memberValue(descriptor, inner));
  }
  endHoles();
  const more = value.length - shown;
  if (more > 0) items.push(`... ${more} more item${more === 1 ? '' : 's'}`);
}

/** @param {any[]} items @param {number} count */
function appendRest(items, count) {
  const more = count - MAXIMUM_ITEMS;
  if (more > 0 && items.length > 0) items.push(`... ${more} more item${more === 1 ? '' : 's'}`);
}

/** @param {any[]} items @param {any} value @param {number} hidden @param {number} depth @param {any[]} parents @param {number} limit */
function appendMembers(items, value, hidden, depth, parents, limit) {
  const keys = Reflect.ownKeys(value);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    const descriptor = Reflect.getOwnPropertyDescriptor(value, key);
    if (descriptor === undefined || !descriptor.enumerable) continue;
    if (hidden === HIDES_INDICES && typeof key === 'string' && arrayIndex.test(key)) continue;
    const name = typeof key === 'symbol' ? `[${symbolToString(key)}]` : identifier.test(key) ? key : quoted(key);
    items.push(`${name}: ${memberValue(descriptor, item => inspectInside(value, item, depth, parents, limit))}`);
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

/** @param {string} open @param {any[]} items @param {string} close @param {number} depth */
function layOut(open, items, close, depth) {
  const line = `${open} ${items.join(', ')} ${close}`;
  let breaks = line.length + depth * 2 > LINE_LENGTH;
  for (let i = 0; i < line.length && !breaks; i++) breaks = line[i] === '\n';
  if (!breaks) return line;
  const indent = '  '.repeat(depth + 1);
  const rows = close === ']' ? filledRows(items, LINE_LENGTH - indent.length) : items;
  return `${open}\n${indent}${rows.join(',\n' + indent)}\n${'  '.repeat(depth)}${close}`;
}

/**
 * Short items share lines.
 * @param {any[]} items @param {number} width
 */
function filledRows(items, width) {
  for (let i = 0; i < items.length; i++) if (items[i].length > 16 && items[i][0] !== '.') return items;
  /** @type {any[]} */
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

/** @param {Function} value */
function describeFunction(value) {
  const name = Reflect.getOwnPropertyDescriptor(value, 'name')?.value;
  const isClass = attempt(() => functionToString(value).substring(0, 5)) === 'class';
  if (isClass) return `[class ${name || '(anonymous)'}]`;
  return typeof name === 'string' && name !== '' ? `[Function: ${name}]` : '[Function (anonymous)]';
}

/**
 * Name, message and stack.
 * @param {any} error @returns {string}
 */
function errorText(error) {
  const member = (/** @type {string} */ name) => attempt(() => error[name]);
  const name = member('name');
  const message = attempt(() => runtime.messageOf(error));
  const title = `${typeof name === 'string' ? name : 'Error'}${typeof message === 'string' && message !== '' ? ': ' + message : ''}`;
  const stack = member('stack');
  const cause = member('cause'), errors = member('errors');
  return title + (typeof stack === 'string' ? stackText(stack) : '')
    + (cause === undefined ? '' : `\n  [cause]: ${inspect(cause, 0, [])}`)
    + (isArray(errors) ? `\n  [errors]: ${inspect(errors, 1, [error])}` : '');
}

/**
 * The engine's `function@source:line:column`, one line each, as `at function (source:line:column)`: without the bridge's own, and
 * what comes again and again once.
 * @param {string} stack
 */
function stackText(stack) {
  /** @type {string[]} */
  const lines = [];
  for (const line of stack.split('\n')) {
    const { name, place } = splitFrame(line);
    if (place === '' || place === '[native code]' || border.isOwnFrame(line)) continue;
    lines.push(name === '' || name.endsWith(' code') ? `at ${place}` : `at ${name} (${place})`);
  }
  return folded(lines).map((line) => `\n    ${line}`).join('');
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
  for (let i = 0; i < line.length; i++) if (line[i] === '@') return { name: line.substring(0, i), place: line.substring(i + 1) };
  return { name: '', place: line };
}
