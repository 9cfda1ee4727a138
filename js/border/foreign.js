// What the border is given of the runtime's realm; `showsOwnFrames` is for whoever works on the bridge.
(function (/** @type {boolean} */ showsOwnFrames) {
  'use strict';

  /** A line of a stack that lies in the bridge's own JavaScript, or in code without a name. */
  const ownFrame = /^(?:[^@]*@)?(?:trestle:.*)?$/;

  /** @param {string} line of a stack */
  function isOwnFrame(line) { return !showsOwnFrames && ownFrame.test(line); }

  /**
   * The stack without the bridge's own frames, if it begins with one.
   * @param {string} stack
   */
  function ownStack(stack) {
    const lines = stack.split('\n');
    return isOwnFrame(lines[0]) ? lines.filter((line) => !isOwnFrame(line)).join('\n') : undefined;
  }

  return {
    objectPrototype: Object.prototype, rangeErrorPrototype: RangeError.prototype, typeErrorPrototype: TypeError.prototype,
    syntaxErrorPrototype: SyntaxError.prototype, isOwnFrame, ownStack,
    /** What has one of them behind it, or is one, is no data that could be cloned: by prototype what it is. */
    opaquePrototypes: new Map(),
  };
})
