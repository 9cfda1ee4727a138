/** What every bridge has: the way to native modules. */

/** The native modules of the bridge, by name. A module's own declarations add it here. */
interface NativeModules {}
declare const NativeModules: NativeModules;

declare const trestle: {
  /** Makes an object's functions callable from native code as `name.function`. The names that begin with `trestle:` are taken. */
  registerCallableModule(name: string, module: object): void;
  /** Makes the calls that wait, now. */
  flush(): void;
  moduleNames(): string[];
  /** Changes with what scripts see of the module, as `@version` in its declarations; undefined if there is none of that name. */
  moduleVersion(name: string): string | undefined;
  /** Throws an error with the code `ERR_VERSION` unless the module has that version, `ERR_NOT_FOUND` if there is none of that name. */
  requireVersion(name: string, version: string): void;
};

/**
 * An event of a module. A loop over it (`for await`) takes every value from its start on.
 */
interface ModuleEvent<Value> {
  /** Calls `listener` with every value from now on; first with the last one, where the module replays it. */
  addListener(listener: (value: Value) => void): Subscription;
  [Symbol.asyncIterator](): AsyncGenerator<Value, void, void>;
}

/** The promise of a stream: `for await` walks over it, with `await` or without. */
type StreamPromise<Value> = Promise<AsyncIterableIterator<Value>> & AsyncIterable<Value>;

/** The language's own; the bridge has them also where the engine lacks them. */
interface SymbolConstructor {
  readonly dispose: unique symbol;
  readonly asyncDispose: unique symbol;
}

/** An object of native code. It knows the same object by the same one; native code keeps it while a script has it. */
interface SharedObject {
  /** Lets native code forget it now, not when it is collected as garbage: it can be used no more. */
  release(): void;
  /** The same; for `using`, which the engine does not have yet. */
  [Symbol.dispose](): void;
}

/** Ends what `addListener` of a module began. */
interface Subscription { remove(): void; [Symbol.dispose](): void }

/** Of a module: `import.meta`. */
interface ImportMeta {
  /** Of a file as `file:`. */
  readonly url: string;
  /** Whether the run began with it. */
  readonly main: boolean;
  /** Its path, and that of its folder, where it is a file. */
  readonly filename: string;
  readonly dirname: string;
  /** The URL of what an `import` of that name would load. */
  resolve(specifier: string): string;
}
