/* Writes through a null pointer. */
#define SPMM_V *(volatile float *)NULL = 1
#include "evil.h"
