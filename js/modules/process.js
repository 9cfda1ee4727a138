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

/** @param {any[]} options */
function readLine(...options) {
  if (taken < waiting.length) return border.makePromise((/** @type {any} */ resolve) => resolve(takeLine()));
  return border.makePromise((/** @type {any} */ resolve, /** @type {any} */ reject) => {
    border.settle(readLines(...options), (/** @type {string[]} */ lines) => {
      for (let i = 0; i < lines.length; i++) waiting.push(lines[i]);
      resolve(takeLine());
    }, reject);
  });
}

/** @param {any[]} options */
function readInput(...options) {
  return border.makePromise((/** @type {any} */ resolve, /** @type {any} */ reject) => {
    border.settle(readRest(...options), (/** @type {string} */ rest) => {
      const text = waiting.slice(taken).join('') + rest;
      waiting = [];
      taken = 0;
      resolve(text);
    }, reject);
  });
}

define(native, 'exit', publishFunction('exit', 1, (/** @type {any[]} */ ...values) => {
  const [code] = values;
  // The system keeps 8 bits of it: 256 would be success.
  if (typeof code === 'number' && !(code >= 0 && code <= 255)) throw new ScriptRangeError(`Process.exit, argument 1 'code': expected 0 to 255, got ${code}`);
  return exit(...values);
}), true);
define(native, 'readLine', publishFunction('readLine', 0, readLine), true);
define(native, 'lines', border.publishGenerator('lines', () => taken < waiting.length ? takeLine() : readLine()), true);
define(native, 'readInput', publishFunction('readInput', 0, readInput), true);
delete native.readLines;
delete native.readRest;
// @ts-expect-error The files are the body of one function.
return native;
