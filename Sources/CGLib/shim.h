#include <glib-unix.h>
#include <glib.h>

/* A source whose callbacks find the object that owns it. */
typedef struct {
  GSource base;
  void *owner;
} CGLibOwnedSource;
