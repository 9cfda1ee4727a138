/** ArrayBuffers that change hands: whoever sends them has them detached. */
type Transfer = ArrayBuffer[] | { transfer?: ArrayBuffer[] };

/**
 * A script on a thread and in an engine of its own. Messages are structured clones; a run ends when all workers are idle,
 * with no message on its way.
 */
declare class Worker extends EventTarget {
  /**
   * @param script a file, relative to that of the script that starts it, or a `file:` URL; or code, if `eval` is set.
   *   Whether it is a module its name and its text say, as of any program, whatever `type` is
   * @throws if the file cannot be read, there is no such option, or there are as many workers as are allowed
   */
  constructor(script: string | URL, options?: { name?: string, eval?: boolean, type?: 'classic' | 'module' });
  postMessage(message: any, transfer?: Transfer): void;
  /** Ends its script at once, wherever it is. */
  terminate(): Promise<void>;
  onmessage: ((event: MessageEvent) => void) | null;
  /** Of an error that nobody listens to, the script that started the worker is told as of one of its own. */
  onerror: ((event: ErrorEvent) => void) | null;
  /** The worker has ended. */
  onclose: ((event: Event) => void) | null;
}

/** In a worker: to the script that started it. */
declare function postMessage(message: any, transfer?: Transfer): void;
/** In a worker: ends it once the script that runs has returned. */
declare function close(): void;
/** In a worker: as it was given. */
declare const name: string;
declare const self: typeof globalThis;
declare var onmessage: ((event: MessageEvent) => void) | null;
declare function addEventListener(type: string, listener: EventListener | null, options?: ListenerOptions | boolean): void;
declare function removeEventListener(type: string, listener: EventListener | null, options?: ListenerOptions | boolean): void;
declare function dispatchEvent(event: Event): boolean;
