
AST_KERNEL(simple_hgn_wide_forward_3)(int rows, T *AST_RESTRICT b12, const T *AST_RESTRICT b11, const T *AST_RESTRICT b2) {
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
  const T4 v2_2 = ast_load4(b11 + (i64)r * 32 + k1);
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
  if (lane < 1) ast_store4(b12 + (i64)r * 4, v6_8, v6_12, v6_13, v6_14);
}

AST_KERNEL(simple_hgn_wide_forward_4)(int rows, const T *AST_RESTRICT b14, const T *AST_RESTRICT b7, T *AST_RESTRICT out15) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 4) {
    const int r = (int)(i / 4);
    const int k = (int)(i % 4);
    T v22_1 = 0;
    const int k2 = k * 8;
    for (int j3 = 0; j3 < 8; j3++) {
      const int k4 = k2 + j3;
      T v18_5 = b14[(i64)r * 32 + k4];
      T v20_6 = b7[k4];
      T v21_7 = v18_5 * v20_6;
      v22_1 += v21_7;
    }
    out15[(i64)r * 4 + k] = v22_1;
  }
}

AST_KERNEL(simple_hgn_wide_forward_5)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b12, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b11, const T *AST_RESTRICT b4, const T *AST_RESTRICT b15, const int *AST_RESTRICT types, const T *AST_RESTRICT b8, const int *AST_RESTRICT ids, T *AST_RESTRICT b10, const T *AST_RESTRICT b22, T *AST_RESTRICT b13, T *AST_RESTRICT b16, T *AST_RESTRICT b17, T *AST_RESTRICT b18, T *AST_RESTRICT b19, T *AST_RESTRICT b20, T *AST_RESTRICT b21) {
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
  const T4 v9_4 = ast_load4(b11 + (i64)r * 32 + k3);
  const T4 v11_5 = ast_load4(b4 + k3);
  T v12_6 = v9_4.x * v11_5.x;
  T v12_7 = v9_4.y * v11_5.y;
  T v12_8 = v9_4.z * v11_5.z;
  T v12_9 = v9_4.w * v11_5.w;
  T v13_10 = v12_6 + v12_7 + v12_8 + v12_9;
  v13_10 += __shfl_xor_sync(lanes_mask, v13_10, 1);
  T a26_0 = -AST_INF;
  T a29_0 = 0;
  T a64_0 = 0;
  for (int at = begin + slot; at < end; at += 8) {
    int u[4];
    T v6_2[4];
    int e_type[4];
    T v22_12[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 2 < end ? at + q * 2 : end - 1;
      u[q] = ast_load(neighbors + e);
      v6_2[q] = ast_load(b12 + (i64)u[q] * 4 + k1);
      e_type[q] = ast_load(types + e);
      v22_12[q] = ast_load(b15 + (i64)e_type[q] * 4 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 2 < end) {
        T v15_11 = v6_2[q] + v13_10;
        T v24_13 = v15_11 + v22_12[q];
        T v25_14 = op_leakyrelu(v24_13, (T)0.2);
        if (!(v25_14 <= a26_0)) {
          const T was = a26_0;
          a26_0 = op_maxof(v25_14, was);
          const T scale = op_exp(was - a26_0);
          a29_0 *= scale;
          a64_0 *= scale;
        }
        T v27_15 = v25_14 - a26_0;
        T v28_16 = v25_14 == -AST_INF ? (T)0 : op_exp(v27_15);
        a29_0 += v28_16;
        T v55_17 = v24_13 > (T)0 ? (T)1 : (T)0;
        T v57_18 = v55_17 != 0 ? (T)1 : (T)0.2;
        T v63_19 = v28_16 * v57_18;
        a64_0 += v63_19;
      }
    }
  }
  {
    const T other = __shfl_xor_sync(group_mask, a26_0, 8);
    const T top = op_maxof(other, a26_0);
    const T mine = a26_0 == top ? (T)1 : op_exp(a26_0 - top), theirs = other == top ? (T)1 : op_exp(other - top);
    a29_0 = a29_0 * mine + __shfl_xor_sync(group_mask, a29_0, 8) * theirs;
    a64_0 = a64_0 * mine + __shfl_xor_sync(group_mask, a64_0, 8) * theirs;
    a26_0 = top;
  }
  if (begin < end) a29_0 += a26_0 - a26_0;
  if (begin < end) a64_0 += a26_0 - a26_0;
  T v26_25 = begin < end ? a26_0 : (T)0;
  T v31_28 = op_maxof(a29_0, (T)1);
  T v32_29 = 1 / v31_28;
  T a42_0 = 0;
  T a42_1 = 0;
  T a42_2 = 0;
  T a42_3 = 0;
  T a54_0 = 0;
  T a54_1 = 0;
  T a54_2 = 0;
  T a54_3 = 0;
  T a62_0 = 0;
  T a62_1 = 0;
  T a62_2 = 0;
  T a62_3 = 0;
  for (int at = begin + slot; at < end; at += 8) {
    int u[4];
    T v6_20[4];
    int e_type[4];
    T v22_22[4];
    int id[4];
    T v36_32[4];
    T4 v2_35[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 2 < end ? at + q * 2 : end - 1;
      u[q] = ast_load(neighbors + e);
      v6_20[q] = ast_load(b12 + (i64)u[q] * 4 + k1);
      e_type[q] = ast_load(types + e);
      v22_22[q] = ast_load(b15 + (i64)e_type[q] * 4 + k1);
      id[q] = ast_load(ids + e);
      v36_32[q] = ast_load(b8 + (i64)id[q] * 4 + k1);
      v2_35[q] = ast_load4(b11 + (i64)u[q] * 32 + k3);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 2 < end) {
        T v15_21 = v6_20[q] + v13_10;
        T v24_23 = v15_21 + v22_22[q];
        T v25_24 = op_leakyrelu(v24_23, (T)0.2);
        T v27_26 = v25_24 - v26_25;
        T v28_27 = v25_24 == -AST_INF ? (T)0 : op_exp(v27_26);
        T v33_30 = v28_27 * v32_29;
        T v35_31 = v33_30 * (T)0.95;
        T v38_33 = v36_32[q] * (T)0.05;
        T v39_34 = v35_31 + v38_33;
        T v41_36 = v39_34 * v2_35[q].x;
        a42_0 += v41_36;
        T v41_37 = v39_34 * v2_35[q].y;
        a42_1 += v41_37;
        T v41_38 = v39_34 * v2_35[q].z;
        a42_2 += v41_38;
        T v41_39 = v39_34 * v2_35[q].w;
        a42_3 += v41_39;
        T v53_40 = v35_31 * v2_35[q].x;
        a54_0 += v53_40;
        T v53_41 = v35_31 * v2_35[q].y;
        a54_1 += v53_41;
        T v53_42 = v35_31 * v2_35[q].z;
        a54_2 += v53_42;
        T v53_43 = v35_31 * v2_35[q].w;
        a54_3 += v53_43;
        T v55_44 = v24_23 > (T)0 ? (T)1 : (T)0;
        T v57_45 = v55_44 != 0 ? (T)1 : (T)0.2;
        T v58_46 = v57_45 * v33_30;
        T v59_47 = v58_46 * (T)0.95;
        T v61_48 = v59_47 * v2_35[q].x;
        a62_0 += v61_48;
        T v61_49 = v59_47 * v2_35[q].y;
        a62_1 += v61_49;
        T v61_50 = v59_47 * v2_35[q].z;
        a62_2 += v61_50;
        T v61_51 = v59_47 * v2_35[q].w;
        a62_3 += v61_51;
      }
    }
  }
  a42_0 += __shfl_xor_sync(group_mask, a42_0, 8);
  a42_1 += __shfl_xor_sync(group_mask, a42_1, 8);
  a42_2 += __shfl_xor_sync(group_mask, a42_2, 8);
  a42_3 += __shfl_xor_sync(group_mask, a42_3, 8);
  a54_0 += __shfl_xor_sync(group_mask, a54_0, 8);
  a54_1 += __shfl_xor_sync(group_mask, a54_1, 8);
  a54_2 += __shfl_xor_sync(group_mask, a54_2, 8);
  a54_3 += __shfl_xor_sync(group_mask, a54_3, 8);
  a62_0 += __shfl_xor_sync(group_mask, a62_0, 8);
  a62_1 += __shfl_xor_sync(group_mask, a62_1, 8);
  a62_2 += __shfl_xor_sync(group_mask, a62_2, 8);
  a62_3 += __shfl_xor_sync(group_mask, a62_3, 8);
  const T4 v45_52 = ast_load4(b22 + (i64)r * 32 + k3);
  T v46_53 = a42_0 + v45_52.x;
  T v47_54 = op_elu(v46_53, (T)1);
  T v46_55 = a42_1 + v45_52.y;
  T v47_56 = op_elu(v46_55, (T)1);
  T v46_57 = a42_2 + v45_52.z;
  T v47_58 = op_elu(v46_57, (T)1);
  T v46_59 = a42_3 + v45_52.w;
  T v47_60 = op_elu(v46_59, (T)1);
  if (slot == 0) ast_store4(b10 + (i64)r * 32 + k3, v47_54, v47_56, v47_58, v47_60);
  if (slot == 0 && (0x55u >> lane & 1u)) b13[(i64)r * 4 + k1] = v13_10;
  if (slot == 0 && (0x55u >> lane & 1u)) b16[(i64)r * 4 + k1] = v26_25;
  if (slot == 0 && (0x55u >> lane & 1u)) b17[(i64)r * 4 + k1] = v32_29;
  T v49_61 = v46_53 > (T)0 ? (T)1 : (T)0;
  T v50_62 = v47_54 + (T)1;
  T v51_63 = v49_61 != 0 ? (T)1 : v50_62;
  T v49_64 = v46_55 > (T)0 ? (T)1 : (T)0;
  T v50_65 = v47_56 + (T)1;
  T v51_66 = v49_64 != 0 ? (T)1 : v50_65;
  T v49_67 = v46_57 > (T)0 ? (T)1 : (T)0;
  T v50_68 = v47_58 + (T)1;
  T v51_69 = v49_67 != 0 ? (T)1 : v50_68;
  T v49_70 = v46_59 > (T)0 ? (T)1 : (T)0;
  T v50_71 = v47_60 + (T)1;
  T v51_72 = v49_70 != 0 ? (T)1 : v50_71;
  if (slot == 0) ast_store4(b18 + (i64)r * 32 + k3, v51_63, v51_66, v51_69, v51_72);
  if (slot == 0) ast_store4(b19 + (i64)r * 32 + k3, a54_0, a54_1, a54_2, a54_3);
  if (slot == 0) ast_store4(b20 + (i64)r * 32 + k3, a62_0, a62_1, a62_2, a62_3);
  T v65_73 = a64_0 * v32_29;
  if (slot == 0 && (0x55u >> lane & 1u)) b21[(i64)r * 4 + k1] = v65_73;
}

AST_KERNEL(simple_hgn_wide_backward_0)(int rows, int hubs, T *AST_RESTRICT w0, int block0, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const int *AST_RESTRICT types, const T *AST_RESTRICT b4, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b8, const T *AST_RESTRICT b13, const T *AST_RESTRICT b14, const T *AST_RESTRICT b15, const T *AST_RESTRICT b18, const T *AST_RESTRICT b19, const T *AST_RESTRICT b2, const T *AST_RESTRICT b20, const int *AST_RESTRICT ids, T *AST_RESTRICT b35, const T *AST_RESTRICT b21, const T *AST_RESTRICT b22, const T *AST_RESTRICT b6, T *AST_RESTRICT b37, T *AST_RESTRICT b44) {
  const int lane = threadIdx.x % 8;
  const int group = threadIdx.x / 8;
  AST_SHARED T shared[1024];
  T *const stage = shared + (group) * 64;
  T *const sums = w0 + ((i64)(block0 + blockIdx.x) * 16 + group) * 48;
  for (int i = threadIdx.x % 8; i < 48; i += 8) sums[i] = 0;
  const u32 sums_mask = 0xffu << (threadIdx.x & 24u);
  __syncwarp(sums_mask);
  const int k12 = lane * 4;
  const u32 lanes_mask = 0xffu << (threadIdx.x & 24u);
  const int k45 = lane * 4 + 1;
  const int k46 = lane * 4 + 2;
  const int k47 = lane * 4 + 3;
  const int k100 = lane / 2;
  T s81_0 = 0;
  T s81_1 = 0;
  T s81_2 = 0;
  T s81_3 = 0;
  for (int p = hubs + blockIdx.x * 16 + group; p < rows; p += gridDim.x * 16) {
    const int r = order[p];
    const int begin = offsets[r];
    const int end = offsets[r + 1];
    int type1 = -1;
    const T4 v11_2 = ast_load4(b8 + (i64)r * 4);
    const T4 v23_7 = ast_load4(b14 + (i64)r * 4);
    const T4 v27_10 = ast_load4(b15 + (i64)r * 4);
    const T4 v37_13 = ast_load4(b18 + (i64)r * 32 + k12);
    const T4 v39_14 = ast_load4(b19 + (i64)r * 32 + k12);
    T v40_15 = v37_13.x * v39_14.x;
    T v40_18 = v37_13.y * v39_14.y;
    T v40_20 = v37_13.z * v39_14.z;
    T v40_22 = v37_13.w * v39_14.w;
    const T4 v51_27 = ast_load4(b20 + (i64)r * 32 + k12);
    T v52_28 = v40_15 * v51_27.x;
    T v52_29 = v40_18 * v51_27.y;
    T v52_30 = v40_20 * v51_27.z;
    T v52_31 = v40_22 * v51_27.w;
    T v53_32 = v52_28 + v52_29 + v52_30 + v52_31;
    v53_32 += __shfl_xor_sync(lanes_mask, v53_32, 1);
    T v55_33 = v27_10.x * v53_32;
    __syncwarp(lanes_mask);
    (stage + 32)[k12] = v52_28;
    (stage + 32)[k45] = v52_29;
    (stage + 32)[k46] = v52_30;
    (stage + 32)[k47] = v52_31;
    __syncwarp(lanes_mask);
    T v53_51 = 0;
    for (int j = 0; j < 8; j++)
      v53_51 += (stage + 32)[8 + j];
    T v55_52 = v27_10.y * v53_51;
    T v53_67 = 0;
    for (int j = 0; j < 8; j++)
      v53_67 += (stage + 32)[16 + j];
    T v55_68 = v27_10.z * v53_67;
    T v53_83 = 0;
    for (int j = 0; j < 8; j++)
      v53_83 += (stage + 32)[24 + j];
    T v55_84 = v27_10.w * v53_83;
    T a62_0 = 0;
    T a62_1 = 0;
    T a62_2 = 0;
    T a62_3 = 0;
    for (int at = begin; at < end; at++) {
      const int e_type = ast_load(types + at);
      const int u = ast_load(neighbors + at);
      const T4 v5_1 = ast_load4(b4 + (i64)u * 4);
      const T4 v19_4 = ast_load4(b13 + (i64)e_type * 4);
      const T4 v2_16 = ast_load4(b2 + (i64)u * 32 + k12);
      const int id = ast_load(ids + at);
      if (type1 < e_type) {
        if (type1 >= 0) {
          if (lane < 1) sums[0 + 0 + type1 * 4] += a62_0;
          if (lane < 1) sums[0 + 1 + type1 * 4] += a62_1;
          if (lane < 1) sums[0 + 2 + type1 * 4] += a62_2;
          if (lane < 1) sums[0 + 3 + type1 * 4] += a62_3;
          a62_0 = 0;
          a62_1 = 0;
          a62_2 = 0;
          a62_3 = 0;
        }
        type1 = e_type;
      }
      T v13_3 = v5_1.x + v11_2.x;
      T v21_5 = v13_3 + v19_4.x;
      T v22_6 = op_leakyrelu(v21_5, (T)0.2);
      T v24_8 = v22_6 - v23_7.x;
      T v25_9 = op_exp(v24_8);
      T v28_11 = v25_9 * v27_10.x;
      T v43_17 = v40_15 * v2_16.x;
      T v43_19 = v40_18 * v2_16.y;
      T v43_21 = v40_20 * v2_16.z;
      T v43_23 = v40_22 * v2_16.w;
      T v45_24 = v43_17 + v43_19 + v43_21 + v43_23;
      v45_24 += __shfl_xor_sync(lanes_mask, v45_24, 1);
      T v49_25 = v45_24 * (T)0.95;
      T v50_26 = v28_11 * v49_25;
      T v56_34 = v55_33 * v25_9;
      T v57_35 = v50_26 - v56_34;
      T v58_36 = v21_5 > (T)0 ? (T)1 : (T)0;
      T v60_37 = v58_36 != 0 ? (T)1 : (T)0.2;
      T v61_38 = v57_35 * v60_37;
      a62_0 += v61_38;
      T v13_39 = v5_1.y + v11_2.y;
      T v21_40 = v13_39 + v19_4.y;
      T v22_41 = op_leakyrelu(v21_40, (T)0.2);
      T v24_42 = v22_41 - v23_7.y;
      T v25_43 = op_exp(v24_42);
      T v28_44 = v25_43 * v27_10.y;
      __syncwarp(lanes_mask);
      stage[k12] = v43_17;
      stage[k45] = v43_19;
      stage[k46] = v43_21;
      stage[k47] = v43_23;
      __syncwarp(lanes_mask);
      T v45_48 = 0;
      for (int j = 0; j < 8; j++)
        v45_48 += stage[8 + j];
      T v49_49 = v45_48 * (T)0.95;
      T v50_50 = v28_44 * v49_49;
      T v56_53 = v55_52 * v25_43;
      T v57_54 = v50_50 - v56_53;
      T v58_55 = v21_40 > (T)0 ? (T)1 : (T)0;
      T v60_56 = v58_55 != 0 ? (T)1 : (T)0.2;
      T v61_57 = v57_54 * v60_56;
      a62_1 += v61_57;
      T v13_58 = v5_1.z + v11_2.z;
      T v21_59 = v13_58 + v19_4.z;
      T v22_60 = op_leakyrelu(v21_59, (T)0.2);
      T v24_61 = v22_60 - v23_7.z;
      T v25_62 = op_exp(v24_61);
      T v28_63 = v25_62 * v27_10.z;
      T v45_64 = 0;
      for (int j = 0; j < 8; j++)
        v45_64 += stage[16 + j];
      T v49_65 = v45_64 * (T)0.95;
      T v50_66 = v28_63 * v49_65;
      T v56_69 = v55_68 * v25_62;
      T v57_70 = v50_66 - v56_69;
      T v58_71 = v21_59 > (T)0 ? (T)1 : (T)0;
      T v60_72 = v58_71 != 0 ? (T)1 : (T)0.2;
      T v61_73 = v57_70 * v60_72;
      a62_2 += v61_73;
      T v13_74 = v5_1.w + v11_2.w;
      T v21_75 = v13_74 + v19_4.w;
      T v22_76 = op_leakyrelu(v21_75, (T)0.2);
      T v24_77 = v22_76 - v23_7.w;
      T v25_78 = op_exp(v24_77);
      T v28_79 = v25_78 * v27_10.w;
      T v45_80 = 0;
      for (int j = 0; j < 8; j++)
        v45_80 += stage[24 + j];
      T v49_81 = v45_80 * (T)0.95;
      T v50_82 = v28_79 * v49_81;
      T v56_85 = v55_84 * v25_78;
      T v57_86 = v50_82 - v56_85;
      T v58_87 = v21_75 > (T)0 ? (T)1 : (T)0;
      T v60_88 = v58_87 != 0 ? (T)1 : (T)0.2;
      T v61_89 = v57_86 * v60_88;
      a62_3 += v61_89;
      T v48_90 = v45_24 * (T)0.05;
      T v48_91 = v45_48 * (T)0.05;
      T v48_92 = v45_64 * (T)0.05;
      T v48_93 = v45_80 * (T)0.05;
      if (lane < 1) ast_store4(b35 + (i64)id * 4, v48_90, v48_91, v48_92, v48_93);
    }
    if (type1 >= 0) {
      if (lane < 1) sums[0 + 0 + type1 * 4] += a62_0;
      if (lane < 1) sums[0 + 1 + type1 * 4] += a62_1;
      if (lane < 1) sums[0 + 2 + type1 * 4] += a62_2;
      if (lane < 1) sums[0 + 3 + type1 * 4] += a62_3;
      a62_0 = 0;
      a62_1 = 0;
      a62_2 = 0;
      a62_3 = 0;
    }
    const T4 v72_94 = ast_load4(b21 + (i64)r * 32 + k12);
    T v73_95 = v40_15 * v72_94.x;
    T v73_96 = v40_18 * v72_94.y;
    T v73_97 = v40_20 * v72_94.z;
    T v73_98 = v40_22 * v72_94.w;
    T v74_99 = v73_95 + v73_96 + v73_97 + v73_98;
    v74_99 += __shfl_xor_sync(lanes_mask, v74_99, 1);
    const T v76_101 = ast_load(b22 + (i64)r * 4 + k100);
    T v53_102 = v52_28 + v52_29 + v52_30 + v52_31;
    v53_102 += __shfl_xor_sync(lanes_mask, v53_102, 1);
    T v77_103 = v76_101 * v53_102;
    T v78_104 = v74_99 - v77_103;
    const T4 v8_105 = ast_load4(b6 + (i64)r * 32 + k12);
    T v80_106 = v78_104 * v8_105.x;
    s81_0 += v80_106;
    T v80_107 = v78_104 * v8_105.y;
    s81_1 += v80_107;
    T v80_108 = v78_104 * v8_105.z;
    s81_2 += v80_108;
    T v80_109 = v78_104 * v8_105.w;
    s81_3 += v80_109;
    ast_store4(b37 + (i64)r * 32 + k12, v40_15, v40_18, v40_20, v40_22);
    if (lane < 1) ast_store4(b44 + (i64)r * 4, v55_33, v55_52, v55_68, v55_84);
  }
  sums[16 + k12] = s81_0;
  sums[16 + k45] = s81_1;
  sums[16 + k46] = s81_2;
  sums[16 + k47] = s81_3;
}

AST_KERNEL(simple_hgn_wide_backward_0_sum1)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 16, 48, 16, out);
}

AST_KERNEL(simple_hgn_wide_backward_0_sum2)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 16, blocks * 16, 48, 32, out);
}

AST_KERNEL(simple_hgn_wide_backward_1)(int rows, int hubs, T *AST_RESTRICT w0, int block0, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b37, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b4, const T *AST_RESTRICT b8, const T *AST_RESTRICT b13, const int *AST_RESTRICT types, const T *AST_RESTRICT b14, const T *AST_RESTRICT b15, const T *AST_RESTRICT b16, const int *AST_RESTRICT ids, const T *AST_RESTRICT b2, const T *AST_RESTRICT b44, T *AST_RESTRICT b40, const T *AST_RESTRICT b23, const T *AST_RESTRICT b24, const T *AST_RESTRICT b25, const T *AST_RESTRICT b26, const T *AST_RESTRICT b27, const T *AST_RESTRICT b7, const T *AST_RESTRICT b3) {
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
  T s103_0 = 0;
  T s103_1 = 0;
  T s103_2 = 0;
  T s103_3 = 0;
  const int k80 = lane * 4 + 1;
  const int k81 = lane * 4 + 2;
  const int k82 = lane * 4 + 3;
  for (int p = hubs + blockIdx.x * 8 + group; p < rows; p += gridDim.x * 8) {
    const int r = order[p];
    const int begin = offsets[r];
    const int end = offsets[r + 1];
    const T v5_4 = ast_load(b4 + (i64)r * 4 + k3);
    const T4 v2_23 = ast_load4(b2 + (i64)r * 32 + k1);
    T a46_0 = 0;
    T a46_1 = 0;
    T a46_2 = 0;
    T a46_3 = 0;
    T a71_0 = 0;
    for (int at = begin + slot; at < end; at += 8) {
      int u[4];
      T4 v40_2[4];
      T v11_5[4];
      int e_type[4];
      T v19_7[4];
      T v23_10[4];
      T v27_13[4];
      int id[4];
      T v31_16[4];
      T v55_31[4];
      AST_UNROLL
      for (int q = 0; q < 4; q++) {
        const int e = at + q * 2 < end ? at + q * 2 : end - 1;
        u[q] = ast_load(neighbors + e);
        v40_2[q] = ast_load4(b37 + (i64)u[q] * 32 + k1);
        v11_5[q] = ast_load(b8 + (i64)u[q] * 4 + k3);
        e_type[q] = ast_load(types + e);
        v19_7[q] = ast_load(b13 + (i64)e_type[q] * 4 + k3);
        v23_10[q] = ast_load(b14 + (i64)u[q] * 4 + k3);
        v27_13[q] = ast_load(b15 + (i64)u[q] * 4 + k3);
        id[q] = ast_load(ids + e);
        v31_16[q] = ast_load(b16 + (i64)id[q] * 4 + k3);
        v55_31[q] = ast_load(b44 + (i64)u[q] * 4 + k3);
      }
      AST_UNROLL
      for (int q = 0; q < 4; q++) {
        if (at + q * 2 < end) {
          T v13_6 = v5_4 + v11_5[q];
          T v21_8 = v13_6 + v19_7[q];
          T v22_9 = op_leakyrelu(v21_8, (T)0.2);
          T v24_11 = v22_9 - v23_10[q];
          T v25_12 = op_exp(v24_11);
          T v28_14 = v25_12 * v27_13[q];
          T v30_15 = v28_14 * (T)0.95;
          T v33_17 = v31_16[q] * (T)0.05;
          T v34_18 = v30_15 + v33_17;
          T v44_19 = v40_2[q].x * v34_18;
          a46_0 += v44_19;
          T v44_20 = v40_2[q].y * v34_18;
          a46_1 += v44_20;
          T v44_21 = v40_2[q].z * v34_18;
          a46_2 += v44_21;
          T v44_22 = v40_2[q].w * v34_18;
          a46_3 += v44_22;
          T v43_24 = v40_2[q].x * v2_23.x;
          T v43_25 = v40_2[q].y * v2_23.y;
          T v43_26 = v40_2[q].z * v2_23.z;
          T v43_27 = v40_2[q].w * v2_23.w;
          T v45_28 = v43_24 + v43_25 + v43_26 + v43_27;
          v45_28 += __shfl_xor_sync(lanes_mask, v45_28, 1);
          T v49_29 = v45_28 * (T)0.95;
          T v50_30 = v28_14 * v49_29;
          T v56_32 = v55_31[q] * v25_12;
          T v57_33 = v50_30 - v56_32;
          T v58_34 = v21_8 > (T)0 ? (T)1 : (T)0;
          T v60_35 = v58_34 != 0 ? (T)1 : (T)0.2;
          T v61_36 = v57_33 * v60_35;
          a71_0 += v61_36;
        }
      }
    }
    a46_0 += __shfl_xor_sync(group_mask, a46_0, 8);
    a46_1 += __shfl_xor_sync(group_mask, a46_1, 8);
    a46_2 += __shfl_xor_sync(group_mask, a46_2, 8);
    a46_3 += __shfl_xor_sync(group_mask, a46_3, 8);
    a71_0 += __shfl_xor_sync(group_mask, a71_0, 8);
    T v102_37 = a71_0 * v2_23.x;
    s103_0 += v102_37;
    T v102_38 = a71_0 * v2_23.y;
    s103_1 += v102_38;
    T v102_39 = a71_0 * v2_23.z;
    s103_2 += v102_39;
    T v102_40 = a71_0 * v2_23.w;
    s103_3 += v102_40;
    const T4 v82_41 = ast_load4(b23 + (i64)r * 32 + k1);
    const T4 v83_42 = ast_load4(b24 + (i64)r * 32 + k1);
    T v84_43 = v82_41.x * v83_42.x;
    const T4 v86_44 = ast_load4(b25 + (i64)r * 32 + k1);
    T v87_45 = v84_43 * v86_44.x;
    T v84_46 = v82_41.y * v83_42.y;
    T v87_47 = v84_46 * v86_44.y;
    T v84_48 = v82_41.z * v83_42.z;
    T v87_49 = v84_48 * v86_44.z;
    T v84_50 = v82_41.w * v83_42.w;
    T v87_51 = v84_50 * v86_44.w;
    T v88_52 = v87_45 + v87_47 + v87_49 + v87_51;
    v88_52 += __shfl_xor_sync(lanes_mask, v88_52, 1);
    const T v90_53 = ast_load(b26 + (i64)r * 4 + k3);
    const T4 v91_54 = ast_load4(b27 + (i64)r * 32 + k1);
    T v92_55 = v84_43 * v91_54.x;
    T v92_56 = v84_46 * v91_54.y;
    T v92_57 = v84_48 * v91_54.z;
    T v92_58 = v84_50 * v91_54.w;
    T v93_59 = v92_55 + v92_56 + v92_57 + v92_58;
    v93_59 += __shfl_xor_sync(lanes_mask, v93_59, 1);
    T v95_60 = v90_53 * v93_59;
    T v96_61 = v88_52 - v95_60;
    const T4 v10_62 = ast_load4(b7 + k1);
    T v98_63 = v96_61 * v10_62.x;
    const T4 v4_64 = ast_load4(b3 + k1);
    T v101_65 = a71_0 * v4_64.x;
    T v104_66 = a46_0 + v101_65;
    T v106_67 = v98_63 + v104_66;
    T v98_68 = v96_61 * v10_62.y;
    T v101_69 = a71_0 * v4_64.y;
    T v104_70 = a46_1 + v101_69;
    T v106_71 = v98_68 + v104_70;
    T v98_72 = v96_61 * v10_62.z;
    T v101_73 = a71_0 * v4_64.z;
    T v104_74 = a46_2 + v101_73;
    T v106_75 = v98_72 + v104_74;
    T v98_76 = v96_61 * v10_62.w;
    T v101_77 = a71_0 * v4_64.w;
    T v104_78 = a46_3 + v101_77;
    T v106_79 = v98_76 + v104_78;
    if (slot == 0) ast_store4(b40 + (i64)r * 32 + k1, v106_67, v106_71, v106_75, v106_79);
  }
  s103_0 += __shfl_xor_sync(0xffffffffu, s103_0, 16);
  if (threadIdx.x % 32 < 16) if (slot == 0) sums[k1] = s103_0;
  s103_1 += __shfl_xor_sync(0xffffffffu, s103_1, 16);
  if (threadIdx.x % 32 < 16) if (slot == 0) sums[k80] = s103_1;
  s103_2 += __shfl_xor_sync(0xffffffffu, s103_2, 16);
  if (threadIdx.x % 32 < 16) if (slot == 0) sums[k81] = s103_2;
  s103_3 += __shfl_xor_sync(0xffffffffu, s103_3, 16);
  if (threadIdx.x % 32 < 16) if (slot == 0) sums[k82] = s103_3;
}

AST_KERNEL(simple_hgn_wide_backward_1_sum1)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 4, 32, 32, out);
}

AST_KERNEL(simple_hgn_wide_backward_2)(int rows, const T *AST_RESTRICT b42, const T *AST_RESTRICT b11, T *AST_RESTRICT out38, const T *AST_RESTRICT b12, T *AST_RESTRICT out39) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 32) {
    const int r = (int)(i / 32);
    const int k = (int)(i % 32);
    const int k1 = k / 8;
    T v64_2 = b42[(i64)r * 4 + k1];
    T v16_3 = b11[(i64)r * 32 + k];
    T v67_4 = v64_2 * v16_3;
    out38[(i64)r * 32 + k] = v67_4;
  }
  if (i < (i64)rows * 32) {
    const int r = (int)(i / 32);
    const int k = (int)(i % 32);
    const int k5 = k / 8;
    T v64_6 = b42[(i64)r * 4 + k5];
    T v18_7 = b12[k];
    T v66_8 = v64_6 * v18_7;
    out39[(i64)r * 32 + k] = v66_8;
  }
}

AST_KERNEL(simple_hgn_wide_backward_5_parts)(int rows, int parts, T *AST_RESTRICT sums, const T *AST_RESTRICT b38) {
  const int part = blockIdx.x / 1, i = blockIdx.x % 1 * 256 + threadIdx.x;
  if (i >= 32) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 32 + i;
  T sum0 = 0;
  for (int n = begin; n < end; n++) {
    const int r = n;
    T v67_1 = b38[(i64)r * 32 + i];
    sum0 += v67_1;
  }
  to[0] = sum0;
}

AST_KERNEL(simple_hgn_wide_backward_5_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 32, 32, out);
}

AST_KERNEL(simple_hgn_wide_backward_10)(int rows, T *AST_RESTRICT b28, const T *AST_RESTRICT b43, const T *AST_RESTRICT b41) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v107_2 = ast_load4(b43 + (i64)r * 64 + k1);
  const T4 v108_3 = ast_load4(b41 + (i64)r * 64 + k1);
  T v109_4 = v107_2.x + v108_3.x;
  T v109_5 = v107_2.y + v108_3.y;
  T v109_6 = v107_2.z + v108_3.z;
  T v109_7 = v107_2.w + v108_3.w;
  ast_store4(b28 + (i64)r * 64 + k1, v109_4, v109_5, v109_6, v109_7);
}
