// Binary data crosses as the ArrayBuffer itself, beside the command buffer, with the part of it that is meant.

/** The element kinds of native code, by their number. */
const elementKinds = Object.keys(elementConstructors);

/**
 * Binary data as native sends it: an ArrayBuffer, or a typed array on the whole of it.
 * @param {ArrayBuffer} buffer @param {number} kind an element kind, or -1
 */
function makeBinary(buffer, kind) {
  return kind < 0 ? buffer : new elementConstructors[elementKinds[kind]](buffer);
}
