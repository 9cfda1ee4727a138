// Binary data crosses as the ArrayBuffer itself, beside the command buffer, with the part of it that is meant.

/** The element kinds of native code, by their number. */
const elementKinds = Object.keys(elementConstructors);
/** Numbers of `Tag.binary` for views that are no element kinds. */
const CLAMPED = 10, DATA_VIEW = 11, ARRAY_BUFFER = 12, FLOAT16 = 13;

/** @param {any} object @param {PropertyKey} name */
const getter = (object, name) => /** @type {() => any} */ (/** @type {any} */ (Object.getOwnPropertyDescriptor(object, name)).get);
const typedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype);
const bufferDetached = getter(ArrayBuffer.prototype, 'detached');
const bufferByteLength = getter(ArrayBuffer.prototype, 'byteLength');
const typedArrayTag = getter(typedArrayPrototype, Symbol.toStringTag);
const typedArrayBuffer = getter(typedArrayPrototype, 'buffer');
const typedArrayByteLength = getter(typedArrayPrototype, 'byteLength');
const typedArrayByteOffset = getter(typedArrayPrototype, 'byteOffset');
const dataViewBuffer = getter(DataView.prototype, 'buffer');
const dataViewByteLength = getter(DataView.prototype, 'byteLength');
const dataViewByteOffset = getter(DataView.prototype, 'byteOffset');

/** @param {any} value @returns {{buffer: ArrayBuffer, kind: number, offset: number, length: number}} */
function binaryPart(value) {
  const name = isView(value) ? typedArrayTag.call(value) : undefined;
  if (name !== undefined) {
    // -1 for a typed array that native code does not know.
    const kind = name === 'Uint8ClampedArray' ? CLAMPED : name === 'Float16Array' ? FLOAT16 : elementKinds.indexOf(name);
    return { buffer: typedArrayBuffer.call(value), kind, offset: typedArrayByteOffset.call(value), length: typedArrayByteLength.call(value) };
  }
  if (isView(value)) {
    return { buffer: dataViewBuffer.call(value), kind: DATA_VIEW, offset: dataViewByteOffset.call(value), length: dataViewByteLength.call(value) };
  }
  return { buffer: value, kind: ARRAY_BUFFER, offset: 0, length: bufferByteLength.call(value) };
}

/**
 * Binary data as native sends it: an ArrayBuffer, or a typed array on the whole of it.
 * @param {ArrayBuffer} buffer @param {number} kind an element kind, or -1
 */
function makeBinary(buffer, kind) {
  return kind < 0 ? buffer : new elementConstructors[elementKinds[kind]](buffer);
}
