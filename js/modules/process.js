// `exit()`, `readLine()`, `lines()` and `readInput()` of `Process`: lines cross as many at a time as are there.

/**
 * Those that nobody has asked for yet, with their ends, and how many of them have been taken.
 * @type {string[]}
 */
let waiting = [];
let taken = 0;

const { exit, readLines, readRest, stopReading } = native;
/** Of the reads that native code was asked for. */
let lastNumber = 0;

/** The next one without its end; null if there is none. */
function takeLine() {
  if (taken === waiting.length) return null;
  const line = waiting[taken++];
  if (taken === waiting.length) {
    waiting = [];
    taken = 0;
  }
  return line.replace(/\r?\n$/, '');
}

/**
 * Who waits; `number` is that of a read for this one alone.
 * @typedef {{resolve: (line: string | null) => void, reject: (error: any) => void, endListening: () => void, number: number}} Reader
 */
/** Nothing is listened for. */
const stay = () => {};
/**
 * Who waits for a line, the first one first.
 * @type {Set<Reader>}
 */
const readers = new Set();
/**
 * That of the read which lines are asked for with; 0 if they are not. What ends a turn may let it forget that, and then they are asked for twice.
 */
let askedNumber = 0;
/**
 * Of a read, for the one who waits or asks next.
 * @type {{error: any} | undefined}
 */
let failure;

/**
 * What comes for one that is aborted is the next one's; where there is none, native code reads no more.
 * @param {string} name @param {any[]} options @param {(reader: Reader) => void} begin
 */
function read(name, options, begin) {
  const signal = options.length === 0 ? undefined : runtime.signalOf(options[0], 'Process', { name, parameters: [] });
  runtime.needStack(2);
  return border.makePromise((/** @type {any} */ resolve, /** @type {any} */ reject) => {
    if (signal?.aborted) throw signal.reason;
    /** @type {Reader} */
    const reader = { resolve, reject, endListening: stay, number: 0 };
    // First: a signal of the script's own may throw, and then nothing is read.
    if (signal !== undefined) {
      const end = runtime.followAbort(signal, () => {
        reader.resolve = reader.reject = giveBack;
        const number = readers.delete(reader) ? readers.size === 0 ? askedNumber : 0 : reader.number;
        reject(runtime.reasonOf(signal));
        if (number !== 0) stopReading(number);
      });
      reader.endListening = () => { try { end(); } catch (error) { surface(clean(error)); } };
    }
    if (reader.resolve !== resolve) return;
    try { begin(reader); } catch (error) {
      reader.endListening();
      readers.delete(reader);
      throw error;
    }
  });
}

/** @param {any} text all that was left, of which the one who asked for it does not want to hear any more */
function giveBack(text) { if (typeof text === 'string') keepLines(text.match(/[^\n]*\n|[^\n]+/g) ?? []); }

/** @param {string[]} lines */
function keepLines(lines) { for (let i = 0; i < lines.length; i++) waiting.push(lines[i]); }

/** @param {any[]} options */
function readLine(...options) {
  return read('readLine', options, (reader) => {
    // First: a turn that is ended meanwhile leaves nobody who would take a line with him.
    if (taken === waiting.length && failure === undefined) ask();
    readers.add(reader);
    serve(false);
  });
}

/** @param {boolean} isAtEnd */
function serve(isAtEnd) {
  while (readers.size > 0 && (isAtEnd || failure !== undefined || taken < waiting.length)) {
    const [reader] = readers, { endListening } = reader;
    // First: with a signal of the script's own this runs code of that, which may abort it, ask for lines, or not come to its end.
    if (endListening !== stay) {
      reader.endListening = stay;
      endListening();
      continue;
    }
    readers.delete(reader);
    const line = takeLine();
    if (line !== null || failure === undefined) reader.resolve(line);
    else {
      const { error } = failure;
      failure = undefined;
      reader.reject(error);
    }
  }
  if (readers.size > 0) ask();
}

function ask() {
  if (askedNumber !== 0) return;
  const fail = (/** @type {any} */ error) => {
    askedNumber = 0;
    failure = { error: runtime.errorOf(error) };
    serve(false);
  };
  const number = ++lastNumber;
  try {
    readLines(number, fail, (/** @type {string[] | undefined} */ lines) => {
      askedNumber = 0;
      keepLines(lines ?? []);
      serve(lines?.length === 0);
    });
  } catch (error) { return fail(error); }
  askedNumber = number;
}

/** @param {any[]} options */
function readInput(...options) {
  return read('readInput', options, (reader) => {
    // What ends a turn may leave nobody who has the promise: then it is for those that ask next.
    let isAsked = false;
    const number = ++lastNumber;
    readRest(number, (/** @type {any} */ error) => {
      reader.endListening();
      reader.reject(runtime.errorOf(error));
    }, (/** @type {string | undefined} */ rest) => {
      if (typeof rest !== 'string') return;
      if (!isAsked) return giveBack(rest);
      // First, here too.
      reader.endListening();
      const text = waiting.slice(taken).join('') + rest;
      waiting = [];
      taken = 0;
      reader.resolve(text);
    });
    isAsked = true;
    reader.number = number;
  });
}

define(native, 'exit', publishFunction('exit', 1, (/** @type {any[]} */ ...values) => {
  const [code] = values;
  // The system keeps 8 bits of it: 256 would be success.
  if (typeof code === 'number' && !(code >= 0 && code <= 255)) throw new ScriptRangeError(`Process.exit, argument 1 'code': expected 0 to 255, got ${code}`);
  return exit(...values);
}), true);
define(native, 'readLine', publishFunction('readLine', 0, readLine), true);
define(native, 'lines', border.publishGenerator('lines', runtime.needStack, () => taken < waiting.length ? takeLine() : readLine()), true);
define(native, 'readInput', publishFunction('readInput', 0, readInput), true);
delete native.readLines;
delete native.readRest;
delete native.stopReading;
// @ts-expect-error The files are the body of one function.
return native;
