// What React Native's executor has beside the queue: the log, the clock, `eval` with a name for stack traces.

/**
 * @param {any} message
 * @param {any} level 0 trace, 1 info, 2 warning, 3 error
 */
function nativeLoggingHook(message, level) {
  if (arguments.length !== 2) throw malformed(`nativeLoggingHook: expected 2 arguments, got ${arguments.length}`);
  if (typeof level !== 'number') throw argumentError(`nativeLoggingHook, argument 2 'level': expected number, got ${describeValue(level)}`);
  native.log(String(message), level);
}

/** @returns {number} milliseconds of a clock that never goes back */
function nativePerformanceNow() { return native.now(); }

/** @param {any} code @param {any} [url] */
function globalEvalWithSourceUrl(code, url) {
  if (typeof code !== 'string') throw argumentError(`globalEvalWithSourceUrl, argument 1 'code': expected string, got ${describeValue(code)}`);
  return native.evaluate(code, url === undefined ? '' : String(url));
}
