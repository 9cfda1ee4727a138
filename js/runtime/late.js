// Parts of the runtime that many bridges do without. Each is a file in `late`, or the inspector, text until one of its functions is first called.

/** @type {Record<string, any>} */
const parts = Object.create(null);

/** @param {string} name */
function part(name) { return parts[name] ?? evaluatePart(name); }

/**
 * In the scope of these files, and strict as they are. It is there as a whole or not at all: where the stack or a limit ends this, it
 * begins again.
 * @param {string} name
 */
function evaluatePart(name) { return parts[name] = eval(`${native.part(name)}//# sourceURL=trestle:late/${name}.js`); }

/** @param {Tree} tree @param {Schema} schema @param {any} value */
function encodeTree(tree, schema, value) { part('values').encodeTree(tree, schema, value); }

/** @param {Tree} tree @param {any} value @param {Schema} schema of the members */
function encodeMembers(tree, value, schema) { part('values').encodeMembers(tree, value, schema); }

/**
 * Encodes arguments that are not flat.
 * @param {number} moduleID @param {number} methodAndCount @param {string} module @param {Method} method
 * @param {any} receiver what the method is called on, of a class @param {any[]} values
 * @param {Function | undefined} resolve @param {Function | undefined} reject @param {number} [slot]
 * @returns {number} the slot in which it waits
 */
function sendArguments(moduleID, methodAndCount, module, method, receiver, values, resolve, reject, slot) {
  return part('values').sendArguments(moduleID, methodAndCount, module, method, receiver, values, resolve, reject, slot);
}

/**
 * @param {Tree} tree @param {string} module @param {Method} method
 * @param {any} values @param {number} count how many of them are arguments
 * @param {(value: any, isFailure: boolean) => boolean} takeCallback whether it is one
 */
function encodeArguments(tree, module, method, values, count, takeCallback) {
  part('values').encodeArguments(tree, module, method, values, count, takeCallback);
}

/** @param {any} value @returns {string} what it is, after "got" */
function describeValue(value) { return part('failures').describeValue(value); }

/** @param {string} start the parameter's name @param {any[]} keys member names, or numbers for indices @returns {string} */
function pathText(start, keys) { return part('failures').pathText(start, keys); }

/**
 * @param {string} module @param {Method} method @param {number} index of the argument @param {any[]} keys
 * @param {string} expected @param {string} got
 */
function failArgument(module, method, index, keys, expected, got) { part('failures').failArgument(module, method, index, keys, expected, got); }

/** @param {string} module @param {Method} method @param {number} got */
function failCount(module, method, got) { part('failures').failCount(module, method, got); }

/** @param {string} name @param {string[]} names @returns {string} the one that was probably meant, in words */
function didYouMean(name, names) { return part('failures').didYouMean(name, names); }

/**
 * @param {string} module @param {Method} method @param {number} index of the argument @param {string[]} names of its members
 * @param {any} value
 */
function checkOptions(module, method, index, names, value) { part('failures').checkOptions(module, method, index, names, value); }

/** @param {Tree} tree @param {any} error */
function encodeError(tree, error) { part('errors').encodeError(tree, error); }

/** @param {any} value that was thrown to native code by the engine */
function describeThrown(value) { return part('errors').describeThrown(value); }

/** What shows values as text. */
function inspection() { return part('errors').inspection(); }

/** @param {number} number */
function makeStream(number) { return part('streams').makeStream(number); }

/** @param {number} classID @param {number} number @returns {any} */
function receiveObject(classID, number) { return part('objects').receiveObject(classID, number); }

/** @returns {Signal} */
function makeSignal() { return part('signals').makeSignal(); }

/** @param {any} options @param {string} module @param {Method} method @returns {any} the signal behind the arguments of a call */
function signalOf(options, module, method) { return part('signals').signalOf(options, module, method); }

/** @param {any} signal that rejects a call @param {number} slot */
function followSignal(signal, slot) { part('signals').followSignal(signal, slot); }

/** @param {any} signal @param {() => void} listener @returns {() => void} ends the listening */
function followAbort(signal, listener) { return part('signals').followAbort(signal, listener); }

/** @param {any} signal @returns {any} */
function reasonOf(signal) { return part('signals').reasonOf(signal); }

/** @param {string} message of the engine's @returns {string} in the words of the module that it is about */
function sourceMessage(message) { return parts.loader === undefined ? message : parts.loader.sourceMessage(message); }
