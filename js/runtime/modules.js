// The object of a module: a method is made when it is first touched.

/**
 * The module's object, or undefined if there is none of that name.
 * @param {string} name
 */
function requireModule(name) {
  if (tracksOutstanding) answered = originOf(name, '');
  const config = readResult(native.moduleConfig(name));
  if (config === undefined) return undefined;
  const module = {};
  const { id, methods, constants, sources } = config;
  for (let methodID = 0; methodID < methods.length; methodID++) defineMethod(module, id, name, methodID, methods[methodID]);
  const names = objectKeys(constants);
  for (let i = 0; i < names.length; i++) {
    defineProperty(module, names[i], { __proto__: null, value: constants[names[i]], enumerable: true, writable: true, configurable: true });
  }
  defineEvents(module, id, sources);
  defineProperty(NativeModules, name, { __proto__: null, value: module, enumerable: true, writable: true, configurable: true });
  return module;
}

/** @param {any} module @param {number} moduleID @param {string} moduleName @param {number} methodID @param {Method} method */
function defineMethod(module, moduleID, moduleName, methodID, method) {
  /** @param {any} value */
  const define = (value) => defineProperty(module, method.name, { __proto__: null, value, enumerable: true, writable: true, configurable: true });
  setPrototypeOf(method.parameters, null);
  defineProperty(module, method.name, {
    __proto__: null,
    get() {
      const encoder = makeEncoder(moduleID, moduleName, methodID, method);
      define(encoder);
      return encoder;
    },
    set: define, enumerable: true, configurable: true,
  });
}
