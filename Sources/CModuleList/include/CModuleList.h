/* The modules linked into this program: a list that load-time initializers append to, before any Swift code runs. */
#ifndef CMODULELIST_H
#define CMODULELIST_H

#include <stddef.h>

/* Appends one module definition to the Swift array `into` points to. */
typedef void (*trestle_module_record)(void *into);

/* Called from `.init_array`, of the program itself, of a shared library at its load, or of one opened with `dlopen`. */
void trestle_add_module(trestle_module_record record);

/* How many records there are. They are never removed. Safe from any thread. */
size_t trestle_module_count(void);

/* The record at `index`, in load order. */
trestle_module_record trestle_module_at(size_t index);

#endif
