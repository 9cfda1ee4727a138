// `DOMException`, as Web IDL has it.
(() => {
  /** @type {InterfaceTools} */
  const { defineInterface, text } = part('interfaces');

  /** @type {Record<string, [string, number]>} By name; newer ones have none. */
  const codes = {
    IndexSizeError: ['INDEX_SIZE_ERR', 1], DOMStringSizeError: ['DOMSTRING_SIZE_ERR', 2], HierarchyRequestError: ['HIERARCHY_REQUEST_ERR', 3],
    WrongDocumentError: ['WRONG_DOCUMENT_ERR', 4], InvalidCharacterError: ['INVALID_CHARACTER_ERR', 5], NoDataAllowedError: ['NO_DATA_ALLOWED_ERR', 6],
    NoModificationAllowedError: ['NO_MODIFICATION_ALLOWED_ERR', 7], NotFoundError: ['NOT_FOUND_ERR', 8], NotSupportedError: ['NOT_SUPPORTED_ERR', 9],
    InUseAttributeError: ['INUSE_ATTRIBUTE_ERR', 10], InvalidStateError: ['INVALID_STATE_ERR', 11], SyntaxError: ['SYNTAX_ERR', 12],
    InvalidModificationError: ['INVALID_MODIFICATION_ERR', 13], NamespaceError: ['NAMESPACE_ERR', 14], InvalidAccessError: ['INVALID_ACCESS_ERR', 15],
    ValidationError: ['VALIDATION_ERR', 16], TypeMismatchError: ['TYPE_MISMATCH_ERR', 17], SecurityError: ['SECURITY_ERR', 18], NetworkError: ['NETWORK_ERR', 19],
    AbortError: ['ABORT_ERR', 20], URLMismatchError: ['URL_MISMATCH_ERR', 21], QuotaExceededError: ['QUOTA_EXCEEDED_ERR', 22],
    TimeoutError: ['TIMEOUT_ERR', 23], InvalidNodeTypeError: ['INVALID_NODE_TYPE_ERR', 24], DataCloneError: ['DATA_CLONE_ERR', 25],
  };
  /** Names that are of no error any more, whose codes remain. */
  const withoutCode = new Set(['DOMStringSizeError', 'NoDataAllowedError', 'ValidationError']);

  class ExceptionData {
    /** @param {string} message @param {string} name */
    constructor(message, name) {
      this.message = message;
      this.name = name;
    }

    get code() { return Object.hasOwn(codes, this.name) && !withoutCode.has(this.name) ? codes[this.name][1] : 0; }
  }

  const { made: DOMException, make, dataOf: exceptionOf } = defineInterface('DOMException', ExceptionData, {
    isError: true,
    construct: (_, message = '', name = 'Error') => new ExceptionData(text(message), text(name)),
    attributes: { name: [({ name }) => name], message: [({ message }) => message], code: [({ code }) => code] },
    constants: Object.fromEntries(Object.values(codes)),
  });

  /**
   * @param {string} name @param {string} message
   * @returns {any} one for scripts
   */
  function makeException(name, message) { return make(new ExceptionData(message, name)); }

  return { DOMException, makeException, exceptionOf };
})()
