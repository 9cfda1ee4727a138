/** Prototypes of the runtime's realm. */
declare const foreign: { objectPrototype: object, rangeErrorPrototype: object, typeErrorPrototype: object };
