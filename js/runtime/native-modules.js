// `NativeModules`: a module is asked for when a script first names it.

/** Of modules that bring a script along what that has returned, by name: all that is seen of them. @type {Map<string, any>} */
const scriptModules = new Map();

/** @type {any} */
const NativeModules = publishLookup(requireModule, hasModule, moduleNames);

/**
 * What scripts have of a module; undefined if there is none of that name.
 * @param {string} name
 */
function requireModule(name) {
  const module = scriptModules.has(name) ? scriptModules.get(name) : makeModule(name);
  if (module === undefined) noteMissing(name);
  else {
    touched.set(module, name);
    define(NativeModules, name, module, true);
  }
  return module;
}

/** The modules that scripts have asked for, and their names. @type {Map<any, string>} */
const touched = new Map();
/** Names that they have asked for in vain. @type {Set<string>} */
const missing = new Set();
const MOST_MISSING = 100;

/** @param {string} name */
function noteMissing(name) { if (missing.size < MOST_MISSING) missing.add(name); }

const dottedPath = /[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g;

/**
 * What is behind the engine's complaint that something is undefined, where that is a name of ours: whoever asks whether a module
 * or a member is there is told so by `undefined`, as of any object, and whoever goes on regardless reads why in the report.
 * @param {string} message of an error
 */
function hintFor(message) {
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

/** @param {string} name */
function hasModule(name) { return scriptModules.has(name) ? scriptModules.get(name) !== undefined : native.hasModule(name); }

/** @returns {string[]} */
function moduleNames() { return native.moduleNames().filter(hasModule); }

/**
 * Changes with what scripts see of the module; undefined if there is none of that name.
 * @param {any} name
 */
function moduleVersion(name) {
  const text = String(name);
  return hasModule(text) ? native.moduleVersion(text) : undefined;
}

/**
 * Throws unless the module is there in that version.
 * @param {any} name @param {any} version
 */
function requireVersion(name, version) {
  const own = moduleVersion(name);
  if (own === undefined) throw codedError('ERR_NOT_FOUND', `there is no module '${name}'${didYouMean(String(name), moduleNames())}`);
  if (own !== version) throw codedError('ERR_VERSION', `module '${name}' has version ${own}, and the script was written for ${version}`);
}

/**
 * The global `trestle`.
 * @param {() => void} flush
 */
function publishTrestle(flush) {
  const trestle = publishObject({
    registerCallableModule: publishFunction('registerCallableModule', 2, registerCallableModule),
    flush: publishFunction('flush', 0, flush),
    moduleNames: publishFunction('moduleNames', 0, () => publishArray(moduleNames())),
    moduleVersion: publishFunction('moduleVersion', 1, moduleVersion),
    requireVersion: publishFunction('requireVersion', 2, requireVersion),
  });
  return Object.freeze(trestle);
}
