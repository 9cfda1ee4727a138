// Last of the runtime's files: what scripts see, and what native code calls.

defineProperty(globalThis, 'NativeModules', { __proto__: null, value: NativeModules, writable: true, configurable: true, enumerable: false });
defineProperty(globalThis, 'trestle', {
  __proto__: null,
  value: freeze({ registerCallableModule, flush: () => flush(), moduleNames: () => native.moduleNames(), moduleVersion, requireVersion }),
  writable: true, configurable: true, enumerable: false,
});

// @ts-expect-error The files are the body of one function.
return {
  deliver, goOnDelivering, closeAll, answerValue: awaitAndAnswer, keep, release, waitingCount: () => waitingCount, runModuleScript,
  describeOutstanding,
};
