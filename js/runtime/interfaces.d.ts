interface String { toWellFormed(): string, isWellFormed(): boolean }

/** A class of scripts as `late/interfaces.js` makes it. */
interface InterfaceDefinition {
  length?: number, parent?: any, isError?: boolean, construct?: (self: any, ...values: any[]) => any,
  attributes?: Record<string, [(data: any) => any, ((data: any, value: any) => void)?]>,
  promiseAttributes?: Record<string, (data: any) => any>,
  /** The number of required arguments is that of the parameters without a default, less the data. */
  operations?: Record<string, (data: any, ...values: any[]) => any>,
  /** The same where what is thrown becomes a promise that is rejected. */
  promises?: Record<string, (data: any, ...values: any[]) => any>,
  statics?: Record<string, (...values: any[]) => any>, constants?: Record<string, number>,
  /** The attributes that `console.log` shows. */
  shown?: string[],
  /** What it shows as pairs. */
  shownPairs?: (data: any) => [any, any][],
}

/** What `late/interfaces.js` gives. */
interface InterfaceTools {
  defineInterface(name: string, Data: any, definition: InterfaceDefinition): { made: any, dataOf: (value: any) => any, make: (data: any) => any },
  definePairs(name: string, made: any, dataOf: (value: any) => any, pairsOf: (data: any) => [any, any][]): void,
  shownOf(value: any): { members: [string, any][], pairs: [any, any][] } | undefined,
  rejected(error: any): any, resolved(value: any): any, dictionary(value: any, title: string): any,
  text(value: any): string, scalarText(value: any): string, needCount(title: string, count: number, values: any[]): void,
}
