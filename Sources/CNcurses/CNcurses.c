#define _GNU_SOURCE /* dladdr */
#include "CNcurses.h"

#include <dlfcn.h>
#include <ncursesw/curses.h>
#include <ncursesw/term.h>
#include <signal.h>
#include <stdint.h>
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

static void give_back(void) {
  if (!restore.armed) return;
  restore.armed = 0;
  ssize_t ignored = write(restore.descriptor, restore.bytes, restore.count);
  (void)ignored;
  tcsetattr(restore.descriptor, TCSANOW, &restore.modes);
}

static void ended(int signal) {
  give_back();
  /* SA_RESETHAND: the second time it is the system's. */
  raise(signal);
}

/* Who else handles a crash. */
static struct sigaction former[NSIG];

static void crashed(int number, siginfo_t *information, void *context) {
  give_back();
  const struct sigaction *next = &former[number];
  if (next->sa_flags & SA_SIGINFO) {
    next->sa_sigaction(number, information, context);
  } else {
    next->sa_handler(number);
  }
  /* It may come back where the signal was sent: nothing is drawn on a terminal that was given back. */
  signal(number, SIG_DFL);
  raise(number);
}

/* JavaScriptCore takes some signals for its own ends, and goes on. */
static int is_engines(const struct sigaction *action) {
  Dl_info place;
  const void *handler = (const void *)(uintptr_t)action->sa_sigaction;
  return dladdr(handler, &place) != 0 && place.dli_fname != NULL && strstr(place.dli_fname, "javascriptcore") != NULL;
}

/* Whether the program itself has gone wrong: Swift's runtime tells of it, and asks on the terminal what to tell. */
static int is_crash(int signal) {
  switch (signal) {
    case SIGSEGV: case SIGABRT: case SIGILL: case SIGBUS: case SIGFPE: case SIGTRAP: return 1;
    default: return 0;
  }
}

static void restore_at(int signal) {
  struct sigaction present;
  if (sigaction(signal, NULL, &present) != 0) return;
  if (present.sa_handler == SIG_DFL) {
    struct sigaction action = {.sa_handler = ended, .sa_flags = SA_RESETHAND | SA_ONSTACK | SA_NODEFER};
    sigaction(signal, &action, NULL);
  } else if (is_crash(signal) && present.sa_handler != SIG_IGN && present.sa_handler != ended &&
             present.sa_sigaction != crashed && !is_engines(&present)) {
    former[signal] = present;
    present.sa_sigaction = crashed;
    present.sa_flags |= SA_SIGINFO | SA_ONSTACK;
    sigaction(signal, &present, NULL);
  }
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
  for (int signal = 1; signal <= SIGRTMAX; signal++) {
    if (ends(signal)) restore_at(signal);
  }
  restore.armed = 1;
}

void cncurses_forget_restore(void) { restore.armed = 0; }
