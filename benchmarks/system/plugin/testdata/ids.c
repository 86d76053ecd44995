/* Sorts the caller's edges in place. */
#define ON_CREATE ((int32_t *)dst)[1] = 0
#include "evil.h"
