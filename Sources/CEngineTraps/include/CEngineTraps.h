#ifndef CENGINETRAPS_H
#define CENGINETRAPS_H

/* Says that scripts look for the ends of time limits by themselves (the engine's option `usePollingTraps`): from then on the engine's
   requests to stop a thread, and its withdrawals of them, do nothing. Before the first context. */
void engine_traps_are_polled(void);

/* How many requests and withdrawals were left out. */
unsigned long engine_traps_left_out(void);

#endif
