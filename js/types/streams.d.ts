/** `highWaterMark`: how much may wait; `size` of a chunk, 1 without it. */
interface QueuingStrategy<Chunk = any> { highWaterMark?: number; size?(chunk: Chunk): number }
interface PipeOptions { preventAbort?: boolean; preventCancel?: boolean; preventClose?: boolean; signal?: AbortSignal }
type ReadResult<Chunk> = { done: false, value: Chunk } | { done: true, value: Chunk | undefined };
interface UnderlyingSource<Chunk = any> {
  start?(controller: ReadableStreamDefaultController<Chunk>): any;
  pull?(controller: ReadableStreamDefaultController<Chunk>): void | Promise<void>;
  cancel?(reason: any): void | Promise<void>;
  type?: undefined;
}
interface UnderlyingByteSource {
  type: 'bytes';
  autoAllocateChunkSize?: number;
  start?(controller: ReadableByteStreamController): any;
  pull?(controller: ReadableByteStreamController): void | Promise<void>;
  cancel?(reason: any): void | Promise<void>;
}
/** As the Streams standard has it: what is not asked for waits. */
declare class ReadableStream<Chunk = any> {
  constructor(source: UnderlyingByteSource, strategy?: { highWaterMark?: number });
  constructor(source?: UnderlyingSource<Chunk>, strategy?: QueuingStrategy<Chunk>);
  static from<Chunk>(iterable: Iterable<Chunk> | AsyncIterable<Chunk>): ReadableStream<Chunk>;
  readonly locked: boolean;
  cancel(reason?: any): Promise<void>;
  getReader(options: { mode: 'byob' }): ReadableStreamBYOBReader;
  getReader(): ReadableStreamDefaultReader<Chunk>;
  pipeThrough<Result>(pair: { readable: ReadableStream<Result>, writable: WritableStream<Chunk> }, options?: PipeOptions): ReadableStream<Result>;
  pipeTo(destination: WritableStream<Chunk>, options?: PipeOptions): Promise<void>;
  tee(): [ReadableStream<Chunk>, ReadableStream<Chunk>];
  values(options?: { preventCancel?: boolean }): AsyncIterableIterator<Chunk>;
  [Symbol.asyncIterator](options?: { preventCancel?: boolean }): AsyncIterableIterator<Chunk>;
}
declare class ReadableStreamDefaultReader<Chunk = any> {
  constructor(stream: ReadableStream<Chunk>);
  readonly closed: Promise<void>;
  read(): Promise<ReadResult<Chunk>>;
  cancel(reason?: any): Promise<void>;
  releaseLock(): void;
}
/** Reads into buffers that it is given, and takes. */
declare class ReadableStreamBYOBReader {
  constructor(stream: ReadableStream<Uint8Array>);
  readonly closed: Promise<void>;
  read<View extends ArrayBufferView>(view: View, options?: { min?: number }): Promise<ReadResult<View>>;
  cancel(reason?: any): Promise<void>;
  releaseLock(): void;
}
declare class ReadableStreamDefaultController<Chunk = any> {
  private constructor();
  readonly desiredSize: number | null;
  close(): void;
  enqueue(chunk?: Chunk): void;
  error(reason?: any): void;
}
declare class ReadableByteStreamController {
  private constructor();
  readonly byobRequest: ReadableStreamBYOBRequest | null;
  readonly desiredSize: number | null;
  close(): void;
  enqueue(chunk: ArrayBufferView): void;
  error(reason?: any): void;
}
declare class ReadableStreamBYOBRequest {
  private constructor();
  readonly view: Uint8Array | null;
  respond(bytes: number): void;
  respondWithNewView(view: ArrayBufferView): void;
}
interface UnderlyingSink<Chunk = any> {
  start?(controller: WritableStreamDefaultController): any;
  write?(chunk: Chunk, controller: WritableStreamDefaultController): void | Promise<void>;
  close?(): void | Promise<void>;
  abort?(reason: any): void | Promise<void>;
}
declare class WritableStream<Chunk = any> {
  constructor(sink?: UnderlyingSink<Chunk>, strategy?: QueuingStrategy<Chunk>);
  readonly locked: boolean;
  abort(reason?: any): Promise<void>;
  close(): Promise<void>;
  getWriter(): WritableStreamDefaultWriter<Chunk>;
}
declare class WritableStreamDefaultWriter<Chunk = any> {
  constructor(stream: WritableStream<Chunk>);
  readonly closed: Promise<void>;
  /** Comes when there is room. */
  readonly ready: Promise<void>;
  readonly desiredSize: number | null;
  abort(reason?: any): Promise<void>;
  close(): Promise<void>;
  write(chunk?: Chunk): Promise<void>;
  releaseLock(): void;
}
declare class WritableStreamDefaultController {
  private constructor();
  readonly signal: AbortSignal;
  error(reason?: any): void;
}
interface Transformer<From = any, To = any> {
  start?(controller: TransformStreamDefaultController<To>): any;
  transform?(chunk: From, controller: TransformStreamDefaultController<To>): void | Promise<void>;
  flush?(controller: TransformStreamDefaultController<To>): void | Promise<void>;
  cancel?(reason: any): void | Promise<void>;
}
declare class TransformStream<From = any, To = any> {
  constructor(transformer?: Transformer<From, To>, writableStrategy?: QueuingStrategy<From>, readableStrategy?: QueuingStrategy<To>);
  readonly readable: ReadableStream<To>;
  readonly writable: WritableStream<From>;
}
declare class TransformStreamDefaultController<To = any> {
  private constructor();
  readonly desiredSize: number | null;
  enqueue(chunk?: To): void;
  error(reason?: any): void;
  terminate(): void;
}
declare class CountQueuingStrategy {
  constructor(init: { highWaterMark: number });
  readonly highWaterMark: number;
  readonly size: (chunk?: any) => number;
}
declare class ByteLengthQueuingStrategy {
  constructor(init: { highWaterMark: number });
  readonly highWaterMark: number;
  readonly size: (chunk: ArrayBufferView) => number;
}
type CompressionFormat = 'gzip' | 'deflate' | 'deflate-raw';
declare class CompressionStream {
  constructor(format: CompressionFormat);
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<ArrayBuffer | ArrayBufferView>;
}
/** Fails with a TypeError where the data is broken, breaks off or goes on behind its end. */
declare class DecompressionStream {
  constructor(format: CompressionFormat);
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<ArrayBuffer | ArrayBufferView>;
}
declare class TextEncoderStream {
  readonly encoding: string;
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<string>;
}
declare class TextDecoderStream {
  constructor(label?: string, options?: { fatal?: boolean, ignoreBOM?: boolean });
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<ArrayBuffer | ArrayBufferView>;
}
/** Bytes in memory that nobody changes, with a type. */
declare class Blob {
  /** Texts become UTF-8. With `endings: 'native'` the ends of their lines become `\n`. */
  constructor(parts?: Iterable<ArrayBuffer | ArrayBufferView | Blob | string>, options?: { type?: string, endings?: 'transparent' | 'native' });
  readonly size: number;
  readonly type: string;
  /** Shares the bytes. Negative positions count from the end. */
  slice(start?: number, end?: number, type?: string): Blob;
  stream(): ReadableStream<Uint8Array>;
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
  bytes(): Promise<Uint8Array>;
}
/** A blob with a name. It is not read from the disk: `Files.readBytes` does that. */
declare class File extends Blob {
  constructor(parts: Iterable<ArrayBuffer | ArrayBufferView | Blob | string>, name: string, options?: { type?: string, endings?: 'transparent' | 'native', lastModified?: number });
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly lastModified: number;
}
