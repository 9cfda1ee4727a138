/* The JavaScript of `trestle:test`, from `js/test`. */
#ifndef CBUNDLEDTEST_H
#define CBUNDLEDTEST_H

/* A function expression that takes the module's native object; UTF-8, NUL-terminated. */
const char *bundled_test_script(void);

/* What tests are written with, as TypeScript declares it, from `js/types`. */
const char *bundled_test_declarations(void);

#endif
