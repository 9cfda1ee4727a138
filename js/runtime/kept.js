// Values that native code refers to by number: functions that it may call, and
// errors that came from here and may come back as the same object.

/** @type {any[]} */
const kept = [];
/**
 * Numbers that are free again. Number 0 means none.
 * @type {any[]}
 */
const freeNumbers = [];
let lastNumber = 0;

/**
 * Called while a record is read: no value is asked what it is.
 * @param {any} value @param {number} [index] where it lies beside the buffer @param {boolean} [isThrown] it stands for an error
 * @returns {number}
 */
function keep(value, index, isThrown) {
  const count = freeNumbers.length;
  const number = count === 0 ? ++lastNumber : freeNumbers[count - 1];
  if (count > 0) freeNumbers.length = count - 1;
  kept[number] = value;
  if (tracksOutstanding && isThrown !== true) {
    trackedFunctions[number] = track(typeof value === 'function' ? 'function' : 'scriptObject', index === undefined ? undefined : originsBeside[index]);
  }
  return number;
}

/** @param {number} number */
function release(number) {
  kept[number] = undefined;
  if (tracksOutstanding) {
    untrack(trackedFunctions[number]);
    trackedFunctions[number] = undefined;
  }
  freeNumbers[freeNumbers.length] = number;
}
