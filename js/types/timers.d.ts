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
  /** Notes a time, by default this one. A copy of `detail` is kept. */
  mark(name: string, options?: { startTime?: number, detail?: any }): PerformanceMark;
  /** Notes how long something took: between two marks, or times; from the start of all, to now, where one is not named. */
  measure(name: string, start?: string | { start?: string | number, end?: string | number, duration?: number, detail?: any }, end?: string): PerformanceMeasure;
  /** In the order of their starts. They are kept until they are cleared. */
  getEntries(): PerformanceEntry[];
  getEntriesByType(type: string): PerformanceEntry[];
  getEntriesByName(name: string, type?: string): PerformanceEntry[];
  clearMarks(name?: string): void;
  clearMeasures(name?: string): void;
};
declare class PerformanceEntry {
  protected constructor();
  readonly name: string;
  readonly entryType: string;
  /** As `performance.now()` gives it. */
  readonly startTime: number;
  /** In milliseconds. */
  readonly duration: number;
  toJSON(): any;
}
declare class PerformanceMark extends PerformanceEntry {
  constructor(name: string, options?: { startTime?: number, detail?: any });
  readonly detail: any;
}
declare class PerformanceMeasure extends PerformanceEntry {
  protected constructor();
  readonly detail: any;
}
