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

/* A row of dst and its edges, 3 times. */
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
  T *RESTRICT b10 = a->buffer[10];
  T *RESTRICT b11 = a->buffer[11];
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
        store(s + 6144 + i, v12_0);
        store(s + 7168 + i, v12_1);
        store(s + 8192 + i, v12_2);
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
    V a24_0_0 = ZERO;
    V a24_1_0 = ZERO;
    V a24_2_0 = ZERO;
    V a24_3_0 = ZERO;
    V a36_0_0 = ZERO;
    V a36_0_1 = ZERO;
    V a36_0_2 = ZERO;
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
          store(s + 6144 + i, v12_0);
          store(s + 7168 + i, v12_1);
          store(s + 8192 + i, v12_2);
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
        store(s + 15360 + i, v16_0);
        store(s + 16384 + i, v16_1);
        store(s + 17408 + i, v16_2);
        const V v22_0 = op_dropout(v16_0, loadu(ids + at + i) * 3u + 0u, a->keys + 0, 2147483648u, (T)2);
        const V v22_1 = op_dropout(v16_1, loadu(ids + at + i) * 3u + 1u, a->keys + 0, 2147483648u, (T)2);
        const V v22_2 = op_dropout(v16_2, loadu(ids + at + i) * 3u + 2u, a->keys + 0, 2147483648u, (T)2);
        store(s + 3072 + i, v22_0);
        store(s + 4096 + i, v22_1);
        store(s + 5120 + i, v22_2);
        const V v12_0 = load(s + 6144 + i);
        const V v12_1 = load(s + 7168 + i);
        const V v12_2 = load(s + 8192 + i);
        const V v28_0 = BOOL(v12_0 > SPLAT((T)0));
        const V v28_1 = BOOL(v12_1 > SPLAT((T)0));
        const V v28_2 = BOOL(v12_2 > SPLAT((T)0));
        const V v30_0 = SEL(v28_0 != 0, SPLAT((T)1), SPLAT((T)0.2));
        const V v30_1 = SEL(v28_1 != 0, SPLAT((T)1), SPLAT((T)0.2));
        const V v30_2 = SEL(v28_2 != 0, SPLAT((T)1), SPLAT((T)0.2));
        store(s + 12288 + i, v30_0);
        store(s + 13312 + i, v30_1);
        store(s + 14336 + i, v30_2);
        a17_0_0 += SEL(in, v16_0, ZERO);
        a17_0_1 += SEL(in, v16_1, ZERO);
        a17_0_2 += SEL(in, v16_2, ZERO);
        const V v35_0 = v16_0 * v30_0;
        const V v35_1 = v16_1 * v30_1;
        const V v35_2 = v16_2 * v30_2;
        a36_0_0 += SEL(in, v35_0, ZERO);
        a36_0_1 += SEL(in, v35_1, ZERO);
        a36_0_2 += SEL(in, v35_2, ZERO);
      }
      int64_t i13 = 0;
      for (; i13 + 4 <= n; i13 += 4) {
        {
          const int64_t i = i13;
          const V v22_0 = (V){*(s + 3072 + i), *(s + 4096 + i), *(s + 5120 + i)};
          const V p14 = PICK(v22_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
          const int64_t u = neighbors[at + i];
          PREFETCH(b5 + (int64_t)neighbors[at + i + 16] * 15);
          const V v2_0 = loadn(b5 + u * 15, 15);
          const V v23_0 = p14 * v2_0;
          a24_0_0 += v23_0;
        }
        {
          const int64_t i = i13 + 1;
          const V v22_0 = (V){*(s + 3072 + i), *(s + 4096 + i), *(s + 5120 + i)};
          const V p15 = PICK(v22_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
          const int64_t u = neighbors[at + i];
          PREFETCH(b5 + (int64_t)neighbors[at + i + 16] * 15);
          const V v2_0 = loadn(b5 + u * 15, 15);
          const V v23_0 = p15 * v2_0;
          a24_1_0 += v23_0;
        }
        {
          const int64_t i = i13 + 2;
          const V v22_0 = (V){*(s + 3072 + i), *(s + 4096 + i), *(s + 5120 + i)};
          const V p16 = PICK(v22_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
          const int64_t u = neighbors[at + i];
          PREFETCH(b5 + (int64_t)neighbors[at + i + 16] * 15);
          const V v2_0 = loadn(b5 + u * 15, 15);
          const V v23_0 = p16 * v2_0;
          a24_2_0 += v23_0;
        }
        {
          const int64_t i = i13 + 3;
          const V v22_0 = (V){*(s + 3072 + i), *(s + 4096 + i), *(s + 5120 + i)};
          const V p17 = PICK(v22_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
          const int64_t u = neighbors[at + i];
          PREFETCH(b5 + (int64_t)neighbors[at + i + 16] * 15);
          const V v2_0 = loadn(b5 + u * 15, 15);
          const V v23_0 = p17 * v2_0;
          a24_3_0 += v23_0;
        }
      }
      for (int64_t i = i13; i < n; i++) {
        const V v22_0 = (V){*(s + 3072 + i), *(s + 4096 + i), *(s + 5120 + i)};
        const V p18 = PICK(v22_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
        const int64_t u = neighbors[at + i];
        PREFETCH(b5 + (int64_t)neighbors[at + i + 16] * 15);
        const V v2_0 = loadn(b5 + u * 15, 15);
        const V v23_0 = p18 * v2_0;
        a24_0_0 += v23_0;
      }
    }
    const V p19 = sum_over(a17_0_0, 1);
    const V p20 = sum_over(a17_0_1, 1);
    const V p21 = sum_over(a17_0_2, 1);
    const V p22 = (V){p19[0], p20[1], p21[2], p21[3], p21[4], p21[5], p21[6], p21[7], p21[8], p21[9], p21[10], p21[11], p21[12], p21[13], p21[14], p21[15]};
    const V v24_0 = a24_0_0 + a24_1_0 + a24_2_0 + a24_3_0;
    const V p23 = sum_over(a36_0_0, 1);
    const V p24 = sum_over(a36_0_1, 1);
    const V p25 = sum_over(a36_0_2, 1);
    const V p26 = (V){p23[0], p24[1], p25[2], p25[3], p25[4], p25[5], p25[6], p25[7], p25[8], p25[9], p25[10], p25[11], p25[12], p25[13], p25[14], p25[15]};
    const V v19_0 = op_maxof(p22, SPLAT((T)1));
    const V v20_0 = 1 / v19_0;
    const V p27 = PICK(v20_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
    const V v25_0 = v24_0 * p27;
    const V v37_0 = p26 * v20_0;
    const V c28 = SPLAT(v20_0[0]);
    const V c29 = SPLAT(v20_0[1]);
    const V c30 = SPLAT(v20_0[2]);
    V a34_0_0 = ZERO;
    V a34_1_0 = ZERO;
    V a34_2_0 = ZERO;
    V a34_3_0 = ZERO;
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
          const V v28_0 = BOOL(v12_0 > SPLAT((T)0));
          const V v28_1 = BOOL(v12_1 > SPLAT((T)0));
          const V v28_2 = BOOL(v12_2 > SPLAT((T)0));
          const V v30_0 = SEL(v28_0 != 0, SPLAT((T)1), SPLAT((T)0.2));
          const V v30_1 = SEL(v28_1 != 0, SPLAT((T)1), SPLAT((T)0.2));
          const V v30_2 = SEL(v28_2 != 0, SPLAT((T)1), SPLAT((T)0.2));
          store(s + 12288 + i, v30_0);
          store(s + 13312 + i, v30_1);
          store(s + 14336 + i, v30_2);
          const V v13_0 = op_leakyrelu(v12_0, (T)0.2);
          const V v13_1 = op_leakyrelu(v12_1, (T)0.2);
          const V v13_2 = op_leakyrelu(v12_2, (T)0.2);
          const V v15_0 = v13_0 - c10;
          const V v15_1 = v13_1 - c11;
          const V v15_2 = v13_2 - c12;
          const V v16_0 = op_exp(v15_0);
          const V v16_1 = op_exp(v15_1);
          const V v16_2 = op_exp(v15_2);
          store(s + 15360 + i, v16_0);
          store(s + 16384 + i, v16_1);
          store(s + 17408 + i, v16_2);
        }
      }
      for (int64_t i = 0; i < n; i += 16) {
        const V v30_0 = load(s + 12288 + i);
        const V v30_1 = load(s + 13312 + i);
        const V v30_2 = load(s + 14336 + i);
        const V v16_0 = load(s + 15360 + i);
        const V v16_1 = load(s + 16384 + i);
        const V v16_2 = load(s + 17408 + i);
        const V v21_0 = v16_0 * c28;
        const V v21_1 = v16_1 * c29;
        const V v21_2 = v16_2 * c30;
        const V v31_0 = v30_0 * v21_0;
        const V v31_1 = v30_1 * v21_1;
        const V v31_2 = v30_2 * v21_2;
        const V v32_0 = op_dropout(v31_0, loadu(ids + at + i) * 3u + 0u, a->keys + 0, 2147483648u, (T)2);
        const V v32_1 = op_dropout(v31_1, loadu(ids + at + i) * 3u + 1u, a->keys + 0, 2147483648u, (T)2);
        const V v32_2 = op_dropout(v31_2, loadu(ids + at + i) * 3u + 2u, a->keys + 0, 2147483648u, (T)2);
        store(s + 9216 + i, v32_0);
        store(s + 10240 + i, v32_1);
        store(s + 11264 + i, v32_2);
      }
      int64_t i31 = 0;
      for (; i31 + 4 <= n; i31 += 4) {
        {
          const int64_t i = i31;
          const V v32_0 = (V){*(s + 9216 + i), *(s + 10240 + i), *(s + 11264 + i)};
          const V p32 = PICK(v32_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
          const int64_t u = neighbors[at + i];
          PREFETCH(b5 + (int64_t)neighbors[at + i + 16] * 15);
          const V v2_0 = loadn(b5 + u * 15, 15);
          const V v33_0 = p32 * v2_0;
          a34_0_0 += v33_0;
        }
        {
          const int64_t i = i31 + 1;
          const V v32_0 = (V){*(s + 9216 + i), *(s + 10240 + i), *(s + 11264 + i)};
          const V p33 = PICK(v32_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
          const int64_t u = neighbors[at + i];
          PREFETCH(b5 + (int64_t)neighbors[at + i + 16] * 15);
          const V v2_0 = loadn(b5 + u * 15, 15);
          const V v33_0 = p33 * v2_0;
          a34_1_0 += v33_0;
        }
        {
          const int64_t i = i31 + 2;
          const V v32_0 = (V){*(s + 9216 + i), *(s + 10240 + i), *(s + 11264 + i)};
          const V p34 = PICK(v32_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
          const int64_t u = neighbors[at + i];
          PREFETCH(b5 + (int64_t)neighbors[at + i + 16] * 15);
          const V v2_0 = loadn(b5 + u * 15, 15);
          const V v33_0 = p34 * v2_0;
          a34_2_0 += v33_0;
        }
        {
          const int64_t i = i31 + 3;
          const V v32_0 = (V){*(s + 9216 + i), *(s + 10240 + i), *(s + 11264 + i)};
          const V p35 = PICK(v32_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
          const int64_t u = neighbors[at + i];
          PREFETCH(b5 + (int64_t)neighbors[at + i + 16] * 15);
          const V v2_0 = loadn(b5 + u * 15, 15);
          const V v33_0 = p35 * v2_0;
          a34_3_0 += v33_0;
        }
      }
      for (int64_t i = i31; i < n; i++) {
        const V v32_0 = (V){*(s + 9216 + i), *(s + 10240 + i), *(s + 11264 + i)};
        const V p36 = PICK(v32_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
        const int64_t u = neighbors[at + i];
        PREFETCH(b5 + (int64_t)neighbors[at + i + 16] * 15);
        const V v2_0 = loadn(b5 + u * 15, 15);
        const V v33_0 = p36 * v2_0;
        a34_0_0 += v33_0;
      }
    }
    const V v34_0 = a34_0_0 + a34_1_0 + a34_2_0 + a34_3_0;
    storen(b4 + r * 15, v25_0, 15);
    storen(b7 + r * 3, v11_0, 3);
    storen(b8 + r * 3, p9, 3);
    storen(b9 + r * 3, v20_0, 3);
    storen(b10 + r * 15, v34_0, 15);
    storen(b11 + r * 3, v37_0, 3);
  }
}
