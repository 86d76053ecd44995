/* Was compiled with the header of another version. */
#define VERSION (ASTERIAS_SYSTEM_VERSION + 41)
#include "evil.h"
