// What the standard modules add to the global object.

/**
 * Adds a global that is writable and hidden, as the built-in ones are.
 * @param {string} name @param {any} value
 */
function defineGlobal(name, value) { runtime.defineGlobal(name, value); }

/** @param {string} name @param {number} length @param {(...values: any[]) => any} body */
function defineGlobalFunction(name, length, body) { defineGlobal(name, publishFunction(name, length, body)); }

/**
 * One that is made when it is first touched.
 * @param {string} name @param {() => any} make
 */
function defineLazyGlobal(name, make) { runtime.defineLazyGlobal(name, make); }
