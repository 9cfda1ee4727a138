/** As the URL standard has it, with the same host names and escapes as browsers. */
declare class URL {
  /** @throws a TypeError with the code `ERR_INVALID_URL` if it is none */
  constructor(url: string | URL, base?: string | URL);
  /** null if it is none. */
  static parse(url: string | URL, base?: string | URL): URL | null;
  static canParse(url: string | URL, base?: string | URL): boolean;
  href: string;
  readonly origin: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  readonly searchParams: URLSearchParams;
  hash: string;
  toString(): string;
  toJSON(): string;
}
/** The pairs of a query, in their order; those of `url.searchParams` are the URL's own. */
declare class URLSearchParams {
  constructor(init?: string | Record<string, string> | Iterable<[string, string]> | URLSearchParams);
  readonly size: number;
  append(name: string, value: string): void;
  delete(name: string, value?: string): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  set(name: string, value: string): void;
  sort(): void;
  toString(): string;
  forEach(callback: (value: string, name: string, params: URLSearchParams) => void, self?: any): void;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  entries(): IterableIterator<[string, string]>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
}
/** Parts of a URL, or patterns of them. */
interface URLPatternInit {
  protocol?: string; username?: string; password?: string; hostname?: string; port?: string; pathname?: string; search?: string; hash?: string;
  baseURL?: string;
}
interface URLPatternComponentResult { input: string; groups: Record<string, string | undefined> }
/** The groups of each part, by their names, or numbers from 0. */
interface URLPatternResult {
  inputs: [string | URLPatternInit] | [string, string];
  protocol: URLPatternComponentResult; username: URLPatternComponentResult; password: URLPatternComponentResult; hostname: URLPatternComponentResult;
  port: URLPatternComponentResult; pathname: URLPatternComponentResult; search: URLPatternComponentResult; hash: URLPatternComponentResult;
}
/**
 * Patterns of the parts of a URL: `:name` stands for what is between two slashes, or dots of a host, `*` for anything, `(…)` for what a
 * regular expression matches, `{…}?` for what may be left out. A part that is not given matches all.
 *
 *     new URLPattern({ pathname: '/notes/:id' }).exec('https://example.org/notes/12')?.pathname.groups.id // '12'
 */
declare class URLPattern {
  /** @throws a TypeError with the code `ERR_INVALID_URL_PATTERN` if it is none */
  constructor(pattern: string | URL, base: string | URL, options?: { ignoreCase?: boolean });
  constructor(pattern?: string | URL | URLPatternInit, options?: { ignoreCase?: boolean });
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
  readonly hasRegExpGroups: boolean;
  test(url?: string | URL | URLPatternInit, base?: string | URL): boolean;
  /** null where it does not match. */
  exec(url?: string | URL | URLPatternInit, base?: string | URL): URLPatternResult | null;
}
