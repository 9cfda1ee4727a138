/// A script that replaces built-ins, many own properties at a time, in one of some ways, and puts them back.
///
/// It takes `globalThis.isForeign`, which tells an object of another realm, and leaves `globalThis.attacks`:
/// `count`, `begin(module, indices, kind)`, `end()`, which gives those of them that were asked for something, `takeLeaks()`, the text of what
/// was handed to them of that realm, and `meddle`, to be set to what a re-entering attack does.
public let attackHarness = """
  (() => {
    const { apply, construct, defineProperty, deleteProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
    const OwnProxy = Proxy;
    const isForeign = globalThis.isForeign;
    delete globalThis.isForeign;
    let leaks = '', isWatching = false, depth = 0, left = 0, generation = 0, begun = [], asked = { __proto__: null };

    const note = (value, place) => {
      if ((typeof value === 'object' && value !== null || typeof value === 'function') && isForeign(value)) leaks += place + ' ';
    };

    // What can be replaced: own properties of the built-ins and of what stands behind the bridge's own objects, and names that the
    // runtime uses, where they are inherited from.
    const ours = ['NativeModules', 'trestle', 'attacks', 'exercise', 'useFreely', 'attackInDelivery'];
    const targets = [], seen = new Set();
    const describe = (object, key) => {
      const descriptor = getOwnPropertyDescriptor(object, key);
      // What is read of it once properties are replaced must not be inherited.
      return descriptor === undefined ? undefined : Object.assign(Object.create(null), descriptor);
    };
    const visit = (object, path) => {
      if ((typeof object !== 'object' && typeof object !== 'function') || object === null || seen.has(object)) return;
      seen.add(object);
      for (const key of ownKeys(object)) {
        if (object === globalThis && ours.includes(key)) continue;
        const descriptor = describe(object, key);
        const name = `${path}.${typeof key === 'symbol' ? `[${key.description}]` : key}`;
        if (descriptor.configurable) targets.push({ object, key, name, descriptor });
        visit(descriptor.value, name); visit(descriptor.get, name); visit(descriptor.set, name);
      }
      visit(getPrototypeOf(object), `${path}.__proto__`);
    };
    const isBuiltIn = (name) => !/^(native|__|_)|Bridge/.test(name) && !ours.includes(name);
    for (const name of Object.getOwnPropertyNames(globalThis).filter(isBuiltIn)) visit(globalThis[name], name);
    for (const hidden of [async function () {}, function* () {}, async function* () {}, [][Symbol.iterator](), new Map().keys(), new Set().keys(), ''[Symbol.iterator]()]) visit(getPrototypeOf(hidden), 'hidden');
    for (const [prototype, path] of [[Object.prototype, 'Object.prototype'], [Array.prototype, 'Array.prototype'], [Function.prototype, 'Function.prototype'], [Promise.prototype, 'Promise.prototype'], [Error.prototype, 'Error.prototype']]) {
      for (const key of ['0', '1', '2', '3', 'then', 'get', 'set', 'value', 'done', 'kind', 'of', 'id', 'low', 'high', 'big', 'methods', 'parameters', 'schema', 'name', 'optional', 'expected',
        'sources', 'events', 'hasConstants', 'number', 'signal', 'aborted', 'reason', 'object', 'operation', 'keeps', 'x', 'y', 'code', 'cause', 'properties', 'waits', 'call', 'resolve', 'reject',
        'enumerable', 'configurable', 'writable', 'receiver', 'classID', 'received', 'discriminator', 'allowed', 'elements', 'transfer', 'data', 'type', 'target', 'once', 'error', 'message', 'capture',
        Symbol.iterator, Symbol.asyncIterator, Symbol.toPrimitive, Symbol.species, Symbol.hasInstance]) {
        if (getOwnPropertyDescriptor(prototype, key) === undefined) targets.push({ object: prototype, key, name: `${path}.${String(key)}`, descriptor: undefined });
      }
    }

    // `instanceof` asks each of them.
    for (const name of Object.getOwnPropertyNames(globalThis).filter(isBuiltIn)) {
      const object = globalThis[name], key = Symbol.hasInstance;
      if (typeof object !== 'function' || getOwnPropertyDescriptor(object, key) !== undefined) continue;
      targets.push({ object, key, name: `${name}.[hasInstance]`, descriptor: undefined });
    }

    const planted = {};
    const make = (kind, index) => {
      const { name, descriptor } = targets[index];
      const before = descriptor === undefined ? undefined : descriptor.value;
      const own = generation;
      let kept = before;
      const act = (receiver, values) => {
        note(receiver, `this of ${name}`);
        for (let i = 0; i < values.length; i++) note(values[i], `argument ${i} of ${name}`);
        // A script may hold what was replaced before.
        if (!isWatching || own !== generation) return;
        asked[index] = true;
        if (kind === 'throwing') throw `attack on ${name}`;
        if (kind === 'endless') for (;;);
        if (kind !== 'tireless' && kind !== 'reentering' || depth >= 2) return;
        // What is called may ask again when it answers.
        do {
          depth++;
          try { if (left-- > 0) attacks.meddle(); } catch {} finally { depth--; }
        } while (kind === 'tireless' && left > 0);
      };
      const isLying = () => kind === 'lying' && isWatching && own === generation;
      // What nobody has there is what everybody inherits now: that again, and so on.
      const isPlanted = () => kind === 'planting' && descriptor === undefined && kept === undefined && isWatching && own === generation;
      const original = (self) => descriptor !== undefined && descriptor.get !== undefined ? apply(descriptor.get, self, []) : kept;
      const called = typeof before !== 'function' ? before : new OwnProxy(before, {
        __proto__: null,
        apply(target, self, values) { act(self, values); return isLying() ? undefined : apply(target, self, values); },
        construct(target, values, newTarget) { act(newTarget, values); return construct(target, values, newTarget); },
      });
      return {
        __proto__: null, configurable: true, enumerable: descriptor === undefined ? false : descriptor.enumerable,
        get() { act(this, []); return isLying() ? 1e9 : isPlanted() ? planted : kept === before && typeof before === 'function' ? called : original(this); },
        set(value) { act(this, [value]); if (descriptor !== undefined && descriptor.set !== undefined) apply(descriptor.set, this, [value]); else kept = value; },
      };
    };

    globalThis.attacks = {
      __proto__: null,
      count: targets.length,
      names: (indices) => indices.map((index) => targets[index].name),
      meddle: () => {},
      begin(indices, kind) {
        depth = 0;
        left = kind === 'tireless' ? 2000 : 200;
        generation++;
        const replacements = indices.map((index) => make(kind, index));
        begun = indices.map((index) => targets[index]);
        for (let i = 0; i < begun.length; i++) defineProperty(begun[i].object, begun[i].key, replacements[i]);
        isWatching = true;
      },
      end() {
        isWatching = false;
        for (let i = begun.length - 1; i >= 0; i--) {
          const { object, key, descriptor } = begun[i];
          if (descriptor === undefined) deleteProperty(object, key); else defineProperty(object, key, descriptor);
        }
        begun = [];
        const all = Object.keys(asked).map(Number);
        asked = { __proto__: null };
        return all;
      },
      takeLeaks() { const found = leaks; leaks = ''; return found; },
    };
  })();
  """

/// A function that tells the objects of the realm in which it is made.
public let foreignCheck = """
  (value) => {
    try { return value === globalThis || value === Object.prototype || Object.prototype.isPrototypeOf.call(Object.prototype, value); }
    catch { return false; }
  }
  """
