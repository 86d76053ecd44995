/* evil.h: a system that does nothing, for libraries that do something wrong in one place.
 * Such a library defines what it replaces, as a macro of the call's body or by leaving a
 * function out, and includes this file. */
#include "asterias_system.h"

#include <stddef.h>

#ifndef VERSION
#define VERSION ASTERIAS_SYSTEM_VERSION
#endif

#ifndef ON_CREATE
#define ON_CREATE
#endif

/* The body of asterias_spmm_v before it returns 0; x, out and n, the number of elements
 * of out, are at hand. */
#ifndef SPMM_V
#define SPMM_V
#endif

struct asterias_graph {
  int64_t vertices;
};

static struct asterias_graph graphs[100];
static int created;
static const char *error_text = "";

int32_t asterias_system_version(void) { return VERSION; }
const char *asterias_system_name(void) { return "evil"; }
const char *asterias_last_error(void) { return error_text; }

int asterias_graph_create(int64_t vertices, int64_t edges, const int32_t *src, const int32_t *dst, asterias_graph **graph) {
  (void)edges, (void)src, (void)dst;
  ON_CREATE;
  graphs[created].vertices = vertices;
  *graph = &graphs[created++];
  return ASTERIAS_OK;
}

void asterias_graph_destroy(asterias_graph *graph) { (void)graph; }

int asterias_spmm_v(asterias_graph *graph, const DLTensor *x_tensor, DLTensor *out_tensor, const asterias_flags *flags) {
  volatile float *x = x_tensor->data, *out = out_tensor->data;
  int64_t n = out_tensor->shape[0] * out_tensor->shape[1] * out_tensor->shape[2];
  (void)graph, (void)flags, (void)x, (void)out, (void)n;
  SPMM_V;
  return ASTERIAS_OK;
}

int asterias_spmm_ve(asterias_graph *graph, const DLTensor *x, const DLTensor *w, DLTensor *out, const asterias_flags *flags) {
  (void)graph, (void)x, (void)w, (void)out, (void)flags;
  error_text = "no values of edges";
  return ASTERIAS_UNSUPPORTED;
}

int asterias_spmm_e(asterias_graph *graph, const DLTensor *w, DLTensor *out, const asterias_flags *flags) {
  (void)graph, (void)w, (void)out, (void)flags;
  return ASTERIAS_UNSUPPORTED;
}

#ifndef LACKS_SDDMM
int asterias_sddmm_vv(asterias_graph *graph, const DLTensor *x, const DLTensor *y, DLTensor *out, const asterias_flags *flags) {
  (void)graph, (void)x, (void)y, (void)out, (void)flags;
  return ASTERIAS_UNSUPPORTED;
}

int asterias_sddmm_ve(asterias_graph *graph, const DLTensor *x, const DLTensor *w, DLTensor *out, const asterias_flags *flags) {
  (void)graph, (void)x, (void)w, (void)out, (void)flags;
  return ASTERIAS_UNSUPPORTED;
}
#endif
