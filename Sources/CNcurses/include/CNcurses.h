/* The terminfo half of ncurses, and a terminal that is put right when a signal ends this program.

   curses' own screen is not used: it knows no true colour on common terminals, and no characters newer than its libc. */
#ifndef CNCURSES_H
#define CNCURSES_H

#include <stddef.h>
#include <termios.h>

/* Reads the description of `term`. Returns 0, or -1 when there is none. */
int cncurses_setup(const char *term);

/* A string capability by its terminfo name; NULL when the terminal lacks it. */
const char *cncurses_string(const char *name);

/* A number or flag capability by its terminfo name; -1 when the terminal lacks it. */
int cncurses_number(const char *name);
int cncurses_flag(const char *name);

/* `capability` with one or two parameters. The result lives until the next call. */
const char *cncurses_parameterized(const char *capability, int first, int second);

/* From now on a signal that would end the program, and that nobody else handles or ignores, writes `bytes` to `descriptor`, gives the
   terminal back its `modes`, and then takes its usual course; so does a crash, whoever handles that. The bytes are copied; what is
   longer than 512 is cut. */
void cncurses_restore_at_end(int descriptor, const struct termios *modes, const char *bytes, size_t count);

/* Nothing is to be restored any more. */
void cncurses_forget_restore(void);

#endif
