/* Never stops calling itself. */
static int deeper(int n) {
  volatile char room[1000];
  room[n % 1000] = 1;
  return deeper(n + 1) + room[0];
}
#define SPMM_V return deeper(0)
#include "evil.h"
