// The JavaScript that modules bring along.

/**
 * Runs a module's script, before any script of a user.
 * @param {string} name @param {(module: any) => any} script what it returns takes the place of the module's object
 */
function runModuleScript(name, script) {
  const value = apply(script, undefined, [requireModule(name)]);
  // What a module does for itself is no leak of a script's.
  if (tracksOutstanding) setClear(outstanding);
  if (value === undefined) return;
  defineProperty(NativeModules, name, { value, enumerable: true, writable: true, configurable: true });
}
