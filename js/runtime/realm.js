// The runtime is one function: its files are joined and run inside `(function (native, border) { 'use strict'; ... })`, in a
// realm of its own (`OwnRealm.swift`). What a script does to its built-ins is not seen here, and these files are
// ordinary JavaScript, under two rules.
//
// Whatever a script may get hold of is made by `border`: an object, a function, a promise or an error of this realm would lead it
// here. And no value of a script's is awaited, nor is a promise of this realm resolved with one: that would hand functions of this
// realm to its `then`.

const {
  clean, isOwnFrame, define, defineAccessor, defineLazy, publishFunction, publishSharedClass, publishLookup, settle, makePromise, walkable, handleOf,
  pullerOf, listenForAbort, publishArray, publishObject, arrayOf1, arrayOf2, arrayOf3, iteration, surface, COLD_LEVELS, lookBeforeResizableBuffers,
} = border;
/** What is the scripts' own, as it was before any of them ran. */
const {
  Promise: ScriptPromise, Error: ScriptError, TypeError: ScriptTypeError, RangeError: ScriptRangeError, Function: ScriptFunction, Date: ScriptDate,
  elementConstructors, errorPrototype, regExpPrototype: scriptRegExpPrototype, globalThis: scriptGlobal,
} = border.intrinsics;

const { apply } = Reflect;
const { isArray } = Array;
const { isView } = ArrayBuffer;
const isPrototypeOf = Function.prototype.call.bind(Object.prototype.isPrototypeOf);

/**
 * Asks a proxy, which runs code of a script: never while a record is read or written.
 * @param {any} value @returns {boolean}
 */
function isError(value) {
  try { return typeof value === 'object' && value !== null && isPrototypeOf(errorPrototype, value); } catch (error) { return passOn(error, false); }
}

/**
 * Throws what the engine has raised in this realm for want of stack or memory.
 * @template Value
 * @param {any} error of what was tried @param {Value} otherwise
 */
function passOn(error, otherwise) {
  let isOurs = false;
  // What a script has thrown may be a proxy, which throws again when it is asked.
  try { isOurs = error instanceof RangeError; } catch {}
  if (isOurs) throw error;
  return otherwise;
}

/** @param {any} value @returns {boolean} functions are objects too */
function isObject(value) { return typeof value === 'object' ? value !== null : typeof value === 'function'; }

/**
 * An error for scripts.
 * @param {string} code @param {string} message @param {any} [Made] its class
 */
function codedError(code, message, Made = ScriptError) {
  const error = clean(new Made(message));
  define(error, 'code', code, true);
  return error;
}

/** @param {string} message */
function argumentError(message) { return codedError('ERR_ARGUMENT', message, ScriptTypeError); }

/** @param {string} message */
function notFound(message) { return codedError('ERR_NOT_FOUND', message, ScriptTypeError); }

/** @param {string} message */
function limitError(message) { return codedError('ERR_LIMIT', message); }
