/** Files and directories; capability `files`. Calls run one after the other, away from the JavaScript thread. */
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
   * permissions of a file that is there stay; of a link what it leads to is replaced.
   */
  replaceText(path: string, text: string, callOptions?: CallOptions | AbortSignal): Promise<void>;
  replaceBytes(path: string, bytes: Uint8Array, callOptions?: CallOptions | AbortSignal): Promise<void>;
  /** The names in a directory, sorted. */
  list(path: string, callOptions?: CallOptions | AbortSignal): Promise<string[]>;
  /** What a path leads to, symbolic links followed. */
  stat(path: string, callOptions?: CallOptions | AbortSignal): Promise<FileStatus>;
  exists(path: string, callOptions?: CallOptions | AbortSignal): Promise<boolean>;
  /** Makes a directory, and those above it that are missing. */
  makeDirectory(path: string, callOptions?: CallOptions | AbortSignal): Promise<void>;
  /** Removes a file, a symbolic link or an empty directory. */
  remove(path: string, callOptions?: CallOptions | AbortSignal): Promise<void>;
  /** Removes what is at a path, and all below it; links are removed, not followed. Nothing at that path is no error. */
  removeAll(path: string, callOptions?: CallOptions | AbortSignal): Promise<void>;
  /** Copies a file, a symbolic link, or a directory with all below it, with permissions and times. There must be nothing at the new path (`ERR_EXISTS`). */
  copy(path: string, newPath: string, callOptions?: CallOptions | AbortSignal): Promise<void>;
  /** All below a directory, by name, each directory before what is in it: `for await (const { path, kind } of Files.walk('.')) …`. Links are told, and not followed. */
  walk(path: string): StreamPromise<FileEntry>;
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

interface FileEntry {
  /** From the directory that is walked through. */
  path: string;
  kind: 'file' | 'directory' | 'link' | 'other';
  /** In bytes. */
  size: number;
}

interface NativeModules { readonly Files: Files }
