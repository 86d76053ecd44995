/* spmm_scaled, filled in: out_v = scale * sum over the edges u -> v of x_u op w_e. */
#include "spmm_scaled.h"

#include <stdlib.h>
#include <string.h>

struct spmm_scaled_graph {
  int64_t vertices, edges;
  int32_t *src, *dst;
};

spmm_scaled_graph *spmm_scaled_graph_create(int64_t vertices, int64_t edges, const int32_t *src, const int32_t *dst) {
  spmm_scaled_graph *graph = calloc(1, sizeof *graph);
  size_t size = (size_t)edges * sizeof *src;
  if (graph == NULL)
    return NULL;
  graph->vertices = vertices;
  graph->edges = edges;
  if (edges > 0) {
    graph->src = malloc(size);
    graph->dst = malloc(size);
    if (graph->src == NULL || graph->dst == NULL) {
      spmm_scaled_graph_destroy(graph);
      return NULL;
    }
    memcpy(graph->src, src, size);
    memcpy(graph->dst, dst, size);
  }
  return graph;
}

void spmm_scaled_graph_destroy(spmm_scaled_graph *graph) {
  if (graph == NULL)
    return;
  free(graph->src);
  free(graph->dst);
  free(graph);
}

static float *data_of(const DLTensor *t) { return (float *)((char *)t->data + t->byte_offset); }

int32_t spmm_scaled_run(spmm_scaled_graph *g, const DLTensor *x, const DLTensor *w, DLTensor *out, int32_t op, float scale, bool transpose) {
  const int64_t N = g->vertices, E = g->edges, H = x->shape[1], F = x->shape[2];
  const float *x_data = data_of(x), *w_data = data_of(w);
  float *out_data = data_of(out);
  const int32_t *from = transpose ? g->dst : g->src, *to = transpose ? g->src : g->dst;

  if (op > SPMM_SCALED_DIV)
    return SPMM_SCALED_UNSUPPORTED;
  for (int64_t i = 0; i < N * H * F; i++)
    out_data[i] = 0;
  for (int64_t e = 0; e < E; e++)
    for (int64_t h = 0; h < H; h++)
      for (int64_t f = 0; f < F; f++) {
        float a = x_data[(from[e] * H + h) * F + f], b = w_data[e * H + h];
        float y = op == SPMM_SCALED_MUL ? a * b : op == SPMM_SCALED_ADD ? a + b : op == SPMM_SCALED_SUB ? a - b : a / b;
        out_data[(to[e] * H + h) * F + f] += scale * y;
      }
  return SPMM_SCALED_OK;
}
