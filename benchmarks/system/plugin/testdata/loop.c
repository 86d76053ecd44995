/* Never returns. */
#define SPMM_V for (volatile int i = 0;; i++)
#include "evil.h"
