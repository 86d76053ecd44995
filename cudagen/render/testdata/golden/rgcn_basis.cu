
AST_KERNEL(rgcn_basis_wide_forward_0)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const int *AST_RESTRICT types, T *AST_RESTRICT b8, const T *AST_RESTRICT b0, const int *AST_RESTRICT neighbors) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k8 = lane * 4;
  const int p = hubs + blockIdx.x * 8 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  int type1 = 0;
  int begun1 = begin;
  T a12_0 = 0;
  T a12_1 = 0;
  T a12_2 = 0;
  T a12_3 = 0;
  for (int at = begin; at < end; at += 4) {
    int e_type[4];
    int u[4];
    T4 v0_9[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q < end ? at + q : end - 1;
      e_type[q] = ast_load(types + e);
      u[q] = ast_load(neighbors + e);
      v0_9[q] = ast_load4(b0 + (i64)u[q] * 64 + k8);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q < end) {
        AST_ROLLED
        for (; type1 < e_type[q]; type1++) {
          T v6_1 = (T)(at + q - begun1);
          T v7_2 = 1 / v6_1;
          T v11_3 = v6_1 != 0 ? v7_2 : (T)0;
          T v13_4 = a12_0 * v11_3;
          T v13_5 = a12_1 * v11_3;
          T v13_6 = a12_2 * v11_3;
          T v13_7 = a12_3 * v11_3;
          ast_store4(b8 + (i64)r * 256 + type1 * 64 + k8, v13_4, v13_5, v13_6, v13_7);
          a12_0 = 0;
          a12_1 = 0;
          a12_2 = 0;
          a12_3 = 0;
          begun1 = at + q;
        }
        a12_0 += v0_9[q].x;
        a12_1 += v0_9[q].y;
        a12_2 += v0_9[q].z;
        a12_3 += v0_9[q].w;
      }
    }
  }
  AST_ROLLED
  for (; type1 < 4; type1++) {
    T v6_10 = (T)(end - begun1);
    T v7_11 = 1 / v6_10;
    T v11_12 = v6_10 != 0 ? v7_11 : (T)0;
    T v13_13 = a12_0 * v11_12;
    T v13_14 = a12_1 * v11_12;
    T v13_15 = a12_2 * v11_12;
    T v13_16 = a12_3 * v11_12;
    ast_store4(b8 + (i64)r * 256 + type1 * 64 + k8, v13_13, v13_14, v13_15, v13_16);
    a12_0 = 0;
    a12_1 = 0;
    a12_2 = 0;
    a12_3 = 0;
    begun1 = end;
  }
}

AST_KERNEL(rgcn_basis_wide_forward_3)(int rows, const T *AST_RESTRICT b9, T *AST_RESTRICT out7) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 8192) {
    const int k = (int)(i % 8192);
    const int k1 = k / 2048 * 2048 + k / 64 % 32 + k % 64 * 32;
    T v15_2 = b9[k1];
    out7[k] = v15_2;
  }
}

AST_KERNEL(rgcn_basis_wide_forward_5)(int rows, T *AST_RESTRICT b6, const T *AST_RESTRICT b10, const T *AST_RESTRICT b11, const T *AST_RESTRICT b5) {
  const int lane = threadIdx.x % 8;
  const int group = threadIdx.x / 8;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 16 + group;
  if (r >= rows) return;
  const T4 v17_2 = ast_load4(b10 + (i64)r * 32 + k1);
  const T4 v20_3 = ast_load4(b11 + (i64)r * 32 + k1);
  T v21_4 = v17_2.x + v20_3.x;
  const T4 v22_5 = ast_load4(b5 + k1);
  T v23_6 = v21_4 + v22_5.x;
  T v21_7 = v17_2.y + v20_3.y;
  T v23_8 = v21_7 + v22_5.y;
  T v21_9 = v17_2.z + v20_3.z;
  T v23_10 = v21_9 + v22_5.z;
  T v21_11 = v17_2.w + v20_3.w;
  T v23_12 = v21_11 + v22_5.w;
  ast_store4(b6 + (i64)r * 32 + k1, v23_6, v23_8, v23_10, v23_12);
}

AST_KERNEL(rgcn_basis_wide_backward_0)(int rows, T *AST_RESTRICT b17, const int *AST_RESTRICT offsets, const int *AST_RESTRICT types) {
  const int group = threadIdx.x / 1;
  const int r = blockIdx.x * 128 + group;
  if (r >= rows) return;
  T v4_1 = (T)ast_count(types, offsets[r], offsets[r + 1], 0);
  T v5_2 = 1 / v4_1;
  T v4_3 = (T)ast_count(types, offsets[r], offsets[r + 1], 1);
  T v5_4 = 1 / v4_3;
  T v4_5 = (T)ast_count(types, offsets[r], offsets[r + 1], 2);
  T v5_6 = 1 / v4_5;
  T v4_7 = (T)ast_count(types, offsets[r], offsets[r + 1], 3);
  T v5_8 = 1 / v4_7;
  ast_store4(b17 + (i64)r * 4, v5_2, v5_4, v5_6, v5_8);
}

AST_KERNEL(rgcn_basis_wide_backward_1_parts)(int rows, int parts, T *AST_RESTRICT sums, const T *AST_RESTRICT b5) {
  const int part = blockIdx.x / 1, i = blockIdx.x % 1 * 256 + threadIdx.x;
  if (i >= 32) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 32 + i;
  T sum0 = 0;
  for (int n = begin; n < end; n++) {
    const int r = n;
    T v9_1 = b5[(i64)r * 32 + i];
    sum0 += v9_1;
  }
  to[0] = sum0;
}

AST_KERNEL(rgcn_basis_wide_backward_1_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 32, 32, out);
}

AST_KERNEL(rgcn_basis_wide_backward_4)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const int *AST_RESTRICT types, T *AST_RESTRICT b12, const T *AST_RESTRICT b5, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b17) {
  const int lane = threadIdx.x % 8;
  const int group = threadIdx.x / 8;
  const int k1 = lane * 4;
  const int p = hubs + blockIdx.x * 16 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  int type1 = 0;
  T a13_0 = 0;
  T a13_1 = 0;
  T a13_2 = 0;
  T a13_3 = 0;
  for (int at = begin; at < end; at += 4) {
    int e_type[4];
    int u[4];
    T4 v9_2[4];
    T v5_3[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q < end ? at + q : end - 1;
      e_type[q] = ast_load(types + e);
      u[q] = ast_load(neighbors + e);
      v9_2[q] = ast_load4(b5 + (i64)u[q] * 32 + k1);
      v5_3[q] = ast_load(b17 + (i64)u[q] * 4 + e_type[q]);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q < end) {
        AST_ROLLED
        for (; type1 < e_type[q]; type1++) {
          ast_store4(b12 + (i64)r * 128 + type1 * 32 + k1, a13_0, a13_1, a13_2, a13_3);
          a13_0 = 0;
          a13_1 = 0;
          a13_2 = 0;
          a13_3 = 0;
        }
        T v6_4 = v5_3[q];
        T v12_5 = v9_2[q].x * v6_4;
        a13_0 += v12_5;
        T v12_6 = v9_2[q].y * v6_4;
        a13_1 += v12_6;
        T v12_7 = v9_2[q].z * v6_4;
        a13_2 += v12_7;
        T v12_8 = v9_2[q].w * v6_4;
        a13_3 += v12_8;
      }
    }
  }
  AST_ROLLED
  for (; type1 < 4; type1++) {
    ast_store4(b12 + (i64)r * 128 + type1 * 32 + k1, a13_0, a13_1, a13_2, a13_3);
    a13_0 = 0;
    a13_1 = 0;
    a13_2 = 0;
    a13_3 = 0;
  }
}

AST_KERNEL(rgcn_basis_wide_backward_7)(int rows, const T *AST_RESTRICT b16, T *AST_RESTRICT out13) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 8192) {
    const int k = (int)(i % 8192);
    const int k1 = k / 2048 * 32 + k / 32 % 64 * 128 + k % 32;
    T v21_2 = b16[k1];
    out13[k] = v21_2;
  }
}

AST_KERNEL(rgcn_basis_wide_backward_8)(int rows, T *AST_RESTRICT b7, const T *AST_RESTRICT b15, const T *AST_RESTRICT b14) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v17_2 = ast_load4(b15 + (i64)r * 64 + k1);
  const T4 v18_3 = ast_load4(b14 + (i64)r * 64 + k1);
  T v19_4 = v17_2.x + v18_3.x;
  T v19_5 = v17_2.y + v18_3.y;
  T v19_6 = v17_2.z + v18_3.z;
  T v19_7 = v17_2.w + v18_3.w;
  ast_store4(b7 + (i64)r * 64 + k1, v19_4, v19_5, v19_6, v19_7);
}
