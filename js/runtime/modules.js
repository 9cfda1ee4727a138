// `NativeModules`: a module is asked for when a script first names it, a method is made when it is first touched.

/** Members of record types, by shape number. */
const shapes = privateArray();

/** @param {number} id @returns {Member[]} */
function shapeOf(id) {
  const known = shapes[id];
  if (known !== undefined) return known;
  const members = readResult(native.shape(id));
  setPrototypeOf(members, null);
  return shapes[id] = members;
}

/** Cases of unions, by number. */
const unions = privateArray();

/** @param {number} id @returns {{name: string, members: Member[]}[]} */
function unionCases(id) {
  const known = unions[id];
  if (known !== undefined) return known;
  const cases = readResult(native.unionCases(id));
  setPrototypeOf(cases, null);
  return unions[id] = cases;
}

/**
 * The module's object, or undefined if there is none of that name.
 * @param {string} name
 */
function requireModule(name) {
  const config = readResult(native.moduleConfig(name));
  if (config === undefined) return undefined;
  const module = {};
  const { id, methods, constants } = config;
  for (let methodID = 0; methodID < methods.length; methodID++) defineMethod(module, id, name, methodID, methods[methodID]);
  const names = objectKeys(constants);
  for (let i = 0; i < names.length; i++) {
    defineProperty(module, names[i], { __proto__: null, value: constants[names[i]], enumerable: true, writable: true, configurable: true });
  }
  defineEvents(module, id);
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

/**
 * Names are looked up in the proxy behind the object, so that a module that was touched before costs no more than a
 * member of any object.
 * @type {any}
 */
const NativeModules = createObject(new ProxyConstructor(createObject(null), {
  get: (_, name) => typeof name === 'string' ? requireModule(name) : undefined,
  has: (_, name) => typeof name === 'string' && native.hasModule(name),
  set: (_, name, value, receiver) => defineProperty(receiver, name, { __proto__: null, value, enumerable: true, writable: true, configurable: true }),
  ownKeys: () => native.moduleNames(),
  getOwnPropertyDescriptor: (_, name) => typeof name === 'string' && native.hasModule(name)
    ? { __proto__: null, value: undefined, enumerable: true, writable: true, configurable: true } : undefined,
  getPrototypeOf: () => ObjectConstructor.prototype,
}));
