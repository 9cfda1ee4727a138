// What a worker has as globals, over `WorkerScope`.

const listeners = new Listeners();
let isClosing = false;

defineGlobal('self', globalThis);
defineGlobal('name', native.name);
defineGlobal('onmessage', null);
defineGlobal('postMessage', function postMessage(/** @type {any} */ message, /** @type {any} */ options) {
  if (arguments.length === 0) throw new TypeErrorConstructor("postMessage: argument 1 'message' is missing");
  const { numbers, strings, buffers } = writeClone(message, isArray(options) ? options : options?.transfer);
  native.post(numbers, strings, buffers);
});
defineGlobal('close', function close() {
  isClosing = true;
  native.close();
});
defineGlobal('addEventListener', function addEventListener(/** @type {string} */ type, /** @type {any} */ listener, /** @type {any} */ options) {
  listeners.add(type, listener, options);
});
defineGlobal('removeEventListener', function removeEventListener(/** @type {string} */ type, /** @type {any} */ listener) {
  listeners.remove(type, listener);
});

native.addListener('message', (/** @type {Clone} */ message) => {
  if (!isClosing) listeners.dispatch(globalThis, { type: 'message', data: readClone(message), target: globalThis });
});
