/* Crashes in a thread of its own. */
#include <pthread.h>
#include <stddef.h>
static void *crash(void *unused) {
  *(volatile int *)unused = 1;
  return NULL;
}
#define SPMM_V                              \
  pthread_t other;                          \
  pthread_create(&other, NULL, crash, NULL); \
  pthread_join(other, NULL)
#include "evil.h"
