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
 * By the numbers of the process.
 * @type {string[]}
 */
const objectClassNames = [];

/** The collector calls between the turns: all that it has found goes over together, and does not wait for the next one. */
function flushWhatFollows() { if (i32[CURSOR] === commandsStart) flushSoon(); }

async function flushSoon() {
  await undefined;
  if (i32[CURSOR] !== commandsStart) flush();
}

/** The numbers of those that native code is still asked for. @type {Set<number>} */
const openStreams = new Set();

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
