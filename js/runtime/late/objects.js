// Objects of native code as scripts have them: evaluated when the first one comes.
(() => {
  /**
   * Their classes, by the numbers of the process.
   * @type {any[]}
   */
  const objectClasses = [];
  /** Tells native code of objects that scripts have forgotten. */
  const handleRegistry = new FinalizationRegistry(forgetCollected);

  /**
   * Lets native code forget an object now. Again: does nothing.
   * @param {Handle} handle
   */
  function releaseHandle(handle) {
    if (handle.number === 0) return;
    needStack();
    handleRegistry.unregister(handle);
    forgetHandle(handle);
  }

  /** @param {Handle} handle */
  function forgetCollected(handle) {
    flushWhatFollows();
    forgetHandle(handle);
  }

  /**
   * A limit may end this anywhere: native code then asks what is `held`.
   * @param {Handle} handle
   */
  function forgetHandle(handle) {
    const { number, received } = handle;
    // First: to send may run scripts, which may release it too; and by then the number may be another object's.
    handle.number = 0;
    untrack(handle.item);
    if (handles[number] === handle) handles[number] = /** @type {any} */ (undefined);
    releaseObject(number, received);
  }

  /**
   * The object of that number: the one that scripts have, or a new one.
   * @param {number} classID @param {number} number
   */
  function receiveObject(classID, number) {
    if (number === 0) throw limitError('objects of native code would keep more memory than scripts may have of them');
    const known = handles[number];
    const living = known?.reference.deref();
    if (living !== undefined) {
      known.received++;
      return living;
    }
    /** @type {Handle} */
    const handle = { number, classID, received: 1, reference: undefined };
    const object = border.makeObject(objectClasses[classID] ?? makeObjectClass(classID), handle);
    if (known !== undefined) {
      // It is forgotten with this one.
      handleRegistry.unregister(known);
      untrack(known.item);
      handle.received += known.received;
      known.number = 0;
    }
    handle.reference = new WeakRef(object);
    handles[number] = handle;
    if (tracksOutstanding) handle.item = track('object', answered, handle.reference, objectClassNames[classID]);
    handleRegistry.register(object, handle, handle);
    return object;
  }

  /** @param {number} classID */
  function makeObjectClass(classID) {
    const { id, name, methods } = describe(() => native.sharedClass(classID));
    const made = publishSharedClass(
      name, releaseHandle, methods.some((/** @type {Method} */ method) => method.name === 'close' && method.kind === 'promise'));
    const { prototype } = made;
    methods.forEach((/** @type {Method} */ method, /** @type {number} */ methodID) => {
      method.receiver = classID;
      /** @type {any} */
      const value = directMethod(makeEncoder(id, name, methodID, method), method);
      const half = method.kind === 'sync' ? method.name.substring(0, 4) : '';
      const property = method.name.substring(4);
      // The one half of a property leaves the other as it is.
      if (half === 'get ') Object.defineProperty(prototype, property, { get: value, enumerable: true, configurable: true });
      else if (half === 'set ') Object.defineProperty(prototype, property, { set: value, enumerable: true, configurable: true });
      else define(prototype, method.name, value);
    });
    objectClassNames[classID] = name;
    return objectClasses[classID] = made;
  }

  return { receiveObject };
})()
