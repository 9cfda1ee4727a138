/** The module's object as native code defines it: its exported methods and constants. No script has it. */
declare const native: any;
/** What makes all that scripts get, of their own realm (`js/border`). */
declare const border: any;
/** What the runtime shares (`js/runtime/scripts.js`). */
declare const runtime: any;
