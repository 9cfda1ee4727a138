/* System calls and constants that `import Glibc` leaves out. */
#ifndef CLINUX_H
#define CLINUX_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <fcntl.h>
#include <pty.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* Counts each arrival of `signal` on the event descriptor `descriptor`. Returns 0 or an errno value; EBUSY when the
   signal is watched already. One watch a signal in the whole process. */
int clinux_watch_signal(int signal, int descriptor);

/* Gives the signal back to what handled it before the watch. */
void clinux_unwatch_signal(int signal);

/* Names the calling thread (15 bytes at most), for debuggers and /proc. */
static inline void clinux_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

#endif
