// `Event`, `CustomEvent` and `EventTarget`, as the DOM standard has them, for objects without a tree.
(() => {
  /** @type {InterfaceTools} */
  const { defineInterface, dictionary, text } = part('interfaces');
  /** @param {string} name @param {string} message */
  const makeException = (name, message) => part('exceptions').makeException(name, message);

  const NONE = 0, AT_TARGET = 2;

  class EventData {
    bubbles = false;
    cancelable = false;
    composed = false;
    isTrusted = false;
    isInitialized = true;
    isStopped = false;
    isStoppedAtOnce = false;
    isCanceled = false;
    isInPassive = false;
    isDispatching = false;
    phase = NONE;
    /** @type {any} */
    target = null;
    /** @type {any} */
    currentTarget = null;
    timeStamp = native.now() - native.opened;

    /** @param {string} type @param {any} [options] */
    constructor(type, options) {
      this.type = type;
      if (options === undefined) return;
      // In the order of their names.
      this.bubbles = Boolean(options.bubbles);
      this.cancelable = Boolean(options.cancelable);
      this.composed = Boolean(options.composed);
    }

    cancel() { if (this.cancelable && !this.isInPassive) this.isCanceled = true; }

    /** @param {any} type @param {any} bubbles @param {any} cancelable */
    initialize(type, bubbles, cancelable) {
      this.isInitialized = true;
      this.isStopped = this.isStoppedAtOnce = this.isCanceled = this.isTrusted = false;
      this.target = null;
      this.type = type;
      this.bubbles = bubbles;
      this.cancelable = cancelable;
    }
  }

  const getTrusted = publishFunction('get isTrusted', 0, /** @this {any} */ function () {
    const data = eventOf(this);
    if (data === undefined) throw new ScriptTypeError('Event.isTrusted: expected to be called on Event');
    return data.isTrusted;
  });

  /** @param {any} self @param {any} data an event's */
  function begun(self, data) {
    border.defineForever(self, 'isTrusted', getTrusted);
    return data;
  }

  const { made: Event, make: makeBareEvent, dataOf: eventOf } = defineInterface('Event', EventData, {
    length: 1, shown: ['type', 'defaultPrevented', 'cancelable', 'timeStamp'],
    construct: (self, type, options) => begun(self, new EventData(text(type), dictionary(options, "Event, argument 2 'options'"))),
    attributes: {
      type: [({ type }) => type], target: [({ target }) => target], srcElement: [({ target }) => target], currentTarget: [({ currentTarget }) => currentTarget],
      eventPhase: [({ phase }) => phase], bubbles: [({ bubbles }) => bubbles], cancelable: [({ cancelable }) => cancelable],
      defaultPrevented: [({ isCanceled }) => isCanceled], composed: [({ composed }) => composed], timeStamp: [({ timeStamp }) => timeStamp],
      cancelBubble: [({ isStopped }) => isStopped, (event, value) => { if (value) event.isStopped = true; }],
      returnValue: [({ isCanceled }) => !isCanceled, (event, value) => { if (!value) event.cancel(); }],
    },
    operations: {
      composedPath: ({ currentTarget }) => publishArray(currentTarget === null ? [] : [currentTarget]),
      stopPropagation(event) { event.isStopped = true; },
      stopImmediatePropagation(event) { event.isStopped = event.isStoppedAtOnce = true; },
      preventDefault(event) { event.cancel(); },
      initEvent(event, type, bubbles = false, cancelable = false) {
        const name = text(type);
        if (!event.isDispatching) event.initialize(name, Boolean(bubbles), Boolean(cancelable));
      },
    },
    constants: { NONE, CAPTURING_PHASE: 1, AT_TARGET, BUBBLING_PHASE: 3 },
  });

  class CustomEventData extends EventData {
    /** @type {any} */
    detail = null;
  }

  const { made: CustomEvent } = defineInterface('CustomEvent', CustomEventData, {
    length: 1, parent: Event, shown: ['detail'],
    construct(self, type, options) {
      const given = dictionary(options, "CustomEvent, argument 2 'options'"), data = new CustomEventData(text(type), given), { detail } = given;
      data.detail = detail === undefined ? null : detail;
      return begun(self, data);
    },
    attributes: { detail: [({ detail }) => detail] },
    operations: {
      initCustomEvent(event, type, bubbles = false, cancelable = false, detail = null) {
        const name = text(type);
        if (event.isDispatching) return;
        event.initialize(name, Boolean(bubbles), Boolean(cancelable));
        event.detail = detail;
      },
    },
  });

  /** @typedef {{type: string, callback: any, capture: boolean, once: boolean, passive: boolean, isRemoved: boolean, endListening?: () => void}} Listener */

  /** Those of one type. */
  class Listeners {
    /** @type {Map<any, Listener>[]} By callback, in the order in which they were added: without capture, and with it. */
    found = [new Map(), new Map()];

    get isEmpty() { return this.found[0].size === 0 && this.found[1].size === 0; }

    /** @returns {Listener[][]} who is told, as they are now */
    phases() { return [[...this.found[1].values()], [...this.found[0].values()]]; }
  }

  class TargetData {
    /** @type {Map<string, Listeners>} By type. */
    types = new Map();
    /** What `on…` was set to, by type, and the listener that calls it. @type {Map<string, {value: any, listener: Listener | undefined}>} */
    handlers = new Map();

    /** @param {any} self what scripts have of it */
    constructor(self) { this.self = self; }

    /** Told of each change of the listeners. */
    noteListeners() {}

    /** @param {Listener} listener @returns {boolean} whether it was not there before */
    add(listener) {
      const { type, callback, capture } = listener;
      const listeners = this.types.get(type) ?? new Listeners(), found = listeners.found[Number(capture)];
      if (found.has(callback)) return false;
      this.types.set(type, listeners);
      found.set(callback, listener);
      this.noteListeners();
      return true;
    }

    /** @param {Listener} listener */
    remove(listener) {
      const { type, callback, capture } = listener, listeners = this.types.get(type);
      listener.isRemoved = true;
      if (listeners?.found[Number(capture)].delete(callback) && listeners.isEmpty) this.types.delete(type);
      listener.endListening?.();
      this.noteListeners();
    }

    /** @param {string} type */
    hears(type) { return this.types.has(type); }

    /**
     * @param {any} event for scripts @param {EventData} data of it
     * @param {Set<Listener>} [told] who has been told already, where this goes on with a dispatch that was cut off
     * @returns {boolean} whether nobody has canceled it
     */
    dispatch(event, data, told) {
      data.isDispatching = true;
      data.target = data.currentTarget = this.self;
      data.phase = AT_TARGET;
      try { this.#tell(event, data, told); } finally {
        data.isDispatching = data.isStopped = data.isStoppedAtOnce = false;
        data.currentTarget = null;
        data.phase = NONE;
      }
      return !data.isCanceled;
    }

    /** @param {any} event @param {EventData} data @param {Set<Listener>} [told] */
    #tell(event, data, told) {
      const phases = this.types.get(data.type)?.phases() ?? [];
      for (const listeners of phases) {
        if (data.isStopped) return;
        for (const listener of listeners) {
          if (listener.isRemoved || told?.has(listener)) continue;
          if (told !== undefined) needStack(COLD_LEVELS);
          if (listener.once) this.remove(listener);
          told?.add(listener);
          data.isInPassive = listener.passive;
          callListener(listener, this.self, event);
          data.isInPassive = false;
          if (data.isStoppedAtOnce) return;
        }
      }
    }
  }

  /** A listener of ours is a function in place of a callback's value. */
  class Handler {
    /** @param {TargetData} target @param {string} type */
    constructor(target, type) {
      this.target = target;
      this.type = type;
    }
    get value() { return this.target.handlers.get(this.type)?.value; }
  }

  /**
   * What a listener throws stops no other: it surfaces as a rejection that nobody handles.
   * @param {Listener} listener @param {any} target @param {any} event
   */
  function callListener({ callback }, target, event) {
    try {
      if (callback instanceof Handler) {
        const { value } = callback;
        if (typeof value === 'function' && apply(value, target, [event]) === false) eventOf(event).cancel();
      } else if (typeof callback === 'function') apply(callback, target, [event]);
      else {
        const { handleEvent } = callback;
        if (typeof handleEvent !== 'function') throw new ScriptTypeError('addEventListener: the listener has no function handleEvent');
        apply(handleEvent, callback, [event]);
      }
    } catch (error) { surface(clean(error)); }
  }

  /**
   * The attributes `on…` of an interface whose data is of an event target.
   * @param {string[]} types @returns {Record<string, [(data: any) => any, (data: any, value: any) => void]>}
   */
  function handlerAttributes(...types) {
    return Object.fromEntries(types.map((type) => [`on${type}`, [
      (/** @type {TargetData} */ { handlers }) => handlers.get(type)?.value ?? null,
      (/** @type {TargetData} */ target, /** @type {any} */ value) => setHandler(target, type, isObject(value) ? value : null),
    ]]));
  }

  /** @param {TargetData} target @param {string} type @param {any} value */
  function setHandler(target, type, value) {
    needStack(COLD_LEVELS);
    const { handlers } = target, old = handlers.get(type)?.listener;
    if (value === null) {
      handlers.delete(type);
      if (old !== undefined) target.remove(old);
      return;
    }
    const listener = old ?? { type, callback: new Handler(target, type), capture: false, once: false, passive: false, isRemoved: false };
    handlers.set(type, { value, listener });
    if (old === undefined) target.add(listener);
  }

  /**
   * Has what `read` gives called as `on…`, ahead of all listeners.
   * @param {TargetData} target @param {string} type @param {() => any} read may throw
   */
  function holdHandler(target, type, read) {
    target.handlers.set(type, { get value() { return read(); }, listener: undefined });
    target.add({ type, callback: new Handler(target, type), capture: false, once: false, passive: false, isRemoved: false });
  }

  /** @param {any} options @returns {boolean} of `addEventListener` and `removeEventListener` */
  function captureOf(options) { return isObject(options) ? Boolean(options.capture) : Boolean(options); }

  /** @param {any} callback */
  function checkCallback(callback) {
    if (callback !== null && callback !== undefined && !isObject(callback)) throw new ScriptTypeError(`addEventListener, argument 2 'listener': expected function or object, got ${describeValue(callback)}`);
  }

  /** @param {TargetData} target @param {any} name @param {any} callback @param {any} options */
  function addListener(target, name, callback, options) {
    const type = text(name), capture = captureOf(options), given = isObject(options) ? options : Object.create(null);
    checkCallback(callback);
    const once = Boolean(given.once), passive = Boolean(given.passive), { signal } = given;
    const signals = signal === undefined ? undefined : part('signals'), state = signals?.signalState(signal);
    if (signal !== undefined && state === undefined) throw new ScriptTypeError(`addEventListener, argument 3 'options.signal': expected AbortSignal, got ${describeValue(signal)}`);
    if (callback === null || callback === undefined || state?.isAborted) return;
    needStack(COLD_LEVELS);
    /** @type {Listener} */
    const listener = { type, callback, capture, once, passive, isRemoved: false };
    if (target.add(listener) && signals !== undefined) listener.endListening = signals.followAbort(signal, () => target.remove(listener));
  }

  /** @param {TargetData} target @param {any} name @param {any} callback @param {any} options */
  function removeListener(target, name, callback, options) {
    const type = text(name), capture = captureOf(options);
    checkCallback(callback);
    const listener = target.types.get(type)?.found[Number(capture)].get(callback);
    needStack(COLD_LEVELS);
    if (listener !== undefined) target.remove(listener);
  }

  /** @param {TargetData} target @param {any} event */
  function dispatchEvent(target, event) {
    const data = eventOf(event);
    if (data === undefined) throw new ScriptTypeError(`dispatchEvent, argument 1 'event': expected Event, got ${describeValue(event)}`);
    if (data.isDispatching || !data.isInitialized) throw makeException('InvalidStateError', 'dispatchEvent: the event is being dispatched already');
    data.isTrusted = false;
    return target.dispatch(event, data);
  }

  const targetOperations = {
    /** @param {any} target @param {any} type @param {any} callback @param {any} [options] */
    addEventListener(target, type, callback, options = undefined) { addListener(target, type, callback, options); },
    /** @param {any} target @param {any} type @param {any} callback @param {any} [options] */
    removeEventListener(target, type, callback, options = undefined) { removeListener(target, type, callback, options); },
    dispatchEvent,
  };

  const { made: EventTarget, dataOf: targetOf } = defineInterface('EventTarget', TargetData, { construct: (self) => new TargetData(self), operations: targetOperations });

  /**
   * Tells the listeners of what the runtime has to say.
   * @param {TargetData} target @param {EventData} data @param {(data: any) => any} [make] the event for scripts @param {Set<Listener>} [told]
   * @returns {boolean} whether nobody has canceled it
   */
  function dispatchOwn(target, data, make = makeBareEvent, told) {
    data.isTrusted = true;
    const event = make(data);
    begun(event, data);
    return target.dispatch(event, data, told);
  }

  return { Event, CustomEvent, EventTarget, EventData, TargetData, eventOf, targetOf, begun, dispatchOwn, handlerAttributes, holdHandler, targetOperations };
})()
