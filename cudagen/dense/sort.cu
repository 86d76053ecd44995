// Sorting rows of n elements by a bitonic network over the places of the elements, as
// many as the power of two P: places from n on come last. Equal elements keep their
// order, NaN counts as the largest.

AST_DEVICE bool precedes(const T *row, i64 n, int a, int b) {
  if (a >= n || b >= n) return a < b;
  const T x = row[a], y = row[b];
  if (x == y || (x != x && y != y)) return a < b;
#if DESCENDING
  return x != x || x > y;
#else
  return y != y || x < y;
#endif
}

// One comparison of the network: of i and its partner, which is d away, in runs of length s.
AST_DEVICE void exchange(int *places, const T *row, i64 n, i64 pair, i64 s, i64 d) {
  const i64 i = pair / d * 2 * d + pair % d, j = i + d;
  const int a = places[i], b = places[j];
  const bool up = (i & s) == 0;
  if (precedes(row, n, b, a) == up) places[i] = b, places[j] = a;
}

#if SMALL
// A block sorts a row whose places fit in shared memory.
AST_KERNEL(k)(const T *AST_RESTRICT x, T *AST_RESTRICT values, i64 *AST_RESTRICT indices, i64 rows, i64 n, i64 kept, i64 P) {
  AST_SHARED int places[2048];
  for (i64 r = blockIdx.x; r < rows; r += gridDim.x) {
    const T *row = x + r * n;
    for (int i = threadIdx.x; i < P; i += 256) places[i] = i;
    __syncthreads();
    for (i64 s = 2; s <= P; s *= 2)
      for (i64 d = s / 2; d > 0; d /= 2) {
        for (i64 p = threadIdx.x; p < P / 2; p += 256) exchange(places, row, n, p, s, d);
        __syncthreads();
      }
    for (i64 i = threadIdx.x; i < kept; i += 256) {
      values[r * kept + i] = row[places[i]];
      indices[r * kept + i] = places[i];
    }
    __syncthreads();
  }
}
#endif

#if STEP
// One step of the network over all rows.
AST_KERNEL(k)(const T *AST_RESTRICT x, int *places, i64 rows, i64 n, i64 P, i64 s, i64 d) {
  for (i64 i = thread_index(); i < rows * (P / 2); i += thread_count()) {
    const i64 r = i / (P / 2);
    exchange(places + r * P, x + r * n, n, i % (P / 2), s, d);
  }
}
#endif

#if START
AST_KERNEL(k)(int *places, i64 rows, i64 P) {
  for (i64 i = thread_index(); i < rows * P; i += thread_count()) places[i] = (int)(i % P);
}
#endif

#if TAKE
AST_KERNEL(k)(const T *AST_RESTRICT x, const int *AST_RESTRICT places, T *AST_RESTRICT values, i64 *AST_RESTRICT indices,
              i64 rows, i64 n, i64 kept, i64 P) {
  for (i64 i = thread_index(); i < rows * kept; i += thread_count()) {
    const i64 r = i / kept;
    const int at = places[r * P + i % kept];
    values[i] = x[r * n + at];
    indices[i] = at;
  }
}
#endif
