// `NativeModules`: a module is asked for when a script first names it.

/** Of modules that bring a script along what that has returned, by name: all that is seen of them. @type {Map<string, any>} */
const scriptModules = new Map();

/** @param {string} name of one that brings a script along */
function scriptModule(name) {
  runPostponed(name);
  return scriptModules.get(name);
}

/** @type {any} */
const NativeModules = publishLookup(requireModule, hasModule, moduleNames);

/**
 * What scripts have of a module; undefined if there is none of that name.
 * @param {string} name
 */
function requireModule(name) {
  const module = scriptModules.has(name) ? scriptModule(name) : makeModule(name);
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

/** @param {string} name */
function hasModule(name) { return scriptModules.has(name) ? scriptModule(name) !== undefined : native.hasModule(name); }

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
    registerCallableModule: publishFunction('registerCallableModule', 2, registerScriptsModule),
    flush: publishFunction('flush', 0, flush),
    moduleNames: publishFunction('moduleNames', 0, () => publishArray(moduleNames())),
    moduleVersion: publishFunction('moduleVersion', 1, moduleVersion),
    requireVersion: publishFunction('requireVersion', 2, requireVersion),
  });
  return Object.freeze(trestle);
}
