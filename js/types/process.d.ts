/** The process that runs the script. */
interface Process {
  /** The path that the script was read from. */
  readonly script: string;
  /** What the script was given. */
  readonly arguments: string[];
  /** Those that the script may see (`trestle --allow-env`). */
  readonly environment: Record<string, string>;
  readonly platform: string;
  readonly id: number;
  workingDirectory(): string;
  /** Ends the process at once, with a code of 0 to 255. */
  exit(code?: number): void;
  /** To standard output, without a line's end. */
  write(text: string): void;
  /** The next line of standard input without its end `\n` or `\r\n`; null at the end. One that is not UTF-8 fails with `ERR_NOT_TEXT`. */
  readLine(callOptions?: CallOptions | AbortSignal): Promise<string | null>;
  /** All that is left of standard input, which must be UTF-8. */
  readInput(callOptions?: CallOptions | AbortSignal): Promise<string>;
  /** Those that are left, as `readLine` gives them. */
  lines(): AsyncGenerator<string, void>;
}

interface NativeModules { readonly Process: Process }
