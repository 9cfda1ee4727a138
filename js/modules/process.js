// `exit()`, `readLine()`, `lines()` and `readInput()` of `Process`: lines cross as many at a time as are there.

/**
 * Those that nobody has asked for yet, with their ends, and how many of them have been taken.
 * @type {string[]}
 */
let waiting = [];
let taken = 0;

const { exit, readLines, readRest } = native;

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

/** @typedef {{resolve: (line: string | null) => void, reject: (error: any) => void, endListening: () => void}} Reader */
/**
 * Who waits for a line, the first one first.
 * @type {Set<Reader>}
 */
const readers = new Set();
/** Whether lines are asked for: what ends a turn may let it forget that, and then they are asked for twice. */
let isReading = false;
/**
 * Of a read, for the one who waits or asks next.
 * @type {{error: any} | undefined}
 */
let failure;

/**
 * A read goes on when the one that it was begun for is aborted: what it brings is the next one's.
 * @param {string} name @param {any[]} options @param {(reader: Reader) => void} begin
 */
function read(name, options, begin) {
  const signal = options.length === 0 ? undefined : runtime.signalOf(options[0], 'Process', { name, parameters: [] });
  runtime.needStack(2);
  return border.makePromise((/** @type {any} */ resolve, /** @type {any} */ reject) => {
    if (signal?.aborted) throw signal.reason;
    const reader = { resolve, reject, endListening: () => {} };
    // First: a signal of the script's own may throw, and then nothing is read.
    if (signal !== undefined) {
      const end = runtime.followAbort(signal, () => {
        // It is brought no line any more.
        readers.delete(reader);
        reader.resolve = reader.reject = giveBack;
        reject(runtime.reasonOf(signal));
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
  const hasNews = () => isAtEnd || failure !== undefined || taken < waiting.length;
  for (const reader of hasNews() ? readers : []) {
    readers.delete(reader);
    const line = takeLine();
    reader.endListening();
    if (line !== null || failure === undefined) reader.resolve(line);
    else {
      const { error } = failure;
      failure = undefined;
      reader.reject(error);
    }
    if (!hasNews()) break;
  }
  if (readers.size > 0) ask();
}

function ask() {
  if (isReading) return;
  const fail = (/** @type {any} */ error) => {
    isReading = false;
    failure = { error: runtime.errorOf(error) };
    serve(false);
  };
  try {
    readLines(fail, (/** @type {string[]} */ lines) => {
      isReading = false;
      keepLines(lines);
      serve(lines.length === 0);
    });
  } catch (error) { return fail(error); }
  isReading = true;
}

/** @param {any[]} options */
function readInput(...options) {
  return read('readInput', options, (reader) => {
    // What ends a turn may leave nobody who has the promise: then it is for those that ask next.
    let isAsked = false;
    readRest((/** @type {any} */ error) => {
      reader.endListening();
      reader.reject(runtime.errorOf(error));
    }, (/** @type {string} */ rest) => {
      if (!isAsked) return giveBack(rest);
      const text = waiting.slice(taken).join('') + rest;
      waiting = [];
      taken = 0;
      reader.resolve(text);
      reader.endListening();
    });
    isAsked = true;
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
// @ts-expect-error The files are the body of one function.
return native;
