// `Blob` and `File`, as the File API has them: bytes in memory that nobody changes.

class BlobData {
  /** @param {Uint8Array} bytes shared by all slices @param {string} type */
  constructor(bytes, type) {
    this.bytes = bytes;
    this.type = type;
  }

  /** @returns {any} a buffer of the script's with a copy */
  copy() {
    const buffer = new OwnBuffer(this.bytes.length);
    new Uint8Array(buffer).set(this.bytes);
    return buffer;
  }
}

class FileData extends BlobData {
  constructor(bytes, type, name, lastModified) {
    super(bytes, type);
    this.name = name;
    this.lastModified = lastModified;
  }
}

/** So many bytes of a blob a stream gives at once. */
const BLOB_CHUNK = 1 << 16;

/** @returns {string} the type in small letters; '' if it has others than ASCII's */
function typeOfBlob(type) { return /[^\x20-\x7E]/.test(type) ? '' : type.toLowerCase(); }

/** @param {any} parts @param {any} options @param {string} title @returns {{bytes: Uint8Array, type: string}} */
function readBlobParts(parts, options, title) {
  const { endings = 'transparent', type = '' } = dictionary(options, `${title}: the options`);
  const ending = text(endings), kind = typeOfBlob(text(type));
  if (ending !== 'transparent' && ending !== 'native') throw new ScriptTypeError(`${title}, 'endings': expected 'transparent' or 'native', got '${ending}'`);
  const pieces = [];
  let length = 0;
  for (const part of blobPartsOf(parts, title)) {
    const bytes = bytesOfPart(part, ending === 'native', title);
    pieces.push(bytes);
    length += bytes.length;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return { bytes, type: kind };
}

/** @param {any} parts @param {string} title @returns {Iterable<any>} */
function blobPartsOf(parts, title) {
  const begin = isObject(parts) ? parts[Symbol.iterator] : undefined;
  if (typeof begin !== 'function') throw new ScriptTypeError(`${title}, argument 1 'parts': expected an array, or what can be iterated, got ${describeValue(parts)}`);
  return { [Symbol.iterator]: () => apply(begin, parts, []) };
}

/** @returns {Uint8Array} of this realm */
function bytesOfPart(part, endsNatively, title) {
  const blob = blobOf(part);
  if (blob !== undefined) return blob.bytes;
  if (ArrayBuffer.isView(part) || attempt(() => bufferLength(part)) !== undefined) return bytesOfChunk(part, title);
  const words = endsNatively ? text(part).replace(/\r\n?/g, '\n') : text(part);
  return bytesOfChunk(shared.encodeText(words), title);
}

/** @param {any} value as Web IDL takes a `long long` @returns {number} */
function wholeNumber(value) {
  const number = Math.trunc(+value) || 0;
  return Number.isFinite(number) ? number : 0;
}

/** @param {any} value as Web IDL clamps a position @param {number} otherwise @param {number} length */
function positionIn(value, otherwise, length) {
  if (value === undefined) return otherwise;
  const number = Math.trunc(+value) || 0;
  return number < 0 ? Math.max(length + number, 0) : Math.min(number, length);
}

const { made: Blob, dataOf: blobOf, make: makeBlob } = defineInterface('Blob', BlobData, {
  construct(_, parts = undefined, options = undefined) {
    const { bytes, type } = readBlobParts(parts === undefined ? [] : parts, options, 'Blob');
    return new BlobData(bytes, type);
  },
  shown: ['size', 'type'],
  attributes: { size: [({ bytes }) => bytes.length], type: [({ type }) => type] },
  operations: {
    slice({ bytes }, start = undefined, end = undefined, type = undefined) {
      const from = positionIn(start, 0, bytes.length), to = positionIn(end, bytes.length, bytes.length);
      return makeBlob(new BlobData(bytes.subarray(from, Math.max(from, to)), type === undefined ? '' : typeOfBlob(text(type))));
    },
    stream(blob) {
      let at = 0;
      const { stream, controller } = makeByteStream({
        pull() {
          const part = blob.bytes.subarray(at, at + BLOB_CHUNK);
          at += part.length;
          if (part.length > 0) controller.enqueue(makeBytes(new BlobData(part, '').copy()));
          else {
            controller.close();
            controller.answerPending();
          }
          return Promise.resolve(undefined);
        },
        cancel: () => Promise.resolve(undefined),
      });
      return makeReadableObject(stream);
    },
  },
  promises: {
    arrayBuffer: (blob) => resolved(blob.copy()),
    bytes: (blob) => resolved(makeBytes(blob.copy())),
    text: ({ bytes }) => resolved(new shared.DecoderData('utf-8', {}).decode(bytes, false)),
  },
});

const { made: File, make: makeFile } = defineInterface('File', FileData, {
  length: 2, parent: Blob, shown: ['name', 'lastModified'],
  construct(_, parts, name, options = undefined) {
    const { lastModified } = dictionary(options, 'File: the options'), { bytes, type } = readBlobParts(parts, options, 'File');
    return new FileData(bytes, type, scalarText(name), lastModified === undefined ? ScriptDate.now() : wholeNumber(lastModified));
  },
  attributes: { name: [({ name }) => name], lastModified: [({ lastModified }) => lastModified] },
});

/** For clones. */
shared.blobs = {
  dataOf: blobOf,
  /** @param {ArrayBuffer} buffer anybody's: it is copied @param {string} type @param {string | undefined} name of a file @param {number} lastModified */
  make(buffer, type, name, lastModified) {
    const bytes = new Uint8Array(buffer).slice();
    return name === undefined ? makeBlob(new BlobData(bytes, type)) : makeFile(new FileData(bytes, type, name, lastModified));
  },
};
