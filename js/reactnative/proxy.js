// How React Native's JavaScript finds the native modules: in `nativeModuleProxy`, which describes one when it is asked for,
// or in the table `__fbBatchedBridgeConfig`, of which `NativeModules` of its own makes all.

/**
 * The `__fbGenNativeModule` of a script, if it has one of its own.
 * @type {any}
 */
let foreignGenerator;
/** The modules that it has made. */
let foreignModules = Object.create(null);

const publishedGenerator = publishFunction('__fbGenNativeModule', 2, genNativeModule);

/** @param {string} name @returns {any} the module, or null if there is none of that name or nothing in it */
function moduleForProxy(name) {
  if (scriptModules.has(name)) return NativeModules[name] ?? null;
  const generate = scriptGlobal.__fbGenNativeModule;
  if (typeof generate !== 'function' || generate === publishedGenerator) return NativeModules[name] ?? null;
  if (generate !== foreignGenerator) {
    foreignGenerator = generate;
    foreignModules = Object.create(null);
  }
  return foreignModules[name] ?? generateModule(name, generate);
}

/** @param {string} name @param {Function} generate */
function generateModule(name, generate) {
  const described = native.hasModule(name) ? describeModule(name) : undefined;
  if (described === undefined || described.config.length === 1) return null;
  const module = apply(generate, undefined, [described.config, described.moduleID])?.module ?? null;
  if (module !== null) foreignModules[name] = module;
  return module;
}

const nativeModuleProxy = border.publishRefusingLookup(
  (/** @type {string} */ name) => name === 'name' ? 'NativeModules' : moduleForProxy(name), hasModule, 'native modules cannot be assigned');

/** @param {any} name @returns {any[] | null} the module's config; null also for a module that exports nothing, or has a script */
function nativeRequireModuleConfig(name) {
  const text = String(name);
  const config = native.hasModule(text) ? describeModule(text)?.config : undefined;
  return config === undefined || config.length === 1 ? null : config;
}

/** The index of a config is its module's number. A module with a script of its own has none. */
function moduleTable() {
  const names = native.moduleNames();
  const configs = names.map((name) => !native.hasModule(name) ? null : native.moduleTable === 'names' ? publishArray([name]) : nativeRequireModuleConfig(name));
  return publishObject({ remoteModuleConfig: publishArray(configs) });
}

/** The table, made when it is first read: modules that are registered until then are in it. */
function defineModuleTable() {
  const name = '__fbBatchedBridgeConfig';
  const keep = publishFunction(name, 1, (/** @type {any} */ table) => define(scriptGlobal, name, table));
  defineAccessor(scriptGlobal, name, publishFunction(name, 0, () => {
    const table = moduleTable();
    define(scriptGlobal, name, table);
    return table;
  }), keep);
}
