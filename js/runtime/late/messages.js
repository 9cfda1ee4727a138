// `MessageEvent` and `ErrorEvent`, as the HTML standard has them.
(() => {
  /** @type {InterfaceTools} */
  const { defineInterface, dictionary, text } = part('interfaces');
  /** @type {TargetTools} */
  const { Event, EventData, begun, dispatchOwn } = part('targets');

  class MessageData extends EventData {
    /** @type {any} */
    data = null;
    origin = '';
    lastEventId = '';
    /** @type {any} */
    source = null;
    /** @type {any} */
    ports = undefined;
  }

  const { made: MessageEvent, make: makeMessage } = defineInterface('MessageEvent', MessageData, {
    length: 1, parent: Event, shown: ['data'],
    construct(self, type, options) {
      const given = dictionary(options, "MessageEvent, argument 2 'options'"), event = new MessageData(text(type), given);
      const { data = null, lastEventId = '', origin = '', source = null } = given;
      return begun(self, Object.assign(event, { data, lastEventId: text(lastEventId), origin: text(origin), source }));
    },
    attributes: {
      data: [({ data }) => data], origin: [({ origin }) => origin], lastEventId: [({ lastEventId }) => lastEventId], source: [({ source }) => source],
      ports: [(event) => event.ports ??= Object.freeze(publishArray([]))],
    },
  });

  class ErrorData extends EventData {
    message = '';
    filename = '';
    lineno = 0;
    colno = 0;
    /** @type {any} */
    error = undefined;
  }

  const { made: ErrorEvent, make: makeError } = defineInterface('ErrorEvent', ErrorData, {
    length: 1, parent: Event, shown: ['message', 'filename', 'lineno', 'colno', 'error'],
    construct(self, type, options) {
      const given = dictionary(options, "ErrorEvent, argument 2 'options'"), event = new ErrorData(text(type), given);
      const { colno = 0, error, filename = '', lineno = 0, message = '' } = given;
      return begun(self, Object.assign(event, { colno: colno >>> 0, error, filename: text(filename), lineno: lineno >>> 0, message: text(message) }));
    },
    attributes: {
      message: [({ message }) => message], filename: [({ filename }) => filename], lineno: [({ lineno }) => lineno], colno: [({ colno }) => colno],
      error: [({ error }) => error],
    },
  });

  /** @param {any} target @param {any} data */
  function dispatchMessage(target, data) { return dispatchOwn(target, Object.assign(new MessageData('message'), { data }), makeMessage); }

  /** @param {any} target @param {Record<string, any>} failure what the event says */
  function dispatchError(target, failure) { return dispatchOwn(target, Object.assign(new ErrorData('error', { cancelable: true }), failure), makeError); }

  return { MessageEvent, ErrorEvent, dispatchMessage, dispatchError };
})()
