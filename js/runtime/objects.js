// Objects of native code: one object here for each there, which it stands for as long as any script has it.

/**
 * What native code calls one by, and how many times it was received: native code counts how many times it was sent. `number` is
 * 0 once it is released.
 * @typedef {{number: number, classID: number, received: number, reference: any, item?: Outstanding}} Handle
 */

const { WeakRef: WeakRefConstructor } = /** @type {any} */ (globalThis);
const weakRefDeref = uncurryThis(WeakRefConstructor.prototype.deref);

/** By number. @type {Handle[]} */
const handles = privateArray();
/** Their classes, by the numbers of the process. */
const objectClasses = privateArray();
/** @type {string[]} */
const objectClassNames = privateArray();
/**
 * Tells native code of objects that scripts have forgotten.
 * @type {any}
 */
let handleRegistry;
/** Lets no script make one. */
const objectKey = {};

class SharedObject {
  /** @type {Handle} */
  #handle;

  /** @param {any} key @param {Handle} handle */
  constructor(key, handle) {
    if (key !== objectKey) throw new TypeErrorConstructor('an object of native code is made by native code');
    this.#handle = handle;
  }

  /** Lets native code forget the object now. Again: does nothing. */
  release() {
    const handle = this.#handle;
    if (handle.number === 0) return;
    registryUnregister(handleRegistry, handle);
    forgetHandle(handle);
    handle.number = 0;
  }

  /** @param {any} value @returns {Handle | undefined} */
  static handleOf(value) {
    return typeof value === 'object' && value !== null && #handle in value ? value.#handle : undefined;
  }
}

const handleOf = SharedObject.handleOf;
// @ts-expect-error Not for scripts.
delete SharedObject.handleOf;

let flushesSoon = false;

/**
 * The collector calls it between the turns: all that it has found goes over together, and does not wait for the next one.
 * @param {Handle} handle
 */
function forgetCollected(handle) {
  forgetHandle(handle);
  if (flushesSoon) return;
  flushesSoon = true;
  promiseThen(promiseResolve(), () => {
    flushesSoon = false;
    flush();
  });
}

/** @param {Handle} handle */
function forgetHandle(handle) {
  untrack(handle.item);
  if (handles[handle.number] === handle) handles[handle.number] = /** @type {any} */ (undefined);
  const tree = new Tree();
  tree.put(TAG_NUMBER, handle.received, 4);
  sendTree(RUNTIME, RUNTIME_RELEASE | 1 << 16, tree, undefined, undefined, handle.number);
}

/**
 * The object of that number: the one that scripts have, or a new one.
 * @param {number} classID @param {number} number
 */
function receiveObject(classID, number) {
  const known = handles[number];
  const living = known === undefined ? undefined : weakRefDeref(known.reference);
  if (living !== undefined) {
    known.received++;
    return living;
  }
  handleRegistry ??= new FinalizationRegistryConstructor(forgetCollected);
  /** @type {Handle} */
  const handle = { number, classID, received: 1, reference: undefined };
  const object = new (objectClasses[classID] ?? makeObjectClass(classID))(objectKey, handle);
  handle.reference = new WeakRefConstructor(object);
  handles[number] = handle;
  if (tracksOutstanding) handle.item = track('object', answered, handle.reference, objectClassNames[classID]);
  registryRegister(handleRegistry, object, handle, handle);
  return object;
}

/** @param {number} classID */
function makeObjectClass(classID) {
  const { id, name, methods } = readDescription(() => native.sharedClass(classID));
  setPrototypeOf(methods, null);
  const made = { [name]: class extends SharedObject {
    /** @param {any} key @param {Handle} handle */
    constructor(key, handle) { super(key, handle); }
  } }[name];
  const { prototype } = made;
  for (let methodID = 0; methodID < methods.length; methodID++) {
    const method = methods[methodID];
    setPrototypeOf(method.parameters, null);
    method.receiver = classID;
    const value = objectEncoder(makeEncoder(id, name, methodID, method));
    const half = method.kind === 'sync' ? method.name.substring(0, 4) : '';
    const property = method.name.substring(4);
    // The one half of a property leaves the other as it is.
    if (half === 'get ') defineProperty(prototype, property, { __proto__: null, get: value, enumerable: true, configurable: true });
    else if (half === 'set ') defineProperty(prototype, property, { __proto__: null, set: value, enumerable: true, configurable: true });
    else defineProperty(prototype, method.name, { __proto__: null, value, writable: true, configurable: true });
  }
  objectClassNames[classID] = name;
  return objectClasses[classID] = made;
}

/**
 * What a method is called on. Read last: getters among the arguments may have released it.
 * @param {any} object @param {string} name of the class @param {Method} method
 * @returns {Handle}
 */
function receiverOf(object, name, method) {
  const handle = handleOf(object);
  if (handle === undefined || handle.classID !== method.receiver) {
    throw argumentError(`${name}.${method.name}: expected to be called on a ${name}, got ${describeValue(object)}`);
  }
  if (handle.number !== 0) return handle;
  const error = new TypeErrorConstructor(`${name}.${method.name}: the ${name} is released`);
  defineProperty(error, 'code', { __proto__: null, value: 'ERR_RELEASED', writable: true, configurable: true, enumerable: true });
  throw error;
}

/** @param {Handle} handle */
function describeHandle({ number, classID }) { return (number === 0 ? 'released ' : '') + objectClassNames[classID]; }
