/* Returns an error. */
#define SPMM_V error_text = "out of registers"; return ASTERIAS_ERROR
#include "evil.h"
