// Where segments begin: element i of out is how many of the n elements of x, which ascend,
// are less than i.

AST_KERNEL(k)(const T *AST_RESTRICT x, int *AST_RESTRICT out, i64 n, i64 bounds) {
  for (i64 i = thread_index(); i < bounds; i += thread_count()) {
    i64 lo = 0, hi = n;
    while (lo < hi) {
      const i64 mid = (lo + hi) / 2;
      if ((i64)x[mid] < i) lo = mid + 1;
      else hi = mid;
    }
    out[i] = (int)lo;
  }
}
