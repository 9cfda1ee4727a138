// Batches on their way in. A batch is `[moduleIDs, methodIDs, params, callID]`; the last is for traces, and may be missing.

/**
 * A batch that is being taken apart, and the half that it came from.
 * @typedef {{moduleIDs: any, methodIDs: any, params: any, count: number, next: number, from: BridgeHalf}} Batch
 */

/**
 * Those that are not done: a script that is ended while its arguments are read does not take the rest with it.
 * @type {Batch[]}
 */
const batches = [];
let firstBatch = 0;
let isTaking = false;

/**
 * Answers to calls that were refused; they wait until no script is on the stack.
 * @type {(() => void)[]}
 */
const refusals = [];
let firstRefusal = 0;

/** @param {any} batch @param {BridgeHalf} from */
function takeBatch(batch, from) {
  if (batch === null || batch === undefined) return;
  const size = lengthOf(batch, () => 'the members of a batch');
  if (size !== 3 && size !== 4) throw malformed(`a batch has ${size} members`);
  const moduleIDs = batch[0], methodIDs = batch[1], params = batch[2];
  const count = lengthOf(moduleIDs, () => 'the module IDs of a batch');
  if (lengthOf(methodIDs, () => 'the method IDs of a batch') !== count || lengthOf(params, () => 'the params of a batch') !== count) {
    throw malformed('the three arrays of a batch differ in length');
  }
  batches.push({ moduleIDs, methodIDs, params, count, next: 0, from });
  // A getter among the arguments may have brought us here: then the outer loop gets to it.
  if (!isTaking) takeCalls();
}

function takeCalls() {
  isTaking = true;
  while (firstBatch < batches.length) {
    const batch = batches[firstBatch];
    if (batch.next >= batch.count) { firstBatch++; continue; }
    takeCall(batch, batch.next++);
  }
  batches.length = 0;
  firstBatch = 0;
  isTaking = false;
}

/** @param {Batch} batch @param {number} index */
function takeCall(batch, index) {
  let moduleID, methodID, params;
  try {
    moduleID = batch.moduleIDs[index];
    methodID = batch.methodIDs[index];
    params = batch.params[index];
    if (!isNumber(moduleID)) throw malformed(`a module ID is ${describeValue(moduleID)}; the rest of the batch is dropped`);
  } catch (error) {
    batch.next = batch.count;
    return reportUncaught(error);
  }
  try {
    takeMethodCall(batch.from, methodOf(moduleID, methodID), moduleID, methodID, params);
  } catch (error) { reportUncaught(error); }
}

/** @param {BridgeHalf} from @param {WireMethod} method @param {number} moduleID @param {number} methodID @param {any} params */
function takeMethodCall(from, method, moduleID, methodID, params) {
  if (method.kind === 'sync') throw malformed(`${method.text} is synchronous, and was called in a batch`);
  let count = lengthOf(params, () => `the params of ${method.text}`);
  if (method.kind === 'listening') return changeListening(moduleID, method, params, count);
  const ids = new CallbackIDs();
  if (method.kind === 'promise') {
    // By position: resolve has the even ID here, which is that of the failure callback elsewhere.
    count -= 2;
    if (count < 0) throw malformed(`the params of ${method.text} lack the IDs of its promise`);
    ids.success = callbackID(params[count], method);
    ids.failure = callbackID(params[count + 1], method);
  }
  const signal = signalsByParams.get(params);
  if (signal?.aborted) return refuse(from, ids, signal.reason);
  try {
    const slot = sendCall(from, method, moduleID, methodID, params, count, ids, 0);
    if (signal !== undefined) followSignal(signal, slot);
  } catch (error) { refuse(from, ids, clean(error)); }
}

/**
 * Who listens is kept in JavaScript. The sources of events are told of the first listener, and when there is none left.
 * @param {number} moduleID @param {WireMethod} method @param {any} params @param {number} count
 */
function changeListening(moduleID, method, params, count) {
  const module = /** @type {WireModule} */ (wireModules.get(moduleID));
  const { name, events, sources, listened } = module;
  if (count !== 1) failCount(name, method, count);
  const value = params[0];
  if (method.name === 'removeListeners') {
    if (!isNumber(value)) failArgument(name, method, 0, [], 'number', describeValue(value));
    module.listenerCount = value >= module.listenerCount ? 0 : module.listenerCount - (value > 0 ? value : 0);
    // At the end of the turn: React Native removes the listener behind this.
    if (!modulesThatLost.includes(moduleID)) modulesThatLost.push(moduleID);
    return;
  }
  if (!events.includes(value)) failArgument(name, method, 0, [], 'an event of the module', describeValue(value));
  module.listenerCount++;
  const number = sources.indexOf(value);
  if (number < 0 || listened.includes(number)) return;
  // Native code takes it once, however often it is told: where a turn is ended here it is told again, and no event is lost.
  sendListening(RUNTIME_LISTEN, moduleID, number, 0);
  listened.push(number);
}

/**
 * The modules that have fewer listeners than before the turn.
 * @type {number[]}
 */
const modulesThatLost = [];

/**
 * Tells the sources that nobody listens to any more. `removeListeners` does not say to which event one listened: the emitter
 * that all listeners are added to knows how many each has; without one that can be asked, a module's events all end together.
 */
function endListening() {
  for (let i = 0; i < modulesThatLost.length; i++) {
    const moduleID = modulesThatLost[i];
    const module = /** @type {WireModule} */ (wireModules.get(moduleID));
    for (const number of [...module.listened]) {
      if (module.listenerCount > 0 && hasListeners(module.sources[number])) continue;
      module.listened = module.listened.filter((/** @type {number} */ other) => other !== number);
      sendListening(RUNTIME_UNLISTEN, moduleID, number, 0);
    }
  }
  modulesThatLost.length = 0;
}

/** @param {string} event @returns {boolean} also where it is not known */
function hasListeners(event) {
  try {
    const emitter = findCallableModule('RCTDeviceEventEmitter');
    return typeof emitter?.listenerCount !== 'function' || emitter.listenerCount(event) !== 0;
  } catch { return true; }
}

class CallbackIDs {
  constructor() {
    /** @type {number | undefined} */
    this.success = undefined;
    /** @type {number | undefined} */
    this.failure = undefined;
  }
}

/** @param {any} id @param {WireMethod} method @returns {number} */
function callbackID(id, method) {
  if (!isNumber(id)) throw malformed(`a callback ID of ${method.text} is ${describeValue(id)}`);
  return id;
}

/**
 * Puts one call into the buffer, and gives the slot in which it waits for its answer.
 * @param {BridgeHalf} from @param {WireMethod} method @param {number} moduleID @param {number} methodID
 * @param {any} params @param {number} count how many of them are arguments @param {CallbackIDs} ids @param {number} slot
 */
function sendCall(from, method, moduleID, methodID, params, count, ids, slot) {
  const { parameters } = method;
  const module = moduleName(moduleID);
  if (count < method.least || count > parameters.length) failCount(module, method, count);
  const tree = new Tree();
  if (tracksOutstanding) tree.origin = { module, member: method.name, site: callSitesByParams.get(params) };
  encodeArguments(tree, module, method, params, count, (value, isFailure) => {
    // What waits otherwise takes no callbacks here.
    if (!isNumber(value) || method.kind === 'promise' || method.kind === 'sync') return false;
    if (isFailure) ids.failure = value; else ids.success = value;
    return true;
  });
  const { success, failure } = ids;
  const waiting = sendTree(moduleID, methodID | parameters.length << 16, tree,
    success === undefined ? undefined : (/** @type {any} */ value) => answer(from, success, value),
    failure === undefined ? undefined : (/** @type {any} */ error) => answer(from, failure, errorFor(from, error)), slot, method.text);
  if (tree.origin !== undefined && waiting > 0) trackCall(waiting, method, tree.origin);
  return waiting;
}

/** @param {number} moduleID */
function moduleName(moduleID) { return /** @type {WireModule} */ (wireModules.get(moduleID)).name; }

/**
 * Answers a call that does not convert.
 * @param {BridgeHalf} from @param {CallbackIDs} ids @param {any} error
 */
function refuse(from, ids, error) {
  const { failure } = ids;
  if (failure === undefined) return reportUncaught(error);
  refusals.push(() => answer(from, failure, errorFor(from, error)));
}

/**
 * An error as native code describes errors. Our own half is given one of a script's as it is, to reject with that very one.
 * @param {BridgeHalf} from @param {any} error
 */
function errorFor(from, error) {
  if (!isError(error)) {
    if (from === ownHalf || !isObject(error) || (read(error, 'code') ?? null) !== null) return error;
    // It may be frozen, or a proxy.
    try { border.assign(error, 'code', 'EUNSPECIFIED'); } catch {}
    return error;
  }
  const code = read(error, 'code');
  if (from === ownHalf && code !== 'ERR_ARGUMENT' && code !== 'ERR_LIMIT') return error;
  return receiveError(0, read(error, 'name'), read(error, 'message'), code ?? 'EUNSPECIFIED', undefined, undefined, undefined);
}
