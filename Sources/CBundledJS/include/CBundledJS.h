/* The JavaScript that ships inside the program, from `js/`. */
#ifndef CBUNDLEDJS_H
#define CBUNDLEDJS_H

/* What makes all that scripts get: a function expression that takes the constructors of the runtime's realm and returns its
   functions. It runs in the scripts' own realm. ASCII, NUL-terminated. */
const char *bundled_border_script(void);

/* What it takes them from: a function expression that runs in the runtime's realm. NUL-terminated. */
const char *bundled_foreign_script(void);

/* A part of the bridge's own JavaScript that is evaluated when it is first asked for: an expression, in the scope of the rest
   (`js/runtime/late.js`). UTF-8, NUL-terminated; null if there is none of that name. */
const char *bundled_part(const char *name);

/* The bridge's own JavaScript: one function expression that takes its native half and the border, and returns its entry
   points. ASCII, NUL-terminated. */
const char *bundled_runtime_script(void);

/* What mocks of modules are made by: the body of a function of `modules` and `classes`; and its declarations in TypeScript. */
const char *bundled_mocks_script(void);
const char *bundled_mocks_declarations(void);

#endif
