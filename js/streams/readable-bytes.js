// Streams of bytes: their controller, and the reader that brings its own buffers.

const { transferBuffer, viewConstructors, ArrayBuffer: OwnBuffer } = border.intrinsics;
const isDetached = getter(ArrayBuffer.prototype, 'detached');
const bufferLength = getter(ArrayBuffer.prototype, 'byteLength');
const dataViewParts = ['buffer', 'byteOffset', 'byteLength'].map((name) => getter(DataView.prototype, name));
const typedParts = [typedArrayBuffer, typedArrayByteOffset, typedArrayByteLength];

/** @param {any} view @param {string} title */
function partsOfView(view, title) {
  if (!ArrayBuffer.isView(view)) throw new ScriptTypeError(`${title}: expected a view on an ArrayBuffer, got ${describeValue(view)}`);
  const kind = typedArrayName(view), [buffer, offset, length] = (kind === undefined ? dataViewParts : typedParts).map((get) => get(view));
  if (attempt(() => bufferLength(buffer)) === undefined) throw new ScriptTypeError(`${title}: the buffer is shared`);
  const size = kind === undefined ? 1 : viewConstructors[kind].BYTES_PER_ELEMENT ?? 1;
  return { kind: kind ?? 'DataView', buffer, offset, length, size };
}

function transfer(buffer) { return apply(transferBuffer, buffer, []); }

/** @returns {Uint8Array} of the script's realm */
function makeBytes(buffer, offset = 0, length = bufferLength(buffer)) { return new viewConstructors.Uint8Array(buffer, offset, length); }

function copyOfView(view) {
  const { buffer, offset, length } = partsOfView(view, 'tee'), copy = new OwnBuffer(length);
  new Uint8Array(copy).set(new Uint8Array(buffer, offset, length));
  return makeBytes(copy);
}

class ByobRequestData {
  constructor(controller, view) {
    this.controller = controller;
    this.view = view;
  }
}

class ByteController {
  /** @type {{buffer: any, offset: number, length: number}[]} */
  queue = [];
  total = 0;
  isStarted = false;
  isCloseRequested = false;
  pullsAgain = false;
  isPulling = false;
  /** @type {any[]} */
  pending = [];
  /** @type {any} */
  request = undefined;
  object = undefined;

  constructor(stream, highWaterMark, autoSize, pull, cancel) {
    this.stream = stream;
    this.highWaterMark = highWaterMark;
    this.autoSize = autoSize;
    this.pull = pull;
    this.cancelSource = cancel;
    stream.controller = this;
  }

  get mayEnqueue() { return !this.isCloseRequested && this.stream.state === 'readable'; }
  get desiredSize() { return this.stream.state === 'errored' ? null : this.stream.state === 'closed' ? 0 : this.highWaterMark - this.total; }
  get shouldPull() { return this.mayEnqueue && this.isStarted && ((this.stream.reader?.requests.length ?? 0) > 0 || this.desiredSize > 0); }

  clearAlgorithms() { this.pull = this.cancelSource = undefined; }

  invalidate() {
    if (this.request !== undefined) {
      this.request.data.controller = undefined;
      this.request.data.view = null;
    }
    this.request = undefined;
  }

  get byobRequest() {
    if (this.request === undefined && this.pending.length > 0) {
      const { buffer, offset, filled, length } = this.pending[0], data = new ByobRequestData(this, makeBytes(buffer, offset + filled, length - filled));
      this.request = { data, object: makeByobRequest(data) };
    }
    return this.request?.object ?? null;
  }

  cancelSteps(reason) {
    this.invalidate();
    this.pending = [];
    this.queue = [];
    this.total = 0;
    const result = this.cancelSource(reason);
    this.clearAlgorithms();
    return result;
  }

  releaseSteps() {
    if (this.pending.length === 0) return;
    this.pending = [Object.assign(this.pending[0], { reader: 'none' })];
  }

  takeChunk() {
    const { buffer, offset, length } = /** @type {any} */ (this.queue.shift());
    this.total -= length;
    this.afterDrain();
    return makeBytes(buffer, offset, length);
  }

  afterDrain() {
    if (this.total === 0 && this.isCloseRequested) {
      this.clearAlgorithms();
      this.stream.close();
    } else this.pullIfNeeded();
  }

  pullSteps(request) {
    if (this.total > 0) return request.chunk(this.takeChunk());
    if (this.autoSize !== undefined) {
      let buffer;
      try { buffer = new OwnBuffer(this.autoSize); } catch (error) { return request.fail(clean(error)); }
      this.pending.push({ buffer, bufferLength: this.autoSize, offset: 0, length: this.autoSize, filled: 0, least: 1, size: 1, kind: 'Uint8Array', reader: 'default' });
    }
    this.stream.reader.requests.push(request);
    this.pullIfNeeded();
  }

  pullInto({ kind, buffer: given, offset, length, size }, least, request) {
    const { stream } = this;
    let buffer;
    try { buffer = transfer(given); } catch (error) { return request.fail(clean(error)); }
    const into = { buffer, bufferLength: bufferLength(buffer), offset, length, filled: 0, least: least * size, size, kind, reader: 'byob' };
    if (this.pending.length > 0) {
      this.pending.push(into);
      stream.reader.requests.push(request);
      return;
    }
    if (stream.state === 'closed') return request.close(new viewConstructors[kind](buffer, offset, 0));
    if (this.total > 0) {
      if (this.fill(into)) {
        const view = this.converted(into);
        this.afterDrain();
        return request.chunk(view);
      }
      if (this.isCloseRequested) {
        const error = new ScriptTypeError('read: too few bytes are left for an element');
        this.fail(error);
        return request.fail(error);
      }
    }
    this.pending.push(into);
    stream.reader.requests.push(request);
    this.pullIfNeeded();
  }

  /** @returns {boolean} whether it has as much as it needs */
  fill(into) {
    const most = Math.min(this.total, into.length - into.filled), filled = into.filled + most, aligned = filled - filled % into.size;
    let left = most, isReady = false;
    if (aligned >= into.least) {
      left = aligned - into.filled;
      isReady = true;
    }
    while (left > 0) {
      const head = this.queue[0], count = Math.min(left, head.length);
      new Uint8Array(into.buffer).set(new Uint8Array(head.buffer, head.offset, count), into.offset + into.filled);
      if (head.length === count) this.queue.shift();
      else {
        head.offset += count;
        head.length -= count;
      }
      this.total -= count;
      into.filled += count;
      left -= count;
    }
    return isReady;
  }

  converted(into) { return new viewConstructors[into.kind](transfer(into.buffer), into.offset, into.filled / into.size); }

  commit(into) {
    const { stream } = this, isDone = stream.state === 'closed', view = this.converted(into), request = stream.reader.requests.shift();
    if (isDone) request.close(view); else request.chunk(view);
  }

  fillPending() {
    const ready = [];
    while (this.pending.length > 0 && this.total > 0 && this.fill(this.pending[0])) ready.push(this.shiftPending());
    return ready;
  }

  shiftPending() { return this.pending.shift(); }

  pullIfNeeded() { DefaultController.prototype.pullIfNeeded.call(this); }
  start(begin) { DefaultController.prototype.start.call(this, begin); }

  close() {
    if (!this.mayEnqueue) return;
    if (this.total > 0) {
      this.isCloseRequested = true;
      return;
    }
    const [first] = this.pending;
    if (first !== undefined && first.filled % first.size !== 0) {
      const error = new ScriptTypeError('close: too few bytes are left for an element');
      this.fail(error);
      throw error;
    }
    this.clearAlgorithms();
    this.stream.close();
  }

  answerPending() { if (this.pending.length > 0) this.respond(0); }

  enqueue(view) {
    const { buffer, offset, length } = partsOfView(view, 'enqueue');
    if (!this.mayEnqueue) return;
    if (isDetached(buffer)) throw new ScriptTypeError('enqueue: the buffer is detached');
    const taken = transfer(buffer), { reader } = this.stream;
    if (this.pending.length > 0) {
      const [first] = this.pending;
      if (isDetached(first.buffer)) throw new ScriptTypeError('enqueue: the buffer of the read is detached');
      this.invalidate();
      first.buffer = transfer(first.buffer);
      if (first.reader === 'none') this.dropFirst();
    }
    if (reader !== undefined && !reader.isByob) {
      while (reader.requests.length > 0 && this.total > 0) reader.requests.shift().chunk(this.takeChunk());
      if (reader.requests.length === 0) this.put(taken, offset, length);
      else {
        if (this.pending.length > 0) this.shiftPending();
        reader.requests.shift().chunk(makeBytes(taken, offset, length));
      }
    } else {
      this.put(taken, offset, length);
      if (reader !== undefined) for (const into of this.fillPending()) this.commit(into);
    }
    this.pullIfNeeded();
  }

  put(buffer, offset, length) {
    this.queue.push({ buffer, offset, length });
    this.total += length;
  }

  /** What a reader that was released has begun. */
  dropFirst() {
    const first = this.pending[0];
    if (first.filled > 0) {
      const copy = new OwnBuffer(first.filled);
      new Uint8Array(copy).set(new Uint8Array(first.buffer, first.offset, first.filled));
      this.put(copy, 0, first.filled);
    }
    this.shiftPending();
  }

  fail(error) {
    if (this.stream.state !== 'readable') return;
    this.invalidate();
    this.pending = [];
    this.queue = [];
    this.total = 0;
    this.clearAlgorithms();
    this.stream.fail(error);
  }

  respond(count) {
    const [first] = this.pending, isClosed = this.stream.state === 'closed';
    if (isClosed ? count !== 0 : count === 0) throw new ScriptTypeError(isClosed ? 'respond: the stream is closed; only 0 can follow' : 'respond: 0 bytes are for a stream that is closed');
    if (first.filled + count > first.length) throw new ScriptRangeError('respond: more bytes than the view has');
    first.buffer = transfer(first.buffer);
    this.respondTo(count);
  }

  respondWithView(view) {
    const { buffer, offset, length } = partsOfView(view, 'respondWithNewView'), [first] = this.pending, isClosed = this.stream.state === 'closed';
    if (isClosed ? length !== 0 : length === 0) throw new ScriptTypeError(isClosed ? 'respondWithNewView: the stream is closed; only 0 bytes can follow' : 'respondWithNewView: 0 bytes are for a stream that is closed');
    if (first.offset + first.filled !== offset) throw new ScriptRangeError('respondWithNewView: the view begins elsewhere');
    if (first.bufferLength !== bufferLength(buffer)) throw new ScriptRangeError('respondWithNewView: the buffer has another length');
    if (first.filled + length > first.length) throw new ScriptRangeError('respondWithNewView: more bytes than the view had');
    first.buffer = transfer(buffer);
    this.respondTo(length);
  }

  respondTo(count) {
    const [first] = this.pending;
    this.invalidate();
    if (this.stream.state === 'closed') this.respondClosed(first); else this.respondReadable(count, first);
    this.pullIfNeeded();
  }

  respondClosed(first) {
    if (first.reader === 'none') this.shiftPending();
    const { reader } = this.stream;
    if (reader?.isByob) while (reader.requests.length > 0) this.commit(this.shiftPending());
  }

  respondReadable(count, first) {
    first.filled += count;
    if (first.reader === 'none') {
      this.dropFirst();
      if (this.stream.reader?.isByob) for (const into of this.fillPending()) this.commit(into);
      return;
    }
    if (first.filled < first.least) return;
    this.shiftPending();
    const rest = first.filled % first.size;
    if (rest > 0) {
      const copy = new OwnBuffer(rest);
      new Uint8Array(copy).set(new Uint8Array(first.buffer, first.offset + first.filled - rest, rest));
      this.put(copy, 0, rest);
    }
    first.filled -= rest;
    const ready = this.fillPending();
    this.commit(first);
    for (const into of ready) this.commit(into);
  }
}

const { made: ReadableByteStreamController, make: makeByteController } = defineInterface('ReadableByteStreamController', ByteController, {
  shown: ['desiredSize'],
  attributes: { byobRequest: [(controller) => controller.byobRequest], desiredSize: [(controller) => controller.desiredSize] },
  operations: {
    close(controller) {
      if (!controller.mayEnqueue) throw new ScriptTypeError('close: the stream is closed already');
      controller.close();
    },
    enqueue(controller, chunk) {
      const { buffer, length } = partsOfView(chunk, "enqueue, argument 1 'chunk'");
      if (length === 0 || bufferLength(buffer) === 0) throw new ScriptTypeError('enqueue: the chunk has no bytes');
      if (!controller.mayEnqueue) throw new ScriptTypeError('enqueue: the stream is closed already');
      controller.enqueue(chunk);
    },
    error(controller, error = undefined) { controller.fail(error); },
  },
});

function usable(request, title) {
  if (request.controller === undefined) throw new ScriptTypeError(`${title}: the request was answered already`);
  return request.controller;
}

const { made: ReadableStreamBYOBRequest, make: makeByobRequest } = defineInterface('ReadableStreamBYOBRequest', ByobRequestData, {
  shown: ['view'], attributes: { view: [(request) => request.view] },
  operations: {
    respond(request, count) {
      const bytes = Math.trunc(+count);
      if (!(bytes >= 0 && bytes <= Number.MAX_SAFE_INTEGER)) throw new ScriptTypeError('respond: expected a number of bytes');
      const controller = usable(request, 'respond');
      if (isDetached(typedArrayBuffer(request.view))) throw new ScriptTypeError('respond: the buffer is detached');
      controller.respond(bytes);
    },
    respondWithNewView(request, view) {
      const { buffer } = partsOfView(view, 'respondWithNewView'), controller = usable(request, 'respondWithNewView');
      if (isDetached(buffer)) throw new ScriptTypeError('respondWithNewView: the buffer is detached');
      controller.respondWithView(view);
    },
  },
});

class ByobReaderData extends ReaderData {
  constructor(stream) {
    if (!(stream.controller instanceof ByteController)) throw new ScriptTypeError('only a stream of bytes has such a reader');
    super(stream);
    this.isByob = true;
  }

  readInto(parts, least, request) {
    const { stream } = this;
    stream.isDisturbed = true;
    if (stream.state === 'errored') request.fail(stream.storedError);
    else stream.controller.pullInto(parts, least, request);
  }
}

const { made: ReadableStreamBYOBReader, make: makeByobReader } = defineInterface('ReadableStreamBYOBReader', ByobReaderData, {
  length: 1, ...readerMembers,
  construct: (_, stream) => new ByobReaderData(needStream(stream, 'ReadableStreamBYOBReader')),
  promises: {
    ...readerMembers.promises,
    read(reader, view, options = undefined) {
      const parts = partsOfView(view, "read, argument 1 'view'"), { min } = dictionary(options, "read, argument 2 'options'");
      const least = min === undefined ? 1 : Math.trunc(+min);
      if (parts.length === 0 || bufferLength(parts.buffer) === 0 || isDetached(parts.buffer)) throw new ScriptTypeError('read: the view has no bytes');
      if (!(least > 0)) throw new ScriptTypeError('read: min is not positive');
      if (least > parts.length / parts.size) throw new ScriptRangeError('read: min is more than the view has room for');
      if (reader.stream === undefined) throw released();
      const answer = border.deferred();
      reader.readInto(parts, least, requestFor(answer));
      return answer.promise;
    },
  },
});

function makeByteStream({ pull, cancel }) {
  const stream = new ReadableData(), controller = /** @type {any} */ (new ByteController(stream, 0, undefined, pull, cancel));
  controller.object = makeByteController(controller);
  controller.start(ignoreAll);
  return { stream, controller };
}
