
AST_KERNEL(gat_concat_wide_forward_1)(int rows, T *AST_RESTRICT b7, const T *AST_RESTRICT b6, const T *AST_RESTRICT b2) {
  const int lane = threadIdx.x % 8;
  const int group = threadIdx.x / 8;
  AST_SHARED T shared[512];
  T *const stage = shared + (group) * 32;
  const int k1 = lane * 4;
  const u32 lanes_mask = 0xffu << (threadIdx.x & 24u);
  const int k9 = lane * 4 + 1;
  const int k10 = lane * 4 + 2;
  const int k11 = lane * 4 + 3;
  const int r = blockIdx.x * 16 + group;
  if (r >= rows) return;
  const T4 v2_2 = ast_load4(b6 + (i64)r * 32 + k1);
  const T4 v4_3 = ast_load4(b2 + k1);
  T v5_4 = v2_2.x * v4_3.x;
  T v5_5 = v2_2.y * v4_3.y;
  T v5_6 = v2_2.z * v4_3.z;
  T v5_7 = v2_2.w * v4_3.w;
  T v6_8 = v5_4 + v5_5 + v5_6 + v5_7;
  v6_8 += __shfl_xor_sync(lanes_mask, v6_8, 1);
  __syncwarp(lanes_mask);
  stage[k1] = v5_4;
  stage[k9] = v5_5;
  stage[k10] = v5_6;
  stage[k11] = v5_7;
  __syncwarp(lanes_mask);
  T v6_12 = 0;
  for (int j = 0; j < 8; j++)
    v6_12 += stage[8 + j];
  T v6_13 = 0;
  for (int j = 0; j < 8; j++)
    v6_13 += stage[16 + j];
  T v6_14 = 0;
  for (int j = 0; j < 8; j++)
    v6_14 += stage[24 + j];
  if (lane < 1) ast_store4(b7 + (i64)r * 4, v6_8, v6_12, v6_13, v6_14);
}

AST_KERNEL(gat_concat_wide_forward_2)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b7, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b6, const T *AST_RESTRICT b3, T *AST_RESTRICT b5, const T *AST_RESTRICT b4, T *AST_RESTRICT b8, T *AST_RESTRICT b9, T *AST_RESTRICT b10, T *AST_RESTRICT b11, T *AST_RESTRICT b12, T *AST_RESTRICT b13) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 2;
  const int group = threadIdx.x / 16;
  const int k1 = lane / 2;
  const int k3 = lane * 4;
  const u32 lanes_mask = 0xffu << (threadIdx.x & 24u);
  const u32 group_mask = 0xffffu << (threadIdx.x & 16u);
  const int p = hubs + blockIdx.x * 8 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  const T4 v8_4 = ast_load4(b6 + (i64)r * 32 + k3);
  const T4 v10_5 = ast_load4(b3 + k3);
  T v11_6 = v8_4.x * v10_5.x;
  T v11_7 = v8_4.y * v10_5.y;
  T v11_8 = v8_4.z * v10_5.z;
  T v11_9 = v8_4.w * v10_5.w;
  T v12_10 = v11_6 + v11_7 + v11_8 + v11_9;
  v12_10 += __shfl_xor_sync(lanes_mask, v12_10, 1);
  T a16_0 = -AST_INF;
  T a19_0 = 0;
  T a27_0 = 0;
  T a27_1 = 0;
  T a27_2 = 0;
  T a27_3 = 0;
  T a43_0 = 0;
  for (int at = begin + slot; at < end; at += 8) {
    int u[4];
    T v6_2[4];
    T4 v2_15[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 2 < end ? at + q * 2 : end - 1;
      u[q] = ast_load(neighbors + e);
      v6_2[q] = ast_load(b7 + (i64)u[q] * 4 + k1);
      v2_15[q] = ast_load4(b6 + (i64)u[q] * 32 + k3);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 2 < end) {
        T v14_11 = v6_2[q] + v12_10;
        T v15_12 = op_leakyrelu(v14_11, (T)0.2);
        if (!(v15_12 <= a16_0)) {
          const T was = a16_0;
          a16_0 = op_maxof(v15_12, was);
          const T scale = op_exp(was - a16_0);
          a19_0 *= scale;
          a27_0 *= scale;
          a27_1 *= scale;
          a27_2 *= scale;
          a27_3 *= scale;
          a43_0 *= scale;
        }
        T v17_13 = v15_12 - a16_0;
        T v18_14 = v15_12 == -AST_INF ? (T)0 : op_exp(v17_13);
        a19_0 += v18_14;
        T v26_16 = v18_14 * v2_15[q].x;
        a27_0 += v26_16;
        T v26_17 = v18_14 * v2_15[q].y;
        a27_1 += v26_17;
        T v26_18 = v18_14 * v2_15[q].z;
        a27_2 += v26_18;
        T v26_19 = v18_14 * v2_15[q].w;
        a27_3 += v26_19;
        T v35_20 = v14_11 > (T)0 ? (T)1 : (T)0;
        T v37_21 = v35_20 != 0 ? (T)1 : (T)0.2;
        T v42_22 = v18_14 * v37_21;
        a43_0 += v42_22;
      }
    }
  }
  {
    const T other = __shfl_xor_sync(group_mask, a16_0, 8);
    const T top = op_maxof(other, a16_0);
    const T mine = a16_0 == top ? (T)1 : op_exp(a16_0 - top), theirs = other == top ? (T)1 : op_exp(other - top);
    a19_0 = a19_0 * mine + __shfl_xor_sync(group_mask, a19_0, 8) * theirs;
    a27_0 = a27_0 * mine + __shfl_xor_sync(group_mask, a27_0, 8) * theirs;
    a27_1 = a27_1 * mine + __shfl_xor_sync(group_mask, a27_1, 8) * theirs;
    a27_2 = a27_2 * mine + __shfl_xor_sync(group_mask, a27_2, 8) * theirs;
    a27_3 = a27_3 * mine + __shfl_xor_sync(group_mask, a27_3, 8) * theirs;
    a43_0 = a43_0 * mine + __shfl_xor_sync(group_mask, a43_0, 8) * theirs;
    a16_0 = top;
  }
  if (begin < end) a19_0 += a16_0 - a16_0;
  if (begin < end) a27_0 += a16_0 - a16_0;
  if (begin < end) a27_1 += a16_0 - a16_0;
  if (begin < end) a27_2 += a16_0 - a16_0;
  if (begin < end) a27_3 += a16_0 - a16_0;
  if (begin < end) a43_0 += a16_0 - a16_0;
  T v16_28 = begin < end ? a16_0 : (T)0;
  T v21_31 = op_maxof(a19_0, (T)1);
  T v22_32 = 1 / v21_31;
  T a41_0 = 0;
  T a41_1 = 0;
  T a41_2 = 0;
  T a41_3 = 0;
  for (int at = begin + slot; at < end; at += 8) {
    int u[4];
    T v6_23[4];
    T4 v2_35[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 2 < end ? at + q * 2 : end - 1;
      u[q] = ast_load(neighbors + e);
      v6_23[q] = ast_load(b7 + (i64)u[q] * 4 + k1);
      v2_35[q] = ast_load4(b6 + (i64)u[q] * 32 + k3);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 2 < end) {
        T v14_24 = v6_23[q] + v12_10;
        T v35_25 = v14_24 > (T)0 ? (T)1 : (T)0;
        T v37_26 = v35_25 != 0 ? (T)1 : (T)0.2;
        T v15_27 = op_leakyrelu(v14_24, (T)0.2);
        T v17_29 = v15_27 - v16_28;
        T v18_30 = v15_27 == -AST_INF ? (T)0 : op_exp(v17_29);
        T v23_33 = v18_30 * v22_32;
        T v38_34 = v37_26 * v23_33;
        T v40_36 = v38_34 * v2_35[q].x;
        a41_0 += v40_36;
        T v40_37 = v38_34 * v2_35[q].y;
        a41_1 += v40_37;
        T v40_38 = v38_34 * v2_35[q].z;
        a41_2 += v40_38;
        T v40_39 = v38_34 * v2_35[q].w;
        a41_3 += v40_39;
      }
    }
  }
  a41_0 += __shfl_xor_sync(group_mask, a41_0, 8);
  a41_1 += __shfl_xor_sync(group_mask, a41_1, 8);
  a41_2 += __shfl_xor_sync(group_mask, a41_2, 8);
  a41_3 += __shfl_xor_sync(group_mask, a41_3, 8);
  T v28_40 = (T)(offsets[r + 1] - offsets[r]);
  T v30_41 = v28_40 != 0 ? v22_32 : (T)0;
  T v31_42 = a27_0 * v30_41;
  const T4 v33_43 = ast_load4(b4 + k3);
  T v34_44 = v31_42 + v33_43.x;
  T v31_45 = a27_1 * v30_41;
  T v34_46 = v31_45 + v33_43.y;
  T v31_47 = a27_2 * v30_41;
  T v34_48 = v31_47 + v33_43.z;
  T v31_49 = a27_3 * v30_41;
  T v34_50 = v31_49 + v33_43.w;
  if (slot == 0) ast_store4(b5 + (i64)r * 32 + k3, v34_44, v34_46, v34_48, v34_50);
  if (slot == 0 && (0x55u >> lane & 1u)) b8[(i64)r * 4 + k1] = v12_10;
  if (slot == 0 && (0x55u >> lane & 1u)) b9[(i64)r * 4 + k1] = v16_28;
  if (slot == 0 && (0x55u >> lane & 1u)) b10[(i64)r * 4 + k1] = v22_32;
  if (slot == 0) ast_store4(b11 + (i64)r * 32 + k3, v31_42, v31_45, v31_47, v31_49);
  if (slot == 0) ast_store4(b12 + (i64)r * 32 + k3, a41_0, a41_1, a41_2, a41_3);
  T v44_51 = a43_0 * v22_32;
  if (slot == 0 && (0x55u >> lane & 1u)) b13[(i64)r * 4 + k1] = v44_51;
}

AST_KERNEL(gat_concat_wide_forward_2_chunks1)(int chunks, const int *AST_RESTRICT chunk_hub, const int *AST_RESTRICT chunk_begin, const int *AST_RESTRICT hub_first, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b7, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b6, const T *AST_RESTRICT b3, T *AST_RESTRICT w0) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 4;
  const int group = threadIdx.x / 32;
  const int k1 = lane / 2;
  const int k3 = lane * 4;
  const u32 lanes_mask = 0xffu << (threadIdx.x & 24u);
  const int c = blockIdx.x * 4 + group;
  if (c >= chunks) return;
  const int h = chunk_hub[c];
  const int r = order[h];
  const int begin = chunk_begin[c], end = c + 1 < hub_first[h + 1] ? chunk_begin[c + 1] : offsets[r + 1];
  const T4 v8_4 = ast_load4(b6 + (i64)r * 32 + k3);
  const T4 v10_5 = ast_load4(b3 + k3);
  T v11_6 = v8_4.x * v10_5.x;
  T v11_7 = v8_4.y * v10_5.y;
  T v11_8 = v8_4.z * v10_5.z;
  T v11_9 = v8_4.w * v10_5.w;
  T v12_10 = v11_6 + v11_7 + v11_8 + v11_9;
  v12_10 += __shfl_xor_sync(lanes_mask, v12_10, 1);
  T a16_0 = -AST_INF;
  T a19_0 = 0;
  T a27_0 = 0;
  T a27_1 = 0;
  T a27_2 = 0;
  T a27_3 = 0;
  T a43_0 = 0;
  for (int at = begin + slot; at < end; at += 16) {
    int u[4];
    T v6_2[4];
    T4 v2_15[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 4 < end ? at + q * 4 : end - 1;
      u[q] = ast_load(neighbors + e);
      v6_2[q] = ast_load(b7 + (i64)u[q] * 4 + k1);
      v2_15[q] = ast_load4(b6 + (i64)u[q] * 32 + k3);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 4 < end) {
        T v14_11 = v6_2[q] + v12_10;
        T v15_12 = op_leakyrelu(v14_11, (T)0.2);
        if (!(v15_12 <= a16_0)) {
          const T was = a16_0;
          a16_0 = op_maxof(v15_12, was);
          const T scale = op_exp(was - a16_0);
          a19_0 *= scale;
          a27_0 *= scale;
          a27_1 *= scale;
          a27_2 *= scale;
          a27_3 *= scale;
          a43_0 *= scale;
        }
        T v17_13 = v15_12 - a16_0;
        T v18_14 = v15_12 == -AST_INF ? (T)0 : op_exp(v17_13);
        a19_0 += v18_14;
        T v26_16 = v18_14 * v2_15[q].x;
        a27_0 += v26_16;
        T v26_17 = v18_14 * v2_15[q].y;
        a27_1 += v26_17;
        T v26_18 = v18_14 * v2_15[q].z;
        a27_2 += v26_18;
        T v26_19 = v18_14 * v2_15[q].w;
        a27_3 += v26_19;
        T v35_20 = v14_11 > (T)0 ? (T)1 : (T)0;
        T v37_21 = v35_20 != 0 ? (T)1 : (T)0.2;
        T v42_22 = v18_14 * v37_21;
        a43_0 += v42_22;
      }
    }
  }
  {
    const T other = __shfl_xor_sync(0xffffffffu, a16_0, 8);
    const T top = op_maxof(other, a16_0);
    const T mine = a16_0 == top ? (T)1 : op_exp(a16_0 - top), theirs = other == top ? (T)1 : op_exp(other - top);
    a19_0 = a19_0 * mine + __shfl_xor_sync(0xffffffffu, a19_0, 8) * theirs;
    a27_0 = a27_0 * mine + __shfl_xor_sync(0xffffffffu, a27_0, 8) * theirs;
    a27_1 = a27_1 * mine + __shfl_xor_sync(0xffffffffu, a27_1, 8) * theirs;
    a27_2 = a27_2 * mine + __shfl_xor_sync(0xffffffffu, a27_2, 8) * theirs;
    a27_3 = a27_3 * mine + __shfl_xor_sync(0xffffffffu, a27_3, 8) * theirs;
    a43_0 = a43_0 * mine + __shfl_xor_sync(0xffffffffu, a43_0, 8) * theirs;
    a16_0 = top;
  }
  {
    const T other = __shfl_xor_sync(0xffffffffu, a16_0, 16);
    const T top = op_maxof(other, a16_0);
    const T mine = a16_0 == top ? (T)1 : op_exp(a16_0 - top), theirs = other == top ? (T)1 : op_exp(other - top);
    a19_0 = a19_0 * mine + __shfl_xor_sync(0xffffffffu, a19_0, 16) * theirs;
    a27_0 = a27_0 * mine + __shfl_xor_sync(0xffffffffu, a27_0, 16) * theirs;
    a27_1 = a27_1 * mine + __shfl_xor_sync(0xffffffffu, a27_1, 16) * theirs;
    a27_2 = a27_2 * mine + __shfl_xor_sync(0xffffffffu, a27_2, 16) * theirs;
    a27_3 = a27_3 * mine + __shfl_xor_sync(0xffffffffu, a27_3, 16) * theirs;
    a43_0 = a43_0 * mine + __shfl_xor_sync(0xffffffffu, a43_0, 16) * theirs;
    a16_0 = top;
  }
  if (slot == 0) w0[((i64)c * 7) * 8 + lane] = a16_0;
  if (slot == 0) w0[((i64)c * 7 + 1) * 8 + lane] = a19_0;
  if (slot == 0) w0[((i64)c * 7 + 2) * 8 + lane] = a27_0;
  if (slot == 0) w0[((i64)c * 7 + 3) * 8 + lane] = a27_1;
  if (slot == 0) w0[((i64)c * 7 + 4) * 8 + lane] = a27_2;
  if (slot == 0) w0[((i64)c * 7 + 5) * 8 + lane] = a27_3;
  if (slot == 0) w0[((i64)c * 7 + 6) * 8 + lane] = a43_0;
}

AST_KERNEL(gat_concat_wide_forward_2_merge1)(int hubs, T *AST_RESTRICT w0, const int *AST_RESTRICT hub_first, T *AST_RESTRICT w1) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 4;
  const int group = threadIdx.x / 32;
  const int h = blockIdx.x * 4 + group;
  if (h >= hubs) return;
  T a16_0 = -AST_INF;
  T a19_0 = 0;
  T a27_0 = 0;
  T a27_1 = 0;
  T a27_2 = 0;
  T a27_3 = 0;
  T a43_0 = 0;
  for (int c = hub_first[h] + slot * 4, last = hub_first[h + 1]; c < last; c += 16) {
    T o0[4];
    T o1[4];
    T o2[4];
    T o3[4];
    T o4[4];
    T o5[4];
    T o6[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int k = c + q < last ? c + q : last - 1;
      o0[q] = w0[((i64)k * 7) * 8 + lane];
      o1[q] = w0[((i64)k * 7 + 1) * 8 + lane];
      o2[q] = w0[((i64)k * 7 + 2) * 8 + lane];
      o3[q] = w0[((i64)k * 7 + 3) * 8 + lane];
      o4[q] = w0[((i64)k * 7 + 4) * 8 + lane];
      o5[q] = w0[((i64)k * 7 + 5) * 8 + lane];
      o6[q] = w0[((i64)k * 7 + 6) * 8 + lane];
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (c + q < last) {
        {
          const T other = o0[q];
          const T top = op_maxof(other, a16_0);
          const T mine = a16_0 == top ? (T)1 : op_exp(a16_0 - top), theirs = other == top ? (T)1 : op_exp(other - top);
          a19_0 = a19_0 * mine + o1[q] * theirs;
          a27_0 = a27_0 * mine + o2[q] * theirs;
          a27_1 = a27_1 * mine + o3[q] * theirs;
          a27_2 = a27_2 * mine + o4[q] * theirs;
          a27_3 = a27_3 * mine + o5[q] * theirs;
          a43_0 = a43_0 * mine + o6[q] * theirs;
          a16_0 = top;
        }
      }
    }
  }
  {
    const T other = __shfl_xor_sync(0xffffffffu, a16_0, 8);
    const T top = op_maxof(other, a16_0);
    const T mine = a16_0 == top ? (T)1 : op_exp(a16_0 - top), theirs = other == top ? (T)1 : op_exp(other - top);
    a19_0 = a19_0 * mine + __shfl_xor_sync(0xffffffffu, a19_0, 8) * theirs;
    a27_0 = a27_0 * mine + __shfl_xor_sync(0xffffffffu, a27_0, 8) * theirs;
    a27_1 = a27_1 * mine + __shfl_xor_sync(0xffffffffu, a27_1, 8) * theirs;
    a27_2 = a27_2 * mine + __shfl_xor_sync(0xffffffffu, a27_2, 8) * theirs;
    a27_3 = a27_3 * mine + __shfl_xor_sync(0xffffffffu, a27_3, 8) * theirs;
    a43_0 = a43_0 * mine + __shfl_xor_sync(0xffffffffu, a43_0, 8) * theirs;
    a16_0 = top;
  }
  {
    const T other = __shfl_xor_sync(0xffffffffu, a16_0, 16);
    const T top = op_maxof(other, a16_0);
    const T mine = a16_0 == top ? (T)1 : op_exp(a16_0 - top), theirs = other == top ? (T)1 : op_exp(other - top);
    a19_0 = a19_0 * mine + __shfl_xor_sync(0xffffffffu, a19_0, 16) * theirs;
    a27_0 = a27_0 * mine + __shfl_xor_sync(0xffffffffu, a27_0, 16) * theirs;
    a27_1 = a27_1 * mine + __shfl_xor_sync(0xffffffffu, a27_1, 16) * theirs;
    a27_2 = a27_2 * mine + __shfl_xor_sync(0xffffffffu, a27_2, 16) * theirs;
    a27_3 = a27_3 * mine + __shfl_xor_sync(0xffffffffu, a27_3, 16) * theirs;
    a43_0 = a43_0 * mine + __shfl_xor_sync(0xffffffffu, a43_0, 16) * theirs;
    a16_0 = top;
  }
  a19_0 += a16_0 - a16_0;
  a27_0 += a16_0 - a16_0;
  a27_1 += a16_0 - a16_0;
  a27_2 += a16_0 - a16_0;
  a27_3 += a16_0 - a16_0;
  a43_0 += a16_0 - a16_0;
  if (slot == 0) w1[((i64)h * 7) * 8 + lane] = a16_0;
  if (slot == 0) w1[((i64)h * 7 + 1) * 8 + lane] = a19_0;
  if (slot == 0) w1[((i64)h * 7 + 2) * 8 + lane] = a27_0;
  if (slot == 0) w1[((i64)h * 7 + 3) * 8 + lane] = a27_1;
  if (slot == 0) w1[((i64)h * 7 + 4) * 8 + lane] = a27_2;
  if (slot == 0) w1[((i64)h * 7 + 5) * 8 + lane] = a27_3;
  if (slot == 0) w1[((i64)h * 7 + 6) * 8 + lane] = a43_0;
}

AST_KERNEL(gat_concat_wide_forward_2_chunks2)(int chunks, const int *AST_RESTRICT chunk_hub, const int *AST_RESTRICT chunk_begin, const int *AST_RESTRICT hub_first, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b7, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b6, const T *AST_RESTRICT b3, T *AST_RESTRICT w1, T *AST_RESTRICT w2) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 4;
  const int group = threadIdx.x / 32;
  const int k1 = lane / 2;
  const int k3 = lane * 4;
  const u32 lanes_mask = 0xffu << (threadIdx.x & 24u);
  const int c = blockIdx.x * 4 + group;
  if (c >= chunks) return;
  const int h = chunk_hub[c];
  const int r = order[h];
  const int begin = chunk_begin[c], end = c + 1 < hub_first[h + 1] ? chunk_begin[c + 1] : offsets[r + 1];
  const T4 v8_4 = ast_load4(b6 + (i64)r * 32 + k3);
  const T4 v10_5 = ast_load4(b3 + k3);
  T v11_6 = v8_4.x * v10_5.x;
  T v11_7 = v8_4.y * v10_5.y;
  T v11_8 = v8_4.z * v10_5.z;
  T v11_9 = v8_4.w * v10_5.w;
  T v12_10 = v11_6 + v11_7 + v11_8 + v11_9;
  v12_10 += __shfl_xor_sync(lanes_mask, v12_10, 1);
  T v16_15 = w1[((i64)h * 7) * 8 + lane];
  T v19_18 = w1[((i64)h * 7 + 1) * 8 + lane];
  T v21_19 = op_maxof(v19_18, (T)1);
  T v22_20 = 1 / v21_19;
  T a41_0 = 0;
  T a41_1 = 0;
  T a41_2 = 0;
  T a41_3 = 0;
  for (int at = begin + slot; at < end; at += 16) {
    int u[4];
    T v6_2[4];
    T4 v2_23[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 4 < end ? at + q * 4 : end - 1;
      u[q] = ast_load(neighbors + e);
      v6_2[q] = ast_load(b7 + (i64)u[q] * 4 + k1);
      v2_23[q] = ast_load4(b6 + (i64)u[q] * 32 + k3);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 4 < end) {
        T v14_11 = v6_2[q] + v12_10;
        T v35_12 = v14_11 > (T)0 ? (T)1 : (T)0;
        T v37_13 = v35_12 != 0 ? (T)1 : (T)0.2;
        T v15_14 = op_leakyrelu(v14_11, (T)0.2);
        T v17_16 = v15_14 - v16_15;
        T v18_17 = v15_14 == -AST_INF ? (T)0 : op_exp(v17_16);
        T v23_21 = v18_17 * v22_20;
        T v38_22 = v37_13 * v23_21;
        T v40_24 = v38_22 * v2_23[q].x;
        a41_0 += v40_24;
        T v40_25 = v38_22 * v2_23[q].y;
        a41_1 += v40_25;
        T v40_26 = v38_22 * v2_23[q].z;
        a41_2 += v40_26;
        T v40_27 = v38_22 * v2_23[q].w;
        a41_3 += v40_27;
      }
    }
  }
  a41_0 += __shfl_xor_sync(0xffffffffu, a41_0, 8);
  a41_1 += __shfl_xor_sync(0xffffffffu, a41_1, 8);
  a41_2 += __shfl_xor_sync(0xffffffffu, a41_2, 8);
  a41_3 += __shfl_xor_sync(0xffffffffu, a41_3, 8);
  a41_0 += __shfl_xor_sync(0xffffffffu, a41_0, 16);
  a41_1 += __shfl_xor_sync(0xffffffffu, a41_1, 16);
  a41_2 += __shfl_xor_sync(0xffffffffu, a41_2, 16);
  a41_3 += __shfl_xor_sync(0xffffffffu, a41_3, 16);
  if (slot == 0) w2[((i64)c * 4) * 8 + lane] = a41_0;
  if (slot == 0) w2[((i64)c * 4 + 1) * 8 + lane] = a41_1;
  if (slot == 0) w2[((i64)c * 4 + 2) * 8 + lane] = a41_2;
  if (slot == 0) w2[((i64)c * 4 + 3) * 8 + lane] = a41_3;
}

AST_KERNEL(gat_concat_wide_forward_2_end)(int hubs, T *AST_RESTRICT w2, const int *AST_RESTRICT hub_first, const int *AST_RESTRICT order, T *AST_RESTRICT b5, T *AST_RESTRICT w1, const int *AST_RESTRICT offsets, const T *AST_RESTRICT b4, T *AST_RESTRICT b8, const T *AST_RESTRICT b6, const T *AST_RESTRICT b3, T *AST_RESTRICT b9, T *AST_RESTRICT b10, T *AST_RESTRICT b11, T *AST_RESTRICT b12, T *AST_RESTRICT b13) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 4;
  const int group = threadIdx.x / 32;
  const int k8 = lane * 4;
  const u32 lanes_mask = 0xffu << (threadIdx.x & 24u);
  const int k27 = lane / 2;
  const int h = blockIdx.x * 4 + group;
  if (h >= hubs) return;
  T a41_0 = 0;
  T a41_1 = 0;
  T a41_2 = 0;
  T a41_3 = 0;
  for (int c = hub_first[h] + slot * 8, last = hub_first[h + 1]; c < last; c += 32) {
    T o0[8];
    T o1[8];
    T o2[8];
    T o3[8];
    AST_UNROLL
    for (int q = 0; q < 8; q++) {
      const int k = c + q < last ? c + q : last - 1;
      o0[q] = w2[((i64)k * 4) * 8 + lane];
      o1[q] = w2[((i64)k * 4 + 1) * 8 + lane];
      o2[q] = w2[((i64)k * 4 + 2) * 8 + lane];
      o3[q] = w2[((i64)k * 4 + 3) * 8 + lane];
    }
    AST_UNROLL
    for (int q = 0; q < 8; q++) {
      if (c + q < last) {
        a41_0 += o0[q];
        a41_1 += o1[q];
        a41_2 += o2[q];
        a41_3 += o3[q];
      }
    }
  }
  a41_0 += __shfl_xor_sync(0xffffffffu, a41_0, 8);
  a41_1 += __shfl_xor_sync(0xffffffffu, a41_1, 8);
  a41_2 += __shfl_xor_sync(0xffffffffu, a41_2, 8);
  a41_3 += __shfl_xor_sync(0xffffffffu, a41_3, 8);
  a41_0 += __shfl_xor_sync(0xffffffffu, a41_0, 16);
  a41_1 += __shfl_xor_sync(0xffffffffu, a41_1, 16);
  a41_2 += __shfl_xor_sync(0xffffffffu, a41_2, 16);
  a41_3 += __shfl_xor_sync(0xffffffffu, a41_3, 16);
  const int r = order[h];
  T v27_1 = w1[((i64)h * 7 + 2) * 8 + lane];
  T v28_2 = (T)(offsets[r + 1] - offsets[r]);
  T v19_3 = w1[((i64)h * 7 + 1) * 8 + lane];
  T v21_4 = op_maxof(v19_3, (T)1);
  T v22_5 = 1 / v21_4;
  T v30_6 = v28_2 != 0 ? v22_5 : (T)0;
  T v31_7 = v27_1 * v30_6;
  const T4 v33_9 = ast_load4(b4 + k8);
  T v34_10 = v31_7 + v33_9.x;
  T v27_11 = w1[((i64)h * 7 + 3) * 8 + lane];
  T v31_12 = v27_11 * v30_6;
  T v34_13 = v31_12 + v33_9.y;
  T v27_14 = w1[((i64)h * 7 + 4) * 8 + lane];
  T v31_15 = v27_14 * v30_6;
  T v34_16 = v31_15 + v33_9.z;
  T v27_17 = w1[((i64)h * 7 + 5) * 8 + lane];
  T v31_18 = v27_17 * v30_6;
  T v34_19 = v31_18 + v33_9.w;
  if (slot == 0) ast_store4(b5 + (i64)r * 32 + k8, v34_10, v34_13, v34_16, v34_19);
  const T4 v8_20 = ast_load4(b6 + (i64)r * 32 + k8);
  const T4 v10_21 = ast_load4(b3 + k8);
  T v11_22 = v8_20.x * v10_21.x;
  T v11_23 = v8_20.y * v10_21.y;
  T v11_24 = v8_20.z * v10_21.z;
  T v11_25 = v8_20.w * v10_21.w;
  T v12_26 = v11_22 + v11_23 + v11_24 + v11_25;
  v12_26 += __shfl_xor_sync(lanes_mask, v12_26, 1);
  if (slot == 0 && (0x55u >> lane & 1u)) b8[(i64)r * 4 + k27] = v12_26;
  T v16_28 = w1[((i64)h * 7) * 8 + lane];
  if (slot == 0 && (0x55u >> lane & 1u)) b9[(i64)r * 4 + k27] = v16_28;
  if (slot == 0 && (0x55u >> lane & 1u)) b10[(i64)r * 4 + k27] = v22_5;
  if (slot == 0) ast_store4(b11 + (i64)r * 32 + k8, v31_7, v31_12, v31_15, v31_18);
  if (slot == 0) ast_store4(b12 + (i64)r * 32 + k8, a41_0, a41_1, a41_2, a41_3);
  T v43_29 = w1[((i64)h * 7 + 6) * 8 + lane];
  T v44_30 = v43_29 * v22_5;
  if (slot == 0 && (0x55u >> lane & 1u)) b13[(i64)r * 4 + k27] = v44_30;
}

AST_KERNEL(gat_concat_wide_backward_0)(int rows, T *AST_RESTRICT w0, int block0, const T *AST_RESTRICT b11, const T *AST_RESTRICT b12, const T *AST_RESTRICT b13, const T *AST_RESTRICT b10, const T *AST_RESTRICT b5, T *AST_RESTRICT b24, const T *AST_RESTRICT b9) {
  const int lane = threadIdx.x % 8;
  const int group = threadIdx.x / 8;
  T *const sums = w0 + ((i64)(block0 + blockIdx.x) * 4 + group / 4) * 32;
  for (int i = threadIdx.x % 32; i < 32; i += 32) sums[i] = 0;
  __syncwarp(0xffffffffu);
  const int k1 = lane * 4;
  const u32 lanes_mask = 0xffu << (threadIdx.x & 24u);
  const int k9 = lane / 2;
  T s54_0 = 0;
  T s54_1 = 0;
  T s54_2 = 0;
  T s54_3 = 0;
  const int k26 = lane * 4 + 1;
  const int k27 = lane * 4 + 2;
  const int k28 = lane * 4 + 3;
  for (int r = blockIdx.x * 16 + group; r < rows; r += gridDim.x * 16) {
    const T4 v25_2 = ast_load4(b11 + (i64)r * 32 + k1);
    const T4 v45_3 = ast_load4(b12 + (i64)r * 32 + k1);
    T v46_4 = v25_2.x * v45_3.x;
    T v46_5 = v25_2.y * v45_3.y;
    T v46_6 = v25_2.z * v45_3.z;
    T v46_7 = v25_2.w * v45_3.w;
    T v47_8 = v46_4 + v46_5 + v46_6 + v46_7;
    v47_8 += __shfl_xor_sync(lanes_mask, v47_8, 1);
    const T v49_10 = ast_load(b13 + (i64)r * 4 + k9);
    const T4 v24_11 = ast_load4(b10 + (i64)r * 32 + k1);
    T v34_12 = v25_2.x * v24_11.x;
    T v34_13 = v25_2.y * v24_11.y;
    T v34_14 = v25_2.z * v24_11.z;
    T v34_15 = v25_2.w * v24_11.w;
    T v35_16 = v34_12 + v34_13 + v34_14 + v34_15;
    v35_16 += __shfl_xor_sync(lanes_mask, v35_16, 1);
    T v50_17 = v49_10 * v35_16;
    T v51_18 = v47_8 - v50_17;
    const T4 v7_19 = ast_load4(b5 + (i64)r * 32 + k1);
    T v53_20 = v51_18 * v7_19.x;
    s54_0 += v53_20;
    T v53_21 = v51_18 * v7_19.y;
    s54_1 += v53_21;
    T v53_22 = v51_18 * v7_19.z;
    s54_2 += v53_22;
    T v53_23 = v51_18 * v7_19.w;
    s54_3 += v53_23;
    const T v18_24 = ast_load(b9 + (i64)r * 4 + k9);
    T v37_25 = v18_24 * v35_16;
    if (0x55u >> lane & 1u) b24[(i64)r * 4 + k9] = v37_25;
  }
  s54_0 += __shfl_xor_sync(0xffffffffu, s54_0, 8);
  s54_0 += __shfl_xor_sync(0xffffffffu, s54_0, 16);
  if (threadIdx.x % 32 < 8) sums[k1] = s54_0;
  s54_1 += __shfl_xor_sync(0xffffffffu, s54_1, 8);
  s54_1 += __shfl_xor_sync(0xffffffffu, s54_1, 16);
  if (threadIdx.x % 32 < 8) sums[k26] = s54_1;
  s54_2 += __shfl_xor_sync(0xffffffffu, s54_2, 8);
  s54_2 += __shfl_xor_sync(0xffffffffu, s54_2, 16);
  if (threadIdx.x % 32 < 8) sums[k27] = s54_2;
  s54_3 += __shfl_xor_sync(0xffffffffu, s54_3, 8);
  s54_3 += __shfl_xor_sync(0xffffffffu, s54_3, 16);
  if (threadIdx.x % 32 < 8) sums[k28] = s54_3;
}

AST_KERNEL(gat_concat_wide_backward_0_sum1)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 4, 32, 32, out);
}

AST_KERNEL(gat_concat_wide_backward_1_parts)(int rows, int parts, T *AST_RESTRICT sums, const T *AST_RESTRICT b11) {
  const int part = blockIdx.x / 1, i = blockIdx.x % 1 * 256 + threadIdx.x;
  if (i >= 32) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 32 + i;
  T sum0 = 0;
  for (int n = begin; n < end; n++) {
    const int r = n;
    T v25_1 = b11[(i64)r * 32 + i];
    sum0 += v25_1;
  }
  to[0] = sum0;
}

AST_KERNEL(gat_concat_wide_backward_1_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 32, 32, out);
}

AST_KERNEL(gat_concat_wide_backward_2)(int rows, int hubs, T *AST_RESTRICT w0, int block0, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b11, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b4, const T *AST_RESTRICT b7, const T *AST_RESTRICT b8, const T *AST_RESTRICT b9, const T *AST_RESTRICT b2, const T *AST_RESTRICT b24, T *AST_RESTRICT b23, const T *AST_RESTRICT b14, const T *AST_RESTRICT b15, const T *AST_RESTRICT b16, const T *AST_RESTRICT b17, const T *AST_RESTRICT b6, const T *AST_RESTRICT b3) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 2;
  const int group = threadIdx.x / 16;
  T *const sums = w0 + ((i64)(block0 + blockIdx.x) * 4 + group / 2) * 32;
  for (int i = threadIdx.x % 32; i < 32; i += 32) sums[i] = 0;
  __syncwarp(0xffffffffu);
  const int k1 = lane * 4;
  const int k3 = lane / 2;
  const u32 lanes_mask = 0xffu << (threadIdx.x & 24u);
  const u32 group_mask = 0xffffu << (threadIdx.x & 16u);
  T s74_0 = 0;
  T s74_1 = 0;
  T s74_2 = 0;
  T s74_3 = 0;
  const int k69 = lane * 4 + 1;
  const int k70 = lane * 4 + 2;
  const int k71 = lane * 4 + 3;
  for (int p = hubs + blockIdx.x * 8 + group; p < rows; p += gridDim.x * 8) {
    const int r = order[p];
    const int begin = offsets[r];
    const int end = offsets[r + 1];
    const T v5_4 = ast_load(b4 + (i64)r * 4 + k3);
    const T4 v2_18 = ast_load4(b2 + (i64)r * 32 + k1);
    T a31_0 = 0;
    T a31_1 = 0;
    T a31_2 = 0;
    T a31_3 = 0;
    T a44_0 = 0;
    for (int at = begin + slot; at < end; at += 8) {
      int u[4];
      T4 v25_2[4];
      T v10_5[4];
      T v14_8[4];
      T v18_11[4];
      T v37_25[4];
      AST_UNROLL
      for (int q = 0; q < 4; q++) {
        const int e = at + q * 2 < end ? at + q * 2 : end - 1;
        u[q] = ast_load(neighbors + e);
        v25_2[q] = ast_load4(b11 + (i64)u[q] * 32 + k1);
        v10_5[q] = ast_load(b7 + (i64)u[q] * 4 + k3);
        v14_8[q] = ast_load(b8 + (i64)u[q] * 4 + k3);
        v18_11[q] = ast_load(b9 + (i64)u[q] * 4 + k3);
        v37_25[q] = ast_load(b24 + (i64)u[q] * 4 + k3);
      }
      AST_UNROLL
      for (int q = 0; q < 4; q++) {
        if (at + q * 2 < end) {
          T v12_6 = v5_4 + v10_5[q];
          T v13_7 = op_leakyrelu(v12_6, (T)0.2);
          T v15_9 = v13_7 - v14_8[q];
          T v16_10 = op_exp(v15_9);
          T v22_12 = v16_10 * v18_11[q];
          T v29_13 = v25_2[q].x * v22_12;
          a31_0 += v29_13;
          T v29_14 = v25_2[q].y * v22_12;
          a31_1 += v29_14;
          T v29_15 = v25_2[q].z * v22_12;
          a31_2 += v29_15;
          T v29_16 = v25_2[q].w * v22_12;
          a31_3 += v29_16;
          T v19_17 = v16_10 * v18_11[q];
          T v28_19 = v25_2[q].x * v2_18.x;
          T v28_20 = v25_2[q].y * v2_18.y;
          T v28_21 = v25_2[q].z * v2_18.z;
          T v28_22 = v25_2[q].w * v2_18.w;
          T v30_23 = v28_19 + v28_20 + v28_21 + v28_22;
          v30_23 += __shfl_xor_sync(lanes_mask, v30_23, 1);
          T v33_24 = v19_17 * v30_23;
          T v38_26 = v37_25[q] * v16_10;
          T v39_27 = v33_24 - v38_26;
          T v40_28 = v12_6 > (T)0 ? (T)1 : (T)0;
          T v42_29 = v40_28 != 0 ? (T)1 : (T)0.2;
          T v43_30 = v39_27 * v42_29;
          a44_0 += v43_30;
        }
      }
    }
    a31_0 += __shfl_xor_sync(group_mask, a31_0, 8);
    a31_1 += __shfl_xor_sync(group_mask, a31_1, 8);
    a31_2 += __shfl_xor_sync(group_mask, a31_2, 8);
    a31_3 += __shfl_xor_sync(group_mask, a31_3, 8);
    a44_0 += __shfl_xor_sync(group_mask, a44_0, 8);
    T v73_31 = a44_0 * v2_18.x;
    s74_0 += v73_31;
    T v73_32 = a44_0 * v2_18.y;
    s74_1 += v73_32;
    T v73_33 = a44_0 * v2_18.z;
    s74_2 += v73_33;
    T v73_34 = a44_0 * v2_18.w;
    s74_3 += v73_34;
    const T4 v55_35 = ast_load4(b14 + (i64)r * 32 + k1);
    const T4 v57_36 = ast_load4(b15 + (i64)r * 32 + k1);
    T v58_37 = v55_35.x * v57_36.x;
    T v58_38 = v55_35.y * v57_36.y;
    T v58_39 = v55_35.z * v57_36.z;
    T v58_40 = v55_35.w * v57_36.w;
    T v59_41 = v58_37 + v58_38 + v58_39 + v58_40;
    v59_41 += __shfl_xor_sync(lanes_mask, v59_41, 1);
    const T v61_42 = ast_load(b16 + (i64)r * 4 + k3);
    const T4 v62_43 = ast_load4(b17 + (i64)r * 32 + k1);
    T v63_44 = v55_35.x * v62_43.x;
    T v63_45 = v55_35.y * v62_43.y;
    T v63_46 = v55_35.z * v62_43.z;
    T v63_47 = v55_35.w * v62_43.w;
    T v64_48 = v63_44 + v63_45 + v63_46 + v63_47;
    v64_48 += __shfl_xor_sync(lanes_mask, v64_48, 1);
    T v66_49 = v61_42 * v64_48;
    T v67_50 = v59_41 - v66_49;
    const T4 v9_51 = ast_load4(b6 + k1);
    T v69_52 = v67_50 * v9_51.x;
    const T4 v4_53 = ast_load4(b3 + k1);
    T v72_54 = a44_0 * v4_53.x;
    T v75_55 = a31_0 + v72_54;
    T v77_56 = v69_52 + v75_55;
    T v69_57 = v67_50 * v9_51.y;
    T v72_58 = a44_0 * v4_53.y;
    T v75_59 = a31_1 + v72_58;
    T v77_60 = v69_57 + v75_59;
    T v69_61 = v67_50 * v9_51.z;
    T v72_62 = a44_0 * v4_53.z;
    T v75_63 = a31_2 + v72_62;
    T v77_64 = v69_61 + v75_63;
    T v69_65 = v67_50 * v9_51.w;
    T v72_66 = a44_0 * v4_53.w;
    T v75_67 = a31_3 + v72_66;
    T v77_68 = v69_65 + v75_67;
    if (slot == 0) ast_store4(b23 + (i64)r * 32 + k1, v77_56, v77_60, v77_64, v77_68);
  }
  s74_0 += __shfl_xor_sync(0xffffffffu, s74_0, 16);
  if (threadIdx.x % 32 < 16) if (slot == 0) sums[k1] = s74_0;
  s74_1 += __shfl_xor_sync(0xffffffffu, s74_1, 16);
  if (threadIdx.x % 32 < 16) if (slot == 0) sums[k69] = s74_1;
  s74_2 += __shfl_xor_sync(0xffffffffu, s74_2, 16);
  if (threadIdx.x % 32 < 16) if (slot == 0) sums[k70] = s74_2;
  s74_3 += __shfl_xor_sync(0xffffffffu, s74_3, 16);
  if (threadIdx.x % 32 < 16) if (slot == 0) sums[k71] = s74_3;
}

AST_KERNEL(gat_concat_wide_backward_2_chunks1)(int chunks, const int *AST_RESTRICT chunk_hub, T *AST_RESTRICT w0, int block0, const int *AST_RESTRICT chunk_begin, const int *AST_RESTRICT hub_first, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b11, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b4, const T *AST_RESTRICT b7, const T *AST_RESTRICT b8, const T *AST_RESTRICT b9, const T *AST_RESTRICT b2, const T *AST_RESTRICT b24, T *AST_RESTRICT w1) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 4;
  const int group = threadIdx.x / 32;
  T *const sums = w0 + ((i64)(block0 + blockIdx.x) * 4 + group) * 32;
  for (int i = threadIdx.x % 32; i < 32; i += 32) sums[i] = 0;
  __syncwarp(0xffffffffu);
  const int k1 = lane * 4;
  const int k3 = lane / 2;
  const u32 lanes_mask = 0xffu << (threadIdx.x & 24u);
  for (int c = blockIdx.x * 4 + group; c < chunks; c += gridDim.x * 4) {
    const int h = chunk_hub[c];
    const int r = order[h];
    const int begin = chunk_begin[c], end = c + 1 < hub_first[h + 1] ? chunk_begin[c + 1] : offsets[r + 1];
    const T v5_4 = ast_load(b4 + (i64)r * 4 + k3);
    const T4 v2_18 = ast_load4(b2 + (i64)r * 32 + k1);
    T a31_0 = 0;
    T a31_1 = 0;
    T a31_2 = 0;
    T a31_3 = 0;
    T a44_0 = 0;
    for (int at = begin + slot; at < end; at += 16) {
      int u[4];
      T4 v25_2[4];
      T v10_5[4];
      T v14_8[4];
      T v18_11[4];
      T v37_25[4];
      AST_UNROLL
      for (int q = 0; q < 4; q++) {
        const int e = at + q * 4 < end ? at + q * 4 : end - 1;
        u[q] = ast_load(neighbors + e);
        v25_2[q] = ast_load4(b11 + (i64)u[q] * 32 + k1);
        v10_5[q] = ast_load(b7 + (i64)u[q] * 4 + k3);
        v14_8[q] = ast_load(b8 + (i64)u[q] * 4 + k3);
        v18_11[q] = ast_load(b9 + (i64)u[q] * 4 + k3);
        v37_25[q] = ast_load(b24 + (i64)u[q] * 4 + k3);
      }
      AST_UNROLL
      for (int q = 0; q < 4; q++) {
        if (at + q * 4 < end) {
          T v12_6 = v5_4 + v10_5[q];
          T v13_7 = op_leakyrelu(v12_6, (T)0.2);
          T v15_9 = v13_7 - v14_8[q];
          T v16_10 = op_exp(v15_9);
          T v22_12 = v16_10 * v18_11[q];
          T v29_13 = v25_2[q].x * v22_12;
          a31_0 += v29_13;
          T v29_14 = v25_2[q].y * v22_12;
          a31_1 += v29_14;
          T v29_15 = v25_2[q].z * v22_12;
          a31_2 += v29_15;
          T v29_16 = v25_2[q].w * v22_12;
          a31_3 += v29_16;
          T v19_17 = v16_10 * v18_11[q];
          T v28_19 = v25_2[q].x * v2_18.x;
          T v28_20 = v25_2[q].y * v2_18.y;
          T v28_21 = v25_2[q].z * v2_18.z;
          T v28_22 = v25_2[q].w * v2_18.w;
          T v30_23 = v28_19 + v28_20 + v28_21 + v28_22;
          v30_23 += __shfl_xor_sync(lanes_mask, v30_23, 1);
          T v33_24 = v19_17 * v30_23;
          T v38_26 = v37_25[q] * v16_10;
          T v39_27 = v33_24 - v38_26;
          T v40_28 = v12_6 > (T)0 ? (T)1 : (T)0;
          T v42_29 = v40_28 != 0 ? (T)1 : (T)0.2;
          T v43_30 = v39_27 * v42_29;
          a44_0 += v43_30;
        }
      }
    }
    a31_0 += __shfl_xor_sync(0xffffffffu, a31_0, 8);
    a31_1 += __shfl_xor_sync(0xffffffffu, a31_1, 8);
    a31_2 += __shfl_xor_sync(0xffffffffu, a31_2, 8);
    a31_3 += __shfl_xor_sync(0xffffffffu, a31_3, 8);
    a44_0 += __shfl_xor_sync(0xffffffffu, a44_0, 8);
    a31_0 += __shfl_xor_sync(0xffffffffu, a31_0, 16);
    a31_1 += __shfl_xor_sync(0xffffffffu, a31_1, 16);
    a31_2 += __shfl_xor_sync(0xffffffffu, a31_2, 16);
    a31_3 += __shfl_xor_sync(0xffffffffu, a31_3, 16);
    a44_0 += __shfl_xor_sync(0xffffffffu, a44_0, 16);
    if (slot == 0) w1[((i64)c * 5) * 8 + lane] = a31_0;
    if (slot == 0) w1[((i64)c * 5 + 1) * 8 + lane] = a31_1;
    if (slot == 0) w1[((i64)c * 5 + 2) * 8 + lane] = a31_2;
    if (slot == 0) w1[((i64)c * 5 + 3) * 8 + lane] = a31_3;
    if (slot == 0) w1[((i64)c * 5 + 4) * 8 + lane] = a44_0;
  }
}

AST_KERNEL(gat_concat_wide_backward_2_end)(int hubs, T *AST_RESTRICT w0, int block0, T *AST_RESTRICT w1, const int *AST_RESTRICT hub_first, const T *AST_RESTRICT b2, const int *AST_RESTRICT order, T *AST_RESTRICT b23, const T *AST_RESTRICT b14, const T *AST_RESTRICT b15, const T *AST_RESTRICT b16, const T *AST_RESTRICT b17, const T *AST_RESTRICT b6, const T *AST_RESTRICT b3) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 4;
  const int group = threadIdx.x / 32;
  T *const sums = w0 + ((i64)(block0 + blockIdx.x) * 4 + group) * 32;
  for (int i = threadIdx.x % 32; i < 32; i += 32) sums[i] = 0;
  __syncwarp(0xffffffffu);
  const int k1 = lane * 4;
  T s74_0 = 0;
  T s74_1 = 0;
  T s74_2 = 0;
  T s74_3 = 0;
  const u32 lanes_mask = 0xffu << (threadIdx.x & 24u);
  const int k14 = lane / 2;
  const int k42 = lane * 4 + 1;
  const int k43 = lane * 4 + 2;
  const int k44 = lane * 4 + 3;
  for (int h = blockIdx.x * 4 + group; h < hubs; h += gridDim.x * 4) {
    T a31_0 = 0;
    T a31_1 = 0;
    T a31_2 = 0;
    T a31_3 = 0;
    T a44_0 = 0;
    for (int c = hub_first[h] + slot * 6, last = hub_first[h + 1]; c < last; c += 24) {
      T o0[6];
      T o1[6];
      T o2[6];
      T o3[6];
      T o4[6];
      AST_UNROLL
      for (int q = 0; q < 6; q++) {
        const int k = c + q < last ? c + q : last - 1;
        o0[q] = w1[((i64)k * 5) * 8 + lane];
        o1[q] = w1[((i64)k * 5 + 1) * 8 + lane];
        o2[q] = w1[((i64)k * 5 + 2) * 8 + lane];
        o3[q] = w1[((i64)k * 5 + 3) * 8 + lane];
        o4[q] = w1[((i64)k * 5 + 4) * 8 + lane];
      }
      AST_UNROLL
      for (int q = 0; q < 6; q++) {
        if (c + q < last) {
          a31_0 += o0[q];
          a31_1 += o1[q];
          a31_2 += o2[q];
          a31_3 += o3[q];
          a44_0 += o4[q];
        }
      }
    }
    a31_0 += __shfl_xor_sync(0xffffffffu, a31_0, 8);
    a31_1 += __shfl_xor_sync(0xffffffffu, a31_1, 8);
    a31_2 += __shfl_xor_sync(0xffffffffu, a31_2, 8);
    a31_3 += __shfl_xor_sync(0xffffffffu, a31_3, 8);
    a44_0 += __shfl_xor_sync(0xffffffffu, a44_0, 8);
    a31_0 += __shfl_xor_sync(0xffffffffu, a31_0, 16);
    a31_1 += __shfl_xor_sync(0xffffffffu, a31_1, 16);
    a31_2 += __shfl_xor_sync(0xffffffffu, a31_2, 16);
    a31_3 += __shfl_xor_sync(0xffffffffu, a31_3, 16);
    a44_0 += __shfl_xor_sync(0xffffffffu, a44_0, 16);
    const int r = order[h];
    const T4 v2_2 = ast_load4(b2 + (i64)r * 32 + k1);
    T v73_3 = a44_0 * v2_2.x;
    s74_0 += v73_3;
    T v73_4 = a44_0 * v2_2.y;
    s74_1 += v73_4;
    T v73_5 = a44_0 * v2_2.z;
    s74_2 += v73_5;
    T v73_6 = a44_0 * v2_2.w;
    s74_3 += v73_6;
    const T4 v55_7 = ast_load4(b14 + (i64)r * 32 + k1);
    const T4 v57_8 = ast_load4(b15 + (i64)r * 32 + k1);
    T v58_9 = v55_7.x * v57_8.x;
    T v58_10 = v55_7.y * v57_8.y;
    T v58_11 = v55_7.z * v57_8.z;
    T v58_12 = v55_7.w * v57_8.w;
    T v59_13 = v58_9 + v58_10 + v58_11 + v58_12;
    v59_13 += __shfl_xor_sync(lanes_mask, v59_13, 1);
    const T v61_15 = ast_load(b16 + (i64)r * 4 + k14);
    const T4 v62_16 = ast_load4(b17 + (i64)r * 32 + k1);
    T v63_17 = v55_7.x * v62_16.x;
    T v63_18 = v55_7.y * v62_16.y;
    T v63_19 = v55_7.z * v62_16.z;
    T v63_20 = v55_7.w * v62_16.w;
    T v64_21 = v63_17 + v63_18 + v63_19 + v63_20;
    v64_21 += __shfl_xor_sync(lanes_mask, v64_21, 1);
    T v66_22 = v61_15 * v64_21;
    T v67_23 = v59_13 - v66_22;
    const T4 v9_24 = ast_load4(b6 + k1);
    T v69_25 = v67_23 * v9_24.x;
    const T4 v4_26 = ast_load4(b3 + k1);
    T v72_27 = a44_0 * v4_26.x;
    T v75_28 = a31_0 + v72_27;
    T v77_29 = v69_25 + v75_28;
    T v69_30 = v67_23 * v9_24.y;
    T v72_31 = a44_0 * v4_26.y;
    T v75_32 = a31_1 + v72_31;
    T v77_33 = v69_30 + v75_32;
    T v69_34 = v67_23 * v9_24.z;
    T v72_35 = a44_0 * v4_26.z;
    T v75_36 = a31_2 + v72_35;
    T v77_37 = v69_34 + v75_36;
    T v69_38 = v67_23 * v9_24.w;
    T v72_39 = a44_0 * v4_26.w;
    T v75_40 = a31_3 + v72_39;
    T v77_41 = v69_38 + v75_40;
    if (slot == 0) ast_store4(b23 + (i64)r * 32 + k1, v77_29, v77_33, v77_37, v77_41);
  }
  if (slot == 0) sums[k1] = s74_0;
  if (slot == 0) sums[k42] = s74_1;
  if (slot == 0) sums[k43] = s74_2;
  if (slot == 0) sums[k44] = s74_3;
}

AST_KERNEL(gat_concat_wide_backward_2_sum1)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 4, 32, 32, out);
}
