// The engine maps memory for each buffer that can be resized beyond this, and ends the process where the system gives it none.

const LARGEST_UNMAPPED = 65536;

lookBeforeResizableBuffers((/** @type {number} */ maxByteLength) => {
  if (maxByteLength > LARGEST_UNMAPPED && !native.mayMakeResizableBuffer()) throw new ScriptRangeError('Out of memory: too many resizable buffers');
});
