
AST_KERNEL(cgat_pairwise_wide_forward_0)(int rows, const T *AST_RESTRICT b3, T *AST_RESTRICT out12, T *AST_RESTRICT out13) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 2048) {
    const int k = (int)(i % 2048);
    const int k1 = k / 2048 * 4288 + k % 2048 + 0;
    T v3_2 = b3[k1];
    out12[k] = v3_2;
  }
  if (i < (i64)rows * 2048) {
    const int k = (int)(i % 2048);
    const int k3 = k / 2048 * 4288 + k % 2048 + 2048;
    T v3_4 = b3[k3];
    out13[k] = v3_4;
  }
}

AST_KERNEL(cgat_pairwise_wide_forward_2)(int rows, const T *AST_RESTRICT b3, T *AST_RESTRICT out14) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 192) {
    const int k = (int)(i % 192);
    const int k1 = k / 192 * 4288 + k % 192 + 4096;
    T v3_2 = b3[k1];
    out14[k] = v3_2;
  }
}

AST_KERNEL(cgat_pairwise_wide_forward_5)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b7, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b8, const T *AST_RESTRICT b2, const int *AST_RESTRICT ids, const T *AST_RESTRICT b14, const T *AST_RESTRICT b4, const T *AST_RESTRICT b9, T *AST_RESTRICT b6, T *AST_RESTRICT b10, T *AST_RESTRICT b11) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 2;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const u32 lanes_mask = 0xffu << (threadIdx.x & 24u);
  const u32 group_mask = 0xffffu << (threadIdx.x & 16u);
  const int k43 = lane / 2;
  const int p = hubs + blockIdx.x * 8 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  const T4 v10_3 = ast_load4(b8 + (i64)r * 32 + k1);
  const T4 v18_12 = ast_load4(b4 + k1);
  T a25_0 = -AST_INF;
  T a28_0 = 0;
  T a35_0 = 0;
  T a35_1 = 0;
  T a35_2 = 0;
  T a35_3 = 0;
  for (int at = begin + slot; at < end; at += 8) {
    int u[4];
    T4 v7_2[4];
    int id[4];
    T4 v23_29[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 2 < end ? at + q * 2 : end - 1;
      u[q] = ast_load(neighbors + e);
      v7_2[q] = ast_load4(b7 + (i64)u[q] * 32 + k1);
      id[q] = ast_load(ids + e);
      v23_29[q] = ast_load4(b9 + (i64)u[q] * 32 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 2 < end) {
        T v11_4 = v7_2[q].x + v10_3.x;
        T v14_5 = 0;
        T v14_6 = 0;
        T v14_7 = 0;
        T v14_8 = 0;
        for (int j = 0; j < 6; j++) {
          const T4 m9 = ast_load4(b14 + k1 + j * 32);
          v14_5 += (b2 + (i64)id[q] * 6)[j] * m9.x;
          v14_6 += (b2 + (i64)id[q] * 6)[j] * m9.y;
          v14_7 += (b2 + (i64)id[q] * 6)[j] * m9.z;
          v14_8 += (b2 + (i64)id[q] * 6)[j] * m9.w;
        }
        T v15_10 = v11_4 + v14_5;
        T v16_11 = op_leakyrelu(v15_10, (T)0.2);
        T v19_13 = v16_11 * v18_12.x;
        T v11_14 = v7_2[q].y + v10_3.y;
        T v15_15 = v11_14 + v14_6;
        T v16_16 = op_leakyrelu(v15_15, (T)0.2);
        T v19_17 = v16_16 * v18_12.y;
        T v11_18 = v7_2[q].z + v10_3.z;
        T v15_19 = v11_18 + v14_7;
        T v16_20 = op_leakyrelu(v15_19, (T)0.2);
        T v19_21 = v16_20 * v18_12.z;
        T v11_22 = v7_2[q].w + v10_3.w;
        T v15_23 = v11_22 + v14_8;
        T v16_24 = op_leakyrelu(v15_23, (T)0.2);
        T v19_25 = v16_24 * v18_12.w;
        T v20_26 = v19_13 + v19_17 + v19_21 + v19_25;
        v20_26 += __shfl_xor_sync(lanes_mask, v20_26, 1);
        if (!(v20_26 <= a25_0)) {
          const T was = a25_0;
          a25_0 = op_maxof(v20_26, was);
          const T scale = op_exp(was - a25_0);
          a28_0 *= scale;
          a35_0 *= scale;
          a35_1 *= scale;
          a35_2 *= scale;
          a35_3 *= scale;
        }
        T v26_27 = v20_26 - a25_0;
        T v27_28 = v20_26 == -AST_INF ? (T)0 : op_exp(v26_27);
        a28_0 += v27_28;
        T v34_30 = v27_28 * v23_29[q].x;
        a35_0 += v34_30;
        T v34_31 = v27_28 * v23_29[q].y;
        a35_1 += v34_31;
        T v34_32 = v27_28 * v23_29[q].z;
        a35_2 += v34_32;
        T v34_33 = v27_28 * v23_29[q].w;
        a35_3 += v34_33;
      }
    }
  }
  {
    const T other = __shfl_xor_sync(group_mask, a25_0, 8);
    const T top = op_maxof(other, a25_0);
    const T mine = a25_0 == top ? (T)1 : op_exp(a25_0 - top), theirs = other == top ? (T)1 : op_exp(other - top);
    a28_0 = a28_0 * mine + __shfl_xor_sync(group_mask, a28_0, 8) * theirs;
    a35_0 = a35_0 * mine + __shfl_xor_sync(group_mask, a35_0, 8) * theirs;
    a35_1 = a35_1 * mine + __shfl_xor_sync(group_mask, a35_1, 8) * theirs;
    a35_2 = a35_2 * mine + __shfl_xor_sync(group_mask, a35_2, 8) * theirs;
    a35_3 = a35_3 * mine + __shfl_xor_sync(group_mask, a35_3, 8) * theirs;
    a25_0 = top;
  }
  if (begin < end) a28_0 += a25_0 - a25_0;
  if (begin < end) a35_0 += a25_0 - a25_0;
  if (begin < end) a35_1 += a25_0 - a25_0;
  if (begin < end) a35_2 += a25_0 - a25_0;
  if (begin < end) a35_3 += a25_0 - a25_0;
  T v36_34 = (T)(offsets[r + 1] - offsets[r]);
  T v30_35 = op_maxof(a28_0, (T)1);
  T v31_36 = 1 / v30_35;
  T v38_37 = v36_34 != 0 ? v31_36 : (T)0;
  T v39_38 = a35_0 * v38_37;
  T v39_39 = a35_1 * v38_37;
  T v39_40 = a35_2 * v38_37;
  T v39_41 = a35_3 * v38_37;
  if (slot == 0) ast_store4(b6 + (i64)r * 32 + k1, v39_38, v39_39, v39_40, v39_41);
  T v25_42 = begin < end ? a25_0 : (T)0;
  if (slot == 0 && (0x55u >> lane & 1u)) b10[(i64)r * 4 + k43] = v25_42;
  if (slot == 0 && (0x55u >> lane & 1u)) b11[(i64)r * 4 + k43] = v31_36;
}

AST_KERNEL(cgat_pairwise_wide_backward_0)(int rows, const T *AST_RESTRICT b3, T *AST_RESTRICT out29) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 192) {
    const int k = (int)(i % 192);
    const int k1 = k / 192 * 4288 + k % 192 + 4096;
    T v3_2 = b3[k1];
    out29[k] = v3_2;
  }
}

AST_KERNEL(cgat_pairwise_wide_backward_1)(int rows, T *AST_RESTRICT b30, const T *AST_RESTRICT b10, const T *AST_RESTRICT b12, const T *AST_RESTRICT b11) {
  const int lane = threadIdx.x % 8;
  const int group = threadIdx.x / 8;
  AST_SHARED T shared[512];
  T *const stage = shared + (group) * 32;
  const int k2 = lane * 4;
  const u32 lanes_mask = 0xffu << (threadIdx.x & 24u);
  const int k11 = lane * 4 + 1;
  const int k12 = lane * 4 + 2;
  const int k13 = lane * 4 + 3;
  const int r = blockIdx.x * 16 + group;
  if (r >= rows) return;
  const T4 v29_1 = ast_load4(b10 + (i64)r * 4);
  const T4 v37_3 = ast_load4(b12 + (i64)r * 32 + k2);
  const T4 v35_4 = ast_load4(b11 + (i64)r * 32 + k2);
  T v45_5 = v37_3.x * v35_4.x;
  T v45_6 = v37_3.y * v35_4.y;
  T v45_7 = v37_3.z * v35_4.z;
  T v45_8 = v37_3.w * v35_4.w;
  T v46_9 = v45_5 + v45_6 + v45_7 + v45_8;
  v46_9 += __shfl_xor_sync(lanes_mask, v46_9, 1);
  T v48_10 = v29_1.x * v46_9;
  __syncwarp(lanes_mask);
  stage[k2] = v45_5;
  stage[k11] = v45_6;
  stage[k12] = v45_7;
  stage[k13] = v45_8;
  __syncwarp(lanes_mask);
  T v46_14 = 0;
  for (int j = 0; j < 8; j++)
    v46_14 += stage[8 + j];
  T v48_15 = v29_1.y * v46_14;
  T v46_16 = 0;
  for (int j = 0; j < 8; j++)
    v46_16 += stage[16 + j];
  T v48_17 = v29_1.z * v46_16;
  T v46_18 = 0;
  for (int j = 0; j < 8; j++)
    v46_18 += stage[24 + j];
  T v48_19 = v29_1.w * v46_18;
  if (lane < 1) ast_store4(b30 + (i64)r * 4, v48_10, v48_15, v48_17, v48_19);
}

AST_KERNEL(cgat_pairwise_wide_backward_2)(int rows, const T *AST_RESTRICT b3, T *AST_RESTRICT out20, T *AST_RESTRICT out22) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 2048) {
    const int k = (int)(i % 2048);
    const int k1 = k / 2048 * 4288 + k % 2048 + 2048;
    T v3_2 = b3[k1];
    out20[k] = v3_2;
  }
  if (i < (i64)rows * 2048) {
    const int k = (int)(i % 2048);
    const int k3 = k / 2048 * 4288 + k % 2048 + 0;
    T v3_4 = b3[k3];
    out22[k] = v3_4;
  }
}

AST_KERNEL(cgat_pairwise_wide_backward_3)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b12, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b4, const T *AST_RESTRICT b5, const T *AST_RESTRICT b2, const int *AST_RESTRICT ids, const T *AST_RESTRICT b29, const T *AST_RESTRICT b6, const T *AST_RESTRICT b9, const T *AST_RESTRICT b10, const T *AST_RESTRICT b8, const T *AST_RESTRICT b30, T *AST_RESTRICT b18, T *AST_RESTRICT b21) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 2;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const u32 lanes_mask = 0xffu << (threadIdx.x & 24u);
  const int k28 = lane / 2;
  const u32 group_mask = 0xffffu << (threadIdx.x & 16u);
  const int p = hubs + blockIdx.x * 8 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  const T4 v7_3 = ast_load4(b4 + (i64)r * 32 + k1);
  const T4 v18_13 = ast_load4(b6 + k1);
  const T4 v23_39 = ast_load4(b8 + (i64)r * 32 + k1);
  T a42_0 = 0;
  T a42_1 = 0;
  T a42_2 = 0;
  T a42_3 = 0;
  T a64_0 = 0;
  T a64_1 = 0;
  T a64_2 = 0;
  T a64_3 = 0;
  for (int at = begin + slot; at < end; at += 8) {
    int u[4];
    T4 v37_2[4];
    T4 v10_4[4];
    int id[4];
    T v25_29[4];
    T v29_32[4];
    T v48_46[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 2 < end ? at + q * 2 : end - 1;
      u[q] = ast_load(neighbors + e);
      v37_2[q] = ast_load4(b12 + (i64)u[q] * 32 + k1);
      v10_4[q] = ast_load4(b5 + (i64)u[q] * 32 + k1);
      id[q] = ast_load(ids + e);
      v25_29[q] = ast_load(b9 + (i64)u[q] * 4 + k28);
      v29_32[q] = ast_load(b10 + (i64)u[q] * 4 + k28);
      v48_46[q] = ast_load(b30 + (i64)u[q] * 4 + k28);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 2 < end) {
        T v11_5 = v7_3.x + v10_4[q].x;
        T v14_6 = 0;
        T v14_7 = 0;
        T v14_8 = 0;
        T v14_9 = 0;
        for (int j = 0; j < 6; j++) {
          const T4 m10 = ast_load4(b29 + k1 + j * 32);
          v14_6 += (b2 + (i64)id[q] * 6)[j] * m10.x;
          v14_7 += (b2 + (i64)id[q] * 6)[j] * m10.y;
          v14_8 += (b2 + (i64)id[q] * 6)[j] * m10.z;
          v14_9 += (b2 + (i64)id[q] * 6)[j] * m10.w;
        }
        T v15_11 = v11_5 + v14_6;
        T v16_12 = op_leakyrelu(v15_11, (T)0.2);
        T v19_14 = v16_12 * v18_13.x;
        T v11_15 = v7_3.y + v10_4[q].y;
        T v15_16 = v11_15 + v14_7;
        T v16_17 = op_leakyrelu(v15_16, (T)0.2);
        T v19_18 = v16_17 * v18_13.y;
        T v11_19 = v7_3.z + v10_4[q].z;
        T v15_20 = v11_19 + v14_8;
        T v16_21 = op_leakyrelu(v15_20, (T)0.2);
        T v19_22 = v16_21 * v18_13.z;
        T v11_23 = v7_3.w + v10_4[q].w;
        T v15_24 = v11_23 + v14_9;
        T v16_25 = op_leakyrelu(v15_24, (T)0.2);
        T v19_26 = v16_25 * v18_13.w;
        T v20_27 = v19_14 + v19_18 + v19_22 + v19_26;
        v20_27 += __shfl_xor_sync(lanes_mask, v20_27, 1);
        T v26_30 = v20_27 - v25_29[q];
        T v27_31 = op_exp(v26_30);
        T v33_33 = v27_31 * v29_32[q];
        T v40_34 = v37_2[q].x * v33_33;
        a42_0 += v40_34;
        T v40_35 = v37_2[q].y * v33_33;
        a42_1 += v40_35;
        T v40_36 = v37_2[q].z * v33_33;
        a42_2 += v40_36;
        T v40_37 = v37_2[q].w * v33_33;
        a42_3 += v40_37;
        T v30_38 = v27_31 * v29_32[q];
        T v39_40 = v37_2[q].x * v23_39.x;
        T v39_41 = v37_2[q].y * v23_39.y;
        T v39_42 = v37_2[q].z * v23_39.z;
        T v39_43 = v37_2[q].w * v23_39.w;
        T v41_44 = v39_40 + v39_41 + v39_42 + v39_43;
        v41_44 += __shfl_xor_sync(lanes_mask, v41_44, 1);
        T v44_45 = v30_38 * v41_44;
        T v49_47 = v48_46[q] * v27_31;
        T v50_48 = v44_45 - v49_47;
        T v54_49 = v50_48 * v18_13.x;
        T v59_50 = v15_11 > (T)0 ? (T)1 : (T)0;
        T v61_51 = v59_50 != 0 ? (T)1 : (T)0.2;
        T v62_52 = v54_49 * v61_51;
        a64_0 += v62_52;
        T v54_53 = v50_48 * v18_13.y;
        T v59_54 = v15_16 > (T)0 ? (T)1 : (T)0;
        T v61_55 = v59_54 != 0 ? (T)1 : (T)0.2;
        T v62_56 = v54_53 * v61_55;
        a64_1 += v62_56;
        T v54_57 = v50_48 * v18_13.z;
        T v59_58 = v15_20 > (T)0 ? (T)1 : (T)0;
        T v61_59 = v59_58 != 0 ? (T)1 : (T)0.2;
        T v62_60 = v54_57 * v61_59;
        a64_2 += v62_60;
        T v54_61 = v50_48 * v18_13.w;
        T v59_62 = v15_24 > (T)0 ? (T)1 : (T)0;
        T v61_63 = v59_62 != 0 ? (T)1 : (T)0.2;
        T v62_64 = v54_61 * v61_63;
        a64_3 += v62_64;
      }
    }
  }
  a42_0 += __shfl_xor_sync(group_mask, a42_0, 8);
  a42_1 += __shfl_xor_sync(group_mask, a42_1, 8);
  a42_2 += __shfl_xor_sync(group_mask, a42_2, 8);
  a42_3 += __shfl_xor_sync(group_mask, a42_3, 8);
  a64_0 += __shfl_xor_sync(group_mask, a64_0, 8);
  a64_1 += __shfl_xor_sync(group_mask, a64_1, 8);
  a64_2 += __shfl_xor_sync(group_mask, a64_2, 8);
  a64_3 += __shfl_xor_sync(group_mask, a64_3, 8);
  if (slot == 0) ast_store4(b18 + (i64)r * 32 + k1, a42_0, a42_1, a42_2, a42_3);
  if (slot == 0) ast_store4(b21 + (i64)r * 32 + k1, a64_0, a64_1, a64_2, a64_3);
}

AST_KERNEL(cgat_pairwise_wide_backward_8_transposed1)(int rows, const T *AST_RESTRICT b29, T *AST_RESTRICT to) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i >= (i64)rows * 192) return;
  const int k = (int)(i % 192);
  to[i] = ast_load(b29 + (i - k + k % 6 * 32 + k / 6));
}

AST_KERNEL(cgat_pairwise_wide_backward_8)(int rows, int hubs, T *AST_RESTRICT w1, int block0, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b4, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b5, const T *AST_RESTRICT b2, const int *AST_RESTRICT ids, const T *AST_RESTRICT b29, const T *AST_RESTRICT b6, const T *AST_RESTRICT b9, const T *AST_RESTRICT b10, const T *AST_RESTRICT b12, const T *AST_RESTRICT b8, const T *AST_RESTRICT b30, T *AST_RESTRICT b14, T *AST_RESTRICT w0, T *AST_RESTRICT b19) {
  const int lane = threadIdx.x % 8;
  const int group = threadIdx.x / 8;
  AST_SHARED T shared[512];
  T *const stage = shared + (group) * 32;
  T *const sums = w1 + ((i64)(block0 + blockIdx.x) * 4 + group / 4) * 224;
  for (int i = threadIdx.x % 32; i < 224; i += 32) sums[i] = 0;
  __syncwarp(0xffffffffu);
  const int k1 = lane * 4;
  const u32 lanes_mask = 0xffu << (threadIdx.x & 24u);
  const int k27 = lane / 2;
  const int k64 = lane * 4 + 1;
  const int k65 = lane * 4 + 2;
  const int k66 = lane * 4 + 3;
  T s72_0 = 0;
  T s72_1 = 0;
  T s72_2 = 0;
  T s72_3 = 0;
  T s72_4 = 0;
  T s72_5 = 0;
  T s72_6 = 0;
  T s72_7 = 0;
  T s72_8 = 0;
  T s72_9 = 0;
  T s72_10 = 0;
  T s72_11 = 0;
  T s72_12 = 0;
  T s72_13 = 0;
  T s72_14 = 0;
  T s72_15 = 0;
  T s72_16 = 0;
  T s72_17 = 0;
  T s72_18 = 0;
  T s72_19 = 0;
  T s72_20 = 0;
  T s72_21 = 0;
  T s72_22 = 0;
  T s72_23 = 0;
  const int k70 = (lane < 3 ? lane : 2) * 2;
  T s57_0 = 0;
  T s57_1 = 0;
  T s57_2 = 0;
  T s57_3 = 0;
  const int k71 = lane * 4 + 32;
  const int k72 = lane * 4 + 33;
  const int k73 = lane * 4 + 34;
  const int k74 = lane * 4 + 35;
  const int k75 = lane * 4 + 64;
  const int k76 = lane * 4 + 65;
  const int k77 = lane * 4 + 66;
  const int k78 = lane * 4 + 67;
  const int k79 = lane * 4 + 96;
  const int k80 = lane * 4 + 97;
  const int k81 = lane * 4 + 98;
  const int k82 = lane * 4 + 99;
  const int k83 = lane * 4 + 128;
  const int k84 = lane * 4 + 129;
  const int k85 = lane * 4 + 130;
  const int k86 = lane * 4 + 131;
  const int k87 = lane * 4 + 160;
  const int k88 = lane * 4 + 161;
  const int k89 = lane * 4 + 162;
  const int k90 = lane * 4 + 163;
  for (int p = hubs + blockIdx.x * 16 + group; p < rows; p += gridDim.x * 16) {
    const int r = order[p];
    const int begin = offsets[r];
    const int end = offsets[r + 1];
    const T4 v10_3 = ast_load4(b5 + (i64)r * 32 + k1);
    const T4 v18_12 = ast_load4(b6 + k1);
    const T v25_28 = ast_load(b9 + (i64)r * 4 + k27);
    const T v29_31 = ast_load(b10 + (i64)r * 4 + k27);
    const T4 v37_33 = ast_load4(b12 + (i64)r * 32 + k1);
    const T v48_41 = ast_load(b30 + (i64)r * 4 + k27);
    T a56_0 = 0;
    T a56_1 = 0;
    T a56_2 = 0;
    T a56_3 = 0;
    T a65_0 = 0;
    T a65_1 = 0;
    T a65_2 = 0;
    T a65_3 = 0;
    for (int at = begin; at < end; at++) {
      const int u = ast_load(neighbors + at);
      const T4 v7_2 = ast_load4(b4 + (i64)u * 32 + k1);
      const int id = ast_load(ids + at);
      const T4 v23_34 = ast_load4(b8 + (i64)u * 32 + k1);
      T v11_4 = v7_2.x + v10_3.x;
      T v14_5 = 0;
      T v14_6 = 0;
      T v14_7 = 0;
      T v14_8 = 0;
      for (int j = 0; j < 6; j++) {
        const T4 m9 = ast_load4(b29 + k1 + j * 32);
        v14_5 += (b2 + (i64)id * 6)[j] * m9.x;
        v14_6 += (b2 + (i64)id * 6)[j] * m9.y;
        v14_7 += (b2 + (i64)id * 6)[j] * m9.z;
        v14_8 += (b2 + (i64)id * 6)[j] * m9.w;
      }
      T v15_10 = v11_4 + v14_5;
      T v16_11 = op_leakyrelu(v15_10, (T)0.2);
      T v19_13 = v16_11 * v18_12.x;
      T v11_14 = v7_2.y + v10_3.y;
      T v15_15 = v11_14 + v14_6;
      T v16_16 = op_leakyrelu(v15_15, (T)0.2);
      T v19_17 = v16_16 * v18_12.y;
      T v11_18 = v7_2.z + v10_3.z;
      T v15_19 = v11_18 + v14_7;
      T v16_20 = op_leakyrelu(v15_19, (T)0.2);
      T v19_21 = v16_20 * v18_12.z;
      T v11_22 = v7_2.w + v10_3.w;
      T v15_23 = v11_22 + v14_8;
      T v16_24 = op_leakyrelu(v15_23, (T)0.2);
      T v19_25 = v16_24 * v18_12.w;
      T v20_26 = v19_13 + v19_17 + v19_21 + v19_25;
      v20_26 += __shfl_xor_sync(lanes_mask, v20_26, 1);
      T v26_29 = v20_26 - v25_28;
      T v27_30 = op_exp(v26_29);
      T v30_32 = v27_30 * v29_31;
      T v39_35 = v37_33.x * v23_34.x;
      T v39_36 = v37_33.y * v23_34.y;
      T v39_37 = v37_33.z * v23_34.z;
      T v39_38 = v37_33.w * v23_34.w;
      T v41_39 = v39_35 + v39_36 + v39_37 + v39_38;
      v41_39 += __shfl_xor_sync(lanes_mask, v41_39, 1);
      T v44_40 = v30_32 * v41_39;
      T v49_42 = v48_41 * v27_30;
      T v50_43 = v44_40 - v49_42;
      T v55_44 = v50_43 * v16_11;
      a56_0 += v55_44;
      T v55_45 = v50_43 * v16_16;
      a56_1 += v55_45;
      T v55_46 = v50_43 * v16_20;
      a56_2 += v55_46;
      T v55_47 = v50_43 * v16_24;
      a56_3 += v55_47;
      T v54_48 = v50_43 * v18_12.x;
      T v59_49 = v15_10 > (T)0 ? (T)1 : (T)0;
      T v61_50 = v59_49 != 0 ? (T)1 : (T)0.2;
      T v62_51 = v54_48 * v61_50;
      a65_0 += v62_51;
      T v54_52 = v50_43 * v18_12.y;
      T v59_53 = v15_15 > (T)0 ? (T)1 : (T)0;
      T v61_54 = v59_53 != 0 ? (T)1 : (T)0.2;
      T v62_55 = v54_52 * v61_54;
      a65_1 += v62_55;
      T v54_56 = v50_43 * v18_12.z;
      T v59_57 = v15_19 > (T)0 ? (T)1 : (T)0;
      T v61_58 = v59_57 != 0 ? (T)1 : (T)0.2;
      T v62_59 = v54_56 * v61_58;
      a65_2 += v62_59;
      T v54_60 = v50_43 * v18_12.w;
      T v59_61 = v15_23 > (T)0 ? (T)1 : (T)0;
      T v61_62 = v59_61 != 0 ? (T)1 : (T)0.2;
      T v62_63 = v54_60 * v61_62;
      a65_3 += v62_63;
      __syncwarp(lanes_mask);
      stage[k1] = v62_51;
      stage[k64] = v62_55;
      stage[k65] = v62_59;
      stage[k66] = v62_63;
      __syncwarp(lanes_mask);
      s72_0 += (b2 + (i64)id * 6)[0] * stage[k1];
      s72_1 += (b2 + (i64)id * 6)[0] * stage[k64];
      s72_2 += (b2 + (i64)id * 6)[0] * stage[k65];
      s72_3 += (b2 + (i64)id * 6)[0] * stage[k66];
      s72_4 += (b2 + (i64)id * 6)[1] * stage[k1];
      s72_5 += (b2 + (i64)id * 6)[1] * stage[k64];
      s72_6 += (b2 + (i64)id * 6)[1] * stage[k65];
      s72_7 += (b2 + (i64)id * 6)[1] * stage[k66];
      s72_8 += (b2 + (i64)id * 6)[2] * stage[k1];
      s72_9 += (b2 + (i64)id * 6)[2] * stage[k64];
      s72_10 += (b2 + (i64)id * 6)[2] * stage[k65];
      s72_11 += (b2 + (i64)id * 6)[2] * stage[k66];
      s72_12 += (b2 + (i64)id * 6)[3] * stage[k1];
      s72_13 += (b2 + (i64)id * 6)[3] * stage[k64];
      s72_14 += (b2 + (i64)id * 6)[3] * stage[k65];
      s72_15 += (b2 + (i64)id * 6)[3] * stage[k66];
      s72_16 += (b2 + (i64)id * 6)[4] * stage[k1];
      s72_17 += (b2 + (i64)id * 6)[4] * stage[k64];
      s72_18 += (b2 + (i64)id * 6)[4] * stage[k65];
      s72_19 += (b2 + (i64)id * 6)[4] * stage[k66];
      s72_20 += (b2 + (i64)id * 6)[5] * stage[k1];
      s72_21 += (b2 + (i64)id * 6)[5] * stage[k64];
      s72_22 += (b2 + (i64)id * 6)[5] * stage[k65];
      s72_23 += (b2 + (i64)id * 6)[5] * stage[k66];
      T v63_67 = 0;
      T v63_68 = 0;
      for (int j = 0; j < 32; j++) {
        const T2 m69 = ast_load2(w0 + k70 + j * 6);
        v63_67 += stage[j] * m69.x;
        v63_68 += stage[j] * m69.y;
      }
      if (lane < 3) ast_store2(b14 + (i64)id * 6 + k70, v63_67, v63_68);
    }
    s57_0 += a56_0;
    s57_1 += a56_1;
    s57_2 += a56_2;
    s57_3 += a56_3;
    ast_store4(b19 + (i64)r * 32 + k1, a65_0, a65_1, a65_2, a65_3);
  }
  s72_0 += __shfl_xor_sync(0xffffffffu, s72_0, 8);
  s72_0 += __shfl_xor_sync(0xffffffffu, s72_0, 16);
  if (threadIdx.x % 32 < 8) sums[k1] = s72_0;
  s72_1 += __shfl_xor_sync(0xffffffffu, s72_1, 8);
  s72_1 += __shfl_xor_sync(0xffffffffu, s72_1, 16);
  if (threadIdx.x % 32 < 8) sums[k64] = s72_1;
  s72_2 += __shfl_xor_sync(0xffffffffu, s72_2, 8);
  s72_2 += __shfl_xor_sync(0xffffffffu, s72_2, 16);
  if (threadIdx.x % 32 < 8) sums[k65] = s72_2;
  s72_3 += __shfl_xor_sync(0xffffffffu, s72_3, 8);
  s72_3 += __shfl_xor_sync(0xffffffffu, s72_3, 16);
  if (threadIdx.x % 32 < 8) sums[k66] = s72_3;
  s72_4 += __shfl_xor_sync(0xffffffffu, s72_4, 8);
  s72_4 += __shfl_xor_sync(0xffffffffu, s72_4, 16);
  if (threadIdx.x % 32 < 8) sums[k71] = s72_4;
  s72_5 += __shfl_xor_sync(0xffffffffu, s72_5, 8);
  s72_5 += __shfl_xor_sync(0xffffffffu, s72_5, 16);
  if (threadIdx.x % 32 < 8) sums[k72] = s72_5;
  s72_6 += __shfl_xor_sync(0xffffffffu, s72_6, 8);
  s72_6 += __shfl_xor_sync(0xffffffffu, s72_6, 16);
  if (threadIdx.x % 32 < 8) sums[k73] = s72_6;
  s72_7 += __shfl_xor_sync(0xffffffffu, s72_7, 8);
  s72_7 += __shfl_xor_sync(0xffffffffu, s72_7, 16);
  if (threadIdx.x % 32 < 8) sums[k74] = s72_7;
  s72_8 += __shfl_xor_sync(0xffffffffu, s72_8, 8);
  s72_8 += __shfl_xor_sync(0xffffffffu, s72_8, 16);
  if (threadIdx.x % 32 < 8) sums[k75] = s72_8;
  s72_9 += __shfl_xor_sync(0xffffffffu, s72_9, 8);
  s72_9 += __shfl_xor_sync(0xffffffffu, s72_9, 16);
  if (threadIdx.x % 32 < 8) sums[k76] = s72_9;
  s72_10 += __shfl_xor_sync(0xffffffffu, s72_10, 8);
  s72_10 += __shfl_xor_sync(0xffffffffu, s72_10, 16);
  if (threadIdx.x % 32 < 8) sums[k77] = s72_10;
  s72_11 += __shfl_xor_sync(0xffffffffu, s72_11, 8);
  s72_11 += __shfl_xor_sync(0xffffffffu, s72_11, 16);
  if (threadIdx.x % 32 < 8) sums[k78] = s72_11;
  s72_12 += __shfl_xor_sync(0xffffffffu, s72_12, 8);
  s72_12 += __shfl_xor_sync(0xffffffffu, s72_12, 16);
  if (threadIdx.x % 32 < 8) sums[k79] = s72_12;
  s72_13 += __shfl_xor_sync(0xffffffffu, s72_13, 8);
  s72_13 += __shfl_xor_sync(0xffffffffu, s72_13, 16);
  if (threadIdx.x % 32 < 8) sums[k80] = s72_13;
  s72_14 += __shfl_xor_sync(0xffffffffu, s72_14, 8);
  s72_14 += __shfl_xor_sync(0xffffffffu, s72_14, 16);
  if (threadIdx.x % 32 < 8) sums[k81] = s72_14;
  s72_15 += __shfl_xor_sync(0xffffffffu, s72_15, 8);
  s72_15 += __shfl_xor_sync(0xffffffffu, s72_15, 16);
  if (threadIdx.x % 32 < 8) sums[k82] = s72_15;
  s72_16 += __shfl_xor_sync(0xffffffffu, s72_16, 8);
  s72_16 += __shfl_xor_sync(0xffffffffu, s72_16, 16);
  if (threadIdx.x % 32 < 8) sums[k83] = s72_16;
  s72_17 += __shfl_xor_sync(0xffffffffu, s72_17, 8);
  s72_17 += __shfl_xor_sync(0xffffffffu, s72_17, 16);
  if (threadIdx.x % 32 < 8) sums[k84] = s72_17;
  s72_18 += __shfl_xor_sync(0xffffffffu, s72_18, 8);
  s72_18 += __shfl_xor_sync(0xffffffffu, s72_18, 16);
  if (threadIdx.x % 32 < 8) sums[k85] = s72_18;
  s72_19 += __shfl_xor_sync(0xffffffffu, s72_19, 8);
  s72_19 += __shfl_xor_sync(0xffffffffu, s72_19, 16);
  if (threadIdx.x % 32 < 8) sums[k86] = s72_19;
  s72_20 += __shfl_xor_sync(0xffffffffu, s72_20, 8);
  s72_20 += __shfl_xor_sync(0xffffffffu, s72_20, 16);
  if (threadIdx.x % 32 < 8) sums[k87] = s72_20;
  s72_21 += __shfl_xor_sync(0xffffffffu, s72_21, 8);
  s72_21 += __shfl_xor_sync(0xffffffffu, s72_21, 16);
  if (threadIdx.x % 32 < 8) sums[k88] = s72_21;
  s72_22 += __shfl_xor_sync(0xffffffffu, s72_22, 8);
  s72_22 += __shfl_xor_sync(0xffffffffu, s72_22, 16);
  if (threadIdx.x % 32 < 8) sums[k89] = s72_22;
  s72_23 += __shfl_xor_sync(0xffffffffu, s72_23, 8);
  s72_23 += __shfl_xor_sync(0xffffffffu, s72_23, 16);
  if (threadIdx.x % 32 < 8) sums[k90] = s72_23;
  s57_0 += __shfl_xor_sync(0xffffffffu, s57_0, 8);
  s57_0 += __shfl_xor_sync(0xffffffffu, s57_0, 16);
  if (threadIdx.x % 32 < 8) sums[192 + k1] = s57_0;
  s57_1 += __shfl_xor_sync(0xffffffffu, s57_1, 8);
  s57_1 += __shfl_xor_sync(0xffffffffu, s57_1, 16);
  if (threadIdx.x % 32 < 8) sums[192 + k64] = s57_1;
  s57_2 += __shfl_xor_sync(0xffffffffu, s57_2, 8);
  s57_2 += __shfl_xor_sync(0xffffffffu, s57_2, 16);
  if (threadIdx.x % 32 < 8) sums[192 + k65] = s57_2;
  s57_3 += __shfl_xor_sync(0xffffffffu, s57_3, 8);
  s57_3 += __shfl_xor_sync(0xffffffffu, s57_3, 16);
  if (threadIdx.x % 32 < 8) sums[192 + k66] = s57_3;
}

AST_KERNEL(cgat_pairwise_wide_backward_8_sum1)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 4, 224, 192, out);
}

AST_KERNEL(cgat_pairwise_wide_backward_8_sum2)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 192, blocks * 4, 224, 32, out);
}

AST_KERNEL(cgat_pairwise_wide_backward_10)(int rows, const T *AST_RESTRICT b26, const T *AST_RESTRICT b27, const T *AST_RESTRICT b28, T *AST_RESTRICT out15) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 4288) {
    const int k = (int)(i % 4288);
    const int k1 = k % 4288 - 4096;
    const int k2 = k1 >= 0 && k1 < 192 ? k / 4288 * 192 + k1 : 0;
    T v72_3 = b26[k2];
    T v74_4 = k1 >= 0 && k1 < 192 ? v72_3 : (T)0;
    const int k5 = k % 4288 - 2048;
    const int k6 = k5 >= 0 && k5 < 2048 ? k / 4288 * 2048 + k5 : 0;
    T v75_7 = b27[k6];
    T v77_8 = k5 >= 0 && k5 < 2048 ? v75_7 : (T)0;
    T v81_9 = v74_4 + v77_8;
    const int k10 = k % 4288 - 0;
    const int k11 = k10 >= 0 && k10 < 2048 ? k / 4288 * 2048 + k10 : 0;
    T v78_12 = b28[k11];
    T v80_13 = k10 >= 0 && k10 < 2048 ? v78_12 : (T)0;
    T v82_14 = v81_9 + v80_13;
    out15[k] = v82_14;
  }
}

AST_KERNEL(cgat_pairwise_wide_backward_12)(int rows, T *AST_RESTRICT b13, const T *AST_RESTRICT b23, const T *AST_RESTRICT b25, const T *AST_RESTRICT b24) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v52_2 = ast_load4(b23 + (i64)r * 64 + k1);
  const T4 v67_3 = ast_load4(b25 + (i64)r * 64 + k1);
  T v68_4 = v52_2.x + v67_3.x;
  const T4 v69_5 = ast_load4(b24 + (i64)r * 64 + k1);
  T v70_6 = v68_4 + v69_5.x;
  T v68_7 = v52_2.y + v67_3.y;
  T v70_8 = v68_7 + v69_5.y;
  T v68_9 = v52_2.z + v67_3.z;
  T v70_10 = v68_9 + v69_5.z;
  T v68_11 = v52_2.w + v67_3.w;
  T v70_12 = v68_11 + v69_5.w;
  ast_store4(b13 + (i64)r * 64 + k1, v70_6, v70_8, v70_10, v70_12);
}
