// The object of a module: a method is made when it is first touched.

/**
 * The module's object as native code defines it, or undefined if there is none of that name.
 * @param {string} name
 */
function makeModule(name) {
  if (tracksOutstanding) answered = originOf(name, '');
  const config = readDescription(native.moduleConfig(name));
  if (config === undefined) return undefined;
  const module = publishObject({});
  const { id, methods, hasConstants, sources } = config;
  methods.forEach((/** @type {Method} */ method, /** @type {number} */ methodID) => {
    defineLazy(module, method.name, () => makeEncoder(id, name, methodID, method));
  });
  const constants = hasConstants ? readResult(native.moduleConstants(name)) : {};
  for (const constant of Object.keys(constants)) define(module, constant, constants[constant], true);
  defineEvents(module, id, sources);
  return module;
}
