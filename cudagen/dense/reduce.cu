// Reductions. T is the elements' type, A that of what is gathered, F merges two of it;
// FIRST makes one of an element, NOTHING is the result of none.

#if ROWS
// Each group folds a piece of a row of n elements: piece k of row r goes to out[r * pieces + k].
AST_KERNEL(k)(const T *AST_RESTRICT x, T *AST_RESTRICT out, i64 rows, i64 n, i64 pieces, i64 length) {
  const i64 count = rows * pieces;
  for (i64 p0 = (i64)blockIdx.x * GROUPS; p0 < count; p0 += (i64)gridDim.x * GROUPS) {
    const i64 p = p0 + group_of();
    A sum = NOTHING;
    if (p < count) {
      const i64 r = p / pieces, from = p % pieces * length;
      const i64 to = from + length < n ? from + length : n;
      for (i64 i = from + lane_of(); i < to; i += G) {
        const T v = x[r * n + i];
        sum = merge(F(), sum, (A)(FIRST(v)));
      }
    }
    sum = group_fold<F>(sum);
    if (p < count && lane_of() == 0) out[p] = (T)sum;
  }
}
#endif

#if COLUMNS
// Each thread folds a piece of a column of outer matrices of n rows and inner columns.
AST_KERNEL(k)(const T *AST_RESTRICT x, T *AST_RESTRICT out, i64 outer, i64 n, i64 inner, i64 pieces, i64 length) {
  const i64 count = outer * pieces * inner;
  for (i64 i = thread_index(); i < count; i += thread_count()) {
    const i64 c = i % inner, p = i / inner % pieces, o = i / inner / pieces;
    const i64 from = p * length, to = from + length < n ? from + length : n;
    A sum = NOTHING;
    for (i64 j = from; j < to; j++) {
      const T v = x[(o * n + j) * inner + c];
      sum = merge(F(), sum, (A)(FIRST(v)));
    }
    out[i] = (T)sum;
  }
}
#endif

#if WHERE
// Each group finds the first best element of a column, NaN before all others.
AST_DEVICE bool beats(T v, i64 i, T best, i64 at) {
  const bool equal = v == best || (v != v && best != best);
  return at < 0 || BETTER(v, best) || (v != v && best == best) || (equal && i < at);
}

AST_KERNEL(k)(const T *AST_RESTRICT x, i64 *AST_RESTRICT out, i64 outer, i64 n, i64 inner) {
  const i64 count = outer * inner;
  for (i64 p0 = (i64)blockIdx.x * GROUPS; p0 < count; p0 += (i64)gridDim.x * GROUPS) {
    const i64 p = p0 + group_of();
    T best = 0;
    i64 at = -1;
    if (p < count) {
      const T *column = x + p / inner * n * inner + p % inner;
      for (i64 i = lane_of(); i < n; i += G) {
        const T v = column[i * inner];
        if (beats(v, i, best, at)) best = v, at = i;
      }
    }
    for (int d = G / 2; d > 0; d /= 2) {
      const T v = __shfl_xor_sync(0xffffffffu, best, d, 32);
      const i64 i = __shfl_xor_sync(0xffffffffu, at, d, 32);
      if (i >= 0 && beats(v, i, best, at)) best = v, at = i;
    }
    if (p < count && lane_of() == 0) out[p] = at;
  }
}
#endif
