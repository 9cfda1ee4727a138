// Listeners to the events of an object, as the DOM standard has them, without bubbling and capture.

class Listeners {
  /** @type {{type: string, listener: any, once: boolean}[]} */
  #entries = privateArray();

  /** @param {string} type @param {any} listener @param {any} [options] */
  add(type, listener, options) {
    if (typeof listener !== 'function' && (typeof listener !== 'object' || listener === null)) return;
    for (let i = 0; i < this.#entries.length; i++) if (this.#entries[i].type === type && this.#entries[i].listener === listener) return;
    append(this.#entries, { type, listener, once: options?.once === true });
  }

  /** @param {string} type @param {any} listener */
  remove(type, listener) {
    const rest = privateArray();
    for (let i = 0; i < this.#entries.length; i++) {
      if (this.#entries[i].type !== type || this.#entries[i].listener !== listener) append(rest, this.#entries[i]);
    }
    this.#entries = rest;
  }

  /**
   * Calls `target.on…`, then those that have been added.
   * @param {any} target @param {{type: string, [member: string]: any}} event
   * @returns {boolean} whether anybody listens
   */
  dispatch(target, event) {
    const entries = this.#entries;
    const own = target['on' + event.type];
    let isHeard = typeof own === 'function';
    if (isHeard) callListener(own, target, event);
    for (let i = 0; i < entries.length; i++) {
      const { type, listener, once } = entries[i];
      if (type !== event.type) continue;
      isHeard = true;
      if (once) this.remove(type, listener);
      callListener(listener, target, event);
    }
    return isHeard;
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
  } catch (error) { (async () => { throw error; })(); }
}
