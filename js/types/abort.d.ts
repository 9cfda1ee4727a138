/** Ends what was begun with it: `controller.abort()`. Calls of native modules that give a promise take one behind their other arguments. */
declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: any): void;
}
declare class AbortSignal {
  private constructor();
  static abort(reason?: any): AbortSignal;
  /** Aborted after so many milliseconds, with an error named `TimeoutError`. */
  static timeout(milliseconds: number): AbortSignal;
  /** Aborted with the first of them. */
  static any(signals: AbortSignal[]): AbortSignal;
  readonly aborted: boolean;
  readonly reason: any;
  onabort: ((this: AbortSignal, event: { type: 'abort', target: AbortSignal }) => void) | null;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: (this: AbortSignal, event: { type: 'abort', target: AbortSignal }) => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: (...values: any[]) => void): void;
}
/** What may stand behind the arguments of a call that gives a promise. */
interface CallOptions { signal?: AbortSignal }
