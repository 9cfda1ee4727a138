/** Starts other programs; capability `processes`. Those that still run when the script's run is over are ended. */
interface Processes {
  /**
   * Runs a program to its end, and gives what it has written. A program without a slash in its name is looked for in the folders of
   * `PATH`; no shell has a hand in it. What it writes must be UTF-8 (`ERR_NOT_TEXT`). Aborted, or after `timeout`, it is ended, with
   * all that it has started.
   */
  run(program: string, programArguments?: string[], options?: ProgramOptions, callOptions?: CallOptions | AbortSignal): Promise<ProgramOutcome>;
  /** Starts a program. The script's run goes on until that has ended. A signal ends the program only until the promise has settled; later `kill` does. */
  start(program: string, programArguments?: string[], options?: ProgramOptions, callOptions?: CallOptions | AbortSignal): Promise<RunningProgram>;
}

interface ProgramOptions {
  /** The folder that it runs in. */
  folder?: string;
  /** Variables that it has beside those of this process, or in their place. */
  environment?: Record<string, string>;
  /** It has those of `environment` alone. */
  clearsEnvironment?: boolean;
  /** All that it reads from its standard input; not together with `stdin`. It need not read all of it. */
  input?: string;
  /** In milliseconds: what runs longer is ended, and `run` fails with `ERR_LIMIT`. */
  timeout?: number;
  /** A pipe; if `run` is given no `input`, nothing. One that has the terminal's input is stopped and interrupted with the script. */
  stdin?: 'pipe' | 'inherit' | 'ignore';
  stdout?: 'pipe' | 'inherit' | 'ignore';
  /** `stdout`: where its standard output goes. */
  stderr?: 'pipe' | 'inherit' | 'ignore' | 'stdout';
}

interface ProgramEnd {
  /** What it has exited with; null if a signal has ended it. */
  code: number | null;
  /** The name of that signal, such as `SIGKILL`; null if none has. */
  signal: string | null;
}

interface ProgramOutcome extends ProgramEnd {
  /** Its standard output. */
  output: string;
  /** Its standard error. */
  error: string;
}

/** A program that was started. Where `release()` lets go of it the program goes on. */
interface RunningProgram extends SharedObject {
  /** The number of its process. */
  readonly id: number;
  /** To its standard input; settles once it is in the pipe, so that a program that reads slowly slows its writer. */
  write(text: string): Promise<void>;
  writeBytes(bytes: Uint8Array): Promise<void>;
  /** It finds the end of its input behind what was written. */
  closeInput(): void;
  /** The lines of its standard output, which must be UTF-8. The output is read once: by this, or by `bytes()`. */
  lines(): AsyncIterableIterator<string>;
  /** Its standard output, as it comes. What nobody reads stays in the pipe, which makes the program wait once it is full. */
  bytes(): AsyncIterableIterator<Uint8Array>;
  errorLines(): AsyncIterableIterator<string>;
  /** How it has ended, once it has. */
  status(): Promise<ProgramEnd>;
  /** Sends it, and what it has started, a signal; false if it has ended. */
  kill(signal?: string): boolean;
}

interface NativeModules { readonly Processes: Processes }
