/** Files and directories; capability `files`. Calls run one after the other, away from the JavaScript thread; a long `copy` or `removeAll` lets others go first. What the bridge's permissions do not grant fails with `ERR_PERMISSION`. */
interface Files {
  /** The text of a file, which must be UTF-8 (`ERR_NOT_TEXT`). */
  readText(path: string, callOptions?: CallOptions | AbortSignal): Promise<string>;
  /** The lines of a file, which must be UTF-8, without their ends: `for await (const line of Files.lines(path)) …` */
  lines(path: string): StreamPromise<string>;
  /** The bytes of a file: 512 MB at most (`ERR_LIMIT`). */
  readBytes(path: string, callOptions?: CallOptions | AbortSignal): Promise<Uint8Array>;
  /** The bytes of a file, piece by piece. */
  bytes(path: string): StreamPromise<Uint8Array>;
  /** Makes the text the whole of a file, which is made if there is none. */
  writeText(path: string, text: string, callOptions?: CallOptions | AbortSignal): Promise<void>;
  appendText(path: string, text: string, callOptions?: CallOptions | AbortSignal): Promise<void>;
  writeBytes(path: string, bytes: Uint8Array, callOptions?: CallOptions | AbortSignal): Promise<void>;
  appendBytes(path: string, bytes: Uint8Array, callOptions?: CallOptions | AbortSignal): Promise<void>;
  /**
   * Makes the text the whole of a file at once: whoever reads it, also after a loss of power, finds the old text or the new one. The
   * permissions of a file that is there stay, and its owner and group where the process may give them; where it may not, nothing of it is
   * set-user-ID or set-group-ID any more. Of a link what it leads to is replaced.
   */
  replaceText(path: string, text: string, callOptions?: CallOptions | AbortSignal): Promise<void>;
  replaceBytes(path: string, bytes: Uint8Array, callOptions?: CallOptions | AbortSignal): Promise<void>;
  /** Opens a file, to read and write at positions in it. Pipes, terminals and other devices have none (`ERR_ARGUMENT`): see `bytes`. */
  open(path: string, options?: OpenOptions, callOptions?: CallOptions | AbortSignal): Promise<OpenFile>;
  /** The names in a directory, sorted. */
  list(path: string, callOptions?: CallOptions | AbortSignal): Promise<string[]>;
  /** What a path leads to, symbolic links followed. */
  stat(path: string, callOptions?: CallOptions | AbortSignal): Promise<FileStatus>;
  exists(path: string, callOptions?: CallOptions | AbortSignal): Promise<boolean>;
  /** Makes a directory, and those above it that are missing. */
  makeDirectory(path: string, callOptions?: CallOptions | AbortSignal): Promise<void>;
  /** Removes a file, a symbolic link or an empty directory. */
  remove(path: string, callOptions?: CallOptions | AbortSignal): Promise<void>;
  /** Removes what is at a path, and all below it; links are removed, not followed. Nothing at that path is no error; `/`, and paths that end with `.` or `..`, are refused (`ERR_ARGUMENT`). */
  removeAll(path: string, callOptions?: CallOptions | AbortSignal): Promise<void>;
  /** Copies a file, a symbolic link, or a directory with all below it, with permissions and times, and with owners and groups where the process may give them: see `replaceText`. There must be nothing at the new path (`ERR_EXISTS`). */
  copy(path: string, newPath: string, callOptions?: CallOptions | AbortSignal): Promise<void>;
  /** All below a directory, by name, each directory before what is in it: `for await (const { path, kind } of Files.walk('.')) …`. Links are told, and not followed. */
  walk(path: string): StreamPromise<FileEntry>;
  /**
   * What is below a folder and fits one of the patterns, in the order of `walk`: `for await (const { path } of Files.glob(['src/*.{js,ts}'])) …`.
   * `*` is any number of characters of a name, `**` of folders, `?` any one character, `[a-z]` one of these, `[!a-z]` one of all others,
   * `{one,two}` either, `\` before a character that itself. A name that starts with a dot is fit by a dot alone. Folders in which nothing can
   * fit are not read.
   */
  glob(patterns: string[], options?: GlobOptions): StreamPromise<FileEntry>;
  /**
   * What becomes of what is in a folder, or of a file, from now on: `for await (const { kind, path } of Files.watch('.')) …`. Changes that follow
   * each other closely, or that the script has not asked for yet, are told as one for each path. Of a link what it leads to is watched. The stream
   * ends when the folder is gone. Changes on other machines' file systems are not seen.
   */
  watch(path: string, options?: WatchOptions): StreamPromise<FileChange>;
  /** What is at a path itself, be it a symbolic link. */
  linkStatus(path: string, callOptions?: CallOptions | AbortSignal): Promise<FileStatus>;
  /** Makes a symbolic link at a path. */
  makeLink(path: string, target: string, callOptions?: CallOptions | AbortSignal): Promise<void>;
  /** Where a symbolic link leads. */
  linkTarget(path: string, callOptions?: CallOptions | AbortSignal): Promise<string>;
  /** The path of a file or directory without links, `.` and `..`. */
  realPath(path: string, callOptions?: CallOptions | AbortSignal): Promise<string>;
  /** The bits, such as `0o644`. */
  setPermissions(path: string, permissions: number, callOptions?: CallOptions | AbortSignal): Promise<void>;
  /** Milliseconds since 1970. */
  setModified(path: string, modified: number, callOptions?: CallOptions | AbortSignal): Promise<void>;
  /** Makes an empty directory for what is not kept: it goes, with all that is in it, when the run or the bridge ends. */
  makeTemporaryDirectory(callOptions?: CallOptions | AbortSignal): Promise<string>;
  /** Gives a file or directory another path; takes the place of a file that is there. */
  rename(path: string, newPath: string, callOptions?: CallOptions | AbortSignal): Promise<void>;
}

interface FileStatus {
  kind: 'file' | 'directory' | 'link' | 'other';
  /** In bytes. */
  size: number;
  /** Milliseconds since 1970. */
  modified: number;
  /** The permission bits. */
  permissions: number;
}

interface GlobOptions {
  /** The working directory if nothing else is said. */
  folder?: string;
  /** Patterns, of which `*` and the others fit dots as well: what fits one is left out, and all that is below it. */
  ignore?: string[];
  /** `*` and the others fit a dot at the start of a name, too. */
  hidden?: boolean;
}

interface WatchOptions {
  /** What is in the folders below, too, those made later included; links are not followed. */
  recursive?: boolean;
}

interface FileChange {
  /**
   * `created`: it is there, perhaps in the place of a file. `changed`: its content, permissions or times, or another file is in its place.
   * `removed`: with all that was below it. `renamed`: it was at the path `from`, with all that is below it.
   * `overflow`: more has changed than could be told; whoever wants to know has to look.
   */
  kind: 'created' | 'changed' | 'removed' | 'renamed' | 'overflow';
  /** From the folder that is watched; `''` of that itself. Of a file that is watched, its name. */
  path: string;
  from: string | null;
}

interface FileEntry {
  /** From the directory that is walked through. */
  path: string;
  kind: 'file' | 'directory' | 'link' | 'other';
  /** In bytes. */
  size: number;
}

interface OpenOptions {
  /**
   * `read`, without a mode, reads what must be there. `write` makes the file, or empties it. `readWrite` makes it if there is none, and leaves
   * what is in it. `append` makes it if there is none, and writes to its end alone. `new` makes it, to read and write, and fails with `ERR_EXISTS`
   * if there is something.
   */
  mode?: 'read' | 'write' | 'readWrite' | 'append' | 'new';
  /** Of a file that is made, less those bits that the process withholds: `0o666` if nothing else is said. */
  permissions?: number;
}

/**
 * A file that is open: until `close`, `release`, or the end of the bridge; one that a script has forgotten, until the collector finds it. Its calls
 * are made in their order, but for a `lock` that waits: await it. Where the mode does not allow one it fails with `ERR_NOT_PERMITTED`, after `close` with `ERR_CLOSED`.
 */
interface OpenFile extends SharedObject {
  /** The bytes from a position on, 512 MB at most (`ERR_LIMIT`): as many as were asked for, fewer where the file ends before. */
  read(position: number, length: number, callOptions?: CallOptions | AbortSignal): Promise<Uint8Array>;
  /** Settles once all of them are in the file. Between its end and a position behind that are zeros. */
  write(position: number, bytes: Uint8Array, callOptions?: CallOptions | AbortSignal): Promise<void>;
  /** Writes to the end of the file, wherever that is by then: also of what others append meanwhile nothing is lost. */
  append(bytes: Uint8Array, callOptions?: CallOptions | AbortSignal): Promise<void>;
  /** In bytes. */
  size(callOptions?: CallOptions | AbortSignal): Promise<number>;
  /** Makes it so many bytes long: shorter, or longer with zeros. */
  truncate(size: number, callOptions?: CallOptions | AbortSignal): Promise<void>;
  /** Settles once all that was written is on the disk. */
  sync(callOptions?: CallOptions | AbortSignal): Promise<void>;
  /**
   * Waits until nobody else has a lock that excludes this one: many may have a shared lock, or one an exclusive one, which it is if nothing else is
   * said. It holds among those who ask for locks (`flock`), in this script and in other programs, and goes with the file. A lock that the file
   * has already is let go of first.
   */
  lock(kind?: 'shared' | 'exclusive', callOptions?: CallOptions | AbortSignal): Promise<void>;
  /** False, and the file has no lock, if somebody else has one that excludes this one. */
  tryLock(kind?: 'shared' | 'exclusive', callOptions?: CallOptions | AbortSignal): Promise<boolean>;
  unlock(callOptions?: CallOptions | AbortSignal): Promise<void>;
  /** Behind the calls that were made before. Again: does nothing. */
  close(callOptions?: CallOptions | AbortSignal): Promise<void>;
  /** Closes and releases it; for `await using`, which the engine does not have yet. */
  [Symbol.asyncDispose](): Promise<void>;
}

interface NativeModules { readonly Files: Files }
