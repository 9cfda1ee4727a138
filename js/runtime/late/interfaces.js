// Classes as Web IDL has them: what a script holds is of its own realm, what stands behind it is an object of a class here.
(() => {
  const { publishInterface, makeInstance, makeErrorInstance, implantOf, deferred } = border;

  /** @typedef {InterfaceDefinition} Definition */

  /** By the classes of what stands behind their instances. @type {Map<any, Definition>} */
  const definitions = new Map();

  /**
   * What `console.log` shows of an instance: read without any code of the script's.
   * @param {any} value @returns {{members: [string, any][], pairs: [any, any][]} | undefined} of anything else
   */
  function shownOf(value) {
    const data = implantOf(value);
    if (!isObject(data)) return undefined;
    /** @type {[string, any][]} */
    const members = [];
    /** @type {[any, any][]} */
    let pairs = [], isInstance = false;
    for (let Data = data.constructor; typeof Data === 'function'; Data = Reflect.getPrototypeOf(Data)) {
      const definition = definitions.get(Data);
      if (definition === undefined || definition.isError) continue;
      isInstance = true;
      const { attributes = {}, shown = [], shownPairs } = definition;
      members.unshift(...shown.map((/** @type {string} */ key) => /** @type {[string, any]} */ ([key, attributes[key][0](data)])));
      if (shownPairs !== undefined) pairs = shownPairs(data);
    }
    return isInstance ? { members, pairs } : undefined;
  }

  /**
   * @param {string} name @param {any} Data the class of what stands behind its instances @param {Definition} definition
   * @returns {{made: any, dataOf: (value: any) => any, make: (data: any) => any}}
   */
  function defineInterface(name, Data, definition) {
    const { length = 0, parent, isError = false, construct } = definition;
    const made = publishInterface(name, length, /** @this {any} @param {any[]} values */ function (...values) {
      if (construct === undefined) throw new ScriptTypeError(`${name} is not made by 'new'`);
      needCount(name, length, values);
      needStack(COLD_LEVELS);
      return construct(this, ...values);
    }, parent, isError);
    const dataOf = (/** @type {any} */ value) => {
      const data = implantOf(value);
      return data instanceof Data ? data : undefined;
    };
    defineMembers(name, made, dataOf, definition);
    definitions.set(Data, definition);
    const { prototype } = made;
    return { made, dataOf, make: (data) => isError ? makeErrorInstance(prototype, data) : makeInstance(prototype, data) };
  }

  /** @param {string} name @param {any} made @param {(value: any) => any} dataOf @param {Definition} definition */
  function defineMembers(name, made, dataOf, { attributes = {}, promiseAttributes = {}, operations = {}, promises = {}, statics = {}, constants = {} }) {
    const { prototype } = made;
    const dataFor = (/** @type {any} */ self, /** @type {string} */ member) => {
      const data = dataOf(self);
      if (data === undefined) throw new ScriptTypeError(`${name}.${member}: expected to be called on ${name}`);
      return data;
    };
    for (const [key, [get, set]] of Object.entries(attributes)) {
      defineAccessor(prototype, key, publishFunction(`get ${key}`, 0, /** @this {any} */ function () { return get(dataFor(this, key)); }),
        set && publishFunction(`set ${key}`, 1, /** @this {any} @param {any[]} values */ function (...values) {
          const data = dataFor(this, key);
          needCount(`${name}.${key}`, 1, values);
          set(data, values[0]);
        }), true);
    }
    for (const [key, get] of Object.entries(promiseAttributes)) {
      defineAccessor(prototype, key, publishFunction(`get ${key}`, 0, /** @this {any} */ function () {
        const data = dataOf(this);
        return data === undefined ? rejected(new ScriptTypeError(`${name}.${key}: expected to be called on ${name}`)) : get(data);
      }), undefined, true);
    }
    for (const [key, body] of Object.entries(operations)) define(prototype, key, operation(key, body, (self) => dataFor(self, key)), true);
    for (const [key, body] of Object.entries(promises)) {
      const run = operation(key, body, (self) => dataFor(self, key));
      define(prototype, key, publishFunction(key, run.length, /** @this {any} @param {any[]} values */ function (...values) {
        try { return apply(run, this, values); } catch (error) { return rejected(clean(error)); }
      }), true);
    }
    for (const [key, body] of Object.entries(statics)) {
      define(made, key, publishFunction(key, body.length, /** @param {any[]} values */ (...values) => {
        needCount(`${name}.${key}`, body.length, values);
        needStack(COLD_LEVELS);
        return body(...values);
      }), true);
    }
    for (const [key, value] of Object.entries(constants)) for (const object of [made, prototype]) border.defineConstant(object, key, value);
  }

  /** @param {string} key @param {(data: any, ...values: any[]) => any} body @param {(self: any) => any} dataFor */
  function operation(key, body, dataFor) {
    const count = Math.max(0, body.length - 1);
    return publishFunction(key, count, /** @this {any} @param {any[]} values */ function (...values) {
      const data = dataFor(this);
      needCount(key, count, values);
      needStack(4);
      return body(data, ...values);
    });
  }

  /** @param {string} title @param {number} count @param {any[]} values */
  function needCount(title, count, values) {
    if (values.length < count) throw new ScriptTypeError(`${title}: ${count} argument${count === 1 ? '' : 's'} needed, got ${values.length}`);
  }

  /** @param {any} error @returns {any} a promise of the script's */
  function rejected(error) {
    const { promise, reject } = deferred();
    reject(error);
    return promise;
  }

  /** @param {any} value @returns {any} */
  function resolved(value) {
    const { promise, resolve } = deferred();
    resolve(value);
    return promise;
  }

  /**
   * What Web IDL calls a dictionary: undefined and null are an empty one.
   * @param {any} value @param {string} title @returns {any}
   */
  function dictionary(value, title) {
    if (value === undefined || value === null) return Object.create(null);
    if (!isObject(value)) throw new ScriptTypeError(`${title}: expected object, got ${describeValue(value)}`);
    return value;
  }

  /** @param {any} value @returns {string} `value` as text; a Symbol throws */
  function text(value) { return `${value}`; }

  /** @param {any} value @returns {string} the same without lone surrogates */
  function scalarText(value) { return `${value}`.toWellFormed(); }

  /**
   * Gives an interface `entries`, `keys`, `values`, `forEach` and iteration over pairs.
   * @param {string} name @param {any} made @param {(value: any) => any} dataOf
   * @param {(data: any) => [any, any][]} pairsOf as they are now: looked at anew at each step
   */
  function definePairs(name, made, dataOf, pairsOf) {
    class Steps { index = 0; constructor(/** @type {any} */ data, /** @type {number} */ kind) { this.data = data; this.kind = kind; } }
    const iterators = border.bareObject();
    Reflect.setPrototypeOf(iterators, border.intrinsics.iteratorPrototype);
    define(iterators, 'next', publishFunction('next', 0, /** @this {any} */ function () {
      const steps = implantOf(this);
      if (!(steps instanceof Steps)) throw new ScriptTypeError(`next: expected to be called on an iterator of ${name}`);
      const pairs = pairsOf(steps.data);
      if (steps.index >= pairs.length) return iteration(undefined, true);
      const [key, value] = pairs[steps.index++];
      return iteration(steps.kind === 0 ? key : steps.kind === 1 ? value : arrayOf2(key, value), false);
    }), true);
    border.defineTag(iterators, `${name} Iterator`);
    const start = (/** @type {any} */ self, /** @type {string} */ key, /** @type {number} */ kind) => {
      const data = dataOf(self);
      if (data === undefined) throw new ScriptTypeError(`${name}.${key}: expected to be called on ${name}`);
      return makeInstance(iterators, new Steps(data, kind));
    };
    for (const [kind, key] of ['keys', 'values', 'entries'].entries()) {
      define(made.prototype, key, publishFunction(key, 0, /** @this {any} */ function () { return start(this, key, kind); }), true);
    }
    define(made.prototype, Symbol.iterator, made.prototype.entries);
    define(made.prototype, 'forEach', publishFunction('forEach', 1, /** @this {any} @param {any[]} values */ function (...values) {
      const data = dataOf(this), [callback, self] = values;
      if (data === undefined) throw new ScriptTypeError(`${name}.forEach: expected to be called on ${name}`);
      if (typeof callback !== 'function') throw new ScriptTypeError(`${name}.forEach, argument 1 'callback': expected function, got ${describeValue(callback)}`);
      for (let i = 0; i < pairsOf(data).length; i++) {
        const [key, value] = pairsOf(data)[i];
        apply(callback, self, [value, key, this]);
      }
    }), true);
  }

  return { defineInterface, definePairs, shownOf, rejected, resolved, dictionary, text, scalarText, needCount };
})()
