/* A row of dst. */
KERNEL void k0(const struct args *a, int64_t lo, int64_t hi) {
  const T *RESTRICT b2 = a->buffer[2];
  T *RESTRICT b7 = a->buffer[7];
  for (int64_t r = lo; r < hi; r++) {
    const V v6 = SPLAT(a->in_offsets[r + 1] - a->in_offsets[r]);
    const V v7 = op_maxof(v6, SPLAT((T)1));
    const V v8 = op_rsqrt(v7);
    const V v10_0 = loadn(b2 + r * 5, 5);
    const V v12_0 = v10_0 * v8;
    storen(b7 + r * 5, v12_0, 5);
  }
}

/* A row of src and its edges. */
KERNEL void k2(const struct args *a, int64_t lo, int64_t hi) {
  const int32_t *RESTRICT offsets = a->offsets, *RESTRICT neighbors = a->neighbors, *RESTRICT ids = a->ids;
  const T *RESTRICT b7 = a->buffer[7];
  T *RESTRICT b6 = a->buffer[6];
  for (int64_t r = lo; r < hi; r++) {
    const int64_t begin = offsets[r], end = offsets[r + 1];
    const V v2 = SPLAT(a->out_offsets[r + 1] - a->out_offsets[r]);
    const V v4 = op_maxof(v2, SPLAT((T)1));
    const V v5 = op_rsqrt(v4);
    const V v14 = SEL(v2 != 0, v5, SPLAT((T)0));
    V a13_0_0 = ZERO;
    V a13_1_0 = ZERO;
    V a13_2_0 = ZERO;
    V a13_3_0 = ZERO;
    {
      const int64_t at = begin, n = end - begin;
      int64_t i1 = 0;
      for (; i1 + 4 <= n; i1 += 4) {
        {
          const int64_t i = i1;
          const int64_t u = neighbors[at + i];
          PREFETCH(b7 + (int64_t)neighbors[at + i + 16] * 5);
          const V v12_0 = loadn(b7 + u * 5, 5);
          a13_0_0 += v12_0;
        }
        {
          const int64_t i = i1 + 1;
          const int64_t u = neighbors[at + i];
          PREFETCH(b7 + (int64_t)neighbors[at + i + 16] * 5);
          const V v12_0 = loadn(b7 + u * 5, 5);
          a13_1_0 += v12_0;
        }
        {
          const int64_t i = i1 + 2;
          const int64_t u = neighbors[at + i];
          PREFETCH(b7 + (int64_t)neighbors[at + i + 16] * 5);
          const V v12_0 = loadn(b7 + u * 5, 5);
          a13_2_0 += v12_0;
        }
        {
          const int64_t i = i1 + 3;
          const int64_t u = neighbors[at + i];
          PREFETCH(b7 + (int64_t)neighbors[at + i + 16] * 5);
          const V v12_0 = loadn(b7 + u * 5, 5);
          a13_3_0 += v12_0;
        }
      }
      for (int64_t i = i1; i < n; i++) {
        const int64_t u = neighbors[at + i];
        PREFETCH(b7 + (int64_t)neighbors[at + i + 16] * 5);
        const V v12_0 = loadn(b7 + u * 5, 5);
        a13_0_0 += v12_0;
      }
    }
    const V v13_0 = a13_0_0 + a13_1_0 + a13_2_0 + a13_3_0;
    const V v15_0 = v13_0 * v14;
    storen(b6 + r * 5, v15_0, 5);
  }
}
