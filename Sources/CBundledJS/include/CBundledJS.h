/* The JavaScript that ships inside the program, from `js/`. */
#ifndef CBUNDLEDJS_H
#define CBUNDLEDJS_H

#include <stddef.h>

/* What makes all that scripts get: a function expression that takes the constructors of the runtime's realm and returns its
   functions. It runs in the scripts' own realm. NUL-terminated. */
const char *bundled_border_script(void);

/* What it takes them from: a function expression that runs in the runtime's realm. NUL-terminated. */
const char *bundled_foreign_script(void);

/* What writes values as text: a function expression like that of a module's script, for the runtime's realm. NUL-terminated. */
const char *bundled_inspector_script(void);

/* The bridge's own JavaScript: one function expression that takes its native half and the border, and returns its entry
   points. ASCII or UTF-8, NUL-terminated. */
const char *bundled_runtime_start(void);
extern const size_t bundled_runtime_length;

/* What mocks of modules are made by: the body of a function of `modules` and `classes`; and its declarations in TypeScript. */
const char *bundled_mocks_script(void);
const char *bundled_mocks_declarations(void);

#endif
