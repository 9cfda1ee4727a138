// `NativeModules`: a module is asked for when a script first names it.

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

/**
 * Changes with what scripts see of the module; undefined if there is none of that name.
 * @param {any} name
 */
function moduleVersion(name) { return native.moduleVersion(StringConstructor(name)); }

/**
 * Throws unless the module is there in that version.
 * @param {any} name @param {any} version
 */
function requireVersion(name, version) {
  const own = moduleVersion(name);
  if (own === undefined) throw codedError('ERR_NOT_FOUND', `there is no module '${name}'`);
  if (own !== version) throw codedError('ERR_VERSION', `module '${name}' has version ${own}, and the script was written for ${version}`);
}
