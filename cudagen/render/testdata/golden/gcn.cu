
AST_KERNEL(gcn_wide_forward_1)(int rows, T *AST_RESTRICT b5, const T *AST_RESTRICT b4, const int *AST_RESTRICT offsets_in) {
  const int lane = threadIdx.x % 8;
  const int group = threadIdx.x / 8;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 16 + group;
  if (r >= rows) return;
  const T4 v2_2 = ast_load4(b4 + (i64)r * 32 + k1);
  T v3_3 = (T)(offsets_in[r + 1] - offsets_in[r]);
  T v5_4 = v3_3 + (T)1;
  T v6_5 = op_rsqrt(v5_4);
  T v7_6 = v2_2.x * v6_5;
  T v7_7 = v2_2.y * v6_5;
  T v7_8 = v2_2.z * v6_5;
  T v7_9 = v2_2.w * v6_5;
  ast_store4(b5 + (i64)r * 32 + k1, v7_6, v7_7, v7_8, v7_9);
}

AST_KERNEL(gcn_wide_forward_2)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b5, const int *AST_RESTRICT neighbors, T *AST_RESTRICT b3, const T *AST_RESTRICT b4, const T *AST_RESTRICT b2) {
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
      v7_2[q] = ast_load4(b5 + (i64)u[q] * 32 + k1);
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
  const T4 v9_3 = ast_load4(b4 + (i64)r * 32 + k1);
  T v10_4 = (T)(offsets[r + 1] - offsets[r]);
  T v11_5 = v10_4 + (T)1;
  T v12_6 = op_rsqrt(v11_5);
  T v13_7 = v9_3.x * v12_6;
  T v14_8 = a8_0 + v13_7;
  T v15_9 = v14_8 * v12_6;
  const T4 v16_10 = ast_load4(b2 + k1);
  T v17_11 = v15_9 + v16_10.x;
  T v13_12 = v9_3.y * v12_6;
  T v14_13 = a8_1 + v13_12;
  T v15_14 = v14_13 * v12_6;
  T v17_15 = v15_14 + v16_10.y;
  T v13_16 = v9_3.z * v12_6;
  T v14_17 = a8_2 + v13_16;
  T v15_18 = v14_17 * v12_6;
  T v17_19 = v15_18 + v16_10.z;
  T v13_20 = v9_3.w * v12_6;
  T v14_21 = a8_3 + v13_20;
  T v15_22 = v14_21 * v12_6;
  T v17_23 = v15_22 + v16_10.w;
  if (slot == 0) ast_store4(b3 + (i64)r * 32 + k1, v17_11, v17_15, v17_19, v17_23);
}

AST_KERNEL(gcn_wide_forward_2_chunks1)(int chunks, const int *AST_RESTRICT chunk_hub, const int *AST_RESTRICT chunk_begin, const int *AST_RESTRICT hub_first, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b5, const int *AST_RESTRICT neighbors, T *AST_RESTRICT w0) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 4;
  const int group = threadIdx.x / 32;
  const int k1 = lane * 4;
  const int c = blockIdx.x * 4 + group;
  if (c >= chunks) return;
  const int h = chunk_hub[c];
  const int r = order[h];
  const int begin = chunk_begin[c], end = c + 1 < hub_first[h + 1] ? chunk_begin[c + 1] : offsets[r + 1];
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
      v7_2[q] = ast_load4(b5 + (i64)u[q] * 32 + k1);
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
  if (slot == 0) w0[((i64)c * 4) * 8 + lane] = a8_0;
  if (slot == 0) w0[((i64)c * 4 + 1) * 8 + lane] = a8_1;
  if (slot == 0) w0[((i64)c * 4 + 2) * 8 + lane] = a8_2;
  if (slot == 0) w0[((i64)c * 4 + 3) * 8 + lane] = a8_3;
}

AST_KERNEL(gcn_wide_forward_2_end)(int hubs, T *AST_RESTRICT w0, const int *AST_RESTRICT hub_first, const int *AST_RESTRICT order, T *AST_RESTRICT b3, const T *AST_RESTRICT b4, const int *AST_RESTRICT offsets, const T *AST_RESTRICT b2) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 4;
  const int group = threadIdx.x / 32;
  const int k1 = lane * 4;
  const int h = blockIdx.x * 4 + group;
  if (h >= hubs) return;
  T a8_0 = 0;
  T a8_1 = 0;
  T a8_2 = 0;
  T a8_3 = 0;
  for (int c = hub_first[h] + slot * 8, last = hub_first[h + 1]; c < last; c += 32) {
    T o0[8];
    T o1[8];
    T o2[8];
    T o3[8];
    AST_UNROLL
    for (int q = 0; q < 8; q++) {
      const int k = c + q < last ? c + q : last - 1;
      o0[q] = w0[((i64)k * 4) * 8 + lane];
      o1[q] = w0[((i64)k * 4 + 1) * 8 + lane];
      o2[q] = w0[((i64)k * 4 + 2) * 8 + lane];
      o3[q] = w0[((i64)k * 4 + 3) * 8 + lane];
    }
    AST_UNROLL
    for (int q = 0; q < 8; q++) {
      if (c + q < last) {
        a8_0 += o0[q];
        a8_1 += o1[q];
        a8_2 += o2[q];
        a8_3 += o3[q];
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
  const int r = order[h];
  const T4 v9_2 = ast_load4(b4 + (i64)r * 32 + k1);
  T v10_3 = (T)(offsets[r + 1] - offsets[r]);
  T v11_4 = v10_3 + (T)1;
  T v12_5 = op_rsqrt(v11_4);
  T v13_6 = v9_2.x * v12_5;
  T v14_7 = a8_0 + v13_6;
  T v15_8 = v14_7 * v12_5;
  const T4 v16_9 = ast_load4(b2 + k1);
  T v17_10 = v15_8 + v16_9.x;
  T v13_11 = v9_2.y * v12_5;
  T v14_12 = a8_1 + v13_11;
  T v15_13 = v14_12 * v12_5;
  T v17_14 = v15_13 + v16_9.y;
  T v13_15 = v9_2.z * v12_5;
  T v14_16 = a8_2 + v13_15;
  T v15_17 = v14_16 * v12_5;
  T v17_18 = v15_17 + v16_9.z;
  T v13_19 = v9_2.w * v12_5;
  T v14_20 = a8_3 + v13_19;
  T v15_21 = v14_20 * v12_5;
  T v17_22 = v15_21 + v16_9.w;
  if (slot == 0) ast_store4(b3 + (i64)r * 32 + k1, v17_10, v17_14, v17_18, v17_22);
}

AST_KERNEL(gcn_wide_backward_0)(int rows, T *AST_RESTRICT b8, const T *AST_RESTRICT b2, const int *AST_RESTRICT offsets) {
  const int lane = threadIdx.x % 8;
  const int group = threadIdx.x / 8;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 16 + group;
  if (r >= rows) return;
  const T4 v9_2 = ast_load4(b2 + (i64)r * 32 + k1);
  T v6_3 = (T)(offsets[r + 1] - offsets[r]);
  T v7_4 = v6_3 + (T)1;
  T v8_5 = op_rsqrt(v7_4);
  T v11_6 = v9_2.x * v8_5;
  T v11_7 = v9_2.y * v8_5;
  T v11_8 = v9_2.z * v8_5;
  T v11_9 = v9_2.w * v8_5;
  ast_store4(b8 + (i64)r * 32 + k1, v11_6, v11_7, v11_8, v11_9);
}

AST_KERNEL(gcn_wide_backward_1_parts)(int rows, int parts, T *AST_RESTRICT sums, const T *AST_RESTRICT b2) {
  const int part = blockIdx.x / 1, i = blockIdx.x % 1 * 256 + threadIdx.x;
  if (i >= 32) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 32 + i;
  T sum0 = 0;
  for (int n = begin; n < end; n++) {
    const int r = n;
    T v9_1 = b2[(i64)r * 32 + i];
    sum0 += v9_1;
  }
  to[0] = sum0;
}

AST_KERNEL(gcn_wide_backward_1_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 32, 32, out);
}

AST_KERNEL(gcn_wide_backward_2)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b8, const int *AST_RESTRICT neighbors, T *AST_RESTRICT b7, const T *AST_RESTRICT b3, const int *AST_RESTRICT offsets_in) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 4;
  const int group = threadIdx.x / 32;
  const int k1 = lane * 4;
  const int p = hubs + blockIdx.x * 4 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  T a15_0 = 0;
  T a15_1 = 0;
  T a15_2 = 0;
  T a15_3 = 0;
  for (int at = begin + slot; at < end; at += 16) {
    int u[4];
    T4 v11_2[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 4 < end ? at + q * 4 : end - 1;
      u[q] = ast_load(neighbors + e);
      v11_2[q] = ast_load4(b8 + (i64)u[q] * 32 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 4 < end) {
        a15_0 += v11_2[q].x;
        a15_1 += v11_2[q].y;
        a15_2 += v11_2[q].z;
        a15_3 += v11_2[q].w;
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
  const T4 v12_3 = ast_load4(b3 + (i64)r * 32 + k1);
  T v2_4 = (T)(offsets_in[r + 1] - offsets_in[r]);
  T v4_5 = v2_4 + (T)1;
  T v5_6 = op_rsqrt(v4_5);
  T v13_7 = v12_3.x * v5_6;
  T v14_8 = v13_7 * v5_6;
  T v16_9 = a15_0 * v5_6;
  T v17_10 = v14_8 + v16_9;
  T v13_11 = v12_3.y * v5_6;
  T v14_12 = v13_11 * v5_6;
  T v16_13 = a15_1 * v5_6;
  T v17_14 = v14_12 + v16_13;
  T v13_15 = v12_3.z * v5_6;
  T v14_16 = v13_15 * v5_6;
  T v16_17 = a15_2 * v5_6;
  T v17_18 = v14_16 + v16_17;
  T v13_19 = v12_3.w * v5_6;
  T v14_20 = v13_19 * v5_6;
  T v16_21 = a15_3 * v5_6;
  T v17_22 = v14_20 + v16_21;
  if (slot == 0) ast_store4(b7 + (i64)r * 32 + k1, v17_10, v17_14, v17_18, v17_22);
}

AST_KERNEL(gcn_wide_backward_2_chunks1)(int chunks, const int *AST_RESTRICT chunk_hub, const int *AST_RESTRICT chunk_begin, const int *AST_RESTRICT hub_first, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b8, const int *AST_RESTRICT neighbors, T *AST_RESTRICT w0) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 4;
  const int group = threadIdx.x / 32;
  const int k1 = lane * 4;
  const int c = blockIdx.x * 4 + group;
  if (c >= chunks) return;
  const int h = chunk_hub[c];
  const int r = order[h];
  const int begin = chunk_begin[c], end = c + 1 < hub_first[h + 1] ? chunk_begin[c + 1] : offsets[r + 1];
  T a15_0 = 0;
  T a15_1 = 0;
  T a15_2 = 0;
  T a15_3 = 0;
  for (int at = begin + slot; at < end; at += 16) {
    int u[4];
    T4 v11_2[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 4 < end ? at + q * 4 : end - 1;
      u[q] = ast_load(neighbors + e);
      v11_2[q] = ast_load4(b8 + (i64)u[q] * 32 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 4 < end) {
        a15_0 += v11_2[q].x;
        a15_1 += v11_2[q].y;
        a15_2 += v11_2[q].z;
        a15_3 += v11_2[q].w;
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
  if (slot == 0) w0[((i64)c * 4) * 8 + lane] = a15_0;
  if (slot == 0) w0[((i64)c * 4 + 1) * 8 + lane] = a15_1;
  if (slot == 0) w0[((i64)c * 4 + 2) * 8 + lane] = a15_2;
  if (slot == 0) w0[((i64)c * 4 + 3) * 8 + lane] = a15_3;
}

AST_KERNEL(gcn_wide_backward_2_end)(int hubs, T *AST_RESTRICT w0, const int *AST_RESTRICT hub_first, const int *AST_RESTRICT order, T *AST_RESTRICT b7, const T *AST_RESTRICT b3, const int *AST_RESTRICT offsets_in) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 4;
  const int group = threadIdx.x / 32;
  const int k1 = lane * 4;
  const int h = blockIdx.x * 4 + group;
  if (h >= hubs) return;
  T a15_0 = 0;
  T a15_1 = 0;
  T a15_2 = 0;
  T a15_3 = 0;
  for (int c = hub_first[h] + slot * 8, last = hub_first[h + 1]; c < last; c += 32) {
    T o0[8];
    T o1[8];
    T o2[8];
    T o3[8];
    AST_UNROLL
    for (int q = 0; q < 8; q++) {
      const int k = c + q < last ? c + q : last - 1;
      o0[q] = w0[((i64)k * 4) * 8 + lane];
      o1[q] = w0[((i64)k * 4 + 1) * 8 + lane];
      o2[q] = w0[((i64)k * 4 + 2) * 8 + lane];
      o3[q] = w0[((i64)k * 4 + 3) * 8 + lane];
    }
    AST_UNROLL
    for (int q = 0; q < 8; q++) {
      if (c + q < last) {
        a15_0 += o0[q];
        a15_1 += o1[q];
        a15_2 += o2[q];
        a15_3 += o3[q];
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
  const int r = order[h];
  const T4 v12_2 = ast_load4(b3 + (i64)r * 32 + k1);
  T v2_3 = (T)(offsets_in[r + 1] - offsets_in[r]);
  T v4_4 = v2_3 + (T)1;
  T v5_5 = op_rsqrt(v4_4);
  T v13_6 = v12_2.x * v5_5;
  T v14_7 = v13_6 * v5_5;
  T v16_8 = a15_0 * v5_5;
  T v17_9 = v14_7 + v16_8;
  T v13_10 = v12_2.y * v5_5;
  T v14_11 = v13_10 * v5_5;
  T v16_12 = a15_1 * v5_5;
  T v17_13 = v14_11 + v16_12;
  T v13_14 = v12_2.z * v5_5;
  T v14_15 = v13_14 * v5_5;
  T v16_16 = a15_2 * v5_5;
  T v17_17 = v14_15 + v16_16;
  T v13_18 = v12_2.w * v5_5;
  T v14_19 = v13_18 * v5_5;
  T v16_20 = a15_3 * v5_5;
  T v17_21 = v14_19 + v16_20;
  if (slot == 0) ast_store4(b7 + (i64)r * 32 + k1, v17_9, v17_13, v17_17, v17_21);
}
