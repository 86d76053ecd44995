/* Reads a page after its input. */
#define SPMM_V out[0] = x[n + 1023]
#include "evil.h"
