// What a worker has as globals, over `WorkerScope`.

let isClosing = false;

/** @type {any} Of the global object as a target of events: made with the first listener or message. */
let target;

function scope() {
  if (target !== undefined) return target;
  const { TargetData, holdHandler } = runtime.part('targets');
  const made = new TargetData(scriptGlobal);
  holdHandler(made, 'message', () => scriptGlobal.onmessage);
  return target = made;
}

defineGlobal('self', scriptGlobal);
defineGlobal('name', native.name);
defineGlobal('onmessage', null);
defineGlobalFunction('postMessage', 1, function postMessage(/** @type {any} */ message, /** @type {any} */ options) {
  if (arguments.length === 0) throw new ScriptTypeError('postMessage: 1 argument needed, got 0');
  // Made at its first touch, which may fail.
  const { post } = native;
  const { numbers, strings, buffers } = writeClone(message, transferOf(options));
  post(numbers, strings, buffers);
});
defineGlobalFunction('close', 0, () => {
  runtime.needStack(COLD_LEVELS);
  native.close();
  isClosing = true;
});
for (const [name, length] of /** @type {[string, number][]} */ ([['addEventListener', 2], ['removeEventListener', 2], ['dispatchEvent', 1]])) {
  defineGlobalFunction(name, length, (...values) => {
    runtime.part('interfaces').needCount(name, length, values);
    if (name === 'addEventListener') native.listen();
    return runtime.part('targets').targetOperations[name](scope(), ...values);
  });
}

native.addListener('message', (/** @type {Clone} */ message) => {
  if (!isClosing) runtime.part('messages').dispatchMessage(scope(), readClone(message));
});
