/** Files and directories; capability `files`. Calls run one after the other, away from the JavaScript thread. */
interface Files {
  /** The text of a file, which must be UTF-8 (`ERR_NOT_TEXT`). */
  readText(path: string, callOptions?: CallOptions | AbortSignal): Promise<string>;
  /** The lines of a file, which must be UTF-8, without their ends: `for await (const line of Files.lines(path)) …` */
  lines(path: string): StreamPromise<string>;
  /** Makes the text the whole of a file, which is made if there is none. */
  writeText(path: string, text: string, callOptions?: CallOptions | AbortSignal): Promise<void>;
  appendText(path: string, text: string, callOptions?: CallOptions | AbortSignal): Promise<void>;
  /** The names in a directory, sorted. */
  list(path: string, callOptions?: CallOptions | AbortSignal): Promise<string[]>;
  /** What a path leads to, symbolic links followed. */
  stat(path: string, callOptions?: CallOptions | AbortSignal): Promise<FileStatus>;
  exists(path: string, callOptions?: CallOptions | AbortSignal): Promise<boolean>;
  /** Makes a directory, and those above it that are missing. */
  makeDirectory(path: string, callOptions?: CallOptions | AbortSignal): Promise<void>;
  /** Removes a file, a symbolic link or an empty directory. */
  remove(path: string, callOptions?: CallOptions | AbortSignal): Promise<void>;
  rename(path: string, newPath: string, callOptions?: CallOptions | AbortSignal): Promise<void>;
}

interface FileStatus {
  kind: 'file' | 'directory' | 'other';
  /** In bytes. */
  size: number;
  /** Milliseconds since 1970. */
  modified: number;
  /** The permission bits. */
  permissions: number;
}

interface NativeModules { readonly Files: Files }
