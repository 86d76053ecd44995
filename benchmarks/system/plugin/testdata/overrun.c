/* Writes one number after its output. */
#define SPMM_V out[n] = 1
#include "evil.h"
