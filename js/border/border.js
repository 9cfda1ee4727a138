// What scripts are given is made here: this file runs in their own realm, once, before any script. The rest of the runtime
// lives in a realm that they cannot reach (`OwnRealm.swift`), and hands out nothing of it but numbers, strings and what it has
// had made here. So does what tests are written with, which has a realm of its own (`js/test`).
//
// A function of the runtime's is never called but through `guarded`, `publishFunction` or `publishInterface`: at the end of the
// stack the mere call of it raises an error of the other realm.
//
// Whatever can be called here may be called by a script that has since replaced every built-in. So this file takes what
// it needs now, and calls no method of a built-in later; spreading an array of the other realm is safe, as its iterator
// is that realm's.

const { Promise: OwnPromise, Error: OwnError, RangeError: OwnRangeError, TypeError: OwnTypeError, SyntaxError: OwnSyntaxError, Proxy: OwnProxy } = globalThis;
const errorPrototype = OwnError.prototype;
const { apply, construct, getOwnPropertyDescriptor, getPrototypeOf, preventExtensions, setPrototypeOf } = Reflect;
const { is: isSame } = Object;
const { parse: parseJSON } = JSON;
/** @type {(object: object, key: PropertyKey, descriptor: object) => boolean} */
const defineProperty = Reflect.defineProperty;
const { asyncIterator: asyncIteratorSymbol, toStringTag: toStringTagSymbol } = Symbol;

/**
 * A symbol of the language's that this engine does not have yet: compilers put `using` in terms of it.
 * @param {string} name @returns {any}
 */
function wellKnownSymbol(name) {
  const known = /** @type {any} */ (Symbol)[name];
  if (known !== undefined) return known;
  const value = Symbol(`Symbol.${name}`);
  defineProperty(Symbol, name, { __proto__: null, value, enumerable: false, writable: false, configurable: false });
  return value;
}

const disposeSymbol = wellKnownSymbol('dispose'), asyncDisposeSymbol = wellKnownSymbol('asyncDispose');
const { isOwnFrame, ownStack, opaquePrototypes } = foreign;
/** @type {ForeignRealm[]} */
const foreignRealms = [foreign];

/**
 * Before any script has run.
 * @param {ForeignRealm} realm
 */
function addRealm(realm) { foreignRealms[foreignRealms.length] = realm; }

/** @param {any} prototype @returns {ForeignRealm | undefined} the realm whose `Object.prototype` it is */
function realmOf(prototype) {
  for (let i = 0; i < foreignRealms.length; i++) if (foreignRealms[i].objectPrototype === prototype) return foreignRealms[i];
  return undefined;
}

/**
 * An error that the engine raised in another realm of ours (a stack overflow, say) as one of this realm; anything else as it is.
 * The stack of one that was made here or in the runtime begins where the script called.
 * @param {any} error
 */
function clean(error) {
  if (typeof error !== 'object' || error === null) return error;
  try {
    const first = getPrototypeOf(error);
    // Above its own prototypes may be a proxy of a script's.
    for (let at = /** @type {any} */ (first); at !== null && at !== errorPrototype; at = getPrototypeOf(at)) {
      const realm = realmOf(at);
      if (realm === undefined) continue;
      const Made = first === realm.rangeErrorPrototype ? OwnRangeError : first === realm.typeErrorPrototype ? OwnTypeError
        : first === realm.syntaxErrorPrototype ? OwnSyntaxError : OwnError;
      return hideOwnFrames(new Made(`${error.message}`));
    }
  } catch (failure) {
    // Of this realm in any case: the end of the stack, or what a trap of a script's proxy has thrown.
    return failure;
  }
  return hideOwnFrames(error);
}

/**
 * A function of the runtime's, as this realm may call it: what it throws is an error of this realm.
 * @template {(...values: any[]) => any} Body
 * @param {Body} body takes two values at most @returns {Body}
 */
function guarded(body) {
  return /** @type {any} */ ((/** @type {any} */ first, /** @type {any} */ second) => {
    try { return body(first, second); } catch (error) { throw clean(error); }
  });
}

/** @param {any} error */
function hideOwnFrames(error) {
  try {
    const stack = getOwnPropertyDescriptor(error, 'stack')?.value;
    const shown = typeof stack === 'string' ? ownStack(stack) : undefined;
    if (shown !== undefined) define(error, 'stack', shown);
  } catch {}
  return error;
}

/** The levels that are needed where functions may run for the first time: the engine compiles them then. */
const COLD_LEVELS = 8;

/** @param {object} object @param {PropertyKey} key @param {any} value @param {boolean} [enumerable] */
function define(object, key, value, enumerable = false) {
  defineProperty(object, key, { __proto__: null, value, enumerable, writable: true, configurable: true });
  return object;
}

/**
 * @param {object} object @param {PropertyKey} key
 * @param {(() => any) | undefined} get @param {((value: any) => void) | undefined} [set] @param {boolean} [enumerable]
 */
function defineAccessor(object, key, get, set, enumerable = false) {
  defineProperty(object, key, { __proto__: null, get, set, enumerable, configurable: true });
}

/** @param {object} object @param {PropertyKey} key @param {any} value that stays */
function defineConstant(object, key, value) { defineProperty(object, key, { __proto__: null, value, enumerable: true, writable: false, configurable: false }); }

/** @param {object} object @param {PropertyKey} key @param {() => any} get an accessor that stays */
function defineForever(object, key, get) { defineProperty(object, key, { __proto__: null, get, set: undefined, enumerable: true, configurable: false }); }

/** @param {object} prototype @param {string} name what `toString` says of its objects */
function defineTag(prototype, name) { defineProperty(prototype, toStringTagSymbol, { __proto__: null, value: name, configurable: true }); }

/**
 * The function that scripts have of one of the runtime's.
 * @param {string} name @param {number} length @param {Function} body
 */
function publishFunction(name, length, body) {
  const made = { [name](/** @type {any[]} */ ...values) {
    try { return apply(body, this, values); } catch (error) { throw clean(error); }
  } }[name];
  defineProperty(made, 'length', { __proto__: null, value: length, configurable: true });
  return made;
}

/**
 * One that may be called by `new`, too.
 * @param {string} name @param {Function} body is called on what it was called on, and by: `{ self, target }`
 */
function publishConstructible(name, body) {
  const made = { [name]: function (/** @type {any[]} */ ...values) {
    try { return apply(body, { __proto__: null, self: this, target: new.target }, values); } catch (error) { throw clean(error); }
  } }[name];
  defineProperty(made, 'length', { __proto__: null, value: 0, configurable: true });
  return made;
}

/**
 * A proxy before an object of this realm.
 * @param {any} target @param {Record<string, Function>} traps
 */
function publishProxy(target, traps) {
  /** @type {any} */
  const handler = { __proto__: null };
  for (const name in traps) handler[name] = publishFunction(name, 0, traps[name]);
  return new OwnProxy(target, handler);
}

/** Puts what stands behind it into an object of an interface of the web's. No script has this class: what it extends is fixed. */
class Implants extends /** @type {any} */ (class { constructor(/** @type {any} */ object) { return object; } }) {
  #data;
  /** @param {any} object @param {any} data */
  constructor(object, data) {
    super(object);
    this.#data = data;
  }
  /** @param {any} value */
  static of(value) { return typeof value === 'object' && value !== null && #data in value ? value.#data : undefined; }
}
setPrototypeOf(Implants.prototype, null);

/**
 * A class as Web IDL has them. Its constructor calls no other, whatever is behind it: a script could put another one there.
 * @param {string} name @param {number} length @param {Function} build called as the constructor is, gives the data or throws
 * @param {any} [Parent] @param {boolean} [isError] its instances are errors of the language's
 */
function publishInterface(name, length, build, Parent, isError = false) {
  const made = isError ? { [name]: class {
    /** @param {any[]} values */
    constructor(...values) {
      const object = new OwnError(), { prototype } = new.target;
      if (typeof prototype === 'object' && prototype !== null) setPrototypeOf(object, prototype);
      try { new Implants(object, apply(build, object, values)); } catch (error) { throw clean(error); }
      return hideOwnFrames(object);
    }
  } }[name] : { [name]: class {
    /** @param {any[]} values */
    constructor(...values) {
      try { new Implants(this, apply(build, this, values)); } catch (error) { throw clean(error); }
    }
  } }[name];
  defineProperty(made, 'length', { __proto__: null, value: length, configurable: true });
  defineTag(made.prototype, name);
  if (isError) setPrototypeOf(made.prototype, errorPrototype);
  else if (Parent !== undefined) {
    setPrototypeOf(made, Parent);
    setPrototypeOf(made.prototype, Parent.prototype);
  }
  opaquePrototypes.set(made.prototype, name);
  return made;
}

/**
 * An instance that no constructor is called for.
 * @param {any} prototype @param {any} data
 */
function makeInstance(prototype, data) {
  const object = { __proto__: prototype };
  new Implants(object, data);
  return object;
}

/** @param {any} prototype @param {any} data */
function makeErrorInstance(prototype, data) {
  const object = new OwnError();
  setPrototypeOf(object, prototype);
  new Implants(object, data);
  return hideOwnFrames(object);
}

const promisePrototype = OwnPromise.prototype;
const promiseThen = promisePrototype.then;
/** What follows it is a microtask. */
const begun = define(OwnPromise.resolve(), 'constructor', undefined);

/**
 * Calls one of two, once, when a value, or what the promise comes to, is there. What is thrown meanwhile is the reason.
 *
 * Not by `await`: the engine (2.50.6) never settles a promise that follows one whose species throws.
 * @param {any} value @param {(value: any) => void} fulfilled @param {(error: any) => void} rejected
 */
function settle(value, fulfilled, rejected) {
  const fulfill = guarded(fulfilled);
  let fail = guarded(rejected);
  try {
    // A promise is asked by the built-in, whatever a script has put in its place.
    if (isPromise(value)) return void apply(promiseThen, value, [fulfill, fail]);
    const then = (typeof value === 'object' && value !== null) || typeof value === 'function' ? value.then : undefined;
    if (typeof then !== 'function') return fulfill(value);
    // Wherever the script calls what it is given, the stack of what follows is a new one.
    let isSettled = false;
    const once = (/** @type {(value: any) => void} */ end) => (/** @type {any} */ result) => void apply(promiseThen, begun, [() => {
      if (isSettled) return;
      isSettled = true;
      end(result);
    }]);
    const refuse = fail;
    fail = once(refuse);
    apply(then, value, [once((/** @type {any} */ inner) => settle(inner, fulfill, refuse)), fail]);
  } catch (error) { fail(clean(error)); }
}

/** @param {any} value */
function isPromise(value) {
  if (typeof value !== 'object' || value === null) return false;
  for (let at = getPrototypeOf(value); at !== null; at = getPrototypeOf(at)) if (at === promisePrototype) return true;
  return false;
}

/** @param {(resolve: (value: any) => void, reject: (error: any) => void) => void} start */
function makePromise(start) {
  return new OwnPromise(guarded(start));
}

/** Lets no script make what native code makes. */
const key = {};

/** An async iterator over a stream of native code. */
class Stream {
  #pull;
  #end;

  /** @param {any} given @param {(stream: Stream) => any} pull @param {() => void} end */
  constructor(given, pull, end) {
    if (given !== key) throw new OwnTypeError('a stream is made by native code');
    this.#pull = pull;
    this.#end = end;
  }

  /** @param {any} value @param {string} method @returns {Stream} */
  static #need(value, method) {
    if (typeof value === 'object' && value !== null && #pull in value) return value;
    throw new OwnTypeError(`${method}: expected to be called on a stream of native code`);
  }

  next() {
    const pull = Stream.#need(this, 'next').#pull;
    return pull(this);
  }

  /** @param {any} value */
  async return(value) {
    const end = Stream.#need(this, 'return').#end;
    end();
    return { value, done: true };
  }

  /** What `await using` calls. */
  async [asyncDisposeSymbol]() { await Stream.#need(this, 'Symbol.asyncDispose').return(undefined); }

  [asyncIteratorSymbol]() { return this; }
}

/**
 * Lets `for await` walk over the promise of a stream as over the stream itself.
 * @param {any} promise
 */
function walkable(promise) {
  /** @type {any} */
  let stream;
  const begun = (/** @type {(stream: any) => any} */ act, /** @type {(error: any) => void} */ failed) =>
    stream !== undefined ? act(stream) : apply(promiseThen, promise, [(/** @type {any} */ made) => act(stream = made), failed]);
  const next = () => begun((made) => made.next(), (error) => { throw error; });
  const end = () => begun((made) => made.return(), () => {});
  define(promise, asyncIteratorSymbol, function () { return new Stream(key, next, end); });
  return promise;
}

/** An event that is a member of its module. */
class ModuleEvent {
  #listen;
  #loop;

  /**
   * @param {any} given @param {(listener: any) => {remove(): void}} listen
   * @param {(end: (error: any) => void) => () => void} loop tells of the bridge's end, until what it returns is called
   */
  constructor(given, listen, loop) {
    if (given !== key) throw new OwnTypeError('an event is made by native code');
    this.#listen = listen;
    this.#loop = loop;
  }

  /** @param {any} listener */
  addListener(listener) {
    const listen = this.#listen;
    return listen(listener);
  }

  /** Every value from the first question on, in a list whose taken part nobody holds. */
  async *[asyncIteratorSymbol]() {
    /** @typedef {{__proto__: null, value: any, next: Link | undefined}} Link */
    /** @type {Link} */
    let taken = { __proto__: null, value: undefined, next: undefined };
    let last = taken;
    let wake = () => {};
    let fail = (/** @type {any} */ error) => {};
    let isOver = false;
    /** @type {any} */
    let reason;
    const listen = this.#listen, loop = this.#loop;
    const end = guarded(loop((error) => {
      isOver = true;
      reason = error;
      fail(error);
    }));
    let subscription;
    try {
      subscription = listen((/** @type {any} */ value) => {
        last = last.next = { __proto__: null, value, next: undefined };
        wake();
      });
      for (;;) {
        if (taken.next !== undefined) {
          taken = taken.next;
          yield taken.value;
          continue;
        }
        if (isOver) throw reason;
        await new OwnPromise((resolve, reject) => {
          wake = () => resolve(undefined);
          fail = reject;
        });
      }
    } finally {
      end();
      if (subscription !== undefined) subscription.remove();
    }
  }
}

const identity = function (/** @type {any} */ object) { return object; };

/** Puts the handle into an object of native code. No script has this class: what it extends is fixed. */
class Handles extends /** @type {any} */ (identity) {
  #handle;
  /** @param {any} object @param {any} handle */
  constructor(object, handle) {
    super(object);
    this.#handle = handle;
  }
  /** @param {any} value */
  static of(value) { return typeof value === 'object' && value !== null && #handle in value ? value.#handle : undefined; }
}

const handleOf = Handles.of;
const objectPrototype = Object.prototype;

/** Behind the prototypes of all such classes. */
const sharedPrototype = {
  /** Lets native code forget the object now. Again: does nothing. */
  release() {
    const handle = handleOf(this);
    if (handle === undefined) throw new OwnTypeError('release: expected to be called on an object of native code');
    releaseHandle(handle);
  },
};
// What `using` calls. Not `release` by its name: a class may have a method of that name.
define(sharedPrototype, disposeSymbol, sharedPrototype.release);

/**
 * What `await using` calls.
 * @this {any}
 */
async function closeAndRelease() {
  try { if (handleOf(this)?.number !== 0) await this.close(); } finally { this[disposeSymbol](); }
}

/** Behind all subscriptions. */
const subscriptionPrototype = { [disposeSymbol]() { /** @type {any} */ (this).remove(); } };

/** @type {(handle: any) => void} */
let releaseHandle = () => {};

/**
 * A class of objects of native code. Its constructor calls no other: a script could put another one behind it.
 * @param {string} name @param {(handle: any) => void} release @param {boolean} closes has a method `close` that gives a promise
 */
function publishSharedClass(name, release, closes) {
  releaseHandle = guarded(release);
  const made = { [name]: class {
    /** @param {any} given */
    constructor(given) {
      if (given !== key) throw new OwnTypeError('an object of native code is made by native code');
    }
  } }[name];
  setPrototypeOf(made.prototype, sharedPrototype);
  if (closes) define(made.prototype, asyncDisposeSymbol, closeAndRelease);
  return made;
}

/**
 * An object in which names are looked up as they are first asked for: one that was found before costs no more than a
 * member of any object.
 * @param {(name: string) => any} find @param {(name: string) => boolean} has @param {() => string[]} names
 */
function publishLookup(find, has, names) {
  const lookup = guarded((/** @type {any} */ name) => typeof name === 'string' ? find(name) : undefined);
  const isThere = guarded((/** @type {any} */ name) => typeof name === 'string' && has(name));
  const keys = guarded(() => [...names()]);
  const behind = new OwnProxy({ __proto__: null }, /** @type {any} */ ({
    __proto__: null,
    get: (/** @type {any} */ _, /** @type {any} */ name) => lookup(name),
    has: (/** @type {any} */ _, /** @type {any} */ name) => isThere(name),
    set(/** @type {any} */ _, /** @type {any} */ name, /** @type {any} */ value, /** @type {any} */ receiver) {
      define(receiver, name, value, true);
      return true;
    },
    ownKeys: () => keys(),
    getOwnPropertyDescriptor: (/** @type {any} */ _, /** @type {any} */ name) => isThere(name)
      ? { __proto__: null, value: undefined, enumerable: true, writable: true, configurable: true } : undefined,
    getPrototypeOf: () => objectPrototype,
  }));
  opaquePrototypes.set(behind, 'object of native code');
  return { __proto__: behind };
}

/**
 * The same where nothing can be assigned.
 * @param {(name: string) => any} find @param {(name: string) => boolean} has @param {string} refusal
 */
function publishRefusingLookup(find, has, refusal) {
  const refuse = () => { throw new OwnTypeError(refusal); };
  const lookup = guarded((/** @type {any} */ name) => typeof name === 'string' ? find(name) : undefined);
  const isThere = guarded((/** @type {any} */ name) => typeof name === 'string' && has(name));
  const made = new OwnProxy({ __proto__: null }, /** @type {any} */ ({
    __proto__: null,
    get: (/** @type {any} */ _, /** @type {any} */ name) => lookup(name),
    has: (/** @type {any} */ _, /** @type {any} */ name) => isThere(name),
    set: refuse,
    defineProperty: refuse,
  }));
  opaquePrototypes.set(made, 'object of native code');
  return made;
}

/**
 * The namespace object of a module, to be filled with the names that it exports.
 * @param {(name: string) => (() => any) | undefined} getterOf of an export, a function of this realm
 */
function publishModuleNamespace(getterOf) {
  const find = guarded(getterOf);
  /** @type {any} */
  const getters = { __proto__: null };
  /** @type {any} */
  const target = { __proto__: null };
  const isExported = (/** @type {any} */ name) => typeof name === 'string' && name in target;
  const read = (/** @type {string} */ name) => {
    const getter = getters[name] ??= find(name);
    return getter();
  };
  const namespace = new OwnProxy(target, /** @type {any} */ ({
    __proto__: null,
    setPrototypeOf: (/** @type {any} */ _, /** @type {any} */ prototype) => prototype === null,
    getOwnPropertyDescriptor: (/** @type {any} */ _, /** @type {any} */ name) => isExported(name)
      ? { __proto__: null, value: read(name), writable: true, enumerable: true, configurable: false } : getOwnPropertyDescriptor(target, name),
    defineProperty(/** @type {any} */ _, /** @type {any} */ name, /** @type {any} */ descriptor) {
      if (!isExported(name)) return defineProperty(target, name, descriptor);
      const value = read(name);
      // What it does not have a script may have put behind it.
      const own = (/** @type {string} */ member, /** @type {any} */ otherwise) => getOwnPropertyDescriptor(descriptor, member) === undefined ? otherwise : descriptor[member];
      if (own('configurable', false) || !own('enumerable', true) || own('get', key) !== key || own('set', key) !== key || !own('writable', true)) return false;
      return isSame(own('value', value), value);
    },
    get: (/** @type {any} */ _, /** @type {any} */ name) => isExported(name) ? read(name) : target[name],
    set: () => false,
  }));
  return {
    __proto__: null, namespace,
    /** @param {string[]} names in their order */
    fill(names) {
      for (const name of names) defineProperty(target, name, { __proto__: null, value: undefined, enumerable: true, writable: true, configurable: false });
      defineProperty(target, toStringTagSymbol, { __proto__: null, value: 'Module', enumerable: false, writable: false, configurable: false });
      preventExtensions(target);
    },
  };
}

/** @param {() => void} callback of the runtime's, a microtask later */
function later(callback) { runSoon(guarded(callback)); }

/**
 * A member that is made when it is first touched.
 * @param {object} object @param {string} name @param {() => any} make @param {boolean} [enumerable]
 */
function defineLazy(object, name, make, enumerable = true) {
  const keep = (/** @type {any} */ value) => { define(object, name, value, enumerable); };
  defineAccessor(object, name, guarded(() => {
    const value = make();
    keep(value);
    return value;
  }), keep, enumerable);
}

/**
 * A promise, and what settles it: functions of this realm.
 * @param {boolean} [isHandled] nobody is to be told that nobody handles its rejection
 */
function deferred(isHandled = false) {
  /** @type {any} */
  let resolve, reject;
  const promise = new OwnPromise((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  if (isHandled) {
    define(promise, 'constructor', undefined);
    apply(promiseThen, promise, [undefined, () => {}]);
    delete /** @type {any} */ (promise).constructor;
  }
  return { __proto__: null, promise, resolve, reject };
}

/**
 * The function through which native code walks an iterable: with true it gives the next element in an array, or an
 * empty one at the end; with false it ends.
 * @param {any} iterable @param {any} begin
 */
function pullerOf(iterable, begin) {
  /** @type {any} */
  let iterator;
  return (/** @type {boolean} */ goesOn) => makePromise((resolve, reject) => {
    if (!goesOn) return settle(iterator === undefined ? undefined : iterator.return?.(), () => resolve([]), reject);
    iterator ??= apply(begin, iterable, []);
    settle(iterator.next(), (result) => {
      try {
        const { done, value } = result;
        if (done) resolve([]); else settle(value, (element) => resolve([element]), reject);
      } catch (error) { reject(clean(error)); }
    }, reject);
  });
}

/**
 * @param {any} signal of whatever make @param {() => void} listener
 * @returns {() => void} ends the listening
 */
function listenForAbort(signal, listener) {
  const told = guarded(listener);
  const onAbort = () => told();
  signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener?.('abort', onAbort);
}

/**
 * What is thrown where nobody catches it.
 * @param {any} error
 */
async function surface(error) { throw error; }

/** @param {() => void} callback a script's */
async function runSoon(callback) {
  await undefined;
  callback();
}

/**
 * A generator of what `next` gives, until that is null.
 * @param {string} name @param {(levels: number) => void} look @param {() => Promise<any>} next
 */
function publishGenerator(name, look, next) {
  const ask = guarded(next);
  const made = { async *[name]() { for (let item = await ask(); item !== null; item = await ask()) yield item; } }[name];
  return needingStack(made, guarded(look));
}

/**
 * What fails inside of a generator is its end: it is not asked where the stack ends.
 * @param {any} made a function that gives an asynchronous generator @param {(levels: number) => void} look
 */
function needingStack(made, look) {
  const { next } = made.prototype;
  let levels = COLD_LEVELS;
  define(made.prototype, 'next', { next() {
    look(levels);
    const item = apply(next, this, []);
    levels = 4;
    return item;
  } }.next);
  return made;
}

/** An object to be filled: it inherits nothing until it is given `Object.prototype`. */
function bareObject() { return { __proto__: null }; }

/** @type {any} */
const generatorPrototype = getPrototypeOf(function* () {}.prototype);
/** @type {any} */
const asyncGeneratorPrototype = getPrototypeOf(async function* () {}.prototype);
opaquePrototypes.set(generatorPrototype, 'generator');
opaquePrototypes.set(asyncGeneratorPrototype, 'generator');
opaquePrototypes.set(Stream.prototype, 'stream');
opaquePrototypes.set(ModuleEvent.prototype, 'event of a module');
opaquePrototypes.set(sharedPrototype, 'object of native code');

const { next: generatorNext, throw: generatorThrow } = generatorPrototype;
const { next: asyncGeneratorNext, return: asyncGeneratorReturn } = asyncGeneratorPrototype;
const functionText = Function.prototype.toString;

/**
 * Runs the body of a module that awaits: each of its steps gives what is awaited.
 * @param {any} generator
 */
async function runAwaiting(generator) {
  let step = apply(generatorNext, generator, []);
  while (!step.done) {
    let resume = generatorNext, value;
    try { value = await step.value; } catch (error) {
      resume = generatorThrow;
      value = error;
    }
    step = apply(resume, generator, [value]);
  }
}

/**
 * The iteration of a module's `for await`, for whoever awaits each of these.
 * @param {any} iterable
 */
function walk(iterable) {
  const steps = elementsOf(iterable);
  const end = () => apply(asyncGeneratorReturn, steps, [undefined]);
  return {
    __proto__: null,
    next: () => apply(asyncGeneratorNext, steps, []),
    end,
    /** What fails meanwhile is told, not what fails at the end. */
    async fail() { try { await end(); } catch {} },
  };
}

/** @param {any} iterable */
async function* elementsOf(iterable) { yield* iterable; }

/** @returns {any[]} the same for an array */
function bareArray() {
  /** @type {any[]} */
  const array = [];
  setPrototypeOf(array, null);
  return array;
}

const { ArrayBuffer: OwnArrayBuffer } = globalThis;

/**
 * Has scripts ask before they make a buffer that can be resized.
 * @param {(maxByteLength: number) => void} look may throw
 */
function lookBeforeResizableBuffers(look) {
  const check = guarded(look);
  /** @type {any} */
  const made = new OwnProxy(OwnArrayBuffer, {
    // @ts-expect-error Scripts may set members on `Object.prototype`, which are not to be traps.
    __proto__: null,
    construct(_, values, newTarget) {
      const length = values.length > 0 ? values[0] : undefined, options = values.length > 1 ? values[1] : undefined;
      const Class = /** @type {Function} */ (newTarget) === made ? OwnArrayBuffer : newTarget;
      if ((typeof options !== 'object' && typeof options !== 'function') || options === null) return construct(OwnArrayBuffer, [length], Class);
      // Read once, and in the order of the language.
      const byteLength = +length;
      let { maxByteLength } = options;
      if (maxByteLength !== undefined) check(maxByteLength = +maxByteLength);
      return construct(OwnArrayBuffer, [byteLength, { __proto__: null, maxByteLength }], Class);
    },
  });
  define(globalThis, 'ArrayBuffer', made);
  define(OwnArrayBuffer.prototype, 'constructor', made);
}

const elementConstructors = {
  __proto__: null, Uint8Array, Int8Array, Uint16Array, Int16Array, Uint32Array, Int32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array,
};

// @ts-expect-error The file is the body of a function.
return {
  __proto__: null,
  addRealm, clean, isOwnFrame, define, defineAccessor, defineLazy, publishFunction, publishConstructible, publishProxy, publishSharedClass, publishLookup, publishRefusingLookup, settle, makePromise, walkable, handleOf, pullerOf,
  asyncDisposeSymbol, disposeSymbol, defineConstant, defineForever, defineTag, publishInterface, makeInstance, makeErrorInstance, implantOf: Implants.of, deferred,
  listenForAbort, surface, COLD_LEVELS, lookBeforeResizableBuffers, runSoon, later, publishModuleNamespace, publishGenerator, opaquePrototypes, bareObject, bareArray,
  makeStream: (/** @type {any} */ pull, /** @type {any} */ end) => new Stream(key, guarded(pull), guarded(end)),
  makeEvent: (/** @type {any} */ listen, /** @type {any} */ loop) => new ModuleEvent(key, guarded(listen), guarded(loop)),
  makeObject: (/** @type {any} */ Class, /** @type {any} */ handle) => new Handles(new Class(key), handle),
  makeSubscription(/** @type {() => void} */ remove) {
    const end = guarded(remove);
    return { __proto__: subscriptionPrototype, remove() { end(); } };
  },
  /** Loops over events look for room on the stack first. */
  lookBeforeEvents(/** @type {any} */ look) { needingStack(/** @type {any} */ (ModuleEvent.prototype)[asyncIteratorSymbol], guarded(look)); },
  // All that the runtime sets on an object of a script's: the trap of a proxy is given one of the realm that sets.
  assign(/** @type {any} */ object, /** @type {string} */ name, /** @type {any} */ value) { object[name] = value; },
  /** As `Reflect.defineProperty`. */
  defineAs: (/** @type {any} */ object, /** @type {PropertyKey} */ key, /** @type {object} */ descriptor) => defineProperty(object, key, { __proto__: null, ...descriptor }),
  // What a module reads of another's.
  valueGetter: (/** @type {any} */ value) => () => value,
  memberGetter: (/** @type {any} */ object, /** @type {string} */ name) => () => object[name],
  exportsGetter: (/** @type {any} */ holder) => () => holder.module.exports,
  exportGetter: (/** @type {any} */ holder, /** @type {string} */ name) => () => {
    const { exports } = holder.module;
    return exports === null || exports === undefined ? undefined : exports[name];
  },
  runAwaiting, walk,
  textOf: (/** @type {any} */ made) => apply(functionText, made, []),
  nameDefault: (/** @type {any} */ made) => defineProperty(made, 'name', { __proto__: null, value: 'default', enumerable: false, writable: false, configurable: true }),
  // The elements and members of one of the runtime's, in one of the script's.
  publishArray: (/** @type {any[]} */ array) => [...array],
  publishObject: (/** @type {object} */ object) => ({ ...object }),
  arrayOf1: (/** @type {any} */ a) => [a],
  arrayOf2: (/** @type {any} */ a, /** @type {any} */ b) => [a, b],
  arrayOf3: (/** @type {any} */ a, /** @type {any} */ b, /** @type {any} */ c) => [a, b, c],
  iteration: (/** @type {any} */ value, /** @type {boolean} */ done) => ({ value, done }),
  intrinsics: {
    __proto__: null, Promise: OwnPromise, Error: OwnError, RangeError: OwnRangeError, TypeError: OwnTypeError, SyntaxError, ReferenceError, Function, Date,
    ArrayBuffer: OwnArrayBuffer, transferBuffer: OwnArrayBuffer.prototype.transfer, viewConstructors: { __proto__: null, ...elementConstructors, DataView, Uint8ClampedArray, Float16Array: globalThis.Float16Array },
    iteratorPrototype: getPrototypeOf(generatorPrototype), asyncIteratorPrototype: getPrototypeOf(asyncGeneratorPrototype),
    elementConstructors, errorPrototype, regExpPrototype: RegExp.prototype, objectPrototype, arrayPrototype: Array.prototype, globalThis, parseJSON, generatorNext,
  },
};
