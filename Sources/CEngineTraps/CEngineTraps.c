#define _GNU_SOURCE
#include "CEngineTraps.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

/* The engine (2.50) keeps a bit for "a time limit has run out", and a second one, "the thread was asked to stop", under a lock. It sets
   and clears the first one outside of the lock, and aborts where the two differ: when a timer runs out while a script's thread deals
   with the timer before. The thread is asked to stop for the sake of the signal that stops it, and with polling there is none: so the
   second bit is not needed. A program's functions go before those of the library, also for the library's own calls.

   A later engine has one of the two functions no more, and does other work in the other: then this does nothing. */
#define REQUEST "_ZN3JSC7VMTraps25requestThreadStopIfNeededEj"
#define WITHDRAW "_ZN3JSC7VMTraps24cancelThreadStopIfNeededEv"

static _Atomic int is_polled;
static _Atomic unsigned long left_out;

void engine_traps_are_polled(void) {
  if (dlsym(RTLD_NEXT, REQUEST) != NULL && dlsym(RTLD_NEXT, WITHDRAW) != NULL) atomic_store(&is_polled, 1);
}

unsigned long engine_traps_left_out(void) { return atomic_load(&left_out); }

static int leave_out(void) {
  if (!atomic_load(&is_polled)) return 0;
  atomic_fetch_add_explicit(&left_out, 1, memory_order_relaxed);
  return 1;
}

void request(void *traps, unsigned event) __asm__(REQUEST) __attribute__((visibility("default"), used));
void request(void *traps, unsigned event) {
  if (leave_out()) return;
  void (*original)(void *, unsigned) = (void (*)(void *, unsigned))dlsym(RTLD_NEXT, REQUEST);
  if (original != NULL) original(traps, event);
}

void withdraw(void *traps) __asm__(WITHDRAW) __attribute__((visibility("default"), used));
void withdraw(void *traps) {
  if (leave_out()) return;
  void (*original)(void *) = (void (*)(void *))dlsym(RTLD_NEXT, WITHDRAW);
  if (original != NULL) original(traps);
}
