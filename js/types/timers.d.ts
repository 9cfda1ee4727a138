/** Delays are in milliseconds; timers of one deadline run in the order they were set, each in a turn of its own. */
declare function setTimeout<Values extends any[]>(callback: (...values: Values) => void, delay?: number, ...values: Values): number;
declare function setInterval<Values extends any[]>(callback: (...values: Values) => void, delay?: number, ...values: Values): number;
/** Runs at the loop's next turn, before timers. */
declare function setImmediate<Values extends any[]>(callback: (...values: Values) => void, ...values: Values): number;
declare function clearTimeout(id?: number): void;
declare function clearInterval(id?: number): void;
declare function clearImmediate(id?: number): void;
declare function queueMicrotask(callback: () => void): void;
declare const performance: {
  /** When the bridge opened, in milliseconds since 1970. */
  readonly timeOrigin: number;
  /** Milliseconds since the bridge opened; never goes back. */
  now(): number;
};
