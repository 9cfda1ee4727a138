/** What `TestModule.swift` gives. */
declare const native: {
  /** A regular expression that the full names of tests are to match; empty for all. */
  readonly namePattern: string;
  readonly updatesSnapshots: boolean;
  /** New ones are written. */
  readonly writesSnapshots: boolean;
  readonly snapshotPath: string;
  /** There is a file of them. */
  readonly hasSnapshots: boolean;
  readSnapshots(): string | null;
  /** Removes the file, if the text is empty. */
  writeSnapshots(text: string): void;
};
/** What makes all that tests get, of their own realm (`js/border`). */
declare const border: any;
declare const runtime: {
  /** @returns the stack with the places in the texts that people wrote. */
  sourceStackOf(stack: string): string;
  /** Under a name that no script can take. */
  registerCallableModule(name: string, module: object): void;
};
/** That of the file's realm. */
declare const scriptGlobal: {
  readonly setImmediate: (callback: () => void) => number;
  readonly performance: { now(): number };
};
interface String { toWellFormed(): string }
