#include "CLinux.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>

#define SIGNAL_COUNT 65

/* Descriptor + 1, so that zero means "not watched". */
static _Atomic int watches[SIGNAL_COUNT];
static struct sigaction previous[SIGNAL_COUNT];

static void count_arrival(int signal) {
  int saved = errno;
  int descriptor = atomic_load(&watches[signal]) - 1;
  uint64_t one = 1;
  if (descriptor >= 0 && write(descriptor, &one, sizeof one) < 0) { /* saturated: it is readable all the same */
  }
  errno = saved;
}

int clinux_watch_signal(int signal, int descriptor) {
  if (signal <= 0 || signal >= SIGNAL_COUNT) return EINVAL;
  int unwatched = 0;
  if (!atomic_compare_exchange_strong(&watches[signal], &unwatched, descriptor + 1)) return EBUSY;
  struct sigaction action = {.sa_handler = count_arrival, .sa_flags = SA_RESTART};
  sigfillset(&action.sa_mask);
  if (sigaction(signal, &action, &previous[signal]) == 0) return 0;
  int error = errno;
  atomic_store(&watches[signal], 0);
  return error;
}

void clinux_unwatch_signal(int signal) {
  if (signal <= 0 || signal >= SIGNAL_COUNT || atomic_load(&watches[signal]) == 0) return;
  sigaction(signal, &previous[signal], NULL);
  atomic_store(&watches[signal], 0);
}
