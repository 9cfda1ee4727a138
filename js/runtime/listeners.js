// Listeners to the events of an object, as the DOM standard has them, without bubbling and capture.

class Listeners {
  /** @type {{type: string, listener: any, once: boolean}[]} */
  #entries = [];

  get isEmpty() { return this.#entries.length === 0; }

  /** @param {string} type @param {any} listener @param {any} [options] */
  add(type, listener, options) {
    if (!isObject(listener)) return;
    const once = isObject(options) && options.once === true;
    if (this.#entries.some((entry) => entry.type === type && entry.listener === listener)) return;
    this.#entries = [...this.#entries, { type, listener, once }];
  }

  /** @param {string} type @param {any} listener */
  remove(type, listener) { this.#entries = this.#entries.filter((entry) => entry.type !== type || entry.listener !== listener); }

  /**
   * Calls `target.on…`, then those that have been added.
   * @param {any} target @param {any} event of the script's realm
   * @returns {boolean} whether anybody listens
   */
  dispatch(target, event) {
    const { type } = event;
    const entries = this.#entries.filter((entry) => entry.type === type);
    const own = target['on' + type];
    if (typeof own === 'function') callListener(own, target, event);
    for (const { listener, once } of entries) {
      if (once) this.remove(type, listener);
      callListener(listener, target, event);
    }
    return entries.length > 0 || typeof own === 'function';
  }
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
