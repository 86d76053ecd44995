/* Says it created a graph, and did not. */
#define ON_CREATE return ASTERIAS_OK
#include "evil.h"
