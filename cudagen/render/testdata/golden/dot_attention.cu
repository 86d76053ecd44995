
AST_KERNEL(dot_attention_wide_forward_3)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b6, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b7, const T *AST_RESTRICT b10, T *AST_RESTRICT b5, T *AST_RESTRICT b8, T *AST_RESTRICT b9) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 2;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const u32 lanes_mask = 0xffu << (threadIdx.x & 24u);
  const u32 group_mask = 0xffffu << (threadIdx.x & 16u);
  const int k25 = lane / 2;
  const int p = hubs + blockIdx.x * 8 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  const T4 v6_3 = ast_load4(b7 + (i64)r * 32 + k1);
  T a11_0 = -AST_INF;
  T a14_0 = 0;
  T a24_0 = 0;
  T a24_1 = 0;
  T a24_2 = 0;
  T a24_3 = 0;
  for (int at = begin + slot; at < end; at += 8) {
    int u[4];
    T4 v2_2[4];
    T4 v21_11[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 2 < end ? at + q * 2 : end - 1;
      u[q] = ast_load(neighbors + e);
      v2_2[q] = ast_load4(b6 + (i64)u[q] * 32 + k1);
      v21_11[q] = ast_load4(b10 + (i64)u[q] * 32 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 2 < end) {
        T v8_4 = v2_2[q].x * v6_3.x;
        T v8_5 = v2_2[q].y * v6_3.y;
        T v8_6 = v2_2[q].z * v6_3.z;
        T v8_7 = v2_2[q].w * v6_3.w;
        T v9_8 = v8_4 + v8_5 + v8_6 + v8_7;
        v9_8 += __shfl_xor_sync(lanes_mask, v9_8, 1);
        if (!(v9_8 <= a11_0)) {
          const T was = a11_0;
          a11_0 = op_maxof(v9_8, was);
          const T scale = op_exp(was - a11_0);
          a14_0 *= scale;
          a24_0 *= scale;
          a24_1 *= scale;
          a24_2 *= scale;
          a24_3 *= scale;
        }
        T v12_9 = v9_8 - a11_0;
        T v13_10 = v9_8 == -AST_INF ? (T)0 : op_exp(v12_9);
        a14_0 += v13_10;
        T v23_12 = v13_10 * v21_11[q].x;
        a24_0 += v23_12;
        T v23_13 = v13_10 * v21_11[q].y;
        a24_1 += v23_13;
        T v23_14 = v13_10 * v21_11[q].z;
        a24_2 += v23_14;
        T v23_15 = v13_10 * v21_11[q].w;
        a24_3 += v23_15;
      }
    }
  }
  {
    const T other = __shfl_xor_sync(group_mask, a11_0, 8);
    const T top = op_maxof(other, a11_0);
    const T mine = a11_0 == top ? (T)1 : op_exp(a11_0 - top), theirs = other == top ? (T)1 : op_exp(other - top);
    a14_0 = a14_0 * mine + __shfl_xor_sync(group_mask, a14_0, 8) * theirs;
    a24_0 = a24_0 * mine + __shfl_xor_sync(group_mask, a24_0, 8) * theirs;
    a24_1 = a24_1 * mine + __shfl_xor_sync(group_mask, a24_1, 8) * theirs;
    a24_2 = a24_2 * mine + __shfl_xor_sync(group_mask, a24_2, 8) * theirs;
    a24_3 = a24_3 * mine + __shfl_xor_sync(group_mask, a24_3, 8) * theirs;
    a11_0 = top;
  }
  if (begin < end) a14_0 += a11_0 - a11_0;
  if (begin < end) a24_0 += a11_0 - a11_0;
  if (begin < end) a24_1 += a11_0 - a11_0;
  if (begin < end) a24_2 += a11_0 - a11_0;
  if (begin < end) a24_3 += a11_0 - a11_0;
  T v25_16 = (T)(offsets[r + 1] - offsets[r]);
  T v16_17 = op_maxof(a14_0, (T)1);
  T v17_18 = 1 / v16_17;
  T v27_19 = v25_16 != 0 ? v17_18 : (T)0;
  T v28_20 = a24_0 * v27_19;
  T v28_21 = a24_1 * v27_19;
  T v28_22 = a24_2 * v27_19;
  T v28_23 = a24_3 * v27_19;
  if (slot == 0) ast_store4(b5 + (i64)r * 32 + k1, v28_20, v28_21, v28_22, v28_23);
  T v11_24 = begin < end ? a11_0 : (T)0;
  if (slot == 0 && (0x55u >> lane & 1u)) b8[(i64)r * 4 + k25] = v11_24;
  if (slot == 0 && (0x55u >> lane & 1u)) b9[(i64)r * 4 + k25] = v17_18;
}

AST_KERNEL(dot_attention_wide_backward_0)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b2, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b5, const T *AST_RESTRICT b6, const T *AST_RESTRICT b7, const T *AST_RESTRICT b11, const T *AST_RESTRICT b9, const T *AST_RESTRICT b10, T *AST_RESTRICT b17, T *AST_RESTRICT b22) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 2;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const u32 lanes_mask = 0xffu << (threadIdx.x & 24u);
  const int k9 = lane / 2;
  const u32 group_mask = 0xffffu << (threadIdx.x & 16u);
  const int p = hubs + blockIdx.x * 8 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  const T4 v6_3 = ast_load4(b5 + (i64)r * 32 + k1);
  const T v11_10 = ast_load(b6 + (i64)r * 4 + k9);
  const T v14_13 = ast_load(b7 + (i64)r * 4 + k9);
  const T4 v23_15 = ast_load4(b11 + (i64)r * 32 + k1);
  const T4 v22_23 = ast_load4(b10 + (i64)r * 32 + k1);
  T v32_24 = v23_15.x * v22_23.x;
  T v32_25 = v23_15.y * v22_23.y;
  T v32_26 = v23_15.z * v22_23.z;
  T v32_27 = v23_15.w * v22_23.w;
  T v33_28 = v32_24 + v32_25 + v32_26 + v32_27;
  v33_28 += __shfl_xor_sync(lanes_mask, v33_28, 1);
  T v35_29 = v14_13 * v33_28;
  T a42_0 = 0;
  T a42_1 = 0;
  T a42_2 = 0;
  T a42_3 = 0;
  for (int at = begin + slot; at < end; at += 8) {
    int u[4];
    T4 v2_2[4];
    T4 v20_16[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 2 < end ? at + q * 2 : end - 1;
      u[q] = ast_load(neighbors + e);
      v2_2[q] = ast_load4(b2 + (i64)u[q] * 32 + k1);
      v20_16[q] = ast_load4(b9 + (i64)u[q] * 32 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 2 < end) {
        T v8_4 = v2_2[q].x * v6_3.x;
        T v8_5 = v2_2[q].y * v6_3.y;
        T v8_6 = v2_2[q].z * v6_3.z;
        T v8_7 = v2_2[q].w * v6_3.w;
        T v9_8 = v8_4 + v8_5 + v8_6 + v8_7;
        v9_8 += __shfl_xor_sync(lanes_mask, v9_8, 1);
        T v12_11 = v9_8 - v11_10;
        T v13_12 = op_exp(v12_11);
        T v15_14 = v13_12 * v14_13;
        T v24_17 = v23_15.x * v20_16[q].x;
        T v24_18 = v23_15.y * v20_16[q].y;
        T v24_19 = v23_15.z * v20_16[q].z;
        T v24_20 = v23_15.w * v20_16[q].w;
        T v26_21 = v24_17 + v24_18 + v24_19 + v24_20;
        v26_21 += __shfl_xor_sync(lanes_mask, v26_21, 1);
        T v31_22 = v15_14 * v26_21;
        T v36_30 = v35_29 * v13_12;
        T v37_31 = v31_22 - v36_30;
        T v40_32 = v37_31 * v2_2[q].x;
        a42_0 += v40_32;
        T v40_33 = v37_31 * v2_2[q].y;
        a42_1 += v40_33;
        T v40_34 = v37_31 * v2_2[q].z;
        a42_2 += v40_34;
        T v40_35 = v37_31 * v2_2[q].w;
        a42_3 += v40_35;
      }
    }
  }
  a42_0 += __shfl_xor_sync(group_mask, a42_0, 8);
  a42_1 += __shfl_xor_sync(group_mask, a42_1, 8);
  a42_2 += __shfl_xor_sync(group_mask, a42_2, 8);
  a42_3 += __shfl_xor_sync(group_mask, a42_3, 8);
  if (slot == 0) ast_store4(b17 + (i64)r * 32 + k1, a42_0, a42_1, a42_2, a42_3);
  if (slot == 0 && (0x55u >> lane & 1u)) b22[(i64)r * 4 + k9] = v35_29;
}

AST_KERNEL(dot_attention_wide_backward_3)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b11, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b2, const T *AST_RESTRICT b5, const T *AST_RESTRICT b6, const T *AST_RESTRICT b7, const T *AST_RESTRICT b9, const T *AST_RESTRICT b22, T *AST_RESTRICT b16, T *AST_RESTRICT b18) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 2;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const u32 lanes_mask = 0xffu << (threadIdx.x & 24u);
  const int k10 = lane / 2;
  const u32 group_mask = 0xffffu << (threadIdx.x & 16u);
  const int p = hubs + blockIdx.x * 8 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  const T4 v2_3 = ast_load4(b2 + (i64)r * 32 + k1);
  const T4 v20_21 = ast_load4(b9 + (i64)r * 32 + k1);
  T a27_0 = 0;
  T a27_1 = 0;
  T a27_2 = 0;
  T a27_3 = 0;
  T a41_0 = 0;
  T a41_1 = 0;
  T a41_2 = 0;
  T a41_3 = 0;
  for (int at = begin + slot; at < end; at += 8) {
    int u[4];
    T4 v23_2[4];
    T4 v6_4[4];
    T v11_11[4];
    T v14_14[4];
    T v35_28[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 2 < end ? at + q * 2 : end - 1;
      u[q] = ast_load(neighbors + e);
      v23_2[q] = ast_load4(b11 + (i64)u[q] * 32 + k1);
      v6_4[q] = ast_load4(b5 + (i64)u[q] * 32 + k1);
      v11_11[q] = ast_load(b6 + (i64)u[q] * 4 + k10);
      v14_14[q] = ast_load(b7 + (i64)u[q] * 4 + k10);
      v35_28[q] = ast_load(b22 + (i64)u[q] * 4 + k10);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 2 < end) {
        T v8_5 = v2_3.x * v6_4[q].x;
        T v8_6 = v2_3.y * v6_4[q].y;
        T v8_7 = v2_3.z * v6_4[q].z;
        T v8_8 = v2_3.w * v6_4[q].w;
        T v9_9 = v8_5 + v8_6 + v8_7 + v8_8;
        v9_9 += __shfl_xor_sync(lanes_mask, v9_9, 1);
        T v12_12 = v9_9 - v11_11[q];
        T v13_13 = op_exp(v12_12);
        T v18_15 = v13_13 * v14_14[q];
        T v25_16 = v23_2[q].x * v18_15;
        a27_0 += v25_16;
        T v25_17 = v23_2[q].y * v18_15;
        a27_1 += v25_17;
        T v25_18 = v23_2[q].z * v18_15;
        a27_2 += v25_18;
        T v25_19 = v23_2[q].w * v18_15;
        a27_3 += v25_19;
        T v15_20 = v13_13 * v14_14[q];
        T v24_22 = v23_2[q].x * v20_21.x;
        T v24_23 = v23_2[q].y * v20_21.y;
        T v24_24 = v23_2[q].z * v20_21.z;
        T v24_25 = v23_2[q].w * v20_21.w;
        T v26_26 = v24_22 + v24_23 + v24_24 + v24_25;
        v26_26 += __shfl_xor_sync(lanes_mask, v26_26, 1);
        T v31_27 = v15_20 * v26_26;
        T v36_29 = v35_28[q] * v13_13;
        T v37_30 = v31_27 - v36_29;
        T v39_31 = v37_30 * v6_4[q].x;
        a41_0 += v39_31;
        T v39_32 = v37_30 * v6_4[q].y;
        a41_1 += v39_32;
        T v39_33 = v37_30 * v6_4[q].z;
        a41_2 += v39_33;
        T v39_34 = v37_30 * v6_4[q].w;
        a41_3 += v39_34;
      }
    }
  }
  a27_0 += __shfl_xor_sync(group_mask, a27_0, 8);
  a27_1 += __shfl_xor_sync(group_mask, a27_1, 8);
  a27_2 += __shfl_xor_sync(group_mask, a27_2, 8);
  a27_3 += __shfl_xor_sync(group_mask, a27_3, 8);
  a41_0 += __shfl_xor_sync(group_mask, a41_0, 8);
  a41_1 += __shfl_xor_sync(group_mask, a41_1, 8);
  a41_2 += __shfl_xor_sync(group_mask, a41_2, 8);
  a41_3 += __shfl_xor_sync(group_mask, a41_3, 8);
  if (slot == 0) ast_store4(b16 + (i64)r * 32 + k1, a27_0, a27_1, a27_2, a27_3);
  if (slot == 0) ast_store4(b18 + (i64)r * 32 + k1, a41_0, a41_1, a41_2, a41_3);
}

AST_KERNEL(dot_attention_wide_backward_8)(int rows, T *AST_RESTRICT b12, const T *AST_RESTRICT b19, const T *AST_RESTRICT b21, const T *AST_RESTRICT b20) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v29_2 = ast_load4(b19 + (i64)r * 64 + k1);
  const T4 v46_3 = ast_load4(b21 + (i64)r * 64 + k1);
  T v47_4 = v29_2.x + v46_3.x;
  const T4 v48_5 = ast_load4(b20 + (i64)r * 64 + k1);
  T v49_6 = v47_4 + v48_5.x;
  T v47_7 = v29_2.y + v46_3.y;
  T v49_8 = v47_7 + v48_5.y;
  T v47_9 = v29_2.z + v46_3.z;
  T v49_10 = v47_9 + v48_5.z;
  T v47_11 = v29_2.w + v46_3.w;
  T v49_12 = v47_11 + v48_5.w;
  ast_store4(b12 + (i64)r * 64 + k1, v49_6, v49_8, v49_10, v49_12);
}
