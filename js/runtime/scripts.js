// The JavaScript that modules bring along.

/** What our own scripts share with the runtime. */
const shared = { AbortController, AbortSignal, signalTimers, Listeners, describeValue, inspection };

/**
 * Runs a module's script, before any script of a user. It alone gets what native code defines; scripts find what it returns.
 * @param {string} name @param {(module: any, border?: any, runtime?: any) => any} script @param {boolean} isOurs it runs in this realm
 */
function runModuleScript(name, script, isOurs) {
  scriptModules.set(name, undefined);
  const module = makeModule(name);
  scriptModules.set(name, isOurs ? script(module, border, shared) : apply(script, undefined, [module]));
  // What a module does for itself is no leak of a script's.
  if (tracksOutstanding) outstanding.clear();
}
