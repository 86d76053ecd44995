
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
      for (int j = 0; j < 16; j++) sum[q] += x[q][j] * w[q][j * 64];
    }
  }
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    if (first + q < rows) out[(i64)row[q] * 256 + part * 64 + column] = sum[q];
  }
}

AST_KERNEL(hgt_wide_forward_6)(int rows, const T *AST_RESTRICT b7, T *AST_RESTRICT out29) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 4096) {
    const int k = (int)(i % 4096);
    const int k1 = k / 1024 * 256 + k / 256 % 4 * 1024 + k / 16 % 16 * 16 + k % 16;
    T v36_2 = b7[k1];
    out29[k] = v36_2;
  }
}

AST_CONST int hgt_wide_forward_7_table0[32] = {0, 4, 8, 12, 64, 68, 72, 76, 128, 132, 136, 140, 192, 196, 200, 204, 16, 20, 24, 28, 80, 84, 88, 92, 144, 148, 152, 156, 208, 212, 216, 220};

AST_CONST int hgt_wide_forward_7_table1[32] = {32, 36, 40, 44, 96, 100, 104, 108, 160, 164, 168, 172, 224, 228, 232, 236, 48, 52, 56, 60, 112, 116, 120, 124, 176, 180, 184, 188, 240, 244, 248, 252};

AST_KERNEL(hgt_wide_forward_7)(int rows, T *AST_RESTRICT b12, const T *AST_RESTRICT b27, T *AST_RESTRICT b17, const T *AST_RESTRICT b28) {
  const int lane = threadIdx.x % 32;
  const int group = threadIdx.x / 32;
  const int k1 = hgt_wide_forward_7_table0[lane];
  const int k3 = lane * 4;
  const int k4 = hgt_wide_forward_7_table1[lane];
  const int k6 = lane * 4 + 128;
  const int r = blockIdx.x * 4 + group;
  if (r >= rows) return;
  const T4 v8_2 = ast_load4(b27 + (i64)r * 256 + k1);
  ast_store4(b12 + (i64)r * 256 + k3, v8_2.x, v8_2.y, v8_2.z, v8_2.w);
  const T4 v8_5 = ast_load4(b27 + (i64)r * 256 + k4);
  ast_store4(b12 + (i64)r * 256 + k6, v8_5.x, v8_5.y, v8_5.z, v8_5.w);
  const T4 v39_7 = ast_load4(b28 + (i64)r * 256 + k1);
  ast_store4(b17 + (i64)r * 256 + k3, v39_7.x, v39_7.y, v39_7.z, v39_7.w);
  const T4 v39_8 = ast_load4(b28 + (i64)r * 256 + k4);
  ast_store4(b17 + (i64)r * 256 + k6, v39_8.x, v39_8.y, v39_8.z, v39_8.w);
}

AST_CONST int hgt_wide_forward_8_table0[32] = {0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 16, 20, 24, 28, 16, 20, 24, 28, 16, 20, 24, 28, 16, 20, 24, 28};

AST_CONST int hgt_wide_forward_8_table1[32] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};

AST_CONST int hgt_wide_forward_8_table2[32] = {32, 36, 40, 44, 32, 36, 40, 44, 32, 36, 40, 44, 32, 36, 40, 44, 48, 52, 56, 60, 48, 52, 56, 60, 48, 52, 56, 60, 48, 52, 56, 60};

AST_KERNEL(hgt_wide_forward_8)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b12, const int *AST_RESTRICT neighbors, const int *AST_RESTRICT types, const T *AST_RESTRICT b13, const T *AST_RESTRICT b5, const T *AST_RESTRICT b16, T *AST_RESTRICT b14, T *AST_RESTRICT b15, T *AST_RESTRICT b18, const T *AST_RESTRICT b29, T *AST_RESTRICT b19, T *AST_RESTRICT b21) {
  const int lane = threadIdx.x % 32;
  const int group = threadIdx.x / 32;
  AST_SHARED T shared[1536];
  T *const stage = shared + (group) * 384;
  const int k1 = (lane < 16 ? lane : 15) * 4;
  const int k6 = (lane < 16 ? lane : 15) * 4 + 1;
  const int k9 = (lane < 16 ? lane : 15) * 4 + 2;
  const int k12 = (lane < 16 ? lane : 15) * 4 + 3;
  const int k15 = lane / 16 * 16;
  const int k17 = lane / 16;
  const int k21 = lane / 16 * 16 + 32;
  const int k23 = lane / 16 + 2;
  const int k28 = (lane < 16 ? lane : 15) / 4;
  const int k55 = hgt_wide_forward_8_table0[lane];
  const int k58 = hgt_wide_forward_8_table1[lane];
  const int k69 = hgt_wide_forward_8_table2[lane];
  const int k77 = lane * 4;
  const int k78 = lane * 4 + 1;
  const int k79 = lane * 4 + 2;
  const int k80 = lane * 4 + 3;
  const int k81 = lane * 4 + 128;
  const int k82 = lane * 4 + 129;
  const int k83 = lane * 4 + 130;
  const int k84 = lane * 4 + 131;
  const int k86 = (lane < 16 ? lane : 15) / 4 * 64;
  const int k87 = (lane < 16 ? lane : 15) / 4 * 1024 + (lane < 16 ? lane : 15) % 4 * 4;
  const int k89 = (lane < 16 ? lane : 15) / 4 * 1024 + 1 + (lane < 16 ? lane : 15) % 4 * 4;
  const int k91 = (lane < 16 ? lane : 15) / 4 * 1024 + 2 + (lane < 16 ? lane : 15) % 4 * 4;
  const int k93 = (lane < 16 ? lane : 15) / 4 * 1024 + 3 + (lane < 16 ? lane : 15) % 4 * 4;
  const int p = hubs + blockIdx.x * 4 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  const T4 v14_4 = ast_load4(b13 + (i64)r * 64 + k1);
  T a23_0 = -AST_INF;
  T a23_1 = -AST_INF;
  T a23_2 = -AST_INF;
  for (int at = begin; at < end; at++) {
    const int u = ast_load(neighbors + at);
    const int e_type = ast_load(types + at);
    const T4 v10_2 = ast_load4(b12 + (i64)u * 256 + e_type * 64 + k1);
    const T v19_18 = ast_load(b5 + (i64)e_type * 4 + k17);
    const T v19_24 = ast_load(b5 + (i64)e_type * 4 + k23);
    const T v19_29 = ast_load(b5 + (i64)e_type * 4 + k28);
    T v11_3 = v10_2.x;
    T v16_5 = v11_3 * v14_4.x;
    T v11_7 = v10_2.y;
    T v16_8 = v11_7 * v14_4.y;
    T v11_10 = v10_2.z;
    T v16_11 = v11_10 * v14_4.z;
    T v11_13 = v10_2.w;
    T v16_14 = v11_13 * v14_4.w;
    __syncwarp(0xffffffffu);
    if (lane < 16) (stage + 320)[k1] = v16_5;
    if (lane < 16) (stage + 320)[k6] = v16_8;
    if (lane < 16) (stage + 320)[k9] = v16_11;
    if (lane < 16) (stage + 320)[k12] = v16_14;
    __syncwarp(0xffffffffu);
    T v17_16 = 0;
    for (int j = 0; j < 16; j++)
      v17_16 += (stage + 320)[k15 + j];
    T v20_19 = v17_16 * v19_18;
    T v22_20 = v20_19 * (T)0.25;
    a23_0 = op_maxof(v22_20, a23_0);
    T v17_22 = 0;
    for (int j = 0; j < 16; j++)
      v17_22 += (stage + 320)[k21 + j];
    T v20_25 = v17_22 * v19_24;
    T v22_26 = v20_25 * (T)0.25;
    a23_1 = op_maxof(v22_26, a23_1);
    T v17_27 = (lane < 16 ? v16_5 : (T)0) + (lane < 16 ? v16_8 : (T)0) + (lane < 16 ? v16_11 : (T)0) + (lane < 16 ? v16_14 : (T)0);
    v17_27 += __shfl_xor_sync(0xffffffffu, v17_27, 1);
    v17_27 += __shfl_xor_sync(0xffffffffu, v17_27, 2);
    T v20_30 = v17_27 * v19_29;
    T v22_31 = v20_30 * (T)0.25;
    a23_2 = op_maxof(v22_31, a23_2);
  }
  T v23_45 = begin < end ? a23_2 : (T)0;
  T v23_52 = begin < end ? a23_0 : (T)0;
  T v23_66 = begin < end ? a23_1 : (T)0;
  T a26_0 = 0;
  T a43_0 = 0;
  T a43_1 = 0;
  T a43_2 = 0;
  T a43_3 = 0;
  T a43_4 = 0;
  T a43_5 = 0;
  T a43_6 = 0;
  T a43_7 = 0;
  for (int at = begin; at < end; at++) {
    const int u = ast_load(neighbors + at);
    const int e_type = ast_load(types + at);
    const T4 v10_32 = ast_load4(b12 + (i64)u * 256 + e_type * 64 + k1);
    const T v19_42 = ast_load(b5 + (i64)e_type * 4 + k28);
    const T v19_49 = ast_load(b5 + (i64)e_type * 4 + k17);
    const T4 v33_56 = ast_load4(b16 + (i64)u * 64 + k55);
    const T v19_63 = ast_load(b5 + (i64)e_type * 4 + k23);
    const T4 v33_70 = ast_load4(b16 + (i64)u * 64 + k69);
    T v11_33 = v10_32.x;
    T v16_34 = v11_33 * v14_4.x;
    T v11_35 = v10_32.y;
    T v16_36 = v11_35 * v14_4.y;
    T v11_37 = v10_32.z;
    T v16_38 = v11_37 * v14_4.z;
    T v11_39 = v10_32.w;
    T v16_40 = v11_39 * v14_4.w;
    T v17_41 = (lane < 16 ? v16_34 : (T)0) + (lane < 16 ? v16_36 : (T)0) + (lane < 16 ? v16_38 : (T)0) + (lane < 16 ? v16_40 : (T)0);
    v17_41 += __shfl_xor_sync(0xffffffffu, v17_41, 1);
    v17_41 += __shfl_xor_sync(0xffffffffu, v17_41, 2);
    T v20_43 = v17_41 * v19_42;
    T v22_44 = v20_43 * (T)0.25;
    T v24_46 = v22_44 - v23_45;
    T v25_47 = op_exp(v24_46);
    a26_0 += v25_47;
    __syncwarp(0xffffffffu);
    if (lane < 16) (stage + 256)[k1] = v16_34;
    if (lane < 16) (stage + 256)[k6] = v16_36;
    if (lane < 16) (stage + 256)[k9] = v16_38;
    if (lane < 16) (stage + 256)[k12] = v16_40;
    __syncwarp(0xffffffffu);
    T v17_48 = 0;
    for (int j = 0; j < 16; j++)
      v17_48 += (stage + 256)[k15 + j];
    T v20_50 = v17_48 * v19_49;
    T v22_51 = v20_50 * (T)0.25;
    T v24_53 = v22_51 - v23_52;
    T v25_54 = op_exp(v24_53);
    T v42_57 = v25_54 * v33_56.x;
    a43_0 += e_type == k58 ? v42_57 : (T)0;
    T v42_59 = v25_54 * v33_56.y;
    a43_1 += e_type == k58 ? v42_59 : (T)0;
    T v42_60 = v25_54 * v33_56.z;
    a43_2 += e_type == k58 ? v42_60 : (T)0;
    T v42_61 = v25_54 * v33_56.w;
    a43_3 += e_type == k58 ? v42_61 : (T)0;
    T v17_62 = 0;
    for (int j = 0; j < 16; j++)
      v17_62 += (stage + 256)[k21 + j];
    T v20_64 = v17_62 * v19_63;
    T v22_65 = v20_64 * (T)0.25;
    T v24_67 = v22_65 - v23_66;
    T v25_68 = op_exp(v24_67);
    T v42_71 = v25_68 * v33_70.x;
    a43_4 += e_type == k58 ? v42_71 : (T)0;
    T v42_72 = v25_68 * v33_70.y;
    a43_5 += e_type == k58 ? v42_72 : (T)0;
    T v42_73 = v25_68 * v33_70.z;
    a43_6 += e_type == k58 ? v42_73 : (T)0;
    T v42_74 = v25_68 * v33_70.w;
    a43_7 += e_type == k58 ? v42_74 : (T)0;
  }
  if (0x10001u >> lane & 1u) b14[(i64)r * 4 + k17] = v23_52;
  if (0x10001u >> lane & 1u) b14[(i64)r * 4 + k23] = v23_66;
  T v28_75 = op_maxof(a26_0, (T)1);
  T v29_76 = 1 / v28_75;
  if (0x1111u >> lane & 1u) b15[(i64)r * 4 + k28] = v29_76;
  __syncwarp(0xffffffffu);
  stage[k77] = a43_0;
  stage[k78] = a43_1;
  stage[k79] = a43_2;
  stage[k80] = a43_3;
  stage[k81] = a43_4;
  stage[k82] = a43_5;
  stage[k83] = a43_6;
  stage[k84] = a43_7;
  __syncwarp(0xffffffffu);
  T v48_85 = 0;
  T v48_88 = 0;
  T v48_90 = 0;
  T v48_92 = 0;
  for (int j = 0; j < 64; j++) {
    v48_85 += stage[k86 + j] * ast_load(b29 + k87 + j * 16);
    v48_88 += stage[k86 + j] * ast_load(b29 + k89 + j * 16);
    v48_90 += stage[k86 + j] * ast_load(b29 + k91 + j * 16);
    v48_92 += stage[k86 + j] * ast_load(b29 + k93 + j * 16);
  }
  T v49_94 = (T)(offsets[r + 1] - offsets[r]);
  T v51_95 = v49_94 != 0 ? v29_76 : (T)0;
  T v52_96 = v48_85 * v51_95;
  T v52_97 = v48_88 * v51_95;
  T v52_98 = v48_90 * v51_95;
  T v52_99 = v48_92 * v51_95;
  if (lane < 16) ast_store4(b18 + (i64)r * 64 + k1, v52_96, v52_97, v52_98, v52_99);
  T v56_100 = op_gelu(v52_96);
  T v56_101 = op_gelu(v52_97);
  T v56_102 = op_gelu(v52_98);
  T v56_103 = op_gelu(v52_99);
  if (lane < 16) ast_store4(b19 + (i64)r * 64 + k1, v56_100, v56_101, v56_102, v56_103);
  T v65_104 = v52_96 * (T)0.7071067811865476;
  T v66_105 = op_erf(v65_104);
  T v67_106 = (T)1 + v66_105;
  T v68_107 = (T)0.5 * v67_106;
  T v71_108 = v52_96 * v52_96;
  T v72_109 = ((T)-0.5) * v71_108;
  T v73_110 = op_exp(v72_109);
  T v74_111 = (T)0.3989422804014327 * v73_110;
  T v75_112 = v52_96 * v74_111;
  T v76_113 = v68_107 + v75_112;
  T v65_114 = v52_97 * (T)0.7071067811865476;
  T v66_115 = op_erf(v65_114);
  T v67_116 = (T)1 + v66_115;
  T v68_117 = (T)0.5 * v67_116;
  T v71_118 = v52_97 * v52_97;
  T v72_119 = ((T)-0.5) * v71_118;
  T v73_120 = op_exp(v72_119);
  T v74_121 = (T)0.3989422804014327 * v73_120;
  T v75_122 = v52_97 * v74_121;
  T v76_123 = v68_117 + v75_122;
  T v65_124 = v52_98 * (T)0.7071067811865476;
  T v66_125 = op_erf(v65_124);
  T v67_126 = (T)1 + v66_125;
  T v68_127 = (T)0.5 * v67_126;
  T v71_128 = v52_98 * v52_98;
  T v72_129 = ((T)-0.5) * v71_128;
  T v73_130 = op_exp(v72_129);
  T v74_131 = (T)0.3989422804014327 * v73_130;
  T v75_132 = v52_98 * v74_131;
  T v76_133 = v68_127 + v75_132;
  T v65_134 = v52_99 * (T)0.7071067811865476;
  T v66_135 = op_erf(v65_134);
  T v67_136 = (T)1 + v66_135;
  T v68_137 = (T)0.5 * v67_136;
  T v71_138 = v52_99 * v52_99;
  T v72_139 = ((T)-0.5) * v71_138;
  T v73_140 = op_exp(v72_139);
  T v74_141 = (T)0.3989422804014327 * v73_140;
  T v75_142 = v52_99 * v74_141;
  T v76_143 = v68_137 + v75_142;
  if (lane < 16) ast_store4(b21 + (i64)r * 64 + k1, v76_113, v76_123, v76_133, v76_143);
}

AST_KERNEL(hgt_wide_forward_9)(int rows, const T *AST_RESTRICT b8, T *AST_RESTRICT out30, T *AST_RESTRICT out31) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 1) {
    const int r = (int)(i / 1);
    const int k = (int)(i % 1);
    T v54_1 = b8[(i64)r * 1 + k];
    T v55_2 = op_sigmoid(v54_1);
    out30[(i64)r * 1 + k] = v55_2;
  }
  if (i < (i64)rows * 1) {
    const int r = (int)(i / 1);
    const int k = (int)(i % 1);
    T v54_3 = b8[(i64)r * 1 + k];
    T v55_4 = op_sigmoid(v54_3);
    T v60_5 = (T)1 - v55_4;
    out31[(i64)r * 1 + k] = v60_5;
  }
}

AST_KERNEL(hgt_wide_forward_10)(int rows, T *AST_RESTRICT out, const T *AST_RESTRICT b19, const T *AST_RESTRICT b9, const int *AST_RESTRICT by_type_dst, const int *AST_RESTRICT type_of_dst) {
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
      for (int j = 0; j < 64; j++) sum[q] += x[q][j] * w[q][j * 64];
    }
  }
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    if (first + q < rows) out[(i64)row[q] * 64 + part * 64 + column] = sum[q];
  }
}

AST_KERNEL(hgt_wide_forward_11)(int rows, T *AST_RESTRICT b10, const T *AST_RESTRICT b30, const int *AST_RESTRICT type_of_dst, const T *AST_RESTRICT b20, const T *AST_RESTRICT b31, const T *AST_RESTRICT b3) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k2 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const int r_type = type_of_dst[r];
  const T v55_1 = ast_load(b30 + (i64)r_type);
  const T4 v58_3 = ast_load4(b20 + (i64)r * 64 + k2);
  T v59_4 = v55_1 * v58_3.x;
  const T v60_5 = ast_load(b31 + (i64)r_type);
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

AST_KERNEL(hgt_wide_backward_0)(int rows, const T *AST_RESTRICT b14, T *AST_RESTRICT out47) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 1) {
    const int r = (int)(i / 1);
    const int k = (int)(i % 1);
    T v32_1 = b14[(i64)r * 1 + k];
    T v33_2 = op_sigmoid(v32_1);
    out47[(i64)r * 1 + k] = v33_2;
  }
}

AST_KERNEL(hgt_wide_backward_1)(int rows, T *AST_RESTRICT w0, int block0, const T *AST_RESTRICT b18, const T *AST_RESTRICT b4, const int *AST_RESTRICT type_of_dst, const T *AST_RESTRICT b17) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  T *const sums = w0 + ((i64)(block0 + blockIdx.x) * 8 + group) * 6;
  for (int i = threadIdx.x % 16; i < 6; i += 16) sums[i] = 0;
  const u32 group_mask = 0xffffu << (threadIdx.x & 16u);
  __syncwarp(group_mask);
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

AST_KERNEL(hgt_wide_backward_2)(int rows, const T *AST_RESTRICT b39, const T *AST_RESTRICT b40, const T *AST_RESTRICT b47, T *AST_RESTRICT out30, T *AST_RESTRICT out50) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 1) {
    const int r = (int)(i / 1);
    const int k = (int)(i % 1);
    T v42_1 = b39[(i64)r * 1 + k];
    T v43_2 = -v42_1;
    T v47_3 = b40[(i64)r * 1 + k];
    T v51_4 = v43_2 + v47_3;
    T v33_5 = b47[(i64)r * 1 + k];
    T v37_6 = (T)1 - v33_5;
    T v52_7 = v33_5 * v37_6;
    T v53_8 = v51_4 * v52_7;
    out30[(i64)r * 1 + k] = v53_8;
  }
  if (i < (i64)rows * 1) {
    const int r = (int)(i / 1);
    const int k = (int)(i % 1);
    T v33_9 = b47[(i64)r * 1 + k];
    T v37_10 = (T)1 - v33_9;
    out50[(i64)r * 1 + k] = v37_10;
  }
}

AST_KERNEL(hgt_wide_backward_3)(int rows, T *AST_RESTRICT b35, const T *AST_RESTRICT b18, const T *AST_RESTRICT b47, const int *AST_RESTRICT type_of_dst) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v38_2 = ast_load4(b18 + (i64)r * 64 + k1);
  const int r_type = type_of_dst[r];
  const T v33_3 = ast_load(b47 + (i64)r_type);
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
      for (int j = 0; j < 64; j++) sum[q] += x[q][j] * w[q][j];
    }
  }
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    if (first + q < rows) out[(i64)row[q] * 64 + part * 64 + column] = sum[q];
  }
}

AST_CONST int hgt_wide_backward_6_table0[32] = {0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 16, 20, 24, 28, 16, 20, 24, 28, 16, 20, 24, 28, 16, 20, 24, 28};

AST_CONST int hgt_wide_backward_6_table1[32] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};

AST_CONST int hgt_wide_backward_6_table2[32] = {32, 36, 40, 44, 32, 36, 40, 44, 32, 36, 40, 44, 32, 36, 40, 44, 48, 52, 56, 60, 48, 52, 56, 60, 48, 52, 56, 60, 48, 52, 56, 60};

AST_KERNEL(hgt_wide_backward_6)(int rows, int hubs, T *AST_RESTRICT w0, int block0, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b3, const int *AST_RESTRICT neighbors, const int *AST_RESTRICT types, const T *AST_RESTRICT b6, const T *AST_RESTRICT b7, const T *AST_RESTRICT b8, const T *AST_RESTRICT b9, const T *AST_RESTRICT b41, const T *AST_RESTRICT b19, const T *AST_RESTRICT b12, const T *AST_RESTRICT b13, const T *AST_RESTRICT b2, T *AST_RESTRICT b37, const T *AST_RESTRICT b21, T *AST_RESTRICT b48, T *AST_RESTRICT b49) {
  const int lane = threadIdx.x % 32;
  const int group = threadIdx.x / 32;
  AST_SHARED T shared[1792];
  T *const stage = shared + (group) * 448;
  T *const sums = w0 + ((i64)(block0 + blockIdx.x) * 4 + group) * 16;
  for (int i = threadIdx.x % 32; i < 16; i += 32) sums[i] = 0;
  __syncwarp(0xffffffffu);
  const int k1 = (lane < 16 ? lane : 15) * 4;
  const int k48 = (lane < 4 ? lane : 3);
  const int k49 = (lane < 16 ? lane : 15) * 4 + 1;
  const int k50 = (lane < 16 ? lane : 15) * 4 + 2;
  const int k51 = (lane < 16 ? lane : 15) * 4 + 3;
  const int k91 = lane / 16 * 16;
  const int k93 = lane / 16;
  const int k110 = hgt_wide_backward_6_table0[lane];
  const int k113 = hgt_wide_backward_6_table1[lane];
  const int k117 = lane / 16 * 16 + 32;
  const int k119 = lane / 16 + 2;
  const int k136 = hgt_wide_backward_6_table2[lane];
  T s78_0 = 0;
  T s78_1 = 0;
  T s78_2 = 0;
  T s78_3 = 0;
  const int k146 = lane * 4;
  const int k147 = lane * 4 + 1;
  const int k148 = lane * 4 + 2;
  const int k149 = lane * 4 + 3;
  const int k150 = lane * 4 + 128;
  const int k151 = lane * 4 + 129;
  const int k152 = lane * 4 + 130;
  const int k153 = lane * 4 + 131;
  const int k155 = (lane < 16 ? lane : 15) / 4 * 64;
  const int k156 = (lane < 16 ? lane : 15) / 4 * 1024 + (lane < 16 ? lane : 15) % 4 * 4;
  const int k158 = (lane < 16 ? lane : 15) / 4 * 1024 + 1 + (lane < 16 ? lane : 15) % 4 * 4;
  const int k160 = (lane < 16 ? lane : 15) / 4 * 1024 + 2 + (lane < 16 ? lane : 15) % 4 * 4;
  const int k162 = (lane < 16 ? lane : 15) / 4 * 1024 + 3 + (lane < 16 ? lane : 15) % 4 * 4;
  const int k163 = (lane < 4 ? lane : 3) * 4;
  const int k164 = (lane < 4 ? lane : 3) * 4 + 1;
  const int k165 = (lane < 4 ? lane : 3) * 4 + 2;
  const int k166 = (lane < 4 ? lane : 3) * 4 + 3;
  for (int p = hubs + blockIdx.x * 4 + group; p < rows; p += gridDim.x * 4) {
    const int r = order[p];
    const int begin = offsets[r];
    const int end = offsets[r + 1];
    const T4 v8_4 = ast_load4(b6 + (i64)r * 64 + k1);
    const T4 v17_16 = ast_load4(b8 + (i64)r * 4);
    const T4 v21_19 = ast_load4(b9 + (i64)r * 4);
    const T4 v48_21 = ast_load4(b41 + (i64)r * 64 + k1);
    const T4 v49_22 = ast_load4(b19 + (i64)r * 64 + k1);
    T v50_23 = v48_21.x * v49_22.x;
    T v50_27 = v48_21.y * v49_22.y;
    T v50_30 = v48_21.z * v49_22.z;
    T v50_33 = v48_21.w * v49_22.w;
    const T4 v31_38 = ast_load4(b13 + (i64)r * 64 + k1);
    T v68_39 = v50_23 * v31_38.x;
    T v68_40 = v50_27 * v31_38.y;
    T v68_41 = v50_30 * v31_38.z;
    T v68_42 = v50_33 * v31_38.w;
    T v69_43 = (lane < 16 ? v68_39 : (T)0) + (lane < 16 ? v68_40 : (T)0) + (lane < 16 ? v68_41 : (T)0) + (lane < 16 ? v68_42 : (T)0);
    v69_43 += __shfl_xor_sync(0xffffffffu, v69_43, 1);
    v69_43 += __shfl_xor_sync(0xffffffffu, v69_43, 2);
    T v71_44 = v21_19.x * v69_43;
    __syncwarp(0xffffffffu);
    if (lane < 16) (stage + 128)[k1] = v68_39;
    if (lane < 16) (stage + 128)[k49] = v68_40;
    if (lane < 16) (stage + 128)[k50] = v68_41;
    if (lane < 16) (stage + 128)[k51] = v68_42;
    __syncwarp(0xffffffffu);
    T v69_60 = 0;
    for (int j = 0; j < 16; j++)
      v69_60 += (stage + 128)[16 + j];
    T v71_61 = v21_19.y * v69_60;
    T v69_73 = 0;
    for (int j = 0; j < 16; j++)
      v69_73 += (stage + 128)[32 + j];
    T v71_74 = v21_19.z * v69_73;
    T v69_86 = 0;
    for (int j = 0; j < 16; j++)
      v69_86 += (stage + 128)[48 + j];
    T v71_87 = v21_19.w * v69_86;
    const T v17_97 = ast_load(b8 + (i64)r * 4 + k93);
    const T v21_100 = ast_load(b9 + (i64)r * 4 + k93);
    T v69_104 = 0;
    for (int j = 0; j < 16; j++)
      v69_104 += (stage + 128)[k91 + j];
    T v71_105 = v21_100 * v69_104;
    const T v17_123 = ast_load(b8 + (i64)r * 4 + k119);
    const T v21_126 = ast_load(b9 + (i64)r * 4 + k119);
    T v69_130 = 0;
    for (int j = 0; j < 16; j++)
      v69_130 += (stage + 128)[k117 + j];
    T v71_131 = v21_126 * v69_130;
    T a76_0 = 0;
    T a76_1 = 0;
    T a76_2 = 0;
    T a76_3 = 0;
    T a85_0 = 0;
    T a85_1 = 0;
    T a85_2 = 0;
    T a85_3 = 0;
    T a85_4 = 0;
    T a85_5 = 0;
    T a85_6 = 0;
    T a85_7 = 0;
    for (int at = begin; at < end; at++) {
      const int u = ast_load(neighbors + at);
      const int e_type = ast_load(types + at);
      const T4 v4_2 = ast_load4(b3 + (i64)u * 256 + e_type * 64 + k1);
      const T4 v13_13 = ast_load4(b7 + (i64)e_type * 4);
      const T4 v29_24 = ast_load4(b12 + (i64)u * 256 + e_type * 64 + k1);
      const T v13_94 = ast_load(b7 + (i64)e_type * 4 + k93);
      const T4 v2_111 = ast_load4(b2 + (i64)u * 64 + k110);
      const T v13_120 = ast_load(b7 + (i64)e_type * 4 + k119);
      const T4 v2_137 = ast_load4(b2 + (i64)u * 64 + k136);
      T v5_3 = v4_2.x;
      T v10_5 = v5_3 * v8_4.x;
      T v5_6 = v4_2.y;
      T v10_7 = v5_6 * v8_4.y;
      T v5_8 = v4_2.z;
      T v10_9 = v5_8 * v8_4.z;
      T v5_10 = v4_2.w;
      T v10_11 = v5_10 * v8_4.w;
      T v11_12 = (lane < 16 ? v10_5 : (T)0) + (lane < 16 ? v10_7 : (T)0) + (lane < 16 ? v10_9 : (T)0) + (lane < 16 ? v10_11 : (T)0);
      v11_12 += __shfl_xor_sync(0xffffffffu, v11_12, 1);
      v11_12 += __shfl_xor_sync(0xffffffffu, v11_12, 2);
      T v14_14 = v11_12 * v13_13.x;
      T v16_15 = v14_14 * (T)0.25;
      T v18_17 = v16_15 - v17_16.x;
      T v19_18 = op_exp(v18_17);
      T v22_20 = v19_18 * v21_19.x;
      T v30_25 = v29_24.x;
      T v55_26 = v50_23 * v30_25;
      T v30_28 = v29_24.y;
      T v55_29 = v50_27 * v30_28;
      T v30_31 = v29_24.z;
      T v55_32 = v50_30 * v30_31;
      T v30_34 = v29_24.w;
      T v55_35 = v50_33 * v30_34;
      T v57_36 = (lane < 16 ? v55_26 : (T)0) + (lane < 16 ? v55_29 : (T)0) + (lane < 16 ? v55_32 : (T)0) + (lane < 16 ? v55_35 : (T)0);
      v57_36 += __shfl_xor_sync(0xffffffffu, v57_36, 1);
      v57_36 += __shfl_xor_sync(0xffffffffu, v57_36, 2);
      T v67_37 = v22_20 * v57_36;
      T v72_45 = v71_44 * v19_18;
      T v73_46 = v67_37 - v72_45;
      T v75_47 = v73_46 * v11_12;
      a76_0 += e_type == k48 ? v75_47 : (T)0;
      __syncwarp(0xffffffffu);
      if (lane < 16) stage[k1] = v10_5;
      if (lane < 16) stage[k49] = v10_7;
      if (lane < 16) stage[k50] = v10_9;
      if (lane < 16) stage[k51] = v10_11;
      __syncwarp(0xffffffffu);
      T v11_52 = 0;
      for (int j = 0; j < 16; j++)
        v11_52 += stage[16 + j];
      T v14_53 = v11_52 * v13_13.y;
      T v16_54 = v14_53 * (T)0.25;
      T v18_55 = v16_54 - v17_16.y;
      T v19_56 = op_exp(v18_55);
      T v22_57 = v19_56 * v21_19.y;
      __syncwarp(0xffffffffu);
      if (lane < 16) (stage + 64)[k1] = v55_26;
      if (lane < 16) (stage + 64)[k49] = v55_29;
      if (lane < 16) (stage + 64)[k50] = v55_32;
      if (lane < 16) (stage + 64)[k51] = v55_35;
      __syncwarp(0xffffffffu);
      T v57_58 = 0;
      for (int j = 0; j < 16; j++)
        v57_58 += (stage + 64)[16 + j];
      T v67_59 = v22_57 * v57_58;
      T v72_62 = v71_61 * v19_56;
      T v73_63 = v67_59 - v72_62;
      T v75_64 = v73_63 * v11_52;
      a76_1 += e_type == k48 ? v75_64 : (T)0;
      T v11_65 = 0;
      for (int j = 0; j < 16; j++)
        v11_65 += stage[32 + j];
      T v14_66 = v11_65 * v13_13.z;
      T v16_67 = v14_66 * (T)0.25;
      T v18_68 = v16_67 - v17_16.z;
      T v19_69 = op_exp(v18_68);
      T v22_70 = v19_69 * v21_19.z;
      T v57_71 = 0;
      for (int j = 0; j < 16; j++)
        v57_71 += (stage + 64)[32 + j];
      T v67_72 = v22_70 * v57_71;
      T v72_75 = v71_74 * v19_69;
      T v73_76 = v67_72 - v72_75;
      T v75_77 = v73_76 * v11_65;
      a76_2 += e_type == k48 ? v75_77 : (T)0;
      T v11_78 = 0;
      for (int j = 0; j < 16; j++)
        v11_78 += stage[48 + j];
      T v14_79 = v11_78 * v13_13.w;
      T v16_80 = v14_79 * (T)0.25;
      T v18_81 = v16_80 - v17_16.w;
      T v19_82 = op_exp(v18_81);
      T v22_83 = v19_82 * v21_19.w;
      T v57_84 = 0;
      for (int j = 0; j < 16; j++)
        v57_84 += (stage + 64)[48 + j];
      T v67_85 = v22_83 * v57_84;
      T v72_88 = v71_87 * v19_82;
      T v73_89 = v67_85 - v72_88;
      T v75_90 = v73_89 * v11_78;
      a76_3 += e_type == k48 ? v75_90 : (T)0;
      T v11_92 = 0;
      for (int j = 0; j < 16; j++)
        v11_92 += stage[k91 + j];
      T v14_95 = v11_92 * v13_94;
      T v16_96 = v14_95 * (T)0.25;
      T v18_98 = v16_96 - v17_97;
      T v19_99 = op_exp(v18_98);
      T v22_101 = v19_99 * v21_100;
      T v57_102 = 0;
      for (int j = 0; j < 16; j++)
        v57_102 += (stage + 64)[k91 + j];
      T v67_103 = v22_101 * v57_102;
      T v72_106 = v71_105 * v19_99;
      T v73_107 = v67_103 - v72_106;
      T v74_108 = v73_107 * (T)0.25;
      T v82_109 = v74_108 * v13_94;
      T v84_112 = v82_109 * v2_111.x;
      a85_0 += e_type == k113 ? v84_112 : (T)0;
      T v84_114 = v82_109 * v2_111.y;
      a85_1 += e_type == k113 ? v84_114 : (T)0;
      T v84_115 = v82_109 * v2_111.z;
      a85_2 += e_type == k113 ? v84_115 : (T)0;
      T v84_116 = v82_109 * v2_111.w;
      a85_3 += e_type == k113 ? v84_116 : (T)0;
      T v11_118 = 0;
      for (int j = 0; j < 16; j++)
        v11_118 += stage[k117 + j];
      T v14_121 = v11_118 * v13_120;
      T v16_122 = v14_121 * (T)0.25;
      T v18_124 = v16_122 - v17_123;
      T v19_125 = op_exp(v18_124);
      T v22_127 = v19_125 * v21_126;
      T v57_128 = 0;
      for (int j = 0; j < 16; j++)
        v57_128 += (stage + 64)[k117 + j];
      T v67_129 = v22_127 * v57_128;
      T v72_132 = v71_131 * v19_125;
      T v73_133 = v67_129 - v72_132;
      T v74_134 = v73_133 * (T)0.25;
      T v82_135 = v74_134 * v13_120;
      T v84_138 = v82_135 * v2_137.x;
      a85_4 += e_type == k113 ? v84_138 : (T)0;
      T v84_139 = v82_135 * v2_137.y;
      a85_5 += e_type == k113 ? v84_139 : (T)0;
      T v84_140 = v82_135 * v2_137.z;
      a85_6 += e_type == k113 ? v84_140 : (T)0;
      T v84_141 = v82_135 * v2_137.w;
      a85_7 += e_type == k113 ? v84_141 : (T)0;
    }
    T v77_142 = a76_0 * (T)0.25;
    s78_0 += v77_142;
    T v77_143 = a76_1 * (T)0.25;
    s78_1 += v77_143;
    T v77_144 = a76_2 * (T)0.25;
    s78_2 += v77_144;
    T v77_145 = a76_3 * (T)0.25;
    s78_3 += v77_145;
    __syncwarp(0xffffffffu);
    (stage + 192)[k146] = a85_0;
    (stage + 192)[k147] = a85_1;
    (stage + 192)[k148] = a85_2;
    (stage + 192)[k149] = a85_3;
    (stage + 192)[k150] = a85_4;
    (stage + 192)[k151] = a85_5;
    (stage + 192)[k152] = a85_6;
    (stage + 192)[k153] = a85_7;
    __syncwarp(0xffffffffu);
    T v90_154 = 0;
    T v90_157 = 0;
    T v90_159 = 0;
    T v90_161 = 0;
    for (int j = 0; j < 64; j++) {
      v90_154 += (stage + 192)[k155 + j] * ast_load(b21 + k156 + j * 16);
      v90_157 += (stage + 192)[k155 + j] * ast_load(b21 + k158 + j * 16);
      v90_159 += (stage + 192)[k155 + j] * ast_load(b21 + k160 + j * 16);
      v90_161 += (stage + 192)[k155 + j] * ast_load(b21 + k162 + j * 16);
    }
    if (lane < 16) ast_store4(b37 + (i64)r * 64 + k1, v90_154, v90_157, v90_159, v90_161);
    if (lane < 16) ast_store4(b48 + (i64)r * 64 + k1, v50_23, v50_27, v50_30, v50_33);
    if (lane < 1) ast_store4(b49 + (i64)r * 4, v71_44, v71_61, v71_74, v71_87);
  }
  if (lane < 4) sums[k163] = s78_0;
  if (lane < 4) sums[k164] = s78_1;
  if (lane < 4) sums[k165] = s78_2;
  if (lane < 4) sums[k166] = s78_3;
}

AST_KERNEL(hgt_wide_backward_6_sum1)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 4, 16, 16, out);
}

AST_KERNEL(hgt_wide_backward_7)(int rows, const T *AST_RESTRICT b33, T *AST_RESTRICT out27) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 4) {
    const int r = (int)(i / 4);
    const int k = (int)(i % 4);
    T v79_1 = b33[(i64)r * 4 + k];
    out27[(i64)r * 4 + k] = v79_1;
  }
}

AST_KERNEL(hgt_wide_backward_8_parts)(int rows, int parts, T *AST_RESTRICT sums, const int *AST_RESTRICT by_type_dst, const int *AST_RESTRICT type_of_dst, const T *AST_RESTRICT b4, const T *AST_RESTRICT b37) {
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

AST_KERNEL(hgt_wide_backward_8_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 12288, 12288, out);
}

AST_KERNEL(hgt_wide_backward_9)(int rows, T *AST_RESTRICT out, const T *AST_RESTRICT b37, const T *AST_RESTRICT b5, const int *AST_RESTRICT by_type_dst, const int *AST_RESTRICT type_of_dst) {
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
    x[q] = b37 + (i64)r * 64 + part * 64;
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
      for (int j = 0; j < 64; j++) sum[q] += x[q][j] * w[q][j];
    }
  }
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    if (first + q < rows) out[(i64)row[q] * 64 + part * 64 + column] = sum[q];
  }
}

AST_KERNEL(hgt_wide_backward_10)(int rows, T *AST_RESTRICT b51, const T *AST_RESTRICT b18, const T *AST_RESTRICT b50, const int *AST_RESTRICT type_of_dst, const T *AST_RESTRICT b43) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v38_2 = ast_load4(b18 + (i64)r * 64 + k1);
  const int r_type = type_of_dst[r];
  const T v37_3 = ast_load(b50 + (i64)r_type);
  T v40_4 = v38_2.x * v37_3;
  const T4 v92_5 = ast_load4(b43 + (i64)r * 64 + k1);
  T v102_6 = v40_4 + v92_5.x;
  T v40_7 = v38_2.y * v37_3;
  T v102_8 = v40_7 + v92_5.y;
  T v40_9 = v38_2.z * v37_3;
  T v102_10 = v40_9 + v92_5.z;
  T v40_11 = v38_2.w * v37_3;
  T v102_12 = v40_11 + v92_5.w;
  ast_store4(b51 + (i64)r * 64 + k1, v102_6, v102_8, v102_10, v102_12);
}

AST_CONST int hgt_wide_backward_11_table0[128] = {0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 16, 20, 24, 28, 16, 20, 24, 28, 16, 20, 24, 28, 16, 20, 24, 28, 32, 36, 40, 44, 32, 36, 40, 44, 32, 36, 40, 44, 32, 36, 40, 44, 48, 52, 56, 60, 48, 52, 56, 60, 48, 52, 56, 60, 48, 52, 56, 60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

AST_CONST int hgt_wide_backward_11_table1[128] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

AST_KERNEL(hgt_wide_backward_11)(int rows, int hubs, T *AST_RESTRICT w0, int block0, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b48, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b3, const int *AST_RESTRICT types, const T *AST_RESTRICT b6, const T *AST_RESTRICT b7, const T *AST_RESTRICT b8, const T *AST_RESTRICT b9, const T *AST_RESTRICT b12, const T *AST_RESTRICT b49, const T *AST_RESTRICT b11, const T *AST_RESTRICT b2, T *AST_RESTRICT b36, const T *AST_RESTRICT b20, T *AST_RESTRICT b38, const T *AST_RESTRICT b22) {
  const int lane = threadIdx.x % 128;
  const int group = threadIdx.x / 128;
  AST_SHARED T shared[640];
  T *const stage = shared + (group) * 640;
  T *const sums = w0 + ((i64)(block0 + blockIdx.x) * 1 + group) * 8192;
  for (int i = threadIdx.x % 128; i < 8192; i += 128) sums[i] = 0;
  __syncthreads();
  const int k1 = hgt_wide_backward_11_table0[lane];
  const int k3 = (lane < 16 ? lane : 15) * 4;
  const int k8 = (lane < 16 ? lane : 15) * 4 + 1;
  const int k11 = (lane < 16 ? lane : 15) * 4 + 2;
  const int k14 = (lane < 16 ? lane : 15) * 4 + 3;
  const int k17 = (lane < 64 ? lane : 63) / 16 * 16;
  const int k19 = (lane < 64 ? lane : 63) / 16;
  const int k29 = hgt_wide_backward_11_table1[lane];
  const int k56 = (lane < 64 ? lane : 63) * 4;
  const int k57 = (lane < 64 ? lane : 63) * 4 + 1;
  const int k58 = (lane < 64 ? lane : 63) * 4 + 2;
  const int k59 = (lane < 64 ? lane : 63) * 4 + 3;
  const int k60 = lane / 16;
  const int k61 = lane % 16 * 4;
  T s106_0 = 0;
  const int k62 = 1 + lane % 16 * 4;
  T s106_1 = 0;
  const int k63 = 2 + lane % 16 * 4;
  T s106_2 = 0;
  const int k64 = 3 + lane % 16 * 4;
  T s106_3 = 0;
  const int k65 = lane / 16 + 8;
  T s106_4 = 0;
  T s106_5 = 0;
  T s106_6 = 0;
  T s106_7 = 0;
  const int k66 = lane / 16 + 16;
  const int k67 = 64 + lane % 16 * 4;
  T s106_8 = 0;
  const int k68 = 65 + lane % 16 * 4;
  T s106_9 = 0;
  const int k69 = 66 + lane % 16 * 4;
  T s106_10 = 0;
  const int k70 = 67 + lane % 16 * 4;
  T s106_11 = 0;
  const int k71 = lane / 16 + 24;
  T s106_12 = 0;
  T s106_13 = 0;
  T s106_14 = 0;
  T s106_15 = 0;
  const int k72 = lane / 16 + 32;
  const int k73 = 128 + lane % 16 * 4;
  T s106_16 = 0;
  const int k74 = 129 + lane % 16 * 4;
  T s106_17 = 0;
  const int k75 = 130 + lane % 16 * 4;
  T s106_18 = 0;
  const int k76 = 131 + lane % 16 * 4;
  T s106_19 = 0;
  const int k77 = lane / 16 + 40;
  T s106_20 = 0;
  T s106_21 = 0;
  T s106_22 = 0;
  T s106_23 = 0;
  const int k78 = lane / 16 + 48;
  const int k79 = 192 + lane % 16 * 4;
  T s106_24 = 0;
  const int k80 = 193 + lane % 16 * 4;
  T s106_25 = 0;
  const int k81 = 194 + lane % 16 * 4;
  T s106_26 = 0;
  const int k82 = 195 + lane % 16 * 4;
  T s106_27 = 0;
  const int k83 = lane / 16 + 56;
  T s106_28 = 0;
  T s106_29 = 0;
  T s106_30 = 0;
  T s106_31 = 0;
  T s112_0 = 0;
  T s112_1 = 0;
  T s112_2 = 0;
  T s112_3 = 0;
  T s112_4 = 0;
  T s112_5 = 0;
  T s112_6 = 0;
  T s112_7 = 0;
  T s112_8 = 0;
  T s112_9 = 0;
  T s112_10 = 0;
  T s112_11 = 0;
  T s112_12 = 0;
  T s112_13 = 0;
  T s112_14 = 0;
  T s112_15 = 0;
  T s112_16 = 0;
  T s112_17 = 0;
  T s112_18 = 0;
  T s112_19 = 0;
  T s112_20 = 0;
  T s112_21 = 0;
  T s112_22 = 0;
  T s112_23 = 0;
  T s112_24 = 0;
  T s112_25 = 0;
  T s112_26 = 0;
  T s112_27 = 0;
  T s112_28 = 0;
  T s112_29 = 0;
  T s112_30 = 0;
  T s112_31 = 0;
  const int k85 = (lane < 16 ? lane : 15) / 4 * 64;
  const int k86 = (lane < 16 ? lane : 15) / 4 * 1024 + (lane < 16 ? lane : 15) % 4 * 4;
  const int k88 = (lane < 16 ? lane : 15) / 4 * 1024 + 1 + (lane < 16 ? lane : 15) % 4 * 4;
  const int k90 = (lane < 16 ? lane : 15) / 4 * 1024 + 2 + (lane < 16 ? lane : 15) % 4 * 4;
  const int k92 = (lane < 16 ? lane : 15) / 4 * 1024 + 3 + (lane < 16 ? lane : 15) % 4 * 4;
  const int k97 = lane * 4;
  const int k98 = lane * 4 + 1;
  const int k99 = lane * 4 + 2;
  const int k100 = lane * 4 + 3;
  const int k101 = lane * 4 + 512;
  const int k102 = lane * 4 + 513;
  const int k103 = lane * 4 + 514;
  const int k104 = lane * 4 + 515;
  const int k105 = lane * 4 + 1024;
  const int k106 = lane * 4 + 1025;
  const int k107 = lane * 4 + 1026;
  const int k108 = lane * 4 + 1027;
  const int k109 = lane * 4 + 1536;
  const int k110 = lane * 4 + 1537;
  const int k111 = lane * 4 + 1538;
  const int k112 = lane * 4 + 1539;
  const int k113 = lane * 4 + 2048;
  const int k114 = lane * 4 + 2049;
  const int k115 = lane * 4 + 2050;
  const int k116 = lane * 4 + 2051;
  const int k117 = lane * 4 + 2560;
  const int k118 = lane * 4 + 2561;
  const int k119 = lane * 4 + 2562;
  const int k120 = lane * 4 + 2563;
  const int k121 = lane * 4 + 3072;
  const int k122 = lane * 4 + 3073;
  const int k123 = lane * 4 + 3074;
  const int k124 = lane * 4 + 3075;
  const int k125 = lane * 4 + 3584;
  const int k126 = lane * 4 + 3585;
  const int k127 = lane * 4 + 3586;
  const int k128 = lane * 4 + 3587;
  for (int p = hubs + blockIdx.x * 1 + group; p < rows; p += gridDim.x * 1) {
    const int r = order[p];
    const int begin = offsets[r];
    const int end = offsets[r + 1];
    T a58_0 = 0;
    T a58_1 = 0;
    T a58_2 = 0;
    T a58_3 = 0;
    T a93_0 = 0;
    T a93_1 = 0;
    T a93_2 = 0;
    T a93_3 = 0;
    for (int at = begin; at < end; at++) {
      const int u = ast_load(neighbors + at);
      const T4 v50_2 = ast_load4(b48 + (i64)u * 64 + k1);
      const int e_type = ast_load(types + at);
      const T4 v4_4 = ast_load4(b3 + (i64)r * 256 + e_type * 64 + k3);
      const T4 v8_6 = ast_load4(b6 + (i64)u * 64 + k3);
      const T v13_20 = ast_load(b7 + (i64)e_type * 4 + k19);
      const T v17_23 = ast_load(b8 + (i64)u * 4 + k19);
      const T v21_26 = ast_load(b9 + (i64)u * 4 + k19);
      const T4 v50_34 = ast_load4(b48 + (i64)u * 64 + k3);
      const T4 v29_35 = ast_load4(b12 + (i64)r * 256 + e_type * 64 + k3);
      const T v71_46 = ast_load(b49 + (i64)u * 4 + k19);
      const T4 v8_51 = ast_load4(b6 + (i64)u * 64 + k1);
      T v5_5 = v4_4.x;
      T v10_7 = v5_5 * v8_6.x;
      T v5_9 = v4_4.y;
      T v10_10 = v5_9 * v8_6.y;
      T v5_12 = v4_4.z;
      T v10_13 = v5_12 * v8_6.z;
      T v5_15 = v4_4.w;
      T v10_16 = v5_15 * v8_6.w;
      __syncthreads();
      if (lane < 16) (stage + 256)[k3] = v10_7;
      if (lane < 16) (stage + 256)[k8] = v10_10;
      if (lane < 16) (stage + 256)[k11] = v10_13;
      if (lane < 16) (stage + 256)[k14] = v10_16;
      __syncthreads();
      T v11_18 = 0;
      for (int j = 0; j < 16; j++)
        v11_18 += (stage + 256)[k17 + j];
      T v14_21 = v11_18 * v13_20;
      T v16_22 = v14_21 * (T)0.25;
      T v18_24 = v16_22 - v17_23;
      T v19_25 = op_exp(v18_24);
      T v25_27 = v19_25 * v21_26;
      T v56_28 = v50_2.x * v25_27;
      a58_0 += e_type == k29 ? v56_28 : (T)0;
      T v56_30 = v50_2.y * v25_27;
      a58_1 += e_type == k29 ? v56_30 : (T)0;
      T v56_31 = v50_2.z * v25_27;
      a58_2 += e_type == k29 ? v56_31 : (T)0;
      T v56_32 = v50_2.w * v25_27;
      a58_3 += e_type == k29 ? v56_32 : (T)0;
      T v22_33 = v19_25 * v21_26;
      T v30_36 = v29_35.x;
      T v55_37 = v50_34.x * v30_36;
      T v30_38 = v29_35.y;
      T v55_39 = v50_34.y * v30_38;
      T v30_40 = v29_35.z;
      T v55_41 = v50_34.z * v30_40;
      T v30_42 = v29_35.w;
      T v55_43 = v50_34.w * v30_42;
      __syncthreads();
      if (lane < 16) (stage + 576)[k3] = v55_37;
      if (lane < 16) (stage + 576)[k8] = v55_39;
      if (lane < 16) (stage + 576)[k11] = v55_41;
      if (lane < 16) (stage + 576)[k14] = v55_43;
      __syncthreads();
      T v57_44 = 0;
      for (int j = 0; j < 16; j++)
        v57_44 += (stage + 576)[k17 + j];
      T v67_45 = v22_33 * v57_44;
      T v72_47 = v71_46 * v19_25;
      T v73_48 = v67_45 - v72_47;
      T v74_49 = v73_48 * (T)0.25;
      T v82_50 = v74_49 * v13_20;
      T v83_52 = v82_50 * v8_51.x;
      a93_0 += e_type == k29 ? v83_52 : (T)0;
      T v83_53 = v82_50 * v8_51.y;
      a93_1 += e_type == k29 ? v83_53 : (T)0;
      T v83_54 = v82_50 * v8_51.z;
      a93_2 += e_type == k29 ? v83_54 : (T)0;
      T v83_55 = v82_50 * v8_51.w;
      a93_3 += e_type == k29 ? v83_55 : (T)0;
    }
    __syncthreads();
    if (lane < 64) stage[k56] = a58_0;
    if (lane < 64) stage[k57] = a58_1;
    if (lane < 64) stage[k58] = a58_2;
    if (lane < 64) stage[k59] = a58_3;
    __syncthreads();
    s106_0 += (b11 + (i64)r * 64)[k60] * stage[k61];
    s106_1 += (b11 + (i64)r * 64)[k60] * stage[k62];
    s106_2 += (b11 + (i64)r * 64)[k60] * stage[k63];
    s106_3 += (b11 + (i64)r * 64)[k60] * stage[k64];
    s106_4 += (b11 + (i64)r * 64)[k65] * stage[k61];
    s106_5 += (b11 + (i64)r * 64)[k65] * stage[k62];
    s106_6 += (b11 + (i64)r * 64)[k65] * stage[k63];
    s106_7 += (b11 + (i64)r * 64)[k65] * stage[k64];
    s106_8 += (b11 + (i64)r * 64)[k66] * stage[k67];
    s106_9 += (b11 + (i64)r * 64)[k66] * stage[k68];
    s106_10 += (b11 + (i64)r * 64)[k66] * stage[k69];
    s106_11 += (b11 + (i64)r * 64)[k66] * stage[k70];
    s106_12 += (b11 + (i64)r * 64)[k71] * stage[k67];
    s106_13 += (b11 + (i64)r * 64)[k71] * stage[k68];
    s106_14 += (b11 + (i64)r * 64)[k71] * stage[k69];
    s106_15 += (b11 + (i64)r * 64)[k71] * stage[k70];
    s106_16 += (b11 + (i64)r * 64)[k72] * stage[k73];
    s106_17 += (b11 + (i64)r * 64)[k72] * stage[k74];
    s106_18 += (b11 + (i64)r * 64)[k72] * stage[k75];
    s106_19 += (b11 + (i64)r * 64)[k72] * stage[k76];
    s106_20 += (b11 + (i64)r * 64)[k77] * stage[k73];
    s106_21 += (b11 + (i64)r * 64)[k77] * stage[k74];
    s106_22 += (b11 + (i64)r * 64)[k77] * stage[k75];
    s106_23 += (b11 + (i64)r * 64)[k77] * stage[k76];
    s106_24 += (b11 + (i64)r * 64)[k78] * stage[k79];
    s106_25 += (b11 + (i64)r * 64)[k78] * stage[k80];
    s106_26 += (b11 + (i64)r * 64)[k78] * stage[k81];
    s106_27 += (b11 + (i64)r * 64)[k78] * stage[k82];
    s106_28 += (b11 + (i64)r * 64)[k83] * stage[k79];
    s106_29 += (b11 + (i64)r * 64)[k83] * stage[k80];
    s106_30 += (b11 + (i64)r * 64)[k83] * stage[k81];
    s106_31 += (b11 + (i64)r * 64)[k83] * stage[k82];
    __syncthreads();
    if (lane < 64) (stage + 320)[k56] = a93_0;
    if (lane < 64) (stage + 320)[k57] = a93_1;
    if (lane < 64) (stage + 320)[k58] = a93_2;
    if (lane < 64) (stage + 320)[k59] = a93_3;
    __syncthreads();
    s112_0 += (b2 + (i64)r * 64)[k60] * (stage + 320)[k61];
    s112_1 += (b2 + (i64)r * 64)[k60] * (stage + 320)[k62];
    s112_2 += (b2 + (i64)r * 64)[k60] * (stage + 320)[k63];
    s112_3 += (b2 + (i64)r * 64)[k60] * (stage + 320)[k64];
    s112_4 += (b2 + (i64)r * 64)[k65] * (stage + 320)[k61];
    s112_5 += (b2 + (i64)r * 64)[k65] * (stage + 320)[k62];
    s112_6 += (b2 + (i64)r * 64)[k65] * (stage + 320)[k63];
    s112_7 += (b2 + (i64)r * 64)[k65] * (stage + 320)[k64];
    s112_8 += (b2 + (i64)r * 64)[k66] * (stage + 320)[k67];
    s112_9 += (b2 + (i64)r * 64)[k66] * (stage + 320)[k68];
    s112_10 += (b2 + (i64)r * 64)[k66] * (stage + 320)[k69];
    s112_11 += (b2 + (i64)r * 64)[k66] * (stage + 320)[k70];
    s112_12 += (b2 + (i64)r * 64)[k71] * (stage + 320)[k67];
    s112_13 += (b2 + (i64)r * 64)[k71] * (stage + 320)[k68];
    s112_14 += (b2 + (i64)r * 64)[k71] * (stage + 320)[k69];
    s112_15 += (b2 + (i64)r * 64)[k71] * (stage + 320)[k70];
    s112_16 += (b2 + (i64)r * 64)[k72] * (stage + 320)[k73];
    s112_17 += (b2 + (i64)r * 64)[k72] * (stage + 320)[k74];
    s112_18 += (b2 + (i64)r * 64)[k72] * (stage + 320)[k75];
    s112_19 += (b2 + (i64)r * 64)[k72] * (stage + 320)[k76];
    s112_20 += (b2 + (i64)r * 64)[k77] * (stage + 320)[k73];
    s112_21 += (b2 + (i64)r * 64)[k77] * (stage + 320)[k74];
    s112_22 += (b2 + (i64)r * 64)[k77] * (stage + 320)[k75];
    s112_23 += (b2 + (i64)r * 64)[k77] * (stage + 320)[k76];
    s112_24 += (b2 + (i64)r * 64)[k78] * (stage + 320)[k79];
    s112_25 += (b2 + (i64)r * 64)[k78] * (stage + 320)[k80];
    s112_26 += (b2 + (i64)r * 64)[k78] * (stage + 320)[k81];
    s112_27 += (b2 + (i64)r * 64)[k78] * (stage + 320)[k82];
    s112_28 += (b2 + (i64)r * 64)[k83] * (stage + 320)[k79];
    s112_29 += (b2 + (i64)r * 64)[k83] * (stage + 320)[k80];
    s112_30 += (b2 + (i64)r * 64)[k83] * (stage + 320)[k81];
    s112_31 += (b2 + (i64)r * 64)[k83] * (stage + 320)[k82];
    T v63_84 = 0;
    T v63_87 = 0;
    T v63_89 = 0;
    T v63_91 = 0;
    for (int j = 0; j < 64; j++) {
      v63_84 += stage[k85 + j] * ast_load(b20 + k86 + j * 16);
      v63_87 += stage[k85 + j] * ast_load(b20 + k88 + j * 16);
      v63_89 += stage[k85 + j] * ast_load(b20 + k90 + j * 16);
      v63_91 += stage[k85 + j] * ast_load(b20 + k92 + j * 16);
    }
    if (lane < 16) ast_store4(b36 + (i64)r * 64 + k3, v63_84, v63_87, v63_89, v63_91);
    T v98_93 = 0;
    T v98_94 = 0;
    T v98_95 = 0;
    T v98_96 = 0;
    for (int j = 0; j < 64; j++) {
      v98_93 += (stage + 320)[k85 + j] * ast_load(b22 + k86 + j * 16);
      v98_94 += (stage + 320)[k85 + j] * ast_load(b22 + k88 + j * 16);
      v98_95 += (stage + 320)[k85 + j] * ast_load(b22 + k90 + j * 16);
      v98_96 += (stage + 320)[k85 + j] * ast_load(b22 + k92 + j * 16);
    }
    if (lane < 16) ast_store4(b38 + (i64)r * 64 + k3, v98_93, v98_94, v98_95, v98_96);
  }
  sums[k97] = s106_0;
  sums[k98] = s106_1;
  sums[k99] = s106_2;
  sums[k100] = s106_3;
  sums[k101] = s106_4;
  sums[k102] = s106_5;
  sums[k103] = s106_6;
  sums[k104] = s106_7;
  sums[k105] = s106_8;
  sums[k106] = s106_9;
  sums[k107] = s106_10;
  sums[k108] = s106_11;
  sums[k109] = s106_12;
  sums[k110] = s106_13;
  sums[k111] = s106_14;
  sums[k112] = s106_15;
  sums[k113] = s106_16;
  sums[k114] = s106_17;
  sums[k115] = s106_18;
  sums[k116] = s106_19;
  sums[k117] = s106_20;
  sums[k118] = s106_21;
  sums[k119] = s106_22;
  sums[k120] = s106_23;
  sums[k121] = s106_24;
  sums[k122] = s106_25;
  sums[k123] = s106_26;
  sums[k124] = s106_27;
  sums[k125] = s106_28;
  sums[k126] = s106_29;
  sums[k127] = s106_30;
  sums[k128] = s106_31;
  sums[4096 + k97] = s112_0;
  sums[4096 + k98] = s112_1;
  sums[4096 + k99] = s112_2;
  sums[4096 + k100] = s112_3;
  sums[4096 + k101] = s112_4;
  sums[4096 + k102] = s112_5;
  sums[4096 + k103] = s112_6;
  sums[4096 + k104] = s112_7;
  sums[4096 + k105] = s112_8;
  sums[4096 + k106] = s112_9;
  sums[4096 + k107] = s112_10;
  sums[4096 + k108] = s112_11;
  sums[4096 + k109] = s112_12;
  sums[4096 + k110] = s112_13;
  sums[4096 + k111] = s112_14;
  sums[4096 + k112] = s112_15;
  sums[4096 + k113] = s112_16;
  sums[4096 + k114] = s112_17;
  sums[4096 + k115] = s112_18;
  sums[4096 + k116] = s112_19;
  sums[4096 + k117] = s112_20;
  sums[4096 + k118] = s112_21;
  sums[4096 + k119] = s112_22;
  sums[4096 + k120] = s112_23;
  sums[4096 + k121] = s112_24;
  sums[4096 + k122] = s112_25;
  sums[4096 + k123] = s112_26;
  sums[4096 + k124] = s112_27;
  sums[4096 + k125] = s112_28;
  sums[4096 + k126] = s112_29;
  sums[4096 + k127] = s112_30;
  sums[4096 + k128] = s112_31;
}

AST_KERNEL(hgt_wide_backward_11_sum1)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 8192, 4096, out);
}

AST_KERNEL(hgt_wide_backward_11_sum2)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 4096, blocks * 1, 8192, 4096, out);
}

AST_KERNEL(hgt_wide_backward_12)(int rows, const T *AST_RESTRICT b46, T *AST_RESTRICT out32, const T *AST_RESTRICT b45, T *AST_RESTRICT out34) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 4096) {
    const int k = (int)(i % 4096);
    const int k1 = k / 1024 * 16 + k / 256 % 4 * 1024 + k / 16 % 16 * 64 + k % 16;
    T v112_2 = b46[k1];
    out32[k] = v112_2;
  }
  if (i < (i64)rows * 4096) {
    const int k = (int)(i % 4096);
    const int k3 = k / 1024 * 16 + k / 256 % 4 * 1024 + k / 16 % 16 * 64 + k % 16;
    T v106_4 = b45[k3];
    out34[k] = v106_4;
  }
}

AST_KERNEL(hgt_wide_backward_13)(int rows, const T *AST_RESTRICT b32, T *AST_RESTRICT out25, const T *AST_RESTRICT b34, T *AST_RESTRICT out29) {
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

AST_KERNEL(hgt_wide_backward_14_parts)(int rows, int parts, T *AST_RESTRICT sums, const int *AST_RESTRICT by_type_src, const int *AST_RESTRICT type_of_src, const T *AST_RESTRICT b0, const T *AST_RESTRICT b36) {
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
    const T *y = b36 + (i64)r * 64 + i / 1024 * 64 + i % 64;
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

AST_KERNEL(hgt_wide_backward_14_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 12288, 12288, out);
}

AST_KERNEL(hgt_wide_backward_15)(int rows, T *AST_RESTRICT out, const T *AST_RESTRICT b36, const T *AST_RESTRICT b10, const int *AST_RESTRICT by_type_src, const int *AST_RESTRICT type_of_src) {
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
    x[q] = b36 + (i64)r * 64 + part * 64;
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
      for (int j = 0; j < 64; j++) sum[q] += x[q][j] * w[q][j];
    }
  }
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    if (first + q < rows) out[(i64)row[q] * 64 + part * 64 + column] = sum[q];
  }
}

AST_KERNEL(hgt_wide_backward_16_parts)(int rows, int parts, T *AST_RESTRICT sums, const int *AST_RESTRICT by_type_src, const int *AST_RESTRICT type_of_src, const T *AST_RESTRICT b0, const T *AST_RESTRICT b38) {
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
    const T *y = b38 + (i64)r * 64 + i / 1024 * 64 + i % 64;
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

AST_KERNEL(hgt_wide_backward_16_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 12288, 12288, out);
}

AST_KERNEL(hgt_wide_backward_17)(int rows, T *AST_RESTRICT out, const T *AST_RESTRICT b38, const T *AST_RESTRICT b1, const int *AST_RESTRICT by_type_src, const int *AST_RESTRICT type_of_src) {
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
    x[q] = b38 + (i64)r * 64 + part * 64;
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
      for (int j = 0; j < 64; j++) sum[q] += x[q][j] * w[q][j];
    }
  }
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    if (first + q < rows) out[(i64)row[q] * 64 + part * 64 + column] = sum[q];
  }
}

AST_KERNEL(hgt_wide_backward_18)(int rows, T *AST_RESTRICT b23, const T *AST_RESTRICT b42, const T *AST_RESTRICT b44, const T *AST_RESTRICT b51) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v65_2 = ast_load4(b42 + (i64)r * 64 + k1);
  const T4 v100_3 = ast_load4(b44 + (i64)r * 64 + k1);
  T v101_4 = v65_2.x + v100_3.x;
  const T4 v103_5 = ast_load4(b51 + (i64)r * 64 + k1);
  T v104_6 = v101_4 + v103_5.x;
  T v101_7 = v65_2.y + v100_3.y;
  T v104_8 = v101_7 + v103_5.y;
  T v101_9 = v65_2.z + v100_3.z;
  T v104_10 = v101_9 + v103_5.z;
  T v101_11 = v65_2.w + v100_3.w;
  T v104_12 = v101_11 + v103_5.w;
  ast_store4(b23 + (i64)r * 64 + k1, v104_6, v104_8, v104_10, v104_12);
}
