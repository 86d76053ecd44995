/* csr.c: a system for Asterias' benchmarks, complete and in plain C. README.md says how it
 * is built and run.
 *
 * The graph is stored twice as compressed sparse rows: its edges by destination for calls
 * as they are, and by source for transposed ones, so that a row of results is always
 * made by one loop. A row has the vertices at the other ends of its edges and the edges'
 * numbers, since values of edges come in the order in which the caller gave the edges.
 *
 * Reading order: the graph, rows of features, the five calls, what the library says of
 * itself.
 */
#include "asterias_system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What asterias_last_error returns. */
static char error_text[120];

static int no_memory(const char *what, int64_t bytes) {
  snprintf(error_text, sizeof error_text, "no memory for %s: %lld bytes", what, (long long)bytes);
  return ASTERIAS_ERROR;
}

static int unsupported(const char *flag, int32_t value) {
  snprintf(error_text, sizeof error_text, "%s is %d", flag, (int)value);
  return ASTERIAS_UNSUPPORTED;
}

/* ---- the graph ---- */

/* Edges in rows: those of row r are from start[r] up to start[r + 1]. */
typedef struct {
  int64_t *start;
  int32_t *other; /* the vertex at the edge's other end */
  int64_t *edge;  /* the edge's number */
} edge_rows;

struct asterias_graph {
  int64_t vertices, edges;
  edge_rows by_dst, by_src;
  float *in_inverse, *in_rsqrt;   /* 1/d and 1/sqrt(d) of in-degrees d, 0 counted as 1 */
  float *out_inverse, *out_rsqrt; /* and of out-degrees */
  int64_t bytes;                  /* of all these */
  float *scratch;                 /* one row of features */
  int64_t scratch_bytes;
};

/* Allocates count elements for g. Never returns NULL for want of elements. */
static void *allocate(asterias_graph *g, int64_t count, int64_t size) {
  void *memory = malloc((size_t)(count > 0 ? count * size : 1));
  if (memory != NULL) {
    g->bytes += count * size;
  }
  return memory;
}

/* Sorts the edges into rows by row[e], by counting; within a row they keep their order. */
static int fill_rows(asterias_graph *g, edge_rows *rows, const int32_t *row, const int32_t *other) {
  rows->start = allocate(g, g->vertices + 1, sizeof *rows->start);
  rows->other = allocate(g, g->edges, sizeof *rows->other);
  rows->edge = allocate(g, g->edges, sizeof *rows->edge);
  if (rows->start == NULL || rows->other == NULL || rows->edge == NULL) {
    return no_memory("the edges", g->bytes);
  }
  int64_t *start = rows->start;
  memset(start, 0, (size_t)(g->vertices + 1) * sizeof *start);
  for (int64_t e = 0; e < g->edges; e++) {
    start[row[e] + 1]++; /* how many edges the row has */
  }
  for (int64_t r = 0; r < g->vertices; r++) {
    start[r + 1] += start[r]; /* where the next row starts */
  }
  for (int64_t e = 0; e < g->edges; e++) {
    int64_t at = start[row[e]]++; /* moves to where the next row starts ... */
    rows->other[at] = other[e];
    rows->edge[at] = e;
  }
  for (int64_t r = g->vertices; r > 0; r--) {
    start[r] = start[r - 1]; /* ... so all of them move back */
  }
  start[0] = 0;
  return ASTERIAS_OK;
}

/* Computes what divides by degrees, which are the lengths of rows. */
static int fill_degrees(asterias_graph *g, const edge_rows *rows, float **inverse, float **rsqrt) {
  *inverse = allocate(g, g->vertices, sizeof **inverse);
  *rsqrt = allocate(g, g->vertices, sizeof **rsqrt);
  if (*inverse == NULL || *rsqrt == NULL) {
    return no_memory("the degrees", g->bytes);
  }
  for (int64_t v = 0; v < g->vertices; v++) {
    int64_t length = rows->start[v + 1] - rows->start[v];
    double degree = length > 0 ? (double)length : 1;
    (*inverse)[v] = (float)(1 / degree);
    (*rsqrt)[v] = (float)(1 / sqrt(degree));
  }
  return ASTERIAS_OK;
}

int asterias_graph_create(int64_t vertices, int64_t edges, const int32_t *src, const int32_t *dst, asterias_graph **graph) {
  asterias_graph *g = calloc(1, sizeof *g);
  if (g == NULL) {
    return no_memory("the graph", sizeof *g);
  }
  g->vertices = vertices;
  g->edges = edges;
  g->bytes = sizeof *g;
  int status = fill_rows(g, &g->by_dst, dst, src);
  if (status == ASTERIAS_OK) {
    status = fill_rows(g, &g->by_src, src, dst);
  }
  if (status == ASTERIAS_OK) {
    status = fill_degrees(g, &g->by_dst, &g->in_inverse, &g->in_rsqrt);
  }
  if (status == ASTERIAS_OK) {
    status = fill_degrees(g, &g->by_src, &g->out_inverse, &g->out_rsqrt);
  }
  if (status != ASTERIAS_OK) {
    asterias_graph_destroy(g);
    return status;
  }
  *graph = g;
  return ASTERIAS_OK;
}

static void free_rows(edge_rows *rows) {
  free(rows->start);
  free(rows->other);
  free(rows->edge);
}

void asterias_graph_destroy(asterias_graph *g) {
  free_rows(&g->by_dst);
  free_rows(&g->by_src);
  free(g->in_inverse);
  free(g->in_rsqrt);
  free(g->out_inverse);
  free(g->out_rsqrt);
  free(g->scratch);
  free(g);
}

/* The rows of results over vertices: by destination, or by source if every edge is turned
 * around. */
static const edge_rows *rows_of(const asterias_graph *g, const asterias_flags *flags) {
  return flags->transpose ? &g->by_src : &g->by_dst;
}

/* The coefficient of an edge from src to dst. */
static float coefficient(const asterias_graph *g, int32_t norm, int64_t src, int64_t dst) {
  switch (norm) {
  case ASTERIAS_NORM_MEAN:
    return g->in_inverse[dst];
  case ASTERIAS_NORM_LEFT:
    return g->out_inverse[src];
  case ASTERIAS_NORM_BOTH:
    return g->in_rsqrt[dst] * g->out_rsqrt[src];
  }
  return 1;
}

/* Makes room for one row of features. */
static int need_scratch(asterias_graph *g, int64_t features) {
  int64_t bytes = features * (int64_t)sizeof(float);
  if (bytes <= g->scratch_bytes) {
    return ASTERIAS_OK;
  }
  float *larger = realloc(g->scratch, (size_t)bytes);
  if (larger == NULL) {
    return no_memory("a row", bytes);
  }
  g->scratch = larger;
  g->scratch_bytes = bytes;
  return ASTERIAS_OK;
}

/* ---- rows of features ---- */

static int64_t heads_of(const DLTensor *t) { return t->shape[1]; }
static int64_t width_of(const DLTensor *t) { return t->shape[2]; }

/* The features of row r: heads*width of them. */
static float *row_of(const DLTensor *t, int64_t r) {
  return (float *)((char *)t->data + t->byte_offset) + r * heads_of(t) * width_of(t);
}

/* out[i] = a[i] op b[i] for n features; a step is 1, or 0 for one value that counts for
 * all. */
static void combine(int32_t op, int64_t n, const float *a, int64_t a_step, const float *b, int64_t b_step, float *out) {
  switch (op) {
  case ASTERIAS_MUL:
    for (int64_t i = 0; i < n; i++) {
      out[i] = a[i * a_step] * b[i * b_step];
    }
    break;
  case ASTERIAS_ADD:
    for (int64_t i = 0; i < n; i++) {
      out[i] = a[i * a_step] + b[i * b_step];
    }
    break;
  case ASTERIAS_SUB:
    for (int64_t i = 0; i < n; i++) {
      out[i] = a[i * a_step] - b[i * b_step];
    }
    break;
  case ASTERIAS_DIV:
    for (int64_t i = 0; i < n; i++) {
      out[i] = a[i * a_step] / b[i * b_step];
    }
    break;
  }
}

/* combine for all heads of a row. width is that of out; a or b may have width 1. */
static void combine_heads(int32_t op, int64_t heads, int64_t width, const float *a, int64_t a_width, const float *b,
                          int64_t b_width, float *out) {
  for (int64_t h = 0; h < heads; h++) {
    combine(op, width, a + h * a_width, a_width == width, b + h * b_width, b_width == width, out + h * width);
  }
}

/* Takes the n features of an edge into a row of results. */
static void reduce(int32_t how, int first, float c, int64_t n, const float *value, float *out) {
  if (first) {
    for (int64_t i = 0; i < n; i++) {
      out[i] = c * value[i];
    }
    return;
  }
  switch (how) {
  case ASTERIAS_SUM:
    for (int64_t i = 0; i < n; i++) {
      out[i] += c * value[i];
    }
    break;
  case ASTERIAS_MAX: /* a value that is not itself is NaN, which stays */
    for (int64_t i = 0; i < n; i++) {
      out[i] = value[i] > out[i] || value[i] != value[i] ? value[i] : out[i];
    }
    break;
  case ASTERIAS_MIN:
    for (int64_t i = 0; i < n; i++) {
      out[i] = value[i] < out[i] || value[i] != value[i] ? value[i] : out[i];
    }
    break;
  }
}

/* ---- the five calls ---- */

/* A call with flags that were not there when this was written must fail. */
static int check(const asterias_flags *flags) {
  if (flags->op < ASTERIAS_MUL || flags->op > ASTERIAS_COPY) {
    return unsupported("op", flags->op);
  }
  if (flags->reduce < ASTERIAS_SUM || flags->reduce > ASTERIAS_MIN) {
    return unsupported("reduce", flags->reduce);
  }
  if (flags->norm < ASTERIAS_NORM_NONE || flags->norm > ASTERIAS_NORM_BOTH) {
    return unsupported("norm", flags->norm);
  }
  return ASTERIAS_OK;
}

/* All three SpMMs: x or w is NULL if the call does not have it. */
static int spmm(asterias_graph *g, const DLTensor *x, const DLTensor *w, DLTensor *out, const asterias_flags *flags) {
  const edge_rows *rows = rows_of(g, flags);
  int64_t heads = heads_of(out), width = width_of(out), features = heads * width;
  int status = check(flags);
  if (status == ASTERIAS_OK && x != NULL && w != NULL) {
    status = need_scratch(g, features);
  }
  if (status != ASTERIAS_OK) {
    return status;
  }
  for (int64_t v = 0; v < g->vertices; v++) {
    int64_t start = rows->start[v], end = rows->start[v + 1];
    float *to = row_of(out, v);
    if (start == end) {
      memset(to, 0, (size_t)features * sizeof *to);
    }
    for (int64_t i = start; i < end; i++) {
      int64_t u = rows->other[i], e = rows->edge[i];
      const float *value;
      if (w == NULL) {
        value = row_of(x, u);
      } else if (x == NULL) {
        value = row_of(w, e);
      } else {
        combine_heads(flags->op, heads, width, row_of(x, u), width, row_of(w, e), width_of(w), g->scratch);
        value = g->scratch;
      }
      float c = flags->transpose ? coefficient(g, flags->norm, v, u) : coefficient(g, flags->norm, u, v);
      reduce(flags->reduce, i == start, c, features, value, to);
    }
  }
  return ASTERIAS_OK;
}

int asterias_spmm_v(asterias_graph *g, const DLTensor *x, DLTensor *out, const asterias_flags *flags) {
  return spmm(g, x, NULL, out, flags);
}

int asterias_spmm_ve(asterias_graph *g, const DLTensor *x, const DLTensor *w, DLTensor *out, const asterias_flags *flags) {
  return spmm(g, x, w, out, flags);
}

int asterias_spmm_e(asterias_graph *g, const DLTensor *w, DLTensor *out, const asterias_flags *flags) {
  return spmm(g, NULL, w, out, flags);
}

int asterias_sddmm_vv(asterias_graph *g, const DLTensor *x, const DLTensor *y, DLTensor *out, const asterias_flags *flags) {
  const edge_rows *rows = rows_of(g, flags);
  int64_t heads = heads_of(x), width = width_of(x);
  int status = check(flags);
  if (status != ASTERIAS_OK) {
    return status;
  }
  for (int64_t v = 0; v < g->vertices; v++) {
    const float *b = row_of(y, v);
    for (int64_t i = rows->start[v]; i < rows->start[v + 1]; i++) {
      const float *a = row_of(x, rows->other[i]);
      float *to = row_of(out, rows->edge[i]);
      if (flags->op != ASTERIAS_DOT) {
        combine_heads(flags->op, heads, width, a, width, b, width, to);
        continue;
      }
      for (int64_t h = 0; h < heads; h++) {
        float sum = 0;
        for (int64_t f = h * width; f < (h + 1) * width; f++) {
          sum += a[f] * b[f];
        }
        to[h] = sum;
      }
    }
  }
  return ASTERIAS_OK;
}

int asterias_sddmm_ve(asterias_graph *g, const DLTensor *x, const DLTensor *w, DLTensor *out, const asterias_flags *flags) {
  const edge_rows *rows = rows_of(g, flags);
  int64_t heads = heads_of(x), width = width_of(x);
  int status = check(flags);
  if (status != ASTERIAS_OK) {
    return status;
  }
  for (int64_t v = 0; v < g->vertices; v++) {
    for (int64_t i = rows->start[v]; i < rows->start[v + 1]; i++) {
      const float *a = row_of(x, rows->other[i]);
      float *to = row_of(out, rows->edge[i]);
      if (flags->op == ASTERIAS_COPY) {
        memcpy(to, a, (size_t)(heads * width) * sizeof *to);
      } else {
        combine_heads(flags->op, heads, width, row_of(w, rows->edge[i]), width_of(w), a, width, to);
      }
    }
  }
  return ASTERIAS_OK;
}

/* ---- what the library says of itself ---- */

int32_t asterias_system_version(void) { return ASTERIAS_SYSTEM_VERSION; }

const char *asterias_system_name(void) { return "csr.c"; }

const char *asterias_last_error(void) { return error_text; }

void asterias_graph_memory(const asterias_graph *g, asterias_memory *memory) {
  memory->graph = g->bytes;
  memory->workspace = g->scratch_bytes;
}
