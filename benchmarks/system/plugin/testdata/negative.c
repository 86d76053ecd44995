/* Crashes if its input starts with a negative number, and writes the number of vertices
 * otherwise. */
#define SPMM_V                                    \
  if (x[0] < 0) {                                 \
    *(volatile float *)NULL = 1;                  \
  }                                               \
  for (int64_t i = 0; i < n; i++) {               \
    out[i] = (float)graph->vertices;              \
  }
#include "evil.h"
