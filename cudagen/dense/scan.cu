// Running sums and products along an axis: outer matrices of n rows and inner columns.
// They are gathered in A and rounded once each.

#if THREADS
// A thread takes a column.
AST_KERNEL(k)(const T *AST_RESTRICT x, T *AST_RESTRICT out, i64 outer, i64 n, i64 inner) {
  for (i64 p = thread_index(); p < outer * inner; p += thread_count()) {
    const i64 at = p / inner * n * inner + p % inner;
    A sum = NOTHING;
    for (i64 i = 0; i < n; i++) {
      sum = merge(F(), sum, (A)x[at + i * inner]);
      out[at + i * inner] = (T)sum;
    }
  }
}
#endif

#if BLOCKS
// A block takes a column, 256 elements at a time.
AST_KERNEL(k)(const T *AST_RESTRICT x, T *AST_RESTRICT out, i64 outer, i64 n, i64 inner) {
  AST_SHARED A parts[8];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (i64 p = blockIdx.x; p < outer * inner; p += gridDim.x) {
    const i64 at = p / inner * n * inner + p % inner;
    A before = NOTHING;
    for (i64 i0 = 0; i0 < n; i0 += 256) {
      const i64 i = i0 + threadIdx.x;
      A sum = i < n ? (A)x[at + i * inner] : NOTHING;
      for (int d = 1; d < 32; d *= 2) {
        const A left = __shfl_up_sync(0xffffffffu, sum, d, 32);
        if (lane >= d) sum = merge(F(), left, sum);
      }
      if (lane == 31) parts[warp] = sum;
      __syncthreads();
      A start = before;
      for (int w = 0; w < 8; w++) {
        if (w == warp && i < n) out[at + i * inner] = (T)merge(F(), start, sum);
        start = merge(F(), start, parts[w]);
      }
      before = start;
      __syncthreads();
    }
  }
}
#endif
