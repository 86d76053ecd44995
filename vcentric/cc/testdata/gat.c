/* gat.forward */

/* A row of src. */
KERNEL void k1(const struct args *a, int64_t lo, int64_t hi) {
  const T *RESTRICT b5 = a->buffer[5];
  const T *RESTRICT b2 = a->buffer[2];
  const V v5_0 = loadn(b2, 15);
  T *RESTRICT b6 = a->buffer[6];
  for (int64_t r = lo; r < hi; r++) {
    const V v2_0 = loadn(b5 + r * 15, 15);
    const V v6_0 = v2_0 * v5_0;
    T t1[16];
    store(t1, v6_0);
    T t2[16] = {0};
    for (int k = 0; k < 3; k++) for (int j = 0; j < 5; j++) t2[k] += t1[k * 5 + j];
    const V v7_0 = load(t2);
    storen(b6 + r * 3, v7_0, 3);
  }
}

/* A row of dst and its edges, 2 times. */
KERNEL void k2(const struct args *a, int64_t lo, int64_t hi) {
  const int32_t *RESTRICT offsets = a->offsets, *RESTRICT neighbors = a->neighbors, *RESTRICT ids = a->ids;
  T *RESTRICT s = a->scratch;
  const T *RESTRICT b5 = a->buffer[5];
  const T *RESTRICT b3 = a->buffer[3];
  const V v9_0 = loadn(b3, 15);
  const T *RESTRICT b6 = a->buffer[6];
  T *RESTRICT b4 = a->buffer[4];
  T *RESTRICT b7 = a->buffer[7];
  T *RESTRICT b8 = a->buffer[8];
  T *RESTRICT b9 = a->buffer[9];
  for (int64_t r = lo; r < hi; r++) {
    const int64_t begin = offsets[r], end = offsets[r + 1];
    const V v3_0 = loadn(b5 + r * 15, 15);
    const V v10_0 = v3_0 * v9_0;
    T t1[16];
    store(t1, v10_0);
    T t2[16] = {0};
    for (int k = 0; k < 3; k++) for (int j = 0; j < 5; j++) t2[k] += t1[k * 5 + j];
    const V v11_0 = load(t2);
    const V c3 = SPLAT(v11_0[0]);
    const V c4 = SPLAT(v11_0[1]);
    const V c5 = SPLAT(v11_0[2]);
    V a14_0_0 = SPLAT(-INF);
    V a14_0_1 = SPLAT(-INF);
    V a14_0_2 = SPLAT(-INF);
    for (int64_t at = begin; at < end; at += 1024) {
      const int64_t n = end - at < 1024 ? end - at : 1024;
      for (int64_t i = 0; i < n; i += 16) {
        const VI in = first(n - i);
        const V v7_0 = gather(b6, neighbors + at + i, 3, 0);
        const V v7_1 = gather(b6, neighbors + at + i, 3, 1);
        const V v7_2 = gather(b6, neighbors + at + i, 3, 2);
        const V v12_0 = v7_0 + c3;
        const V v12_1 = v7_1 + c4;
        const V v12_2 = v7_2 + c5;
        const V v13_0 = op_leakyrelu(v12_0, (T)0.2);
        const V v13_1 = op_leakyrelu(v12_1, (T)0.2);
        const V v13_2 = op_leakyrelu(v12_2, (T)0.2);
        store(s + i, v13_0);
        store(s + 1024 + i, v13_1);
        store(s + 2048 + i, v13_2);
        a14_0_0 = op_maxof(a14_0_0, SEL(in, v13_0, SPLAT(-INF)));
        a14_0_1 = op_maxof(a14_0_1, SEL(in, v13_1, SPLAT(-INF)));
        a14_0_2 = op_maxof(a14_0_2, SEL(in, v13_2, SPLAT(-INF)));
      }
    }
    const V p6 = begin == end ? ZERO : max_over(a14_0_0, 1);
    const V p7 = begin == end ? ZERO : max_over(a14_0_1, 1);
    const V p8 = begin == end ? ZERO : max_over(a14_0_2, 1);
    const V p9 = (V){p6[0], p7[1], p8[2], p8[3], p8[4], p8[5], p8[6], p8[7], p8[8], p8[9], p8[10], p8[11], p8[12], p8[13], p8[14], p8[15]};
    const V c10 = SPLAT(p9[0]);
    const V c11 = SPLAT(p9[1]);
    const V c12 = SPLAT(p9[2]);
    V a17_0_0 = ZERO;
    V a17_0_1 = ZERO;
    V a17_0_2 = ZERO;
    V a23_0_0 = ZERO;
    V a23_1_0 = ZERO;
    V a23_2_0 = ZERO;
    V a23_3_0 = ZERO;
    for (int64_t at = begin; at < end; at += 1024) {
      const int64_t n = end - at < 1024 ? end - at : 1024;
      if (end - begin > 1024) {
        for (int64_t i = 0; i < n; i += 16) {
          const V v7_0 = gather(b6, neighbors + at + i, 3, 0);
          const V v7_1 = gather(b6, neighbors + at + i, 3, 1);
          const V v7_2 = gather(b6, neighbors + at + i, 3, 2);
          const V v12_0 = v7_0 + c3;
          const V v12_1 = v7_1 + c4;
          const V v12_2 = v7_2 + c5;
          const V v13_0 = op_leakyrelu(v12_0, (T)0.2);
          const V v13_1 = op_leakyrelu(v12_1, (T)0.2);
          const V v13_2 = op_leakyrelu(v12_2, (T)0.2);
          store(s + i, v13_0);
          store(s + 1024 + i, v13_1);
          store(s + 2048 + i, v13_2);
        }
      }
      for (int64_t i = 0; i < n; i += 16) {
        const VI in = first(n - i);
        const V v13_0 = load(s + i);
        const V v13_1 = load(s + 1024 + i);
        const V v13_2 = load(s + 2048 + i);
        const V v15_0 = v13_0 - c10;
        const V v15_1 = v13_1 - c11;
        const V v15_2 = v13_2 - c12;
        const V v16_0 = op_exp(v15_0);
        const V v16_1 = op_exp(v15_1);
        const V v16_2 = op_exp(v15_2);
        const V v21_0 = op_dropout(v16_0, loadu(ids + at + i) * 3u + 0u, a->keys + 0, 2147483648u, (T)2);
        const V v21_1 = op_dropout(v16_1, loadu(ids + at + i) * 3u + 1u, a->keys + 0, 2147483648u, (T)2);
        const V v21_2 = op_dropout(v16_2, loadu(ids + at + i) * 3u + 2u, a->keys + 0, 2147483648u, (T)2);
        store(s + 3072 + i, v21_0);
        store(s + 4096 + i, v21_1);
        store(s + 5120 + i, v21_2);
        a17_0_0 += SEL(in, v16_0, ZERO);
        a17_0_1 += SEL(in, v16_1, ZERO);
        a17_0_2 += SEL(in, v16_2, ZERO);
      }
      int64_t i13 = 0;
      for (; i13 + 4 <= n; i13 += 4) {
        {
          const int64_t i = i13;
          const V v21_0 = (V){*(s + 3072 + i), *(s + 4096 + i), *(s + 5120 + i)};
          const V p14 = PICK(v21_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
          const int64_t u = neighbors[at + i];
          PREFETCH(b5 + (int64_t)neighbors[at + i + 16] * 15);
          const V v2_0 = loadn(b5 + u * 15, 15);
          const V v22_0 = p14 * v2_0;
          a23_0_0 += v22_0;
        }
        {
          const int64_t i = i13 + 1;
          const V v21_0 = (V){*(s + 3072 + i), *(s + 4096 + i), *(s + 5120 + i)};
          const V p15 = PICK(v21_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
          const int64_t u = neighbors[at + i];
          PREFETCH(b5 + (int64_t)neighbors[at + i + 16] * 15);
          const V v2_0 = loadn(b5 + u * 15, 15);
          const V v22_0 = p15 * v2_0;
          a23_1_0 += v22_0;
        }
        {
          const int64_t i = i13 + 2;
          const V v21_0 = (V){*(s + 3072 + i), *(s + 4096 + i), *(s + 5120 + i)};
          const V p16 = PICK(v21_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
          const int64_t u = neighbors[at + i];
          PREFETCH(b5 + (int64_t)neighbors[at + i + 16] * 15);
          const V v2_0 = loadn(b5 + u * 15, 15);
          const V v22_0 = p16 * v2_0;
          a23_2_0 += v22_0;
        }
        {
          const int64_t i = i13 + 3;
          const V v21_0 = (V){*(s + 3072 + i), *(s + 4096 + i), *(s + 5120 + i)};
          const V p17 = PICK(v21_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
          const int64_t u = neighbors[at + i];
          PREFETCH(b5 + (int64_t)neighbors[at + i + 16] * 15);
          const V v2_0 = loadn(b5 + u * 15, 15);
          const V v22_0 = p17 * v2_0;
          a23_3_0 += v22_0;
        }
      }
      for (int64_t i = i13; i < n; i++) {
        const V v21_0 = (V){*(s + 3072 + i), *(s + 4096 + i), *(s + 5120 + i)};
        const V p18 = PICK(v21_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
        const int64_t u = neighbors[at + i];
        PREFETCH(b5 + (int64_t)neighbors[at + i + 16] * 15);
        const V v2_0 = loadn(b5 + u * 15, 15);
        const V v22_0 = p18 * v2_0;
        a23_0_0 += v22_0;
      }
    }
    const V p19 = sum_over(a17_0_0, 1);
    const V p20 = sum_over(a17_0_1, 1);
    const V p21 = sum_over(a17_0_2, 1);
    const V p22 = (V){p19[0], p20[1], p21[2], p21[3], p21[4], p21[5], p21[6], p21[7], p21[8], p21[9], p21[10], p21[11], p21[12], p21[13], p21[14], p21[15]};
    const V v23_0 = a23_0_0 + a23_1_0 + a23_2_0 + a23_3_0;
    const V v19_0 = op_maxof(p22, SPLAT((T)1));
    const V v20_0 = 1 / v19_0;
    const V p23 = PICK(v20_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
    const V v24_0 = v23_0 * p23;
    storen(b4 + r * 15, v24_0, 15);
    storen(b7 + r * 3, v11_0, 3);
    storen(b8 + r * 3, p9, 3);
    storen(b9 + r * 3, v20_0, 3);
  }
}

/* gat.backward */

/* A row of dst and its edges. */
KERNEL void k0(const struct args *a, int64_t lo, int64_t hi) {
  const int32_t *RESTRICT offsets = a->offsets, *RESTRICT neighbors = a->neighbors, *RESTRICT ids = a->ids;
  T *RESTRICT s = a->scratch;
  const T *RESTRICT b11 = a->buffer[11];
  const T *RESTRICT b10 = a->buffer[10];
  const T *RESTRICT b9 = a->buffer[9];
  const T *RESTRICT b5 = a->buffer[5];
  const T *RESTRICT b7 = a->buffer[7];
  const T *RESTRICT b8 = a->buffer[8];
  const T *RESTRICT b2 = a->buffer[2];
  const T *RESTRICT b3 = a->buffer[3];
  T *RESTRICT b17 = a->buffer[17];
  T *RESTRICT b18 = a->buffer[18];
  V sum43_0 = ZERO;
  for (int64_t r = lo; r < hi; r++) {
    const int64_t begin = offsets[r], end = offsets[r + 1];
    const V v22_0 = loadn(b11 + r * 15, 15);
    const V v20_0 = loadn(b10 + r * 15, 15);
    const V v30_0 = v22_0 * v20_0;
    T t1[16];
    store(t1, v30_0);
    T t2[16] = {0};
    for (int k = 0; k < 3; k++) for (int j = 0; j < 5; j++) t2[k] += t1[k * 5 + j];
    const V v31_0 = load(t2);
    const V v16_0 = loadn(b9 + r * 3, 3);
    const V v32_0 = v16_0 * v31_0;
    const V v9_0 = loadn(b7 + r * 3, 3);
    const V c3 = SPLAT(v9_0[0]);
    const V c4 = SPLAT(v9_0[1]);
    const V c5 = SPLAT(v9_0[2]);
    const V v12_0 = loadn(b8 + r * 3, 3);
    const V c6 = SPLAT(v12_0[0]);
    const V c7 = SPLAT(v12_0[1]);
    const V c8 = SPLAT(v12_0[2]);
    V a41_0_0 = ZERO;
    V a41_1_0 = ZERO;
    V a41_2_0 = ZERO;
    V a41_3_0 = ZERO;
    for (int64_t at = begin; at < end; at += 1024) {
      const int64_t n = end - at < 1024 ? end - at : 1024;
      for (int64_t i = 0; i < n; i += 16) {
        const V v6_0 = gather(b5, neighbors + at + i, 3, 0);
        const V v6_1 = gather(b5, neighbors + at + i, 3, 1);
        const V v6_2 = gather(b5, neighbors + at + i, 3, 2);
        const V v10_0 = v6_0 + c3;
        const V v10_1 = v6_1 + c4;
        const V v10_2 = v6_2 + c5;
        const V v11_0 = op_leakyrelu(v10_0, (T)0.2);
        const V v11_1 = op_leakyrelu(v10_1, (T)0.2);
        const V v11_2 = op_leakyrelu(v10_2, (T)0.2);
        const V v13_0 = v11_0 - c6;
        const V v13_1 = v11_1 - c7;
        const V v13_2 = v11_2 - c8;
        const V v14_0 = op_exp(v13_0);
        const V v14_1 = op_exp(v13_1);
        const V v14_2 = op_exp(v13_2);
        store(s + i, v14_0);
        store(s + 1024 + i, v14_1);
        store(s + 2048 + i, v14_2);
        store(s + 9216 + i, v10_0);
        store(s + 10240 + i, v10_1);
        store(s + 11264 + i, v10_2);
      }
      for (int64_t i = 0; i < n; i++) {
        const int64_t u = neighbors[at + i];
        PREFETCH(b2 + (int64_t)neighbors[at + i + 16] * 15);
        const V v2_0 = loadn(b2 + u * 15, 15);
        const V v24_0 = v22_0 * v2_0;
        T t9[16];
        store(t9, v24_0);
        T t10[16] = {0};
        for (int k = 0; k < 3; k++) for (int j = 0; j < 5; j++) t10[k] += t9[k * 5 + j];
        const V v26_0 = load(t10);
        *(s + 6144 + i) = v26_0[0];
        *(s + 7168 + i) = v26_0[1];
        *(s + 8192 + i) = v26_0[2];
      }
      for (int64_t i = 0; i < n; i += 16) {
        const V v26_0 = load(s + 6144 + i);
        const V v26_1 = load(s + 7168 + i);
        const V v26_2 = load(s + 8192 + i);
        const V v28_0 = op_dropout(v26_0, loadu(ids + at + i) * 3u + 0u, a->keys + 0, 2147483648u, (T)2);
        const V v28_1 = op_dropout(v26_1, loadu(ids + at + i) * 3u + 1u, a->keys + 0, 2147483648u, (T)2);
        const V v28_2 = op_dropout(v26_2, loadu(ids + at + i) * 3u + 2u, a->keys + 0, 2147483648u, (T)2);
        store(s + 3072 + i, v28_0);
        store(s + 4096 + i, v28_1);
        store(s + 5120 + i, v28_2);
      }
      int64_t i11 = 0;
      for (; i11 + 4 <= n; i11 += 4) {
        {
          const int64_t i = i11;
          const V v14_0 = (V){*(s + i), *(s + 1024 + i), *(s + 2048 + i)};
          const V v17_0 = v14_0 * v16_0;
          const V v28_0 = (V){*(s + 3072 + i), *(s + 4096 + i), *(s + 5120 + i)};
          const V v29_0 = v17_0 * v28_0;
          const V v33_0 = v32_0 * v14_0;
          const V v34_0 = v29_0 - v33_0;
          const V v10_0 = (V){*(s + 9216 + i), *(s + 10240 + i), *(s + 11264 + i)};
          const VI m12 = v10_0 > SPLAT((T)0);
          const V v36_0 = BOOL(m12);
          const V v38_0 = SEL(m12, SPLAT((T)1), SPLAT((T)0.2));
          const V v39_0 = v34_0 * v38_0;
          a41_0_0 += v39_0;
        }
        {
          const int64_t i = i11 + 1;
          const V v14_0 = (V){*(s + i), *(s + 1024 + i), *(s + 2048 + i)};
          const V v17_0 = v14_0 * v16_0;
          const V v28_0 = (V){*(s + 3072 + i), *(s + 4096 + i), *(s + 5120 + i)};
          const V v29_0 = v17_0 * v28_0;
          const V v33_0 = v32_0 * v14_0;
          const V v34_0 = v29_0 - v33_0;
          const V v10_0 = (V){*(s + 9216 + i), *(s + 10240 + i), *(s + 11264 + i)};
          const VI m13 = v10_0 > SPLAT((T)0);
          const V v36_0 = BOOL(m13);
          const V v38_0 = SEL(m13, SPLAT((T)1), SPLAT((T)0.2));
          const V v39_0 = v34_0 * v38_0;
          a41_1_0 += v39_0;
        }
        {
          const int64_t i = i11 + 2;
          const V v14_0 = (V){*(s + i), *(s + 1024 + i), *(s + 2048 + i)};
          const V v17_0 = v14_0 * v16_0;
          const V v28_0 = (V){*(s + 3072 + i), *(s + 4096 + i), *(s + 5120 + i)};
          const V v29_0 = v17_0 * v28_0;
          const V v33_0 = v32_0 * v14_0;
          const V v34_0 = v29_0 - v33_0;
          const V v10_0 = (V){*(s + 9216 + i), *(s + 10240 + i), *(s + 11264 + i)};
          const VI m14 = v10_0 > SPLAT((T)0);
          const V v36_0 = BOOL(m14);
          const V v38_0 = SEL(m14, SPLAT((T)1), SPLAT((T)0.2));
          const V v39_0 = v34_0 * v38_0;
          a41_2_0 += v39_0;
        }
        {
          const int64_t i = i11 + 3;
          const V v14_0 = (V){*(s + i), *(s + 1024 + i), *(s + 2048 + i)};
          const V v17_0 = v14_0 * v16_0;
          const V v28_0 = (V){*(s + 3072 + i), *(s + 4096 + i), *(s + 5120 + i)};
          const V v29_0 = v17_0 * v28_0;
          const V v33_0 = v32_0 * v14_0;
          const V v34_0 = v29_0 - v33_0;
          const V v10_0 = (V){*(s + 9216 + i), *(s + 10240 + i), *(s + 11264 + i)};
          const VI m15 = v10_0 > SPLAT((T)0);
          const V v36_0 = BOOL(m15);
          const V v38_0 = SEL(m15, SPLAT((T)1), SPLAT((T)0.2));
          const V v39_0 = v34_0 * v38_0;
          a41_3_0 += v39_0;
        }
      }
      for (int64_t i = i11; i < n; i++) {
        const V v14_0 = (V){*(s + i), *(s + 1024 + i), *(s + 2048 + i)};
        const V v17_0 = v14_0 * v16_0;
        const V v28_0 = (V){*(s + 3072 + i), *(s + 4096 + i), *(s + 5120 + i)};
        const V v29_0 = v17_0 * v28_0;
        const V v33_0 = v32_0 * v14_0;
        const V v34_0 = v29_0 - v33_0;
        const V v10_0 = (V){*(s + 9216 + i), *(s + 10240 + i), *(s + 11264 + i)};
        const VI m16 = v10_0 > SPLAT((T)0);
        const V v36_0 = BOOL(m16);
        const V v38_0 = SEL(m16, SPLAT((T)1), SPLAT((T)0.2));
        const V v39_0 = v34_0 * v38_0;
        a41_0_0 += v39_0;
      }
    }
    const V v41_0 = a41_0_0 + a41_1_0 + a41_2_0 + a41_3_0;
    const V p17 = PICK(v41_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
    const V v3_0 = loadn(b3 + r * 15, 15);
    const V v42_0 = p17 * v3_0;
    storen(b17 + r * 3, v41_0, 3);
    storen(b18 + r * 3, v32_0, 3);
    sum43_0 += v42_0;
  }
  storen(a->sums, loadn(a->sums, 15) + sum43_0, 15);
}

/* A row of src and its edges. */
KERNEL void k1(const struct args *a, int64_t lo, int64_t hi) {
  const int32_t *RESTRICT offsets = a->offsets, *RESTRICT neighbors = a->neighbors, *RESTRICT ids = a->ids;
  T *RESTRICT s = a->scratch;
  const T *RESTRICT b17 = a->buffer[17];
  const T *RESTRICT b6 = a->buffer[6];
  const V v8_0 = loadn(b6, 15);
  const T *RESTRICT b5 = a->buffer[5];
  const T *RESTRICT b7 = a->buffer[7];
  const T *RESTRICT b8 = a->buffer[8];
  const T *RESTRICT b11 = a->buffer[11];
  const T *RESTRICT b2 = a->buffer[2];
  const T *RESTRICT b9 = a->buffer[9];
  const T *RESTRICT b18 = a->buffer[18];
  const T *RESTRICT b4 = a->buffer[4];
  const V v5_0 = loadn(b4, 15);
  T *RESTRICT b16 = a->buffer[16];
  V sum46_0 = ZERO;
  for (int64_t r = lo; r < hi; r++) {
    const int64_t begin = offsets[r], end = offsets[r + 1];
    const V v49_0 = loadn(b17 + r * 3, 3);
    const V p1 = PICK(v49_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
    const V v50_0 = p1 * v8_0;
    const V v6_0 = loadn(b5 + r * 3, 3);
    const V c2 = SPLAT(v6_0[0]);
    const V c3 = SPLAT(v6_0[1]);
    const V c4 = SPLAT(v6_0[2]);
    const V v2_0 = loadn(b2 + r * 15, 15);
    V a27_0_0 = ZERO;
    V a27_1_0 = ZERO;
    V a27_2_0 = ZERO;
    V a27_3_0 = ZERO;
    V a40_0_0 = ZERO;
    V a40_1_0 = ZERO;
    V a40_2_0 = ZERO;
    V a40_3_0 = ZERO;
    for (int64_t at = begin; at < end; at += 1024) {
      const int64_t n = end - at < 1024 ? end - at : 1024;
      for (int64_t i = 0; i < n; i += 16) {
        const V v9_0 = gather(b7, neighbors + at + i, 3, 0);
        const V v9_1 = gather(b7, neighbors + at + i, 3, 1);
        const V v9_2 = gather(b7, neighbors + at + i, 3, 2);
        const V v10_0 = c2 + v9_0;
        const V v10_1 = c3 + v9_1;
        const V v10_2 = c4 + v9_2;
        const V v11_0 = op_leakyrelu(v10_0, (T)0.2);
        const V v11_1 = op_leakyrelu(v10_1, (T)0.2);
        const V v11_2 = op_leakyrelu(v10_2, (T)0.2);
        const V v12_0 = gather(b8, neighbors + at + i, 3, 0);
        const V v12_1 = gather(b8, neighbors + at + i, 3, 1);
        const V v12_2 = gather(b8, neighbors + at + i, 3, 2);
        const V v13_0 = v11_0 - v12_0;
        const V v13_1 = v11_1 - v12_1;
        const V v13_2 = v11_2 - v12_2;
        const V v14_0 = op_exp(v13_0);
        const V v14_1 = op_exp(v13_1);
        const V v14_2 = op_exp(v13_2);
        const V v18_0 = op_dropout(v14_0, loadu(ids + at + i) * 3u + 0u, a->keys + 0, 2147483648u, (T)2);
        const V v18_1 = op_dropout(v14_1, loadu(ids + at + i) * 3u + 1u, a->keys + 0, 2147483648u, (T)2);
        const V v18_2 = op_dropout(v14_2, loadu(ids + at + i) * 3u + 2u, a->keys + 0, 2147483648u, (T)2);
        store(s + i, v18_0);
        store(s + 1024 + i, v18_1);
        store(s + 2048 + i, v18_2);
        store(s + 3072 + i, v14_0);
        store(s + 4096 + i, v14_1);
        store(s + 5120 + i, v14_2);
        store(s + 12288 + i, v10_0);
        store(s + 13312 + i, v10_1);
        store(s + 14336 + i, v10_2);
      }
      int64_t i5 = 0;
      for (; i5 + 4 <= n; i5 += 4) {
        {
          const int64_t i = i5;
          const int64_t u = neighbors[at + i];
          PREFETCH(b11 + (int64_t)neighbors[at + i + 16] * 15);
          const V v22_0 = loadn(b11 + u * 15, 15);
          const V v24_0 = v22_0 * v2_0;
          T t6[16];
          store(t6, v24_0);
          T t7[16] = {0};
          for (int k = 0; k < 3; k++) for (int j = 0; j < 5; j++) t7[k] += t6[k * 5 + j];
          const V v26_0 = load(t7);
          *(s + 9216 + i) = v26_0[0];
          *(s + 10240 + i) = v26_0[1];
          *(s + 11264 + i) = v26_0[2];
          const V v18_0 = (V){*(s + i), *(s + 1024 + i), *(s + 2048 + i)};
          PREFETCH(b9 + (int64_t)neighbors[at + i + 16] * 3);
          const V v16_0 = loadn(b9 + u * 3, 3);
          const V v19_0 = v18_0 * v16_0;
          const V p8 = PICK(v19_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
          const V v25_0 = v22_0 * p8;
          a27_0_0 += v25_0;
        }
        {
          const int64_t i = i5 + 1;
          const int64_t u = neighbors[at + i];
          PREFETCH(b11 + (int64_t)neighbors[at + i + 16] * 15);
          const V v22_0 = loadn(b11 + u * 15, 15);
          const V v24_0 = v22_0 * v2_0;
          T t9[16];
          store(t9, v24_0);
          T t10[16] = {0};
          for (int k = 0; k < 3; k++) for (int j = 0; j < 5; j++) t10[k] += t9[k * 5 + j];
          const V v26_0 = load(t10);
          *(s + 9216 + i) = v26_0[0];
          *(s + 10240 + i) = v26_0[1];
          *(s + 11264 + i) = v26_0[2];
          const V v18_0 = (V){*(s + i), *(s + 1024 + i), *(s + 2048 + i)};
          PREFETCH(b9 + (int64_t)neighbors[at + i + 16] * 3);
          const V v16_0 = loadn(b9 + u * 3, 3);
          const V v19_0 = v18_0 * v16_0;
          const V p11 = PICK(v19_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
          const V v25_0 = v22_0 * p11;
          a27_1_0 += v25_0;
        }
        {
          const int64_t i = i5 + 2;
          const int64_t u = neighbors[at + i];
          PREFETCH(b11 + (int64_t)neighbors[at + i + 16] * 15);
          const V v22_0 = loadn(b11 + u * 15, 15);
          const V v24_0 = v22_0 * v2_0;
          T t12[16];
          store(t12, v24_0);
          T t13[16] = {0};
          for (int k = 0; k < 3; k++) for (int j = 0; j < 5; j++) t13[k] += t12[k * 5 + j];
          const V v26_0 = load(t13);
          *(s + 9216 + i) = v26_0[0];
          *(s + 10240 + i) = v26_0[1];
          *(s + 11264 + i) = v26_0[2];
          const V v18_0 = (V){*(s + i), *(s + 1024 + i), *(s + 2048 + i)};
          PREFETCH(b9 + (int64_t)neighbors[at + i + 16] * 3);
          const V v16_0 = loadn(b9 + u * 3, 3);
          const V v19_0 = v18_0 * v16_0;
          const V p14 = PICK(v19_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
          const V v25_0 = v22_0 * p14;
          a27_2_0 += v25_0;
        }
        {
          const int64_t i = i5 + 3;
          const int64_t u = neighbors[at + i];
          PREFETCH(b11 + (int64_t)neighbors[at + i + 16] * 15);
          const V v22_0 = loadn(b11 + u * 15, 15);
          const V v24_0 = v22_0 * v2_0;
          T t15[16];
          store(t15, v24_0);
          T t16[16] = {0};
          for (int k = 0; k < 3; k++) for (int j = 0; j < 5; j++) t16[k] += t15[k * 5 + j];
          const V v26_0 = load(t16);
          *(s + 9216 + i) = v26_0[0];
          *(s + 10240 + i) = v26_0[1];
          *(s + 11264 + i) = v26_0[2];
          const V v18_0 = (V){*(s + i), *(s + 1024 + i), *(s + 2048 + i)};
          PREFETCH(b9 + (int64_t)neighbors[at + i + 16] * 3);
          const V v16_0 = loadn(b9 + u * 3, 3);
          const V v19_0 = v18_0 * v16_0;
          const V p17 = PICK(v19_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
          const V v25_0 = v22_0 * p17;
          a27_3_0 += v25_0;
        }
      }
      for (int64_t i = i5; i < n; i++) {
        const int64_t u = neighbors[at + i];
        PREFETCH(b11 + (int64_t)neighbors[at + i + 16] * 15);
        const V v22_0 = loadn(b11 + u * 15, 15);
        const V v24_0 = v22_0 * v2_0;
        T t18[16];
        store(t18, v24_0);
        T t19[16] = {0};
        for (int k = 0; k < 3; k++) for (int j = 0; j < 5; j++) t19[k] += t18[k * 5 + j];
        const V v26_0 = load(t19);
        *(s + 9216 + i) = v26_0[0];
        *(s + 10240 + i) = v26_0[1];
        *(s + 11264 + i) = v26_0[2];
        const V v18_0 = (V){*(s + i), *(s + 1024 + i), *(s + 2048 + i)};
        PREFETCH(b9 + (int64_t)neighbors[at + i + 16] * 3);
        const V v16_0 = loadn(b9 + u * 3, 3);
        const V v19_0 = v18_0 * v16_0;
        const V p20 = PICK(v19_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
        const V v25_0 = v22_0 * p20;
        a27_0_0 += v25_0;
      }
      for (int64_t i = 0; i < n; i += 16) {
        const V v26_0 = load(s + 9216 + i);
        const V v26_1 = load(s + 10240 + i);
        const V v26_2 = load(s + 11264 + i);
        const V v28_0 = op_dropout(v26_0, loadu(ids + at + i) * 3u + 0u, a->keys + 0, 2147483648u, (T)2);
        const V v28_1 = op_dropout(v26_1, loadu(ids + at + i) * 3u + 1u, a->keys + 0, 2147483648u, (T)2);
        const V v28_2 = op_dropout(v26_2, loadu(ids + at + i) * 3u + 2u, a->keys + 0, 2147483648u, (T)2);
        store(s + 6144 + i, v28_0);
        store(s + 7168 + i, v28_1);
        store(s + 8192 + i, v28_2);
      }
      int64_t i21 = 0;
      for (; i21 + 4 <= n; i21 += 4) {
        {
          const int64_t i = i21;
          const V v14_0 = (V){*(s + 3072 + i), *(s + 4096 + i), *(s + 5120 + i)};
          const int64_t u = neighbors[at + i];
          PREFETCH(b9 + (int64_t)neighbors[at + i + 16] * 3);
          const V v16_0 = loadn(b9 + u * 3, 3);
          const V v17_0 = v14_0 * v16_0;
          const V v28_0 = (V){*(s + 6144 + i), *(s + 7168 + i), *(s + 8192 + i)};
          const V v29_0 = v17_0 * v28_0;
          PREFETCH(b18 + (int64_t)neighbors[at + i + 16] * 3);
          const V v32_0 = loadn(b18 + u * 3, 3);
          const V v33_0 = v32_0 * v14_0;
          const V v34_0 = v29_0 - v33_0;
          const V v10_0 = (V){*(s + 12288 + i), *(s + 13312 + i), *(s + 14336 + i)};
          const VI m22 = v10_0 > SPLAT((T)0);
          const V v36_0 = BOOL(m22);
          const V v38_0 = SEL(m22, SPLAT((T)1), SPLAT((T)0.2));
          const V v39_0 = v34_0 * v38_0;
          a40_0_0 += v39_0;
        }
        {
          const int64_t i = i21 + 1;
          const V v14_0 = (V){*(s + 3072 + i), *(s + 4096 + i), *(s + 5120 + i)};
          const int64_t u = neighbors[at + i];
          PREFETCH(b9 + (int64_t)neighbors[at + i + 16] * 3);
          const V v16_0 = loadn(b9 + u * 3, 3);
          const V v17_0 = v14_0 * v16_0;
          const V v28_0 = (V){*(s + 6144 + i), *(s + 7168 + i), *(s + 8192 + i)};
          const V v29_0 = v17_0 * v28_0;
          PREFETCH(b18 + (int64_t)neighbors[at + i + 16] * 3);
          const V v32_0 = loadn(b18 + u * 3, 3);
          const V v33_0 = v32_0 * v14_0;
          const V v34_0 = v29_0 - v33_0;
          const V v10_0 = (V){*(s + 12288 + i), *(s + 13312 + i), *(s + 14336 + i)};
          const VI m23 = v10_0 > SPLAT((T)0);
          const V v36_0 = BOOL(m23);
          const V v38_0 = SEL(m23, SPLAT((T)1), SPLAT((T)0.2));
          const V v39_0 = v34_0 * v38_0;
          a40_1_0 += v39_0;
        }
        {
          const int64_t i = i21 + 2;
          const V v14_0 = (V){*(s + 3072 + i), *(s + 4096 + i), *(s + 5120 + i)};
          const int64_t u = neighbors[at + i];
          PREFETCH(b9 + (int64_t)neighbors[at + i + 16] * 3);
          const V v16_0 = loadn(b9 + u * 3, 3);
          const V v17_0 = v14_0 * v16_0;
          const V v28_0 = (V){*(s + 6144 + i), *(s + 7168 + i), *(s + 8192 + i)};
          const V v29_0 = v17_0 * v28_0;
          PREFETCH(b18 + (int64_t)neighbors[at + i + 16] * 3);
          const V v32_0 = loadn(b18 + u * 3, 3);
          const V v33_0 = v32_0 * v14_0;
          const V v34_0 = v29_0 - v33_0;
          const V v10_0 = (V){*(s + 12288 + i), *(s + 13312 + i), *(s + 14336 + i)};
          const VI m24 = v10_0 > SPLAT((T)0);
          const V v36_0 = BOOL(m24);
          const V v38_0 = SEL(m24, SPLAT((T)1), SPLAT((T)0.2));
          const V v39_0 = v34_0 * v38_0;
          a40_2_0 += v39_0;
        }
        {
          const int64_t i = i21 + 3;
          const V v14_0 = (V){*(s + 3072 + i), *(s + 4096 + i), *(s + 5120 + i)};
          const int64_t u = neighbors[at + i];
          PREFETCH(b9 + (int64_t)neighbors[at + i + 16] * 3);
          const V v16_0 = loadn(b9 + u * 3, 3);
          const V v17_0 = v14_0 * v16_0;
          const V v28_0 = (V){*(s + 6144 + i), *(s + 7168 + i), *(s + 8192 + i)};
          const V v29_0 = v17_0 * v28_0;
          PREFETCH(b18 + (int64_t)neighbors[at + i + 16] * 3);
          const V v32_0 = loadn(b18 + u * 3, 3);
          const V v33_0 = v32_0 * v14_0;
          const V v34_0 = v29_0 - v33_0;
          const V v10_0 = (V){*(s + 12288 + i), *(s + 13312 + i), *(s + 14336 + i)};
          const VI m25 = v10_0 > SPLAT((T)0);
          const V v36_0 = BOOL(m25);
          const V v38_0 = SEL(m25, SPLAT((T)1), SPLAT((T)0.2));
          const V v39_0 = v34_0 * v38_0;
          a40_3_0 += v39_0;
        }
      }
      for (int64_t i = i21; i < n; i++) {
        const V v14_0 = (V){*(s + 3072 + i), *(s + 4096 + i), *(s + 5120 + i)};
        const int64_t u = neighbors[at + i];
        PREFETCH(b9 + (int64_t)neighbors[at + i + 16] * 3);
        const V v16_0 = loadn(b9 + u * 3, 3);
        const V v17_0 = v14_0 * v16_0;
        const V v28_0 = (V){*(s + 6144 + i), *(s + 7168 + i), *(s + 8192 + i)};
        const V v29_0 = v17_0 * v28_0;
        PREFETCH(b18 + (int64_t)neighbors[at + i + 16] * 3);
        const V v32_0 = loadn(b18 + u * 3, 3);
        const V v33_0 = v32_0 * v14_0;
        const V v34_0 = v29_0 - v33_0;
        const V v10_0 = (V){*(s + 12288 + i), *(s + 13312 + i), *(s + 14336 + i)};
        const VI m26 = v10_0 > SPLAT((T)0);
        const V v36_0 = BOOL(m26);
        const V v38_0 = SEL(m26, SPLAT((T)1), SPLAT((T)0.2));
        const V v39_0 = v34_0 * v38_0;
        a40_0_0 += v39_0;
      }
    }
    const V v27_0 = a27_0_0 + a27_1_0 + a27_2_0 + a27_3_0;
    const V v40_0 = a40_0_0 + a40_1_0 + a40_2_0 + a40_3_0;
    const V p27 = PICK(v40_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
    const V v44_0 = p27 * v5_0;
    const V v45_0 = p27 * v2_0;
    const V v47_0 = v27_0 + v44_0;
    const V v52_0 = v47_0 + v50_0;
    storen(b16 + r * 15, v52_0, 15);
    sum46_0 += v45_0;
  }
  storen(a->sums, loadn(a->sums, 15) + sum46_0, 15);
}

