/** What every bridge has: the way to native modules. */

/** The native modules of the bridge, by name. A module's own declarations add it here. */
interface NativeModules {
  readonly [name: string]: any;
}
declare const NativeModules: NativeModules;

declare const trestle: {
  /** Makes an object's functions callable from native code as `name.function`. */
  registerCallableModule(name: string, module: object): void;
  /** Makes the calls that wait, now. */
  flush(): void;
  moduleNames(): string[];
  /** Changes with what scripts see of the module, as `@version` in its declarations; undefined if there is none of that name. */
  moduleVersion(name: string): string | undefined;
};

/** Ends what `addListener` of a module began. */
interface Subscription { remove(): void }
