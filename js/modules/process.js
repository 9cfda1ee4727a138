// `exit()`, `readLine()`, `lines()` and `readInput()` of `Process`: lines cross as many at a time as are there.

/**
 * Those that nobody has asked for yet, with their ends, and how many of them have been taken.
 * @type {string[]}
 */
let waiting = [];
let taken = 0;
/** What follows them, not cut into lines yet. */
let rest = '';

const { exit, readLines, readRest, stopReading } = native;

const hasLine = () => taken < waiting.length || rest !== '';

/** The next one without its end; null if there is none. */
function takeLine() {
  if (taken === waiting.length) keepLines([]);
  if (taken === waiting.length) return null;
  const line = waiting[taken++];
  if (taken === waiting.length) {
    waiting = [];
    taken = 0;
  }
  return line.replace(/\r?\n$/, '');
}

function takeRest() {
  const text = waiting.slice(taken).join('') + rest;
  waiting = [];
  taken = 0;
  rest = '';
  return text;
}

/** @param {string[]} lines */
function keepLines(lines) {
  const all = rest === '' ? lines : [...rest.match(/[^\n]*\n|[^\n]+/g) ?? [], ...lines];
  rest = '';
  for (let i = 0; i < all.length; i++) waiting.push(all[i]);
}

/**
 * Who waits, for a line or for all that is left.
 * @typedef {{isForRest: boolean, resolve: (text: string | null) => void, reject: (error: any) => void, endListening: () => void}} Reader
 */
/** Nothing is listened for. */
const stay = () => {};
/**
 * The first one first.
 * @type {Set<Reader>}
 */
const readers = new Set();
/** Of the reads that native code was asked for. */
let lastNumber = 0;
/**
 * That of the read which native code is at; 0 if it is at none. What ends a turn may let it forget that, and then it is asked twice.
 */
let askedNumber = 0;
let isRestAsked = false;
/**
 * Of a read, for the one who waits or asks next.
 * @type {{error: any} | undefined}
 */
let failure;

/**
 * What comes for one that is aborted is the next one's; where there is none, native code reads no more.
 * @param {string} name @param {any[]} options @param {boolean} isForRest
 */
function read(name, options, isForRest) {
  const signal = options.length === 0 ? undefined : runtime.signalOf(options[0], 'Process', { name, parameters: [] });
  runtime.needStack(2);
  return border.makePromise((/** @type {any} */ resolve, /** @type {any} */ reject) => {
    if (signal?.aborted) throw signal.reason;
    /** @type {Reader} */
    const reader = { isForRest, resolve, reject, endListening: stay };
    let isAborted = false;
    // First: a signal of the script's own may throw, and then nothing is read.
    if (signal !== undefined) {
      const end = runtime.followAbort(signal, () => {
        isAborted = true;
        const wasWaiting = readers.delete(reader);
        reject(runtime.reasonOf(signal));
        const [next] = readers;
        if (wasWaiting && askedNumber !== 0 && (next === undefined || isRestAsked && !next.isForRest)) stopReading(askedNumber);
      });
      reader.endListening = () => { try { end(); } catch (error) { surface(clean(error)); } };
    }
    if (isAborted) return;
    try {
      // First: a turn that is ended meanwhile leaves nobody who would take a line with him.
      if (readers.size === 0 && failure === undefined && (isForRest || !hasLine())) ask(isForRest);
      readers.add(reader);
      serve(false);
    } catch (error) {
      reader.endListening();
      readers.delete(reader);
      throw error;
    }
  });
}

/** @param {boolean} isAtEnd */
function serve(isAtEnd) {
  for (let [reader] = readers; reader !== undefined; [reader] = readers) {
    if (!isAtEnd && failure === undefined && (reader.isForRest || !hasLine())) return ask(reader.isForRest);
    const { endListening } = reader;
    // First: with a signal of the script's own this runs code of that, which may abort it, ask for lines, or not come to its end.
    if (endListening !== stay) {
      reader.endListening = stay;
      endListening();
      continue;
    }
    readers.delete(reader);
    if (failure === undefined || !reader.isForRest && hasLine()) reader.resolve(reader.isForRest ? takeRest() : takeLine());
    else {
      const { error } = failure;
      failure = undefined;
      reader.reject(error);
    }
  }
}

/** @param {boolean} isForRest */
function ask(isForRest) {
  if (askedNumber !== 0) return;
  const fail = (/** @type {any} */ error) => {
    askedNumber = 0;
    failure = { error: runtime.errorOf(error) };
    serve(false);
  };
  const number = ++lastNumber;
  try {
    if (isForRest) readRest(number, fail, (/** @type {string | null} */ text) => {
      askedNumber = 0;
      keepLines([]);
      rest = text ?? '';
      serve(text !== null);
    });
    else readLines(number, fail, (/** @type {string[] | null} */ lines) => {
      askedNumber = 0;
      keepLines(lines ?? []);
      serve(lines?.length === 0);
    });
  } catch (error) { return fail(error); }
  askedNumber = number;
  isRestAsked = isForRest;
}

/** @param {any[]} options */
const readLine = (...options) => read('readLine', options, false);
/** @param {any[]} options */
const readInput = (...options) => read('readInput', options, true);

define(native, 'exit', publishFunction('exit', 1, (/** @type {any[]} */ ...values) => {
  const [code] = values;
  // The system keeps 8 bits of it: 256 would be success.
  if (typeof code === 'number' && !(code >= 0 && code <= 255)) throw new ScriptRangeError(`Process.exit, argument 1 'code': expected 0 to 255, got ${code}`);
  return exit(...values);
}), true);
define(native, 'readLine', publishFunction('readLine', 0, readLine), true);
define(native, 'lines', border.publishGenerator('lines', runtime.needStack, () => readers.size === 0 && hasLine() ? takeLine() : readLine()), true);
define(native, 'readInput', publishFunction('readInput', 0, readInput), true);
delete native.readLines;
delete native.readRest;
delete native.stopReading;
// @ts-expect-error The files are the body of one function.
return native;
