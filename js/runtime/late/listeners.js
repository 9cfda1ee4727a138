// Listeners to the events of an object, as the DOM standard has them, without bubbling and capture.
(() => {
  class Listeners {
    /**
     * Whether they are told once, by type and listener. In the order in which they were added.
     * @type {Map<string, Map<any, {once: boolean}>>}
     */
    #types = new Map();

    get isEmpty() { return this.#types.size === 0; }

    /** @param {string} type @param {any} listener @param {any} [options] */
    add(type, listener, options) {
      if (!isObject(listener)) return;
      const once = isObject(options) && options.once === true;
      // For what the caller does behind it too.
      needStack(COLD_LEVELS);
      const entries = this.#types.get(type) ?? new Map();
      this.#types.set(type, entries);
      if (!entries.has(listener)) entries.set(listener, { once });
    }

    /** @param {string} type @param {any} listener */
    remove(type, listener) {
      needStack();
      const entries = this.#types.get(type);
      if (entries?.delete(listener) && entries.size === 0) this.#types.delete(type);
    }

    /**
     * Takes those of a type out, one by one.
     * @param {string} type
     */
    *take(type) {
      for (const listener of this.#types.get(type)?.keys() ?? []) {
        this.remove(type, listener);
        yield listener;
      }
    }

    /**
     * Calls `target.on…`, then those that have been added before.
     * @param {any} target @param {any} event of the script's realm
     * @returns {boolean} whether anybody listens
     */
    dispatch(target, event) {
      const { type } = event;
      const entries = [...this.#types.get(type) ?? []];
      const own = handlerOf(target, 'on' + type);
      if (typeof own === 'function') callListener(own, target, event);
      for (const [listener, entry] of entries) {
        if (this.#types.get(type)?.get(listener) !== entry) continue;
        if (entry.once) this.remove(type, listener);
        callListener(listener, target, event);
      }
      return entries.length > 0 || typeof own === 'function';
    }
  }

  /** @param {any} target @param {string} name */
  function handlerOf(target, name) {
    try { return target[name]; } catch (error) { surface(clean(error)); }
  }

  /**
   * What a listener throws stops no other: it surfaces as a rejection that nobody handles.
   * @param {any} listener @param {any} target @param {any} event
   */
  function callListener(listener, target, event) {
    try {
      if (typeof listener === 'function') apply(listener, target, [event]);
      else listener.handleEvent(event);
    } catch (error) { surface(clean(error)); }
  }

  return { Listeners, handlerOf, callListener };
})()
