/** What the border is given of the runtime's realm (`foreign.js`). */
declare const foreign: {
  objectPrototype: object, rangeErrorPrototype: object, typeErrorPrototype: object,
  isOwnFrame(line: string): boolean, ownStack(stack: string): string | undefined,
  opaquePrototypes: Map<any, string>,
};
