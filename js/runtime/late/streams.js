// Streams of native code: evaluated when the first one comes.
(() => {
  /** What stands behind an async iterator. Elements are asked for one after the other, however often `next` is called. */
  class StreamState {
    /**
     * Those that wait for an element, the first one first. They keep the stream, which would else be forgotten meanwhile.
     * @type {{stream: any, resolve: (value: any) => void, reject: (error: any) => void, isGivenUp: boolean}[]}
     */
    #questions = [];
    /** Of the question that native code has; 0 if it has none. Nothing else tells: a turn may be ended anywhere. */
    #slot = 0;
    #isOver = false;
    /**
     * Elements that came with one that was asked for, and how many of them have been taken.
     * @type {any[]}
     */
    #elements = [];
    #taken = 0;

    /** @param {number} number */
    constructor(number) { this.number = number; }

    /** @param {any} stream */
    next(stream) {
      needStack(2);
      return makePromise((/** @type {any} */ resolve, /** @type {any} */ reject) => {
        const question = { stream, resolve, reject, isGivenUp: false };
        this.#questions.push(question);
        try { this.#answer(); } catch (error) {
          // Thrown on: where the stack ends, `reject` may do half of its work, and nothing could reject the promise any more.
          question.isGivenUp = true;
          throw error;
        }
      });
    }

    /**
     * Answers as many as can be; asks native code for more. Whoever is answered may ask again meanwhile.
     * @returns {void}
     */
    #answer() {
      while (this.#slot === 0 && this.#questions.length > 0) {
        if (this.#questions[0].isGivenUp) {
          this.#takeQuestion();
          continue;
        }
        if (this.#taken === this.#elements.length && !this.#isOver) return this.#ask();
        const question = this.#takeQuestion();
        if (this.#isOver) question.resolve(iteration(undefined, true));
        else question.resolve(iteration(this.#elements[this.#taken++], false));
      }
    }

    #takeQuestion() { return /** @type {any} */ (this.#questions.shift()); }

    /** The same where no script is on the stack. */
    #answerAll() {
      try { this.#answer(); } catch (error) {
        // Those behind it would ask in vain too.
        const reason = clean(error), questions = this.#questions;
        this.#questions = [];
        for (const { reject } of questions) reject(reason);
      }
    }

    /** @returns {void} */
    #ask() {
      const tree = new Tree();
      tree.put(TAG_NUMBER, this.number, 4);
      // This may run scripts, which may ask for more.
      makeRoom(tree);
      if (this.#slot !== 0 || this.#isOver) return this.#answer();
      this.#slot = sendTree(RUNTIME, RUNTIME_PULL | 1 << 16, tree, (/** @type {any[]} */ elements) => {
        if (this.#settle() || elements.length === 0) this.end();
        else {
          this.#elements = elements;
          this.#taken = 0;
        }
        this.#answerAll();
      }, (/** @type {any} */ error) => {
        const wasOver = this.#settle();
        this.end();
        if (!wasOver) this.#takeQuestion().reject(error);
        this.#answerAll();
      });
    }

    /** The answer has come. @returns {boolean} whether it was cancelled before */
    #settle() {
      this.#slot = 0;
      return this.#isOver;
    }

    end() {
      if (this.#isOver) return;
      needStack();
      this.#isOver = true;
      this.#elements = [];
      this.#taken = 0;
      streamRegistry.unregister(this);
      untrackStream(this.number);
      openStreams.delete(this.number);
      if (this.#slot !== 0) cancelCall(this.#slot);
      sendRuntimeRecord(RUNTIME_DROP, this.number);
    }
  }

  /** Tells native code of streams that scripts have forgotten. */
  const streamRegistry = new FinalizationRegistry((/** @type {number} */ forgotten) => {
    flushWhatFollows();
    untrackStream(forgotten);
    openStreams.delete(forgotten);
    sendRuntimeRecord(RUNTIME_DROP, forgotten);
  });

  /** @param {number} number */
  function makeStream(number) {
    const state = new StreamState(number);
    const stream = border.makeStream((/** @type {any} */ stream) => state.next(stream), () => state.end());
    if (tracksOutstanding) trackedStreams[number] = track('stream', answered, new WeakRef(stream));
    streamRegistry.register(stream, number, state);
    openStreams.add(number);
    return stream;
  }

  /** @param {number} number */
  function untrackStream(number) {
    if (!tracksOutstanding) return;
    untrack(trackedStreams[number]);
    trackedStreams[number] = undefined;
  }

  return { makeStream };
})()
