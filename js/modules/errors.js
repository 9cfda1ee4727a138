// Errors that are told apart by name and code.

/**
 * @param {string} name @param {string} code @param {string} message
 */
function namedError(name, code, message) {
  const error = new ErrorConstructor(message);
  defineProperty(error, 'name', { value: name, writable: true, configurable: true });
  defineProperty(error, 'code', { value: code, writable: true, enumerable: true, configurable: true });
  return error;
}
