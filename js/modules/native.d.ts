/** The module's object as native code defines it: its exported methods and constants. */
declare const native: any;
