// `ReadableStream` and its default reader and controller.

class ReadableData {
  /** @type {any} */
  state = 'readable';
  /** @type {any} */
  reader = undefined;
  /** @type {any} */
  storedError = undefined;
  isDisturbed = false;
  /** @type {any} */
  controller = undefined;

  get isLocked() { return this.reader !== undefined; }

  close() {
    this.state = 'closed';
    const { reader } = this;
    if (reader === undefined) return;
    reader.closed.resolve();
    if (reader.isByob) return;
    const requests = reader.requests;
    reader.requests = [];
    for (const request of requests) request.close();
  }

  fail(error) {
    this.state = 'errored';
    this.storedError = error;
    const { reader } = this;
    if (reader === undefined) return;
    reader.closed.reject(error);
    reader.failRequests(error);
  }

  /** @returns {Promise<undefined>} */
  cancel(reason) {
    this.isDisturbed = true;
    if (this.state === 'closed') return Promise.resolve(undefined);
    if (this.state === 'errored') return failed(this.storedError);
    this.close();
    const { reader } = this;
    if (reader?.isByob) {
      const requests = reader.requests;
      reader.requests = [];
      for (const request of requests) request.close(undefined);
    }
    return this.controller.cancelSteps(reason).then(ignoreAll);
  }
}

class ReaderData {
  isByob = false;
  /** @type {any[]} */
  requests = [];
  /** @param {any} stream */
  constructor(stream) {
    if (stream.isLocked) throw new ScriptTypeError('the stream has a reader already');
    this.stream = /** @type {any} */ (stream);
    stream.reader = this;
    this.closed = stream.state === 'readable' ? new Settlement() : stream.state === 'closed' ? Settlement.resolved() : Settlement.rejected(stream.storedError);
  }

  failRequests(error) {
    const requests = this.requests;
    this.requests = [];
    for (const request of requests) request.fail(error);
  }

  read(request) {
    const { stream } = this;
    stream.isDisturbed = true;
    if (stream.state === 'closed') request.close();
    else if (stream.state === 'errored') request.fail(stream.storedError);
    else stream.controller.pullSteps(request);
  }

  /** @returns {Promise<undefined>} */
  cancel(reason) { return this.stream === undefined ? failed(released()) : this.stream.cancel(reason); }

  release() {
    const { stream } = this;
    if (stream === undefined) return;
    const error = released();
    if (this.closed.isPending) this.closed.reject(error); else this.closed = Settlement.rejected(error);
    stream.controller.releaseSteps();
    stream.reader = undefined;
    this.stream = undefined;
    this.failRequests(error);
  }
}

function released() { return new ScriptTypeError('the reader was released'); }

/** A request whose answer is a promise of the script's. */
function requestFor({ resolve, reject }) {
  return { chunk: (value) => resolve(iteration(value, false)), close: (value) => resolve(iteration(value, true)), fail: reject };
}

const readerMembers = {
  promiseAttributes: { closed: (reader) => reader.closed.promise },
  operations: { releaseLock(reader) { reader.release(); } },
  promises: { cancel: (reader, reason = undefined) => publishPromise(reader.cancel(reason)) },
};

const { made: ReadableStreamDefaultReader, make: makeStreamReader } = defineInterface('ReadableStreamDefaultReader', ReaderData, {
  length: 1, ...readerMembers,
  construct: (_, stream) => new ReaderData(needStream(stream)),
  promises: {
    ...readerMembers.promises,
    read(reader) {
      if (reader.stream === undefined) throw released();
      const answer = border.deferred();
      reader.read(requestFor(answer));
      return answer.promise;
    },
  },
});

function needStream(value, title = 'ReadableStreamDefaultReader') {
  const stream = readableOf(value);
  if (stream === undefined) throw new ScriptTypeError(`${title}, argument 1 'stream': expected ReadableStream, got ${describeValue(value)}`);
  return stream;
}

class DefaultController {
  queue = new Queue();
  isStarted = false;
  isCloseRequested = false;
  pullsAgain = false;
  isPulling = false;
  object = undefined;

  constructor(stream, highWaterMark, size, pull, cancel) {
    this.stream = stream;
    this.highWaterMark = highWaterMark;
    this.size = size;
    this.pull = pull;
    this.cancelSource = cancel;
    stream.controller = this;
  }

  get mayEnqueue() { return !this.isCloseRequested && this.stream.state === 'readable'; }
  get desiredSize() { return this.stream.state === 'errored' ? null : this.stream.state === 'closed' ? 0 : this.highWaterMark - this.queue.total; }

  start(begin) {
    const result = begin();
    promiseOf(() => result).then(() => {
      this.isStarted = true;
      this.pullIfNeeded();
    }, (error) => this.fail(error));
  }

  get shouldPull() {
    const { stream } = this;
    return this.mayEnqueue && this.isStarted && (stream.isLocked && stream.reader.requests.length > 0 || this.desiredSize > 0);
  }

  pullIfNeeded() {
    if (!this.shouldPull) return;
    if (this.isPulling) {
      this.pullsAgain = true;
      return;
    }
    this.isPulling = true;
    this.pull().then(() => {
      this.isPulling = false;
      if (!this.pullsAgain) return;
      this.pullsAgain = false;
      this.pullIfNeeded();
    }, (error) => this.fail(error));
  }

  clearAlgorithms() { this.pull = this.cancelSource = this.size = undefined; }

  cancelSteps(reason) {
    this.queue.clear();
    const result = this.cancelSource(reason);
    this.clearAlgorithms();
    return result;
  }

  pullSteps(request) {
    const { queue, stream } = this;
    if (queue.length === 0) {
      stream.reader.requests.push(request);
      this.pullIfNeeded();
      return;
    }
    const chunk = queue.take();
    if (this.isCloseRequested && queue.length === 0) {
      this.clearAlgorithms();
      stream.close();
    } else this.pullIfNeeded();
    request.chunk(chunk);
  }

  releaseSteps() {}

  close() {
    if (!this.mayEnqueue) return;
    this.isCloseRequested = true;
    if (this.queue.length > 0) return;
    this.clearAlgorithms();
    this.stream.close();
  }

  enqueue(chunk) {
    if (!this.mayEnqueue) return;
    const { reader } = this.stream;
    if (reader !== undefined && reader.requests.length > 0) reader.requests.shift().chunk(chunk);
    else {
      try { this.queue.add(chunk, this.size(chunk)); } catch (error) {
        const reason = clean(error);
        this.fail(reason);
        throw reason;
      }
    }
    this.pullIfNeeded();
  }

  fail(error) {
    if (this.stream.state !== 'readable') return;
    this.queue.clear();
    this.clearAlgorithms();
    this.stream.fail(error);
  }
}

const { made: ReadableStreamDefaultController, make: makeDefaultController } = defineInterface('ReadableStreamDefaultController', DefaultController, {
  shown: ['desiredSize'],
  attributes: { desiredSize: [(controller) => controller.desiredSize] },
  operations: {
    close(controller) {
      if (!controller.mayEnqueue) throw new ScriptTypeError('close: the stream is closed already');
      controller.close();
    },
    enqueue(controller, chunk = undefined) {
      if (!controller.mayEnqueue) throw new ScriptTypeError('enqueue: the stream is closed already');
      controller.enqueue(chunk);
    },
    error(controller, error = undefined) { controller.fail(error); },
  },
});

/** What stands behind a stream of the runtime's own. */
function makeReadable({ start = ignoreAll, pull = () => Promise.resolve(undefined), cancel = (_) => Promise.resolve(undefined), highWaterMark = 1, size = (_) => 1 }) {
  const stream = new ReadableData(), controller = new DefaultController(stream, highWaterMark, size, pull, cancel);
  controller.start(start);
  return { stream, controller: /** @type {any} */ (controller) };
}

function constructReadable(source, strategy) {
  const given = readStrategy(strategy, 'ReadableStream'), underlying = readUnderlying(source, 'ReadableStream, argument 1 \'source\'');
  const stream = new ReadableData(), from = underlying ?? Object.create(null);
  const { autoAllocateChunkSize } = from, { cancel, pull, start } = callbacksOf(from, ['cancel', 'pull', 'start'], 'ReadableStream, the source'), { type } = from;
  const invoke = (callback, ...values) => callback === undefined ? Promise.resolve(undefined) : promiseOf(() => apply(callback, underlying, values));
  if (type !== undefined && text(type) !== 'bytes') throw new ScriptTypeError(`ReadableStream: the source's type is '${text(type)}', not 'bytes'`);
  let controller;
  const pullIt = () => invoke(pull, controller.object), cancelIt = (reason) => invoke(cancel, reason);
  if (type !== undefined) {
    if (given.size !== undefined) throw new ScriptRangeError('ReadableStream: a stream of bytes has no function size');
    const mark = markOf(given, 0), size = autoAllocateChunkSize === undefined ? undefined : +autoAllocateChunkSize;
    if (size !== undefined && !(Math.trunc(size) > 0 && size <= Number.MAX_SAFE_INTEGER)) throw new ScriptTypeError('ReadableStream: autoAllocateChunkSize is not positive');
    controller = new ByteController(stream, mark, size === undefined ? undefined : Math.trunc(size), pullIt, cancelIt);
    controller.object = makeByteController(controller);
  } else {
    const mark = markOf(given, 1);
    controller = new DefaultController(stream, mark, sizeOf(given), pullIt, cancelIt);
    controller.object = makeDefaultController(controller);
  }
  controller.start(() => start === undefined ? undefined : apply(start, underlying, [controller.object]));
  return stream;
}

/** @param {any} options @param {string} title */
function readerFor(stream, options, title) {
  const { mode } = dictionary(options, title);
  if (mode === undefined) return makeStreamReader(new ReaderData(stream));
  if (text(mode) !== 'byob') throw new ScriptTypeError(`${title}: mode is '${text(mode)}', not 'byob'`);
  return makeByobReader(new ByobReaderData(stream));
}

const { made: ReadableStream, dataOf: readableOf, make: makeReadableObject } = defineInterface('ReadableStream', ReadableData, {
  construct: (_, source = undefined, strategy = undefined) => constructReadable(source, strategy),
  shown: ['locked'], attributes: { locked: [(stream) => stream.isLocked] },
  operations: {
    getReader: (stream, options = undefined) => readerFor(stream, options, 'getReader'),
    pipeThrough(stream, pair, options = undefined) {
      const given = dictionary(pair, 'pipeThrough'), readable = readableOf(given.readable), writable = writableOf(given.writable);
      if (readable === undefined || writable === undefined) throw new ScriptTypeError('pipeThrough: expected an object with readable and writable');
      const to = pipeOptions(options);
      if (stream.isLocked || writable.isLocked) throw new ScriptTypeError('pipeThrough: a stream is locked');
      pipe(stream, writable, to).catch(ignoreAll);
      return given.readable;
    },
    tee(stream) {
      const [one, two] = tee(stream);
      return arrayOf2(makeReadableObject(one), makeReadableObject(two));
    },
    values: (stream, options = undefined) => iterateStream(stream, Boolean(dictionary(options, 'values').preventCancel)),
  },
  promises: {
    cancel(stream, reason = undefined) {
      if (stream.isLocked) throw new ScriptTypeError('cancel: the stream has a reader');
      return publishPromise(stream.cancel(reason));
    },
    pipeTo(stream, destination, options = undefined) {
      const writable = writableOf(destination);
      if (writable === undefined) throw new ScriptTypeError(`pipeTo, argument 1 'destination': expected WritableStream, got ${describeValue(destination)}`);
      const to = pipeOptions(options);
      if (stream.isLocked || writable.isLocked) throw new ScriptTypeError('pipeTo: a stream is locked');
      return publishPromise(pipe(stream, writable, to));
    },
  },
  statics: { from: (iterable) => makeReadableObject(streamFrom(iterable)) },
});
define(ReadableStream.prototype, Symbol.asyncIterator, ReadableStream.prototype.values);
