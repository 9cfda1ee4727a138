/** Ends what was begun with it: `controller.abort()`. Calls of native modules that give a promise take one behind their other arguments. */
declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: any): void;
}
declare class AbortSignal extends EventTarget {
  private constructor();
  static abort(reason?: any): AbortSignal;
  /** Aborted after so many milliseconds, with a `DOMException` named `TimeoutError`; keeps no run alive. */
  static timeout(milliseconds: number): AbortSignal;
  /** Aborted with the first of them. */
  static any(signals: Iterable<AbortSignal>): AbortSignal;
  readonly aborted: boolean;
  /** A `DOMException` named `AbortError`, unless another was given. */
  readonly reason: any;
  onabort: ((this: AbortSignal, event: Event) => void) | null;
  throwIfAborted(): void;
}
/** What may stand behind the arguments of a call that gives a promise. */
interface CallOptions { signal?: AbortSignal }
