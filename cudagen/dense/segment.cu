// Sums of rows by segment: row i of out is the sum of the rows order[offsets[i]] to
// order[offsets[i+1]-1] of x, width elements each, in order, times their values.

AST_KERNEL(k)(const T *AST_RESTRICT x, T *AST_RESTRICT out, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order,
              const T *AST_RESTRICT values, const int *AST_RESTRICT places, i64 rows, i64 width) {
  for (i64 i = thread_index(); i < rows * width; i += thread_count()) {
    const i64 r = i / width, f = i % width;
    T sum = 0;
    for (int e = offsets[r]; e < offsets[r + 1]; e++) {
      const T v = x[order[e] * width + f];
      if (!values) sum += v;
      else sum += values[places ? places[e] : e] * v;
    }
    out[i] = sum;
  }
}
