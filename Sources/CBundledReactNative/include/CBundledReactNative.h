/* The JavaScript of React Native's wire, from `js/reactnative`. */
#ifndef CBUNDLEDREACTNATIVE_H
#define CBUNDLEDREACTNATIVE_H

/* As `bundled_runtime_script` of CBundledJS, for React Native's wire. */
const char *bundled_reactnative_script(void);

#endif
