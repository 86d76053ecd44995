/* Ends the process, and says it went well. */
#include <stdlib.h>
#define SPMM_V exit(0)
#include "evil.h"
