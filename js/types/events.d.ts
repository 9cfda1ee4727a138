/** What listeners are told. */
interface EventInit { bubbles?: boolean; cancelable?: boolean; composed?: boolean }
declare class Event {
  constructor(type: string, options?: EventInit);
  static readonly NONE: 0;
  static readonly CAPTURING_PHASE: 1;
  static readonly AT_TARGET: 2;
  static readonly BUBBLING_PHASE: 3;
  readonly type: string;
  readonly target: EventTarget | null;
  readonly currentTarget: EventTarget | null;
  readonly eventPhase: number;
  readonly bubbles: boolean;
  readonly cancelable: boolean;
  readonly defaultPrevented: boolean;
  readonly composed: boolean;
  /** Whether the runtime has dispatched it, and no script. */
  readonly isTrusted: boolean;
  /** Milliseconds, as `performance.now()` gives them. */
  readonly timeStamp: number;
  composedPath(): EventTarget[];
  stopPropagation(): void;
  stopImmediatePropagation(): void;
  preventDefault(): void;
}
/** An event with a value of the script's. */
declare class CustomEvent<Detail = any> extends Event {
  constructor(type: string, options?: EventInit & { detail?: Detail });
  readonly detail: Detail;
}
/** What a message brings. */
declare class MessageEvent<Data = any> extends Event {
  constructor(type: string, options?: EventInit & { data?: Data, origin?: string, lastEventId?: string, source?: any });
  readonly data: Data;
  readonly origin: string;
  readonly lastEventId: string;
}
/** What a script does not handle. */
declare class ErrorEvent extends Event {
  constructor(type: string, options?: EventInit & { message?: string, filename?: string, lineno?: number, colno?: number, error?: any });
  readonly error: any;
  readonly message: string;
  readonly filename: string;
  /** From 1; 0 if it is not known. */
  readonly lineno: number;
  readonly colno: number;
}
type EventListener<Given = any> = ((event: Given) => void) | { handleEvent(event: Given): void };
/** `once`: only the first. `signal` ends the listening. */
interface ListenerOptions { once?: boolean; capture?: boolean; passive?: boolean; signal?: AbortSignal }
declare class EventTarget {
  addEventListener(type: string, listener: EventListener | null, options?: ListenerOptions | boolean): void;
  removeEventListener(type: string, listener: EventListener | null, options?: ListenerOptions | boolean): void;
  /** Whether nobody has prevented the event's default. What a listener throws is reported and stops no other. */
  dispatchEvent(event: Event): boolean;
}
/** An error of the web's: `name` tells which; `code` is that of older ones, else 0. */
declare class DOMException extends Error {
  constructor(message?: string, name?: string);
  readonly name: string;
  readonly message: string;
  readonly code: number;
  static readonly ABORT_ERR: 20;
  static readonly TIMEOUT_ERR: 23;
  static readonly DATA_CLONE_ERR: 25;
}
