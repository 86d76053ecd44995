/* A row of src. */
KERNEL void k1(const struct args *a, int64_t lo, int64_t hi) {
  const T *RESTRICT b4 = a->buffer[4];
  T *RESTRICT b5 = a->buffer[5];
  for (int64_t r = lo; r < hi; r++) {
    const V v3 = SPLAT(a->out_offsets[r + 1] - a->out_offsets[r]);
    const V v5 = op_maxof(v3, SPLAT((T)1));
    const V v6 = op_rsqrt(v5);
    const V v2_0 = loadn(b4 + r * 5, 5);
    const V v7_0 = v2_0 * v6;
    storen(b5 + r * 5, v7_0, 5);
  }
}

/* A row of dst and its edges. */
KERNEL void k2(const struct args *a, int64_t lo, int64_t hi) {
  const int32_t *RESTRICT offsets = a->offsets, *RESTRICT neighbors = a->neighbors, *RESTRICT ids = a->ids;
  const T *RESTRICT b5 = a->buffer[5];
  const T *RESTRICT b2 = a->buffer[2];
  const V v15_0 = loadn(b2, 5);
  T *RESTRICT b3 = a->buffer[3];
  for (int64_t r = lo; r < hi; r++) {
    const int64_t begin = offsets[r], end = offsets[r + 1];
    const V v8 = SPLAT(a->in_offsets[r + 1] - a->in_offsets[r]);
    const V v9 = op_maxof(v8, SPLAT((T)1));
    const V v10 = op_rsqrt(v9);
    const V v13 = SEL(v8 != 0, v10, SPLAT((T)0));
    V a11_0_0 = ZERO;
    V a11_1_0 = ZERO;
    V a11_2_0 = ZERO;
    V a11_3_0 = ZERO;
    {
      const int64_t at = begin, n = end - begin;
      int64_t i1 = 0;
      for (; i1 + 4 <= n; i1 += 4) {
        {
          const int64_t i = i1;
          const int64_t u = neighbors[at + i];
          PREFETCH(b5 + (int64_t)neighbors[at + i + 16] * 5);
          const V v7_0 = loadn(b5 + u * 5, 5);
          a11_0_0 += v7_0;
        }
        {
          const int64_t i = i1 + 1;
          const int64_t u = neighbors[at + i];
          PREFETCH(b5 + (int64_t)neighbors[at + i + 16] * 5);
          const V v7_0 = loadn(b5 + u * 5, 5);
          a11_1_0 += v7_0;
        }
        {
          const int64_t i = i1 + 2;
          const int64_t u = neighbors[at + i];
          PREFETCH(b5 + (int64_t)neighbors[at + i + 16] * 5);
          const V v7_0 = loadn(b5 + u * 5, 5);
          a11_2_0 += v7_0;
        }
        {
          const int64_t i = i1 + 3;
          const int64_t u = neighbors[at + i];
          PREFETCH(b5 + (int64_t)neighbors[at + i + 16] * 5);
          const V v7_0 = loadn(b5 + u * 5, 5);
          a11_3_0 += v7_0;
        }
      }
      for (int64_t i = i1; i < n; i++) {
        const int64_t u = neighbors[at + i];
        PREFETCH(b5 + (int64_t)neighbors[at + i + 16] * 5);
        const V v7_0 = loadn(b5 + u * 5, 5);
        a11_0_0 += v7_0;
      }
    }
    const V v11_0 = a11_0_0 + a11_1_0 + a11_2_0 + a11_3_0;
    const V v14_0 = v11_0 * v13;
    const V v16_0 = v14_0 + v15_0;
    storen(b3 + r * 5, v16_0, 5);
  }
}
