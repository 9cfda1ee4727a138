/** UTF-8 only. */
declare class TextEncoder {
  readonly encoding: string;
  encode(input?: string): Uint8Array;
  encodeInto(input: string, bytes: Uint8Array): { read: number, written: number };
}
declare class TextDecoder {
  constructor(label?: 'utf-8' | 'utf8' | 'UTF-8', options?: { fatal?: boolean, ignoreBOM?: boolean });
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(input?: ArrayBuffer | ArrayBufferView, options?: { stream?: boolean }): string;
}
/** `transfer`: ArrayBuffers that the clone takes, and that are detached. */
declare function structuredClone<Value>(value: Value, options?: { transfer?: ArrayBuffer[] }): Value;
