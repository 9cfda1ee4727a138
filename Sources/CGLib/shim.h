/* As in CLinux: what two modules both declare must look the same. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <glib-unix.h>
#include <glib.h>

/* A source whose callbacks find the object that owns it. */
typedef struct {
  GSource base;
  void *owner;
} CGLibOwnedSource;
