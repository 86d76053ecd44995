
AST_KERNEL(sage_maxpool_wide_forward_2)(int rows, T *AST_RESTRICT b10, const T *AST_RESTRICT b11, const T *AST_RESTRICT b2, T *AST_RESTRICT b14) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = (lane < 12 ? lane : 11) * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v2_2 = ast_load4(b11 + (i64)r * 48 + k1);
  const T4 v3_3 = ast_load4(b2 + k1);
  T v4_4 = v2_2.x + v3_3.x;
  T v17_5 = v4_4 > (T)0 ? (T)1 : (T)0;
  T v4_6 = v2_2.y + v3_3.y;
  T v17_7 = v4_6 > (T)0 ? (T)1 : (T)0;
  T v4_8 = v2_2.z + v3_3.z;
  T v17_9 = v4_8 > (T)0 ? (T)1 : (T)0;
  T v4_10 = v2_2.w + v3_3.w;
  T v17_11 = v4_10 > (T)0 ? (T)1 : (T)0;
  if (lane < 12) ast_store4(b10 + (i64)r * 48 + k1, v17_5, v17_7, v17_9, v17_11);
  T v5_12 = op_relu(v4_4);
  T v5_13 = op_relu(v4_6);
  T v5_14 = op_relu(v4_8);
  T v5_15 = op_relu(v4_10);
  if (lane < 12) ast_store4(b14 + (i64)r * 48 + k1, v5_12, v5_13, v5_14, v5_15);
}

AST_KERNEL(sage_maxpool_wide_forward_3)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b14, const int *AST_RESTRICT neighbors, const int *AST_RESTRICT ids, T *AST_RESTRICT b8, int *AST_RESTRICT b9) {
  const int lane = threadIdx.x % 16;
  const int slot = threadIdx.x / 16 % 2;
  const int group = threadIdx.x / 32;
  const int k1 = (lane < 12 ? lane : 11) * 4;
  const int k7 = (lane < 12 ? lane : 11) * 4 + 1;
  const int k8 = (lane < 12 ? lane : 11) * 4 + 2;
  const int k9 = (lane < 12 ? lane : 11) * 4 + 3;
  const int p = hubs + blockIdx.x * 4 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  T a6_0 = -AST_INF;
  T a6_1 = -AST_INF;
  T a6_2 = -AST_INF;
  T a6_3 = -AST_INF;
  T a15_0 = -AST_INF;
  int a15_0_id = -1;
  T a15_1 = -AST_INF;
  int a15_1_id = -1;
  T a15_2 = -AST_INF;
  int a15_2_id = -1;
  T a15_3 = -AST_INF;
  int a15_3_id = -1;
  for (int at = begin + slot; at < end; at += 8) {
    int u[4];
    T4 v5_2[4];
    int id[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 2 < end ? at + q * 2 : end - 1;
      u[q] = ast_load(neighbors + e);
      v5_2[q] = ast_load4(b14 + (i64)u[q] * 48 + k1);
      id[q] = ast_load(ids + e);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 2 < end) {
        a6_0 = op_maxof(v5_2[q].x, a6_0);
        a6_1 = op_maxof(v5_2[q].y, a6_1);
        a6_2 = op_maxof(v5_2[q].z, a6_2);
        a6_3 = op_maxof(v5_2[q].w, a6_3);
        ast_argmax(&a15_0, &a15_0_id, v5_2[q].x, id[q]);
        ast_argmax(&a15_1, &a15_1_id, v5_2[q].y, id[q]);
        ast_argmax(&a15_2, &a15_2_id, v5_2[q].z, id[q]);
        ast_argmax(&a15_3, &a15_3_id, v5_2[q].w, id[q]);
      }
    }
  }
  a6_0 = op_maxof(__shfl_xor_sync(0xffffffffu, a6_0, 16), a6_0);
  a6_1 = op_maxof(__shfl_xor_sync(0xffffffffu, a6_1, 16), a6_1);
  a6_2 = op_maxof(__shfl_xor_sync(0xffffffffu, a6_2, 16), a6_2);
  a6_3 = op_maxof(__shfl_xor_sync(0xffffffffu, a6_3, 16), a6_3);
  {
    const T other = __shfl_xor_sync(0xffffffffu, a15_0, 16);
    const int extra = __shfl_xor_sync(0xffffffffu, a15_0_id, 16);
    ast_argmax(&a15_0, &a15_0_id, other, extra);
  }
  {
    const T other = __shfl_xor_sync(0xffffffffu, a15_1, 16);
    const int extra = __shfl_xor_sync(0xffffffffu, a15_1_id, 16);
    ast_argmax(&a15_1, &a15_1_id, other, extra);
  }
  {
    const T other = __shfl_xor_sync(0xffffffffu, a15_2, 16);
    const int extra = __shfl_xor_sync(0xffffffffu, a15_2_id, 16);
    ast_argmax(&a15_2, &a15_2_id, other, extra);
  }
  {
    const T other = __shfl_xor_sync(0xffffffffu, a15_3, 16);
    const int extra = __shfl_xor_sync(0xffffffffu, a15_3_id, 16);
    ast_argmax(&a15_3, &a15_3_id, other, extra);
  }
  T v6_3 = begin < end ? a6_0 : (T)0;
  T v6_4 = begin < end ? a6_1 : (T)0;
  T v6_5 = begin < end ? a6_2 : (T)0;
  T v6_6 = begin < end ? a6_3 : (T)0;
  if (slot == 0 && (lane < 12)) ast_store4(b8 + (i64)r * 48 + k1, v6_3, v6_4, v6_5, v6_6);
  if (slot == 0 && (lane < 12)) b9[(i64)r * 48 + k1] = a15_0_id;
  if (slot == 0 && (lane < 12)) b9[(i64)r * 48 + k7] = a15_1_id;
  if (slot == 0 && (lane < 12)) b9[(i64)r * 48 + k8] = a15_2_id;
  if (slot == 0 && (lane < 12)) b9[(i64)r * 48 + k9] = a15_3_id;
}

AST_KERNEL(sage_maxpool_wide_forward_5)(int rows, T *AST_RESTRICT b7, const T *AST_RESTRICT b12, const T *AST_RESTRICT b13, const T *AST_RESTRICT b6) {
  const int lane = threadIdx.x % 8;
  const int group = threadIdx.x / 8;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 16 + group;
  if (r >= rows) return;
  const T4 v9_2 = ast_load4(b12 + (i64)r * 32 + k1);
  const T4 v11_3 = ast_load4(b13 + (i64)r * 32 + k1);
  T v12_4 = v9_2.x + v11_3.x;
  const T4 v13_5 = ast_load4(b6 + k1);
  T v14_6 = v12_4 + v13_5.x;
  T v12_7 = v9_2.y + v11_3.y;
  T v14_8 = v12_7 + v13_5.y;
  T v12_9 = v9_2.z + v11_3.z;
  T v14_10 = v12_9 + v13_5.z;
  T v12_11 = v9_2.w + v11_3.w;
  T v14_12 = v12_11 + v13_5.w;
  ast_store4(b7 + (i64)r * 32 + k1, v14_6, v14_8, v14_10, v14_12);
}

AST_KERNEL(sage_maxpool_wide_backward_0_parts)(int rows, int parts, T *AST_RESTRICT sums, const T *AST_RESTRICT b6) {
  const int part = blockIdx.x / 1, i = blockIdx.x % 1 * 256 + threadIdx.x;
  if (i >= 32) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 32 + i;
  T sum0 = 0;
  for (int n = begin; n < end; n++) {
    const int r = n;
    T v6_1 = b6[(i64)r * 32 + i];
    sum0 += v6_1;
  }
  to[0] = sum0;
}

AST_KERNEL(sage_maxpool_wide_backward_0_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 32, 32, out);
}

AST_KERNEL(sage_maxpool_wide_backward_5)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const int *AST_RESTRICT b7, const int *AST_RESTRICT neighbors, const int *AST_RESTRICT ids, const T *AST_RESTRICT b16, T *AST_RESTRICT b15, const T *AST_RESTRICT b8) {
  const int lane = threadIdx.x % 16;
  const int slot = threadIdx.x / 16 % 2;
  const int group = threadIdx.x / 32;
  const int k1 = (lane < 12 ? lane : 11) * 4;
  const int k5 = (lane < 12 ? lane : 11) * 4 + 1;
  const int k8 = (lane < 12 ? lane : 11) * 4 + 2;
  const int k11 = (lane < 12 ? lane : 11) * 4 + 3;
  const int p = hubs + blockIdx.x * 4 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  T a12_0 = 0;
  T a12_1 = 0;
  T a12_2 = 0;
  T a12_3 = 0;
  for (int at = begin + slot; at < end; at += 8) {
    int u[4];
    int v10_2[4];
    int id[4];
    T4 v8_3[4];
    int v10_6[4];
    int v10_9[4];
    int v10_12[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 2 < end ? at + q * 2 : end - 1;
      u[q] = ast_load(neighbors + e);
      v10_2[q] = ast_load(b7 + (i64)u[q] * 48 + k1);
      id[q] = ast_load(ids + e);
      v8_3[q] = ast_load4(b16 + (i64)u[q] * 48 + k1);
      v10_6[q] = ast_load(b7 + (i64)u[q] * 48 + k5);
      v10_9[q] = ast_load(b7 + (i64)u[q] * 48 + k8);
      v10_12[q] = ast_load(b7 + (i64)u[q] * 48 + k11);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 2 < end) {
        T v11_4 = v10_2[q] == id[q] ? v8_3[q].x : (T)0;
        a12_0 += v11_4;
        T v11_7 = v10_6[q] == id[q] ? v8_3[q].y : (T)0;
        a12_1 += v11_7;
        T v11_10 = v10_9[q] == id[q] ? v8_3[q].z : (T)0;
        a12_2 += v11_10;
        T v11_13 = v10_12[q] == id[q] ? v8_3[q].w : (T)0;
        a12_3 += v11_13;
      }
    }
  }
  a12_0 += __shfl_xor_sync(0xffffffffu, a12_0, 16);
  a12_1 += __shfl_xor_sync(0xffffffffu, a12_1, 16);
  a12_2 += __shfl_xor_sync(0xffffffffu, a12_2, 16);
  a12_3 += __shfl_xor_sync(0xffffffffu, a12_3, 16);
  const T4 v14_14 = ast_load4(b8 + (i64)r * 48 + k1);
  T v15_15 = v14_14.x != 0 ? a12_0 : (T)0;
  T v15_16 = v14_14.y != 0 ? a12_1 : (T)0;
  T v15_17 = v14_14.z != 0 ? a12_2 : (T)0;
  T v15_18 = v14_14.w != 0 ? a12_3 : (T)0;
  if (slot == 0 && (lane < 12)) ast_store4(b15 + (i64)r * 48 + k1, v15_15, v15_16, v15_17, v15_18);
}

AST_KERNEL(sage_maxpool_wide_backward_6_parts)(int rows, int parts, T *AST_RESTRICT sums, const T *AST_RESTRICT b15) {
  const int part = blockIdx.x / 1, i = blockIdx.x % 1 * 256 + threadIdx.x;
  if (i >= 48) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 48 + i;
  T sum0 = 0;
  for (int n = begin; n < end; n++) {
    const int r = n;
    T v15_1 = b15[(i64)r * 48 + i];
    sum0 += v15_1;
  }
  to[0] = sum0;
}

AST_KERNEL(sage_maxpool_wide_backward_6_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 48, 48, out);
}

AST_KERNEL(sage_maxpool_wide_backward_9)(int rows, T *AST_RESTRICT b9, const T *AST_RESTRICT b18, const T *AST_RESTRICT b17) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v17_2 = ast_load4(b18 + (i64)r * 64 + k1);
  const T4 v18_3 = ast_load4(b17 + (i64)r * 64 + k1);
  T v19_4 = v17_2.x + v18_3.x;
  T v19_5 = v17_2.y + v18_3.y;
  T v19_6 = v17_2.z + v18_3.z;
  T v19_7 = v17_2.w + v18_3.w;
  ast_store4(b9 + (i64)r * 64 + k1, v19_4, v19_5, v19_6, v19_7);
}
