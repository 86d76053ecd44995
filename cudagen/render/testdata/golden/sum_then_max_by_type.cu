
AST_KERNEL(sum_then_max_by_type_wide_forward_0)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const int *AST_RESTRICT types, T *AST_RESTRICT b5, const T *AST_RESTRICT b0, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b1, T *AST_RESTRICT b4, T *AST_RESTRICT b2, T *AST_RESTRICT b3) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int k20 = lane * 16;
  const int k21 = lane * 16 + 4;
  const int k22 = lane * 16 + 8;
  const int k23 = lane * 16 + 12;
  const int p = hubs + blockIdx.x * 8 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  int type1 = 0;
  int begun1 = begin;
  T a12_0 = -AST_INF;
  T a12_1 = -AST_INF;
  T a12_2 = -AST_INF;
  T a12_3 = -AST_INF;
  T a7_0 = 0;
  T a16_0 = -AST_INF;
  int a16_0_type = -1;
  T a16_1 = -AST_INF;
  int a16_1_type = -1;
  T a16_2 = -AST_INF;
  int a16_2_type = -1;
  T a16_3 = -AST_INF;
  int a16_3_type = -1;
  T a4_0 = 0;
  T a4_1 = 0;
  T a4_2 = 0;
  T a4_3 = 0;
  T a17_0 = 0;
  T a17_1 = 0;
  T a17_2 = 0;
  T a17_3 = 0;
  for (int at = begin; at < end; at += 4) {
    int e_type[4];
    int u[4];
    T4 v0_8[4];
    T4 v1_9[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q < end ? at + q : end - 1;
      e_type[q] = ast_load(types + e);
      u[q] = ast_load(neighbors + e);
      v0_8[q] = ast_load4(b0 + (i64)u[q] * 64 + k1);
      v1_9[q] = ast_load4(b1 + (i64)e_type[q] * 64 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q < end) {
        AST_ROLLED
        for (; type1 < e_type[q]; type1++) {
          ast_store4(b5 + (i64)r * 256 + type1 * 64 + k1, a17_0, a17_1, a17_2, a17_3);
          T v3_2 = (T)(at + q - begun1);
          T v6_3 = v3_2 > (T)0 ? (T)1 : (T)0;
          T v10_4 = v6_3 != 0 ? a4_0 : (-AST_INF);
          a12_0 = op_maxof(v10_4, a12_0);
          T v10_5 = v6_3 != 0 ? a4_1 : (-AST_INF);
          a12_1 = op_maxof(v10_5, a12_1);
          T v10_6 = v6_3 != 0 ? a4_2 : (-AST_INF);
          a12_2 = op_maxof(v10_6, a12_2);
          T v10_7 = v6_3 != 0 ? a4_3 : (-AST_INF);
          a12_3 = op_maxof(v10_7, a12_3);
          a7_0 += v6_3;
          ast_argmax(&a16_0, &a16_0_type, v10_4, type1);
          ast_argmax(&a16_1, &a16_1_type, v10_5, type1);
          ast_argmax(&a16_2, &a16_2_type, v10_6, type1);
          ast_argmax(&a16_3, &a16_3_type, v10_7, type1);
          a4_0 = 0;
          a4_1 = 0;
          a4_2 = 0;
          a4_3 = 0;
          a17_0 = 0;
          a17_1 = 0;
          a17_2 = 0;
          a17_3 = 0;
          begun1 = at + q;
        }
        T v2_10 = v0_8[q].x * v1_9[q].x;
        a4_0 += v2_10;
        T v2_11 = v0_8[q].y * v1_9[q].y;
        a4_1 += v2_11;
        T v2_12 = v0_8[q].z * v1_9[q].z;
        a4_2 += v2_12;
        T v2_13 = v0_8[q].w * v1_9[q].w;
        a4_3 += v2_13;
        a17_0 += v0_8[q].x;
        a17_1 += v0_8[q].y;
        a17_2 += v0_8[q].z;
        a17_3 += v0_8[q].w;
      }
    }
  }
  AST_ROLLED
  for (; type1 < 4; type1++) {
    ast_store4(b5 + (i64)r * 256 + type1 * 64 + k1, a17_0, a17_1, a17_2, a17_3);
    T v3_14 = (T)(end - begun1);
    T v6_15 = v3_14 > (T)0 ? (T)1 : (T)0;
    T v10_16 = v6_15 != 0 ? a4_0 : (-AST_INF);
    a12_0 = op_maxof(v10_16, a12_0);
    T v10_17 = v6_15 != 0 ? a4_1 : (-AST_INF);
    a12_1 = op_maxof(v10_17, a12_1);
    T v10_18 = v6_15 != 0 ? a4_2 : (-AST_INF);
    a12_2 = op_maxof(v10_18, a12_2);
    T v10_19 = v6_15 != 0 ? a4_3 : (-AST_INF);
    a12_3 = op_maxof(v10_19, a12_3);
    a7_0 += v6_15;
    ast_argmax(&a16_0, &a16_0_type, v10_16, type1);
    ast_argmax(&a16_1, &a16_1_type, v10_17, type1);
    ast_argmax(&a16_2, &a16_2_type, v10_18, type1);
    ast_argmax(&a16_3, &a16_3_type, v10_19, type1);
    a4_0 = 0;
    a4_1 = 0;
    a4_2 = 0;
    a4_3 = 0;
    a17_0 = 0;
    a17_1 = 0;
    a17_2 = 0;
    a17_3 = 0;
    begun1 = end;
  }
  for (int j = 0; j < 4; j++) b4[(i64)r * 256 + k20 + j] = j == a16_0_type ? (T)1 : (T)0;
  for (int j = 0; j < 4; j++) b4[(i64)r * 256 + k21 + j] = j == a16_1_type ? (T)1 : (T)0;
  for (int j = 0; j < 4; j++) b4[(i64)r * 256 + k22 + j] = j == a16_2_type ? (T)1 : (T)0;
  for (int j = 0; j < 4; j++) b4[(i64)r * 256 + k23 + j] = j == a16_3_type ? (T)1 : (T)0;
  T v15_24 = a7_0 != 0 ? a12_0 : (T)0;
  T v15_25 = a7_0 != 0 ? a12_1 : (T)0;
  T v15_26 = a7_0 != 0 ? a12_2 : (T)0;
  T v15_27 = a7_0 != 0 ? a12_3 : (T)0;
  ast_store4(b2 + (i64)r * 64 + k1, v15_24, v15_25, v15_26, v15_27);
  if (lane < 1) b3[(i64)r] = a7_0;
}

AST_KERNEL(sum_then_max_by_type_wide_forward_0_chunks1)(int chunks, const int *AST_RESTRICT chunk_hub, const int *AST_RESTRICT chunk_begin, const int *AST_RESTRICT hub_first, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b0, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b1, const int *AST_RESTRICT types, T *AST_RESTRICT w0) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int c = blockIdx.x * 8 + group;
  if (c >= chunks) return;
  const int h = chunk_hub[c];
  const int r = order[h];
  const int begin = chunk_begin[c], end = c + 1 < hub_first[h + 1] ? chunk_begin[c + 1] : offsets[r + 1];
  T a4_0 = 0;
  T a4_1 = 0;
  T a4_2 = 0;
  T a4_3 = 0;
  T a17_0 = 0;
  T a17_1 = 0;
  T a17_2 = 0;
  T a17_3 = 0;
  for (int at = begin; at < end; at += 4) {
    int u[4];
    T4 v0_2[4];
    int e_type[4];
    T4 v1_3[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q < end ? at + q : end - 1;
      u[q] = ast_load(neighbors + e);
      v0_2[q] = ast_load4(b0 + (i64)u[q] * 64 + k1);
      e_type[q] = ast_load(types + e);
      v1_3[q] = ast_load4(b1 + (i64)e_type[q] * 64 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q < end) {
        T v2_4 = v0_2[q].x * v1_3[q].x;
        a4_0 += v2_4;
        T v2_5 = v0_2[q].y * v1_3[q].y;
        a4_1 += v2_5;
        T v2_6 = v0_2[q].z * v1_3[q].z;
        a4_2 += v2_6;
        T v2_7 = v0_2[q].w * v1_3[q].w;
        a4_3 += v2_7;
        a17_0 += v0_2[q].x;
        a17_1 += v0_2[q].y;
        a17_2 += v0_2[q].z;
        a17_3 += v0_2[q].w;
      }
    }
  }
  w0[((i64)c * 8) * 16 + lane] = a4_0;
  w0[((i64)c * 8 + 1) * 16 + lane] = a4_1;
  w0[((i64)c * 8 + 2) * 16 + lane] = a4_2;
  w0[((i64)c * 8 + 3) * 16 + lane] = a4_3;
  w0[((i64)c * 8 + 4) * 16 + lane] = a17_0;
  w0[((i64)c * 8 + 5) * 16 + lane] = a17_1;
  w0[((i64)c * 8 + 6) * 16 + lane] = a17_2;
  w0[((i64)c * 8 + 7) * 16 + lane] = a17_3;
}

AST_KERNEL(sum_then_max_by_type_wide_forward_0_end)(int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const int *AST_RESTRICT chunk_begin, const int *AST_RESTRICT types, T *AST_RESTRICT b5, T *AST_RESTRICT w0, const int *AST_RESTRICT hub_first, T *AST_RESTRICT b4, T *AST_RESTRICT b2, T *AST_RESTRICT b3) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int k14 = lane * 16;
  const int k15 = lane * 16 + 4;
  const int k16 = lane * 16 + 8;
  const int k17 = lane * 16 + 12;
  const int h = blockIdx.x * 8 + group;
  if (h >= hubs) return;
  T a4_0 = 0;
  T a4_1 = 0;
  T a4_2 = 0;
  T a4_3 = 0;
  T a17_0 = 0;
  T a17_1 = 0;
  T a17_2 = 0;
  T a17_3 = 0;
  const int r = order[h];
  int type1 = 0;
  int begun1 = offsets[r];
  T a12_0 = -AST_INF;
  T a12_1 = -AST_INF;
  T a12_2 = -AST_INF;
  T a12_3 = -AST_INF;
  T a7_0 = 0;
  T a16_0 = -AST_INF;
  int a16_0_type = -1;
  T a16_1 = -AST_INF;
  int a16_1_type = -1;
  T a16_2 = -AST_INF;
  int a16_2_type = -1;
  T a16_3 = -AST_INF;
  int a16_3_type = -1;
  for (int c = hub_first[h], last = hub_first[h + 1]; c < last; c += 4) {
    int begins[4];
    int typed[4];
    T o0[4];
    T o1[4];
    T o2[4];
    T o3[4];
    T o4[4];
    T o5[4];
    T o6[4];
    T o7[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int k = c + q < last ? c + q : last - 1;
      begins[q] = chunk_begin[k];
      typed[q] = types[begins[q]];
      o0[q] = w0[((i64)k * 8) * 16 + lane];
      o1[q] = w0[((i64)k * 8 + 1) * 16 + lane];
      o2[q] = w0[((i64)k * 8 + 2) * 16 + lane];
      o3[q] = w0[((i64)k * 8 + 3) * 16 + lane];
      o4[q] = w0[((i64)k * 8 + 4) * 16 + lane];
      o5[q] = w0[((i64)k * 8 + 5) * 16 + lane];
      o6[q] = w0[((i64)k * 8 + 6) * 16 + lane];
      o7[q] = w0[((i64)k * 8 + 7) * 16 + lane];
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (c + q < last) {
        AST_ROLLED
        for (; type1 < typed[q]; type1++) {
          ast_store4(b5 + (i64)r * 256 + type1 * 64 + k1, a17_0, a17_1, a17_2, a17_3);
          T v3_2 = (T)(begins[q] - begun1);
          T v6_3 = v3_2 > (T)0 ? (T)1 : (T)0;
          T v10_4 = v6_3 != 0 ? a4_0 : (-AST_INF);
          a12_0 = op_maxof(v10_4, a12_0);
          T v10_5 = v6_3 != 0 ? a4_1 : (-AST_INF);
          a12_1 = op_maxof(v10_5, a12_1);
          T v10_6 = v6_3 != 0 ? a4_2 : (-AST_INF);
          a12_2 = op_maxof(v10_6, a12_2);
          T v10_7 = v6_3 != 0 ? a4_3 : (-AST_INF);
          a12_3 = op_maxof(v10_7, a12_3);
          a7_0 += v6_3;
          ast_argmax(&a16_0, &a16_0_type, v10_4, type1);
          ast_argmax(&a16_1, &a16_1_type, v10_5, type1);
          ast_argmax(&a16_2, &a16_2_type, v10_6, type1);
          ast_argmax(&a16_3, &a16_3_type, v10_7, type1);
          a4_0 = 0;
          a4_1 = 0;
          a4_2 = 0;
          a4_3 = 0;
          a17_0 = 0;
          a17_1 = 0;
          a17_2 = 0;
          a17_3 = 0;
          begun1 = begins[q];
        }
        a4_0 += o0[q];
        a4_1 += o1[q];
        a4_2 += o2[q];
        a4_3 += o3[q];
        a17_0 += o4[q];
        a17_1 += o5[q];
        a17_2 += o6[q];
        a17_3 += o7[q];
      }
    }
  }
  AST_ROLLED
  for (; type1 < 4; type1++) {
    ast_store4(b5 + (i64)r * 256 + type1 * 64 + k1, a17_0, a17_1, a17_2, a17_3);
    T v3_8 = (T)(offsets[r + 1] - begun1);
    T v6_9 = v3_8 > (T)0 ? (T)1 : (T)0;
    T v10_10 = v6_9 != 0 ? a4_0 : (-AST_INF);
    a12_0 = op_maxof(v10_10, a12_0);
    T v10_11 = v6_9 != 0 ? a4_1 : (-AST_INF);
    a12_1 = op_maxof(v10_11, a12_1);
    T v10_12 = v6_9 != 0 ? a4_2 : (-AST_INF);
    a12_2 = op_maxof(v10_12, a12_2);
    T v10_13 = v6_9 != 0 ? a4_3 : (-AST_INF);
    a12_3 = op_maxof(v10_13, a12_3);
    a7_0 += v6_9;
    ast_argmax(&a16_0, &a16_0_type, v10_10, type1);
    ast_argmax(&a16_1, &a16_1_type, v10_11, type1);
    ast_argmax(&a16_2, &a16_2_type, v10_12, type1);
    ast_argmax(&a16_3, &a16_3_type, v10_13, type1);
    a4_0 = 0;
    a4_1 = 0;
    a4_2 = 0;
    a4_3 = 0;
    a17_0 = 0;
    a17_1 = 0;
    a17_2 = 0;
    a17_3 = 0;
    begun1 = offsets[r + 1];
  }
  for (int j = 0; j < 4; j++) b4[(i64)r * 256 + k14 + j] = j == a16_0_type ? (T)1 : (T)0;
  for (int j = 0; j < 4; j++) b4[(i64)r * 256 + k15 + j] = j == a16_1_type ? (T)1 : (T)0;
  for (int j = 0; j < 4; j++) b4[(i64)r * 256 + k16 + j] = j == a16_2_type ? (T)1 : (T)0;
  for (int j = 0; j < 4; j++) b4[(i64)r * 256 + k17 + j] = j == a16_3_type ? (T)1 : (T)0;
  T v15_18 = a7_0 != 0 ? a12_0 : (T)0;
  T v15_19 = a7_0 != 0 ? a12_1 : (T)0;
  T v15_20 = a7_0 != 0 ? a12_2 : (T)0;
  T v15_21 = a7_0 != 0 ? a12_3 : (T)0;
  ast_store4(b2 + (i64)r * 64 + k1, v15_18, v15_19, v15_20, v15_21);
  if (lane < 1) b3[(i64)r] = a7_0;
}

AST_KERNEL(sum_then_max_by_type_wide_backward_0)(int rows, T *AST_RESTRICT w0, int block0, const T *AST_RESTRICT b4, const int *AST_RESTRICT offsets, const int *AST_RESTRICT types, const T *AST_RESTRICT b3, const T *AST_RESTRICT b1, const T *AST_RESTRICT b2, T *AST_RESTRICT b8) {
  const int lane = threadIdx.x % 32;
  const int group = threadIdx.x / 32;
  T *const sums = w0 + ((i64)(block0 + blockIdx.x) * 4 + group) * 256;
  for (int i = threadIdx.x % 32; i < 256; i += 32) sums[i] = 0;
  __syncwarp(0xffffffffu);
  const int k1 = lane * 4;
  const int k3 = lane / 16;
  const int k6 = lane / 16 + lane % 16 * 16;
  const int k9 = lane % 16 * 4;
  T s21_0 = 0;
  const int k16 = lane / 16 + 4 + lane % 16 * 16;
  T s21_1 = 0;
  const int k23 = lane / 16 + 8 + lane % 16 * 16;
  T s21_2 = 0;
  const int k30 = lane / 16 + 12 + lane % 16 * 16;
  T s21_3 = 0;
  const int k37 = lane * 4 + 128;
  const int k39 = lane / 16 + 2;
  const int k42 = lane / 16 + 2 + lane % 16 * 16;
  T s21_4 = 0;
  const int k48 = lane / 16 + 6 + lane % 16 * 16;
  T s21_5 = 0;
  const int k54 = lane / 16 + 10 + lane % 16 * 16;
  T s21_6 = 0;
  const int k60 = lane / 16 + 14 + lane % 16 * 16;
  T s21_7 = 0;
  const int k66 = lane * 4 + 1;
  const int k67 = lane * 4 + 2;
  const int k68 = lane * 4 + 3;
  const int k69 = lane * 4 + 129;
  const int k70 = lane * 4 + 130;
  const int k71 = lane * 4 + 131;
  for (int r = blockIdx.x * 4 + group; r < rows; r += gridDim.x * 4) {
    const T4 v19_2 = ast_load4(b4 + (i64)r * 256 + k1);
    T v1_4 = (T)ast_count(types, offsets[r], offsets[r + 1], k3);
    T v3_5 = v1_4 > (T)0 ? (T)1 : (T)0;
    const T v10_7 = ast_load(b3 + (i64)r * 256 + k6);
    const T v4_8 = ast_load(b1 + (i64)r);
    const T4 v7_10 = ast_load4(b2 + (i64)r * 64 + k9);
    T v8_11 = v4_8 != 0 ? v7_10.x : (T)0;
    T v11_12 = v10_7 * v8_11;
    T v13_13 = v3_5 != 0 ? v11_12 : (T)0;
    T v18_14 = v1_4 != 0 ? v13_13 : (T)0;
    T v20_15 = v19_2.x * v18_14;
    s21_0 += v20_15;
    const T v10_17 = ast_load(b3 + (i64)r * 256 + k16);
    T v8_18 = v4_8 != 0 ? v7_10.y : (T)0;
    T v11_19 = v10_17 * v8_18;
    T v13_20 = v3_5 != 0 ? v11_19 : (T)0;
    T v18_21 = v1_4 != 0 ? v13_20 : (T)0;
    T v20_22 = v19_2.y * v18_21;
    s21_1 += v20_22;
    const T v10_24 = ast_load(b3 + (i64)r * 256 + k23);
    T v8_25 = v4_8 != 0 ? v7_10.z : (T)0;
    T v11_26 = v10_24 * v8_25;
    T v13_27 = v3_5 != 0 ? v11_26 : (T)0;
    T v18_28 = v1_4 != 0 ? v13_27 : (T)0;
    T v20_29 = v19_2.z * v18_28;
    s21_2 += v20_29;
    const T v10_31 = ast_load(b3 + (i64)r * 256 + k30);
    T v8_32 = v4_8 != 0 ? v7_10.w : (T)0;
    T v11_33 = v10_31 * v8_32;
    T v13_34 = v3_5 != 0 ? v11_33 : (T)0;
    T v18_35 = v1_4 != 0 ? v13_34 : (T)0;
    T v20_36 = v19_2.w * v18_35;
    s21_3 += v20_36;
    const T4 v19_38 = ast_load4(b4 + (i64)r * 256 + k37);
    T v1_40 = (T)ast_count(types, offsets[r], offsets[r + 1], k39);
    T v3_41 = v1_40 > (T)0 ? (T)1 : (T)0;
    const T v10_43 = ast_load(b3 + (i64)r * 256 + k42);
    T v11_44 = v10_43 * v8_11;
    T v13_45 = v3_41 != 0 ? v11_44 : (T)0;
    T v18_46 = v1_40 != 0 ? v13_45 : (T)0;
    T v20_47 = v19_38.x * v18_46;
    s21_4 += v20_47;
    const T v10_49 = ast_load(b3 + (i64)r * 256 + k48);
    T v11_50 = v10_49 * v8_18;
    T v13_51 = v3_41 != 0 ? v11_50 : (T)0;
    T v18_52 = v1_40 != 0 ? v13_51 : (T)0;
    T v20_53 = v19_38.y * v18_52;
    s21_5 += v20_53;
    const T v10_55 = ast_load(b3 + (i64)r * 256 + k54);
    T v11_56 = v10_55 * v8_25;
    T v13_57 = v3_41 != 0 ? v11_56 : (T)0;
    T v18_58 = v1_40 != 0 ? v13_57 : (T)0;
    T v20_59 = v19_38.z * v18_58;
    s21_6 += v20_59;
    const T v10_61 = ast_load(b3 + (i64)r * 256 + k60);
    T v11_62 = v10_61 * v8_32;
    T v13_63 = v3_41 != 0 ? v11_62 : (T)0;
    T v18_64 = v1_40 != 0 ? v13_63 : (T)0;
    T v20_65 = v19_38.w * v18_64;
    s21_7 += v20_65;
    ast_store4(b8 + (i64)r * 256 + k1, v13_13, v13_20, v13_27, v13_34);
    ast_store4(b8 + (i64)r * 256 + k37, v13_45, v13_51, v13_57, v13_63);
  }
  sums[k1] = s21_0;
  sums[k66] = s21_1;
  sums[k67] = s21_2;
  sums[k68] = s21_3;
  sums[k37] = s21_4;
  sums[k69] = s21_5;
  sums[k70] = s21_6;
  sums[k71] = s21_7;
}

AST_KERNEL(sum_then_max_by_type_wide_backward_0_sum1)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 4, 256, 256, out);
}

AST_KERNEL(sum_then_max_by_type_wide_backward_1)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b8, const int *AST_RESTRICT neighbors, const int *AST_RESTRICT types, const T *AST_RESTRICT b0, T *AST_RESTRICT b5) {
  const int lane = threadIdx.x % 16;
  const int slot = threadIdx.x / 16 % 2;
  const int group = threadIdx.x / 32;
  const int k1 = lane * 4;
  const int p = hubs + blockIdx.x * 4 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  T a16_0 = 0;
  T a16_1 = 0;
  T a16_2 = 0;
  T a16_3 = 0;
  for (int at = begin + slot; at < end; at += 8) {
    int u[4];
    int e_type[4];
    T4 v13_2[4];
    T4 v0_4[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 2 < end ? at + q * 2 : end - 1;
      u[q] = ast_load(neighbors + e);
      e_type[q] = ast_load(types + e);
      v13_2[q] = ast_load4(b8 + (i64)u[q] * 256 + e_type[q] * 64 + k1);
      v0_4[q] = ast_load4(b0 + (i64)e_type[q] * 64 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 2 < end) {
        T v14_3 = v13_2[q].x;
        T v15_5 = v14_3 * v0_4[q].x;
        a16_0 += v15_5;
        T v14_6 = v13_2[q].y;
        T v15_7 = v14_6 * v0_4[q].y;
        a16_1 += v15_7;
        T v14_8 = v13_2[q].z;
        T v15_9 = v14_8 * v0_4[q].z;
        a16_2 += v15_9;
        T v14_10 = v13_2[q].w;
        T v15_11 = v14_10 * v0_4[q].w;
        a16_3 += v15_11;
      }
    }
  }
  a16_0 += __shfl_xor_sync(0xffffffffu, a16_0, 16);
  a16_1 += __shfl_xor_sync(0xffffffffu, a16_1, 16);
  a16_2 += __shfl_xor_sync(0xffffffffu, a16_2, 16);
  a16_3 += __shfl_xor_sync(0xffffffffu, a16_3, 16);
  if (slot == 0) ast_store4(b5 + (i64)r * 64 + k1, a16_0, a16_1, a16_2, a16_3);
}

AST_KERNEL(sum_then_max_by_type_wide_backward_1_chunks1)(int chunks, const int *AST_RESTRICT chunk_hub, const int *AST_RESTRICT chunk_begin, const int *AST_RESTRICT hub_first, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b8, const int *AST_RESTRICT neighbors, const int *AST_RESTRICT types, const T *AST_RESTRICT b0, T *AST_RESTRICT w0) {
  const int lane = threadIdx.x % 16;
  const int slot = threadIdx.x / 16 % 2;
  const int group = threadIdx.x / 32;
  const int k1 = lane * 4;
  const int c = blockIdx.x * 4 + group;
  if (c >= chunks) return;
  const int h = chunk_hub[c];
  const int r = order[h];
  const int begin = chunk_begin[c], end = c + 1 < hub_first[h + 1] ? chunk_begin[c + 1] : offsets[r + 1];
  T a16_0 = 0;
  T a16_1 = 0;
  T a16_2 = 0;
  T a16_3 = 0;
  for (int at = begin + slot; at < end; at += 8) {
    int u[4];
    int e_type[4];
    T4 v13_2[4];
    T4 v0_4[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 2 < end ? at + q * 2 : end - 1;
      u[q] = ast_load(neighbors + e);
      e_type[q] = ast_load(types + e);
      v13_2[q] = ast_load4(b8 + (i64)u[q] * 256 + e_type[q] * 64 + k1);
      v0_4[q] = ast_load4(b0 + (i64)e_type[q] * 64 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 2 < end) {
        T v14_3 = v13_2[q].x;
        T v15_5 = v14_3 * v0_4[q].x;
        a16_0 += v15_5;
        T v14_6 = v13_2[q].y;
        T v15_7 = v14_6 * v0_4[q].y;
        a16_1 += v15_7;
        T v14_8 = v13_2[q].z;
        T v15_9 = v14_8 * v0_4[q].z;
        a16_2 += v15_9;
        T v14_10 = v13_2[q].w;
        T v15_11 = v14_10 * v0_4[q].w;
        a16_3 += v15_11;
      }
    }
  }
  a16_0 += __shfl_xor_sync(0xffffffffu, a16_0, 16);
  a16_1 += __shfl_xor_sync(0xffffffffu, a16_1, 16);
  a16_2 += __shfl_xor_sync(0xffffffffu, a16_2, 16);
  a16_3 += __shfl_xor_sync(0xffffffffu, a16_3, 16);
  if (slot == 0) w0[((i64)c * 4) * 16 + lane] = a16_0;
  if (slot == 0) w0[((i64)c * 4 + 1) * 16 + lane] = a16_1;
  if (slot == 0) w0[((i64)c * 4 + 2) * 16 + lane] = a16_2;
  if (slot == 0) w0[((i64)c * 4 + 3) * 16 + lane] = a16_3;
}

AST_KERNEL(sum_then_max_by_type_wide_backward_1_end)(int hubs, T *AST_RESTRICT w0, const int *AST_RESTRICT hub_first, const int *AST_RESTRICT order, T *AST_RESTRICT b5) {
  const int lane = threadIdx.x % 16;
  const int slot = threadIdx.x / 16 % 2;
  const int group = threadIdx.x / 32;
  const int k1 = lane * 4;
  const int h = blockIdx.x * 4 + group;
  if (h >= hubs) return;
  T a16_0 = 0;
  T a16_1 = 0;
  T a16_2 = 0;
  T a16_3 = 0;
  for (int c = hub_first[h] + slot * 8, last = hub_first[h + 1]; c < last; c += 16) {
    T o0[8];
    T o1[8];
    T o2[8];
    T o3[8];
    AST_UNROLL
    for (int q = 0; q < 8; q++) {
      const int k = c + q < last ? c + q : last - 1;
      o0[q] = w0[((i64)k * 4) * 16 + lane];
      o1[q] = w0[((i64)k * 4 + 1) * 16 + lane];
      o2[q] = w0[((i64)k * 4 + 2) * 16 + lane];
      o3[q] = w0[((i64)k * 4 + 3) * 16 + lane];
    }
    AST_UNROLL
    for (int q = 0; q < 8; q++) {
      if (c + q < last) {
        a16_0 += o0[q];
        a16_1 += o1[q];
        a16_2 += o2[q];
        a16_3 += o3[q];
      }
    }
  }
  a16_0 += __shfl_xor_sync(0xffffffffu, a16_0, 16);
  a16_1 += __shfl_xor_sync(0xffffffffu, a16_1, 16);
  a16_2 += __shfl_xor_sync(0xffffffffu, a16_2, 16);
  a16_3 += __shfl_xor_sync(0xffffffffu, a16_3, 16);
  const int r = order[h];
  if (slot == 0) ast_store4(b5 + (i64)r * 64 + k1, a16_0, a16_1, a16_2, a16_3);
}

AST_KERNEL(sum_then_max_by_type_wide_backward_2)(int rows, const T *AST_RESTRICT b7, T *AST_RESTRICT out6) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 64) {
    const int r = (int)(i / 64);
    const int k = (int)(i % 64);
    T v22_1 = b7[(i64)r * 64 + k];
    out6[(i64)r * 64 + k] = v22_1;
  }
}
