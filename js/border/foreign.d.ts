/** By these the border knows what was made in a realm of the bridge's own JavaScript. */
interface ForeignRealm { objectPrototype: object, rangeErrorPrototype: object, typeErrorPrototype: object, syntaxErrorPrototype: object }
/** What the border is given of the runtime's realm (`foreign.js`). */
declare const foreign: ForeignRealm & {
  isOwnFrame(line: string): boolean, ownStack(stack: string): string | undefined,
  opaquePrototypes: Map<any, string>,
};
