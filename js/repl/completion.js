// What may follow what has been typed: names of globals, and of an object's members.

const KEYWORDS = [
  'async', 'await', 'break', 'case', 'catch', 'class', 'const', 'continue', 'debugger', 'default', 'delete', 'do', 'else', 'export', 'extends',
  'false', 'finally', 'for', 'function', 'if', 'import', 'in', 'instanceof', 'let', 'new', 'null', 'return', 'static', 'super', 'switch', 'this',
  'throw', 'true', 'try', 'typeof', 'undefined', 'var', 'void', 'while', 'with', 'yield',
];
/** A chain of names at the end: `NativeModules.Files.re`. */
const CHAIN = /(?:^|[^\p{ID_Continue}$.)\]'"`])((?:[\p{ID_Start}$_][\p{ID_Continue}$]*\??\.)*)([\p{ID_Start}$_][\p{ID_Continue}$]*)?$/u;
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
const MOST_NAMES = 1000;

/**
 * @param {string} text up to the place of the cursor
 * @returns {{start: number, names: string[]}} what may stand from `start` on, in place of what stands there
 */
function completions(text) {
  const found = CHAIN.exec(text);
  const chain = found?.[1] ?? '', prefix = found?.[2] ?? '', start = text.length - prefix.length;
  if (found === null || (chain === '' && prefix === '')) return { start: text.length, names: [] };
  /** @type {any} */
  let object = scriptGlobal;
  for (const name of chain.split(/\??\./).slice(0, -1)) {
    object = memberWithoutGetter(object, name);
    if (object === undefined || object === null) return { start, names: [] };
  }
  const names = namesOf(object).filter((name) => name.startsWith(prefix) && !name.startsWith('$trestle'));
  const words = chain === '' ? KEYWORDS.filter((word) => word.startsWith(prefix)) : [];
  return { start, names: [...new Set([...names, ...words])].sort().slice(0, MOST_NAMES) };
}

/**
 * No getter of a script's runs; those of native modules make what is asked for.
 * @param {any} object @param {string} name
 */
function memberWithoutGetter(object, name) {
  if (object === NativeModules) return hasModule(name) ? NativeModules[name] : undefined;
  for (let at = Object(object); at !== null; at = Reflect.getPrototypeOf(at)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(at, name);
    if (descriptor === undefined) continue;
    return descriptor.get !== undefined && (touched.has(object) || ownGetters.has(descriptor.get)) ? object[name] : descriptor.value;
  }
  return undefined;
}

/** @param {any} object @returns {string[]} of all that it has, also by its prototypes */
function namesOf(object) {
  if (object === NativeModules) return moduleNames();
  /** @type {string[]} */
  const names = [];
  for (let at = Object(object); at !== null && names.length < 10 * MOST_NAMES; at = Reflect.getPrototypeOf(at)) {
    for (const key of Reflect.ownKeys(at)) if (typeof key === 'string' && IDENTIFIER.test(key)) names.push(key);
  }
  return names;
}

/**
 * What native code asks for; it has the answer as that of the call.
 * @param {number} call @param {'run' | 'print' | 'incomplete' | 'complete'} action @param {string} text @param {string} name of the entry
 */
function enter(call, action, text, name) {
  switch (action) {
    case 'run': return runEntry(call, text, name);
    case 'print': return printCode(call, text, name);
  }
  let answer = '';
  try { answer = action === 'complete' ? JSON.stringify(completions(text)) : String(isIncomplete(text)); } catch (error) { return endCall(call, RUNTIME_FAILURE, clean(error)); }
  endCall(call, RUNTIME_ANSWER, answer);
}

// @ts-expect-error The files are the body of one function.
return { enter };
