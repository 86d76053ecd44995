/* Needs a function that nobody has. */
int nobody_has_this(void);
#define SPMM_V return nobody_has_this()
#include "evil.h"
