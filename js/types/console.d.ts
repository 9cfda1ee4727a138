interface Console {
  log(...values: any[]): void;
  info(...values: any[]): void;
  debug(...values: any[]): void;
  /** To standard error, as `error`, `trace` and `assert`. */
  warn(...values: any[]): void;
  error(...values: any[]): void;
  trace(...values: any[]): void;
  assert(condition?: boolean, ...values: any[]): void;
  dir(value: any, options?: { depth?: number | null }): void;
  dirxml(...values: any[]): void;
  table(rows: any, columns?: readonly string[]): void;
  group(...values: any[]): void;
  groupCollapsed(...values: any[]): void;
  groupEnd(): void;
  count(label?: string): void;
  countReset(label?: string): void;
  time(label?: string): void;
  timeLog(label?: string, ...values: any[]): void;
  timeEnd(label?: string): void;
  clear(): void;
}
declare const console: Console;
