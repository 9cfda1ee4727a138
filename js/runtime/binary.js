// Binary data crosses as the ArrayBuffer itself, beside the command buffer, with the part of it that is meant.

/** The element kinds of native code, by their number. */
const elementKinds = ['Uint8Array', 'Int8Array', 'Uint16Array', 'Int16Array', 'Uint32Array', 'Int32Array',
  'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array'];
setPrototypeOf(elementKinds, null);
/** Numbers of `Tag.binary` for views that are no element kinds. */
const CLAMPED = 10, DATA_VIEW = 11, ARRAY_BUFFER = 12;
const elementConstructors = [Uint8Array, Int8Array, Uint16Array, Int16Array, Uint32Array, Int32Array,
  Float32Array, Float64Array, BigInt64Array, BigUint64Array];
setPrototypeOf(elementConstructors, null);

/** @param {any} value @returns {{buffer: ArrayBuffer, kind: number, offset: number, length: number}} */
function binaryPart(value) {
  const name = isView(value) ? typedArrayTag(value) : undefined;
  if (name !== undefined) {
    let kind = 0;
    for (let i = 0; i < elementKinds.length; i++) if (elementKinds[i] === name) kind = i;
    if (name === 'Uint8ClampedArray') kind = CLAMPED;
    return { buffer: typedArrayBuffer(value), kind, offset: typedArrayByteOffset(value), length: typedArrayByteLength(value) };
  }
  if (isView(value)) {
    return { buffer: dataViewBuffer(value), kind: DATA_VIEW, offset: dataViewByteOffset(value), length: dataViewByteLength(value) };
  }
  return { buffer: value, kind: ARRAY_BUFFER, offset: 0, length: arrayBufferByteLength(value) };
}

/**
 * Binary data as native sends it: an ArrayBuffer, or a typed array on the whole of it.
 * @param {ArrayBuffer} buffer @param {number} kind an element kind, or -1
 */
function makeBinary(buffer, kind) {
  return kind < 0 ? buffer : new elementConstructors[kind](buffer);
}
