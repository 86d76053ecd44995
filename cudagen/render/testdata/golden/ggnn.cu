
AST_KERNEL(ggnn_wide_forward_0)(int rows, const T *AST_RESTRICT b2, T *AST_RESTRICT out15) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 16384) {
    const int k = (int)(i % 16384);
    const int k1 = k / 4096 * 4096 + k / 64 % 64 + k % 64 * 64;
    T v5_2 = b2[k1];
    out15[k] = v5_2;
  }
}

AST_KERNEL(ggnn_wide_forward_1)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b1, const int *AST_RESTRICT neighbors, const int *AST_RESTRICT types, T *AST_RESTRICT b8, const T *AST_RESTRICT b2) {
  const int lane = threadIdx.x % 32;
  const int group = threadIdx.x / 32;
  AST_SHARED T shared[1024];
  T *const stage = shared + (group) * 256;
  const int k1 = lane % 16 * 4;
  const int k3 = lane / 16;
  const int k4 = lane / 16 + 2;
  const int k5 = lane * 4;
  const int k6 = lane * 4 + 1;
  const int k7 = lane * 4 + 2;
  const int k8 = lane * 4 + 3;
  const int k9 = lane * 4 + 128;
  const int k10 = lane * 4 + 129;
  const int k11 = lane * 4 + 130;
  const int k12 = lane * 4 + 131;
  const int k14 = (lane < 16 ? lane : 15) * 4;
  const int k16 = (lane < 16 ? lane : 15) * 4 + 1;
  const int k18 = (lane < 16 ? lane : 15) * 4 + 2;
  const int k20 = (lane < 16 ? lane : 15) * 4 + 3;
  const int p = hubs + blockIdx.x * 4 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  T a3_0 = 0;
  T a3_1 = 0;
  T a3_2 = 0;
  T a3_3 = 0;
  T a3_4 = 0;
  T a3_5 = 0;
  T a3_6 = 0;
  T a3_7 = 0;
  for (int at = begin; at < end; at += 4) {
    int u[4];
    T4 v1_2[4];
    int e_type[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q < end ? at + q : end - 1;
      u[q] = ast_load(neighbors + e);
      v1_2[q] = ast_load4(b1 + (i64)u[q] * 64 + k1);
      e_type[q] = ast_load(types + e);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q < end) {
        a3_0 += e_type[q] == k3 ? v1_2[q].x : (T)0;
        a3_1 += e_type[q] == k3 ? v1_2[q].y : (T)0;
        a3_2 += e_type[q] == k3 ? v1_2[q].z : (T)0;
        a3_3 += e_type[q] == k3 ? v1_2[q].w : (T)0;
        a3_4 += e_type[q] == k4 ? v1_2[q].x : (T)0;
        a3_5 += e_type[q] == k4 ? v1_2[q].y : (T)0;
        a3_6 += e_type[q] == k4 ? v1_2[q].z : (T)0;
        a3_7 += e_type[q] == k4 ? v1_2[q].w : (T)0;
      }
    }
  }
  __syncwarp(0xffffffffu);
  stage[k5] = a3_0;
  stage[k6] = a3_1;
  stage[k7] = a3_2;
  stage[k8] = a3_3;
  stage[k9] = a3_4;
  stage[k10] = a3_5;
  stage[k11] = a3_6;
  stage[k12] = a3_7;
  __syncwarp(0xffffffffu);
  T v7_13 = 0;
  T v7_15 = 0;
  T v7_17 = 0;
  T v7_19 = 0;
  for (int j = 0; j < 256; j++) {
    v7_13 += stage[j] * ast_load(b2 + k14 + j * 64);
    v7_15 += stage[j] * ast_load(b2 + k16 + j * 64);
    v7_17 += stage[j] * ast_load(b2 + k18 + j * 64);
    v7_19 += stage[j] * ast_load(b2 + k20 + j * 64);
  }
  if (lane < 16) ast_store4(b8 + (i64)r * 64 + k14, v7_13, v7_15, v7_17, v7_19);
}

AST_KERNEL(ggnn_wide_forward_4)(int rows, T *AST_RESTRICT b7, const T *AST_RESTRICT b16, const T *AST_RESTRICT b4, const T *AST_RESTRICT b17, const T *AST_RESTRICT b6, const T *AST_RESTRICT b0, T *AST_RESTRICT b9, T *AST_RESTRICT b10, T *AST_RESTRICT b11, T *AST_RESTRICT b12, T *AST_RESTRICT b13, T *AST_RESTRICT b14) {
  const int lane = threadIdx.x % 32;
  const int group = threadIdx.x / 32;
  const int k1 = (lane < 16 ? lane : 15) * 4 + 64;
  const int k11 = (lane < 16 ? lane : 15) * 4 + 128;
  const int k15 = (lane < 16 ? lane : 15) * 4;
  const int r = blockIdx.x * 4 + group;
  if (r >= rows) return;
  const T4 v9_2 = ast_load4(b16 + (i64)r * 192 + k1);
  const T4 v10_3 = ast_load4(b4 + k1);
  T v11_4 = v9_2.x + v10_3.x;
  const T4 v13_5 = ast_load4(b17 + (i64)r * 192 + k1);
  const T4 v14_6 = ast_load4(b6 + k1);
  T v15_7 = v13_5.x + v14_6.x;
  T v22_8 = v11_4 + v15_7;
  T v23_9 = op_sigmoid(v22_8);
  T v30_10 = (T)1 - v23_9;
  const T4 v9_12 = ast_load4(b16 + (i64)r * 192 + k11);
  const T4 v10_13 = ast_load4(b4 + k11);
  T v11_14 = v9_12.x + v10_13.x;
  const T4 v9_16 = ast_load4(b16 + (i64)r * 192 + k15);
  const T4 v10_17 = ast_load4(b4 + k15);
  T v11_18 = v9_16.x + v10_17.x;
  const T4 v13_19 = ast_load4(b17 + (i64)r * 192 + k15);
  const T4 v14_20 = ast_load4(b6 + k15);
  T v15_21 = v13_19.x + v14_20.x;
  T v18_22 = v11_18 + v15_21;
  T v19_23 = op_sigmoid(v18_22);
  const T4 v13_24 = ast_load4(b17 + (i64)r * 192 + k11);
  const T4 v14_25 = ast_load4(b6 + k11);
  T v15_26 = v13_24.x + v14_25.x;
  T v26_27 = v19_23 * v15_26;
  T v27_28 = v11_14 + v26_27;
  T v28_29 = op_tanh(v27_28);
  T v31_30 = v30_10 * v28_29;
  const T4 v0_31 = ast_load4(b0 + (i64)r * 64 + k15);
  T v32_32 = v23_9 * v0_31.x;
  T v33_33 = v31_30 + v32_32;
  T v11_34 = v9_2.y + v10_3.y;
  T v15_35 = v13_5.y + v14_6.y;
  T v22_36 = v11_34 + v15_35;
  T v23_37 = op_sigmoid(v22_36);
  T v30_38 = (T)1 - v23_37;
  T v11_39 = v9_12.y + v10_13.y;
  T v11_40 = v9_16.y + v10_17.y;
  T v15_41 = v13_19.y + v14_20.y;
  T v18_42 = v11_40 + v15_41;
  T v19_43 = op_sigmoid(v18_42);
  T v15_44 = v13_24.y + v14_25.y;
  T v26_45 = v19_43 * v15_44;
  T v27_46 = v11_39 + v26_45;
  T v28_47 = op_tanh(v27_46);
  T v31_48 = v30_38 * v28_47;
  T v32_49 = v23_37 * v0_31.y;
  T v33_50 = v31_48 + v32_49;
  T v11_51 = v9_2.z + v10_3.z;
  T v15_52 = v13_5.z + v14_6.z;
  T v22_53 = v11_51 + v15_52;
  T v23_54 = op_sigmoid(v22_53);
  T v30_55 = (T)1 - v23_54;
  T v11_56 = v9_12.z + v10_13.z;
  T v11_57 = v9_16.z + v10_17.z;
  T v15_58 = v13_19.z + v14_20.z;
  T v18_59 = v11_57 + v15_58;
  T v19_60 = op_sigmoid(v18_59);
  T v15_61 = v13_24.z + v14_25.z;
  T v26_62 = v19_60 * v15_61;
  T v27_63 = v11_56 + v26_62;
  T v28_64 = op_tanh(v27_63);
  T v31_65 = v30_55 * v28_64;
  T v32_66 = v23_54 * v0_31.z;
  T v33_67 = v31_65 + v32_66;
  T v11_68 = v9_2.w + v10_3.w;
  T v15_69 = v13_5.w + v14_6.w;
  T v22_70 = v11_68 + v15_69;
  T v23_71 = op_sigmoid(v22_70);
  T v30_72 = (T)1 - v23_71;
  T v11_73 = v9_12.w + v10_13.w;
  T v11_74 = v9_16.w + v10_17.w;
  T v15_75 = v13_19.w + v14_20.w;
  T v18_76 = v11_74 + v15_75;
  T v19_77 = op_sigmoid(v18_76);
  T v15_78 = v13_24.w + v14_25.w;
  T v26_79 = v19_77 * v15_78;
  T v27_80 = v11_73 + v26_79;
  T v28_81 = op_tanh(v27_80);
  T v31_82 = v30_72 * v28_81;
  T v32_83 = v23_71 * v0_31.w;
  T v33_84 = v31_82 + v32_83;
  if (lane < 16) ast_store4(b7 + (i64)r * 64 + k15, v33_33, v33_50, v33_67, v33_84);
  if (lane < 16) ast_store4(b9 + (i64)r * 64 + k15, v19_23, v19_43, v19_60, v19_77);
  if (lane < 16) ast_store4(b10 + (i64)r * 64 + k15, v23_9, v23_37, v23_54, v23_71);
  if (lane < 16) ast_store4(b11 + (i64)r * 64 + k15, v15_26, v15_44, v15_61, v15_78);
  if (lane < 16) ast_store4(b12 + (i64)r * 64 + k15, v28_29, v28_47, v28_64, v28_81);
  T v34_85 = v28_29 * v28_29;
  T v35_86 = (T)1 - v34_85;
  T v34_87 = v28_47 * v28_47;
  T v35_88 = (T)1 - v34_87;
  T v34_89 = v28_64 * v28_64;
  T v35_90 = (T)1 - v34_89;
  T v34_91 = v28_81 * v28_81;
  T v35_92 = (T)1 - v34_91;
  if (lane < 16) ast_store4(b13 + (i64)r * 64 + k15, v35_86, v35_88, v35_90, v35_92);
  T v36_93 = (T)1 - v19_23;
  T v37_94 = v19_23 * v36_93;
  T v36_95 = (T)1 - v19_43;
  T v37_96 = v19_43 * v36_95;
  T v36_97 = (T)1 - v19_60;
  T v37_98 = v19_60 * v36_97;
  T v36_99 = (T)1 - v19_77;
  T v37_100 = v19_77 * v36_99;
  if (lane < 16) ast_store4(b14 + (i64)r * 64 + k15, v37_94, v37_96, v37_98, v37_100);
}

AST_CONST int ggnn_wide_backward_0_table0[32] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60};

AST_CONST int ggnn_wide_backward_0_table1[32] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

AST_CONST int ggnn_wide_backward_0_table2[32] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 768, 1536, 2304, 3072, 3840, 4608, 5376, 6144, 6912, 7680, 8448, 9216, 9984, 10752, 11520};

AST_CONST int ggnn_wide_backward_0_table3[32] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 192, 960, 1728, 2496, 3264, 4032, 4800, 5568, 6336, 7104, 7872, 8640, 9408, 10176, 10944, 11712};

AST_CONST int ggnn_wide_backward_0_table4[32] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 384, 1152, 1920, 2688, 3456, 4224, 4992, 5760, 6528, 7296, 8064, 8832, 9600, 10368, 11136, 11904};

AST_CONST int ggnn_wide_backward_0_table5[32] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 576, 1344, 2112, 2880, 3648, 4416, 5184, 5952, 6720, 7488, 8256, 9024, 9792, 10560, 11328, 12096};

AST_KERNEL(ggnn_wide_backward_0)(int rows, T *AST_RESTRICT w0, int block0, const T *AST_RESTRICT b9, const T *AST_RESTRICT b0, const T *AST_RESTRICT b8, const T *AST_RESTRICT b6, const T *AST_RESTRICT b10, const T *AST_RESTRICT b7, const T *AST_RESTRICT b11, const T *AST_RESTRICT b2, T *AST_RESTRICT b20, const T *AST_RESTRICT b5, T *AST_RESTRICT b23, const T *AST_RESTRICT b3) {
  const int lane = threadIdx.x % 32;
  const int group = threadIdx.x / 32;
  AST_SHARED T shared[768];
  T *const stage = shared + (group) * 192;
  T *const sums = w0 + ((i64)(block0 + blockIdx.x) * 4 + group) * 12480;
  for (int i = threadIdx.x % 32; i < 12480; i += 32) sums[i] = 0;
  __syncwarp(0xffffffffu);
  const int k2 = ggnn_wide_backward_0_table0[lane];
  const int k15 = (lane < 16 ? lane : 15) * 4;
  T s35_0 = 0;
  T s35_1 = 0;
  T s35_2 = 0;
  T s35_3 = 0;
  T s35_4 = 0;
  T s35_5 = 0;
  T s35_6 = 0;
  T s35_7 = 0;
  const int k92 = lane * 4;
  const int k93 = lane * 4 + 1;
  const int k94 = lane * 4 + 2;
  const int k95 = lane * 4 + 3;
  const int k96 = (lane < 16 ? lane : 15) * 4 + 128;
  const int k97 = (lane < 16 ? lane : 15) * 4 + 129;
  const int k98 = (lane < 16 ? lane : 15) * 4 + 130;
  const int k99 = (lane < 16 ? lane : 15) * 4 + 131;
  const int k126 = ggnn_wide_backward_0_table1[lane];
  const int k127 = ggnn_wide_backward_0_table2[lane];
  const int k129 = ggnn_wide_backward_0_table3[lane];
  const int k131 = ggnn_wide_backward_0_table4[lane];
  const int k133 = ggnn_wide_backward_0_table5[lane];
  for (int r = blockIdx.x * 4 + group; r < rows; r += gridDim.x * 4) {
    T v21_1 = (T)0;
    const T4 v11_3 = ast_load4(b9 + (i64)r * 64 + k2);
    const T4 v0_4 = ast_load4(b0 + (i64)r * 64 + k2);
    T v12_5 = v11_3.x * v0_4.x;
    const T4 v8_6 = ast_load4(b8 + (i64)r * 64 + k2);
    T v14_7 = v11_3.x * v8_6.x;
    T v22_8 = v12_5 - v14_7;
    const T4 v6_9 = ast_load4(b6 + (i64)r * 64 + k2);
    T v10_10 = (T)1 - v6_9.x;
    T v23_11 = v6_9.x * v10_10;
    T v24_12 = v22_8 * v23_11;
    T v25_13 = 0xffff0000u >> lane & 1u ? v24_12 : (T)0;
    T v33_14 = v21_1 + v25_13;
    const T4 v11_16 = ast_load4(b9 + (i64)r * 64 + k15);
    const T4 v6_17 = ast_load4(b6 + (i64)r * 64 + k15);
    T v10_18 = (T)1 - v6_17.x;
    T v15_19 = v11_16.x * v10_18;
    const T4 v16_20 = ast_load4(b10 + (i64)r * 64 + k15);
    T v17_21 = v15_19 * v16_20.x;
    const T4 v7_22 = ast_load4(b7 + (i64)r * 64 + k15);
    T v18_23 = v17_21 * v7_22.x;
    const T4 v26_24 = ast_load4(b11 + (i64)r * 64 + k15);
    T v27_25 = v18_23 * v26_24.x;
    T v28_26 = lane < 16 ? v27_25 : (T)0;
    T v34_27 = v33_14 + v28_26;
    s35_0 += v34_27;
    T v21_28 = (T)0;
    T v12_29 = v11_3.y * v0_4.y;
    T v14_30 = v11_3.y * v8_6.y;
    T v22_31 = v12_29 - v14_30;
    T v10_32 = (T)1 - v6_9.y;
    T v23_33 = v6_9.y * v10_32;
    T v24_34 = v22_31 * v23_33;
    T v25_35 = 0xffff0000u >> lane & 1u ? v24_34 : (T)0;
    T v33_36 = v21_28 + v25_35;
    T v10_37 = (T)1 - v6_17.y;
    T v15_38 = v11_16.y * v10_37;
    T v17_39 = v15_38 * v16_20.y;
    T v18_40 = v17_39 * v7_22.y;
    T v27_41 = v18_40 * v26_24.y;
    T v28_42 = lane < 16 ? v27_41 : (T)0;
    T v34_43 = v33_36 + v28_42;
    s35_1 += v34_43;
    T v21_44 = (T)0;
    T v12_45 = v11_3.z * v0_4.z;
    T v14_46 = v11_3.z * v8_6.z;
    T v22_47 = v12_45 - v14_46;
    T v10_48 = (T)1 - v6_9.z;
    T v23_49 = v6_9.z * v10_48;
    T v24_50 = v22_47 * v23_49;
    T v25_51 = 0xffff0000u >> lane & 1u ? v24_50 : (T)0;
    T v33_52 = v21_44 + v25_51;
    T v10_53 = (T)1 - v6_17.z;
    T v15_54 = v11_16.z * v10_53;
    T v17_55 = v15_54 * v16_20.z;
    T v18_56 = v17_55 * v7_22.z;
    T v27_57 = v18_56 * v26_24.z;
    T v28_58 = lane < 16 ? v27_57 : (T)0;
    T v34_59 = v33_52 + v28_58;
    s35_2 += v34_59;
    T v21_60 = (T)0;
    T v12_61 = v11_3.w * v0_4.w;
    T v14_62 = v11_3.w * v8_6.w;
    T v22_63 = v12_61 - v14_62;
    T v10_64 = (T)1 - v6_9.w;
    T v23_65 = v6_9.w * v10_64;
    T v24_66 = v22_63 * v23_65;
    T v25_67 = 0xffff0000u >> lane & 1u ? v24_66 : (T)0;
    T v33_68 = v21_60 + v25_67;
    T v10_69 = (T)1 - v6_17.w;
    T v15_70 = v11_16.w * v10_69;
    T v17_71 = v15_70 * v16_20.w;
    T v18_72 = v17_71 * v7_22.w;
    T v27_73 = v18_72 * v26_24.w;
    T v28_74 = lane < 16 ? v27_73 : (T)0;
    T v34_75 = v33_68 + v28_74;
    s35_3 += v34_75;
    T v25_76 = (T)0;
    T v33_77 = v17_21 + v25_76;
    T v28_78 = (T)0;
    T v34_79 = v33_77 + v28_78;
    s35_4 += v34_79;
    T v25_80 = (T)0;
    T v33_81 = v17_39 + v25_80;
    T v28_82 = (T)0;
    T v34_83 = v33_81 + v28_82;
    s35_5 += v34_83;
    T v25_84 = (T)0;
    T v33_85 = v17_55 + v25_84;
    T v28_86 = (T)0;
    T v34_87 = v33_85 + v28_86;
    s35_6 += v34_87;
    T v25_88 = (T)0;
    T v33_89 = v17_71 + v25_88;
    T v28_90 = (T)0;
    T v34_91 = v33_89 + v28_90;
    s35_7 += v34_91;
    __syncwarp(0xffffffffu);
    stage[k92] = v34_27;
    stage[k93] = v34_43;
    stage[k94] = v34_59;
    stage[k95] = v34_75;
    if (lane < 16) stage[k96] = v34_79;
    if (lane < 16) stage[k97] = v34_83;
    if (lane < 16) stage[k98] = v34_87;
    if (lane < 16) stage[k99] = v34_91;
    __syncwarp(0xffffffffu);
    for (int i = lane; i < 12288; i += 32) {
      const int atX = i / 12288 * 64 + i / 192 % 64, atY = i / 12288 * 192 + i % 192;
      T add = 0;
      add += (b2 + (i64)r * 64)[atX] * stage[atY];
      sums[192 + i] += add;
    }
    T v20_100 = (T)0;
    T v29_101 = v20_100 + v25_13;
    T v30_102 = v29_101 + v28_26;
    T v20_103 = (T)0;
    T v29_104 = v20_103 + v25_35;
    T v30_105 = v29_104 + v28_42;
    T v20_106 = (T)0;
    T v29_107 = v20_106 + v25_51;
    T v30_108 = v29_107 + v28_58;
    T v20_109 = (T)0;
    T v29_110 = v20_109 + v25_67;
    T v30_111 = v29_110 + v28_74;
    ast_store4(b20 + (i64)r * 192 + k92, v30_102, v30_105, v30_108, v30_111);
    const T4 v5_112 = ast_load4(b5 + (i64)r * 64 + k15);
    T v19_113 = v17_21 * v5_112.x;
    T v29_114 = v19_113 + v25_76;
    T v30_115 = v29_114 + v28_78;
    T v19_116 = v17_39 * v5_112.y;
    T v29_117 = v19_116 + v25_80;
    T v30_118 = v29_117 + v28_82;
    T v19_119 = v17_55 * v5_112.z;
    T v29_120 = v19_119 + v25_84;
    T v30_121 = v29_120 + v28_86;
    T v19_122 = v17_71 * v5_112.w;
    T v29_123 = v19_122 + v25_88;
    T v30_124 = v29_123 + v28_90;
    if (lane < 16) ast_store4(b20 + (i64)r * 192 + k96, v30_115, v30_118, v30_121, v30_124);
    T v36_125 = 0;
    T v36_128 = 0;
    T v36_130 = 0;
    T v36_132 = 0;
    for (int j = 0; j < 192; j++) {
      v36_125 += stage[k126 + j] * ast_load(b3 + k127 + j);
      v36_128 += stage[k126 + j] * ast_load(b3 + k129 + j);
      v36_130 += stage[k126 + j] * ast_load(b3 + k131 + j);
      v36_132 += stage[k126 + j] * ast_load(b3 + k133 + j);
    }
    if (0xffff0000u >> lane & 1u) ast_store4(b23 + (i64)r * 64 + k2, v36_125, v36_128, v36_130, v36_132);
  }
  sums[k92] = s35_0;
  sums[k93] = s35_1;
  sums[k94] = s35_2;
  sums[k95] = s35_3;
  if (lane < 16) sums[k96] = s35_4;
  if (lane < 16) sums[k97] = s35_5;
  if (lane < 16) sums[k98] = s35_6;
  if (lane < 16) sums[k99] = s35_7;
}

AST_KERNEL(ggnn_wide_backward_0_sum1)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 4, 12480, 192, out);
}

AST_KERNEL(ggnn_wide_backward_0_sum2)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 192, blocks * 4, 12480, 12288, out);
}

AST_KERNEL(ggnn_wide_backward_1)(int rows, int hubs, T *AST_RESTRICT w0, int block0, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b23, const int *AST_RESTRICT neighbors, const int *AST_RESTRICT types, const T *AST_RESTRICT b1, T *AST_RESTRICT b24, const T *AST_RESTRICT b12) {
  const int lane = threadIdx.x % 32;
  const int group = threadIdx.x / 32;
  AST_SHARED T shared[1024];
  T *const stage = shared + (group) * 256;
  T *const sums = w0 + ((i64)(block0 + blockIdx.x) * 4 + group) * 16384;
  for (int i = threadIdx.x % 32; i < 16384; i += 32) sums[i] = 0;
  __syncwarp(0xffffffffu);
  const int k1 = lane % 16 * 4;
  const int k3 = lane / 16;
  const int k4 = lane / 16 + 2;
  const int k5 = lane * 4;
  const int k6 = lane * 4 + 1;
  const int k7 = lane * 4 + 2;
  const int k8 = lane * 4 + 3;
  const int k9 = lane * 4 + 128;
  const int k10 = lane * 4 + 129;
  const int k11 = lane * 4 + 130;
  const int k12 = lane * 4 + 131;
  const int k14 = (lane < 16 ? lane : 15) * 4;
  const int k16 = (lane < 16 ? lane : 15) * 4 + 1;
  const int k18 = (lane < 16 ? lane : 15) * 4 + 2;
  const int k20 = (lane < 16 ? lane : 15) * 4 + 3;
  for (int p = hubs + blockIdx.x * 4 + group; p < rows; p += gridDim.x * 4) {
    const int r = order[p];
    const int begin = offsets[r];
    const int end = offsets[r + 1];
    T a37_0 = 0;
    T a37_1 = 0;
    T a37_2 = 0;
    T a37_3 = 0;
    T a37_4 = 0;
    T a37_5 = 0;
    T a37_6 = 0;
    T a37_7 = 0;
    for (int at = begin; at < end; at += 4) {
      int u[4];
      T4 v36_2[4];
      int e_type[4];
      AST_UNROLL
      for (int q = 0; q < 4; q++) {
        const int e = at + q < end ? at + q : end - 1;
        u[q] = ast_load(neighbors + e);
        v36_2[q] = ast_load4(b23 + (i64)u[q] * 64 + k1);
        e_type[q] = ast_load(types + e);
      }
      AST_UNROLL
      for (int q = 0; q < 4; q++) {
        if (at + q < end) {
          a37_0 += e_type[q] == k3 ? v36_2[q].x : (T)0;
          a37_1 += e_type[q] == k3 ? v36_2[q].y : (T)0;
          a37_2 += e_type[q] == k3 ? v36_2[q].z : (T)0;
          a37_3 += e_type[q] == k3 ? v36_2[q].w : (T)0;
          a37_4 += e_type[q] == k4 ? v36_2[q].x : (T)0;
          a37_5 += e_type[q] == k4 ? v36_2[q].y : (T)0;
          a37_6 += e_type[q] == k4 ? v36_2[q].z : (T)0;
          a37_7 += e_type[q] == k4 ? v36_2[q].w : (T)0;
        }
      }
    }
    __syncwarp(0xffffffffu);
    stage[k5] = a37_0;
    stage[k6] = a37_1;
    stage[k7] = a37_2;
    stage[k8] = a37_3;
    stage[k9] = a37_4;
    stage[k10] = a37_5;
    stage[k11] = a37_6;
    stage[k12] = a37_7;
    __syncwarp(0xffffffffu);
    for (int i = lane; i < 16384; i += 32) {
      const int atX = i / 16384 * 64 + i / 256 % 64, atY = i / 16384 * 256 + i % 256;
      T add = 0;
      add += (b1 + (i64)r * 64)[atX] * stage[atY];
      sums[0 + i] += add;
    }
    T v41_13 = 0;
    T v41_15 = 0;
    T v41_17 = 0;
    T v41_19 = 0;
    for (int j = 0; j < 256; j++) {
      v41_13 += stage[j] * ast_load(b12 + k14 + j * 64);
      v41_15 += stage[j] * ast_load(b12 + k16 + j * 64);
      v41_17 += stage[j] * ast_load(b12 + k18 + j * 64);
      v41_19 += stage[j] * ast_load(b12 + k20 + j * 64);
    }
    if (lane < 16) ast_store4(b24 + (i64)r * 64 + k14, v41_13, v41_15, v41_17, v41_19);
  }
}

AST_KERNEL(ggnn_wide_backward_1_sum1)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 4, 16384, 16384, out);
}

AST_KERNEL(ggnn_wide_backward_2_parts)(int rows, int parts, T *AST_RESTRICT sums, const T *AST_RESTRICT b20) {
  const int part = blockIdx.x / 1, i = blockIdx.x % 1 * 256 + threadIdx.x;
  if (i >= 192) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 192 + i;
  T sum = 0;
  for (int n = begin; n < end; n++) {
    const int r = n;
    T v30_1 = b20[(i64)r * 192 + i];
    sum += v30_1;
  }
  *to = sum;
}

AST_KERNEL(ggnn_wide_backward_2_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 192, 192, out);
}

AST_KERNEL(ggnn_wide_backward_5)(int rows, const T *AST_RESTRICT b22, T *AST_RESTRICT out19) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 16384) {
    const int k = (int)(i % 16384);
    const int k1 = k / 4096 * 64 + k / 64 % 64 * 256 + k % 64;
    T v47_2 = b22[k1];
    out19[k] = v47_2;
  }
}

AST_KERNEL(ggnn_wide_backward_6)(int rows, T *AST_RESTRICT b13, const T *AST_RESTRICT b9, const T *AST_RESTRICT b6, const T *AST_RESTRICT b21, const T *AST_RESTRICT b24) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v11_2 = ast_load4(b9 + (i64)r * 64 + k1);
  const T4 v6_3 = ast_load4(b6 + (i64)r * 64 + k1);
  T v13_4 = v11_2.x * v6_3.x;
  const T4 v32_5 = ast_load4(b21 + (i64)r * 64 + k1);
  T v42_6 = v13_4 + v32_5.x;
  const T4 v43_7 = ast_load4(b24 + (i64)r * 64 + k1);
  T v44_8 = v42_6 + v43_7.x;
  T v13_9 = v11_2.y * v6_3.y;
  T v42_10 = v13_9 + v32_5.y;
  T v44_11 = v42_10 + v43_7.y;
  T v13_12 = v11_2.z * v6_3.z;
  T v42_13 = v13_12 + v32_5.z;
  T v44_14 = v42_13 + v43_7.z;
  T v13_15 = v11_2.w * v6_3.w;
  T v42_16 = v13_15 + v32_5.w;
  T v44_17 = v42_16 + v43_7.w;
  ast_store4(b13 + (i64)r * 64 + k1, v44_8, v44_11, v44_14, v44_17);
}

AST_KERNEL(ggnn_wide_backward_7)(int rows, const T *AST_RESTRICT b19, T *AST_RESTRICT out14) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 4096) {
    const int r = (int)(i / 4096);
    const int k = (int)(i % 4096);
    T v50_1 = b19[(i64)r * 4096 + k];
    out14[(i64)r * 4096 + k] = v50_1;
  }
}
