
AST_KERNEL(sage_mean_wide_forward_0)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b0, const int *AST_RESTRICT neighbors, T *AST_RESTRICT b6) {
  const int lane = threadIdx.x % 16;
  const int slot = threadIdx.x / 16 % 2;
  const int group = threadIdx.x / 32;
  const int k1 = lane * 4;
  const int p = hubs + blockIdx.x * 4 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  T a1_0 = 0;
  T a1_1 = 0;
  T a1_2 = 0;
  T a1_3 = 0;
  for (int at = begin + slot; at < end; at += 8) {
    int u[4];
    T4 v0_2[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 2 < end ? at + q * 2 : end - 1;
      u[q] = ast_load(neighbors + e);
      v0_2[q] = ast_load4(b0 + (i64)u[q] * 64 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 2 < end) {
        a1_0 += v0_2[q].x;
        a1_1 += v0_2[q].y;
        a1_2 += v0_2[q].z;
        a1_3 += v0_2[q].w;
      }
    }
  }
  a1_0 += __shfl_xor_sync(0xffffffffu, a1_0, 16);
  a1_1 += __shfl_xor_sync(0xffffffffu, a1_1, 16);
  a1_2 += __shfl_xor_sync(0xffffffffu, a1_2, 16);
  a1_3 += __shfl_xor_sync(0xffffffffu, a1_3, 16);
  T v2_3 = (T)(offsets[r + 1] - offsets[r]);
  T v4_4 = op_maxof(v2_3, (T)1);
  T v5_5 = 1 / v4_4;
  T v6_6 = a1_0 * v5_5;
  T v6_7 = a1_1 * v5_5;
  T v6_8 = a1_2 * v5_5;
  T v6_9 = a1_3 * v5_5;
  if (slot == 0) ast_store4(b6 + (i64)r * 64 + k1, v6_6, v6_7, v6_8, v6_9);
}

AST_KERNEL(sage_mean_wide_forward_3)(int rows, T *AST_RESTRICT b5, const T *AST_RESTRICT b7, const T *AST_RESTRICT b8, const T *AST_RESTRICT b4) {
  const int lane = threadIdx.x % 8;
  const int group = threadIdx.x / 8;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 16 + group;
  if (r >= rows) return;
  const T4 v9_2 = ast_load4(b7 + (i64)r * 32 + k1);
  const T4 v11_3 = ast_load4(b8 + (i64)r * 32 + k1);
  T v12_4 = v9_2.x + v11_3.x;
  const T4 v13_5 = ast_load4(b4 + k1);
  T v14_6 = v12_4 + v13_5.x;
  T v12_7 = v9_2.y + v11_3.y;
  T v14_8 = v12_7 + v13_5.y;
  T v12_9 = v9_2.z + v11_3.z;
  T v14_10 = v12_9 + v13_5.z;
  T v12_11 = v9_2.w + v11_3.w;
  T v14_12 = v12_11 + v13_5.w;
  ast_store4(b5 + (i64)r * 32 + k1, v14_6, v14_8, v14_10, v14_12);
}

AST_KERNEL(sage_mean_wide_backward_0_parts)(int rows, int parts, T *AST_RESTRICT sums, const T *AST_RESTRICT b4) {
  const int part = blockIdx.x / 1, i = blockIdx.x % 1 * 256 + threadIdx.x;
  if (i >= 32) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 32 + i;
  T sum0 = 0;
  for (int n = begin; n < end; n++) {
    const int r = n;
    T v8_1 = b4[(i64)r * 32 + i];
    sum0 += v8_1;
  }
  to[0] = sum0;
}

AST_KERNEL(sage_mean_wide_backward_0_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 32, 32, out);
}

AST_KERNEL(sage_mean_wide_backward_5)(int rows, T *AST_RESTRICT b11, const T *AST_RESTRICT b9, const int *AST_RESTRICT offsets) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v10_2 = ast_load4(b9 + (i64)r * 64 + k1);
  T v0_3 = (T)(offsets[r + 1] - offsets[r]);
  T v2_4 = op_maxof(v0_3, (T)1);
  T v3_5 = 1 / v2_4;
  T v12_6 = v10_2.x * v3_5;
  T v12_7 = v10_2.y * v3_5;
  T v12_8 = v10_2.z * v3_5;
  T v12_9 = v10_2.w * v3_5;
  ast_store4(b11 + (i64)r * 64 + k1, v12_6, v12_7, v12_8, v12_9);
}

AST_KERNEL(sage_mean_wide_backward_6)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b11, const int *AST_RESTRICT neighbors, T *AST_RESTRICT b5, const T *AST_RESTRICT b10) {
  const int lane = threadIdx.x % 16;
  const int slot = threadIdx.x / 16 % 2;
  const int group = threadIdx.x / 32;
  const int k1 = lane * 4;
  const int p = hubs + blockIdx.x * 4 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  T a13_0 = 0;
  T a13_1 = 0;
  T a13_2 = 0;
  T a13_3 = 0;
  for (int at = begin + slot; at < end; at += 8) {
    int u[4];
    T4 v12_2[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 2 < end ? at + q * 2 : end - 1;
      u[q] = ast_load(neighbors + e);
      v12_2[q] = ast_load4(b11 + (i64)u[q] * 64 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 2 < end) {
        a13_0 += v12_2[q].x;
        a13_1 += v12_2[q].y;
        a13_2 += v12_2[q].z;
        a13_3 += v12_2[q].w;
      }
    }
  }
  a13_0 += __shfl_xor_sync(0xffffffffu, a13_0, 16);
  a13_1 += __shfl_xor_sync(0xffffffffu, a13_1, 16);
  a13_2 += __shfl_xor_sync(0xffffffffu, a13_2, 16);
  a13_3 += __shfl_xor_sync(0xffffffffu, a13_3, 16);
  const T4 v14_3 = ast_load4(b10 + (i64)r * 64 + k1);
  T v15_4 = a13_0 + v14_3.x;
  T v15_5 = a13_1 + v14_3.y;
  T v15_6 = a13_2 + v14_3.z;
  T v15_7 = a13_3 + v14_3.w;
  if (slot == 0) ast_store4(b5 + (i64)r * 64 + k1, v15_4, v15_5, v15_6, v15_7);
}
