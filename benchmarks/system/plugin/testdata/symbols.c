/* Lacks two functions. */
#define LACKS_SDDMM
#include "evil.h"
