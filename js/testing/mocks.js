// Mocks of native modules, for tests of scripts without native code: the body of a function of `modules` and `classes`. The
// words are those of Jest. It runs in any engine, among the tests: unlike the runtime it trusts its surroundings.

/**
 * What is known of a method. `most` counts no options behind the arguments.
 * @typedef {{name: string, kind: 'void' | 'callbacks' | 'promise' | 'sync', least: number, most: number, hasResult: boolean}} MethodSchema
 * @typedef {{name: string, version: string, constants: string[], methods: MethodSchema[], events: {name: string, isMember: boolean}[]}} ModuleSchema
 * @typedef {{name: string, methods: MethodSchema[], properties: string[]}} ClassSchema
 */

/**
 * A function that keeps its calls, and answers as a test wishes.
 * @param {string} place `module.method` @param {MethodSchema} schema
 */
function mockMethod(place, { kind, least, most, hasResult }) {
  /** @type {any[][]} */
  let calls = [];
  /** @type {Function[]} */
  let once = [];
  /** @type {Function | undefined} */
  let implementation;

  /** @param {any} self @param {any[]} values */
  function run(self, values) {
    const accepted = most + (kind === 'promise' ? 1 : 0);
    if (values.length < least || values.length > accepted) {
      const count = least === most ? `${most}` : `${least} to ${most}`;
      throw coded(TypeError, 'ERR_ARGUMENT', `${place}: expected ${count} argument${most === 1 ? '' : 's'}, got ${values.length}`);
    }
    calls.push(values);
    const answer = once.shift() ?? implementation;
    if (answer !== undefined) return answer.apply(self, values);
    if (hasResult) throw coded(Error, 'ERR_MOCK', `${place} has no result: give it one with mock${kind === 'promise' ? 'Resolved' : 'Return'}Value`);
    return undefined;
  }

  /** @this {any} @param {...any} values */
  function mocked(...values) {
    if (kind === 'promise') {
      const promise = new Promise((resolve) => resolve(run(this, values)));
      // As that of a stream, which a loop may walk over.
      Object.defineProperty(promise, Symbol.asyncIterator, { value: async function* () { yield* await promise; } });
      return promise;
    }
    const result = run(this, values);
    return kind === 'sync' ? result : undefined;
  }

  return Object.assign(mocked, {
    mock: { get calls() { return calls; } },
    /** @param {Function} answer */
    mockImplementation(answer) { implementation = answer; return mocked; },
    /** @param {Function} answer */
    mockImplementationOnce(answer) { once.push(answer); return mocked; },
    /** @param {any} value */
    mockReturnValue(value) { implementation = () => value; return mocked; },
    /** @param {any} value */
    mockResolvedValue(value) { implementation = async () => value; return mocked; },
    /** @param {any} error */
    mockRejectedValue(error) { implementation = async () => { throw error; }; return mocked; },
    mockReset() {
      calls = [];
      once = [];
      implementation = undefined;
      return mocked;
    },
  });
}

/** @param {ErrorConstructor} Type @param {string} code @param {string} message */
function coded(Type, code, message) { return Object.assign(new Type(message), { code }); }

/** An event that a test emits. */
function mockEvent() {
  /** @type {Set<{listener: Function}>} */
  const subscriptions = new Set();
  return {
    /** @param {Function} listener */
    addListener(listener) {
      const subscription = { listener };
      subscriptions.add(subscription);
      return { remove() { subscriptions.delete(subscription); } };
    },
    /** @param {any} value */
    emit(value) { for (const { listener } of [...subscriptions]) listener(value); },
    get listenerCount() { return subscriptions.size; },
    mockReset() { subscriptions.clear(); },
    async *[Symbol.asyncIterator]() {
      /** @type {any[]} */
      const values = [];
      let wake = () => {};
      const subscription = this.addListener((/** @type {any} */ value) => {
        values.push(value);
        wake();
      });
      try {
        for (;;) {
          while (values.length > 0) yield values.shift();
          await new Promise((resolve) => { wake = () => resolve(undefined); });
        }
      } finally { subscription.remove(); }
    },
  };
}

/**
 * What `reset` resets.
 * @type {{mockReset(): any}[]}
 */
const mocks = [];
/**
 * By module and name.
 * @type {Map<string, ReturnType<typeof mockEvent>>}
 */
const events = new Map();

/** @param {string} module @param {string} name */
function eventOf(module, name) {
  const event = events.get(`${module}.${name}`);
  if (event === undefined) throw coded(Error, 'ERR_NOT_FOUND', `module '${module}' has no event '${name}'`);
  return event;
}

/** @param {ModuleSchema} schema */
function mockModule(schema) {
  /** @type {any} */
  const module = {};
  for (const method of schema.methods) mocks.push(module[method.name] = mockMethod(`${schema.name}.${method.name}`, method));
  for (const name of schema.constants) defineConstant(module, schema.name, name);
  for (const { name, isMember } of schema.events) {
    const event = mockEvent();
    mocks.push(event);
    events.set(`${schema.name}.${name}`, event);
    if (isMember) module[name] = event;
  }
  if (schema.events.length > 0) {
    module.addListener ??= (/** @type {string} */ name, /** @type {Function} */ listener) => eventOf(schema.name, name).addListener(listener);
  }
  return module;
}

/**
 * A constant has the value that a test assigns to it.
 * @param {any} module @param {string} moduleName @param {string} name
 */
function defineConstant(module, moduleName, name) {
  Object.defineProperty(module, name, {
    get() { throw coded(Error, 'ERR_MOCK', `${moduleName}.${name} has no value: assign one`); },
    set(value) { Object.defineProperty(module, name, { value, writable: true }); },
    enumerable: true, configurable: true,
  });
}

/** @param {ClassSchema} schema @returns {(members?: object) => any} */
function mockClass({ name, methods, properties }) {
  const made = { [name]: class {} }[name];
  return (members = {}) => {
    /** @type {any} */
    const object = new made();
    for (const method of methods) object[method.name] = mockMethod(`${name}.${method.name}`, method);
    object.release ??= mockMethod(`${name}.release`, { name: 'release', kind: 'sync', least: 0, most: 0, hasResult: false });
    for (const property of properties) if (!(property in members)) defineConstant(object, name, property);
    return Object.assign(object, members);
  };
}

const scope = /** @type {any} */ (globalThis);
/** @type {Record<string, any>} */
const mockedModules = {};
for (const schema of modules) mockedModules[schema.name] = mockModule(schema);
/** @type {Record<string, (members?: object) => any>} */
const objects = {};
for (const schema of classes) objects[schema.name] = mockClass(schema);

// Before those of a bridge, if the tests run in one.
scope.NativeModules ??= {};
for (const name of Object.keys(mockedModules)) scope.NativeModules[name] = mockedModules[name];

/** @type {Map<string, any>} */
const callables = new Map();
const bridge = scope.trestle;
scope.trestle = {
  /** @param {string} name @param {any} module */
  registerCallableModule(name, module) { callables.set(name, module); },
  flush() {},
  moduleNames: () => [...new Set([...Object.keys(mockedModules), ...bridge?.moduleNames() ?? []])].sort(),
  /** @param {string} name */
  moduleVersion: (name) => modules.find((module) => module.name === name)?.version ?? bridge?.moduleVersion(name),
  /** @param {string} name @param {string} version */
  requireVersion(name, version) {
    const own = this.moduleVersion(name);
    if (own === undefined) throw coded(Error, 'ERR_NOT_FOUND', `there is no module '${name}'`);
    if (own !== version) throw coded(Error, 'ERR_VERSION', `module '${name}' has version ${own}, and the script was written for ${version}`);
  },
};

scope.NativeMocks = {
  modules: mockedModules, objects,
  /** @param {string} module @param {string} event @param {any} value */
  emit(module, event, value) { eventOf(module, event).emit(value); },
  /**
   * What a script has registered under that name.
   * @param {string} name
   */
  callableModule: (name) => callables.get(name),
  /** Forgets calls, answers and listeners. */
  reset() {
    for (const mock of mocks) mock.mockReset();
    callables.clear();
  },
};
