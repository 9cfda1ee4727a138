/** What a message brings. */
interface MessageEvent<Data = any> {
  readonly type: 'message';
  readonly data: Data;
  readonly target: any;
}

/** What a script of a worker's does not handle. */
interface WorkerErrorEvent {
  readonly type: 'error';
  readonly error: any;
  readonly message: string;
  readonly filename: string;
  /** From 1; 0 if it is not known. */
  readonly lineno: number;
  readonly colno: number;
  readonly target: Worker;
}

interface WorkerCloseEvent {
  readonly type: 'close';
  readonly target: Worker;
}

interface WorkerEvents {
  message: MessageEvent;
  error: WorkerErrorEvent;
  close: WorkerCloseEvent;
}

/** `once`: only the first. */
interface ListenerOptions { once?: boolean }

/** ArrayBuffers that change hands: whoever sends them has them detached. */
type Transfer = ArrayBuffer[] | { transfer?: ArrayBuffer[] };

/**
 * A script on a thread and in an engine of its own. Messages are structured clones; a run ends when all workers are idle,
 * with no message on its way.
 */
declare class Worker {
  /**
   * @param script a file, relative to that of the script that starts it; or code, if `eval` is set
   * @throws if the file cannot be read, or there are as many workers as are allowed
   */
  constructor(script: string, options?: { name?: string, eval?: boolean });
  postMessage(message: any, transfer?: Transfer): void;
  /** Ends its script at once, wherever it is. */
  terminate(): Promise<void>;
  onmessage: ((event: MessageEvent) => void) | null;
  /** Of an error that nobody listens to, the script that started the worker is told as of one of its own. */
  onerror: ((event: WorkerErrorEvent) => void) | null;
  /** The worker has ended. */
  onclose: ((event: WorkerCloseEvent) => void) | null;
  addEventListener<Type extends keyof WorkerEvents>(type: Type, listener: (event: WorkerEvents[Type]) => void, options?: ListenerOptions): void;
  removeEventListener<Type extends keyof WorkerEvents>(type: Type, listener: (event: WorkerEvents[Type]) => void): void;
}

/** In a worker: to the script that started it. */
declare function postMessage(message: any, transfer?: Transfer): void;
/** In a worker: ends it once the script that runs has returned. */
declare function close(): void;
/** In a worker: as it was given. */
declare const name: string;
declare const self: typeof globalThis;
declare var onmessage: ((event: MessageEvent) => void) | null;
declare function addEventListener(type: 'message', listener: (event: MessageEvent) => void, options?: ListenerOptions): void;
declare function removeEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
