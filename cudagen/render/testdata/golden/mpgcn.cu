
AST_KERNEL(mpgcn_wide_forward_1)(int rows, T *AST_RESTRICT b8, const T *AST_RESTRICT b9, const T *AST_RESTRICT b2, T *AST_RESTRICT b11) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = (lane < 12 ? lane : 11) * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v2_2 = ast_load4(b9 + (i64)r * 48 + k1);
  const T4 v3_3 = ast_load4(b2 + k1);
  T v4_4 = v2_2.x + v3_3.x;
  T v5_5 = op_sigmoid(v4_4);
  T v14_6 = (T)1 - v5_5;
  T v15_7 = v5_5 * v14_6;
  T v4_8 = v2_2.y + v3_3.y;
  T v5_9 = op_sigmoid(v4_8);
  T v14_10 = (T)1 - v5_9;
  T v15_11 = v5_9 * v14_10;
  T v4_12 = v2_2.z + v3_3.z;
  T v5_13 = op_sigmoid(v4_12);
  T v14_14 = (T)1 - v5_13;
  T v15_15 = v5_13 * v14_14;
  T v4_16 = v2_2.w + v3_3.w;
  T v5_17 = op_sigmoid(v4_16);
  T v14_18 = (T)1 - v5_17;
  T v15_19 = v5_17 * v14_18;
  if (lane < 12) ast_store4(b8 + (i64)r * 48 + k1, v15_7, v15_11, v15_15, v15_19);
  if (lane < 12) ast_store4(b11 + (i64)r * 48 + k1, v5_5, v5_9, v5_13, v5_17);
}

AST_KERNEL(mpgcn_wide_forward_2)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b11, const int *AST_RESTRICT neighbors, const int *AST_RESTRICT ids, T *AST_RESTRICT b5, int *AST_RESTRICT b7) {
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
  T a12_0 = -AST_INF;
  int a12_0_id = -1;
  T a12_1 = -AST_INF;
  int a12_1_id = -1;
  T a12_2 = -AST_INF;
  int a12_2_id = -1;
  T a12_3 = -AST_INF;
  int a12_3_id = -1;
  for (int at = begin + slot; at < end; at += 8) {
    int u[4];
    T4 v5_2[4];
    int id[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 2 < end ? at + q * 2 : end - 1;
      u[q] = ast_load(neighbors + e);
      v5_2[q] = ast_load4(b11 + (i64)u[q] * 48 + k1);
      id[q] = ast_load(ids + e);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 2 < end) {
        a6_0 = op_maxof(v5_2[q].x, a6_0);
        a6_1 = op_maxof(v5_2[q].y, a6_1);
        a6_2 = op_maxof(v5_2[q].z, a6_2);
        a6_3 = op_maxof(v5_2[q].w, a6_3);
        ast_argmax(&a12_0, &a12_0_id, v5_2[q].x, id[q]);
        ast_argmax(&a12_1, &a12_1_id, v5_2[q].y, id[q]);
        ast_argmax(&a12_2, &a12_2_id, v5_2[q].z, id[q]);
        ast_argmax(&a12_3, &a12_3_id, v5_2[q].w, id[q]);
      }
    }
  }
  a6_0 = op_maxof(__shfl_xor_sync(0xffffffffu, a6_0, 16), a6_0);
  a6_1 = op_maxof(__shfl_xor_sync(0xffffffffu, a6_1, 16), a6_1);
  a6_2 = op_maxof(__shfl_xor_sync(0xffffffffu, a6_2, 16), a6_2);
  a6_3 = op_maxof(__shfl_xor_sync(0xffffffffu, a6_3, 16), a6_3);
  {
    const T other = __shfl_xor_sync(0xffffffffu, a12_0, 16);
    const int extra = __shfl_xor_sync(0xffffffffu, a12_0_id, 16);
    ast_argmax(&a12_0, &a12_0_id, other, extra);
  }
  {
    const T other = __shfl_xor_sync(0xffffffffu, a12_1, 16);
    const int extra = __shfl_xor_sync(0xffffffffu, a12_1_id, 16);
    ast_argmax(&a12_1, &a12_1_id, other, extra);
  }
  {
    const T other = __shfl_xor_sync(0xffffffffu, a12_2, 16);
    const int extra = __shfl_xor_sync(0xffffffffu, a12_2_id, 16);
    ast_argmax(&a12_2, &a12_2_id, other, extra);
  }
  {
    const T other = __shfl_xor_sync(0xffffffffu, a12_3, 16);
    const int extra = __shfl_xor_sync(0xffffffffu, a12_3_id, 16);
    ast_argmax(&a12_3, &a12_3_id, other, extra);
  }
  T v6_3 = begin < end ? a6_0 : (T)0;
  T v6_4 = begin < end ? a6_1 : (T)0;
  T v6_5 = begin < end ? a6_2 : (T)0;
  T v6_6 = begin < end ? a6_3 : (T)0;
  if (slot == 0 && (lane < 12)) ast_store4(b5 + (i64)r * 48 + k1, v6_3, v6_4, v6_5, v6_6);
  if (slot == 0 && (lane < 12)) b7[(i64)r * 48 + k1] = a12_0_id;
  if (slot == 0 && (lane < 12)) b7[(i64)r * 48 + k7] = a12_1_id;
  if (slot == 0 && (lane < 12)) b7[(i64)r * 48 + k8] = a12_2_id;
  if (slot == 0 && (lane < 12)) b7[(i64)r * 48 + k9] = a12_3_id;
}

AST_KERNEL(mpgcn_wide_forward_4)(int rows, T *AST_RESTRICT b4, const T *AST_RESTRICT b10, T *AST_RESTRICT b6) {
  const int lane = threadIdx.x % 8;
  const int group = threadIdx.x / 8;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 16 + group;
  if (r >= rows) return;
  const T4 v8_2 = ast_load4(b10 + (i64)r * 32 + k1);
  T v9_3 = op_relu(v8_2.x);
  T v9_4 = op_relu(v8_2.y);
  T v9_5 = op_relu(v8_2.z);
  T v9_6 = op_relu(v8_2.w);
  ast_store4(b4 + (i64)r * 32 + k1, v9_3, v9_4, v9_5, v9_6);
  T v11_7 = v8_2.x > (T)0 ? (T)1 : (T)0;
  T v11_8 = v8_2.y > (T)0 ? (T)1 : (T)0;
  T v11_9 = v8_2.z > (T)0 ? (T)1 : (T)0;
  T v11_10 = v8_2.w > (T)0 ? (T)1 : (T)0;
  ast_store4(b6 + (i64)r * 32 + k1, v11_7, v11_8, v11_9, v11_10);
}

AST_KERNEL(mpgcn_wide_backward_0)(int rows, T *AST_RESTRICT b12, const T *AST_RESTRICT b5, const T *AST_RESTRICT b4) {
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
  ast_store4(b12 + (i64)r * 32 + k1, v7_4, v7_5, v7_6, v7_7);
}

AST_KERNEL(mpgcn_wide_backward_3)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const int *AST_RESTRICT b6, const int *AST_RESTRICT neighbors, const int *AST_RESTRICT ids, const T *AST_RESTRICT b14, T *AST_RESTRICT b13, const T *AST_RESTRICT b7) {
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
  T a11_0 = 0;
  T a11_1 = 0;
  T a11_2 = 0;
  T a11_3 = 0;
  for (int at = begin + slot; at < end; at += 8) {
    int u[4];
    int v9_2[4];
    int id[4];
    T4 v8_3[4];
    int v9_6[4];
    int v9_9[4];
    int v9_12[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 2 < end ? at + q * 2 : end - 1;
      u[q] = ast_load(neighbors + e);
      v9_2[q] = ast_load(b6 + (i64)u[q] * 48 + k1);
      id[q] = ast_load(ids + e);
      v8_3[q] = ast_load4(b14 + (i64)u[q] * 48 + k1);
      v9_6[q] = ast_load(b6 + (i64)u[q] * 48 + k5);
      v9_9[q] = ast_load(b6 + (i64)u[q] * 48 + k8);
      v9_12[q] = ast_load(b6 + (i64)u[q] * 48 + k11);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 2 < end) {
        T v10_4 = v9_2[q] == id[q] ? v8_3[q].x : (T)0;
        a11_0 += v10_4;
        T v10_7 = v9_6[q] == id[q] ? v8_3[q].y : (T)0;
        a11_1 += v10_7;
        T v10_10 = v9_9[q] == id[q] ? v8_3[q].z : (T)0;
        a11_2 += v10_10;
        T v10_13 = v9_12[q] == id[q] ? v8_3[q].w : (T)0;
        a11_3 += v10_13;
      }
    }
  }
  a11_0 += __shfl_xor_sync(0xffffffffu, a11_0, 16);
  a11_1 += __shfl_xor_sync(0xffffffffu, a11_1, 16);
  a11_2 += __shfl_xor_sync(0xffffffffu, a11_2, 16);
  a11_3 += __shfl_xor_sync(0xffffffffu, a11_3, 16);
  const T4 v12_14 = ast_load4(b7 + (i64)r * 48 + k1);
  T v13_15 = a11_0 * v12_14.x;
  T v13_16 = a11_1 * v12_14.y;
  T v13_17 = a11_2 * v12_14.z;
  T v13_18 = a11_3 * v12_14.w;
  if (slot == 0 && (lane < 12)) ast_store4(b13 + (i64)r * 48 + k1, v13_15, v13_16, v13_17, v13_18);
}

AST_KERNEL(mpgcn_wide_backward_4_parts)(int rows, int parts, T *AST_RESTRICT sums, const T *AST_RESTRICT b13) {
  const int part = blockIdx.x / 1, i = blockIdx.x % 1 * 256 + threadIdx.x;
  if (i >= 48) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 48 + i;
  T sum0 = 0;
  for (int n = begin; n < end; n++) {
    const int r = n;
    T v13_1 = b13[(i64)r * 48 + i];
    sum0 += v13_1;
  }
  to[0] = sum0;
}

AST_KERNEL(mpgcn_wide_backward_4_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 48, 48, out);
}
