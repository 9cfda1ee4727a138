/** `trestle test`: what a file of tests has, as globals and of `trestle:test`. */

type TestFunction = (done: (error?: unknown) => void) => unknown;
/** Milliseconds, or an object with them. */
type TestOptions = number | { timeout?: number };

interface TestDeclarer {
  (name: string | Function, run: TestFunction, options?: TestOptions): void;
  (name: string | Function, options: TestOptions, run: TestFunction): void;
}

interface TestEach {
  /** The name may hold `%s`, `%d`, `%i`, `%f`, `%j`, `%o`, `%p`, `%#` and `%%`, and `$member` of a row that is an object. */
  <Row extends readonly unknown[]>(rows: readonly Row[]): (name: string, run: (...values: Row) => unknown, options?: TestOptions) => void;
  <Row>(rows: readonly Row[]): (name: string, run: (row: Row) => unknown, options?: TestOptions) => void;
  (table: TemplateStringsArray, ...values: unknown[]): (name: string, run: (row: any) => unknown, options?: TestOptions) => void;
}

interface TestVariant extends TestDeclarer { each: TestEach }

interface Test extends TestVariant {
  /** No other test of the file runs. */
  only: TestVariant;
  skip: TestVariant;
  todo(name: string): void;
  /** Passes if it fails. */
  failing: TestDeclarer;
  fails: TestDeclarer;
  skipIf(condition: unknown): TestVariant;
  runIf(condition: unknown): TestVariant;
}

interface DescribeVariant {
  (name: string | Function, declare: () => void): void;
  each: TestEach;
}

interface Describe extends DescribeVariant {
  only: DescribeVariant;
  skip: DescribeVariant;
  todo(name: string): void;
  skipIf(condition: unknown): DescribeVariant;
  runIf(condition: unknown): DescribeVariant;
}

type TestHook = (run: TestFunction, timeout?: number) => void;

/** What `expect(value)` can be asked. */
interface Matchers<Result = void> {
  not: Matchers<Result>;
  /** Of what a promise resolves with. */
  resolves: Matchers<Promise<void>>;
  /** Of what a promise is rejected with. */
  rejects: Matchers<Promise<void>>;
  /** The same value, by `Object.is`. */
  toBe(expected: unknown): Result;
  /** All that they hold is the same; members that are undefined do not count. */
  toEqual(expected: unknown): Result;
  /** Classes, holes and members that are undefined count, too. */
  toStrictEqual(expected: unknown): Result;
  /** It has at least these members. */
  toMatchObject(expected: object): Result;
  toBeDefined(): Result;
  toBeUndefined(): Result;
  toBeNull(): Result;
  toBeNaN(): Result;
  toBeTruthy(): Result;
  toBeFalsy(): Result;
  toBeGreaterThan(limit: number | bigint): Result;
  toBeGreaterThanOrEqual(limit: number | bigint): Result;
  toBeLessThan(limit: number | bigint): Result;
  toBeLessThanOrEqual(limit: number | bigint): Result;
  /** @param digits behind the point that count; 2, if nothing is said */
  toBeCloseTo(expected: number, digits?: number): Result;
  toBeTypeOf(type: 'bigint' | 'boolean' | 'function' | 'number' | 'object' | 'string' | 'symbol' | 'undefined'): Result;
  toBeInstanceOf(type: Function): Result;
  toSatisfy(test: (value: any) => unknown): Result;
  toMatch(pattern: string | RegExp): Result;
  toContain(item: unknown): Result;
  toContainEqual(item: unknown): Result;
  toHaveLength(length: number): Result;
  /** @param path `a.b[0]`, or its parts */
  toHaveProperty(path: string | readonly (string | number)[], value?: unknown): Result;
  /** @param expected a part of the message, a pattern for it, the error's class, or an error of the same message */
  toThrow(expected?: unknown): Result;
  toThrowError(expected?: unknown): Result;
  toHaveBeenCalled(): Result;
  toHaveBeenCalledTimes(count: number): Result;
  toHaveBeenCalledWith(...values: unknown[]): Result;
  toHaveBeenLastCalledWith(...values: unknown[]): Result;
  toHaveBeenNthCalledWith(number: number, ...values: unknown[]): Result;
  toHaveReturned(): Result;
  toHaveReturnedTimes(count: number): Result;
  toHaveReturnedWith(value: unknown): Result;
  toHaveLastReturnedWith(value: unknown): Result;
  toHaveNthReturnedWith(number: number, value: unknown): Result;
  /** Of the text that the file in `__snapshots__` keeps; written there, if there is none. */
  toMatchSnapshot(hint?: string): Result;
  toMatchSnapshot(members: object, hint?: string): Result;
  toThrowErrorMatchingSnapshot(hint?: string): Result;
  toMatchInlineSnapshot(text?: string): Result;
}

/** Values that stand for all that are of a kind. */
interface Matchings {
  arrayContaining(items: readonly unknown[]): any;
  objectContaining(members: object): any;
  stringContaining(text: string): any;
  stringMatching(pattern: string | RegExp): any;
  closeTo(expected: number, digits?: number): any;
}

interface MatcherVerdict { pass: boolean; message?: string | (() => string); expected?: unknown; actual?: unknown }
interface MatcherContext { isNot: boolean; promise: '' | 'resolves' | 'rejects'; equals(one: unknown, other: unknown): boolean }

interface Expect extends Matchings {
  (value: unknown): Matchers;
  not: Matchings;
  any(type: Function): any;
  /** All but null and undefined. */
  anything(): any;
  extend(matchers: Record<string, (this: MatcherContext, value: any, ...values: any[]) => MatcherVerdict | Promise<MatcherVerdict>>): void;
  /** The test makes so many of them. */
  assertions(count: number): void;
  hasAssertions(): void;
  fail(message?: string): never;
  unreachable(message?: string): never;
}

/** A function that keeps its calls, and answers as a test wishes. */
interface Mock<Values extends any[] = any[], Result = any> {
  (...values: Values): Result;
  new (...values: Values): any;
  readonly mock: {
    readonly calls: Values[];
    readonly lastCall: Values | undefined;
    readonly results: { type: 'return' | 'throw' | 'incomplete', value: any }[];
    readonly contexts: any[];
    readonly instances: any[];
    readonly invocationCallOrder: number[];
  };
  getMockName(): string;
  mockName(name: string): this;
  getMockImplementation(): ((...values: Values) => Result) | undefined;
  mockImplementation(implementation: (...values: Values) => Result): this;
  mockImplementationOnce(implementation: (...values: Values) => Result): this;
  mockReturnThis(): this;
  mockReturnValue(value: Result): this;
  mockReturnValueOnce(value: Result): this;
  mockResolvedValue(value: Awaited<Result>): this;
  mockResolvedValueOnce(value: Awaited<Result>): this;
  mockRejectedValue(error: unknown): this;
  mockRejectedValueOnce(error: unknown): this;
  /** Forgets its calls. */
  mockClear(): this;
  /** And the answers that it was given. */
  mockReset(): this;
  /** And puts back what `spyOn` has replaced. */
  mockRestore(): this;
}

interface Mocking {
  <Values extends any[], Result>(implementation?: (...values: Values) => Result): Mock<Values, Result>;
  fn<Values extends any[], Result>(implementation?: (...values: Values) => Result): Mock<Values, Result>;
  spyOn: typeof spyOn;
  clearAllMocks(): void;
  resetAllMocks(): void;
  restoreAllMocks(): void;
  /** Timers, `Date` and `performance.now` stand still, until they are moved on. */
  useFakeTimers(options?: { now?: number | Date }): this;
  useRealTimers(): this;
  isFakeTimers(): boolean;
  setSystemTime(time: number | Date): void;
  getTimerCount(): number;
  clearAllTimers(): void;
  advanceTimersByTime(milliseconds: number): void;
  /** The same; what a timer's promises lead to runs before the next. */
  advanceTimersByTimeAsync(milliseconds: number): Promise<void>;
  advanceTimersToNextTimer(): void;
  runAllTimers(): void;
  runAllTimersAsync(): Promise<void>;
  runOnlyPendingTimers(): void;
  runOnlyPendingTimersAsync(): Promise<void>;
}

declare const test: Test;
declare const it: Test;
declare const describe: Describe;
declare const suite: Describe;
declare const expect: Expect;
declare const mock: Mocking;
/** Puts a mock in the place of a method, or of one half of a property, which goes on as it is unless it is given another answer. */
declare function spyOn<Target extends object, Name extends keyof Target>(
  object: Target, name: Name, access?: 'get' | 'set'): Target[Name] extends (...values: infer Values) => infer Result ? Mock<Values, Result> : Mock;
declare const beforeAll: TestHook;
declare const afterAll: TestHook;
declare const beforeEach: TestHook;
declare const afterEach: TestHook;

declare module 'trestle:test' {
  const exported: {
    test: Test, it: Test, describe: Describe, suite: Describe, expect: Expect, mock: Mocking, fn: Mocking['fn'], spyOn: Mocking['spyOn'],
    beforeAll: TestHook, afterAll: TestHook, beforeEach: TestHook, afterEach: TestHook,
  };
  export const { test, it, describe, suite, expect, mock, fn, spyOn, beforeAll, afterAll, beforeEach, afterEach }: typeof exported;
}
