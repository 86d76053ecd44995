/* Writes to files that are not its own, and goes on for ever. */
#include <unistd.h>
static const char garbage[4096] = "garbage";
#define SPMM_V                                          \
  for (int fd = 3; fd < 20; fd++) {                     \
    while (write(fd, garbage, sizeof garbage) < 0) {    \
      break;                                            \
    }                                                   \
  }                                                     \
  pause()
#include "evil.h"
