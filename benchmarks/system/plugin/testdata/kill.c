/* Kills the process. */
#define _POSIX_C_SOURCE 199309L
#include <signal.h>
#define SPMM_V raise(SIGKILL)
#include "evil.h"
