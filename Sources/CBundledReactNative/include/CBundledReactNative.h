/* The JavaScript of React Native's wire, from `js/reactnative`. */
#ifndef CBUNDLEDREACTNATIVE_H
#define CBUNDLEDREACTNATIVE_H

#include <stddef.h>

/* As `bundled_runtime_start` of CBundledJS, for React Native's wire. */
const char *bundled_reactnative_start(void);
extern const size_t bundled_reactnative_length;

#endif
