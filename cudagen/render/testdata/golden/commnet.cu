
AST_KERNEL(commnet_wide_forward_2)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b7, const int *AST_RESTRICT neighbors, T *AST_RESTRICT b4, const T *AST_RESTRICT b6, T *AST_RESTRICT b5) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 4;
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
  for (int at = begin + slot; at < end; at += 16) {
    int u[4];
    T4 v5_2[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 4 < end ? at + q * 4 : end - 1;
      u[q] = ast_load(neighbors + e);
      v5_2[q] = ast_load4(b7 + (i64)u[q] * 32 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 4 < end) {
        a6_0 += v5_2[q].x;
        a6_1 += v5_2[q].y;
        a6_2 += v5_2[q].z;
        a6_3 += v5_2[q].w;
      }
    }
  }
  a6_0 += __shfl_xor_sync(0xffffffffu, a6_0, 8);
  a6_1 += __shfl_xor_sync(0xffffffffu, a6_1, 8);
  a6_2 += __shfl_xor_sync(0xffffffffu, a6_2, 8);
  a6_3 += __shfl_xor_sync(0xffffffffu, a6_3, 8);
  a6_0 += __shfl_xor_sync(0xffffffffu, a6_0, 16);
  a6_1 += __shfl_xor_sync(0xffffffffu, a6_1, 16);
  a6_2 += __shfl_xor_sync(0xffffffffu, a6_2, 16);
  a6_3 += __shfl_xor_sync(0xffffffffu, a6_3, 16);
  const T4 v3_3 = ast_load4(b6 + (i64)r * 32 + k1);
  T v7_4 = v3_3.x + a6_0;
  T v8_5 = op_relu(v7_4);
  T v7_6 = v3_3.y + a6_1;
  T v8_7 = op_relu(v7_6);
  T v7_8 = v3_3.z + a6_2;
  T v8_9 = op_relu(v7_8);
  T v7_10 = v3_3.w + a6_3;
  T v8_11 = op_relu(v7_10);
  if (slot == 0) ast_store4(b4 + (i64)r * 32 + k1, v8_5, v8_7, v8_9, v8_11);
  T v10_12 = v7_4 > (T)0 ? (T)1 : (T)0;
  T v10_13 = v7_6 > (T)0 ? (T)1 : (T)0;
  T v10_14 = v7_8 > (T)0 ? (T)1 : (T)0;
  T v10_15 = v7_10 > (T)0 ? (T)1 : (T)0;
  if (slot == 0) ast_store4(b5 + (i64)r * 32 + k1, v10_12, v10_13, v10_14, v10_15);
}

AST_KERNEL(commnet_wide_backward_0)(int rows, T *AST_RESTRICT b10, const T *AST_RESTRICT b5, const T *AST_RESTRICT b4) {
  const int lane = threadIdx.x % 8;
  const int group = threadIdx.x / 8;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 16 + group;
  if (r >= rows) return;
  const T4 v6_2 = ast_load4(b5 + (i64)r * 32 + k1);
  const T4 v4_3 = ast_load4(b4 + (i64)r * 32 + k1);
  T v7_4 = v6_2.x != 0 ? v4_3.x : (T)0;
  T v7_5 = v6_2.y != 0 ? v4_3.y : (T)0;
  T v7_6 = v6_2.z != 0 ? v4_3.z : (T)0;
  T v7_7 = v6_2.w != 0 ? v4_3.w : (T)0;
  ast_store4(b10 + (i64)r * 32 + k1, v7_4, v7_5, v7_6, v7_7);
}

AST_KERNEL(commnet_wide_backward_1)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b10, const int *AST_RESTRICT neighbors, T *AST_RESTRICT b9) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 4;
  const int group = threadIdx.x / 32;
  const int k1 = lane * 4;
  const int p = hubs + blockIdx.x * 4 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  T a8_0 = 0;
  T a8_1 = 0;
  T a8_2 = 0;
  T a8_3 = 0;
  for (int at = begin + slot; at < end; at += 16) {
    int u[4];
    T4 v7_2[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 4 < end ? at + q * 4 : end - 1;
      u[q] = ast_load(neighbors + e);
      v7_2[q] = ast_load4(b10 + (i64)u[q] * 32 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 4 < end) {
        a8_0 += v7_2[q].x;
        a8_1 += v7_2[q].y;
        a8_2 += v7_2[q].z;
        a8_3 += v7_2[q].w;
      }
    }
  }
  a8_0 += __shfl_xor_sync(0xffffffffu, a8_0, 8);
  a8_1 += __shfl_xor_sync(0xffffffffu, a8_1, 8);
  a8_2 += __shfl_xor_sync(0xffffffffu, a8_2, 8);
  a8_3 += __shfl_xor_sync(0xffffffffu, a8_3, 8);
  a8_0 += __shfl_xor_sync(0xffffffffu, a8_0, 16);
  a8_1 += __shfl_xor_sync(0xffffffffu, a8_1, 16);
  a8_2 += __shfl_xor_sync(0xffffffffu, a8_2, 16);
  a8_3 += __shfl_xor_sync(0xffffffffu, a8_3, 16);
  if (slot == 0) ast_store4(b9 + (i64)r * 32 + k1, a8_0, a8_1, a8_2, a8_3);
}

AST_KERNEL(commnet_wide_backward_6)(int rows, T *AST_RESTRICT b6, const T *AST_RESTRICT b11, const T *AST_RESTRICT b12) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v9_2 = ast_load4(b11 + (i64)r * 64 + k1);
  const T4 v11_3 = ast_load4(b12 + (i64)r * 64 + k1);
  T v12_4 = v9_2.x + v11_3.x;
  T v12_5 = v9_2.y + v11_3.y;
  T v12_6 = v9_2.z + v11_3.z;
  T v12_7 = v9_2.w + v11_3.w;
  ast_store4(b6 + (i64)r * 64 + k1, v12_4, v12_5, v12_6, v12_7);
}
