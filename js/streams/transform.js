// `TransformStream`.

class TransformData {
  /** @type {any} */
  readable = undefined;
  /** @type {any} */
  writable = undefined;
  /** @type {any} */
  controller = undefined;
  /** @type {boolean | undefined} */
  backpressure = undefined;
  backpressureChange = new Settlement();
  /** @type {Promise<undefined> | undefined} */
  finish = undefined;

  setBackpressure(backpressure) {
    if (backpressure === this.backpressure) return;
    this.backpressureChange.resolve();
    this.backpressureChange = new Settlement();
    this.backpressure = backpressure;
  }

  fail(error) {
    this.readable.controller.fail(error);
    this.failWritable(error);
  }

  failWritable(error) {
    this.controller.clearAlgorithms();
    this.writable.controller.errorIfNeeded(error);
    if (this.backpressure) this.setBackpressure(false);
  }

  write(chunk) {
    if (!this.backpressure) return this.controller.transform(chunk);
    return this.backpressureChange.own.then(() => {
      if (this.writable.state === 'erroring') throw this.writable.storedError;
      return this.controller.transform(chunk);
    });
  }

  abort(reason) {
    return this.finish ??= this.#end(this.controller.takeCancel(reason), () => {
      if (this.readable.state === 'errored') throw this.readable.storedError;
      this.readable.controller.fail(reason);
    }, (error) => this.readable.controller.fail(error));
  }

  cancel(reason) {
    return this.finish ??= this.#end(this.controller.takeCancel(reason), () => {
      if (this.writable.state === 'errored') throw this.writable.storedError;
      this.writable.controller.errorIfNeeded(reason);
      this.#unblock();
    }, (error) => {
      this.writable.controller.errorIfNeeded(error);
      this.#unblock();
    });
  }

  close() {
    return this.finish ??= this.#end(this.controller.takeFlush(), () => {
      if (this.readable.state === 'errored') throw this.readable.storedError;
      this.readable.controller.close();
    }, (error) => this.readable.controller.fail(error));
  }

  #unblock() { if (this.backpressure) this.setBackpressure(false); }

  #end(running, done, broken) {
    const end = running.then(done, (error) => {
      broken(error);
      throw error;
    });
    end.catch(ignoreAll);
    return end;
  }
}

class TransformController {
  object = undefined;

  constructor(stream, { transform, flush, cancel }) {
    this.stream = stream;
    this.run = transform;
    this.flush = flush;
    this.cancel = cancel;
    stream.controller = this;
  }

  clearAlgorithms() { this.run = this.flush = this.cancel = undefined; }

  transform(chunk) {
    // What ends the stream may take its time, or never be over.
    if (this.run === undefined) return failed(new ScriptTypeError('the stream is ending'));
    return this.run(chunk).catch((error) => {
      this.stream.fail(error);
      throw error;
    });
  }

  takeFlush() { return this.#take(this.flush); }
  takeCancel(reason) { return this.#take(this.cancel, reason); }

  /** Where an error has ended the stream before, there is nothing to run any more. */
  #take(algorithm, reason = undefined) {
    const result = algorithm === undefined ? Promise.resolve(undefined) : algorithm(reason);
    this.clearAlgorithms();
    return result;
  }

  enqueue(chunk) {
    const { stream } = this, { controller } = stream.readable;
    if (!controller.mayEnqueue) throw new ScriptTypeError('enqueue: the readable side is closed already');
    try { controller.enqueue(chunk); } catch (error) {
      const { state, storedError } = stream.readable, reason = state === 'errored' ? storedError : clean(error);
      stream.failWritable(reason);
      throw reason;
    }
    const backpressure = !controller.shouldPull;
    if (backpressure !== stream.backpressure) stream.setBackpressure(true);
  }

  terminate() {
    const { stream } = this;
    stream.readable.controller.close();
    stream.failWritable(new ScriptTypeError('the readable side was terminated'));
  }
}

const { made: TransformStreamDefaultController, make: makeTransformController } = defineInterface('TransformStreamDefaultController', TransformController, {
  shown: ['desiredSize'], attributes: { desiredSize: [(controller) => controller.stream.readable.controller.desiredSize] },
  operations: {
    enqueue(controller, chunk = undefined) { controller.enqueue(chunk); },
    error(controller, reason = undefined) { controller.stream.fail(reason); },
    terminate(controller) { controller.terminate(); },
  },
});

/**
 * @param {any} algorithms `transform`, `flush` and `cancel`, which give promises of ours @param {() => any} [start]
 */
function makeTransform(algorithms, start = ignoreAll, writableMark = 1, writableSize = (_) => 1, readableMark = 0, readableSize = (_) => 1) {
  const stream = new TransformData(), controller = new TransformController(stream, algorithms), begun = new Settlement();
  stream.writable = makeWritable({
    start: () => begun.own, write: (chunk) => stream.write(chunk), close: () => stream.close(), abort: (reason) => stream.abort(reason), highWaterMark: writableMark, size: writableSize,
  }).stream;
  stream.readable = makeReadable({
    start: () => begun.own, highWaterMark: readableMark, size: readableSize, cancel: (reason) => stream.cancel(reason),
    pull() {
      stream.setBackpressure(false);
      return stream.backpressureChange.own;
    },
  }).stream;
  stream.setBackpressure(true);
  return { stream, controller: /** @type {any} */ (controller), begin: () => promiseOf(() => start()).then(begun.resolve, begun.reject) };
}

function constructTransform(transformer, writableStrategy, readableStrategy) {
  const forWritable = readStrategy(writableStrategy, 'TransformStream'), forReadable = readStrategy(readableStrategy, 'TransformStream');
  const underlying = readUnderlying(transformer, "TransformStream, argument 1 'transformer'"), from = underlying ?? Object.create(null);
  const title = 'TransformStream, the transformer', { cancel, flush } = callbacksOf(from, ['cancel', 'flush'], title), { readableType } = from;
  const { start, transform } = callbacksOf(from, ['start', 'transform'], title), { writableType } = from;
  if (readableType !== undefined || writableType !== undefined) throw new ScriptRangeError('TransformStream: the transformer has a type, and there are none yet');
  const readableMark = markOf(forReadable, 0), readableSize = sizeOf(forReadable), writableMark = markOf(forWritable, 1), writableSize = sizeOf(forWritable);
  const invoke = (callback, ...values) => callback === undefined ? Promise.resolve(undefined) : promiseOf(() => apply(callback, underlying, values));
  let result;
  const made = makeTransform({
    transform: (chunk) => transform !== undefined ? invoke(transform, chunk, made.controller.object) : promiseOf(() => made.controller.enqueue(chunk)),
    flush: () => invoke(flush, made.controller.object), cancel: (reason) => invoke(cancel, reason),
  }, () => result, writableMark, writableSize, readableMark, readableSize);
  made.controller.object = makeTransformController(made.controller);
  if (start !== undefined) result = apply(start, underlying, [made.controller.object]);
  made.begin();
  return made.stream;
}

const sides = {
  readable: [(data) => data.readableObject ??= makeReadableObject(data.readable)],
  writable: [(data) => data.writableObject ??= makeWritableObject(data.writable)],
};

const { made: TransformStream } = defineInterface('TransformStream', TransformData, {
  construct: (_, transformer = undefined, writableStrategy = undefined, readableStrategy = undefined) => constructTransform(transformer, writableStrategy, readableStrategy),
  shown: ['readable', 'writable'], attributes: /** @type {any} */ (sides),
});

/**
 * A transform of the runtime's own that scripts have under a name of its own.
 * @param {any} Data of it, with `stream`
 */
function sidesOf(Data) {
  return /** @type {any} */ (Object.fromEntries(Object.entries(sides).map(([key, [get]]) => [key, [(data) => get(data.stream)]])));
}
