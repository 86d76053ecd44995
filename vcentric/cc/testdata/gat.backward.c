/* A row of dst. */
KERNEL void k0(const struct args *a, int64_t lo, int64_t hi) {
  const T *RESTRICT b11 = a->buffer[11];
  const T *RESTRICT b10 = a->buffer[10];
  const T *RESTRICT b9 = a->buffer[9];
  const T *RESTRICT b12 = a->buffer[12];
  const T *RESTRICT b13 = a->buffer[13];
  const T *RESTRICT b3 = a->buffer[3];
  T *RESTRICT b23 = a->buffer[23];
  V sum48_0 = ZERO;
  for (int64_t r = lo; r < hi; r++) {
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
    const V v41_0 = loadn(b12 + r * 15, 15);
    const V v42_0 = v22_0 * v41_0;
    T t3[16];
    store(t3, v42_0);
    T t4[16] = {0};
    for (int k = 0; k < 3; k++) for (int j = 0; j < 5; j++) t4[k] += t3[k * 5 + j];
    const V v43_0 = load(t4);
    const V v44_0 = loadn(b13 + r * 3, 3);
    const V v45_0 = v44_0 * v31_0;
    const V v46_0 = v43_0 - v45_0;
    const V p5 = PICK(v46_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
    const V v3_0 = loadn(b3 + r * 15, 15);
    const V v47_0 = p5 * v3_0;
    storen(b23 + r * 3, v32_0, 3);
    sum48_0 += v47_0;
  }
  storen(a->sums, loadn(a->sums, 15) + sum48_0, 15);
}

/* A row of src and its edges. */
KERNEL void k1(const struct args *a, int64_t lo, int64_t hi) {
  const int32_t *RESTRICT offsets = a->offsets, *RESTRICT neighbors = a->neighbors, *RESTRICT ids = a->ids;
  T *RESTRICT s = a->scratch;
  const T *RESTRICT b14 = a->buffer[14];
  const T *RESTRICT b15 = a->buffer[15];
  const T *RESTRICT b17 = a->buffer[17];
  const T *RESTRICT b16 = a->buffer[16];
  const T *RESTRICT b6 = a->buffer[6];
  const V v8_0 = loadn(b6, 15);
  const T *RESTRICT b5 = a->buffer[5];
  const T *RESTRICT b7 = a->buffer[7];
  const T *RESTRICT b8 = a->buffer[8];
  const T *RESTRICT b9 = a->buffer[9];
  const T *RESTRICT b23 = a->buffer[23];
  const T *RESTRICT b11 = a->buffer[11];
  const T *RESTRICT b2 = a->buffer[2];
  const T *RESTRICT b4 = a->buffer[4];
  const V v5_0 = loadn(b4, 15);
  T *RESTRICT b22 = a->buffer[22];
  V sum51_0 = ZERO;
  for (int64_t r = lo; r < hi; r++) {
    const int64_t begin = offsets[r], end = offsets[r + 1];
    const V v54_0 = loadn(b14 + r * 15, 15);
    const V v56_0 = loadn(b15 + r * 15, 15);
    const V v57_0 = v54_0 * v56_0;
    T t1[16];
    store(t1, v57_0);
    T t2[16] = {0};
    for (int k = 0; k < 3; k++) for (int j = 0; j < 5; j++) t2[k] += t1[k * 5 + j];
    const V v58_0 = load(t2);
    const V v60_0 = loadn(b17 + r * 15, 15);
    const V v62_0 = v54_0 * v60_0;
    T t3[16];
    store(t3, v62_0);
    T t4[16] = {0};
    for (int k = 0; k < 3; k++) for (int j = 0; j < 5; j++) t4[k] += t3[k * 5 + j];
    const V v63_0 = load(t4);
    const V v59_0 = loadn(b16 + r * 3, 3);
    const V v64_0 = v59_0 * v63_0;
    const V v65_0 = v58_0 - v64_0;
    const V p5 = PICK(v65_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
    const V v66_0 = p5 * v8_0;
    const V v6_0 = loadn(b5 + r * 3, 3);
    const V c6 = SPLAT(v6_0[0]);
    const V c7 = SPLAT(v6_0[1]);
    const V c8 = SPLAT(v6_0[2]);
    const V v2_0 = loadn(b2 + r * 15, 15);
    V a27_0_0 = ZERO;
    V a27_1_0 = ZERO;
    V a27_2_0 = ZERO;
    V a27_3_0 = ZERO;
    V a40_0_0 = ZERO;
    V a40_0_1 = ZERO;
    V a40_0_2 = ZERO;
    for (int64_t at = begin; at < end; at += 1024) {
      const int64_t n = end - at < 1024 ? end - at : 1024;
      for (int64_t i = 0; i < n; i += 16) {
        const V v9_0 = gather(b7, neighbors + at + i, 3, 0);
        const V v9_1 = gather(b7, neighbors + at + i, 3, 1);
        const V v9_2 = gather(b7, neighbors + at + i, 3, 2);
        const V v10_0 = c6 + v9_0;
        const V v10_1 = c7 + v9_1;
        const V v10_2 = c8 + v9_2;
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
        const V v16_0 = gather(b9, neighbors + at + i, 3, 0);
        const V v16_1 = gather(b9, neighbors + at + i, 3, 1);
        const V v16_2 = gather(b9, neighbors + at + i, 3, 2);
        const V v19_0 = v18_0 * v16_0;
        const V v19_1 = v18_1 * v16_1;
        const V v19_2 = v18_2 * v16_2;
        store(s + i, v19_0);
        store(s + 1024 + i, v19_1);
        store(s + 2048 + i, v19_2);
        const V v17_0 = v14_0 * v16_0;
        const V v17_1 = v14_1 * v16_1;
        const V v17_2 = v14_2 * v16_2;
        store(s + 3072 + i, v17_0);
        store(s + 4096 + i, v17_1);
        store(s + 5120 + i, v17_2);
        const V v32_0 = gather(b23, neighbors + at + i, 3, 0);
        const V v32_1 = gather(b23, neighbors + at + i, 3, 1);
        const V v32_2 = gather(b23, neighbors + at + i, 3, 2);
        const V v33_0 = v32_0 * v14_0;
        const V v33_1 = v32_1 * v14_1;
        const V v33_2 = v32_2 * v14_2;
        store(s + 9216 + i, v33_0);
        store(s + 10240 + i, v33_1);
        store(s + 11264 + i, v33_2);
        const V v36_0 = BOOL(v10_0 > SPLAT((T)0));
        const V v36_1 = BOOL(v10_1 > SPLAT((T)0));
        const V v36_2 = BOOL(v10_2 > SPLAT((T)0));
        const V v38_0 = SEL(v36_0 != 0, SPLAT((T)1), SPLAT((T)0.2));
        const V v38_1 = SEL(v36_1 != 0, SPLAT((T)1), SPLAT((T)0.2));
        const V v38_2 = SEL(v36_2 != 0, SPLAT((T)1), SPLAT((T)0.2));
        store(s + 12288 + i, v38_0);
        store(s + 13312 + i, v38_1);
        store(s + 14336 + i, v38_2);
      }
      int64_t i9 = 0;
      for (; i9 + 4 <= n; i9 += 4) {
        {
          const int64_t i = i9;
          const int64_t u = neighbors[at + i];
          PREFETCH(b11 + (int64_t)neighbors[at + i + 16] * 15);
          const V v22_0 = loadn(b11 + u * 15, 15);
          const V v24_0 = v22_0 * v2_0;
          T t10[16];
          store(t10, v24_0);
          T t11[16] = {0};
          for (int k = 0; k < 3; k++) for (int j = 0; j < 5; j++) t11[k] += t10[k * 5 + j];
          const V v26_0 = load(t11);
          *(s + 6144 + i) = v26_0[0];
          *(s + 7168 + i) = v26_0[1];
          *(s + 8192 + i) = v26_0[2];
          const V v19_0 = (V){*(s + i), *(s + 1024 + i), *(s + 2048 + i)};
          const V p12 = PICK(v19_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
          const V v25_0 = v22_0 * p12;
          a27_0_0 += v25_0;
        }
        {
          const int64_t i = i9 + 1;
          const int64_t u = neighbors[at + i];
          PREFETCH(b11 + (int64_t)neighbors[at + i + 16] * 15);
          const V v22_0 = loadn(b11 + u * 15, 15);
          const V v24_0 = v22_0 * v2_0;
          T t13[16];
          store(t13, v24_0);
          T t14[16] = {0};
          for (int k = 0; k < 3; k++) for (int j = 0; j < 5; j++) t14[k] += t13[k * 5 + j];
          const V v26_0 = load(t14);
          *(s + 6144 + i) = v26_0[0];
          *(s + 7168 + i) = v26_0[1];
          *(s + 8192 + i) = v26_0[2];
          const V v19_0 = (V){*(s + i), *(s + 1024 + i), *(s + 2048 + i)};
          const V p15 = PICK(v19_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
          const V v25_0 = v22_0 * p15;
          a27_1_0 += v25_0;
        }
        {
          const int64_t i = i9 + 2;
          const int64_t u = neighbors[at + i];
          PREFETCH(b11 + (int64_t)neighbors[at + i + 16] * 15);
          const V v22_0 = loadn(b11 + u * 15, 15);
          const V v24_0 = v22_0 * v2_0;
          T t16[16];
          store(t16, v24_0);
          T t17[16] = {0};
          for (int k = 0; k < 3; k++) for (int j = 0; j < 5; j++) t17[k] += t16[k * 5 + j];
          const V v26_0 = load(t17);
          *(s + 6144 + i) = v26_0[0];
          *(s + 7168 + i) = v26_0[1];
          *(s + 8192 + i) = v26_0[2];
          const V v19_0 = (V){*(s + i), *(s + 1024 + i), *(s + 2048 + i)};
          const V p18 = PICK(v19_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
          const V v25_0 = v22_0 * p18;
          a27_2_0 += v25_0;
        }
        {
          const int64_t i = i9 + 3;
          const int64_t u = neighbors[at + i];
          PREFETCH(b11 + (int64_t)neighbors[at + i + 16] * 15);
          const V v22_0 = loadn(b11 + u * 15, 15);
          const V v24_0 = v22_0 * v2_0;
          T t19[16];
          store(t19, v24_0);
          T t20[16] = {0};
          for (int k = 0; k < 3; k++) for (int j = 0; j < 5; j++) t20[k] += t19[k * 5 + j];
          const V v26_0 = load(t20);
          *(s + 6144 + i) = v26_0[0];
          *(s + 7168 + i) = v26_0[1];
          *(s + 8192 + i) = v26_0[2];
          const V v19_0 = (V){*(s + i), *(s + 1024 + i), *(s + 2048 + i)};
          const V p21 = PICK(v19_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
          const V v25_0 = v22_0 * p21;
          a27_3_0 += v25_0;
        }
      }
      for (int64_t i = i9; i < n; i++) {
        const int64_t u = neighbors[at + i];
        PREFETCH(b11 + (int64_t)neighbors[at + i + 16] * 15);
        const V v22_0 = loadn(b11 + u * 15, 15);
        const V v24_0 = v22_0 * v2_0;
        T t22[16];
        store(t22, v24_0);
        T t23[16] = {0};
        for (int k = 0; k < 3; k++) for (int j = 0; j < 5; j++) t23[k] += t22[k * 5 + j];
        const V v26_0 = load(t23);
        *(s + 6144 + i) = v26_0[0];
        *(s + 7168 + i) = v26_0[1];
        *(s + 8192 + i) = v26_0[2];
        const V v19_0 = (V){*(s + i), *(s + 1024 + i), *(s + 2048 + i)};
        const V p24 = PICK(v19_0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
        const V v25_0 = v22_0 * p24;
        a27_0_0 += v25_0;
      }
      for (int64_t i = 0; i < n; i += 16) {
        const VI in = first(n - i);
        const V v17_0 = load(s + 3072 + i);
        const V v17_1 = load(s + 4096 + i);
        const V v17_2 = load(s + 5120 + i);
        const V v26_0 = load(s + 6144 + i);
        const V v26_1 = load(s + 7168 + i);
        const V v26_2 = load(s + 8192 + i);
        const V v28_0 = op_dropout(v26_0, loadu(ids + at + i) * 3u + 0u, a->keys + 0, 2147483648u, (T)2);
        const V v28_1 = op_dropout(v26_1, loadu(ids + at + i) * 3u + 1u, a->keys + 0, 2147483648u, (T)2);
        const V v28_2 = op_dropout(v26_2, loadu(ids + at + i) * 3u + 2u, a->keys + 0, 2147483648u, (T)2);
        const V v29_0 = v17_0 * v28_0;
        const V v29_1 = v17_1 * v28_1;
        const V v29_2 = v17_2 * v28_2;
        const V v33_0 = load(s + 9216 + i);
        const V v33_1 = load(s + 10240 + i);
        const V v33_2 = load(s + 11264 + i);
        const V v34_0 = v29_0 - v33_0;
        const V v34_1 = v29_1 - v33_1;
        const V v34_2 = v29_2 - v33_2;
        const V v38_0 = load(s + 12288 + i);
        const V v38_1 = load(s + 13312 + i);
        const V v38_2 = load(s + 14336 + i);
        const V v39_0 = v34_0 * v38_0;
        const V v39_1 = v34_1 * v38_1;
        const V v39_2 = v34_2 * v38_2;
        a40_0_0 += SEL(in, v39_0, ZERO);
        a40_0_1 += SEL(in, v39_1, ZERO);
        a40_0_2 += SEL(in, v39_2, ZERO);
      }
    }
    const V v27_0 = a27_0_0 + a27_1_0 + a27_2_0 + a27_3_0;
    const V p25 = sum_over(a40_0_0, 1);
    const V p26 = sum_over(a40_0_1, 1);
    const V p27 = sum_over(a40_0_2, 1);
    const V p28 = (V){p25[0], p26[1], p27[2], p27[3], p27[4], p27[5], p27[6], p27[7], p27[8], p27[9], p27[10], p27[11], p27[12], p27[13], p27[14], p27[15]};
    const V p29 = PICK(p28, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 15);
    const V v49_0 = p29 * v5_0;
    const V v50_0 = p29 * v2_0;
    const V v52_0 = v27_0 + v49_0;
    const V v68_0 = v52_0 + v66_0;
    storen(b22 + r * 15, v68_0, 15);
    sum51_0 += v50_0;
  }
  storen(a->sums, loadn(a->sums, 15) + sum51_0, 15);
}
