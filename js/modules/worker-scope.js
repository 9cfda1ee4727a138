// What a worker has as globals, over `WorkerScope`.

const listeners = new runtime.Listeners();
let isClosing = false;

defineGlobal('self', scriptGlobal);
defineGlobal('name', native.name);
defineGlobal('onmessage', null);
defineGlobalFunction('postMessage', 1, function postMessage(/** @type {any} */ message, /** @type {any} */ options) {
  if (arguments.length === 0) throw new ScriptTypeError("postMessage: argument 1 'message' is missing");
  // Made at its first touch, which may fail.
  const { post } = native;
  const { numbers, strings, buffers } = writeClone(message, isArray(options) ? options : options?.transfer);
  post(numbers, strings, buffers);
});
defineGlobalFunction('close', 0, () => {
  runtime.needStack(COLD_LEVELS);
  native.close();
  isClosing = true;
});
defineGlobalFunction('addEventListener', 2, (/** @type {any} */ type, /** @type {any} */ listener, /** @type {any} */ options) => {
  listeners.add(String(type), listener, options);
});
defineGlobalFunction('removeEventListener', 2, (/** @type {any} */ type, /** @type {any} */ listener) => {
  listeners.remove(String(type), listener);
});

native.addListener('message', (/** @type {Clone} */ message) => {
  if (!isClosing) listeners.dispatch(scriptGlobal, publishObject({ type: 'message', data: readClone(message), target: scriptGlobal }));
});
