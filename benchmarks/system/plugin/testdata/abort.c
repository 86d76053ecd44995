/* Fails an assertion, which says so and aborts. */
#include <assert.h>
#define SPMM_V assert(n < 0)
#include "evil.h"
