#include "CStandardDescriptors.h"

#include <fcntl.h>
#include <unistd.h>

/* One that is closed would be the number of the next thing that is opened, an event loop's or a file, which would then be written
   to as the standard output. As those before it are open, `open` gives the very number that is missing. It cannot be written to, so
   that output which nobody gets is an error. */
__attribute__((constructor(101))) static void open_standard_descriptors(void) {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
    if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", O_RDONLY);
  }
}
