/* Starts a process that waits for ever and has all its files, and writes the process's
 * number. Ends if its input is 1. */
#include <stdlib.h>
#include <unistd.h>
#define SPMM_V                        \
  if (x[0] == 1) {                    \
    exit(3);                          \
  }                                   \
  pid_t child = fork();               \
  if (child == 0) {                   \
    for (;;) {                        \
      pause();                        \
    }                                 \
  }                                   \
  out[0] = (float)child
#include "evil.h"
