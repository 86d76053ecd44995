
AST_KERNEL(rgcn_block_wide_forward_0)(int rows, const T *AST_RESTRICT b1, T *AST_RESTRICT out6, T *AST_RESTRICT out7) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 1024) {
    const int k = (int)(i % 1024);
    const int k1 = k / 128 * 32 + k / 32 % 4 * 256 + k / 8 % 4 + k % 8 * 4;
    T v3_2 = b1[k1];
    out6[k] = v3_2;
  }
  if (i < (i64)rows * 1024) {
    const int k = (int)(i % 1024);
    const int k3 = k / 128 * 32 + k / 16 % 8 * 4 + k / 4 % 4 * 256 + k % 4;
    T v3_4 = b1[k3];
    out7[k] = v3_4;
  }
}

AST_KERNEL(rgcn_block_wide_forward_2)(int rows, T *AST_RESTRICT out, const T *AST_RESTRICT b0, const T *AST_RESTRICT b7) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  const int column = (int)(i % 16), part = (int)(i / 16 % 8);
  const i64 first = i / 128 * 8;
  if (first >= rows) return;
  const T *x[8], *w[8];
  int row[8];
  bool same = true;
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    const int n = first + q < rows ? (int)first + q : rows - 1;
    const int r = n;
    row[q] = r;
    x[q] = b0 + (i64)r * 64 + part * 8;
    w[q] = b7 + part % 8 * 128 + column;
    same = same && w[q] == w[0];
  }
  T sum[8];
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    sum[q] = 0;
  }
  if (same) {
    for (int j = 0; j < 8; j += 4) {
      const T w0 = ast_load(w[0] + j * 16);
      const T w1 = ast_load(w[0] + j * 16 + 16);
      const T w2 = ast_load(w[0] + j * 16 + 32);
      const T w3 = ast_load(w[0] + j * 16 + 48);
      AST_UNROLL
      for (int q = 0; q < 8; q++) {
        const T4 a = ast_load4(x[q] + j);
        sum[q] += a.x * w0;
        sum[q] += a.y * w1;
        sum[q] += a.z * w2;
        sum[q] += a.w * w3;
      }
    }
  } else {
    AST_UNROLL
    for (int q = 0; q < 8; q++) {
      AST_ROLLED
      for (int j = 0; j < 8; j++) sum[q] += x[q][j] * w[q][j * 16];
    }
  }
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    if (first + q < rows) out[(i64)row[q] * 128 + part * 16 + column] = sum[q];
  }
}

AST_KERNEL(rgcn_block_wide_forward_3)(int rows, T *AST_RESTRICT b10, const T *AST_RESTRICT b8) {
  const int lane = threadIdx.x % 32;
  const int group = threadIdx.x / 32;
  const int k1 = lane / 8 * 4 + lane % 8 * 16;
  const int k3 = lane * 4;
  const int r = blockIdx.x * 4 + group;
  if (r >= rows) return;
  const T4 v6_2 = ast_load4(b8 + (i64)r * 128 + k1);
  ast_store4(b10 + (i64)r * 128 + k3, v6_2.x, v6_2.y, v6_2.z, v6_2.w);
}

AST_KERNEL(rgcn_block_wide_forward_4)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b10, const int *AST_RESTRICT neighbors, const int *AST_RESTRICT types, T *AST_RESTRICT b5, const T *AST_RESTRICT b9, const T *AST_RESTRICT b4) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 4;
  const int group = threadIdx.x / 32;
  const int k1 = lane * 4;
  const int p = hubs + blockIdx.x * 4 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  T v11_4 = (T)ast_count(types, offsets[r], offsets[r + 1], 0);
  T v12_5 = 1 / v11_4;
  T v11_6 = (T)ast_count(types, offsets[r], offsets[r + 1], 1);
  T v12_7 = 1 / v11_6;
  T v11_8 = (T)ast_count(types, offsets[r], offsets[r + 1], 2);
  T v12_9 = 1 / v11_8;
  T v11_10 = (T)ast_count(types, offsets[r], offsets[r + 1], 3);
  T v12_11 = 1 / v11_10;
  T a15_0 = 0;
  T a15_1 = 0;
  T a15_2 = 0;
  T a15_3 = 0;
  for (int at = begin + slot; at < end; at += 16) {
    int u[4];
    int e_type[4];
    T4 v8_2[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 4 < end ? at + q * 4 : end - 1;
      u[q] = ast_load(neighbors + e);
      e_type[q] = ast_load(types + e);
      v8_2[q] = ast_load4(b10 + (i64)u[q] * 128 + e_type[q] * 32 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 4 < end) {
        T v9_3 = v8_2[q].x;
        T v13_12 = (e_type[q] == 0 ? v12_5 : e_type[q] == 1 ? v12_7 : e_type[q] == 2 ? v12_9 : v12_11);
        T v14_13 = v9_3 * v13_12;
        a15_0 += v14_13;
        T v9_14 = v8_2[q].y;
        T v14_15 = v9_14 * v13_12;
        a15_1 += v14_15;
        T v9_16 = v8_2[q].z;
        T v14_17 = v9_16 * v13_12;
        a15_2 += v14_17;
        T v9_18 = v8_2[q].w;
        T v14_19 = v9_18 * v13_12;
        a15_3 += v14_19;
      }
    }
  }
  a15_0 += __shfl_xor_sync(0xffffffffu, a15_0, 8);
  a15_1 += __shfl_xor_sync(0xffffffffu, a15_1, 8);
  a15_2 += __shfl_xor_sync(0xffffffffu, a15_2, 8);
  a15_3 += __shfl_xor_sync(0xffffffffu, a15_3, 8);
  a15_0 += __shfl_xor_sync(0xffffffffu, a15_0, 16);
  a15_1 += __shfl_xor_sync(0xffffffffu, a15_1, 16);
  a15_2 += __shfl_xor_sync(0xffffffffu, a15_2, 16);
  a15_3 += __shfl_xor_sync(0xffffffffu, a15_3, 16);
  const T4 v18_20 = ast_load4(b9 + (i64)r * 32 + k1);
  T v19_21 = a15_0 + v18_20.x;
  const T4 v20_22 = ast_load4(b4 + k1);
  T v21_23 = v19_21 + v20_22.x;
  T v19_24 = a15_1 + v18_20.y;
  T v21_25 = v19_24 + v20_22.y;
  T v19_26 = a15_2 + v18_20.z;
  T v21_27 = v19_26 + v20_22.z;
  T v19_28 = a15_3 + v18_20.w;
  T v21_29 = v19_28 + v20_22.w;
  if (slot == 0) ast_store4(b5 + (i64)r * 32 + k1, v21_23, v21_25, v21_27, v21_29);
}

AST_KERNEL(rgcn_block_wide_backward_0)(int rows, T *AST_RESTRICT b14, const int *AST_RESTRICT offsets, const int *AST_RESTRICT types) {
  const int group = threadIdx.x / 1;
  const int r = blockIdx.x * 128 + group;
  if (r >= rows) return;
  T v2_1 = (T)ast_count(types, offsets[r], offsets[r + 1], 0);
  T v3_2 = 1 / v2_1;
  T v2_3 = (T)ast_count(types, offsets[r], offsets[r + 1], 1);
  T v3_4 = 1 / v2_3;
  T v2_5 = (T)ast_count(types, offsets[r], offsets[r + 1], 2);
  T v3_6 = 1 / v2_5;
  T v2_7 = (T)ast_count(types, offsets[r], offsets[r + 1], 3);
  T v3_8 = 1 / v2_7;
  ast_store4(b14 + (i64)r * 4, v3_2, v3_4, v3_6, v3_8);
}

AST_KERNEL(rgcn_block_wide_backward_1_parts)(int rows, int parts, T *AST_RESTRICT sums, const T *AST_RESTRICT b3) {
  const int part = blockIdx.x / 1, i = blockIdx.x % 1 * 256 + threadIdx.x;
  if (i >= 32) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 32 + i;
  T sum0 = 0;
  for (int n = begin; n < end; n++) {
    const int r = n;
    T v7_1 = b3[(i64)r * 32 + i];
    sum0 += v7_1;
  }
  to[0] = sum0;
}

AST_KERNEL(rgcn_block_wide_backward_1_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 32, 32, out);
}

AST_KERNEL(rgcn_block_wide_backward_4)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const int *AST_RESTRICT types, T *AST_RESTRICT b10, const T *AST_RESTRICT b3, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b14) {
  const int lane = threadIdx.x % 8;
  const int group = threadIdx.x / 8;
  const int k1 = lane * 16;
  const int k2 = lane * 4;
  const int p = hubs + blockIdx.x * 16 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  int type1 = 0;
  T a12_0 = 0;
  T a12_1 = 0;
  T a12_2 = 0;
  T a12_3 = 0;
  for (int at = begin; at < end; at += 4) {
    int e_type[4];
    int u[4];
    T4 v7_3[4];
    T v3_4[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q < end ? at + q : end - 1;
      e_type[q] = ast_load(types + e);
      u[q] = ast_load(neighbors + e);
      v7_3[q] = ast_load4(b3 + (i64)u[q] * 32 + k2);
      v3_4[q] = ast_load(b14 + (i64)u[q] * 4 + e_type[q]);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q < end) {
        AST_ROLLED
        for (; type1 < e_type[q]; type1++) {
          ast_store4(b10 + (i64)r * 128 + type1 * 4 + k1, a12_0, a12_1, a12_2, a12_3);
          a12_0 = 0;
          a12_1 = 0;
          a12_2 = 0;
          a12_3 = 0;
        }
        T v4_5 = v3_4[q];
        T v10_6 = v7_3[q].x * v4_5;
        a12_0 += v10_6;
        T v10_7 = v7_3[q].y * v4_5;
        a12_1 += v10_7;
        T v10_8 = v7_3[q].z * v4_5;
        a12_2 += v10_8;
        T v10_9 = v7_3[q].w * v4_5;
        a12_3 += v10_9;
      }
    }
  }
  AST_ROLLED
  for (; type1 < 4; type1++) {
    ast_store4(b10 + (i64)r * 128 + type1 * 4 + k1, a12_0, a12_1, a12_2, a12_3);
    a12_0 = 0;
    a12_1 = 0;
    a12_2 = 0;
    a12_3 = 0;
  }
}

AST_KERNEL(rgcn_block_wide_backward_5)(int rows, T *AST_RESTRICT out, const T *AST_RESTRICT b10, const T *AST_RESTRICT b4) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  const int column = (int)(i % 8), part = (int)(i / 8 % 8);
  const i64 first = i / 64 * 8;
  if (first >= rows) return;
  const T *x[8], *w[8];
  int row[8];
  bool same = true;
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    const int n = first + q < rows ? (int)first + q : rows - 1;
    const int r = n;
    row[q] = r;
    x[q] = b10 + (i64)r * 128 + part * 16;
    w[q] = b4 + part % 8 * 128 + column;
    same = same && w[q] == w[0];
  }
  T sum[8];
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    sum[q] = 0;
  }
  if (same) {
    for (int j = 0; j < 16; j += 4) {
      const T w0 = ast_load(w[0] + j * 8);
      const T w1 = ast_load(w[0] + j * 8 + 8);
      const T w2 = ast_load(w[0] + j * 8 + 16);
      const T w3 = ast_load(w[0] + j * 8 + 24);
      AST_UNROLL
      for (int q = 0; q < 8; q++) {
        const T4 a = ast_load4(x[q] + j);
        sum[q] += a.x * w0;
        sum[q] += a.y * w1;
        sum[q] += a.z * w2;
        sum[q] += a.w * w3;
      }
    }
  } else {
    AST_UNROLL
    for (int q = 0; q < 8; q++) {
      AST_ROLLED
      for (int j = 0; j < 16; j++) sum[q] += x[q][j] * w[q][j * 8];
    }
  }
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    if (first + q < rows) out[(i64)row[q] * 64 + part * 8 + column] = sum[q];
  }
}

AST_KERNEL(rgcn_block_wide_backward_6_parts)(int rows, int parts, T *AST_RESTRICT sums, const T *AST_RESTRICT b0, const T *AST_RESTRICT b10) {
  const int part = blockIdx.x / 1, i = blockIdx.x % 1 * 256 + threadIdx.x;
  if (i >= 256) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 1024 + i / 16 * 64 + i % 16;
  T sum0 = 0;
  T sum1 = 0;
  T sum2 = 0;
  T sum3 = 0;
  for (int n = begin; n < end; n++) {
    const int r = n;
    const T *x = b0 + (i64)r * 64 + i / 32 * 8 + i / 16 % 2 * 4;
    const T *y = b10 + (i64)r * 128 + i / 32 * 16 + i % 16;
    const T b = ast_load(y);
    const T4 a = ast_load4(x);
    sum0 += a.x * b;
    sum1 += a.y * b;
    sum2 += a.z * b;
    sum3 += a.w * b;
  }
  to[0] = sum0;
  to[16] = sum1;
  to[32] = sum2;
  to[48] = sum3;
}

AST_KERNEL(rgcn_block_wide_backward_6_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 1024, 1024, out);
}

AST_KERNEL(rgcn_block_wide_backward_7)(int rows, const T *AST_RESTRICT b13, T *AST_RESTRICT out9) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 1024) {
    const int k = (int)(i % 1024);
    const int k1 = k / 256 * 4 + k / 32 % 8 * 128 + k / 4 % 8 * 16 + k % 4;
    T v22_2 = b13[k1];
    out9[k] = v22_2;
  }
}

AST_KERNEL(rgcn_block_wide_backward_8)(int rows, T *AST_RESTRICT b5, const T *AST_RESTRICT b12, const T *AST_RESTRICT b11) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v17_2 = ast_load4(b12 + (i64)r * 64 + k1);
  const T4 v19_3 = ast_load4(b11 + (i64)r * 64 + k1);
  T v20_4 = v17_2.x + v19_3.x;
  T v20_5 = v17_2.y + v19_3.y;
  T v20_6 = v17_2.z + v19_3.z;
  T v20_7 = v17_2.w + v19_3.w;
  ast_store4(b5 + (i64)r * 64 + k1, v20_4, v20_5, v20_6, v20_7);
}

AST_KERNEL(rgcn_block_wide_backward_9)(int rows, const T *AST_RESTRICT b9, T *AST_RESTRICT out6) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 256) {
    const int r = (int)(i / 256);
    const int k = (int)(i % 256);
    T v25_1 = b9[(i64)r * 256 + k];
    out6[(i64)r * 256 + k] = v25_1;
  }
}
