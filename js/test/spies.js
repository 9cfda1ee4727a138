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

/** @param {((...values: any[]) => any)} [original] @returns {any} */
function fn(original) {
  /** @type {any} */
  let implementation = original;
  /** @type {any[]} */
  let once = [];
  let name = original?.name || 'fn';
  /** @type {Record<string, any[]>} */
  const state = handedOver({ calls: [], results: [], contexts: [], instances: [], invocationCallOrder: [] });

  /** @this {any} @param {...any} values */
  function mocked(...values) {
    const result = handedOver({ type: 'incomplete', value: /** @type {any} */ (undefined) });
    append(state.calls, given(values, ScriptArray));
    append(state.contexts, this);
    append(state.instances, this);
    append(state.invocationCallOrder, ++lastCallOrder);
    append(state.results, result);
    const answer = once.length > 0 ? once.shift() : implementation;
    try {
      if (answer !== undefined && answer !== null && typeof answer !== 'function') throw new ScriptTypeError(`${name}: expected a function to answer with, got ${brief(answer)}`);
      // As a constructor it gives the object that the answer makes, or its own.
      const value = new.target !== undefined && answer !== undefined && /^class\b/.test(Function.prototype.toString.call(answer))
        ? Reflect.construct(answer, values, new.target) : answer === undefined || answer === null ? undefined : Reflect.apply(answer, this, values);
      result.type = 'return';
      result.value = value;
      return value;
    } catch (error) {
      result.type = 'throw';
      result.value = error;
      throw error;
    }
  }

  const clear = () => { for (const list of Object.values(state)) list.length = 0; };
  const answers = (/** @type {any} */ answer) => {
    implementation = handedOver(answer);
    return mocked;
  };
  const answersOnce = (/** @type {any} */ answer) => {
    once.push(answer);
    return mocked;
  };
  Object.assign(mocked, {
    mock: Object.defineProperty(state, 'lastCall', { get: handedOver(() => state.calls[state.calls.length - 1]) }),
    getMockName: () => name,
    getMockImplementation: () => implementation,
    mockName(/** @type {string} */ given) {
      name = given;
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
    mockRestore() { return /** @type {any} */ (mocked).mockReset(); },
    mockImplementation: answers,
    mockImplementationOnce: answersOnce,
    mockReturnThis: () => answers(/** @this {any} */ function () { return this; }),
    mockReturnValue: (/** @type {any} */ value) => answers(() => value),
    mockReturnValueOnce: (/** @type {any} */ value) => answersOnce(() => value),
    mockResolvedValue: (/** @type {any} */ value) => answers(() => promiseOf((resolve) => resolve(value))),
    mockResolvedValueOnce: (/** @type {any} */ value) => answersOnce(() => promiseOf((resolve) => resolve(value))),
    mockRejectedValue: (/** @type {any} */ error) => answers(() => promiseOf((_, reject) => reject(error))),
    mockRejectedValueOnce: (/** @type {any} */ error) => answersOnce(() => promiseOf((_, reject) => reject(error))),
  });
  Object.defineProperty(mocked, 'name', { value: name, configurable: true });
  handedOver(mocked);
  allMocks.add(mocked);
  liveMocks.add(mocked);
  return mocked;
}

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
  if (!Reflect.defineProperty(object, key, replacement)) throw new ScriptTypeError(`spyOn: '${String(key)}' cannot be replaced; what a module exports is read-only`);
  mocked.mockRestore = exposed(() => {
    if (own === undefined) delete object[key];
    else Object.defineProperty(object, key, own);
    return mocked.mockReset();
  });
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
