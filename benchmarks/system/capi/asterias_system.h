/* asterias_system.h: the System API of Asterias' benchmarks for shared libraries.
 *
 * A library that exports the functions declared here can be benchmarked like any system
 * in the tree. It is C99 and C++, and this file needs nothing else; DLTensor is that of
 * DLPack (https://github.com/dmlc/dlpack). If you use DLPack's own header, include it
 * before this one. example/csr.c is a complete library.
 *
 * Memory. All tensors are the caller's and borrowed for the call: a library neither keeps,
 * frees nor resizes them and never writes to an input. The output is allocated by the
 * caller, with any content, overlaps no input, and is to be written wholly: rows of
 * vertices without edges too, with zeros. Nothing else of the caller's is written.
 * Whatever else a library needs it allocates itself and frees with the graph.
 *
 * Tensors. Float32 on the CPU, of shape [rows, heads, width], contiguous in row-major
 * order: element (r, h, f) is the one at (r*heads + h)*width + f from data. Strides are
 * given and say the same; byte_offset is 0. data is aligned for a float and no better, and
 * may be anything if a dimension is 0. Rows are N, the number of vertices, for values of
 * vertices and E, the number of edges, in the order in which asterias_graph_create got them,
 * for values of edges. The caller has checked shapes and flags; a library may rely on
 * what is written here.
 *
 * Calls come one at a time, not always from the same thread. A library may use threads of
 * its own. It does not end the process and leaves files alone that it did not open.
 */
#ifndef ASTERIAS_SYSTEM_H
#define ASTERIAS_SYSTEM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- DLPack: the part of its ABI that is used here ---- */

#ifndef DLPACK_DLPACK_H_

enum { kDLCPU = 1 };
enum { kDLFloat = 2 };

typedef struct {
  int32_t device_type; /* kDLCPU */
  int32_t device_id;   /* 0 */
} DLDevice;

typedef struct {
  uint8_t code;   /* kDLFloat */
  uint8_t bits;   /* 32 */
  uint16_t lanes; /* 1 */
} DLDataType;

typedef struct {
  void *data;
  DLDevice device;
  int32_t ndim; /* 3 */
  DLDataType dtype;
  int64_t *shape;       /* rows, heads, width */
  int64_t *strides;     /* in elements: heads*width, width, 1 */
  uint64_t byte_offset; /* 0 */
} DLTensor;

#endif /* DLPACK_DLPACK_H_ */

/* ---- what a library says of itself ---- */

/* The version of what is declared here. A library returns the one it was compiled with;
 * another one than the caller's is refused. */
#define ASTERIAS_SYSTEM_VERSION 1
int32_t asterias_system_version(void);

/* The system's name, short: "csr". The string stays valid. */
const char *asterias_system_name(void);

/* What functions return: 0, or why they did not do their work. */
enum {
  ASTERIAS_OK = 0,
  ASTERIAS_UNSUPPORTED = 1, /* the library lacks the call, or one of its flags */
  ASTERIAS_ERROR = 2        /* anything else (so is every other value) */
};

/* Why the last function that did not return ASTERIAS_OK did not: text for people, valid
 * until the next call. NULL or "" if there is nothing to say. */
const char *asterias_last_error(void);

/* ---- the graph ---- */

/* The library's own: N vertices, E edges, stored as it likes. */
typedef struct asterias_graph asterias_graph;

/* Stores a graph in *graph. Edge e runs from src[e] to dst[e], both in [0, vertices).
 * Edges come in any order and may repeat; there may be none. src and dst are borrowed for
 * the call like tensors. */
int asterias_graph_create(int64_t vertices, int64_t edges, const int32_t *src, const int32_t *dst, asterias_graph **graph);

/* Frees a graph that asterias_graph_create returned. */
void asterias_graph_destroy(asterias_graph *graph);

/* ---- flags ---- */

/* op: what two values become that meet on an edge, element by element, but for
 * ASTERIAS_DOT, the inner product of a head's features. */
enum {
  ASTERIAS_MUL = 0,
  ASTERIAS_ADD = 1,
  ASTERIAS_SUB = 2, /* the left one minus the right one */
  ASTERIAS_DIV = 3, /* the left one divided by the right one */
  ASTERIAS_DOT = 4, /* asterias_sddmm_vv alone has it */
  ASTERIAS_COPY = 5 /* asterias_sddmm_ve alone has it: x, and w is NULL */
};

/* reduce: what the values of a vertex's edges become; 0 over no edges. */
enum { ASTERIAS_SUM = 0, ASTERIAS_MAX = 1, ASTERIAS_MIN = 2 };

/* norm: the coefficient c of the edge u -> v. in(v) and out(u) are the numbers of edges
 * into v and out of u, counting 0 as 1, in the graph as it was created: norm does not
 * depend on transpose. */
enum {
  ASTERIAS_NORM_NONE = 0, /* c = 1 */
  ASTERIAS_NORM_MEAN = 1, /* c = 1/in(v) */
  ASTERIAS_NORM_LEFT = 2, /* c = 1/out(u) */
  ASTERIAS_NORM_BOTH = 3  /* c = 1/sqrt(in(v)*out(u)) */
};

/* What a call does not have is 0: asterias_spmm_v and asterias_spmm_e have no op, the
 * two SDDMMs no reduce; norm is there only with ASTERIAS_SUM, in asterias_spmm_v and, with
 * ASTERIAS_MUL and ASTERIAS_DIV, in asterias_spmm_ve.
 *
 * transpose, 0 or 1, turns every edge around: in the formulas below, u is then the
 * destination of edge e and v its source. */
typedef struct {
  int32_t op;
  int32_t reduce;
  int32_t norm;
  int32_t transpose;
} asterias_flags;

/* ---- the five calls ---- */

/* In the formulas, e runs over edges u -> v, c_e is norm's coefficient, and every line
 * holds for each head h and feature f. NaN and infinities propagate. */

/* out[v] = reduce over e: u -> v of c_e * x[u]
 * x and out are [N, H, F]. */
int asterias_spmm_v(asterias_graph *graph, const DLTensor *x, DLTensor *out, const asterias_flags *flags);

/* out[v] = reduce over e: u -> v of c_e * (x[u] op w[e])
 * x and out are [N, H, F]; w is [E, H, F], or [E, H, 1] to count for all of a head. */
int asterias_spmm_ve(asterias_graph *graph, const DLTensor *x, const DLTensor *w, DLTensor *out, const asterias_flags *flags);

/* out[v] = reduce over e: u -> v of w[e]
 * w is [E, H, F], out [N, H, F]. */
int asterias_spmm_e(asterias_graph *graph, const DLTensor *w, DLTensor *out, const asterias_flags *flags);

/* out[e] = x[u] op y[v]
 * x and y are [N, H, F]; out is [E, H, F], or [E, H, 1] with ASTERIAS_DOT. */
int asterias_sddmm_vv(asterias_graph *graph, const DLTensor *x, const DLTensor *y, DLTensor *out, const asterias_flags *flags);

/* out[e] = w[e] op x[u]; with ASTERIAS_COPY, whose w is NULL, out[e] = x[u]
 * x is [N, H, F], w [E, H, F] or [E, H, 1], out [E, H, F]. */
int asterias_sddmm_ve(asterias_graph *graph, const DLTensor *x, const DLTensor *w, DLTensor *out, const asterias_flags *flags);

/* ---- optional: what the library holds ---- */

/* Memory in bytes. */
typedef struct {
  int64_t graph;     /* structure: offsets, ids, degrees */
  int64_t workspace; /* scratch space of kernels */
} asterias_memory;

/* Says what the library holds for a graph now. A library that does not export this
 * function is reported without numbers. */
void asterias_graph_memory(const asterias_graph *graph, asterias_memory *memory);

#ifdef __cplusplus
}
#endif

#endif /* ASTERIAS_SYSTEM_H */
