/* Writes a hundred kilobytes after its output. */
#define SPMM_V out[n + 25000] = 1
#include "evil.h"
