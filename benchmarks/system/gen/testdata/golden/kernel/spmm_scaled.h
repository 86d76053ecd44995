/* spmm_scaled: what the library exports.
 *
 *     status spmm_scaled(graph_t g, const array_t x[N][H][F], const array_t w[E][H][1], array_t out[N][H][F], op_t op, float scale, bool transpose)
 *
 * Memory. All tensors are the caller's and borrowed for the call: the library neither
 * keeps nor frees them and does not write to inputs, which are const. Outputs are
 * allocated by the caller, with any content, overlap no input, and are written wholly.
 *
 * Tensors. Float32 on the CPU, contiguous in row-major order, of the shapes above. N is
 * the number of vertices, E that of edges, in the order in which the graph was given;
 * every other letter is the same length wherever it stands. The caller has checked all
 * this. data may be anything if a length is 0.
 */
#ifndef SPMM_SCALED_H
#define SPMM_SCALED_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* DLTensor of DLPack (https://github.com/dmlc/dlpack). If you use DLPack's own header, or
 * asterias_system.h, include it before this one. */
#if !defined(DLPACK_DLPACK_H_) && !defined(ASTERIAS_SYSTEM_H) && !defined(ASTERIAS_DLTENSOR)
#define ASTERIAS_DLTENSOR
typedef struct {
  int32_t device_type; /* 1: the CPU */
  int32_t device_id;
} DLDevice;

typedef struct {
  uint8_t code; /* 2: float */
  uint8_t bits; /* 32 */
  uint16_t lanes; /* 1 */
} DLDataType;

typedef struct {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;
  int64_t *strides;
  uint64_t byte_offset; /* from data to the first element */
} DLTensor;
#endif

/* What spmm_scaled_run returns. */
enum {
  SPMM_SCALED_OK = 0,
  SPMM_SCALED_UNSUPPORTED = 1, /* the library lacks what the arguments ask for */
  SPMM_SCALED_NOT_WRITTEN = 2,
  SPMM_SCALED_ERROR = 3 /* so is every other value */
};

/* op_t */
enum { SPMM_SCALED_MUL = 0, SPMM_SCALED_ADD = 1, SPMM_SCALED_SUB = 2, SPMM_SCALED_DIV = 3, SPMM_SCALED_DOT = 4, SPMM_SCALED_COPY = 5 };

/* The library's own graph, stored as it likes. */
typedef struct spmm_scaled_graph spmm_scaled_graph;

/* Stores a graph: edge e runs from src[e] to dst[e], both in [0, vertices). Edges come in
 * any order and may repeat; there may be none. src and dst are borrowed for the call.
 * Returns NULL without memory. */
spmm_scaled_graph *spmm_scaled_graph_create(int64_t vertices, int64_t edges, const int32_t *src, const int32_t *dst);

/* Frees a graph. */
void spmm_scaled_graph_destroy(spmm_scaled_graph *graph);

/* The kernel. */
int32_t spmm_scaled_run(spmm_scaled_graph *g, const DLTensor *x, const DLTensor *w, DLTensor *out, int32_t op, float scale, bool transpose);

#ifdef __cplusplus
}
#endif

#endif
