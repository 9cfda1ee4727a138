/// <reference path="interfaces.d.ts" />
/** What native code gives the runtime (`NativeHalf.swift`). */
interface NativeHalf {
  /** The shared buffer, and where its parts start, in words. */
  buffer: ArrayBuffer, commandsStart: number, commandsEnd: number, answersStart: number, resultStart: number,
  /** Values beside the buffer. */
  side: any[],
  messageLimit: number, callLimit: number, /** Where bridges that share a limit count together. */ sharedCalls?: ArrayBuffer, sharedCallLimit: number, stringLimit: number, nestingLimit: number, isDevelopment: boolean, tracksOutstanding: boolean,
  /** Milliseconds of a clock that never goes back. */
  now(): number,
  /** When the bridge opened, as `now` tells it. */
  opened: number,
  flush(): void,
  /** Whether the system leaves room for one of more than 64 KB. */
  mayMakeResizableBuffer(): boolean,
  /** The text of a part that is evaluated late: an expression. Of `inspector` the body of `js/inspector`, as a function. */
  part(name: string): string,
  /** The answer of the call that ends the buffer, for `readResult`. */
  flushSynchronously(): any,
  /**
   * What `readResult` makes the module's number, methods and the names of its events of, those last that are members. Of modules
   * that scripts may have: those with a script of their own are not known here, nor to `hasModule`.
   */
  moduleConfig(name: string): any,
  /** The same of a module with a script, for that script alone. */
  privateConfig(name: string): any,
  /** What `readResult` makes an object of the module's constants of. */
  moduleConstants(name: string): any,
  shape(id: number): any,
  unionCases(id: number): any,
  /** The numbers, name and methods of a class of objects. */
  sharedClass(id: number): any,
  /** The text of a script of our own: an expression. */
  moduleScript(name: string): string,
  hasModule(name: string): boolean,
  moduleNames(): string[],
  moduleVersion(name: string): string | undefined,
  /** What `readResult` makes the key of a module of; `referrer` is empty for the host. */
  resolveModule(specifier: string, referrer: string, isRequired: boolean, isOfProgram: boolean): any,
  /**
   * What `readResult` makes a `{format, text, name}` of, its name in stacks; for one that cannot be parsed a
   * `{format: 'unparsed', text, line, column}` with what is wrong. `type` is empty without one.
   */
  loadModule(key: string, type: string): any,
  /** Has modules made into JavaScript that will be asked for, together; the keys with NUL between them. For `readResult`. */
  prepareModules(keys: string): any,
  /** Whether something runs that was made of other texts; and a stack with the places in those. */
  hasSourceMaps(): boolean, mappedStack(stack: string): string,
  /** The value of code that runs in the script's realm. */
  compileModule(code: string, key: string): any,
  /** How many turns limits have ended. */
  endedTurns(): number,
  /** Where a text that is no JSON has its first mistake, in UTF-16 units; 0 where none is found. */
  jsonMistake(text: string): number,
  /** Whether the main module has begun and waits for something. */
  setMainPending(isPending: boolean): void,
}
declare const native: NativeHalf;

/** What makes all that scripts get, of their own realm (`js/border`). */
declare const border: any;

/** What `late/targets.js` gives. */
interface TargetTools {
  Event: any, CustomEvent: any, EventTarget: any,
  EventData: new (type: string, options?: any) => any, TargetData: new (self: any) => any,
  eventOf(value: any): any, targetOf(value: any): any, begun(self: any, data: any): any,
  dispatchOwn(target: any, data: any, make?: (data: any) => any, told?: Set<any>): boolean,
  handlerAttributes(...types: string[]): Record<string, [(data: any) => any, (data: any, value: any) => void]>,
  holdHandler(target: any, type: string, read: () => any): void,
  targetOperations: Record<string, (target: any, ...values: any[]) => any>,
}
