// `AbortController` and `AbortSignal`, as the DOM standard has them.
(() => {
  /** @type {InterfaceTools} */
  const { defineInterface } = part('interfaces');
  const { makeException } = part('exceptions');
  /** @type {TargetTools} */
  const { EventTarget, EventData, TargetData, dispatchOwn, handlerAttributes } = part('targets');

  /** What stands behind a signal. */
  class SignalState extends TargetData {
    isAborted = false;
    /** @type {any} */
    reason = undefined;
    /**
     * The runtime's own, told before those of scripts.
     * @type {Set<() => void>}
     */
    followers = new Set();
    /**
     * Signals that are aborted with this one (`AbortSignal.any`).
     * @type {Set<WeakRef<SignalState>>}
     */
    dependents = new Set();
    /**
     * Those of them that somebody listens to: they stay as long as this one does.
     * @type {Set<SignalState>}
     */
    heardDependents = new Set();
    /** @type {Set<SignalState>} */
    sources = new Set();
    /** What this one stands under among the dependents of its sources. */
    reference = new WeakRef(this);
    #isHeard = false;
    /** @type {Set<any> | undefined} The scripts' listeners that were told. */
    #told = new Set();

    /** @param {any} reason @param {number} [levels] of the stack: more than each of those who are told asks for */
    abort(reason, levels = COLD_LEVELS + 1) {
      if (!this.isAborted) {
        needStack(levels);
        const given = reason === undefined ? makeException('AbortError', 'this operation was aborted') : reason;
        this.reason = given;
        // Before anybody is told.
        for (const dependent of this.dependents) dependent.deref()?.mark(given);
        this.isAborted = true;
      }
      // Each is taken out when it was told: where a limit cuts this off, the next call goes on with the rest.
      this.leaveSources();
      for (const follower of this.followers) {
        follower();
        this.followers.delete(follower);
      }
      this.#tellListeners();
      for (const dependent of this.dependents) {
        dependent.deref()?.abort(this.reason, COLD_LEVELS);
        this.dependents.delete(dependent);
      }
    }

    /** @param {any} reason */
    mark(reason) {
      if (this.isAborted) return;
      this.reason = reason;
      this.isAborted = true;
    }

    #tellListeners() {
      if (this.#told === undefined) return;
      needStack(COLD_LEVELS);
      if (this.hears('abort')) dispatchOwn(this, new EventData('abort'), undefined, this.#told);
      this.#told = undefined;
    }

    /**
     * Is aborted with `source`; with what that one follows itself, so that however long a chain of them is, none is behind another.
     * @param {SignalState} source
     */
    follow(source) {
      if (source.sources.size > 0) {
        for (const root of source.sources) this.follow(root);
        return;
      }
      if (this.sources.has(source)) return;
      this.sources.add(source);
      const { reference } = this, from = source.reference;
      source.dependents.add(reference);
      // Neither is kept by this.
      dependentRegistry.register(this, () => { from.deref()?.dependents.delete(reference); }, this);
    }

    leaveSources() {
      if (this.sources.size === 0) return;
      for (const { dependents, heardDependents } of this.sources) {
        dependents.delete(this.reference);
        heardDependents.delete(this);
      }
      dependentRegistry.unregister(this);
      this.sources = new Set();
    }

    /** A signal that others abort must not be collected while somebody listens to it. */
    noteListeners() {
      const isHeard = this.followers.size > 0 || this.hears('abort');
      if (isHeard === this.#isHeard) return;
      this.#isHeard = isHeard;
      for (const { heardDependents } of this.sources) if (isHeard) heardDependents.add(this); else heardDependents.delete(this);
    }
  }

  /** Signals that nobody has any more are forgotten by those that would abort them. */
  const dependentRegistry = new FinalizationRegistry((/** @type {() => void} */ forget) => forget());

  const { made: AbortSignal, dataOf: signalState, make: makeBareSignal } = defineInterface('AbortSignal', SignalState, {
    parent: EventTarget, shown: ['aborted'],
    construct() { throw new ScriptTypeError('AbortSignal is made by AbortController, AbortSignal.abort, any or timeout'); },
    attributes: { aborted: [({ isAborted }) => isAborted], reason: [({ reason }) => reason], ...handlerAttributes('abort') },
    operations: { throwIfAborted(state) { if (state.isAborted) throw state.reason; } },
    statics: {
      abort(reason = undefined) {
        const { signal, state } = makeSignal();
        state.abort(reason);
        return signal;
      },
      timeout(milliseconds) {
        const delay = wholeDelay(milliseconds);
        runPostponed('Timers');
        const { startTimeout } = signalTimers;
        if (startTimeout === undefined) throw new ScriptTypeError("AbortSignal.timeout needs the module 'Timers', which this bridge does not have");
        const { signal, state } = makeSignal();
        startTimeout(delay, () => state.abort(makeException('TimeoutError', `this operation took more than ${delay} ms`)));
        return signal;
      },
      any(signals) {
        needStack(COLD_LEVELS);
        const sources = sourcesOf(signals);
        const { signal, state } = makeSignal();
        const aborted = sources.find(({ isAborted }) => isAborted);
        if (aborted !== undefined) state.abort(aborted.reason);
        else for (const source of sources) state.follow(source);
        return signal;
      },
    },
  });

  /** @param {any} milliseconds */
  function wholeDelay(milliseconds) {
    const delay = Math.trunc(+milliseconds);
    if (!(delay >= 0 && delay <= Number.MAX_SAFE_INTEGER)) {
      throw new ScriptTypeError(`AbortSignal.timeout, argument 1 'milliseconds': expected number of at least 0, got ${describeValue(milliseconds)}`);
    }
    return delay;
  }

  /** @param {any} signals @returns {SignalState[]} */
  function sourcesOf(signals) {
    const begin = isObject(signals) ? signals[Symbol.iterator] : undefined;
    if (typeof begin !== 'function') throw new ScriptTypeError(`AbortSignal.any, argument 1 'signals': expected array, got ${describeValue(signals)}`);
    const sources = [];
    for (const signal of { [Symbol.iterator]: () => apply(begin, signals, []) }) {
      const source = signalState(signal);
      if (source === undefined) throw new ScriptTypeError(`AbortSignal.any, argument 1 'signals[${sources.length}]': expected AbortSignal`);
      sources.push(source);
    }
    return sources;
  }

  /** @returns {{signal: any, state: SignalState}} */
  function makeSignal() {
    const state = new SignalState(undefined), signal = makeBareSignal(state);
    state.self = signal;
    return { signal, state };
  }

  class ControllerData {
    made = makeSignal();
  }

  const { made: AbortController } = defineInterface('AbortController', ControllerData, {
    construct: () => new ControllerData(), shown: ['signal'],
    attributes: { signal: [({ made }) => made.signal] },
    operations: { abort({ made }, reason = undefined) { made.state.abort(reason); } },
  });

  /** @param {any} value also a signal that scripts have brought along */
  function isSignal(value) { return isObject(value) && typeof value.addEventListener === 'function'; }

  /**
   * The signal behind the arguments of a call: by itself or as a member of options.
   * @param {any} options @param {string} module @param {Method} method
   * @returns {any}
   */
  function signalOf(options, module, method) {
    if (typeof options !== 'object' || options === null) failCount(module, method, method.parameters.length + 1);
    if (isSignal(options)) return options;
    checkOptions(module, method, method.parameters.length, ['signal'], options);
    const signal = options.signal;
    if (signal === undefined || isSignal(signal)) return signal;
    throw argumentError(`${module}.${method.name}, argument ${method.parameters.length + 1} 'options.signal': expected AbortSignal, got ${describeValue(signal)}`);
  }

  /**
   * Rejects a call when its signal is aborted, and tells native code, which cancels the task. Its answer, whatever it
   * comes to, is for nobody then; until it has come the slot stays taken.
   * @param {any} signal @param {number} slot
   */
  function followSignal(signal, slot) {
    const resolve = resolves[slot], reject = rejects[slot];
    let isOver = false;
    const onAbort = () => {
      if (isOver) return;
      needStack();
      isOver = true;
      resolves[slot] = rejects[slot] = () => {};
      cancelCall(slot);
      reject(reasonOf(signal));
    };
    let endListening = () => {};
    /** @param {Function} settle */
    const ending = (settle) => (/** @type {any} */ value) => {
      isOver = true;
      settle(value);
      try { endListening(); } catch (error) { surface(clean(error)); }
    };
    resolves[slot] = ending(resolve);
    rejects[slot] = ending(reject);
    // The call is made, whatever a script's own signal does: it is answered, and cannot be aborted.
    try { endListening = followAbort(signal, onAbort); } catch (error) { surface(clean(error)); }
    // By a getter among the arguments, behind the look at it.
    if (signalState(signal)?.isAborted) onAbort();
  }

  /** @param {any} signal also a script's own, whose getter may throw */
  function reasonOf(signal) {
    const state = signalState(signal);
    if (state !== undefined) return state.reason;
    try { return signal.reason; } catch (error) { return error; }
  }

  /**
   * @param {any} signal @param {() => void} listener
   * @returns {() => void} ends the listening
   */
  function followAbort(signal, listener) {
    const state = signalState(signal);
    if (state === undefined) return listenForAbort(signal, listener);
    state.followers.add(listener);
    state.noteListeners();
    return () => {
      state.followers.delete(listener);
      state.noteListeners();
    };
  }

  return { AbortController, AbortSignal, makeSignal, signalState, isSignal, signalOf, followSignal, followAbort, reasonOf };
})()
