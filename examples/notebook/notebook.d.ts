/**
 * Notes by their titles.
 * @version e29edc9c58da6469
 */
interface Notebook {
  /** The note of that title: always the same object. */
  note(title: string, callOptions?: CallOptions | AbortSignal): Promise<Note>;
  /** The number of lines of the whole notebook, after each that is written. */
  lineCounts(): AsyncIterableIterator<number>;
  /** A note has been written in. */
  readonly changed: ModuleEvent<Change>;
  addListener(event: "changed", listener: (value: Change) => void): Subscription;
}
interface NativeModules { readonly Notebook: Notebook }

/** What a script does for the notebook. */
interface Formatter {
  /** A change in words. */
  format(change: Change): string | Promise<string>;
}

interface Change {
  title: string;
  lines: number;
}

/** A note that scripts write in. It lives as long as the notebook or a script has it. */
interface Note extends SharedObject {
  readonly title: string;
  /** Adds a line. */
  write(line: string): void;
  text(callOptions?: CallOptions | AbortSignal): Promise<string>;
}
