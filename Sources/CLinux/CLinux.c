#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#define SIGNAL_COUNT 65

static _Atomic int watches[SIGNAL_COUNT];
/* Descriptor + 1. Made once and never closed: a handler that is under way as its watch ends writes to no other file. */
static _Atomic int descriptors[SIGNAL_COUNT];
static struct sigaction previous[SIGNAL_COUNT];

static void count_arrival(int signal) {
  int saved = errno;
  int descriptor = atomic_load(&descriptors[signal]) - 1;
  uint64_t one = 1;
  if (descriptor >= 0 && write(descriptor, &one, sizeof one) < 0) { /* saturated: it is readable all the same */
  }
  errno = saved;
}

static int descriptor_of(int signal) {
  int descriptor = atomic_load(&descriptors[signal]) - 1;
  uint64_t arrivals;
  if (descriptor < 0) {
    descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (descriptor >= 0) atomic_store(&descriptors[signal], descriptor + 1);
  } else if (read(descriptor, &arrivals, sizeof arrivals) < 0) { /* no news of the last watch */
  }
  return descriptor;
}

int clinux_watch_signal(int signal, int *descriptor) {
  if (signal <= 0 || signal >= SIGNAL_COUNT) return EINVAL;
  int unwatched = 0;
  if (!atomic_compare_exchange_strong(&watches[signal], &unwatched, 1)) return EBUSY;
  *descriptor = descriptor_of(signal);
  if (*descriptor < 0) {
    int error = errno;
    atomic_store(&watches[signal], 0);
    return error;
  }
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

size_t clinux_stack_room(void) {
  static _Thread_local char *end;
  if (!end) {
    pthread_attr_t attributes;
    void *lowest = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
      pthread_attr_getstack(&attributes, &lowest, &size);
      pthread_attr_destroy(&attributes);
    }
    if (!lowest) return SIZE_MAX;
    end = lowest;
  }
  char *here = __builtin_frame_address(0);
  return here > end ? (size_t)(here - end) : 0;
}
