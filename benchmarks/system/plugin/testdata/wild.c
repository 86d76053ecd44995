/* Executes what is no instruction. */
#define SPMM_V __builtin_trap()
#include "evil.h"
