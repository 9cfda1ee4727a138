// `CompressionStream` and `DecompressionStream`, `TextEncoderStream` and `TextDecoderStream`.

/** What natives have at work for streams that scripts have forgotten. */
const codecRegistry = new FinalizationRegistry((number) => shared.webNative.closeCodec(number));
/** In bytes. */
const CODEC_PART = 1 << 16;
const formats = ['gzip', 'deflate', 'deflate-raw'];

class CodecData {
  constructor(name, format, compresses) {
    const kind = formats.indexOf(text(format));
    if (kind < 0) throw new ScriptTypeError(`${name}, argument 1 'format': expected 'gzip', 'deflate' or 'deflate-raw', got '${text(format)}'`);
    this.number = shared.webNative.openCodec(kind, compresses);
    codecRegistry.register(this, this.number, this);
    const made = makeTransform({
      transform: (chunk) => promiseOf(() => this.feed(made.controller, bytesOfChunk(chunk, name), false)),
      flush: () => promiseOf(() => {
        this.feed(made.controller, new Uint8Array(0), true);
        this.close();
      }),
      cancel: () => promiseOf(() => this.close()),
    });
    made.begin();
    this.stream = made.stream;
  }

  /** In parts: nothing ends what native code has begun. */
  feed(controller, bytes, ends) {
    for (let start = 0; start === 0 || start < bytes.length; start += CODEC_PART) {
      const isLast = start + CODEC_PART >= bytes.length;
      let result;
      try {
        result = new Uint8Array(shared.webNative.feedCodec(this.number, bytes.subarray(start, start + CODEC_PART), ends && isLast));
      } catch (caught) {
        const error = /** @type {any} */ (caught);
        this.close();
        throw codedError(error?.code, error?.message, ScriptTypeError);
      }
      if (result.length > 0) controller.enqueue(copyOfView(result));
    }
  }

  close() {
    codecRegistry.unregister(this);
    shared.webNative.closeCodec(this.number);
  }
}

function bytesOfChunk(chunk, title) {
  if (attempt(() => bufferLength(chunk)) !== undefined) return new Uint8Array(chunk).slice();
  const { buffer, offset, length } = partsOfView(chunk, `${title}: a chunk`);
  return new Uint8Array(buffer, offset, length).slice();
}

function defineCodec(name, compresses) {
  class Data extends CodecData {}
  return defineInterface(name, Data, { length: 1, shown: ['readable', 'writable'], construct: (_, format) => new Data(name, format, compresses), attributes: sidesOf(Data) }).made;
}
const CompressionStream = defineCodec('CompressionStream', true), DecompressionStream = defineCodec('DecompressionStream', false);

class EncoderStreamData {
  constructor() {
    const { encodeText } = shared;
    let high = '';
    const put = (chunk) => {
      const whole = high + chunk;
      high = /[\uD800-\uDBFF]$/.test(whole) ? whole.slice(-1) : '';
      const bytes = encodeText(high === '' ? whole : whole.slice(0, -1));
      if (bytes.length > 0) made.controller.enqueue(bytes);
    };
    const made = makeTransform({
      transform: (chunk) => promiseOf(() => put(text(chunk))),
      flush: () => promiseOf(() => { if (high !== '') made.controller.enqueue(encodeText(high)); }),
      cancel: () => Promise.resolve(undefined),
    });
    made.begin();
    this.stream = made.stream;
  }
}
const { made: TextEncoderStream } = defineInterface('TextEncoderStream', EncoderStreamData, {
  shown: ['encoding', 'readable', 'writable'], construct: () => new EncoderStreamData(), attributes: { encoding: [() => 'utf-8'], ...sidesOf(EncoderStreamData) },
});

class DecoderStreamData {
  constructor(label, options) {
    this.decoder = new shared.DecoderData(label, options);
    const put = (bytes, stream) => {
      const decoded = this.decoder.decode(bytes, stream);
      if (decoded !== '') made.controller.enqueue(decoded);
    };
    const made = makeTransform({
      transform: (chunk) => promiseOf(() => put(bytesOfChunk(chunk, 'TextDecoderStream'), true)),
      flush: () => promiseOf(() => put(new Uint8Array(0), false)),
      cancel: () => Promise.resolve(undefined),
    });
    made.begin();
    this.stream = made.stream;
  }
}
const { made: TextDecoderStream } = defineInterface('TextDecoderStream', DecoderStreamData, {
  shown: ['encoding', 'fatal', 'ignoreBOM', 'readable', 'writable'],
  construct: (_, label = 'utf-8', options = undefined) => new DecoderStreamData(text(label), dictionary(options, 'TextDecoderStream')),
  attributes: {
    encoding: [({ decoder }) => decoder.encoding], fatal: [({ decoder }) => decoder.fatal], ignoreBOM: [({ decoder }) => decoder.ignoreBOM],
    ...sidesOf(DecoderStreamData),
  },
});

// @ts-expect-error The file is the end of a function.
return {
  ReadableStream, ReadableStreamDefaultReader, ReadableStreamBYOBReader, ReadableStreamDefaultController, ReadableByteStreamController, ReadableStreamBYOBRequest,
  WritableStream, WritableStreamDefaultWriter, WritableStreamDefaultController, TransformStream, TransformStreamDefaultController,
  CountQueuingStrategy, ByteLengthQueuingStrategy, CompressionStream, DecompressionStream, TextEncoderStream, TextDecoderStream, Blob, File,
  makeReadable, makeReadableObject,
};
