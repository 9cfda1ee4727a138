/// A script that replaces built-ins, one own property after the other, in each of some ways, and puts them back.
///
/// It takes `globalThis.isForeign`, which tells an object of another realm, and leaves `globalThis.attacks`:
/// `count`, `begin(index, kind, meddle)`, where `meddle` is what a re-entering attack does, `end()`, which gives the text of what the
/// attack was handed of that realm, and `hits`, how many times the replacements were asked.
public let attackHarness = """
  (() => {
    const { apply, defineProperty, deleteProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
    const isForeign = globalThis.isForeign;
    delete globalThis.isForeign;
    let leaks = '', hits = 0, isWatching = false, attacked;

    const note = (value, where) => {
      if ((typeof value === 'object' && value !== null || typeof value === 'function') && isForeign(value)) leaks += where + ' ';
    };

    // What can be replaced: own properties of the built-ins, and names that the runtime uses, where they are inherited from.
    const targets = [], seen = new Set();
    const visit = (object, path) => {
      if ((typeof object !== 'object' && typeof object !== 'function') || object === null || seen.has(object)) return;
      seen.add(object);
      for (const key of ownKeys(object)) {
        const descriptor = getOwnPropertyDescriptor(object, key);
        const name = `${path}.${typeof key === 'symbol' ? `[${key.description}]` : key}`;
        if (path === 'globalThis' && ['NativeModules', 'trestle', 'attacks', 'exercise'].includes(key)) continue;
        if (descriptor.configurable) targets.push({ object, key, name, descriptor });
        visit(descriptor.value, name); visit(descriptor.get, name); visit(descriptor.set, name);
      }
      visit(getPrototypeOf(object), `${path}.__proto__`);
    };
    const isBuiltIn = (name) => !/^(native|__|_)|Bridge/.test(name);
    for (const name of Object.getOwnPropertyNames(globalThis).filter(isBuiltIn)) visit(globalThis[name], name);
    for (const hidden of [async function () {}, function* () {}, async function* () {}, [][Symbol.iterator](), new Map().keys(), new Set().keys(), ''[Symbol.iterator]()]) visit(getPrototypeOf(hidden), 'hidden');
    for (const [prototype, path] of [[Object.prototype, 'Object.prototype'], [Array.prototype, 'Array.prototype'], [Function.prototype, 'Function.prototype'], [Promise.prototype, 'Promise.prototype'], [Error.prototype, 'Error.prototype']]) {
      for (const key of ['0', '1', '2', '3', 'then', 'get', 'set', 'value', 'done', 'kind', 'of', 'id', 'low', 'high', 'big', 'methods', 'parameters', 'schema', 'name', 'optional', 'expected',
        'sources', 'events', 'hasConstants', 'number', 'signal', 'aborted', 'reason', 'object', 'operation', 'keeps', 'x', 'y', 'code', 'cause', 'properties', 'waits', 'call', 'resolve', 'reject',
        'enumerable', 'configurable', 'writable', 'receiver', 'classID', 'received', 'discriminator', 'allowed', 'elements', Symbol.iterator, Symbol.asyncIterator, Symbol.toPrimitive, Symbol.species, Symbol.hasInstance]) {
        if (getOwnPropertyDescriptor(prototype, key) === undefined) targets.push({ object: prototype, key, name: `${path}.${String(key)}`, descriptor: undefined });
      }
    }

    function make(kind, { name, descriptor }, meddle) {
      const before = descriptor === undefined ? undefined : descriptor.value;
      let depth = 0, kept = before;
      const act = (receiver, values) => {
        note(receiver, `this of ${name}`);
        for (let i = 0; i < values.length; i++) note(values[i], `argument ${i} of ${name}`);
        if (!isWatching) return;
      hits++;
        if (kind === 'throwing') throw `attack on ${name}`;
        if (kind === 'endless') for (;;);
        if (kind === 'reentering' && depth < 2) {
          depth++;
          try { meddle(); } catch {} finally { depth--; }
        }
      };
      const original = (self, values) => descriptor !== undefined && descriptor.get !== undefined ? apply(descriptor.get, self, values) : kept;
      const called = typeof before !== 'function' ? before : new Proxy(before, {
        apply(target, self, values) { act(self, values); return kind === 'lying' && isWatching ? undefined : apply(target, self, values); },
        construct(target, values, newTarget) { act(newTarget, values); return Reflect.construct(target, values, newTarget); },
      });
      return {
        configurable: true, enumerable: descriptor === undefined ? false : descriptor.enumerable,
        get() { act(this, []); return kind === 'lying' && isWatching ? 1e9 : kept === before && typeof before === 'function' ? called : original(this, []); },
        set(value) { act(this, [value]); if (descriptor !== undefined && descriptor.set !== undefined) apply(descriptor.set, this, [value]); else kept = value; },
      };
    }

    globalThis.attacks = {
      count: targets.length,
      get hits() { return hits; },
      begin(index, kind, meddle) {
        attacked = targets[index];
        const replacement = make(kind, attacked, meddle);
        if (!defineProperty(attacked.object, attacked.key, replacement)) attacked = undefined;
        isWatching = true;
      },
      end() {
        isWatching = false;
        if (attacked === undefined) return '';
        if (attacked.descriptor === undefined) deleteProperty(attacked.object, attacked.key);
        else defineProperty(attacked.object, attacked.key, attacked.descriptor);
        const found = leaks;
        leaks = '';
        return found === '' ? '' : `${attacked.name}: ${found}`;
      },
    };
  })()
  """
