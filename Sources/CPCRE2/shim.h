/* PCRE2 with code units of 8 bits; functions are imported with their suffix, `pcre2_compile_8`. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
