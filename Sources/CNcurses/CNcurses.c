#include "CNcurses.h"

#include <ncursesw/curses.h>
#include <ncursesw/term.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

int cncurses_setup(const char *term) {
  int status = 0;
  return setupterm((char *)term, STDOUT_FILENO, &status) == OK ? 0 : -1;
}

const char *cncurses_string(const char *name) {
  char *value = tigetstr((char *)name);
  return value == (char *)-1 ? NULL : value;
}

int cncurses_number(const char *name) {
  int value = tigetnum((char *)name);
  return value < 0 ? -1 : value;
}

int cncurses_flag(const char *name) { return tigetflag((char *)name) > 0; }

const char *cncurses_parameterized(const char *capability, int first, int second) {
  return tparm((char *)capability, (long)first, (long)second, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
}

static struct {
  volatile sig_atomic_t armed;
  int descriptor;
  struct termios modes;
  char bytes[512];
  size_t count;
} restore;

static void ended(int signal) {
  if (restore.armed) {
    restore.armed = 0;
    ssize_t ignored = write(restore.descriptor, restore.bytes, restore.count);
    (void)ignored;
    tcsetattr(restore.descriptor, TCSANOW, &restore.modes);
  }
  /* SA_RESETHAND: the second time it is the system's. */
  raise(signal);
}

/* Whether the system's own way with the signal is to end the program. */
static int ends(int signal) {
  switch (signal) {
    case SIGKILL: case SIGSTOP: case SIGTSTP: case SIGTTIN: case SIGTTOU: case SIGCONT: case SIGCHLD: case SIGURG:
    case SIGWINCH:
      return 0;
    default:
      return 1;
  }
}

void cncurses_restore_at_end(int descriptor, const struct termios *modes, const char *bytes, size_t count) {
  static char stack[16384];
  restore.armed = 0;
  restore.descriptor = descriptor;
  restore.modes = *modes;
  restore.count = count < sizeof restore.bytes ? count : sizeof restore.bytes;
  memcpy(restore.bytes, bytes, restore.count);
  /* A stack of its own: the crash may be an overflow of the other one. */
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&alternate, NULL);
  struct sigaction action = {.sa_handler = ended, .sa_flags = SA_RESETHAND | SA_ONSTACK | SA_NODEFER};
  for (int signal = 1; signal <= SIGRTMAX; signal++) {
    struct sigaction present;
    if (ends(signal) && sigaction(signal, NULL, &present) == 0 && present.sa_handler == SIG_DFL) sigaction(signal, &action, NULL);
  }
  restore.armed = 1;
}

void cncurses_forget_restore(void) { restore.armed = 0; }
