// Functions that keep their calls, and answer as a test wishes. The words are those of Jest.

/** @type {WeakSet<Function>} */
const allMocks = new WeakSet();
/**
 * Those that can be forgotten or put back together.
 * @type {Set<any>}
 */
const liveMocks = new Set();
let lastCallOrder = 0;

/** @param {any} value */
function isMock(value) { return typeof value === 'function' && allMocks.has(value); }

/**
 * @param {string} call @param {any} answer
 */
function requireAnswer(call, answer) { requireArgument(call, 'a function', answer === undefined || answer === null || typeof answer === 'function', answer); }

/**
 * A mock, and all that is set on it later, is made by `border`.
 * @param {((...values: any[]) => any)} [original] @returns {any}
 */
function fn(original) {
  requireAnswer('mock.fn', original);
  /** @type {any} */
  let implementation = original;
  /** @type {any[]} */
  let once = [];
  let name = functionName(original);
  /** @type {any} */
  const state = published({ calls: [], results: [], contexts: [], instances: [], invocationCallOrder: [] });
  defineAccessor(state, 'lastCall', exposed(() => state.calls[state.calls.length - 1]));

  const mocked = publishConstructible(name, /** @this {{self: any, target: any}} @param {...any} values */ function (...values) {
    const { self, target } = this;
    const result = published({ type: 'incomplete', value: undefined });
    append(state.calls, publishArray(values));
    append(state.contexts, self);
    append(state.instances, self);
    append(state.invocationCallOrder, ++lastCallOrder);
    append(state.results, result);
    const end = (/** @type {string} */ type, /** @type {any} */ value) => {
      assign(result, 'type', type);
      assign(result, 'value', value);
    };
    const answer = once.length > 0 ? once.shift() : implementation;
    try {
      // As a constructor it gives the object that the answer makes, or its own.
      const value = answer === undefined || answer === null ? undefined
        : target !== undefined && /^class\b/.test(Function.prototype.toString.call(answer)) ? Reflect.construct(answer, values, target) : Reflect.apply(answer, self, values);
      end('return', value);
      return value;
    } catch (error) {
      end('throw', clean(error));
      throw error;
    }
  });

  const clear = () => { for (const list of Object.values(state)) assign(list, 'length', 0); };
  const answers = (/** @type {any} */ answer) => {
    implementation = published(answer);
    return mocked;
  };
  const answersOnce = (/** @type {any} */ answer) => {
    once.push(answer);
    return mocked;
  };
  const resolved = (/** @type {any} */ value) => () => promiseOf((/** @type {(value: any) => void} */ resolve) => resolve(value));
  const rejected = (/** @type {any} */ error) => () => promiseOf((/** @type {any} */ _, /** @type {(reason: any) => void} */ reject) => reject(error));
  /** @type {Record<string, any>} */
  const members = {
    mock: state,
    getMockName: () => name,
    getMockImplementation: () => implementation,
    mockName(/** @type {any} */ given) {
      name = String(given);
      return mocked;
    },
    mockClear() {
      clear();
      return mocked;
    },
    mockReset() {
      clear();
      once = [];
      return answers(original);
    },
    mockRestore() { return mocked.mockReset(); },
    mockImplementation(/** @type {any} */ answer) {
      requireAnswer('mockImplementation', answer);
      return answers(answer);
    },
    mockImplementationOnce(/** @type {any} */ answer) {
      requireAnswer('mockImplementationOnce', answer);
      return answersOnce(answer);
    },
    mockReturnThis: () => answers(/** @this {any} */ function () { return this; }),
    mockReturnValue: (/** @type {any} */ value) => answers(() => value),
    mockReturnValueOnce: (/** @type {any} */ value) => answersOnce(() => value),
    mockResolvedValue: (/** @type {any} */ value) => answers(resolved(value)),
    mockResolvedValueOnce: (/** @type {any} */ value) => answersOnce(resolved(value)),
    mockRejectedValue: (/** @type {any} */ error) => answers(rejected(error)),
    mockRejectedValueOnce: (/** @type {any} */ error) => answersOnce(rejected(error)),
  };
  for (const [key, member] of Object.entries(members)) define(mocked, key, published(member), true);
  allMocks.add(mocked);
  liveMocks.add(mocked);
  return mocked;
}

/** @param {any} original @returns {string} */
function functionName(original) { return typeof original?.name === 'string' && original.name || 'fn'; }

/**
 * Puts a mock in the place of a method, which goes on as it is unless it is given another answer.
 * @param {any} object @param {PropertyKey} key @param {'get' | 'set'} [access] of a property in place of a method
 */
function spyOn(object, key, access) {
  requireArgument('spyOn', 'an object', isObject(object), object);
  // Read first: what is made when it is first touched is there then.
  const value = access === undefined ? object[key] : undefined;
  let owner = object;
  while (owner !== null && !Object.prototype.hasOwnProperty.call(owner, key)) owner = Object.getPrototypeOf(owner);
  const descriptor = owner === null ? undefined : Object.getOwnPropertyDescriptor(owner, key);
  if (descriptor === undefined) throw new ScriptTypeError(`spyOn: there is no member '${String(key)}'`);
  const original = access === undefined ? value : descriptor[access];
  if (typeof original !== 'function') throw new ScriptTypeError(`spyOn: '${String(key)}' is no ${access === undefined ? 'function' : `property with '${access}'`}, but ${brief(original)}`);
  if (isMock(original)) return original;
  const own = Object.getOwnPropertyDescriptor(object, key);
  const mocked = fn(original);
  mocked.mockName(String(key));
  const replacement = access === undefined
    ? { value: mocked, writable: true, enumerable: descriptor.enumerable, configurable: true } : { ...descriptor, [access]: mocked, configurable: true };
  if (!defineAs(object, key, replacement)) throw new ScriptTypeError(`spyOn: '${String(key)}' cannot be replaced; what a module exports is read-only`);
  define(mocked, 'mockRestore', exposed(() => {
    const isPutBack = own === undefined ? Reflect.deleteProperty(object, key) : defineAs(object, key, own);
    if (!isPutBack) throw new ScriptTypeError(`mockRestore: '${String(key)}' cannot be put back; the object has been frozen, or does not let go of it`);
    return mocked.mockReset();
  }), true);
  return mocked;
}

/** @param {any} value @param {string} matcher */
function requireMock(value, matcher) { requireArgument(`expect(…).${matcher}`, 'a mock function', isMock(value), value); }

/** @param {any} mocked @returns {any[][]} */
function callsOf(mocked) { return ownList(mocked.mock.calls); }

/** @param {any[][]} calls */
function callsText(calls) {
  if (calls.length === 0) return ', and it was not called';
  return `, and it was called ${calls.length === 1 ? 'once' : `${calls.length} times`}: ${calls.slice(0, 4).map((values) => `(${ownList(values).map(brief).join(', ')})`).join(', ')}${calls.length > 4 ? ', …' : ''}`;
}

/** @param {any[]} values */
function argumentsText(values) { return `(${values.map(brief).join(', ')})`; }

/** @param {any} mocked @returns {any[]} what it has returned */
function returnsOf(mocked) { return ownList(mocked.mock.results).filter((/** @type {any} */ one) => one.type === 'return').map((/** @type {any} */ one) => one.value); }

/** @param {number} count */
function times(count) { return count === 1 ? 'once' : `${count} times`; }

/** @type {Record<string, (mocked: any, ...values: any[]) => Verdict>} */
const mockMatchers = {
  toHaveBeenCalled: (mocked) => ({ pass: callsOf(mocked).length > 0, to: `have been called${callsText(callsOf(mocked))}` }),
  toHaveBeenCalledTimes: (mocked, count) => ({ pass: callsOf(mocked).length === count, to: `have been called ${times(count)}${callsText(callsOf(mocked))}` }),
  toHaveBeenCalledWith: (mocked, ...values) => ({ pass: callsOf(mocked).some((/** @type {any[]} */ call) => equals(call, values)), to: `have been called with ${argumentsText(values)}${callsText(callsOf(mocked))}`, diff: callsOf(mocked).length === 1 ? diffOf(values, callsOf(mocked)[0]) : undefined }),
  toHaveBeenLastCalledWith: (mocked, ...values) => ({ pass: equals(callsOf(mocked).at(-1), values), to: `have been called last with ${argumentsText(values)}${callsText(callsOf(mocked))}` }),
  toHaveBeenNthCalledWith: (mocked, number, ...values) => ({ pass: equals(callsOf(mocked)[number - 1], values), to: `have been called with ${argumentsText(values)} at call ${number}${callsText(callsOf(mocked))}` }),
  toHaveReturned: (mocked) => ({ pass: returnsOf(mocked).length > 0, to: 'have returned' }),
  toHaveReturnedTimes: (mocked, count) => ({ pass: returnsOf(mocked).length === count, to: `have returned ${times(count)}, and it did ${times(returnsOf(mocked).length)}` }),
  toHaveReturnedWith: (mocked, value) => ({ pass: returnsOf(mocked).some((one) => equals(one, value)), to: `have returned ${brief(value)}, and it returned ${brief(returnsOf(mocked))}` }),
  toHaveLastReturnedWith: (mocked, value) => ({ pass: equals(returnsOf(mocked).at(-1), value), to: `have returned ${brief(value)} last, and it returned ${brief(returnsOf(mocked).at(-1))}` }),
  toHaveNthReturnedWith: (mocked, number, value) => ({ pass: mocked.mock.results[number - 1]?.type === 'return' && equals(mocked.mock.results[number - 1].value, value), to: `have returned ${brief(value)} at call ${number}` }),
};
