
AST_KERNEL(hgt_wide_forward_0)(int rows, const T *AST_RESTRICT b7, T *AST_RESTRICT out22, const T *AST_RESTRICT b2, T *AST_RESTRICT out23, T *AST_RESTRICT out24, T *AST_RESTRICT out25, T *AST_RESTRICT out26) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 4096) {
    const int k = (int)(i % 4096);
    const int k1 = k / 1024 * 256 + k / 256 % 4 * 1024 + k / 16 % 16 + k % 16 * 16;
    T v36_2 = b7[k1];
    out22[k] = v36_2;
  }
  if (i < (i64)rows * 4096) {
    const int k = (int)(i % 4096);
    const int k3 = k / 1024 * 256 + k / 256 % 4 * 1024 + k / 16 % 16 * 16 + k % 16;
    T v5_4 = b2[k3];
    out23[k] = v5_4;
  }
  if (i < (i64)rows * 4096) {
    const int k = (int)(i % 4096);
    const int k5 = k / 1024 * 256 + k / 256 % 4 * 1024 + k / 16 % 16 + k % 16 * 16;
    T v5_6 = b2[k5];
    out24[k] = v5_6;
  }
  if (i < (i64)rows * 4096) {
    const int k = (int)(i % 4096);
    const int k7 = k / 1024 * 256 + k / 64 % 16 * 16 + k / 16 % 4 * 1024 + k % 16;
    T v5_8 = b2[k7];
    out25[k] = v5_8;
  }
  if (i < (i64)rows * 4096) {
    const int k = (int)(i % 4096);
    const int k9 = k / 1024 * 256 + k / 64 % 16 * 16 + k / 16 % 4 * 1024 + k % 16;
    T v36_10 = b7[k9];
    out26[k] = v36_10;
  }
}

AST_KERNEL(hgt_wide_forward_1)(int rows, T *AST_RESTRICT out, const T *AST_RESTRICT b0, const T *AST_RESTRICT b1, const int *AST_RESTRICT by_type_src, const int *AST_RESTRICT type_of_src) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  const int column = (int)(i % 64), part = (int)(i / 64 % 1);
  const i64 first = i / 64 * 8;
  if (first >= rows) return;
  const T *x[8], *w[8];
  int row[8];
  bool same = true;
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    const int n = first + q < rows ? (int)first + q : rows - 1;
    const int r = by_type_src[n];
    row[q] = r;
    x[q] = b0 + (i64)r * 64 + part * 64;
    w[q] = b1 + (i64)type_of_src[r] * 4096 + column;
    same = same && w[q] == w[0];
  }
  T sum[8];
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    sum[q] = 0;
  }
  if (same) {
    for (int j = 0; j < 64; j += 4) {
      const T w0 = ast_load(w[0] + j * 64);
      const T w1 = ast_load(w[0] + j * 64 + 64);
      const T w2 = ast_load(w[0] + j * 64 + 128);
      const T w3 = ast_load(w[0] + j * 64 + 192);
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
      for (int j = 0; j < 64; j++) sum[q] += x[q][j] * w[q][j * 64];
    }
  }
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    if (first + q < rows) out[(i64)row[q] * 64 + part * 64 + column] = sum[q];
  }
}

AST_KERNEL(hgt_wide_forward_2)(int rows, T *AST_RESTRICT out, const T *AST_RESTRICT b3, const T *AST_RESTRICT b4, const int *AST_RESTRICT by_type_dst, const int *AST_RESTRICT type_of_dst) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  const int column = (int)(i % 64), part = (int)(i / 64 % 1);
  const i64 first = i / 64 * 8;
  if (first >= rows) return;
  const T *x[8], *w[8];
  int row[8];
  bool same = true;
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    const int n = first + q < rows ? (int)first + q : rows - 1;
    const int r = by_type_dst[n];
    row[q] = r;
    x[q] = b3 + (i64)r * 64 + part * 64;
    w[q] = b4 + (i64)type_of_dst[r] * 4096 + column;
    same = same && w[q] == w[0];
  }
  T sum[8];
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    sum[q] = 0;
  }
  if (same) {
    for (int j = 0; j < 64; j += 4) {
      const T w0 = ast_load(w[0] + j * 64);
      const T w1 = ast_load(w[0] + j * 64 + 64);
      const T w2 = ast_load(w[0] + j * 64 + 128);
      const T w3 = ast_load(w[0] + j * 64 + 192);
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
      for (int j = 0; j < 64; j++) sum[q] += x[q][j] * w[q][j * 64];
    }
  }
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    if (first + q < rows) out[(i64)row[q] * 64 + part * 64 + column] = sum[q];
  }
}

AST_KERNEL(hgt_wide_forward_3)(int rows, T *AST_RESTRICT out, const T *AST_RESTRICT b0, const T *AST_RESTRICT b6, const int *AST_RESTRICT by_type_src, const int *AST_RESTRICT type_of_src) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  const int column = (int)(i % 64), part = (int)(i / 64 % 1);
  const i64 first = i / 64 * 8;
  if (first >= rows) return;
  const T *x[8], *w[8];
  int row[8];
  bool same = true;
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    const int n = first + q < rows ? (int)first + q : rows - 1;
    const int r = by_type_src[n];
    row[q] = r;
    x[q] = b0 + (i64)r * 64 + part * 64;
    w[q] = b6 + (i64)type_of_src[r] * 4096 + column;
    same = same && w[q] == w[0];
  }
  T sum[8];
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    sum[q] = 0;
  }
  if (same) {
    for (int j = 0; j < 64; j += 4) {
      const T w0 = ast_load(w[0] + j * 64);
      const T w1 = ast_load(w[0] + j * 64 + 64);
      const T w2 = ast_load(w[0] + j * 64 + 128);
      const T w3 = ast_load(w[0] + j * 64 + 192);
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
      for (int j = 0; j < 64; j++) sum[q] += x[q][j] * w[q][j * 64];
    }
  }
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    if (first + q < rows) out[(i64)row[q] * 64 + part * 64 + column] = sum[q];
  }
}

AST_KERNEL(hgt_wide_forward_4)(int rows, T *AST_RESTRICT out, const T *AST_RESTRICT b11, const T *AST_RESTRICT b25) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  const int column = (int)(i % 64), part = (int)(i / 64 % 4);
  const i64 first = i / 256 * 8;
  if (first >= rows) return;
  const T *x[8], *w[8];
  int row[8];
  bool same = true;
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    const int n = first + q < rows ? (int)first + q : rows - 1;
    const int r = n;
    row[q] = r;
    x[q] = b11 + (i64)r * 64 + part * 16;
    w[q] = b25 + part % 4 * 1024 + column;
    same = same && w[q] == w[0];
  }
  T sum[8];
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    sum[q] = 0;
  }
  if (same) {
    for (int j = 0; j < 16; j += 4) {
      const T w0 = ast_load(w[0] + j * 64);
      const T w1 = ast_load(w[0] + j * 64 + 64);
      const T w2 = ast_load(w[0] + j * 64 + 128);
      const T w3 = ast_load(w[0] + j * 64 + 192);
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
      for (int j = 0; j < 16; j++) sum[q] += x[q][j] * w[q][j * 64];
    }
  }
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    if (first + q < rows) out[(i64)row[q] * 256 + part * 64 + column] = sum[q];
  }
}

AST_KERNEL(hgt_wide_forward_5)(int rows, T *AST_RESTRICT out, const T *AST_RESTRICT b16, const T *AST_RESTRICT b26) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  const int column = (int)(i % 64), part = (int)(i / 64 % 4);
  const i64 first = i / 256 * 8;
  if (first >= rows) return;
  const T *x[8], *w[8];
  int row[8];
  bool same = true;
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    const int n = first + q < rows ? (int)first + q : rows - 1;
    const int r = n;
    row[q] = r;
    x[q] = b16 + (i64)r * 64 + part * 16;
    w[q] = b26 + part % 4 * 1024 + column;
    same = same && w[q] == w[0];
  }
  T sum[8];
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    sum[q] = 0;
  }
  if (same) {
    for (int j = 0; j < 16; j += 4) {
      const T w0 = ast_load(w[0] + j * 64);
      const T w1 = ast_load(w[0] + j * 64 + 64);
      const T w2 = ast_load(w[0] + j * 64 + 128);
      const T w3 = ast_load(w[0] + j * 64 + 192);
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
      for (int j = 0; j < 16; j++) sum[q] += x[q][j] * w[q][j * 64];
    }
  }
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    if (first + q < rows) out[(i64)row[q] * 256 + part * 64 + column] = sum[q];
  }
}

AST_CONST int hgt_wide_forward_6_table0[32] = {0, 4, 8, 12, 64, 68, 72, 76, 128, 132, 136, 140, 192, 196, 200, 204, 16, 20, 24, 28, 80, 84, 88, 92, 144, 148, 152, 156, 208, 212, 216, 220};

AST_CONST int hgt_wide_forward_6_table1[32] = {32, 36, 40, 44, 96, 100, 104, 108, 160, 164, 168, 172, 224, 228, 232, 236, 48, 52, 56, 60, 112, 116, 120, 124, 176, 180, 184, 188, 240, 244, 248, 252};

AST_KERNEL(hgt_wide_forward_6)(int rows, T *AST_RESTRICT b12, const T *AST_RESTRICT b29, T *AST_RESTRICT b17, const T *AST_RESTRICT b30) {
  const int lane = threadIdx.x % 32;
  const int group = threadIdx.x / 32;
  const int k1 = hgt_wide_forward_6_table0[lane];
  const int k3 = lane * 4;
  const int k4 = hgt_wide_forward_6_table1[lane];
  const int k6 = lane * 4 + 128;
  const int r = blockIdx.x * 4 + group;
  if (r >= rows) return;
  const T4 v8_2 = ast_load4(b29 + (i64)r * 256 + k1);
  ast_store4(b12 + (i64)r * 256 + k3, v8_2.x, v8_2.y, v8_2.z, v8_2.w);
  const T4 v8_5 = ast_load4(b29 + (i64)r * 256 + k4);
  ast_store4(b12 + (i64)r * 256 + k6, v8_5.x, v8_5.y, v8_5.z, v8_5.w);
  const T4 v39_7 = ast_load4(b30 + (i64)r * 256 + k1);
  ast_store4(b17 + (i64)r * 256 + k3, v39_7.x, v39_7.y, v39_7.z, v39_7.w);
  const T4 v39_8 = ast_load4(b30 + (i64)r * 256 + k4);
  ast_store4(b17 + (i64)r * 256 + k6, v39_8.x, v39_8.y, v39_8.z, v39_8.w);
}

AST_KERNEL(hgt_wide_forward_7)(int rows, const T *AST_RESTRICT b7, T *AST_RESTRICT out28) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 4096) {
    const int k = (int)(i % 4096);
    const int k1 = k / 1024 * 256 + k / 256 % 4 * 1024 + k / 16 % 16 * 16 + k % 16;
    T v36_2 = b7[k1];
    out28[k] = v36_2;
  }
}

AST_KERNEL(hgt_wide_forward_8)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b12, const int *AST_RESTRICT neighbors, const int *AST_RESTRICT types, const T *AST_RESTRICT b13, const T *AST_RESTRICT b5, T *AST_RESTRICT b27, const T *AST_RESTRICT b16, T *AST_RESTRICT b14, T *AST_RESTRICT b32) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const u32 lanes_mask = 0xffffu << (threadIdx.x & 16u);
  const int k13 = lane / 4;
  const int k17 = lane / 4 * 64 + lane % 4 * 4;
  const int p = hubs + blockIdx.x * 8 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  const T4 v14_4 = ast_load4(b13 + (i64)r * 64 + k1);
  T a23_0 = -AST_INF;
  for (int at = begin; at < end; at += 4) {
    int u[4];
    int e_type[4];
    T4 v10_2[4];
    T v19_14[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q < end ? at + q : end - 1;
      u[q] = ast_load(neighbors + e);
      e_type[q] = ast_load(types + e);
      v10_2[q] = ast_load4(b12 + (i64)u[q] * 256 + e_type[q] * 64 + k1);
      v19_14[q] = ast_load(b5 + (i64)e_type[q] * 4 + k13);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q < end) {
        T v11_3 = v10_2[q].x;
        T v16_5 = v11_3 * v14_4.x;
        T v11_6 = v10_2[q].y;
        T v16_7 = v11_6 * v14_4.y;
        T v11_8 = v10_2[q].z;
        T v16_9 = v11_8 * v14_4.z;
        T v11_10 = v10_2[q].w;
        T v16_11 = v11_10 * v14_4.w;
        T v17_12 = v16_5 + v16_7 + v16_9 + v16_11;
        v17_12 += __shfl_xor_sync(lanes_mask, v17_12, 1);
        v17_12 += __shfl_xor_sync(lanes_mask, v17_12, 2);
        T v20_15 = v17_12 * v19_14[q];
        T v22_16 = v20_15 * (T)0.25;
        a23_0 = op_maxof(v22_16, a23_0);
      }
    }
  }
  int type2 = 0;
  T v23_31 = begin < end ? a23_0 : (T)0;
  T a26_0 = 0;
  T a43_0 = 0;
  T a43_1 = 0;
  T a43_2 = 0;
  T a43_3 = 0;
  for (int at = begin; at < end; at += 4) {
    int e_type[4];
    int u[4];
    T4 v10_18[4];
    T v19_28[4];
    T4 v33_34[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q < end ? at + q : end - 1;
      e_type[q] = ast_load(types + e);
      u[q] = ast_load(neighbors + e);
      v10_18[q] = ast_load4(b12 + (i64)u[q] * 256 + e_type[q] * 64 + k1);
      v19_28[q] = ast_load(b5 + (i64)e_type[q] * 4 + k13);
      v33_34[q] = ast_load4(b16 + (i64)u[q] * 64 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q < end) {
        AST_ROLLED
        for (; type2 < e_type[q]; type2++) {
          ast_store4(b27 + (i64)r * 256 + type2 * 16 + k17, a43_0, a43_1, a43_2, a43_3);
          a43_0 = 0;
          a43_1 = 0;
          a43_2 = 0;
          a43_3 = 0;
        }
        T v11_19 = v10_18[q].x;
        T v16_20 = v11_19 * v14_4.x;
        T v11_21 = v10_18[q].y;
        T v16_22 = v11_21 * v14_4.y;
        T v11_23 = v10_18[q].z;
        T v16_24 = v11_23 * v14_4.z;
        T v11_25 = v10_18[q].w;
        T v16_26 = v11_25 * v14_4.w;
        T v17_27 = v16_20 + v16_22 + v16_24 + v16_26;
        v17_27 += __shfl_xor_sync(lanes_mask, v17_27, 1);
        v17_27 += __shfl_xor_sync(lanes_mask, v17_27, 2);
        T v20_29 = v17_27 * v19_28[q];
        T v22_30 = v20_29 * (T)0.25;
        T v24_32 = v22_30 - v23_31;
        T v25_33 = op_exp(v24_32);
        a26_0 += v25_33;
        T v42_35 = v25_33 * v33_34[q].x;
        a43_0 += v42_35;
        T v42_36 = v25_33 * v33_34[q].y;
        a43_1 += v42_36;
        T v42_37 = v25_33 * v33_34[q].z;
        a43_2 += v42_37;
        T v42_38 = v25_33 * v33_34[q].w;
        a43_3 += v42_38;
      }
    }
  }
  AST_ROLLED
  for (; type2 < 4; type2++) {
    ast_store4(b27 + (i64)r * 256 + type2 * 16 + k17, a43_0, a43_1, a43_2, a43_3);
    a43_0 = 0;
    a43_1 = 0;
    a43_2 = 0;
    a43_3 = 0;
  }
  if (0x1111u >> lane & 1u) b14[(i64)r * 4 + k13] = v23_31;
  if (0x1111u >> lane & 1u) b32[(i64)r * 4 + k13] = a26_0;
}

AST_KERNEL(hgt_wide_forward_9)(int rows, T *AST_RESTRICT out, const T *AST_RESTRICT b27, const T *AST_RESTRICT b28) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  const int column = (int)(i % 16), part = (int)(i / 16 % 4);
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
    x[q] = b27 + (i64)r * 256 + part * 64;
    w[q] = b28 + part % 4 * 1024 + column;
    same = same && w[q] == w[0];
  }
  T sum[8];
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    sum[q] = 0;
  }
  if (same) {
    for (int j = 0; j < 64; j += 4) {
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
      for (int j = 0; j < 64; j++) sum[q] += x[q][j] * w[q][j * 16];
    }
  }
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    if (first + q < rows) out[(i64)row[q] * 64 + part * 16 + column] = sum[q];
  }
}

AST_KERNEL(hgt_wide_forward_10)(int rows, T *AST_RESTRICT b15, const T *AST_RESTRICT b32, T *AST_RESTRICT b18, const T *AST_RESTRICT b31, const int *AST_RESTRICT offsets, T *AST_RESTRICT b19, T *AST_RESTRICT b21) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane / 4;
  const int k5 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T v26_2 = ast_load(b32 + (i64)r * 4 + k1);
  T v28_3 = op_maxof(v26_2, (T)1);
  T v29_4 = 1 / v28_3;
  if (0x1111u >> lane & 1u) b15[(i64)r * 4 + k1] = v29_4;
  const T4 v48_6 = ast_load4(b31 + (i64)r * 64 + k5);
  T v49_7 = (T)(offsets[r + 1] - offsets[r]);
  T v51_8 = v49_7 != 0 ? v29_4 : (T)0;
  T v52_9 = v48_6.x * v51_8;
  T v52_10 = v48_6.y * v51_8;
  T v52_11 = v48_6.z * v51_8;
  T v52_12 = v48_6.w * v51_8;
  ast_store4(b18 + (i64)r * 64 + k5, v52_9, v52_10, v52_11, v52_12);
  T v56_13 = op_gelu(v52_9);
  T v56_14 = op_gelu(v52_10);
  T v56_15 = op_gelu(v52_11);
  T v56_16 = op_gelu(v52_12);
  ast_store4(b19 + (i64)r * 64 + k5, v56_13, v56_14, v56_15, v56_16);
  T v65_17 = v52_9 * (T)0.7071067811865476;
  T v66_18 = op_erf(v65_17);
  T v67_19 = (T)1 + v66_18;
  T v68_20 = (T)0.5 * v67_19;
  T v71_21 = v52_9 * v52_9;
  T v72_22 = ((T)-0.5) * v71_21;
  T v73_23 = op_exp(v72_22);
  T v74_24 = (T)0.3989422804014327 * v73_23;
  T v75_25 = v52_9 * v74_24;
  T v76_26 = v68_20 + v75_25;
  T v65_27 = v52_10 * (T)0.7071067811865476;
  T v66_28 = op_erf(v65_27);
  T v67_29 = (T)1 + v66_28;
  T v68_30 = (T)0.5 * v67_29;
  T v71_31 = v52_10 * v52_10;
  T v72_32 = ((T)-0.5) * v71_31;
  T v73_33 = op_exp(v72_32);
  T v74_34 = (T)0.3989422804014327 * v73_33;
  T v75_35 = v52_10 * v74_34;
  T v76_36 = v68_30 + v75_35;
  T v65_37 = v52_11 * (T)0.7071067811865476;
  T v66_38 = op_erf(v65_37);
  T v67_39 = (T)1 + v66_38;
  T v68_40 = (T)0.5 * v67_39;
  T v71_41 = v52_11 * v52_11;
  T v72_42 = ((T)-0.5) * v71_41;
  T v73_43 = op_exp(v72_42);
  T v74_44 = (T)0.3989422804014327 * v73_43;
  T v75_45 = v52_11 * v74_44;
  T v76_46 = v68_40 + v75_45;
  T v65_47 = v52_12 * (T)0.7071067811865476;
  T v66_48 = op_erf(v65_47);
  T v67_49 = (T)1 + v66_48;
  T v68_50 = (T)0.5 * v67_49;
  T v71_51 = v52_12 * v52_12;
  T v72_52 = ((T)-0.5) * v71_51;
  T v73_53 = op_exp(v72_52);
  T v74_54 = (T)0.3989422804014327 * v73_53;
  T v75_55 = v52_12 * v74_54;
  T v76_56 = v68_50 + v75_55;
  ast_store4(b21 + (i64)r * 64 + k5, v76_26, v76_36, v76_46, v76_56);
}

AST_KERNEL(hgt_wide_forward_11)(int rows, const T *AST_RESTRICT b8, T *AST_RESTRICT out33, T *AST_RESTRICT out34) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 1) {
    const int r = (int)(i / 1);
    const int k = (int)(i % 1);
    T v54_1 = b8[(i64)r * 1 + k];
    T v55_2 = op_sigmoid(v54_1);
    out33[(i64)r * 1 + k] = v55_2;
  }
  if (i < (i64)rows * 1) {
    const int r = (int)(i / 1);
    const int k = (int)(i % 1);
    T v54_3 = b8[(i64)r * 1 + k];
    T v55_4 = op_sigmoid(v54_3);
    T v60_5 = (T)1 - v55_4;
    out34[(i64)r * 1 + k] = v60_5;
  }
}

AST_KERNEL(hgt_wide_forward_12)(int rows, T *AST_RESTRICT out, const T *AST_RESTRICT b19, const T *AST_RESTRICT b9, const int *AST_RESTRICT by_type_dst, const int *AST_RESTRICT type_of_dst) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  const int column = (int)(i % 64), part = (int)(i / 64 % 1);
  const i64 first = i / 64 * 8;
  if (first >= rows) return;
  const T *x[8], *w[8];
  int row[8];
  bool same = true;
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    const int n = first + q < rows ? (int)first + q : rows - 1;
    const int r = by_type_dst[n];
    row[q] = r;
    x[q] = b19 + (i64)r * 64 + part * 64;
    w[q] = b9 + (i64)type_of_dst[r] * 4096 + column;
    same = same && w[q] == w[0];
  }
  T sum[8];
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    sum[q] = 0;
  }
  if (same) {
    for (int j = 0; j < 64; j += 4) {
      const T w0 = ast_load(w[0] + j * 64);
      const T w1 = ast_load(w[0] + j * 64 + 64);
      const T w2 = ast_load(w[0] + j * 64 + 128);
      const T w3 = ast_load(w[0] + j * 64 + 192);
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
      for (int j = 0; j < 64; j++) sum[q] += x[q][j] * w[q][j * 64];
    }
  }
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    if (first + q < rows) out[(i64)row[q] * 64 + part * 64 + column] = sum[q];
  }
}

AST_KERNEL(hgt_wide_forward_13)(int rows, T *AST_RESTRICT b10, const T *AST_RESTRICT b33, const int *AST_RESTRICT type_of_dst, const T *AST_RESTRICT b20, const T *AST_RESTRICT b34, const T *AST_RESTRICT b3) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k2 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const int r_type = type_of_dst[r];
  const T v55_1 = ast_load(b33 + (i64)r_type);
  const T4 v58_3 = ast_load4(b20 + (i64)r * 64 + k2);
  T v59_4 = v55_1 * v58_3.x;
  const T v60_5 = ast_load(b34 + (i64)r_type);
  const T4 v12_6 = ast_load4(b3 + (i64)r * 64 + k2);
  T v61_7 = v60_5 * v12_6.x;
  T v62_8 = v59_4 + v61_7;
  T v59_9 = v55_1 * v58_3.y;
  T v61_10 = v60_5 * v12_6.y;
  T v62_11 = v59_9 + v61_10;
  T v59_12 = v55_1 * v58_3.z;
  T v61_13 = v60_5 * v12_6.z;
  T v62_14 = v59_12 + v61_13;
  T v59_15 = v55_1 * v58_3.w;
  T v61_16 = v60_5 * v12_6.w;
  T v62_17 = v59_15 + v61_16;
  ast_store4(b10 + (i64)r * 64 + k2, v62_8, v62_11, v62_14, v62_17);
}

AST_KERNEL(hgt_wide_backward_0)(int rows, const T *AST_RESTRICT b14, T *AST_RESTRICT out50) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 1) {
    const int r = (int)(i / 1);
    const int k = (int)(i % 1);
    T v32_1 = b14[(i64)r * 1 + k];
    T v33_2 = op_sigmoid(v32_1);
    out50[(i64)r * 1 + k] = v33_2;
  }
}

AST_KERNEL(hgt_wide_backward_1)(int rows, T *AST_RESTRICT w0, int block0, const T *AST_RESTRICT b18, const T *AST_RESTRICT b4, const int *AST_RESTRICT type_of_dst, const T *AST_RESTRICT b17) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  T *const sums = w0 + ((i64)(block0 + blockIdx.x) * 8 + group) * 6;
  for (int i = threadIdx.x % 16; i < 6; i += 16) sums[i] = 0;
  const u32 sums_mask = 0xffffu << (threadIdx.x & 16u);
  __syncwarp(sums_mask);
  const int k1 = lane * 4;
  const u32 lanes_mask = 0xffffu << (threadIdx.x & 16u);
  for (int r = blockIdx.x * 8 + group; r < rows; r += gridDim.x * 8) {
    const T4 v38_2 = ast_load4(b18 + (i64)r * 64 + k1);
    const T4 v6_3 = ast_load4(b4 + (i64)r * 64 + k1);
    T v39_4 = v38_2.x * v6_3.x;
    T v39_5 = v38_2.y * v6_3.y;
    T v39_6 = v38_2.z * v6_3.z;
    T v39_7 = v38_2.w * v6_3.w;
    T v41_8 = v39_4 + v39_5 + v39_6 + v39_7;
    v41_8 += __shfl_xor_sync(lanes_mask, v41_8, 1);
    v41_8 += __shfl_xor_sync(lanes_mask, v41_8, 2);
    v41_8 += __shfl_xor_sync(lanes_mask, v41_8, 4);
    v41_8 += __shfl_xor_sync(lanes_mask, v41_8, 8);
    const int r_type = type_of_dst[r];
    if (lane < 1) sums[0 + r_type * 1 + 0] += v41_8;
    const T4 v36_9 = ast_load4(b17 + (i64)r * 64 + k1);
    T v44_10 = v38_2.x * v36_9.x;
    T v44_11 = v38_2.y * v36_9.y;
    T v44_12 = v38_2.z * v36_9.z;
    T v44_13 = v38_2.w * v36_9.w;
    T v46_14 = v44_10 + v44_11 + v44_12 + v44_13;
    v46_14 += __shfl_xor_sync(lanes_mask, v46_14, 1);
    v46_14 += __shfl_xor_sync(lanes_mask, v46_14, 2);
    v46_14 += __shfl_xor_sync(lanes_mask, v46_14, 4);
    v46_14 += __shfl_xor_sync(lanes_mask, v46_14, 8);
    if (lane < 1) sums[3 + r_type * 1 + 0] += v46_14;
  }
}

AST_KERNEL(hgt_wide_backward_1_sum1)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 8, 6, 3, out);
}

AST_KERNEL(hgt_wide_backward_1_sum2)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 3, blocks * 8, 6, 3, out);
}

AST_KERNEL(hgt_wide_backward_2)(int rows, const T *AST_RESTRICT b42, const T *AST_RESTRICT b43, const T *AST_RESTRICT b50, T *AST_RESTRICT out30, T *AST_RESTRICT out53) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 1) {
    const int r = (int)(i / 1);
    const int k = (int)(i % 1);
    T v42_1 = b42[(i64)r * 1 + k];
    T v43_2 = -v42_1;
    T v47_3 = b43[(i64)r * 1 + k];
    T v51_4 = v43_2 + v47_3;
    T v33_5 = b50[(i64)r * 1 + k];
    T v37_6 = (T)1 - v33_5;
    T v52_7 = v33_5 * v37_6;
    T v53_8 = v51_4 * v52_7;
    out30[(i64)r * 1 + k] = v53_8;
  }
  if (i < (i64)rows * 1) {
    const int r = (int)(i / 1);
    const int k = (int)(i % 1);
    T v33_9 = b50[(i64)r * 1 + k];
    T v37_10 = (T)1 - v33_9;
    out53[(i64)r * 1 + k] = v37_10;
  }
}

AST_KERNEL(hgt_wide_backward_3)(int rows, T *AST_RESTRICT b35, const T *AST_RESTRICT b18, const T *AST_RESTRICT b50, const int *AST_RESTRICT type_of_dst) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v38_2 = ast_load4(b18 + (i64)r * 64 + k1);
  const int r_type = type_of_dst[r];
  const T v33_3 = ast_load(b50 + (i64)r_type);
  T v45_4 = v38_2.x * v33_3;
  T v45_5 = v38_2.y * v33_3;
  T v45_6 = v38_2.z * v33_3;
  T v45_7 = v38_2.w * v33_3;
  ast_store4(b35 + (i64)r * 64 + k1, v45_4, v45_5, v45_6, v45_7);
}

AST_KERNEL(hgt_wide_backward_4_parts)(int rows, int parts, T *AST_RESTRICT sums, const int *AST_RESTRICT by_type_dst, const int *AST_RESTRICT type_of_dst, const T *AST_RESTRICT b15, const T *AST_RESTRICT b35) {
  const int part = blockIdx.x / 4, i = blockIdx.x % 4 * 256 + threadIdx.x;
  if (i >= 1024) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 12288 + i / 64 * 256 + i % 64;
  T sum0 = 0;
  T sum1 = 0;
  T sum2 = 0;
  T sum3 = 0;
  for (int j = 0; j < 3; j++) {
    to[j * 4096] = 0;
    to[j * 4096 + 64] = 0;
    to[j * 4096 + 128] = 0;
    to[j * 4096 + 192] = 0;
  }
  int type = 0;
  for (int n = begin; n < end; n++) {
    const int r = by_type_dst[n];
    const int next = type_of_dst[r];
    if (next != type) {
      to[(i64)type * 4096] += sum0;
      to[(i64)type * 4096 + 64] += sum1;
      to[(i64)type * 4096 + 128] += sum2;
      to[(i64)type * 4096 + 192] += sum3;
      sum0 = 0;
      sum1 = 0;
      sum2 = 0;
      sum3 = 0;
      type = next;
    }
    const T *x = b15 + (i64)r * 64 + i / 1024 * 64 + i / 64 % 16 * 4;
    const T *y = b35 + (i64)r * 64 + i / 1024 * 64 + i % 64;
    const T b = ast_load(y);
    const T4 a = ast_load4(x);
    sum0 += a.x * b;
    sum1 += a.y * b;
    sum2 += a.z * b;
    sum3 += a.w * b;
  }
  to[(i64)type * 4096] += sum0;
  to[(i64)type * 4096 + 64] += sum1;
  to[(i64)type * 4096 + 128] += sum2;
  to[(i64)type * 4096 + 192] += sum3;
}

AST_KERNEL(hgt_wide_backward_4_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 12288, 12288, out);
}

AST_KERNEL(hgt_wide_backward_5)(int rows, T *AST_RESTRICT out, const T *AST_RESTRICT b35, const T *AST_RESTRICT b16, const int *AST_RESTRICT by_type_dst, const int *AST_RESTRICT type_of_dst) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  const int column = (int)(i % 64), part = (int)(i / 64 % 1);
  const i64 first = i / 64 * 8;
  if (first >= rows) return;
  const T *x[8], *w[8];
  int row[8];
  bool same = true;
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    const int n = first + q < rows ? (int)first + q : rows - 1;
    const int r = by_type_dst[n];
    row[q] = r;
    x[q] = b35 + (i64)r * 64 + part * 64;
    w[q] = b16 + (i64)type_of_dst[r] * 4096 + column * 64;
    same = same && w[q] == w[0];
  }
  T sum[8];
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    sum[q] = 0;
  }
  if (same) {
    for (int j = 0; j < 64; j += 4) {
      const T w0 = ast_load(w[0] + j);
      const T w1 = ast_load(w[0] + j + 1);
      const T w2 = ast_load(w[0] + j + 2);
      const T w3 = ast_load(w[0] + j + 3);
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
      for (int j = 0; j < 64; j++) sum[q] += x[q][j] * w[q][j];
    }
  }
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    if (first + q < rows) out[(i64)row[q] * 64 + part * 64 + column] = sum[q];
  }
}

AST_KERNEL(hgt_wide_backward_6)(int rows, int hubs, T *AST_RESTRICT w0, int block0, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const int *AST_RESTRICT types, T *AST_RESTRICT b38, const T *AST_RESTRICT b3, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b6, const T *AST_RESTRICT b7, const T *AST_RESTRICT b8, const T *AST_RESTRICT b9, const T *AST_RESTRICT b44, const T *AST_RESTRICT b19, const T *AST_RESTRICT b12, const T *AST_RESTRICT b13, const T *AST_RESTRICT b2, T *AST_RESTRICT b51, T *AST_RESTRICT b52) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  AST_SHARED T shared[1536];
  T *const stage = shared + (group) * 192;
  T *const sums = w0 + ((i64)(block0 + blockIdx.x) * 8 + group) * 16;
  for (int i = threadIdx.x % 16; i < 16; i += 16) sums[i] = 0;
  const u32 sums_mask = 0xffffu << (threadIdx.x & 16u);
  __syncwarp(sums_mask);
  const int k1 = lane / 4 * 64 + lane % 4 * 4;
  const int k6 = lane * 4;
  const u32 lanes_mask = 0xffffu << (threadIdx.x & 16u);
  const int k53 = lane * 4 + 1;
  const int k54 = lane * 4 + 2;
  const int k55 = lane * 4 + 3;
  const int k96 = lane / 4;
  for (int p = hubs + blockIdx.x * 8 + group; p < rows; p += gridDim.x * 8) {
    const int r = order[p];
    const int begin = offsets[r];
    const int end = offsets[r + 1];
    int type1 = 0;
    const T4 v8_9 = ast_load4(b6 + (i64)r * 64 + k6);
    const T4 v17_21 = ast_load4(b8 + (i64)r * 4);
    const T4 v21_24 = ast_load4(b9 + (i64)r * 4);
    const T4 v48_26 = ast_load4(b44 + (i64)r * 64 + k6);
    const T4 v49_27 = ast_load4(b19 + (i64)r * 64 + k6);
    T v50_28 = v48_26.x * v49_27.x;
    T v50_32 = v48_26.y * v49_27.y;
    T v50_35 = v48_26.z * v49_27.z;
    T v50_38 = v48_26.w * v49_27.w;
    const T4 v31_43 = ast_load4(b13 + (i64)r * 64 + k6);
    T v68_44 = v50_28 * v31_43.x;
    T v68_45 = v50_32 * v31_43.y;
    T v68_46 = v50_35 * v31_43.z;
    T v68_47 = v50_38 * v31_43.w;
    T v69_48 = v68_44 + v68_45 + v68_46 + v68_47;
    v69_48 += __shfl_xor_sync(lanes_mask, v69_48, 1);
    v69_48 += __shfl_xor_sync(lanes_mask, v69_48, 2);
    T v71_49 = v21_24.x * v69_48;
    __syncwarp(lanes_mask);
    (stage + 128)[k6] = v68_44;
    (stage + 128)[k53] = v68_45;
    (stage + 128)[k54] = v68_46;
    (stage + 128)[k55] = v68_47;
    __syncwarp(lanes_mask);
    T v69_64 = 0;
    for (int j = 0; j < 16; j++)
      v69_64 += (stage + 128)[16 + j];
    T v71_65 = v21_24.y * v69_64;
    T v69_77 = 0;
    for (int j = 0; j < 16; j++)
      v69_77 += (stage + 128)[32 + j];
    T v71_78 = v21_24.z * v69_77;
    T v69_90 = 0;
    for (int j = 0; j < 16; j++)
      v69_90 += (stage + 128)[48 + j];
    T v71_91 = v21_24.w * v69_90;
    const T v17_100 = ast_load(b8 + (i64)r * 4 + k96);
    const T v21_103 = ast_load(b9 + (i64)r * 4 + k96);
    T v69_107 = v68_44 + v68_45 + v68_46 + v68_47;
    v69_107 += __shfl_xor_sync(lanes_mask, v69_107, 1);
    v69_107 += __shfl_xor_sync(lanes_mask, v69_107, 2);
    T v71_108 = v21_103 * v69_107;
    T a76_0 = 0;
    T a76_1 = 0;
    T a76_2 = 0;
    T a76_3 = 0;
    T a85_0 = 0;
    T a85_1 = 0;
    T a85_2 = 0;
    T a85_3 = 0;
    for (int at = begin; at < end; at++) {
      const int e_type = ast_load(types + at);
      const int u = ast_load(neighbors + at);
      const T4 v4_7 = ast_load4(b3 + (i64)u * 256 + e_type * 64 + k6);
      const T4 v13_18 = ast_load4(b7 + (i64)e_type * 4);
      const T4 v29_29 = ast_load4(b12 + (i64)u * 256 + e_type * 64 + k6);
      const T v13_97 = ast_load(b7 + (i64)e_type * 4 + k96);
      const T4 v2_113 = ast_load4(b2 + (i64)u * 64 + k6);
      AST_ROLLED
      for (; type1 < e_type; type1++) {
        ast_store4(b38 + (i64)r * 256 + type1 * 16 + k1, a85_0, a85_1, a85_2, a85_3);
        T v77_2 = a76_0 * (T)0.25;
        if (lane < 1) sums[0 + 0 + type1 * 4] += v77_2;
        T v77_3 = a76_1 * (T)0.25;
        if (lane < 1) sums[0 + 1 + type1 * 4] += v77_3;
        T v77_4 = a76_2 * (T)0.25;
        if (lane < 1) sums[0 + 2 + type1 * 4] += v77_4;
        T v77_5 = a76_3 * (T)0.25;
        if (lane < 1) sums[0 + 3 + type1 * 4] += v77_5;
        a76_0 = 0;
        a76_1 = 0;
        a76_2 = 0;
        a76_3 = 0;
        a85_0 = 0;
        a85_1 = 0;
        a85_2 = 0;
        a85_3 = 0;
      }
      T v5_8 = v4_7.x;
      T v10_10 = v5_8 * v8_9.x;
      T v5_11 = v4_7.y;
      T v10_12 = v5_11 * v8_9.y;
      T v5_13 = v4_7.z;
      T v10_14 = v5_13 * v8_9.z;
      T v5_15 = v4_7.w;
      T v10_16 = v5_15 * v8_9.w;
      T v11_17 = v10_10 + v10_12 + v10_14 + v10_16;
      v11_17 += __shfl_xor_sync(lanes_mask, v11_17, 1);
      v11_17 += __shfl_xor_sync(lanes_mask, v11_17, 2);
      T v14_19 = v11_17 * v13_18.x;
      T v16_20 = v14_19 * (T)0.25;
      T v18_22 = v16_20 - v17_21.x;
      T v19_23 = op_exp(v18_22);
      T v22_25 = v19_23 * v21_24.x;
      T v30_30 = v29_29.x;
      T v55_31 = v50_28 * v30_30;
      T v30_33 = v29_29.y;
      T v55_34 = v50_32 * v30_33;
      T v30_36 = v29_29.z;
      T v55_37 = v50_35 * v30_36;
      T v30_39 = v29_29.w;
      T v55_40 = v50_38 * v30_39;
      T v57_41 = v55_31 + v55_34 + v55_37 + v55_40;
      v57_41 += __shfl_xor_sync(lanes_mask, v57_41, 1);
      v57_41 += __shfl_xor_sync(lanes_mask, v57_41, 2);
      T v67_42 = v22_25 * v57_41;
      T v72_50 = v71_49 * v19_23;
      T v73_51 = v67_42 - v72_50;
      T v75_52 = v73_51 * v11_17;
      a76_0 += v75_52;
      __syncwarp(lanes_mask);
      stage[k6] = v10_10;
      stage[k53] = v10_12;
      stage[k54] = v10_14;
      stage[k55] = v10_16;
      __syncwarp(lanes_mask);
      T v11_56 = 0;
      for (int j = 0; j < 16; j++)
        v11_56 += stage[16 + j];
      T v14_57 = v11_56 * v13_18.y;
      T v16_58 = v14_57 * (T)0.25;
      T v18_59 = v16_58 - v17_21.y;
      T v19_60 = op_exp(v18_59);
      T v22_61 = v19_60 * v21_24.y;
      __syncwarp(lanes_mask);
      (stage + 64)[k6] = v55_31;
      (stage + 64)[k53] = v55_34;
      (stage + 64)[k54] = v55_37;
      (stage + 64)[k55] = v55_40;
      __syncwarp(lanes_mask);
      T v57_62 = 0;
      for (int j = 0; j < 16; j++)
        v57_62 += (stage + 64)[16 + j];
      T v67_63 = v22_61 * v57_62;
      T v72_66 = v71_65 * v19_60;
      T v73_67 = v67_63 - v72_66;
      T v75_68 = v73_67 * v11_56;
      a76_1 += v75_68;
      T v11_69 = 0;
      for (int j = 0; j < 16; j++)
        v11_69 += stage[32 + j];
      T v14_70 = v11_69 * v13_18.z;
      T v16_71 = v14_70 * (T)0.25;
      T v18_72 = v16_71 - v17_21.z;
      T v19_73 = op_exp(v18_72);
      T v22_74 = v19_73 * v21_24.z;
      T v57_75 = 0;
      for (int j = 0; j < 16; j++)
        v57_75 += (stage + 64)[32 + j];
      T v67_76 = v22_74 * v57_75;
      T v72_79 = v71_78 * v19_73;
      T v73_80 = v67_76 - v72_79;
      T v75_81 = v73_80 * v11_69;
      a76_2 += v75_81;
      T v11_82 = 0;
      for (int j = 0; j < 16; j++)
        v11_82 += stage[48 + j];
      T v14_83 = v11_82 * v13_18.w;
      T v16_84 = v14_83 * (T)0.25;
      T v18_85 = v16_84 - v17_21.w;
      T v19_86 = op_exp(v18_85);
      T v22_87 = v19_86 * v21_24.w;
      T v57_88 = 0;
      for (int j = 0; j < 16; j++)
        v57_88 += (stage + 64)[48 + j];
      T v67_89 = v22_87 * v57_88;
      T v72_92 = v71_91 * v19_86;
      T v73_93 = v67_89 - v72_92;
      T v75_94 = v73_93 * v11_82;
      a76_3 += v75_94;
      T v11_95 = v10_10 + v10_12 + v10_14 + v10_16;
      v11_95 += __shfl_xor_sync(lanes_mask, v11_95, 1);
      v11_95 += __shfl_xor_sync(lanes_mask, v11_95, 2);
      T v14_98 = v11_95 * v13_97;
      T v16_99 = v14_98 * (T)0.25;
      T v18_101 = v16_99 - v17_100;
      T v19_102 = op_exp(v18_101);
      T v22_104 = v19_102 * v21_103;
      T v57_105 = v55_31 + v55_34 + v55_37 + v55_40;
      v57_105 += __shfl_xor_sync(lanes_mask, v57_105, 1);
      v57_105 += __shfl_xor_sync(lanes_mask, v57_105, 2);
      T v67_106 = v22_104 * v57_105;
      T v72_109 = v71_108 * v19_102;
      T v73_110 = v67_106 - v72_109;
      T v74_111 = v73_110 * (T)0.25;
      T v82_112 = v74_111 * v13_97;
      T v84_114 = v82_112 * v2_113.x;
      a85_0 += v84_114;
      T v84_115 = v82_112 * v2_113.y;
      a85_1 += v84_115;
      T v84_116 = v82_112 * v2_113.z;
      a85_2 += v84_116;
      T v84_117 = v82_112 * v2_113.w;
      a85_3 += v84_117;
    }
    AST_ROLLED
    for (; type1 < 4; type1++) {
      ast_store4(b38 + (i64)r * 256 + type1 * 16 + k1, a85_0, a85_1, a85_2, a85_3);
      T v77_118 = a76_0 * (T)0.25;
      if (lane < 1) sums[0 + 0 + type1 * 4] += v77_118;
      T v77_119 = a76_1 * (T)0.25;
      if (lane < 1) sums[0 + 1 + type1 * 4] += v77_119;
      T v77_120 = a76_2 * (T)0.25;
      if (lane < 1) sums[0 + 2 + type1 * 4] += v77_120;
      T v77_121 = a76_3 * (T)0.25;
      if (lane < 1) sums[0 + 3 + type1 * 4] += v77_121;
      a76_0 = 0;
      a76_1 = 0;
      a76_2 = 0;
      a76_3 = 0;
      a85_0 = 0;
      a85_1 = 0;
      a85_2 = 0;
      a85_3 = 0;
    }
    ast_store4(b51 + (i64)r * 64 + k6, v50_28, v50_32, v50_35, v50_38);
    if (lane < 1) ast_store4(b52 + (i64)r * 4, v71_49, v71_65, v71_78, v71_91);
  }
}

AST_KERNEL(hgt_wide_backward_6_sum1)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 8, 16, 16, out);
}

AST_KERNEL(hgt_wide_backward_7)(int rows, T *AST_RESTRICT out, const T *AST_RESTRICT b38, const T *AST_RESTRICT b21) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  const int column = (int)(i % 16), part = (int)(i / 16 % 4);
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
    x[q] = b38 + (i64)r * 256 + part * 64;
    w[q] = b21 + part % 4 * 1024 + column;
    same = same && w[q] == w[0];
  }
  T sum[8];
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    sum[q] = 0;
  }
  if (same) {
    for (int j = 0; j < 64; j += 4) {
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
      for (int j = 0; j < 64; j++) sum[q] += x[q][j] * w[q][j * 16];
    }
  }
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    if (first + q < rows) out[(i64)row[q] * 64 + part * 16 + column] = sum[q];
  }
}

AST_KERNEL(hgt_wide_backward_8)(int rows, const T *AST_RESTRICT b33, T *AST_RESTRICT out27) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 4) {
    const int r = (int)(i / 4);
    const int k = (int)(i % 4);
    T v79_1 = b33[(i64)r * 4 + k];
    out27[(i64)r * 4 + k] = v79_1;
  }
}

AST_KERNEL(hgt_wide_backward_9_parts)(int rows, int parts, T *AST_RESTRICT sums, const int *AST_RESTRICT by_type_dst, const int *AST_RESTRICT type_of_dst, const T *AST_RESTRICT b4, const T *AST_RESTRICT b39) {
  const int part = blockIdx.x / 4, i = blockIdx.x % 4 * 256 + threadIdx.x;
  if (i >= 1024) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 12288 + i / 64 * 256 + i % 64;
  T sum0 = 0;
  T sum1 = 0;
  T sum2 = 0;
  T sum3 = 0;
  for (int j = 0; j < 3; j++) {
    to[j * 4096] = 0;
    to[j * 4096 + 64] = 0;
    to[j * 4096 + 128] = 0;
    to[j * 4096 + 192] = 0;
  }
  int type = 0;
  for (int n = begin; n < end; n++) {
    const int r = by_type_dst[n];
    const int next = type_of_dst[r];
    if (next != type) {
      to[(i64)type * 4096] += sum0;
      to[(i64)type * 4096 + 64] += sum1;
      to[(i64)type * 4096 + 128] += sum2;
      to[(i64)type * 4096 + 192] += sum3;
      sum0 = 0;
      sum1 = 0;
      sum2 = 0;
      sum3 = 0;
      type = next;
    }
    const T *x = b4 + (i64)r * 64 + i / 1024 * 64 + i / 64 % 16 * 4;
    const T *y = b39 + (i64)r * 64 + i / 1024 * 64 + i % 64;
    const T b = ast_load(y);
    const T4 a = ast_load4(x);
    sum0 += a.x * b;
    sum1 += a.y * b;
    sum2 += a.z * b;
    sum3 += a.w * b;
  }
  to[(i64)type * 4096] += sum0;
  to[(i64)type * 4096 + 64] += sum1;
  to[(i64)type * 4096 + 128] += sum2;
  to[(i64)type * 4096 + 192] += sum3;
}

AST_KERNEL(hgt_wide_backward_9_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 12288, 12288, out);
}

AST_KERNEL(hgt_wide_backward_10)(int rows, T *AST_RESTRICT out, const T *AST_RESTRICT b39, const T *AST_RESTRICT b5, const int *AST_RESTRICT by_type_dst, const int *AST_RESTRICT type_of_dst) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  const int column = (int)(i % 64), part = (int)(i / 64 % 1);
  const i64 first = i / 64 * 8;
  if (first >= rows) return;
  const T *x[8], *w[8];
  int row[8];
  bool same = true;
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    const int n = first + q < rows ? (int)first + q : rows - 1;
    const int r = by_type_dst[n];
    row[q] = r;
    x[q] = b39 + (i64)r * 64 + part * 64;
    w[q] = b5 + (i64)type_of_dst[r] * 4096 + column * 64;
    same = same && w[q] == w[0];
  }
  T sum[8];
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    sum[q] = 0;
  }
  if (same) {
    for (int j = 0; j < 64; j += 4) {
      const T w0 = ast_load(w[0] + j);
      const T w1 = ast_load(w[0] + j + 1);
      const T w2 = ast_load(w[0] + j + 2);
      const T w3 = ast_load(w[0] + j + 3);
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
      for (int j = 0; j < 64; j++) sum[q] += x[q][j] * w[q][j];
    }
  }
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    if (first + q < rows) out[(i64)row[q] * 64 + part * 64 + column] = sum[q];
  }
}

AST_KERNEL(hgt_wide_backward_11)(int rows, T *AST_RESTRICT b54, const T *AST_RESTRICT b18, const T *AST_RESTRICT b53, const int *AST_RESTRICT type_of_dst, const T *AST_RESTRICT b46) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v38_2 = ast_load4(b18 + (i64)r * 64 + k1);
  const int r_type = type_of_dst[r];
  const T v37_3 = ast_load(b53 + (i64)r_type);
  T v40_4 = v38_2.x * v37_3;
  const T4 v92_5 = ast_load4(b46 + (i64)r * 64 + k1);
  T v102_6 = v40_4 + v92_5.x;
  T v40_7 = v38_2.y * v37_3;
  T v102_8 = v40_7 + v92_5.y;
  T v40_9 = v38_2.z * v37_3;
  T v102_10 = v40_9 + v92_5.z;
  T v40_11 = v38_2.w * v37_3;
  T v102_12 = v40_11 + v92_5.w;
  ast_store4(b54 + (i64)r * 64 + k1, v102_6, v102_8, v102_10, v102_12);
}

AST_KERNEL(hgt_wide_backward_12)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const int *AST_RESTRICT types, T *AST_RESTRICT b36, T *AST_RESTRICT b40, const T *AST_RESTRICT b51, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b3, const T *AST_RESTRICT b6, const T *AST_RESTRICT b7, const T *AST_RESTRICT b8, const T *AST_RESTRICT b9, const T *AST_RESTRICT b12, const T *AST_RESTRICT b52) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane / 4 * 64 + lane % 4 * 4;
  const int k2 = lane * 4;
  const u32 lanes_mask = 0xffffu << (threadIdx.x & 16u);
  const int k15 = lane / 4;
  const int p = hubs + blockIdx.x * 8 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  int type1 = 0;
  T a58_0 = 0;
  T a58_1 = 0;
  T a58_2 = 0;
  T a58_3 = 0;
  T a93_0 = 0;
  T a93_1 = 0;
  T a93_2 = 0;
  T a93_3 = 0;
  for (int at = begin; at < end; at += 4) {
    int e_type[4];
    int u[4];
    T4 v50_3[4];
    T4 v4_4[4];
    T4 v8_6[4];
    T v13_16[4];
    T v17_19[4];
    T v21_22[4];
    T4 v29_29[4];
    T v71_40[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q < end ? at + q : end - 1;
      e_type[q] = ast_load(types + e);
      u[q] = ast_load(neighbors + e);
      v50_3[q] = ast_load4(b51 + (i64)u[q] * 64 + k2);
      v4_4[q] = ast_load4(b3 + (i64)r * 256 + e_type[q] * 64 + k2);
      v8_6[q] = ast_load4(b6 + (i64)u[q] * 64 + k2);
      v13_16[q] = ast_load(b7 + (i64)e_type[q] * 4 + k15);
      v17_19[q] = ast_load(b8 + (i64)u[q] * 4 + k15);
      v21_22[q] = ast_load(b9 + (i64)u[q] * 4 + k15);
      v29_29[q] = ast_load4(b12 + (i64)r * 256 + e_type[q] * 64 + k2);
      v71_40[q] = ast_load(b52 + (i64)u[q] * 4 + k15);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q < end) {
        AST_ROLLED
        for (; type1 < e_type[q]; type1++) {
          ast_store4(b36 + (i64)r * 256 + type1 * 16 + k1, a58_0, a58_1, a58_2, a58_3);
          ast_store4(b40 + (i64)r * 256 + type1 * 16 + k1, a93_0, a93_1, a93_2, a93_3);
          a58_0 = 0;
          a58_1 = 0;
          a58_2 = 0;
          a58_3 = 0;
          a93_0 = 0;
          a93_1 = 0;
          a93_2 = 0;
          a93_3 = 0;
        }
        T v5_5 = v4_4[q].x;
        T v10_7 = v5_5 * v8_6[q].x;
        T v5_8 = v4_4[q].y;
        T v10_9 = v5_8 * v8_6[q].y;
        T v5_10 = v4_4[q].z;
        T v10_11 = v5_10 * v8_6[q].z;
        T v5_12 = v4_4[q].w;
        T v10_13 = v5_12 * v8_6[q].w;
        T v11_14 = v10_7 + v10_9 + v10_11 + v10_13;
        v11_14 += __shfl_xor_sync(lanes_mask, v11_14, 1);
        v11_14 += __shfl_xor_sync(lanes_mask, v11_14, 2);
        T v14_17 = v11_14 * v13_16[q];
        T v16_18 = v14_17 * (T)0.25;
        T v18_20 = v16_18 - v17_19[q];
        T v19_21 = op_exp(v18_20);
        T v25_23 = v19_21 * v21_22[q];
        T v56_24 = v50_3[q].x * v25_23;
        a58_0 += v56_24;
        T v56_25 = v50_3[q].y * v25_23;
        a58_1 += v56_25;
        T v56_26 = v50_3[q].z * v25_23;
        a58_2 += v56_26;
        T v56_27 = v50_3[q].w * v25_23;
        a58_3 += v56_27;
        T v22_28 = v19_21 * v21_22[q];
        T v30_30 = v29_29[q].x;
        T v55_31 = v50_3[q].x * v30_30;
        T v30_32 = v29_29[q].y;
        T v55_33 = v50_3[q].y * v30_32;
        T v30_34 = v29_29[q].z;
        T v55_35 = v50_3[q].z * v30_34;
        T v30_36 = v29_29[q].w;
        T v55_37 = v50_3[q].w * v30_36;
        T v57_38 = v55_31 + v55_33 + v55_35 + v55_37;
        v57_38 += __shfl_xor_sync(lanes_mask, v57_38, 1);
        v57_38 += __shfl_xor_sync(lanes_mask, v57_38, 2);
        T v67_39 = v22_28 * v57_38;
        T v72_41 = v71_40[q] * v19_21;
        T v73_42 = v67_39 - v72_41;
        T v74_43 = v73_42 * (T)0.25;
        T v82_44 = v74_43 * v13_16[q];
        T v83_45 = v82_44 * v8_6[q].x;
        a93_0 += v83_45;
        T v83_46 = v82_44 * v8_6[q].y;
        a93_1 += v83_46;
        T v83_47 = v82_44 * v8_6[q].z;
        a93_2 += v83_47;
        T v83_48 = v82_44 * v8_6[q].w;
        a93_3 += v83_48;
      }
    }
  }
  AST_ROLLED
  for (; type1 < 4; type1++) {
    ast_store4(b36 + (i64)r * 256 + type1 * 16 + k1, a58_0, a58_1, a58_2, a58_3);
    ast_store4(b40 + (i64)r * 256 + type1 * 16 + k1, a93_0, a93_1, a93_2, a93_3);
    a58_0 = 0;
    a58_1 = 0;
    a58_2 = 0;
    a58_3 = 0;
    a93_0 = 0;
    a93_1 = 0;
    a93_2 = 0;
    a93_3 = 0;
  }
}

AST_KERNEL(hgt_wide_backward_13_parts)(int rows, int parts, T *AST_RESTRICT sums, const T *AST_RESTRICT b11, const T *AST_RESTRICT b36) {
  const int part = blockIdx.x / 4, i = blockIdx.x % 4 * 256 + threadIdx.x;
  if (i >= 1024) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 4096 + i / 64 * 256 + i % 64;
  T sum0 = 0;
  T sum1 = 0;
  T sum2 = 0;
  T sum3 = 0;
  for (int n = begin; n < end; n++) {
    const int r = n;
    const T *x = b11 + (i64)r * 64 + i / 256 * 16 + i / 64 % 4 * 4;
    const T *y = b36 + (i64)r * 256 + i / 256 * 64 + i % 64;
    const T b = ast_load(y);
    const T4 a = ast_load4(x);
    sum0 += a.x * b;
    sum1 += a.y * b;
    sum2 += a.z * b;
    sum3 += a.w * b;
  }
  to[0] = sum0;
  to[64] = sum1;
  to[128] = sum2;
  to[192] = sum3;
}

AST_KERNEL(hgt_wide_backward_13_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 4096, 4096, out);
}

AST_KERNEL(hgt_wide_backward_14)(int rows, T *AST_RESTRICT out, const T *AST_RESTRICT b36, const T *AST_RESTRICT b20) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  const int column = (int)(i % 16), part = (int)(i / 16 % 4);
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
    x[q] = b36 + (i64)r * 256 + part * 64;
    w[q] = b20 + part % 4 * 1024 + column;
    same = same && w[q] == w[0];
  }
  T sum[8];
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    sum[q] = 0;
  }
  if (same) {
    for (int j = 0; j < 64; j += 4) {
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
      for (int j = 0; j < 64; j++) sum[q] += x[q][j] * w[q][j * 16];
    }
  }
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    if (first + q < rows) out[(i64)row[q] * 64 + part * 16 + column] = sum[q];
  }
}

AST_KERNEL(hgt_wide_backward_15_parts)(int rows, int parts, T *AST_RESTRICT sums, const T *AST_RESTRICT b2, const T *AST_RESTRICT b40) {
  const int part = blockIdx.x / 4, i = blockIdx.x % 4 * 256 + threadIdx.x;
  if (i >= 1024) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 4096 + i / 64 * 256 + i % 64;
  T sum0 = 0;
  T sum1 = 0;
  T sum2 = 0;
  T sum3 = 0;
  for (int n = begin; n < end; n++) {
    const int r = n;
    const T *x = b2 + (i64)r * 64 + i / 256 * 16 + i / 64 % 4 * 4;
    const T *y = b40 + (i64)r * 256 + i / 256 * 64 + i % 64;
    const T b = ast_load(y);
    const T4 a = ast_load4(x);
    sum0 += a.x * b;
    sum1 += a.y * b;
    sum2 += a.z * b;
    sum3 += a.w * b;
  }
  to[0] = sum0;
  to[64] = sum1;
  to[128] = sum2;
  to[192] = sum3;
}

AST_KERNEL(hgt_wide_backward_15_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 4096, 4096, out);
}

AST_KERNEL(hgt_wide_backward_16)(int rows, T *AST_RESTRICT out, const T *AST_RESTRICT b40, const T *AST_RESTRICT b22) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  const int column = (int)(i % 16), part = (int)(i / 16 % 4);
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
    x[q] = b40 + (i64)r * 256 + part * 64;
    w[q] = b22 + part % 4 * 1024 + column;
    same = same && w[q] == w[0];
  }
  T sum[8];
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    sum[q] = 0;
  }
  if (same) {
    for (int j = 0; j < 64; j += 4) {
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
      for (int j = 0; j < 64; j++) sum[q] += x[q][j] * w[q][j * 16];
    }
  }
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    if (first + q < rows) out[(i64)row[q] * 64 + part * 16 + column] = sum[q];
  }
}

AST_KERNEL(hgt_wide_backward_17)(int rows, const T *AST_RESTRICT b49, T *AST_RESTRICT out32, const T *AST_RESTRICT b48, T *AST_RESTRICT out34) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 4096) {
    const int k = (int)(i % 4096);
    const int k1 = k / 1024 * 16 + k / 256 % 4 * 1024 + k / 16 % 16 * 64 + k % 16;
    T v112_2 = b49[k1];
    out32[k] = v112_2;
  }
  if (i < (i64)rows * 4096) {
    const int k = (int)(i % 4096);
    const int k3 = k / 1024 * 16 + k / 256 % 4 * 1024 + k / 16 % 16 * 64 + k % 16;
    T v106_4 = b48[k3];
    out34[k] = v106_4;
  }
}

AST_KERNEL(hgt_wide_backward_18)(int rows, const T *AST_RESTRICT b32, T *AST_RESTRICT out25, const T *AST_RESTRICT b34, T *AST_RESTRICT out29) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 1024) {
    const int r = (int)(i / 1024);
    const int k = (int)(i % 1024);
    T v115_1 = b32[(i64)r * 1024 + k];
    out25[(i64)r * 1024 + k] = v115_1;
  }
  if (i < (i64)rows * 1024) {
    const int r = (int)(i / 1024);
    const int k = (int)(i % 1024);
    T v109_2 = b34[(i64)r * 1024 + k];
    out29[(i64)r * 1024 + k] = v109_2;
  }
}

AST_KERNEL(hgt_wide_backward_19_parts)(int rows, int parts, T *AST_RESTRICT sums, const int *AST_RESTRICT by_type_src, const int *AST_RESTRICT type_of_src, const T *AST_RESTRICT b0, const T *AST_RESTRICT b37) {
  const int part = blockIdx.x / 4, i = blockIdx.x % 4 * 256 + threadIdx.x;
  if (i >= 1024) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 12288 + i / 64 * 256 + i % 64;
  T sum0 = 0;
  T sum1 = 0;
  T sum2 = 0;
  T sum3 = 0;
  for (int j = 0; j < 3; j++) {
    to[j * 4096] = 0;
    to[j * 4096 + 64] = 0;
    to[j * 4096 + 128] = 0;
    to[j * 4096 + 192] = 0;
  }
  int type = 0;
  for (int n = begin; n < end; n++) {
    const int r = by_type_src[n];
    const int next = type_of_src[r];
    if (next != type) {
      to[(i64)type * 4096] += sum0;
      to[(i64)type * 4096 + 64] += sum1;
      to[(i64)type * 4096 + 128] += sum2;
      to[(i64)type * 4096 + 192] += sum3;
      sum0 = 0;
      sum1 = 0;
      sum2 = 0;
      sum3 = 0;
      type = next;
    }
    const T *x = b0 + (i64)r * 64 + i / 1024 * 64 + i / 64 % 16 * 4;
    const T *y = b37 + (i64)r * 64 + i / 1024 * 64 + i % 64;
    const T b = ast_load(y);
    const T4 a = ast_load4(x);
    sum0 += a.x * b;
    sum1 += a.y * b;
    sum2 += a.z * b;
    sum3 += a.w * b;
  }
  to[(i64)type * 4096] += sum0;
  to[(i64)type * 4096 + 64] += sum1;
  to[(i64)type * 4096 + 128] += sum2;
  to[(i64)type * 4096 + 192] += sum3;
}

AST_KERNEL(hgt_wide_backward_19_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 12288, 12288, out);
}

AST_KERNEL(hgt_wide_backward_20)(int rows, T *AST_RESTRICT out, const T *AST_RESTRICT b37, const T *AST_RESTRICT b10, const int *AST_RESTRICT by_type_src, const int *AST_RESTRICT type_of_src) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  const int column = (int)(i % 64), part = (int)(i / 64 % 1);
  const i64 first = i / 64 * 8;
  if (first >= rows) return;
  const T *x[8], *w[8];
  int row[8];
  bool same = true;
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    const int n = first + q < rows ? (int)first + q : rows - 1;
    const int r = by_type_src[n];
    row[q] = r;
    x[q] = b37 + (i64)r * 64 + part * 64;
    w[q] = b10 + (i64)type_of_src[r] * 4096 + column * 64;
    same = same && w[q] == w[0];
  }
  T sum[8];
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    sum[q] = 0;
  }
  if (same) {
    for (int j = 0; j < 64; j += 4) {
      const T w0 = ast_load(w[0] + j);
      const T w1 = ast_load(w[0] + j + 1);
      const T w2 = ast_load(w[0] + j + 2);
      const T w3 = ast_load(w[0] + j + 3);
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
      for (int j = 0; j < 64; j++) sum[q] += x[q][j] * w[q][j];
    }
  }
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    if (first + q < rows) out[(i64)row[q] * 64 + part * 64 + column] = sum[q];
  }
}

AST_KERNEL(hgt_wide_backward_21_parts)(int rows, int parts, T *AST_RESTRICT sums, const int *AST_RESTRICT by_type_src, const int *AST_RESTRICT type_of_src, const T *AST_RESTRICT b0, const T *AST_RESTRICT b41) {
  const int part = blockIdx.x / 4, i = blockIdx.x % 4 * 256 + threadIdx.x;
  if (i >= 1024) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 12288 + i / 64 * 256 + i % 64;
  T sum0 = 0;
  T sum1 = 0;
  T sum2 = 0;
  T sum3 = 0;
  for (int j = 0; j < 3; j++) {
    to[j * 4096] = 0;
    to[j * 4096 + 64] = 0;
    to[j * 4096 + 128] = 0;
    to[j * 4096 + 192] = 0;
  }
  int type = 0;
  for (int n = begin; n < end; n++) {
    const int r = by_type_src[n];
    const int next = type_of_src[r];
    if (next != type) {
      to[(i64)type * 4096] += sum0;
      to[(i64)type * 4096 + 64] += sum1;
      to[(i64)type * 4096 + 128] += sum2;
      to[(i64)type * 4096 + 192] += sum3;
      sum0 = 0;
      sum1 = 0;
      sum2 = 0;
      sum3 = 0;
      type = next;
    }
    const T *x = b0 + (i64)r * 64 + i / 1024 * 64 + i / 64 % 16 * 4;
    const T *y = b41 + (i64)r * 64 + i / 1024 * 64 + i % 64;
    const T b = ast_load(y);
    const T4 a = ast_load4(x);
    sum0 += a.x * b;
    sum1 += a.y * b;
    sum2 += a.z * b;
    sum3 += a.w * b;
  }
  to[(i64)type * 4096] += sum0;
  to[(i64)type * 4096 + 64] += sum1;
  to[(i64)type * 4096 + 128] += sum2;
  to[(i64)type * 4096 + 192] += sum3;
}

AST_KERNEL(hgt_wide_backward_21_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 12288, 12288, out);
}

AST_KERNEL(hgt_wide_backward_22)(int rows, T *AST_RESTRICT out, const T *AST_RESTRICT b41, const T *AST_RESTRICT b1, const int *AST_RESTRICT by_type_src, const int *AST_RESTRICT type_of_src) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  const int column = (int)(i % 64), part = (int)(i / 64 % 1);
  const i64 first = i / 64 * 8;
  if (first >= rows) return;
  const T *x[8], *w[8];
  int row[8];
  bool same = true;
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    const int n = first + q < rows ? (int)first + q : rows - 1;
    const int r = by_type_src[n];
    row[q] = r;
    x[q] = b41 + (i64)r * 64 + part * 64;
    w[q] = b1 + (i64)type_of_src[r] * 4096 + column * 64;
    same = same && w[q] == w[0];
  }
  T sum[8];
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    sum[q] = 0;
  }
  if (same) {
    for (int j = 0; j < 64; j += 4) {
      const T w0 = ast_load(w[0] + j);
      const T w1 = ast_load(w[0] + j + 1);
      const T w2 = ast_load(w[0] + j + 2);
      const T w3 = ast_load(w[0] + j + 3);
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
      for (int j = 0; j < 64; j++) sum[q] += x[q][j] * w[q][j];
    }
  }
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    if (first + q < rows) out[(i64)row[q] * 64 + part * 64 + column] = sum[q];
  }
}

AST_KERNEL(hgt_wide_backward_23)(int rows, T *AST_RESTRICT b23, const T *AST_RESTRICT b45, const T *AST_RESTRICT b47, const T *AST_RESTRICT b54) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v65_2 = ast_load4(b45 + (i64)r * 64 + k1);
  const T4 v100_3 = ast_load4(b47 + (i64)r * 64 + k1);
  T v101_4 = v65_2.x + v100_3.x;
  const T4 v103_5 = ast_load4(b54 + (i64)r * 64 + k1);
  T v104_6 = v101_4 + v103_5.x;
  T v101_7 = v65_2.y + v100_3.y;
  T v104_8 = v101_7 + v103_5.y;
  T v101_9 = v65_2.z + v100_3.z;
  T v104_10 = v101_9 + v103_5.z;
  T v101_11 = v65_2.w + v100_3.w;
  T v104_12 = v101_11 + v103_5.w;
  ast_store4(b23 + (i64)r * 64 + k1, v104_6, v104_8, v104_10, v104_12);
}
