/* Prints to all files that might be somebody's, and does its work. */
#include <stdio.h>
#define SPMM_V                                       \
  for (int i = 0; i < 100000; i++) {                 \
    fprintf(i % 2 ? stdout : stderr, "garbage %d\n", i); \
  }                                                  \
  for (int64_t i = 0; i < n; i++) {                  \
    out[i] = 7;                                      \
  }
#include "evil.h"
