
AST_KERNEL(gatv2_wide_forward_2)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b6, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b7, const T *AST_RESTRICT b4, T *AST_RESTRICT b5, T *AST_RESTRICT b8, T *AST_RESTRICT b9) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 2;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const u32 lanes_mask = 0xffu << (threadIdx.x & 24u);
  const u32 group_mask = 0xffffu << (threadIdx.x & 16u);
  const int k33 = lane / 2;
  const int p = hubs + blockIdx.x * 8 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  const T4 v6_3 = ast_load4(b7 + (i64)r * 32 + k1);
  const T4 v10_6 = ast_load4(b4 + k1);
  T a14_0 = -AST_INF;
  T a17_0 = 0;
  T a24_0 = 0;
  T a24_1 = 0;
  T a24_2 = 0;
  T a24_3 = 0;
  for (int at = begin + slot; at < end; at += 8) {
    int u[4];
    T4 v2_2[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 2 < end ? at + q * 2 : end - 1;
      u[q] = ast_load(neighbors + e);
      v2_2[q] = ast_load4(b6 + (i64)u[q] * 32 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 2 < end) {
        T v8_4 = v2_2[q].x + v6_3.x;
        T v9_5 = op_leakyrelu(v8_4, (T)0.2);
        T v11_7 = v9_5 * v10_6.x;
        T v8_8 = v2_2[q].y + v6_3.y;
        T v9_9 = op_leakyrelu(v8_8, (T)0.2);
        T v11_10 = v9_9 * v10_6.y;
        T v8_11 = v2_2[q].z + v6_3.z;
        T v9_12 = op_leakyrelu(v8_11, (T)0.2);
        T v11_13 = v9_12 * v10_6.z;
        T v8_14 = v2_2[q].w + v6_3.w;
        T v9_15 = op_leakyrelu(v8_14, (T)0.2);
        T v11_16 = v9_15 * v10_6.w;
        T v12_17 = v11_7 + v11_10 + v11_13 + v11_16;
        v12_17 += __shfl_xor_sync(lanes_mask, v12_17, 1);
        if (!(v12_17 <= a14_0)) {
          const T was = a14_0;
          a14_0 = op_maxof(v12_17, was);
          const T scale = op_exp(was - a14_0);
          a17_0 *= scale;
          a24_0 *= scale;
          a24_1 *= scale;
          a24_2 *= scale;
          a24_3 *= scale;
        }
        T v15_18 = v12_17 - a14_0;
        T v16_19 = v12_17 == -AST_INF ? (T)0 : op_exp(v15_18);
        a17_0 += v16_19;
        T v23_20 = v16_19 * v2_2[q].x;
        a24_0 += v23_20;
        T v23_21 = v16_19 * v2_2[q].y;
        a24_1 += v23_21;
        T v23_22 = v16_19 * v2_2[q].z;
        a24_2 += v23_22;
        T v23_23 = v16_19 * v2_2[q].w;
        a24_3 += v23_23;
      }
    }
  }
  {
    const T other = __shfl_xor_sync(group_mask, a14_0, 8);
    const T top = op_maxof(other, a14_0);
    const T mine = a14_0 == top ? (T)1 : op_exp(a14_0 - top), theirs = other == top ? (T)1 : op_exp(other - top);
    a17_0 = a17_0 * mine + __shfl_xor_sync(group_mask, a17_0, 8) * theirs;
    a24_0 = a24_0 * mine + __shfl_xor_sync(group_mask, a24_0, 8) * theirs;
    a24_1 = a24_1 * mine + __shfl_xor_sync(group_mask, a24_1, 8) * theirs;
    a24_2 = a24_2 * mine + __shfl_xor_sync(group_mask, a24_2, 8) * theirs;
    a24_3 = a24_3 * mine + __shfl_xor_sync(group_mask, a24_3, 8) * theirs;
    a14_0 = top;
  }
  if (begin < end) a17_0 += a14_0 - a14_0;
  if (begin < end) a24_0 += a14_0 - a14_0;
  if (begin < end) a24_1 += a14_0 - a14_0;
  if (begin < end) a24_2 += a14_0 - a14_0;
  if (begin < end) a24_3 += a14_0 - a14_0;
  T v25_24 = (T)(offsets[r + 1] - offsets[r]);
  T v19_25 = op_maxof(a17_0, (T)1);
  T v20_26 = 1 / v19_25;
  T v27_27 = v25_24 != 0 ? v20_26 : (T)0;
  T v28_28 = a24_0 * v27_27;
  T v28_29 = a24_1 * v27_27;
  T v28_30 = a24_2 * v27_27;
  T v28_31 = a24_3 * v27_27;
  if (slot == 0) ast_store4(b5 + (i64)r * 32 + k1, v28_28, v28_29, v28_30, v28_31);
  T v14_32 = begin < end ? a14_0 : (T)0;
  if (slot == 0 && (0x55u >> lane & 1u)) b8[(i64)r * 4 + k33] = v14_32;
  if (slot == 0 && (0x55u >> lane & 1u)) b9[(i64)r * 4 + k33] = v20_26;
}

AST_KERNEL(gatv2_wide_backward_0)(int rows, int hubs, T *AST_RESTRICT w0, int block0, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b2, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b5, const T *AST_RESTRICT b6, const T *AST_RESTRICT b7, const T *AST_RESTRICT b8, const T *AST_RESTRICT b10, const T *AST_RESTRICT b9, T *AST_RESTRICT b15, T *AST_RESTRICT b19) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 2;
  const int group = threadIdx.x / 16;
  T *const sums = w0 + ((i64)(block0 + blockIdx.x) * 4 + group / 2) * 32;
  for (int i = threadIdx.x % 32; i < 32; i += 32) sums[i] = 0;
  __syncwarp(0xffffffffu);
  const int k1 = lane * 4;
  const u32 lanes_mask = 0xffu << (threadIdx.x & 24u);
  const int k18 = lane / 2;
  const u32 group_mask = 0xffffu << (threadIdx.x & 16u);
  T s44_0 = 0;
  T s44_1 = 0;
  T s44_2 = 0;
  T s44_3 = 0;
  const int k65 = lane * 4 + 1;
  const int k66 = lane * 4 + 2;
  const int k67 = lane * 4 + 3;
  for (int p = hubs + blockIdx.x * 8 + group; p < rows; p += gridDim.x * 8) {
    const int r = order[p];
    const int begin = offsets[r];
    const int end = offsets[r + 1];
    const T4 v6_3 = ast_load4(b5 + (i64)r * 32 + k1);
    const T4 v10_6 = ast_load4(b6 + k1);
    const T v14_19 = ast_load(b7 + (i64)r * 4 + k18);
    const T v18_22 = ast_load(b8 + (i64)r * 4 + k18);
    const T4 v27_24 = ast_load4(b10 + (i64)r * 32 + k1);
    const T4 v25_31 = ast_load4(b9 + (i64)r * 32 + k1);
    T v35_32 = v27_24.x * v25_31.x;
    T v35_33 = v27_24.y * v25_31.y;
    T v35_34 = v27_24.z * v25_31.z;
    T v35_35 = v27_24.w * v25_31.w;
    T v36_36 = v35_32 + v35_33 + v35_34 + v35_35;
    v36_36 += __shfl_xor_sync(lanes_mask, v36_36, 1);
    T v38_37 = v18_22 * v36_36;
    T a43_0 = 0;
    T a43_1 = 0;
    T a43_2 = 0;
    T a43_3 = 0;
    T a53_0 = 0;
    T a53_1 = 0;
    T a53_2 = 0;
    T a53_3 = 0;
    for (int at = begin + slot; at < end; at += 8) {
      int u[4];
      T4 v2_2[4];
      AST_UNROLL
      for (int q = 0; q < 4; q++) {
        const int e = at + q * 2 < end ? at + q * 2 : end - 1;
        u[q] = ast_load(neighbors + e);
        v2_2[q] = ast_load4(b2 + (i64)u[q] * 32 + k1);
      }
      AST_UNROLL
      for (int q = 0; q < 4; q++) {
        if (at + q * 2 < end) {
          T v8_4 = v2_2[q].x + v6_3.x;
          T v9_5 = op_leakyrelu(v8_4, (T)0.2);
          T v11_7 = v9_5 * v10_6.x;
          T v8_8 = v2_2[q].y + v6_3.y;
          T v9_9 = op_leakyrelu(v8_8, (T)0.2);
          T v11_10 = v9_9 * v10_6.y;
          T v8_11 = v2_2[q].z + v6_3.z;
          T v9_12 = op_leakyrelu(v8_11, (T)0.2);
          T v11_13 = v9_12 * v10_6.z;
          T v8_14 = v2_2[q].w + v6_3.w;
          T v9_15 = op_leakyrelu(v8_14, (T)0.2);
          T v11_16 = v9_15 * v10_6.w;
          T v12_17 = v11_7 + v11_10 + v11_13 + v11_16;
          v12_17 += __shfl_xor_sync(lanes_mask, v12_17, 1);
          T v15_20 = v12_17 - v14_19;
          T v16_21 = op_exp(v15_20);
          T v19_23 = v16_21 * v18_22;
          T v29_25 = v27_24.x * v2_2[q].x;
          T v29_26 = v27_24.y * v2_2[q].y;
          T v29_27 = v27_24.z * v2_2[q].z;
          T v29_28 = v27_24.w * v2_2[q].w;
          T v31_29 = v29_25 + v29_26 + v29_27 + v29_28;
          v31_29 += __shfl_xor_sync(lanes_mask, v31_29, 1);
          T v34_30 = v19_23 * v31_29;
          T v39_38 = v38_37 * v16_21;
          T v40_39 = v34_30 - v39_38;
          T v42_40 = v40_39 * v9_5;
          a43_0 += v42_40;
          T v42_41 = v40_39 * v9_9;
          a43_1 += v42_41;
          T v42_42 = v40_39 * v9_12;
          a43_2 += v42_42;
          T v42_43 = v40_39 * v9_15;
          a43_3 += v42_43;
          T v45_44 = v8_4 > (T)0 ? (T)1 : (T)0;
          T v47_45 = v45_44 != 0 ? (T)1 : (T)0.2;
          T v48_46 = v40_39 * v47_45;
          a53_0 += v48_46;
          T v45_47 = v8_8 > (T)0 ? (T)1 : (T)0;
          T v47_48 = v45_47 != 0 ? (T)1 : (T)0.2;
          T v48_49 = v40_39 * v47_48;
          a53_1 += v48_49;
          T v45_50 = v8_11 > (T)0 ? (T)1 : (T)0;
          T v47_51 = v45_50 != 0 ? (T)1 : (T)0.2;
          T v48_52 = v40_39 * v47_51;
          a53_2 += v48_52;
          T v45_53 = v8_14 > (T)0 ? (T)1 : (T)0;
          T v47_54 = v45_53 != 0 ? (T)1 : (T)0.2;
          T v48_55 = v40_39 * v47_54;
          a53_3 += v48_55;
        }
      }
    }
    a43_0 += __shfl_xor_sync(group_mask, a43_0, 8);
    a43_1 += __shfl_xor_sync(group_mask, a43_1, 8);
    a43_2 += __shfl_xor_sync(group_mask, a43_2, 8);
    a43_3 += __shfl_xor_sync(group_mask, a43_3, 8);
    a53_0 += __shfl_xor_sync(group_mask, a53_0, 8);
    a53_1 += __shfl_xor_sync(group_mask, a53_1, 8);
    a53_2 += __shfl_xor_sync(group_mask, a53_2, 8);
    a53_3 += __shfl_xor_sync(group_mask, a53_3, 8);
    s44_0 += a43_0;
    s44_1 += a43_1;
    s44_2 += a43_2;
    s44_3 += a43_3;
    T v23_56 = (T)(offsets[r + 1] - offsets[r]);
    T v54_57 = v23_56 != 0 ? v10_6.x : (T)0;
    T v55_58 = a53_0 * v54_57;
    T v54_59 = v23_56 != 0 ? v10_6.y : (T)0;
    T v55_60 = a53_1 * v54_59;
    T v54_61 = v23_56 != 0 ? v10_6.z : (T)0;
    T v55_62 = a53_2 * v54_61;
    T v54_63 = v23_56 != 0 ? v10_6.w : (T)0;
    T v55_64 = a53_3 * v54_63;
    if (slot == 0) ast_store4(b15 + (i64)r * 32 + k1, v55_58, v55_60, v55_62, v55_64);
    if (slot == 0 && (0x55u >> lane & 1u)) b19[(i64)r * 4 + k18] = v38_37;
  }
  s44_0 += __shfl_xor_sync(0xffffffffu, s44_0, 16);
  if (threadIdx.x % 32 < 16) if (slot == 0) sums[k1] = s44_0;
  s44_1 += __shfl_xor_sync(0xffffffffu, s44_1, 16);
  if (threadIdx.x % 32 < 16) if (slot == 0) sums[k65] = s44_1;
  s44_2 += __shfl_xor_sync(0xffffffffu, s44_2, 16);
  if (threadIdx.x % 32 < 16) if (slot == 0) sums[k66] = s44_2;
  s44_3 += __shfl_xor_sync(0xffffffffu, s44_3, 16);
  if (threadIdx.x % 32 < 16) if (slot == 0) sums[k67] = s44_3;
}

AST_KERNEL(gatv2_wide_backward_0_sum1)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 4, 32, 32, out);
}

AST_KERNEL(gatv2_wide_backward_1)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b10, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b2, const T *AST_RESTRICT b5, const T *AST_RESTRICT b6, const T *AST_RESTRICT b7, const T *AST_RESTRICT b8, const T *AST_RESTRICT b19, T *AST_RESTRICT b16) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 2;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const u32 lanes_mask = 0xffu << (threadIdx.x & 24u);
  const int k19 = lane / 2;
  const u32 group_mask = 0xffffu << (threadIdx.x & 16u);
  const int p = hubs + blockIdx.x * 8 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  const T4 v2_3 = ast_load4(b2 + (i64)r * 32 + k1);
  const T4 v10_7 = ast_load4(b6 + k1);
  T a32_0 = 0;
  T a32_1 = 0;
  T a32_2 = 0;
  T a32_3 = 0;
  T a49_0 = 0;
  T a49_1 = 0;
  T a49_2 = 0;
  T a49_3 = 0;
  for (int at = begin + slot; at < end; at += 8) {
    int u[4];
    T4 v27_2[4];
    T4 v6_4[4];
    T v14_20[4];
    T v18_23[4];
    T v38_36[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 2 < end ? at + q * 2 : end - 1;
      u[q] = ast_load(neighbors + e);
      v27_2[q] = ast_load4(b10 + (i64)u[q] * 32 + k1);
      v6_4[q] = ast_load4(b5 + (i64)u[q] * 32 + k1);
      v14_20[q] = ast_load(b7 + (i64)u[q] * 4 + k19);
      v18_23[q] = ast_load(b8 + (i64)u[q] * 4 + k19);
      v38_36[q] = ast_load(b19 + (i64)u[q] * 4 + k19);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 2 < end) {
        T v8_5 = v2_3.x + v6_4[q].x;
        T v9_6 = op_leakyrelu(v8_5, (T)0.2);
        T v11_8 = v9_6 * v10_7.x;
        T v8_9 = v2_3.y + v6_4[q].y;
        T v9_10 = op_leakyrelu(v8_9, (T)0.2);
        T v11_11 = v9_10 * v10_7.y;
        T v8_12 = v2_3.z + v6_4[q].z;
        T v9_13 = op_leakyrelu(v8_12, (T)0.2);
        T v11_14 = v9_13 * v10_7.z;
        T v8_15 = v2_3.w + v6_4[q].w;
        T v9_16 = op_leakyrelu(v8_15, (T)0.2);
        T v11_17 = v9_16 * v10_7.w;
        T v12_18 = v11_8 + v11_11 + v11_14 + v11_17;
        v12_18 += __shfl_xor_sync(lanes_mask, v12_18, 1);
        T v15_21 = v12_18 - v14_20[q];
        T v16_22 = op_exp(v15_21);
        T v22_24 = v16_22 * v18_23[q];
        T v30_25 = v27_2[q].x * v22_24;
        a32_0 += v30_25;
        T v30_26 = v27_2[q].y * v22_24;
        a32_1 += v30_26;
        T v30_27 = v27_2[q].z * v22_24;
        a32_2 += v30_27;
        T v30_28 = v27_2[q].w * v22_24;
        a32_3 += v30_28;
        T v19_29 = v16_22 * v18_23[q];
        T v29_30 = v27_2[q].x * v2_3.x;
        T v29_31 = v27_2[q].y * v2_3.y;
        T v29_32 = v27_2[q].z * v2_3.z;
        T v29_33 = v27_2[q].w * v2_3.w;
        T v31_34 = v29_30 + v29_31 + v29_32 + v29_33;
        v31_34 += __shfl_xor_sync(lanes_mask, v31_34, 1);
        T v34_35 = v19_29 * v31_34;
        T v39_37 = v38_36[q] * v16_22;
        T v40_38 = v34_35 - v39_37;
        T v45_39 = v8_5 > (T)0 ? (T)1 : (T)0;
        T v47_40 = v45_39 != 0 ? (T)1 : (T)0.2;
        T v48_41 = v40_38 * v47_40;
        a49_0 += v48_41;
        T v45_42 = v8_9 > (T)0 ? (T)1 : (T)0;
        T v47_43 = v45_42 != 0 ? (T)1 : (T)0.2;
        T v48_44 = v40_38 * v47_43;
        a49_1 += v48_44;
        T v45_45 = v8_12 > (T)0 ? (T)1 : (T)0;
        T v47_46 = v45_45 != 0 ? (T)1 : (T)0.2;
        T v48_47 = v40_38 * v47_46;
        a49_2 += v48_47;
        T v45_48 = v8_15 > (T)0 ? (T)1 : (T)0;
        T v47_49 = v45_48 != 0 ? (T)1 : (T)0.2;
        T v48_50 = v40_38 * v47_49;
        a49_3 += v48_50;
      }
    }
  }
  a32_0 += __shfl_xor_sync(group_mask, a32_0, 8);
  a32_1 += __shfl_xor_sync(group_mask, a32_1, 8);
  a32_2 += __shfl_xor_sync(group_mask, a32_2, 8);
  a32_3 += __shfl_xor_sync(group_mask, a32_3, 8);
  a49_0 += __shfl_xor_sync(group_mask, a49_0, 8);
  a49_1 += __shfl_xor_sync(group_mask, a49_1, 8);
  a49_2 += __shfl_xor_sync(group_mask, a49_2, 8);
  a49_3 += __shfl_xor_sync(group_mask, a49_3, 8);
  T v50_51 = (T)(offsets[r + 1] - offsets[r]);
  T v51_52 = v50_51 != 0 ? v10_7.x : (T)0;
  T v52_53 = a49_0 * v51_52;
  T v58_54 = a32_0 + v52_53;
  T v51_55 = v50_51 != 0 ? v10_7.y : (T)0;
  T v52_56 = a49_1 * v51_55;
  T v58_57 = a32_1 + v52_56;
  T v51_58 = v50_51 != 0 ? v10_7.z : (T)0;
  T v52_59 = a49_2 * v51_58;
  T v58_60 = a32_2 + v52_59;
  T v51_61 = v50_51 != 0 ? v10_7.w : (T)0;
  T v52_62 = a49_3 * v51_61;
  T v58_63 = a32_3 + v52_62;
  if (slot == 0) ast_store4(b16 + (i64)r * 32 + k1, v58_54, v58_57, v58_60, v58_63);
}

AST_KERNEL(gatv2_wide_backward_6)(int rows, T *AST_RESTRICT b11, const T *AST_RESTRICT b18, const T *AST_RESTRICT b17) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v60_2 = ast_load4(b18 + (i64)r * 64 + k1);
  const T4 v61_3 = ast_load4(b17 + (i64)r * 64 + k1);
  T v62_4 = v60_2.x + v61_3.x;
  T v62_5 = v60_2.y + v61_3.y;
  T v62_6 = v60_2.z + v61_3.z;
  T v62_7 = v60_2.w + v61_3.w;
  ast_store4(b11 + (i64)r * 64 + k1, v62_4, v62_5, v62_6, v62_7);
}
