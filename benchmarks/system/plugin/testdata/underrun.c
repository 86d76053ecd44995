/* Writes one number before its output. */
#define SPMM_V out[-1] = 1
#include "evil.h"
