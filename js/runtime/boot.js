// Last of the runtime's files: what scripts see, and what native code calls.

define(scriptGlobal, 'NativeModules', NativeModules);
define(scriptGlobal, 'trestle', publishTrestle(() => flush()));

// @ts-expect-error The files are the body of one function.
return {
  deliver, goOnDelivering, closeAll, answerValue: awaitAndAnswer, callNow, keep, release, waitingCount: () => waitingCount + compilations, held, runModuleScript, postponeModuleScripts,
  describeOutstanding, describeThrown: (/** @type {any} */ value) => JSON.stringify(describeThrown(clean(value))),
  enter: (/** @type {number} */ call, /** @type {any} */ action, /** @type {string} */ text, /** @type {string} */ name) => part('repl').enter(call, action, text, name),
  importMain: (/** @type {string} */ specifier) => part('loader').importMain(specifier),
};
