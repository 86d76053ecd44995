/* Closes every file. */
#include <unistd.h>
#define SPMM_V for (int fd = 0; fd < 1000; fd++) close(fd)
#include "evil.h"
