// Objects of native code: one object here for each there, which it stands for as long as any script has it.

/**
 * What native code calls one by, and how many times it was received: native code counts how many times it was sent. `number` is
 * 0 once it is released.
 * @typedef {{number: number, classID: number, received: number, reference: any, item?: Outstanding}} Handle
 */

/**
 * By number.
 * @type {Handle[]}
 */
const handles = [];
/**
 * Their classes, by the numbers of the process.
 * @type {any[]}
 */
const objectClasses = [];
/** @type {string[]} */
const objectClassNames = [];
/** Tells native code of objects that scripts have forgotten. */
const handleRegistry = new FinalizationRegistry(forgetCollected);

/**
 * Lets native code forget an object now. Again: does nothing.
 * @param {Handle} handle
 */
function releaseHandle(handle) {
  if (handle.number === 0) return;
  needStack();
  handleRegistry.unregister(handle);
  forgetHandle(handle);
}

/** The collector calls between the turns: all that it has found goes over together, and does not wait for the next one. */
function flushWhatFollows() { if (i32[CURSOR] === commandsStart) flushSoon(); }

async function flushSoon() {
  await undefined;
  if (i32[CURSOR] !== commandsStart) flush();
}

/** @param {Handle} handle */
function forgetCollected(handle) {
  flushWhatFollows();
  forgetHandle(handle);
}

/**
 * A limit may end this anywhere: native code then asks what is `held`.
 * @param {Handle} handle
 */
function forgetHandle(handle) {
  const { number, received } = handle;
  // First: to send may run scripts, which may release it too; and by then the number may be another object's.
  handle.number = 0;
  untrack(handle.item);
  if (handles[number] === handle) handles[number] = /** @type {any} */ (undefined);
  releaseObject(number, received);
}

/** The objects that scripts have, each with how many times it was received; and the streams. As text, for native code. */
function held() {
  /** @type {string[]} */
  const items = [];
  i32[READING]++;
  try {
    for (const handle of handles) if (handle !== undefined && handle.number !== 0) items.push(`${handle.number}:${handle.received}`);
    for (const number of openStreams) items.push(`${number}`);
    return items.join();
  } finally { i32[READING]--; }
}

/** @param {number} number @param {number} count how many times it was received, or was to be and was not */
function releaseObject(number, count) {
  if (number === 0) return;
  const tree = new Tree();
  tree.put(TAG_NUMBER, count, 4);
  sendTree(RUNTIME, RUNTIME_RELEASE | 1 << 16, tree, undefined, undefined, number);
}

/**
 * The object of that number: the one that scripts have, or a new one.
 * @param {number} classID @param {number} number
 */
function receiveObject(classID, number) {
  if (number === 0) throw limitError('objects of native code would keep more memory than scripts may have of them');
  const known = handles[number];
  const living = known?.reference.deref();
  if (living !== undefined) {
    known.received++;
    return living;
  }
  /** @type {Handle} */
  const handle = { number, classID, received: 1, reference: undefined };
  const object = border.makeObject(objectClasses[classID] ?? makeObjectClass(classID), handle);
  if (known !== undefined) {
    // It is forgotten with this one.
    handleRegistry.unregister(known);
    untrack(known.item);
    handle.received += known.received;
    known.number = 0;
  }
  handle.reference = new WeakRef(object);
  handles[number] = handle;
  if (tracksOutstanding) handle.item = track('object', answered, handle.reference, objectClassNames[classID]);
  handleRegistry.register(object, handle, handle);
  return object;
}

/** @param {number} classID */
function makeObjectClass(classID) {
  const { id, name, methods } = describe(() => native.sharedClass(classID));
  const made = publishSharedClass(name, releaseHandle);
  const { prototype } = made;
  methods.forEach((/** @type {Method} */ method, /** @type {number} */ methodID) => {
    method.receiver = classID;
    /** @type {any} */
    const value = directMethod(makeEncoder(id, name, methodID, method), method);
    const half = method.kind === 'sync' ? method.name.substring(0, 4) : '';
    const property = method.name.substring(4);
    // The one half of a property leaves the other as it is.
    if (half === 'get ') Object.defineProperty(prototype, property, { get: value, enumerable: true, configurable: true });
    else if (half === 'set ') Object.defineProperty(prototype, property, { set: value, enumerable: true, configurable: true });
    else define(prototype, method.name, value);
  });
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
  throw codedError('ERR_RELEASED', `${name}.${method.name}: the ${name} is released`, ScriptTypeError);
}

/** @param {Handle} handle */
function describeHandle({ number, classID }) { return (number === 0 ? 'released ' : '') + objectClassNames[classID]; }
