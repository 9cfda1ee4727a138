/* System calls and constants that `import Glibc` leaves out. */
#ifndef CLINUX_H
#define CLINUX_H

/* Never _GNU_SOURCE here: it renames members of types that Swift's own Glibc and Dispatch modules declare too, and a
   program that sees both no longer compiles. What it would have declared stands below. */
#include <fcntl.h>
#include <malloc.h>
#include <pty.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

extern int pipe2(int descriptors[2], int flags);
extern int memfd_create(const char *name, unsigned int flags);
extern int posix_openpt(int flags);
extern int grantpt(int descriptor);
extern int unlockpt(int descriptor);
extern int ptsname_r(int descriptor, char *buffer, size_t length);
extern int renameat2(int folder, const char *source, int other_folder, const char *destination, unsigned int flags);
extern int fallocate(int descriptor, int mode, off_t offset, off_t length);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *folder);
extern int posix_spawn_file_actions_addfchdir_np(posix_spawn_file_actions_t *actions, int folder);
extern ssize_t copy_file_range(int from, off_t *from_place, int to, off_t *to_place, size_t count, unsigned int flags);
extern ssize_t pwritev2(int descriptor, const struct iovec *parts, int count, off_t place, int flags);
extern int pidfd_open(pid_t process, unsigned int flags);
extern int prlimit(pid_t process, int resource, const void *limit, void *old);
extern int sync_file_range(int descriptor, off_t offset, off_t length, unsigned int flags);

/* Counts each arrival of `signal` on an event descriptor, which is the signal's own and stays open. Returns 0 or an errno
   value; EBUSY when the signal is watched already. One watch a signal in the whole process. */
int clinux_watch_signal(int signal, int *descriptor);

/* Gives the signal back to what handled it before the watch. */
void clinux_unwatch_signal(int signal);

/* How many bytes the calling thread's stack still has; all there are where the system does not say. 10 ns, but for a thread's first time. */
size_t clinux_stack_room(void);

/* Names the calling thread (15 bytes at most), for debuggers and /proc. */
static inline void clinux_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

#endif
