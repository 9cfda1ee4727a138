/** Base64 as a text with a character for each byte, and back; for bytes see TextEncoder and Uint8Array. */
declare function atob(text: string): string;
declare function btoa(text: string): string;
declare class Crypto {
  private constructor();
  /** Fills it from the system's generator; 65,536 bytes at most. */
  getRandomValues<Bytes extends Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array | BigInt64Array | BigUint64Array>(array: Bytes): Bytes;
  randomUUID(): string;
}
declare const crypto: Crypto;
declare class Navigator {
  private constructor();
  /** How many processors there are. */
  readonly hardwareConcurrency: number;
}
declare const navigator: Navigator;
/** As an error that nobody catches, and the script goes on. */
declare function reportError(error: any): void;
