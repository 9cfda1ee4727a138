declare class TextEncoder {
  readonly encoding: string;
  encode(input?: string): Uint8Array;
  encodeInto(input: string, bytes: Uint8Array): { read: number, written: number };
}
/** Of the encodings of the Encoding standard; another one is a RangeError. */
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean, ignoreBOM?: boolean });
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(input?: ArrayBuffer | ArrayBufferView, options?: { stream?: boolean }): string;
}
/**
 * `transfer`: ArrayBuffers that the clone takes, and that are detached.
 * @throws a DOMException named DataCloneError for what cannot be cloned
 */
declare function structuredClone<Value>(value: Value, options?: { transfer?: ArrayBuffer[] }): Value;
