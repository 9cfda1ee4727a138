// The native half of React Native's wire, as its executor has it: takes batches apart, and sends answers, events and
// calls. Only arrays, numbers and names pass between it and the JavaScript half, which may be ours (queue.js), React
// Native's own, or a script's: nothing in a batch is trusted. The values go on in the buffer (wire.js), so that modules,
// conversions and messages are those of the shared wire.

/**
 * `listened` holds the numbers of the events that a `NativeEventEmitter` listens to, `listenerCount` how many listeners it has.
 * @typedef {{name: string, methods: WireMethod[], events: string[], sources: string[], listened: number[], listenerCount: number}} WireModule
 */
/** @typedef {Method & {least: number}} WireMethod */

/**
 * Modules by number, those that anyone has asked for. None with a script of its own is among them.
 * @type {Map<number, WireModule>}
 */
const wireModules = new Map();

/**
 * A module's number and React Native's config of it; undefined if there is none of that name.
 * @param {string} name
 */
function describeModule(name) {
  if (tracksOutstanding) answered = originOf(name, '');
  const description = readModule(() => readResult(native.moduleConfig(name), true));
  if (description === undefined) return undefined;
  const { id, methods, hasConstants, events, sources } = description;
  if (events.length > 0) addListening(methods);
  for (let i = 0; i < methods.length; i++) prepare(methods[i], name);
  const constants = hasConstants ? readModule(() => readResult(native.moduleConstants(name))) : {};
  if (!wireModules.has(id)) wireModules.set(id, { name, methods, events, sources, listened: [], listenerCount: 0 });
  return { moduleID: id, config: configOf(name, methods, constants) };
}

/**
 * `addListener` and `removeListeners`, by which React Native's `NativeEventEmitter` tells a module of its listeners. Numbered
 * after the module's own methods (as in `ConfigTable.swift`); a module that exports one of these names has neither.
 * @param {any[]} methods
 */
function addListening(methods) {
  for (let i = 0; i < methods.length; i++) if (methods[i].name === 'addListener' || methods[i].name === 'removeListeners') return;
  for (let i = 0; i < 2; i++) {
    const name = i === 0 ? 'addListener' : 'removeListeners';
    methods[methods.length] = { name, kind: 'listening', parameters: [{ name: i === 0 ? 'event' : 'count', schema: ANYTHING, optional: false }], isStream: false };
  }
}

/** @param {WireMethod} method @param {string} module */
function prepare(method, module) {
  const { parameters } = method;
  method.text = module + '.' + method.name;
  method.callbackCount = countCallbacks(method);
  method.options = parameters.map(optionNames);
  method.least = parameters.length;
  while (method.least > 0 && parameters[method.least - 1].optional) method.least--;
}

/**
 * `[name, constants, methodNames, promiseMethodIDs, syncMethodIDs]` without its trailing empty members.
 * @param {string} name @param {WireMethod[]} methods @param {any} constants
 */
function configOf(name, methods, constants) {
  const numbersOf = (/** @type {string} */ kind) => publishArray([...methods.keys()].filter((i) => methods[i].kind === kind));
  const config = [name, Object.keys(constants).length === 0 ? null : constants, publishArray(methods.map((method) => method.name)), numbersOf('promise'), numbersOf('sync')];
  const isEmpty = (/** @type {any} */ member) => member === null || isArray(member) && member.length === 0;
  while (isEmpty(config[config.length - 1])) config.length--;
  return publishArray(config);
}

/**
 * The module of a number that a script has given: never one with a script of its own.
 * @param {number} moduleID not negative @returns {WireModule | undefined}
 */
function moduleOf(moduleID) {
  const known = wireModules.get(moduleID);
  if (known !== undefined) return known;
  const names = native.moduleNames();
  if (moduleID >= names.length) return undefined;
  describeModule(names[moduleID]);
  return wireModules.get(moduleID);
}

/** @param {any} value */
function isNumber(value) { return typeof value === 'number' && Number.isSafeInteger(value); }

/** @param {string} message */
function malformed(message) { return codedError('ERR_MALFORMED', message, ScriptTypeError); }

/** @param {any} moduleID @param {any} methodID @returns {WireMethod} */
function methodOf(moduleID, methodID) {
  if (!isNumber(moduleID) || moduleID < 0) throw malformed(`a module ID is ${describeValue(moduleID)}`);
  if (!isNumber(methodID) || methodID < 0) throw malformed(`a method ID of module ${moduleID} is ${describeValue(methodID)}`);
  const module = moduleOf(moduleID);
  if (module === undefined) throw malformed(`there is no module ${moduleID}`);
  if (methodID >= module.methods.length) throw malformed(`module '${module.name}' has no method ${methodID}`);
  return module.methods[methodID];
}

/** @param {any} params @param {() => string} whose @returns {number} */
function lengthOf(params, whose) {
  const length = isArray(params) ? params.length : -1;
  if (!isNumber(length) || length < 0) throw malformed(`${whose()} are no array: got ${describeValue(params)}`);
  return length;
}
