// What native code is told of errors: evaluated with the first of them.
(() => {
  const { isPlainObject } = part('values');

  /**
   * What one error is told with, all that hangs on it included: so many causes, values, and units of text beside its own; and
   * the objects that the telling is inside of.
   * @typedef {{causes: number, values: number, units: number, parents: any[]}} Telling
   */

  /** @returns {Telling} */
  function beginTelling() { return { causes: 16, values: 200, units: 1 << 20, parents: [] }; }

  const CIRCULAR = '[Circular]';

  /**
   * Writes an error: name, message, code, stack, properties and cause; and keeps the error itself beside the buffer.
   * @param {Tree} tree @param {any} error @param {Telling} [telling]
   */
  function encodeError(tree, error, telling = beginTelling()) {
    error = clean(error);
    tree.put(TAG_ERROR, error, 2);
    const { name, message, code, stack, properties, cause } = tellThrown(error, telling);
    for (const text of [name, message, code, stack]) putText(tree, text);
    encodeMembers(tree, properties, ANYTHING);
    if (cause === undefined) tree.put(TAG_UNDEFINED, 0, 2);
    else encodeError(tree, cause, telling);
  }

  /**
   * What native code is told of what was thrown, which need not be an error.
   * @param {any} value @param {Telling} telling
   */
  function tellThrown(value, telling) {
    if (isError(value)) return tellError(value, telling);
    const message = thrownText(value, telling);
    return { name: '', message, code: undefined, stack: undefined, properties: { thrown: thrownData(value, telling) }, cause: undefined };
  }

  /**
   * The value itself, if JSON can say what it is.
   * @param {any} value @param {Telling} telling
   */
  function thrownData(value, telling) {
    const { length } = telling.parents;
    // A proxy may throw.
    try {
      const isData = typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number' && value - value === 0
        || value === null || isArray(value) || isPlainObject(value);
      return isData ? tellValue(value, telling, 0) : undefined;
    } catch { telling.parents.length = length; }
  }

  /**
   * What native code is told of an error; what hangs on it is told inside of it.
   * @param {any} error @param {Telling} telling
   */
  function tellError(error, telling) {
    const texts = tellTexts(error, telling);
    telling.parents.push(error);
    const properties = propertiesOf(error, telling, texts.code !== undefined);
    const cause = read(error, 'cause');
    if (cause === undefined || telling.causes-- === 0) return { ...texts, properties, cause: undefined };
    return { ...texts, properties, cause: telling.parents.includes(cause) ? CIRCULAR : cause };
  }

  /** @param {any} error @param {Telling} telling */
  function tellTexts(error, telling) {
    const text = (/** @type {any} */ value) => typeof value === 'string' ? tellText(value, telling) : undefined;
    return {
      name: text(read(error, 'name')), message: text(messageOf(error)), code: text(read(error, 'code')),
      stack: text(shownStack(read(error, 'stack'), error)),
    };
  }

  /**
   * The texts of the error itself take nothing of what there is for what hangs on it.
   * @param {string} text @param {Telling} telling
   */
  function tellText(text, telling) {
    if (telling.parents.length === 0) return shortened(text);
    const told = shortened(text).substring(0, telling.units);
    telling.units -= told.length;
    return told;
  }

  /** @param {string} key @param {Telling} telling */
  function takesKey(key, telling) {
    if (key.length > Math.min(stringLimit, telling.units)) return false;
    telling.units -= key.length;
    return true;
  }

  /** @param {any} stack @param {any} error */
  function shownStack(stack, error) {
    if (typeof stack !== 'string') return undefined;
    return mappedStack(shortened(stack).split('\n').filter((line) => !isOwnFrame(line)).join('\n'), error);
  }

  /**
   * The same stack with the places in the texts that people wrote: what runs was edited by the loader, or made by a compiler.
   * @param {string} stack @param {any} [error] that has it
   */
  function mappedStack(stack, error) {
    if (stack.length > LONGEST_TEXT) return stack;
    const inText = parts.loader?.sourceStack(stack, error) ?? stack;
    return native.hasSourceMaps() ? native.mappedStack(inText) : inText;
  }

  /**
   * What of it is a typing error in the name of a module or a member, the engine does not know.
   * @param {any} error @returns {string | undefined}
   */
  function messageOf(error) {
    let message = read(error, 'message');
    if (typeof message !== 'string') return undefined;
    message = sourceMessage(shortened(message));
    // It looks at modules, whose prototypes a script may have set.
    try { return message + hintFor(message); } catch { return message; }
  }

  /** So many levels are told of an error's own members. */
  const DEEPEST_MEMBER = 4;

  /** What is told otherwise, and where JavaScript keeps the place. */
  const toldOtherwise = new Set(['name', 'message', 'stack', 'cause', 'line', 'column', 'sourceURL', 'nativeStack']);

  /**
   * The own members of an error, as far as JSON can say them, others as text; and what `AggregateError` has in `errors`. No getter
   * runs.
   * @param {any} error @param {Telling} telling @param {boolean} hasCode it has one that is told otherwise @returns {any}
   */
  function propertiesOf(error, telling, hasCode) {
    const properties = Object.create(null);
    const depth = telling.parents.length;
    const add = (/** @type {string} */ key) => {
      const value = Reflect.getOwnPropertyDescriptor(error, key)?.value;
      if (value !== undefined && takesKey(key, telling)) properties[key] = tellValue(value, telling, 0);
    };
    // A proxy of an error may throw.
    try {
      for (const key of Object.keys(error)) {
        if (telling.values <= 0) break;
        if (!toldOtherwise.has(key) && !(hasCode && key === 'code')) add(key);
      }
      if (isArray(Reflect.getOwnPropertyDescriptor(error, 'errors')?.value)) add('errors');
    } catch {}
    telling.parents.length = depth;
    return properties;
  }

  /**
   * @param {any} value @param {Telling} telling @param {number} depth
   * @returns {any}
   */
  function tellValue(value, telling, depth) {
    telling.values--;
    switch (typeof value) {
      case 'string': return tellText(value, telling);
      case 'boolean': return value;
      case 'number': if (value - value === 0) return value;
    }
    if (value === null) return null;
    if (telling.parents.includes(value)) return CIRCULAR;
    if (isError(value) && depth < DEEPEST_MEMBER) {
      const { name, message, code, stack } = tellTexts(value, telling);
      return code === undefined ? { name, message, stack } : { name, message, code, stack };
    }
    const isList = isArray(value);
    if (typeof value !== 'object' || depth === DEEPEST_MEMBER || !isList && !isPlainObject(value)) return tellText(shownBriefly(value, telling), telling);
    telling.parents.push(value);
    /** @type {any} */
    const told = isList ? [] : Object.create(null);
    const keys = isList ? Array.from({ length: Math.min(value.length, telling.values) }, (_, index) => String(index)) : Object.keys(value);
    for (const key of keys) {
      if (telling.values <= 0) break;
      const member = Reflect.getOwnPropertyDescriptor(value, key)?.value;
      if (member === undefined || !takesKey(key, telling)) continue;
      if (isList) told.push(tellValue(member, telling, depth + 1)); else told[key] = tellValue(member, telling, depth + 1);
    }
    telling.parents.pop();
    return told;
  }

  /**
   * Values as text: made when it is first needed.
   * @type {any}
   */
  let inspector;

  function inspection() { return inspector ??= part('inspector')(undefined, border, { kindsOf, shownOf, messageOf, mappedStack }); }

  /** @param {any} value Before the first class there is no instance. */
  function shownOf(value) { return parts.interfaces?.shownOf(value); }

  /** @param {any} value @param {Telling} telling */
  function shownBriefly(value, telling) { return inspection().inspect(value, undefined, telling.units, telling.parents); }

  /** @param {any} value that was thrown, and is no error @param {Telling} telling */
  function thrownText(value, telling) {
    if (typeof value === 'string') return tellText(value, telling);
    try { return tellText(shownBriefly(value, telling), telling); } catch { return 'a value that cannot be shown'; }
  }

  /**
   * The same as JSON, for what was thrown to native code by the engine.
   * @param {any} value @param {Telling} [telling]
   * @returns {any}
   */
  function describeThrown(value, telling = beginTelling()) {
    const { cause, ...told } = tellThrown(value, telling);
    return cause === undefined ? told : { ...told, cause: describeThrown(cause, telling) };
  }

  /** Of a longer text of an error the beginning is told. */
  const LONGEST_TEXT = 1 << 20;

  /**
   * An error is told of even where its texts are longer than strings may be.
   * @param {string} text
   */
  function shortened(text) {
    if (text.length <= Math.min(LONGEST_TEXT, stringLimit)) return text;
    return stringLimit <= LONGEST_TEXT ? text.substring(0, stringLimit) : text.substring(0, LONGEST_TEXT - 1) + '…';
  }

  /** @param {Tree} tree @param {any} value */
  function putText(tree, value) {
    if (typeof value === 'string') tree.putString(value);
    else tree.put(TAG_UNDEFINED, 0, 2);
  }

  const dottedPath = /[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g;

  /**
   * What is behind the engine's complaint that something is undefined, where that is a name of ours: whoever asks whether a module
   * or a member is there is told so by `undefined`, as of any object, and whoever goes on regardless reads why in the report.
   * @param {string} message of an error
   */
  function hintFor(message) {
    if (message.startsWith(UNKNOWN)) return hintForName(message.slice(UNKNOWN.length));
    if (!message.includes('undefined')) return '';
    for (const [path] of message.matchAll(dottedPath)) {
      const names = path.split('.');
      for (let i = 0; i < names.length; i++) {
        const name = names[i], next = names[i + 1];
        if (missing.has(name) && !hasModule(name)) return `: there is no module '${name}'${didYouMean(name, moduleNames())}`;
        if (next === undefined) continue;
        for (const [module, own] of touched) {
          if (own === name && !(next in module)) return `: module '${name}' has no member '${next}'${didYouMean(next, Object.keys(module))}`;
        }
      }
    }
    return '';
  }

  /** What the engine says of a name that nothing has. */
  const UNKNOWN = "Can't find variable: ";

  /**
   * @param {string} name that a script takes for a global
   * @returns {string} what there is in its place
   */
  function hintForName(name) {
    switch (name) {
      case 'require': return "; a module has import … from '…', and require is for CommonJS: a file named .cjs";
      case 'module': case 'exports': return '; a module has export, and this is for CommonJS: a file named .cjs';
      case '__filename': return '; a module has import.meta.filename';
      case '__dirname': return '; a module has import.meta.dirname';
      case 'process': return hasModule('Process') ? '; did you mean NativeModules.Process?' : '';
      case 'Buffer': return '; bytes are a Uint8Array, and TextEncoder and TextDecoder make them of text and back';
      case 'fetch': case 'XMLHttpRequest': return '; there are no requests over the network here';
      case 'window': case 'document': case 'global': return '; the global object is globalThis' + (name === 'document' ? ', and there is no page' : '');
    }
    if (hasModule(name)) return `; did you mean NativeModules.${name}?`;
    return didYouMean(name, Object.getOwnPropertyNames(scriptGlobal).filter((key) => key !== 'undefined'));
  }

  /**
   * Kinds, not values, of what is in a module or in `NativeModules`; undefined of anything else.
   * @param {any} value @returns {{title: string, kinds: [string, string][]} | undefined}
   */
  function kindsOf(value) {
    if (value === NativeModules) {
      const names = new Set([...moduleNames(), ...Object.keys(NativeModules)]);
      return { title: 'NativeModules', kinds: [...names].map((name) => [name, 'Module']) };
    }
    const title = touched.get(value);
    if (title === undefined) return undefined;
    return { title, kinds: Object.keys(value).map((name) => [name, kindOf(Reflect.getOwnPropertyDescriptor(value, name))]) };
  }

  /** @param {PropertyDescriptor | undefined} descriptor */
  function kindOf(descriptor) {
    const value = descriptor?.value;
    // A method that nobody has called.
    if (descriptor?.get !== undefined || typeof value === 'function') return 'Function';
    if (value === null) return 'null';
    return isArray(value) ? 'Array' : typeof value === 'object' ? 'Object' : typeof value;
  }

  return { encodeError, describeThrown, inspection, mappedStack };
})()
