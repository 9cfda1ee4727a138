// Values of any shape on their way to native code: evaluated when there is one that is not flat (encoders.js).
(() => {
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

  /** @param {any} value binary data */
  function isDetached(value) {
    const buffer = isView(value) ? binaryPart(value).buffer : value;
    // The shared memory of WebAssembly never is, and has no answer.
    try { return bufferDetached.call(buffer); } catch { return false; }
  }

  /**
   * @param {any} value
   * @returns {string | undefined} the name of its class, if it is binary data
   */
  function binaryKind(value) {
    if (isView(value)) return typedArrayTag.call(value) ?? 'DataView';
    try {
      bufferByteLength.call(value);
      return 'ArrayBuffer';
    } catch { return undefined; }
  }

  const dateGetTime = Date.prototype.getTime;

  /** @param {any} value */
  function isDate(value) {
    try {
      dateGetTime.call(value);
      return true;
    } catch { return false; }
  }

  const setForEach = Set.prototype.forEach;

  /**
   * A proxy of an array may answer anything for its length.
   * @param {Tree} tree @param {any} value an array
   */
  function lengthOfArray(tree, value) {
    const { length } = value;
    if (typeof length !== 'number' || length >>> 0 !== length) tree.failWith('an array', 'a proxy of one without a length');
    return length;
  }

  /** @type {Record<string, (tree: Tree, schema: Schema, value: any) => void>} */
  const treeEncoders = {
    __proto__: /** @type {any} */ (null),
    bool(tree, schema, value) {
      if (typeof value !== 'boolean') tree.fail(schema, value);
      tree.put(TAG_BOOL, value ? 1 : 0, 2);
    },
    number(tree, schema, value) {
      if (typeof value !== 'number') tree.fail(schema, value);
      tree.put(TAG_NUMBER, value, 4);
    },
    duration(tree, schema, value) {
      if (typeof value !== 'number' || value - value !== 0) tree.fail(schema, value);
      tree.put(TAG_NUMBER, value, 4);
    },
    integer(tree, schema, value) {
      if (!isInteger(schema, value)) tree.fail(schema, value);
      if (typeof value === 'bigint') tree.put(value < 0n ? TAG_BIGINT : TAG_BIGUINT, value, 4);
      else tree.put(TAG_NUMBER, value, 4);
    },
    string(tree, schema, value) {
      if (typeof value !== 'string') tree.fail(schema, value);
      tree.putString(value);
    },
    enumeration(tree, schema, value) {
      const allowed = /** @type {any[]} */ (schema.allowed);
      // Native knows the raw values of some enumerations only by trying.
      let found = allowed.length === 0 && (typeof value === 'string' || typeof value === 'number');
      for (let i = 0; i < allowed.length; i++) if (allowed[i] === value) found = true;
      if (!found) tree.fail(schema, value);
      if (typeof value === 'string') tree.putString(value);
      else tree.put(TAG_NUMBER, value, 4);
    },
    optional(tree, schema, value) {
      if (value === undefined || value === null) tree.put(value === null ? TAG_NULL : TAG_UNDEFINED, 0, 2);
      else encodeTree(tree, /** @type {Schema} */ (schema.of), value);
    },
    array(tree, schema, value) {
      if (!isArray(value)) tree.fail(schema, value);
      const length = lengthOfArray(tree, value);
      tree.put(TAG_ARRAY, length, 2);
      tree.enter(value, () => {
        for (let i = 0; i < length; i++) tree.child(i, /** @type {Schema} */ (schema.of), value[i]);
      });
    },
    set(tree, schema, value) {
      if (isArray(value)) return treeEncoders.array(tree, schema, value);
      /** @type {any[]} */
      const elements = [];
      try { setForEach.call(value, (/** @type {any} */ element) => { elements.push(element); }); } catch { tree.fail(schema, value); }
      treeEncoders.array(tree, schema, elements);
    },
    dictionary(tree, schema, value) {
      if (!isPlainObject(value)) tree.fail(schema, value);
      encodeMembers(tree, value, /** @type {Schema} */ (schema.of));
    },
    record(tree, schema, value) {
      if (typeof value !== 'object' || value === null || isArray(value)) tree.fail(schema, value);
      const shape = shapeOf(/** @type {number} */ (schema.id));
      tree.put(TAG_RECORD, schema.id, 2);
      tree.enter(value, () => {
        for (let i = 0; i < shape.length; i++) tree.member(shape[i], value[shape[i].name]);
      });
    },
    union(tree, schema, value) {
      if (typeof value !== 'object' || value === null || isArray(value)) tree.fail(schema, value);
      const discriminator = /** @type {string} */ (schema.discriminator);
      const name = value[discriminator];
      const cases = unionCases(/** @type {number} */ (schema.id));
      for (let i = 0; i < cases.length; i++) {
        if (cases[i].name !== name) continue;
        const members = cases[i].members;
        tree.put(TAG_OBJECT, members.length + 1, 2);
        tree.putString(discriminator);
        tree.putString(name);
        tree.enter(value, () => {
          for (let k = 0; k < members.length; k++) {
            tree.putString(members[k].name);
            tree.member(members[k], value[members[k].name]);
          }
        });
        return;
      }
      tree.keys[tree.depth] = discriminator;
      tree.depth++;
      tree.failWith(caseNames(cases), describeValue(name));
    },
    date(tree, schema, value) {
      let time = NaN;
      try { time = dateGetTime.call(value); } catch { tree.fail(schema, value); }
      if (time !== time) tree.failWith(schema.expected, 'invalid Date');
      tree.put(TAG_DATE, time, 4);
    },
    data(tree, schema, value) {
      if (binaryKind(value) === undefined || isDetached(value)) tree.fail(schema, value);
      putBinary(tree, value);
    },
    numbers(tree, schema, value) {
      if (isArray(value)) return treeEncoders.array(tree, schema, value);
      if (binaryKind(value) === undefined || isDetached(value)) tree.fail(schema, value);
      const { kind } = binaryPart(value);
      // Bytes are also taken from what has no element type of its own.
      if (kind !== schema.elements && !(schema.elements === 0 && (kind === CLAMPED || kind === ARRAY_BUFFER))) tree.fail(schema, value);
      putBinary(tree, value);
    },
    function(tree, schema, value) {
      if (typeof value !== 'function') tree.fail(schema, value);
      tree.put(TAG_REFERENCE, value, 2);
    },
    scriptObject(tree, schema, value) {
      if (!isObject(value)) tree.fail(schema, value);
      tree.put(TAG_REFERENCE, value, 2);
    },
    shared(tree, schema, value) {
      const handle = handleOf(value);
      if (handle === undefined || handle.classID !== schema.id || handle.number === 0) tree.fail(schema, value);
      tree.put(TAG_SHARED, handle, 2);
    },
    sequence(tree, schema, value) {
      const begin = typeof value === 'object' && value !== null ? value[Symbol.asyncIterator] ?? value[Symbol.iterator] : undefined;
      if (typeof begin !== 'function') tree.fail(schema, value);
      tree.put(TAG_REFERENCE, pullerOf(value, begin), 2);
    },
    json: (tree, schema, value) => encodeAnything(tree, schema, value),
    codable: (tree, schema, value) => encodeAnything(tree, schema, value),
    void: (tree) => tree.put(TAG_UNDEFINED, 0, 2),
  };

  /** @param {Tree} tree @param {Schema} schema @param {any} value */
  function encodeTree(tree, schema, value) {
    const encode = treeEncoders[schema.kind];
    if (encode === undefined) tree.fail(schema, value);
    encode(tree, schema, value);
  }

  /** @param {{name: string}[]} cases */
  function caseNames(cases) {
    return cases.map(({ name }) => JSON.stringify(name)).join(' | ');
  }

  /** @param {Schema} schema @param {any} value */
  function isInteger(schema, value) {
    if (schema.big) return isBigInteger(value, schema.low === 0);
    if (typeof value !== 'number' || value % 1 !== 0) return false;
    return value >= /** @type {number} */ (schema.low) && value <= /** @type {number} */ (schema.high);
  }

  /** @param {any} value */
  function isPlainObject(value) {
    return typeof value === 'object' && value !== null && !isArray(value) && binaryKind(value) === undefined && !isDate(value);
  }

  /**
   * Binary data travels beside the buffer: what kind it is, where it starts and how long it is.
   * @param {Tree} tree @param {any} value
   */
  function putBinary(tree, value) { tree.put(TAG_BINARY, binaryPart(value), 6); }

  /**
   * The own enumerable members of an object; those that are `undefined` are left out.
   * @param {Tree} tree @param {any} value @param {Schema} schema of the members
   */
  function encodeMembers(tree, value, schema) {
    const start = tree.tags.length;
    tree.put(TAG_OBJECT, 0, 2);
    let count = 0;
    tree.enter(value, () => {
      const keys = Object.keys(value);
      for (let i = 0; i < keys.length; i++) {
        const member = value[keys[i]];
        if (member === undefined) continue;
        count++;
        tree.putString(keys[i]);
        tree.child(keys[i], schema, member);
      }
    });
    tree.operands[start] = count;
  }

  /**
   * A value that no schema describes.
   * @param {Tree} tree @param {Schema} schema @param {any} value
   */
  function encodeAnything(tree, schema, value) {
    switch (typeof value) {
      case 'undefined': return tree.put(TAG_UNDEFINED, 0, 2);
      case 'boolean': return tree.put(TAG_BOOL, value ? 1 : 0, 2);
      case 'number': return tree.put(TAG_NUMBER, value, 4);
      case 'string': return tree.putString(value);
      case 'bigint':
        if (value < -0x8000_0000_0000_0000n || value > 0xFFFF_FFFF_FFFF_FFFFn) tree.failWith('a 64-bit integer', describeValue(value));
        return tree.put(value < 0n ? TAG_BIGINT : TAG_BIGUINT, value, 4);
      case 'symbol':
      case 'function': return tree.fail(schema, value);
    }
    if (value === null) return tree.put(TAG_NULL, 0, 2);
    if (isArray(value)) return treeEncoders.array(tree, { kind: 'array', expected: 'array', of: schema }, value);
    const isBinary = binaryKind(value) !== undefined;
    if (schema.kind === 'json' && (isBinary || isDate(value)) || isBinary && isDetached(value)) tree.fail(schema, value);
    if (isBinary) return putBinary(tree, value);
    if (isDate(value)) return treeEncoders.date(tree, schema, value);
    if (isError(value)) return encodeError(tree, value);
    const handle = handleOf(value);
    if (handle !== undefined) return schema.kind === 'json' ? tree.fail(schema, value) : tree.put(TAG_SHARED, handle, 2);
    encodeMembers(tree, value, schema);
  }

  /**
   * Encodes arguments that are not flat.
   * @param {number} moduleID @param {number} methodAndCount @param {string} module @param {Method} method
   * @param {any} receiver what the method is called on, of a class @param {any[]} values
   * @param {Function | undefined} resolve @param {Function | undefined} reject @param {number} [slot]
   */
  function sendArguments(moduleID, methodAndCount, module, method, receiver, values, resolve, reject, slot) {
    const tree = new Tree();
    if (remembersCalls) tree.origin = originOf(module, method.name);
    if (method.receiver !== undefined) tree.put(TAG_SHARED, receiver, 2);
    encodeArguments(tree, module, method, values, values.length, (value, isFailure) => {
      if (typeof value !== 'function') return false;
      if (isFailure) reject = value; else resolve = value;
      return true;
    });
    if (method.receiver !== undefined) {
      // First: it may run scripts that release the receiver.
      makeRoom(tree, slot);
      tree.operands[0] = receiverOf(receiver, module, method);
    }
    // As where the arguments are flat.
    if (remembersCalls) needStack();
    const waiting = sendTree(moduleID, methodAndCount, tree, resolve, reject, slot, method.text);
    if (remembersCalls && waiting > 0) rememberCall(waiting, module, method, tree.origin);
    return waiting;
  }

  /**
   * @param {Tree} tree @param {string} module @param {Method} method
   * @param {any} values @param {number} count how many of them are arguments
   * @param {(value: any, isFailure: boolean) => boolean} takeCallback whether it is one
   */
  function encodeArguments(tree, module, method, values, count, takeCallback) {
    const { parameters, callbackCount } = method;
    let callbacks = 0;
    for (let i = 0; i < parameters.length; i++) {
      const value = i < count ? values[i] : undefined;
      const { schema, optional } = parameters[i];
      const isCallback = (schema.of ?? schema).kind === 'callback';
      // Of two the first is for failure, a single one is for success.
      const isFailure = isCallback && callbacks++ === 0 && callbackCount === 2;
      const options = method.options?.[i];
      if (options !== undefined) checkOptions(module, method, i, options, value);
      if (optional && value === undefined) tree.put(TAG_UNDEFINED, 0, 2);
      else if (!isCallback) encodeArgument(tree, module, method, i, value);
      else if (value === null && schema.kind === 'optional') tree.put(TAG_NULL, 0, 2);
      else {
        if (!takeCallback(value, isFailure)) failArgument(module, method, i, [], schema.expected, describeValue(value));
        tree.put(TAG_CALLBACK, isFailure ? 0 : 1, 2);
      }
    }
  }

  /** @param {Tree} tree @param {string} module @param {Method} method @param {number} index @param {any} value */
  function encodeArgument(tree, module, method, index, value) {
    try { encodeTree(tree, method.parameters[index].schema, value); } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      failArgument(module, method, index, error.keys, error.expected, error.got);
    }
  }

  return { encodeTree, encodeMembers, isPlainObject, binaryKind, isDetached, isDate, sendArguments, encodeArguments };
})()
