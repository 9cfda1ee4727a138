// The JavaScript that modules bring along.

/** What our own scripts share with the runtime. */
const shared = {
  part,
  /** @type {any} The native half of the web's globals, set by the module that has it. */
  webNative: undefined,
  /** @type {any} What text is as UTF-8, in bytes of the script's. */
  encodeText: undefined,
  /** @type {any} What stands behind a TextDecoder. */
  DecoderData: undefined,
  /** @type {any} */
  cloneValue: undefined,
  /** @type {any} What clones make of a `Blob`, and it of them. */
  blobs: undefined,
  /** Has the script of a module run, if it has not yet. */
  runPostponed(/** @type {string} */ module) { runPostponed(module); },
  /** Where the script runs late the global is there already, and this is what it stands for. */
  defineGlobal(/** @type {string} */ name, /** @type {any} */ value) { if (lateGlobals.has(name)) lateGlobals.set(name, () => value); else define(scriptGlobal, name, value); },
  /** One that is made when it is first touched. */
  defineLazyGlobal(/** @type {string} */ name, /** @type {() => any} */ make) {
    /** @type {any} */
    let value;
    // Once, though a script may keep the getter.
    const makeOnce = () => value ??= make();
    if (lateGlobals.has(name)) lateGlobals.set(name, makeOnce);
    else border.defineLazy(scriptGlobal, name, makeOnce, false);
  },
  signalTimers, describeValue, errorOf, inspection, signalOf, followAbort, reasonOf,
  /** As `needStack`, for calls of native code too. */
  needStack(levels = 1) { needStack(levels + waitingLevels()); },
  /**
   * Throws what sending the values would: before something that cannot be undone.
   * @param {any} values
   */
  checkSending(values) { treeOf(RUNTIME_ANSWER, values); },
};

/**
 * A module's object as native code defines it, whose methods write straight into the buffer; undefined if `configOf` knows none of
 * that name. A method is made when it is first touched.
 * @param {string} name @param {(name: string) => any} configOf
 */
function makeDirectModule(name, configOf) {
  if (tracksOutstanding) answered = originOf(name, '');
  const config = readModule(() => readResult(configOf(name), true));
  if (config === undefined) return undefined;
  const module = publishObject({});
  const { id, methods, hasConstants, sources } = config;
  methods.forEach((/** @type {Method} */ method, /** @type {number} */ methodID) => {
    defineLazy(module, method.name, () => directMethod(makeEncoder(id, name, methodID, method), method));
  });
  const constants = hasConstants ? readModule(() => readResult(native.moduleConstants(name))) : {};
  for (const constant of Object.keys(constants)) define(module, constant, constants[constant], true);
  defineEvents(module, id, sources);
  return module;
}

/**
 * A stack that is told without an error.
 * @param {string} stack @returns {string} with the places in the texts that people wrote
 */
function sourceStackOf(stack) { return part('errors').mappedStack(stack); }

/**
 * Runs a module's script, before any script of a user. It alone gets what native code defines; scripts find what it returns. No name
 * or number of theirs leads to that half, on either wire: its calls never lie in a queue, and its events come from native code
 * alone.
 * @param {string} name @param {(...given: any[]) => any} script
 * @param {'scripts' | 'own' | 'new'} realm that it runs in: the scripts', this one, or one that is nobody else's
 */
function runModuleScript(name, script, realm) {
  scriptModules.set(name, undefined);
  const module = makeDirectModule(name, native.privateConfig);
  scriptModules.set(name, realm === 'own' ? script(module, border, shared) : apply(script, undefined, realm === 'new' ? [module, scriptGlobal, border, { sourceStackOf, registerCallableModule }] : [module, scriptGlobal]));
  // What a module does for itself is no leak of a script's.
  if (tracksOutstanding) outstanding.clear();
}

/** Modules whose scripts have not run yet. @type {Set<string>} */
const postponed = new Set();
/** What makes the globals that such scripts are known to make, once these have run. @type {Map<string, (() => any) | undefined>} */
const lateGlobals = new Map();

/**
 * Has scripts of our own run when what they make is first touched: many bridges never do. What they take they take from this realm
 * and the border, which no script changes.
 * @param {string} list a line for each: the module's name, and its globals'
 */
function postponeModuleScripts(list) {
  for (const line of list.split('\n')) {
    const [module, ...globals] = line.split(' ');
    scriptModules.set(module, undefined);
    postponed.add(module);
    for (const name of globals) {
      lateGlobals.set(name, undefined);
      border.defineLazy(scriptGlobal, name, () => {
        runPostponed(module);
        return lateGlobals.get(name)?.();
      }, false);
    }
  }
}

/**
 * As a whole or not at all: where the stack or a limit ends this, the next touch begins again.
 * @param {string} module
 */
function runPostponed(module) {
  if (!postponed.has(module)) return;
  runModuleScript(module, (0, eval)(native.moduleScript(module)), 'own');
  postponed.delete(module);
}
