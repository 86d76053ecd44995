/* Returns an error that is not in the header, and no text. */
#define SPMM_V error_text = NULL; return -7
#include "evil.h"
