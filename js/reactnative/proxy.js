// How React Native's JavaScript finds the native modules: in `nativeModuleProxy`, which describes one when it is asked for,
// or in the table `__fbBatchedBridgeConfig`, of which `NativeModules` of its own makes all.

/**
 * The `__fbGenNativeModule` of a script, if it has one of its own.
 * @type {any}
 */
let foreignGenerator;
/** The modules that it has made. */
let foreignModules = createObject(null);

/** @param {string} name @returns {any} the module, or null if there is none of that name or nothing in it */
function moduleForProxy(name) {
  const generate = /** @type {any} */ (globalThis).__fbGenNativeModule;
  if (typeof generate !== 'function' || generate === genNativeModule) return NativeModules[name] ?? null;
  if (generate !== foreignGenerator) {
    foreignGenerator = generate;
    foreignModules = createObject(null);
  }
  return foreignModules[name] ?? generateModule(name, generate);
}

/** @param {string} name @param {Function} generate */
function generateModule(name, generate) {
  const described = describeModule(name);
  if (described === undefined || described.config.length === 1) return null;
  const module = apply(generate, undefined, [described.config, described.moduleID])?.module ?? null;
  if (module !== null) foreignModules[name] = module;
  return module;
}

/** @returns {never} */
function refuseAssignment() { throw new TypeErrorConstructor('native modules cannot be assigned'); }

const nativeModuleProxy = new ProxyConstructor(createObject(null), {
  get: (_, name) => name === 'name' ? 'NativeModules' : typeof name === 'string' ? moduleForProxy(name) : undefined,
  has: (_, name) => typeof name === 'string' && native.hasModule(name),
  set: refuseAssignment,
  defineProperty: refuseAssignment,
});

/** @param {any} name @returns {any[] | null} the module's config; null also for a module that exports nothing */
function nativeRequireModuleConfig(name) {
  const config = describeModule(StringConstructor(name))?.config;
  return config === undefined || config.length === 1 ? null : config;
}

/** The index of a config is its module's number. */
function moduleTable() {
  const names = native.moduleNames();
  const configs = /** @type {any[]} */ ([]);
  for (let i = 0; i < names.length; i++) append(configs, native.moduleTable === 'names' ? [names[i]] : nativeRequireModuleConfig(names[i]));
  return { remoteModuleConfig: configs };
}

/** The table, made when it is first read: modules that are registered until then are in it. */
function defineModuleTable() {
  defineProperty(globalThis, '__fbBatchedBridgeConfig', {
    __proto__: null,
    get() {
      const table = moduleTable();
      defineGlobal('__fbBatchedBridgeConfig', table);
      return table;
    },
    set(value) { defineGlobal('__fbBatchedBridgeConfig', value); },
    configurable: true, enumerable: false,
  });
}
