// Loops over rows.

/** Rows as a loop asks for them, question after question. Nothing is begun before the first. */
class Walk {
  /** @type {any} */
  #rows;
  /**
   * Those that are there, and how many of them have been taken.
   * @type {any}
   */
  #waiting = [];
  #taken = 0;
  #isOver = false;
  #isAsked = false;
  /** @type {{resolve: (value: any) => void, reject: (error: any) => void}[]} */
  #questions = [];

  /** @param {() => any} begin @param {any} signal @param {(rows: any) => any} make */
  constructor(begin, signal, make) {
    this.begin = begin;
    this.signal = signal;
    this.make = make;
  }

  next() {
    const { promise, resolve, reject } = deferred();
    this.#questions.push({ resolve, reject });
    this.#answer();
    return promise;
  }

  #answer() {
    while (this.#questions.length > 0 && !this.#isAsked) {
      if (!this.#isOver && this.#taken === this.#waiting.length) return this.#ask();
      const { resolve } = /** @type {any} */ (this.#questions.shift());
      resolve(this.#isOver ? iteration(undefined, true) : iteration(this.#waiting[this.#taken++], false));
    }
  }

  #ask() {
    this.#isAsked = true;
    const fail = (/** @type {any} */ error) => {
      this.#isAsked = false;
      this.end();
      this.#questions.shift()?.reject(error);
      this.#answer();
    };
    const fetch = () => settle(call('fetch', [this.#rows], this.signal), (/** @type {any} */ rows) => {
      this.#isAsked = false;
      if (rows[0] === 0) this.end();
      else if (!this.#isOver) {
        this.#waiting = this.make(rows);
        this.#taken = 0;
      }
      this.#answer();
    }, fail);
    try {
      if (this.#rows !== undefined) return fetch();
      settle(this.begin(), (/** @type {any} */ rows) => {
        this.#rows = rows;
        if (!this.#isOver) return fetch();
        this.#isAsked = false;
        native.closeRows(rows);
        this.#answer();
      }, fail);
    } catch (error) { fail(clean(error)); }
  }

  end() {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#waiting = [];
    this.#taken = 0;
    if (this.#rows !== undefined) native.closeRows(this.#rows);
  }
}
