// The engine compiles WebAssembly beside the loop, and tells nobody that it does: the bridge is busy until it has.

let compilations = 0;

const { WebAssembly: scriptWebAssembly } = scriptGlobal;

for (const name of ['compile', 'instantiate', 'compileStreaming', 'instantiateStreaming']) {
  const original = scriptWebAssembly?.[name];
  if (typeof original !== 'function') continue;
  define(scriptWebAssembly, name, publishFunction(name, original.length, /** @this {any} @param {any[]} values */ function (...values) {
    needStack(COLD_LEVELS);
    const promise = apply(original, this, values);
    compilations++;
    // Not the engine's own: that one has a listener here, and the engine would not miss another.
    return makePromise((/** @type {any} */ resolve, /** @type {any} */ reject) => {
      const ended = (/** @type {(value: any) => void} */ settleIt) => (/** @type {any} */ value) => {
        compilations--;
        settleIt(value);
      };
      settle(promise, ended(resolve), ended(reject));
    });
  }), true);
}
