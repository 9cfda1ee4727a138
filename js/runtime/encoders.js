// One encoder for each method, made from its schema at first touch: straight-line code that reads and checks the
// arguments into locals, makes sure of room, writes, and stores the cursor last. No foreign code runs between the last
// two: a script's getters and proxies run while arguments are read, and may call natives themselves.
//
// Arguments that are flat (scalars, strings, callbacks, and records of those) are encoded this way; a method with any
// other goes through a tree (tree.js).

/** Records nested deeper, or methods with more leaves, go through a tree. */
const MAXIMUM_FLAT_DEPTH = 3, MAXIMUM_LEAVES = 40;

/** Generated code in the making. */
class Source {
  /** @param {number} callbackCount how many callbacks the method takes */
  constructor(callbackCount) {
    this.callbackCount = callbackCount;
    this.checks = '';
    this.writes = '';
    /** Words that the record takes at most, the object that it is called on included. */
    this.words = RECORD_HEADER + 2;
    /**
     * The locals that hold callbacks: one for success, or failure and success.
     * @type {{local: string, isOptional: boolean}[]}
     */
    this.callbacks = [];
    /**
     * What checks may complain of: argument, path and expectation, by number.
     * @type {any[]}
     */
    this.places = [];
    this.leaves = 0;
  }

  /** @param {number} argument @param {any[]} keys @param {string} expected */
  place(argument, keys, expected) {
    this.places[this.places.length] = { argument, keys, expected };
    return this.places.length - 1;
  }
}

/**
 * @param {Schema} schema @param {boolean} [mayBeMissing]
 * @returns {boolean} whether values of it can be encoded by straight-line code
 */
function isFlat(schema, depth = 0, mayBeMissing = false) {
  switch (schema.kind) {
    case 'bool': case 'number': case 'duration': case 'string': case 'callback': return true;
    case 'integer': case 'enumeration': return true;
    case 'optional': return schema.of?.kind !== 'record' && schema.of?.kind !== 'optional' && isFlat(/** @type {Schema} */ (schema.of), depth);
    case 'record': {
      if (depth === MAXIMUM_FLAT_DEPTH || mayBeMissing) return false;
      const shape = shapeOf(/** @type {number} */ (schema.id));
      for (let i = 0; i < shape.length; i++) if (!isFlat(shape[i].schema, depth + 1, shape[i].optional)) return false;
      return true;
    }
    default: return false;
  }
}

/**
 * Adds the code for one value, which `expression` reads; it is evaluated once.
 * @param {Source} source @param {Schema} schema @param {string} expression @param {number} argument @param {any[]} keys
 * @param {boolean} [mayBeMissing]
 */
function addFlat(source, schema, expression, argument, keys, mayBeMissing = false) {
  const local = 'v' + source.leaves++;
  if ((schema.of ?? schema).kind === 'callback') source.callbacks.push({ local, isOptional: mayBeMissing || schema.kind === 'optional' });
  if (schema.kind === 'record') return addFlatRecord(source, schema, local, expression, argument, keys);
  const inner = schema.kind === 'optional' ? /** @type {Schema} */ (schema.of) : schema;
  const missing = schema.kind === 'optional' ? `${local} === undefined || ${local} === null`
    : mayBeMissing ? `${local} === undefined` : '';
  const check = `if (!(${flatTest(inner, local)})) fail(${source.place(argument, keys, schema.expected)}, ${local});\n`;
  source.checks += `const ${local} = ${expression};\n`;
  source.checks += missing ? `if (!(${missing})) ${check}` : check;
  const write = flatWrite(source, inner, local);
  source.writes += missing
    ? `if (${missing}) { i32[p] = ${local} === null ? ${TAG_NULL} : ${TAG_UNDEFINED}; p += 2; } else { ${write} }\n`
    : write + '\n';
}

/** @param {Source} source @param {Schema} schema @param {string} local @param {string} expression @param {number} argument @param {any[]} keys */
function addFlatRecord(source, schema, local, expression, argument, keys) {
  source.checks += `const ${local} = ${expression};\n`
    + `if (typeof ${local} !== 'object' || ${local} === null || isArray(${local})) fail(${source.place(argument, keys, schema.expected)}, ${local});\n`;
  source.writes += `i32[p] = ${TAG_RECORD}; i32[p + 1] = ${schema.id}; p += 2;\n`;
  source.words += 2;
  const shape = shapeOf(/** @type {number} */ (schema.id));
  for (let i = 0; i < shape.length; i++) {
    /** @type {any[]} */
    const path = [];
    for (let k = 0; k < keys.length; k++) path[k] = keys[k];
    path[keys.length] = shape[i].name;
    addFlat(source, shape[i].schema, `${local}[${JSON.stringify(shape[i].name)}]`, argument, path, shape[i].optional);
  }
}

/** @param {Schema} schema @param {string} local @returns {string} an expression: whether it fits */
function flatTest(schema, local) {
  switch (schema.kind) {
    case 'bool': return `typeof ${local} === 'boolean'`;
    case 'string': return `typeof ${local} === 'string'`;
    case 'number': return `typeof ${local} === 'number'`;
    case 'duration': return `typeof ${local} === 'number' && ${local} - ${local} === 0`;
    case 'callback': return `typeof ${local} === 'function'`;
    case 'integer': {
      const isNumber = `typeof ${local} === 'number'`;
      if (schema.big) return `${isNumber} && (${local} | 0) === ${local} && ${local} >= ${schema.low} || isBigInteger(${local}, ${schema.low === 0})`;
      return `${isNumber} && ((${local} | 0) === ${local} || ${local} % 1 === 0) && ${local} >= ${schema.low} && ${local} <= ${schema.high}`;
    }
    case 'enumeration': {
      let test = '';
      const allowed = /** @type {any[]} */ (schema.allowed);
      for (let i = 0; i < allowed.length; i++) test += `${i ? ' || ' : ''}${local} === ${JSON.stringify(allowed[i])}`;
      return test || `typeof ${local} === 'string' || typeof ${local} === 'number'`;
    }
    default: return 'false';
  }
}

/** @param {Source} source @param {Schema} schema @param {string} local @returns {string} the code that writes it */
function flatWrite(source, schema, local) {
  switch (schema.kind) {
    case 'bool':
      source.words += 2;
      return `i32[p] = ${TAG_BOOL}; i32[p + 1] = ${local} ? 1 : 0; p += 2;`;
    case 'callback':
      source.words += 2;
      return `i32[p] = ${TAG_CALLBACK}; i32[p + 1] = ${callbackRole(source, local)}; p += 2;`;
    case 'enumeration':
      source.words += STRING_WORDS;
      return `if (typeof ${local} === 'string') p = putString(p, ${local}); else { i32[p] = ${TAG_NUMBER}; f64[(p >> 1) + 1] = ${local}; p += 4; }`;
    case 'string':
      source.words += STRING_WORDS;
      return `p = putString(p, ${local});`;
    default:
      source.words += 4;
      if (schema.big) return `p = putInteger(p, ${local});`;
      return `i32[p] = ${TAG_NUMBER}; f64[(p >> 1) + 1] = ${local}; p += 4;`;
  }
}

/**
 * Of two callbacks the first is for failure, as in React Native; a single one is for success.
 * @param {Source} source @param {string} local
 */
function callbackRole(source, local) {
  return source.callbackCount === 2 && source.callbacks[0].local === local ? 0 : 1;
}

/** @param {Method} method */
function countCallbacks(method) {
  let count = 0;
  for (let i = 0; i < method.parameters.length; i++) {
    const { schema } = method.parameters[i];
    if ((schema.of ?? schema).kind === 'callback') count++;
  }
  return count;
}

/**
 * The members of a parameter that is options: a record of which all may be left out, so that a member that is misspelt would pass
 * as if there were none. Records that hold data may have more members than are read.
 * @param {Parameter} parameter @returns {string[] | undefined}
 */
function optionNames({ schema }) {
  const { kind, id } = schema.kind === 'optional' ? /** @type {Schema} */ (schema.of) : schema;
  if (kind !== 'record') return undefined;
  const shape = shapeOf(/** @type {number} */ (id));
  return shape.length > 0 && shape.every(({ optional }) => optional) ? shape.map(({ name }) => name) : undefined;
}

/**
 * The function that a script calls for a method.
 * @param {number} moduleID @param {string} moduleName @param {number} methodID @param {Method} method
 * @returns {Function}
 */
function makeEncoder(moduleID, moduleName, methodID, method) {
  const { parameters } = method;
  method.text = `${moduleName}.${method.name}`;
  method.callbackCount = countCallbacks(method);
  const source = new Source(method.callbackCount);
  let flat = true;
  for (let i = 0; i < parameters.length; i++) flat = flat && isFlat(parameters[i].schema, 0, parameters[i].optional);
  let names = '';
  method.options = parameters.map(optionNames);
  let least = parameters.length;
  for (let i = 0; i < parameters.length; i++) {
    names += (i ? ', ' : '') + 'a' + i;
    if (flat) addFlat(source, parameters[i].schema, 'a' + i, i, [], parameters[i].optional);
  }
  while (least > 0 && parameters[least - 1].optional) least--;
  if (source.leaves > MAXIMUM_LEAVES) flat = false;
  const body = flat ? flatBody(source, method) : treeBody(method, names);
  // Of the runtime's own lists: one in the code would be an array of the script's.
  const optionChecks = !flat ? '' : method.options.map((options, i) =>
    options === undefined ? '' : `checkOptions(module, method, ${i}, method.options[${i}], a${i});\n`).join('');
  const takesSignal = method.kind === 'promise';
  const count = `if (arguments.length < ${least} || arguments.length > ${parameters.length + (takesSignal ? 1 : 0)}) failCount(module, method, arguments.length);\n`
    + (takesSignal ? `let signal;
if (arguments.length > ${parameters.length}) {
  signal = signalOf(arguments[${parameters.length}], module, method);
  if (signal !== undefined && signal.aborted) return ${refusal('undefined, undefined, signal.reason', method)};
  // For what follows the call once it is made.
  needStack(2);
}\n` : '');
  const make = encoderFactory(`({ [method.name](${names}) {\n${wrapBody(method, count + optionChecks + body)}\n} })[method.name]`);
  const fail = (/** @type {number} */ place, /** @type {any} */ value) => {
    const { argument, keys, expected } = source.places[place];
    failArgument(moduleName, method, argument, keys, expected, describeValue(value));
  };
  return make(moduleID, methodID | parameters.length << 16, moduleName, method, fail, method.text);
}

/** By their code: methods of one signature share it, and what the engine's compiler and the processor learn of it. */
const encoderFactories = new Map();

/**
 * @param {string} expression the encoder, in terms of the six that are its own
 * @returns {(moduleID: number, methodAndCount: number, module: string, method: Method, fail: Function, callee: string) => Function}
 */
function encoderFactory(expression) {
  const known = encoderFactories.get(expression);
  if (known !== undefined) return known;
  const make = new ScriptFunction(
    'i32', 'f64', 'resolvers', 'refused', 'clean', 'failCount', 'isArray', 'putString', 'takeSlot', 'flush', 'flushSynchronously',
    'receiverOf', 'noRoom', 'sendArguments', 'isBigInteger', 'putInteger', 'rememberCall', 'originOf', 'signalOf', 'followSignal', 'walkable', 'checkOptions',
    'needStack',
    `'use strict'; return (moduleID, methodAndCount, module, method, fail, callee) => ${expression};\n//# sourceURL=trestle:call`,
  )(i32, f64, resolvers, refused, clean, failCount, isArray, putString, takeSlot, flush, flushSynchronously,
    receiverOf, noRoom, sendArguments, isBigInteger, putInteger, rememberCall, originOf, signalOf, followSignal, walkable, checkOptions, needStack);
  encoderFactories.set(expression, make);
  return make;
}

/**
 * Generated code: an error that the engine raises in the runtime does not get out of it.
 * @param {string} statements
 */
function cleaned(statements) { return `try {\n${statements}\n} catch (error) { throw clean(error); }`; }

/**
 * Who waits for the answer, in generated code. What fails rejects the promise.
 * @param {Method} method @param {string} call
 */
function wrapBody(method, call) {
  if (method.kind !== 'promise') return cleaned(call);
  const body = `try {\n${call}\nreturn ${method.isStream ? 'walkable(promise)' : 'promise'};
} catch (error) { return ${refusal('promise, reject, clean(error)', method)}; }`;
  return 'let promise, resolve, reject;\n' + cleaned((method.isStream ? `needStack(${COLD_LEVELS});\n` : '') + body);
}

/**
 * What makes a promise and its two functions: unlike the constructor it calls nothing, and leaves none that is rejected behind where
 * it fails at the end of the stack. It costs less, too.
 */
const resolvers = ScriptPromise.withResolvers.bind(ScriptPromise);

/** The generated code that makes the promise; no script runs. */
const makeResolvers = '({ promise, resolve, reject } = resolvers());\n';

/** @param {string} values @param {Method} method @returns {string} the generated code of what a call that fails returns */
function refusal(values, method) { return method.isStream ? `walkable(refused(${values}))` : `refused(${values})`; }

/**
 * The promise of a call that fails, rejected. Thrown instead where the stack ends: `reject` may do half of its work there.
 * @param {any} promise that of the call, if it has one yet @param {any} reject @param {any} reason
 */
function refused(promise, reject, reason) {
  needStack();
  if (promise === undefined) ({ promise, reject } = resolvers());
  reject(reason);
  return promise;
}

/** @param {Source} source @param {Method} method */
function flatBody(source, method) {
  return source.checks
    + (method.kind === 'sync' ? `if (i32[${CURSOR}] !== ${commandsStart}) flush();\n` : '')
    + `if (i32[${CURSOR}] + ${source.words} > ${commandsEnd}) { flush(); if (i32[${CURSOR}] + ${source.words} > ${commandsEnd}) noRoom(); }\n`
    // Behind the flush, which may run scripts that release it.
    + (method.receiver === undefined ? '' : 'const { number } = receiverOf(this, module, method);\n')
    // A call that is made is not to fail for the want of room to remember it.
    + (remembersCalls && method.kind !== 'sync' ? 'needStack();\n' : '')
    + (method.kind === 'promise' ? makeResolvers : '')
    + `const start = i32[${CURSOR}];\nlet p = start + ${RECORD_HEADER};\n`
    + (method.receiver === undefined ? '' : `i32[p] = ${TAG_SHARED}; i32[p + 1] = number; p += 2;\n`)
    + source.writes
    + `i32[start] = p - start; i32[start + 1] = moduleID; i32[start + 2] = methodAndCount;\n`
    + `const slot = ${slotExpression(method, source.callbacks)}; i32[start + 3] = slot;\ni32[${CURSOR}] = p;\n`
    + (remembersCalls && method.kind !== 'sync' ? 'if (slot !== 0) rememberCall(slot, module, method);\n' : '')
    + (method.kind === 'promise' ? 'if (signal !== undefined) followSignal(signal, slot);\n' : '')
    + (method.kind === 'sync' ? synchronousCall : flushInTime);
}

/** The generated code that makes calls which have waited long enough. Where the stack ends they wait on, and this one is made with them. */
const flushInTime = `if (i32[${CLOCK}] > 1) try { flush(); } catch {}`;

/** The generated code that makes a synchronous call, alone in the buffer (`makeRoom`). */
const synchronousCall = tracksOutstanding ? 'return flushSynchronously(originOf(module, method.name));' : 'return flushSynchronously();';

/**
 * Nobody waits for a call without the callbacks that it may have: nothing would answer.
 * @param {Method} method @param {Source['callbacks']} callbacks
 */
function slotExpression(method, callbacks) {
  if (method.kind === 'sync') return `${SYNCHRONOUS}`;
  if (method.kind === 'promise') return 'takeSlot(resolve, reject, callee)';
  if (callbacks.length === 0) return '0';
  // Null where it is left out stands for undefined.
  const given = callbacks.map(({ local, isOptional }) => isOptional ? `${local} ?? undefined` : local);
  const [success, failure] = callbacks.length === 1 ? [given[0], 'undefined'] : [given[1], given[0]];
  const take = `takeSlot(${success}, ${failure}, callee)`;
  return callbacks.every(({ isOptional }) => isOptional) ? `(${callbacks.map(({ local }) => local).join(' ?? ')}) == null ? 0 : ${take}` : take;
}

/** @param {Method} method @param {string} names */
function treeBody(method, names) {
  const call = (/** @type {string} */ rest) =>
    `sendArguments(moduleID, methodAndCount, module, method, ${method.receiver === undefined ? 'undefined' : 'this'}, [${names}], ${rest})`;
  if (method.kind === 'sync') return call('undefined, undefined, ' + SYNCHRONOUS) + '; ' + synchronousCall;
  if (method.kind !== 'promise') return call('undefined, undefined') + `; ${flushInTime}`;
  return `${makeResolvers}const slot = ${call('resolve, reject')}; if (signal !== undefined) followSignal(signal, slot); ${flushInTime}`;
}

function noRoom() { throw tooLarge('a batch', commandsEnd * 4, commandsEnd * 4); }
