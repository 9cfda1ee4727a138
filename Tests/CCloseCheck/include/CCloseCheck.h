#ifndef CCLOSECHECK_H
#define CCLOSECHECK_H

/* Ends a test run where something is closed twice: the second time it may be a file of somebody else, in another thread, that has
   been given its number meanwhile. Another test fails then, or a file is written wrongly, once in many runs.

   It is there for all tests of a program that links it. A handler is called instead, for its own test. */
void close_check_on_failure(void (*handler)(int));

#endif
