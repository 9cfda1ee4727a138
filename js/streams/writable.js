// `WritableStream`, its writer and controller.

class WritableData {
  /** @type {any} */
  state = 'writable';
  /** @type {any} */
  storedError = undefined;
  /** @type {any} */
  writer = undefined;
  /** @type {any} */
  controller = undefined;
  /** @type {any[]} */
  requests = [];
  /** @type {any} */
  inFlight = undefined;
  /** @type {any} */
  closeRequest = undefined;
  /** @type {any} */
  inFlightClose = undefined;
  /** @type {any} */
  pendingAbort = undefined;
  backpressure = false;

  get isLocked() { return this.writer !== undefined; }
  get isClosing() { return this.closeRequest !== undefined || this.inFlightClose !== undefined; }

  /** @returns {Promise<undefined>} */
  abort(reason) {
    if (this.state === 'closed' || this.state === 'errored') return Promise.resolve(undefined);
    this.controller.signal.state.abort(reason);
    if (/** @type {any} */ (this.state) === 'closed' || this.state === 'errored') return Promise.resolve(undefined);
    if (this.pendingAbort !== undefined) return this.pendingAbort.over.own;
    const wasErroring = this.state === 'erroring', over = new Settlement();
    this.pendingAbort = { over, reason: wasErroring ? undefined : reason, wasErroring };
    if (!wasErroring) this.startErroring(reason);
    return over.own;
  }

  /** @param {boolean} [isOwn] no script has its promise @returns {Settlement} */
  close(isOwn = false) {
    if (this.state === 'closed' || this.state === 'errored') return Settlement.rejected(new ScriptTypeError('close: the stream is closed already'), isOwn);
    const request = this.closeRequest = new Settlement(isOwn);
    if (this.writer !== undefined && this.backpressure && this.state === 'writable') this.writer.ready.resolve();
    this.controller.closeSteps();
    return request;
  }

  startErroring(reason) {
    this.state = 'erroring';
    this.storedError = reason;
    this.writer?.failReady(reason);
    if (this.inFlight === undefined && this.inFlightClose === undefined && this.controller.isStarted) this.finishErroring();
  }

  finishErroring() {
    this.state = 'errored';
    this.controller.queue.clear();
    for (const request of this.requests) request.reject(this.storedError);
    this.requests = [];
    const abort = this.pendingAbort;
    this.pendingAbort = undefined;
    if (abort === undefined) return this.rejectCloseIfNeeded();
    if (abort.wasErroring) {
      abort.over.reject(this.storedError);
      return this.rejectCloseIfNeeded();
    }
    this.controller.abortSteps(abort.reason).then(() => {
      abort.over.resolve();
      this.rejectCloseIfNeeded();
    }, (error) => {
      abort.over.reject(error);
      this.rejectCloseIfNeeded();
    });
  }

  rejectCloseIfNeeded() {
    this.closeRequest?.reject(this.storedError);
    this.closeRequest = undefined;
    this.writer?.failClosed(this.storedError);
  }

  dealWithRejection(error) { if (this.state === 'writable') this.startErroring(error); else this.finishErroring(); }

  finishWrite(error, isFailed) {
    const request = this.inFlight;
    this.inFlight = undefined;
    if (!isFailed) return request.resolve();
    request.reject(error);
    this.dealWithRejection(error);
  }

  finishClose(error, isFailed) {
    const request = this.inFlightClose;
    this.inFlightClose = undefined;
    if (isFailed) {
      request.reject(error);
      this.pendingAbort?.over.reject(error);
      this.pendingAbort = undefined;
      return this.dealWithRejection(error);
    }
    request.resolve();
    if (this.state === 'erroring') {
      this.storedError = undefined;
      this.pendingAbort?.over.resolve();
      this.pendingAbort = undefined;
    }
    this.state = 'closed';
    this.writer?.closed.resolve();
  }

  updateBackpressure(backpressure) {
    if (this.writer !== undefined && backpressure !== this.backpressure) {
      if (backpressure) this.writer.ready = new Settlement(); else this.writer.ready.resolve();
    }
    this.backpressure = backpressure;
  }
}

function writerReleased() { return new ScriptTypeError('the writer was released'); }

class WriterData {
  constructor(stream) {
    if (stream.isLocked) throw new ScriptTypeError('the stream has a writer already');
    this.stream = stream;
    stream.writer = this;
    const { state, storedError } = stream;
    this.ready = state === 'writable' ? !stream.isClosing && stream.backpressure ? new Settlement() : Settlement.resolved()
      : state === 'closed' ? Settlement.resolved() : Settlement.rejected(storedError);
    this.closed = state === 'closed' ? Settlement.resolved() : state === 'errored' ? Settlement.rejected(storedError) : new Settlement();
  }

  failReady(error) { if (this.ready.isPending) /** @type {any} */ (this.ready).reject(error); else this.ready = Settlement.rejected(error); }
  failClosed(error) { if (this.closed.isPending) /** @type {any} */ (this.closed).reject(error); else this.closed = Settlement.rejected(error); }

  get desiredSize() {
    const { stream } = this;
    return stream.state === 'errored' || stream.state === 'erroring' ? null : stream.state === 'closed' ? 0 : stream.controller.desiredSize;
  }

  /** @param {any} chunk @param {boolean} [isOwn] no script has its promise @returns {Settlement} */
  write(chunk, isOwn = false) {
    const { stream } = this;
    const size = stream.controller.sizeOfChunk(chunk);
    const refusal = stream !== this.stream ? writerReleased() : stream.isClosing || stream.state === 'closed' ? new ScriptTypeError('write: the stream is closed already') : undefined;
    if (stream === this.stream && (stream.state === 'errored' || stream.state === 'erroring' && !stream.isClosing)) return Settlement.rejected(stream.storedError, isOwn);
    if (refusal !== undefined) return Settlement.rejected(refusal, isOwn);
    const request = new Settlement(isOwn);
    stream.requests.push(request);
    stream.controller.write(chunk, size);
    return request;
  }

  /** @returns {Promise<undefined>} what a pipe does at its end */
  closeWithErrors() {
    const { stream } = this;
    if (stream.isClosing || stream.state === 'closed') return Promise.resolve(undefined);
    if (stream.state === 'errored') return failed(stream.storedError);
    return stream.close(true).own;
  }

  release() {
    const { stream } = this;
    if (stream === undefined) return;
    const error = writerReleased();
    this.failReady(error);
    this.failClosed(error);
    stream.writer = undefined;
    this.stream = undefined;
  }
}

function needWriterStream(writer) {
  if (writer.stream === undefined) throw writerReleased();
  return writer.stream;
}

const { made: WritableStreamDefaultWriter, make: makeWriter } = defineInterface('WritableStreamDefaultWriter', WriterData, {
  length: 1,
  construct(_, given) {
    const stream = writableOf(given);
    if (stream === undefined) throw new ScriptTypeError(`WritableStreamDefaultWriter, argument 1 'stream': expected WritableStream, got ${describeValue(given)}`);
    return new WriterData(stream);
  },
  promiseAttributes: { closed: (writer) => writer.closed.promise, ready: (writer) => writer.ready.promise },
  attributes: {
    desiredSize: [(writer) => {
      needWriterStream(writer);
      return writer.desiredSize;
    }],
  },
  operations: { releaseLock(writer) { writer.release(); } },
  promises: {
    abort: (writer, reason = undefined) => publishPromise(needWriterStream(writer).abort(reason)),
    close(writer) {
      const stream = needWriterStream(writer);
      if (stream.isClosing) throw new ScriptTypeError('close: the stream is being closed already');
      return stream.close().promise;
    },
    write(writer, chunk = undefined) {
      needWriterStream(writer);
      return writer.write(chunk).promise;
    },
  },
});

/** What closes the sink, in the queue. */
const CLOSING = Symbol('closing');

class WritableController {
  queue = new Queue();
  isStarted = false;
  object = undefined;
  signal = part('signals').makeSignal();

  constructor(stream, { write, close, abort }, highWaterMark, size) {
    this.stream = stream;
    this.writeSink = write;
    this.closeSink = close;
    this.abortSink = abort;
    this.highWaterMark = highWaterMark;
    this.size = size;
    stream.controller = this;
  }

  start(begin) {
    const { stream } = this;
    stream.updateBackpressure(this.hasBackpressure);
    const result = begin();
    promiseOf(() => result).then(() => {
      this.isStarted = true;
      this.advance();
    }, (error) => {
      this.isStarted = true;
      stream.dealWithRejection(error);
    });
  }

  get desiredSize() { return this.highWaterMark - this.queue.total; }
  get hasBackpressure() { return this.desiredSize <= 0; }

  clearAlgorithms() { this.writeSink = this.closeSink = this.abortSink = this.size = undefined; }

  sizeOfChunk(chunk) {
    const { size } = this;
    if (size === undefined) return 1;
    try { return size(chunk); } catch (error) {
      this.errorIfNeeded(clean(error));
      return 1;
    }
  }

  write(chunk, size) {
    try { this.queue.add(chunk, size); } catch (error) { return this.errorIfNeeded(clean(error)); }
    const { stream } = this;
    if (!stream.isClosing && stream.state === 'writable') stream.updateBackpressure(this.hasBackpressure);
    this.advance();
  }

  closeSteps() {
    this.queue.add(CLOSING, 0);
    this.advance();
  }

  abortSteps(reason) {
    const result = this.abortSink(reason);
    this.clearAlgorithms();
    return result;
  }

  errorIfNeeded(error) { if (this.stream.state === 'writable') this.fail(error); }

  fail(error) {
    this.clearAlgorithms();
    this.stream.startErroring(error);
  }

  advance() {
    const { stream } = this;
    if (!this.isStarted || stream.inFlight !== undefined) return;
    if (stream.state === 'erroring') return stream.finishErroring();
    if (stream.state !== 'writable' && stream.state !== 'closing' || this.queue.length === 0 || stream.inFlightClose !== undefined) return;
    const chunk = this.queue.first;
    if (chunk === CLOSING) this.processClose(stream); else this.processWrite(stream, chunk);
  }

  processClose(stream) {
    stream.inFlightClose = stream.closeRequest;
    stream.closeRequest = undefined;
    this.queue.take();
    const result = this.closeSink();
    this.clearAlgorithms();
    result.then(() => stream.finishClose(undefined, false), (error) => stream.finishClose(error, true));
  }

  processWrite(stream, chunk) {
    stream.inFlight = stream.requests.shift();
    this.writeSink(chunk).then(() => {
      stream.finishWrite(undefined, false);
      this.queue.take();
      if (!stream.isClosing && stream.state === 'writable') stream.updateBackpressure(this.hasBackpressure);
      this.advance();
    }, (error) => {
      if (stream.state === 'writable') this.clearAlgorithms();
      stream.finishWrite(error, true);
    });
  }
}

const { made: WritableStreamDefaultController, make: makeWritableController } = defineInterface('WritableStreamDefaultController', WritableController, {
  shown: ['signal'], attributes: { signal: [(controller) => controller.signal.signal] },
  operations: { error(controller, error = undefined) { controller.errorIfNeeded(error); } },
});

/** What stands behind a stream of the runtime's own. */
function makeWritable({ start = ignoreAll, write = (_) => Promise.resolve(undefined), close = () => Promise.resolve(undefined), abort = (_) => Promise.resolve(undefined), highWaterMark = 1, size = (_) => 1 }) {
  const stream = new WritableData(), controller = new WritableController(stream, { write, close, abort }, highWaterMark, size);
  controller.start(start);
  return { stream, controller: /** @type {any} */ (controller) };
}

function constructWritable(sink, strategy) {
  const given = readStrategy(strategy, 'WritableStream'), underlying = readUnderlying(sink, "WritableStream, argument 1 'sink'"), from = underlying ?? Object.create(null);
  const { abort, close, start } = callbacksOf(from, ['abort', 'close', 'start'], 'WritableStream, the sink'), { type } = from, { write } = callbacksOf(from, ['write'], 'WritableStream, the sink');
  if (type !== undefined) throw new ScriptRangeError('WritableStream: the sink has a type, and there are none yet');
  const stream = new WritableData(), size = sizeOf(given), mark = markOf(given, 1);
  const invoke = (callback, ...values) => callback === undefined ? Promise.resolve(undefined) : promiseOf(() => apply(callback, underlying, values));
  const controller = new WritableController(stream, {
    write: (chunk) => invoke(write, chunk, controller.object), close: () => invoke(close), abort: (reason) => invoke(abort, reason),
  }, mark, size);
  controller.object = makeWritableController(controller);
  controller.start(() => start === undefined ? undefined : apply(start, underlying, [controller.object]));
  return stream;
}

const { made: WritableStream, dataOf: writableOf, make: makeWritableObject } = defineInterface('WritableStream', WritableData, {
  construct: (_, sink = undefined, strategy = undefined) => constructWritable(sink, strategy),
  shown: ['locked'], attributes: { locked: [(stream) => stream.isLocked] },
  operations: { getWriter: (stream) => makeWriter(new WriterData(stream)) },
  promises: {
    abort(stream, reason = undefined) {
      if (stream.isLocked) throw new ScriptTypeError('abort: the stream has a writer');
      return publishPromise(stream.abort(reason));
    },
    close(stream) {
      if (stream.isLocked) throw new ScriptTypeError('close: the stream has a writer');
      if (stream.isClosing) throw new ScriptTypeError('close: the stream is being closed already');
      return stream.close().promise;
    },
  },
});
