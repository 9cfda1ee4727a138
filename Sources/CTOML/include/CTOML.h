/* TOML 1.0, read by toml++. */
#ifndef CTOML_H
#define CTOML_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The table that `text` holds as JSON: dates, times, infinities and NaN are strings there. When it is no TOML, a sentence that
   says why, and its line, counted from 1. `text` is to be freed. */
typedef struct {
  char *text;
  unsigned line; /* 0 for a table. */
} ctoml_result;

/* Any bytes can be given. `text` of the result is NULL when there is no memory. */
ctoml_result ctoml_read(const char *text, size_t count);

#ifdef __cplusplus
}
#endif
#endif
