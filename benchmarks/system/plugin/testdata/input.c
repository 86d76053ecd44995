/* Writes to its input. */
#define SPMM_V x[3] = 1
#include "evil.h"
