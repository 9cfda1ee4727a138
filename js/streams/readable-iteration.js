// Iteration over streams, streams from iterables, and two streams from one.

class Iteration {
  isOver = false;
  /** @type {Promise<any>} */
  ongoing = Promise.resolve(undefined);
  isIdle = true;
  constructor(reader, preventCancel) {
    this.reader = reader;
    this.preventCancel = preventCancel;
  }

  /** One after the other. @param {(answer: any) => Promise<undefined>} step */
  queue(step) {
    const answer = border.deferred(), run = () => step(answer);
    const was = this.isIdle ? undefined : this.ongoing;
    this.isIdle = false;
    const mine = this.ongoing = was === undefined ? run() : was.then(run, run);
    mine.then(() => { if (this.ongoing === mine) this.isIdle = true; }, ignoreAll);
    return answer.promise;
  }

  next() {
    return this.queue((answer) => new Promise((done) => {
      const end = (act) => {
        act();
        done(undefined);
      };
      if (this.isOver) return end(() => answer.resolve(iteration(undefined, true)));
      this.reader.read({
        chunk: (value) => end(() => answer.resolve(iteration(value, false))),
        close: () => end(() => {
          this.finish();
          answer.resolve(iteration(undefined, true));
        }),
        fail: (error) => end(() => {
          this.finish();
          answer.reject(error);
        }),
      });
    }));
  }

  finish() {
    this.isOver = true;
    this.reader.release();
  }

  return(value) {
    return this.queue((answer) => {
      const done = () => answer.resolve(iteration(value, true));
      if (this.isOver) return Promise.resolve(done());
      this.isOver = true;
      const { reader } = this, result = this.preventCancel ? Promise.resolve(undefined) : reader.cancel(value);
      reader.release();
      return result.then(done, (error) => answer.reject(error));
    });
  }
}

const iterationPrototype = border.bareObject();
Reflect.setPrototypeOf(iterationPrototype, border.intrinsics.asyncIteratorPrototype);
for (const [key, length] of [['next', 0], ['return', 1]]) {
  define(iterationPrototype, key, publishFunction(key, length, /** @this {any} */ function (value) {
    const data = implantOf(this);
    return data instanceof Iteration ? data[key](value) : rejected(new ScriptTypeError(`${key}: expected to be called on an iterator of a ReadableStream`));
  }), true);
}

function iterateStream(stream, preventCancel) { return makeInstance(iterationPrototype, new Iteration(new ReaderData(stream), preventCancel)); }

function streamFrom(iterable) {
  if (!isObject(iterable) && typeof iterable !== 'string') throw new ScriptTypeError(`ReadableStream.from, argument 1 'iterable': expected an iterable, got ${describeValue(iterable)}`);
  const source = /** @type {any} */ (iterable);
  let begin = source[Symbol.asyncIterator];
  const isAsync = begin !== undefined && begin !== null;
  if (!isAsync) begin = source[Symbol.iterator];
  if (typeof begin !== 'function') throw new ScriptTypeError(`ReadableStream.from, argument 1 'iterable': expected an iterable, got ${describeValue(iterable)}`);
  const iterator = apply(begin, iterable, []);
  if (!isObject(iterator)) throw new ScriptTypeError('ReadableStream.from: the iterator is no object');
  const { next } = iterator;
  const { stream, controller } = makeReadable({
    highWaterMark: 0,
    pull: () => new Promise((resolve, reject) => {
      const take = (result) => {
        if (!isObject(result)) throw new ScriptTypeError('ReadableStream.from: what the iterator gives is no object');
        if (result.done) {
          controller.close();
          return resolve(undefined);
        }
        const put = (value) => {
          controller.enqueue(value);
          resolve(undefined);
        };
        const { value } = result;
        if (isAsync) put(value); else settle(value, put, reject);
      };
      const run = (result) => { try { take(result); } catch (error) { reject(clean(error)); } };
      try {
        const result = apply(next, iterator, []);
        if (isAsync) settle(result, run, reject); else run(result);
      } catch (error) { reject(clean(error)); }
    }),
    cancel: (reason) => new Promise((resolve, reject) => {
      try {
        const end = iterator.return;
        if (end === undefined || end === null) return resolve(undefined);
        settle(apply(end, iterator, [reason]), (result) => {
          if (isObject(result)) resolve(undefined); else reject(new ScriptTypeError('ReadableStream.from: what return gives is no object'));
        }, reject);
      } catch (error) { reject(clean(error)); }
    }),
  });
  return stream;
}

/** @returns {[any, any]} */
function tee(stream) {
  const isBytes = stream.controller instanceof ByteController, reader = new ReaderData(stream);
  let isReading = false, readsAgain = false;
  const canceled = [false, false], reasons = [undefined, undefined];
  /** @type {any[]} */
  const branches = [];
  const over = new Settlement();
  const read = () => {
    if (isReading) {
      readsAgain = true;
      return Promise.resolve(undefined);
    }
    isReading = true;
    reader.read({
      chunk: (chunk) => Promise.resolve(undefined).then(() => {
        readsAgain = false;
        // Before the first branch takes its buffer away.
        const copy = isBytes && !canceled[0] && !canceled[1] ? attempt(() => copyOfView(chunk)) : chunk;
        branches.forEach(({ controller }, i) => {
          if (canceled[i]) return;
          try {
            if (isBytes && copy === undefined) throw new ScriptRangeError('tee: no memory for a copy');
            controller.enqueue(i === 1 ? copy : chunk);
          } catch (error) {
            const reason = clean(error);
            for (const { controller } of branches) controller.fail(reason);
            stream.cancel(reason).then(over.resolve, over.reject);
          }
        });
        isReading = false;
        if (readsAgain) read();
      }),
      close() {
        isReading = false;
        branches.forEach(({ controller }, i) => {
          if (canceled[i]) return;
          controller.close();
          controller.answerPending?.();
        });
        if (!canceled[0] || !canceled[1]) over.resolve();
      },
      fail() { isReading = false; },
    });
    return Promise.resolve(undefined);
  };
  const cancel = (i) => (reason) => {
    canceled[i] = true;
    reasons[i] = reason;
    if (canceled[1 - i]) stream.cancel(publishArray(reasons)).then(over.resolve, over.reject);
    return over.own;
  };
  for (const i of [0, 1]) branches.push(isBytes ? makeByteStream({ pull: read, cancel: cancel(i) }) : makeReadable({ pull: read, cancel: cancel(i) }));
  reader.closed.own.catch((error) => {
    for (const { controller } of branches) controller.fail(error);
    if (!canceled[0] || !canceled[1]) over.resolve();
  });
  return [branches[0].stream, branches[1].stream];
}
