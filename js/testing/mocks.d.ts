/** The mocks of native modules: what a test does with them. */

/** A method that keeps its calls and answers as a test wishes. One that has a result, and was given none, fails. */
interface MockedMethod<Values extends any[], Result> {
  readonly mock: { readonly calls: Values[] };
  mockImplementation(implementation: (...values: Values) => Result | Awaited<Result>): this;
  /** For one call, before the other; several are taken in order. */
  mockImplementationOnce(implementation: (...values: Values) => Result | Awaited<Result>): this;
  mockReturnValue(value: Result): this;
  mockResolvedValue(value: Awaited<Result>): this;
  mockRejectedValue(error: unknown): this;
  /** Forgets the calls and answers. */
  mockReset(): this;
}

interface MockedEvent<Value> extends ModuleEvent<Value> {
  emit(value: Value): void;
  readonly listenerCount: number;
}

/** A module or an object: its methods and events are mocked, its constants and properties are assigned. */
type Mocked<Members> = {
  -readonly [Name in keyof Members]: Members[Name] extends ModuleEvent<infer Value> ? MockedEvent<Value>
    : Members[Name] extends (...values: infer Values) => infer Result ? Members[Name] & MockedMethod<Values, Result>
    : Members[Name];
};

/** By the names of their classes, with the values of their properties. */
interface MockedObjects {}

declare const NativeMocks: {
  /** Those that scripts find in `NativeModules`. */
  readonly modules: { readonly [Name in keyof NativeModules]: Mocked<NativeModules[Name]> };
  readonly objects: MockedObjects;
  /** An event of a module, also one that is no member of it. */
  emit(module: string, event: string, value?: any): void;
  /** What a script has registered with `trestle.registerCallableModule`. */
  callableModule(name: string): any;
  /** Forgets all calls, answers, listeners and callable modules. */
  reset(): void;
};
