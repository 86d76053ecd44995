
AST_KERNEL(gin_wide_forward_0)(int rows, const T *AST_RESTRICT b1, T *AST_RESTRICT out13) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 1) {
    const int k = (int)(i % 1);
    T v1_1 = b1[k];
    T v3_2 = v1_1 + (T)1;
    out13[k] = v3_2;
  }
}

AST_KERNEL(gin_wide_forward_1)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b2, const int *AST_RESTRICT neighbors, T *AST_RESTRICT b8, const T *AST_RESTRICT b0, const T *AST_RESTRICT b13) {
  const int lane = threadIdx.x % 16;
  const int slot = threadIdx.x / 16 % 2;
  const int group = threadIdx.x / 32;
  const int k1 = lane * 4;
  const int p = hubs + blockIdx.x * 4 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  T a6_0 = 0;
  T a6_1 = 0;
  T a6_2 = 0;
  T a6_3 = 0;
  for (int at = begin + slot; at < end; at += 8) {
    int u[4];
    T4 v5_2[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 2 < end ? at + q * 2 : end - 1;
      u[q] = ast_load(neighbors + e);
      v5_2[q] = ast_load4(b2 + (i64)u[q] * 64 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 2 < end) {
        a6_0 += v5_2[q].x;
        a6_1 += v5_2[q].y;
        a6_2 += v5_2[q].z;
        a6_3 += v5_2[q].w;
      }
    }
  }
  a6_0 += __shfl_xor_sync(0xffffffffu, a6_0, 16);
  a6_1 += __shfl_xor_sync(0xffffffffu, a6_1, 16);
  a6_2 += __shfl_xor_sync(0xffffffffu, a6_2, 16);
  a6_3 += __shfl_xor_sync(0xffffffffu, a6_3, 16);
  const T4 v0_3 = ast_load4(b0 + (i64)r * 64 + k1);
  const T v3_4 = ast_load(b13);
  T v4_5 = v0_3.x * v3_4;
  T v7_6 = v4_5 + a6_0;
  T v4_7 = v0_3.y * v3_4;
  T v7_8 = v4_7 + a6_1;
  T v4_9 = v0_3.z * v3_4;
  T v7_10 = v4_9 + a6_2;
  T v4_11 = v0_3.w * v3_4;
  T v7_12 = v4_11 + a6_3;
  if (slot == 0) ast_store4(b8 + (i64)r * 64 + k1, v7_6, v7_8, v7_10, v7_12);
}

AST_KERNEL(gin_wide_forward_3)(int rows, T *AST_RESTRICT b9, const T *AST_RESTRICT b11, const T *AST_RESTRICT b4, T *AST_RESTRICT b10) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = (lane < 12 ? lane : 11) * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v9_2 = ast_load4(b11 + (i64)r * 48 + k1);
  const T4 v10_3 = ast_load4(b4 + k1);
  T v11_4 = v9_2.x + v10_3.x;
  T v12_5 = op_relu(v11_4);
  T v11_6 = v9_2.y + v10_3.y;
  T v12_7 = op_relu(v11_6);
  T v11_8 = v9_2.z + v10_3.z;
  T v12_9 = op_relu(v11_8);
  T v11_10 = v9_2.w + v10_3.w;
  T v12_11 = op_relu(v11_10);
  if (lane < 12) ast_store4(b9 + (i64)r * 48 + k1, v12_5, v12_7, v12_9, v12_11);
  T v18_12 = v11_4 > (T)0 ? (T)1 : (T)0;
  T v18_13 = v11_6 > (T)0 ? (T)1 : (T)0;
  T v18_14 = v11_8 > (T)0 ? (T)1 : (T)0;
  T v18_15 = v11_10 > (T)0 ? (T)1 : (T)0;
  if (lane < 12) ast_store4(b10 + (i64)r * 48 + k1, v18_12, v18_13, v18_14, v18_15);
}

AST_KERNEL(gin_wide_forward_5)(int rows, T *AST_RESTRICT b7, const T *AST_RESTRICT b12, const T *AST_RESTRICT b6) {
  const int lane = threadIdx.x % 8;
  const int group = threadIdx.x / 8;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 16 + group;
  if (r >= rows) return;
  const T4 v14_2 = ast_load4(b12 + (i64)r * 32 + k1);
  const T4 v15_3 = ast_load4(b6 + k1);
  T v16_4 = v14_2.x + v15_3.x;
  T v16_5 = v14_2.y + v15_3.y;
  T v16_6 = v14_2.z + v15_3.z;
  T v16_7 = v14_2.w + v15_3.w;
  ast_store4(b7 + (i64)r * 32 + k1, v16_4, v16_5, v16_6, v16_7);
}

AST_KERNEL(gin_wide_backward_0_parts)(int rows, int parts, T *AST_RESTRICT sums, const T *AST_RESTRICT b6) {
  const int part = blockIdx.x / 1, i = blockIdx.x % 1 * 256 + threadIdx.x;
  if (i >= 32) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 32 + i;
  T sum0 = 0;
  for (int n = begin; n < end; n++) {
    const int r = n;
    T v8_1 = b6[(i64)r * 32 + i];
    sum0 += v8_1;
  }
  to[0] = sum0;
}

AST_KERNEL(gin_wide_backward_0_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 32, 32, out);
}

AST_KERNEL(gin_wide_backward_3)(int rows, T *AST_RESTRICT b14, const T *AST_RESTRICT b7, const T *AST_RESTRICT b15) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = (lane < 12 ? lane : 11) * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v12_2 = ast_load4(b7 + (i64)r * 48 + k1);
  const T4 v10_3 = ast_load4(b15 + (i64)r * 48 + k1);
  T v13_4 = v12_2.x != 0 ? v10_3.x : (T)0;
  T v13_5 = v12_2.y != 0 ? v10_3.y : (T)0;
  T v13_6 = v12_2.z != 0 ? v10_3.z : (T)0;
  T v13_7 = v12_2.w != 0 ? v10_3.w : (T)0;
  if (lane < 12) ast_store4(b14 + (i64)r * 48 + k1, v13_4, v13_5, v13_6, v13_7);
}

AST_KERNEL(gin_wide_backward_4_parts)(int rows, int parts, T *AST_RESTRICT sums, const T *AST_RESTRICT b14) {
  const int part = blockIdx.x / 1, i = blockIdx.x % 1 * 256 + threadIdx.x;
  if (i >= 48) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 48 + i;
  T sum0 = 0;
  for (int n = begin; n < end; n++) {
    const int r = n;
    T v13_1 = b14[(i64)r * 48 + i];
    sum0 += v13_1;
  }
  to[0] = sum0;
}

AST_KERNEL(gin_wide_backward_4_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 48, 48, out);
}

AST_KERNEL(gin_wide_backward_7)(int rows, const T *AST_RESTRICT b1, T *AST_RESTRICT out17) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 1) {
    const int k = (int)(i % 1);
    T v1_1 = b1[k];
    T v3_2 = v1_1 + (T)1;
    out17[k] = v3_2;
  }
}

AST_KERNEL(gin_wide_backward_8)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b16, const int *AST_RESTRICT neighbors, T *AST_RESTRICT b18) {
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
    T4 v15_2[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 2 < end ? at + q * 2 : end - 1;
      u[q] = ast_load(neighbors + e);
      v15_2[q] = ast_load4(b16 + (i64)u[q] * 64 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 2 < end) {
        a16_0 += v15_2[q].x;
        a16_1 += v15_2[q].y;
        a16_2 += v15_2[q].z;
        a16_3 += v15_2[q].w;
      }
    }
  }
  a16_0 += __shfl_xor_sync(0xffffffffu, a16_0, 16);
  a16_1 += __shfl_xor_sync(0xffffffffu, a16_1, 16);
  a16_2 += __shfl_xor_sync(0xffffffffu, a16_2, 16);
  a16_3 += __shfl_xor_sync(0xffffffffu, a16_3, 16);
  if (slot == 0) ast_store4(b18 + (i64)r * 64 + k1, a16_0, a16_1, a16_2, a16_3);
}

AST_KERNEL(gin_wide_backward_9)(int rows, T *AST_RESTRICT w0, int block0, const T *AST_RESTRICT b16, const T *AST_RESTRICT b0) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  T *const sums = w0 + ((i64)(block0 + blockIdx.x) * 4 + group / 2) * 1;
  for (int i = threadIdx.x % 32; i < 1; i += 32) sums[i] = 0;
  __syncwarp(0xffffffffu);
  const int k1 = lane * 4;
  const u32 lanes_mask = 0xffffu << (threadIdx.x & 16u);
  T s20_0 = 0;
  for (int r = blockIdx.x * 8 + group; r < rows; r += gridDim.x * 8) {
    const T4 v15_2 = ast_load4(b16 + (i64)r * 64 + k1);
    const T4 v0_3 = ast_load4(b0 + (i64)r * 64 + k1);
    T v18_4 = v15_2.x * v0_3.x;
    T v18_5 = v15_2.y * v0_3.y;
    T v18_6 = v15_2.z * v0_3.z;
    T v18_7 = v15_2.w * v0_3.w;
    T v19_8 = v18_4 + v18_5 + v18_6 + v18_7;
    v19_8 += __shfl_xor_sync(lanes_mask, v19_8, 1);
    v19_8 += __shfl_xor_sync(lanes_mask, v19_8, 2);
    v19_8 += __shfl_xor_sync(lanes_mask, v19_8, 4);
    v19_8 += __shfl_xor_sync(lanes_mask, v19_8, 8);
    s20_0 += v19_8;
  }
  s20_0 += __shfl_xor_sync(0xffffffffu, s20_0, 16);
  if (threadIdx.x % 32 < 16) if (lane < 1) sums[0] = s20_0;
}

AST_KERNEL(gin_wide_backward_9_sum1)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 4, 1, 1, out);
}

AST_KERNEL(gin_wide_backward_10)(int rows, T *AST_RESTRICT b8, const T *AST_RESTRICT b16, const T *AST_RESTRICT b17, const T *AST_RESTRICT b18) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v15_2 = ast_load4(b16 + (i64)r * 64 + k1);
  const T v3_3 = ast_load(b17);
  T v17_4 = v15_2.x * v3_3;
  const T4 v21_5 = ast_load4(b18 + (i64)r * 64 + k1);
  T v22_6 = v17_4 + v21_5.x;
  T v17_7 = v15_2.y * v3_3;
  T v22_8 = v17_7 + v21_5.y;
  T v17_9 = v15_2.z * v3_3;
  T v22_10 = v17_9 + v21_5.z;
  T v17_11 = v15_2.w * v3_3;
  T v22_12 = v17_11 + v21_5.w;
  ast_store4(b8 + (i64)r * 64 + k1, v22_6, v22_8, v22_10, v22_12);
}
