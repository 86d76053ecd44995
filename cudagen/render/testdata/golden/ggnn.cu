
AST_KERNEL(ggnn_wide_forward_0)(int rows, const T *AST_RESTRICT b2, T *AST_RESTRICT out15) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 16384) {
    const int k = (int)(i % 16384);
    const int k1 = k / 4096 * 4096 + k / 64 % 64 + k % 64 * 64;
    T v5_2 = b2[k1];
    out15[k] = v5_2;
  }
}

AST_KERNEL(ggnn_wide_forward_1)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const int *AST_RESTRICT types, T *AST_RESTRICT b16, const T *AST_RESTRICT b1, const int *AST_RESTRICT neighbors) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int p = hubs + blockIdx.x * 8 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  int type1 = 0;
  T a3_0 = 0;
  T a3_1 = 0;
  T a3_2 = 0;
  T a3_3 = 0;
  for (int at = begin; at < end; at += 4) {
    int e_type[4];
    int u[4];
    T4 v1_2[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q < end ? at + q : end - 1;
      e_type[q] = ast_load(types + e);
      u[q] = ast_load(neighbors + e);
      v1_2[q] = ast_load4(b1 + (i64)u[q] * 64 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q < end) {
        AST_ROLLED
        for (; type1 < e_type[q]; type1++) {
          ast_store4(b16 + (i64)r * 256 + type1 * 64 + k1, a3_0, a3_1, a3_2, a3_3);
          a3_0 = 0;
          a3_1 = 0;
          a3_2 = 0;
          a3_3 = 0;
        }
        a3_0 += v1_2[q].x;
        a3_1 += v1_2[q].y;
        a3_2 += v1_2[q].z;
        a3_3 += v1_2[q].w;
      }
    }
  }
  AST_ROLLED
  for (; type1 < 4; type1++) {
    ast_store4(b16 + (i64)r * 256 + type1 * 64 + k1, a3_0, a3_1, a3_2, a3_3);
    a3_0 = 0;
    a3_1 = 0;
    a3_2 = 0;
    a3_3 = 0;
  }
}

AST_KERNEL(ggnn_wide_forward_5)(int rows, T *AST_RESTRICT b7, const T *AST_RESTRICT b17, const T *AST_RESTRICT b4, const T *AST_RESTRICT b18, const T *AST_RESTRICT b6, const T *AST_RESTRICT b0, T *AST_RESTRICT b9, T *AST_RESTRICT b10, T *AST_RESTRICT b11, T *AST_RESTRICT b12, T *AST_RESTRICT b13, T *AST_RESTRICT b14) {
  const int lane = threadIdx.x % 32;
  const int group = threadIdx.x / 32;
  const int k1 = (lane < 16 ? lane : 15) * 4 + 64;
  const int k11 = (lane < 16 ? lane : 15) * 4 + 128;
  const int k15 = (lane < 16 ? lane : 15) * 4;
  const int r = blockIdx.x * 4 + group;
  if (r >= rows) return;
  const T4 v9_2 = ast_load4(b17 + (i64)r * 192 + k1);
  const T4 v10_3 = ast_load4(b4 + k1);
  T v11_4 = v9_2.x + v10_3.x;
  const T4 v13_5 = ast_load4(b18 + (i64)r * 192 + k1);
  const T4 v14_6 = ast_load4(b6 + k1);
  T v15_7 = v13_5.x + v14_6.x;
  T v22_8 = v11_4 + v15_7;
  T v23_9 = op_sigmoid(v22_8);
  T v30_10 = (T)1 - v23_9;
  const T4 v9_12 = ast_load4(b17 + (i64)r * 192 + k11);
  const T4 v10_13 = ast_load4(b4 + k11);
  T v11_14 = v9_12.x + v10_13.x;
  const T4 v9_16 = ast_load4(b17 + (i64)r * 192 + k15);
  const T4 v10_17 = ast_load4(b4 + k15);
  T v11_18 = v9_16.x + v10_17.x;
  const T4 v13_19 = ast_load4(b18 + (i64)r * 192 + k15);
  const T4 v14_20 = ast_load4(b6 + k15);
  T v15_21 = v13_19.x + v14_20.x;
  T v18_22 = v11_18 + v15_21;
  T v19_23 = op_sigmoid(v18_22);
  const T4 v13_24 = ast_load4(b18 + (i64)r * 192 + k11);
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

AST_KERNEL(ggnn_wide_backward_0)(int rows, T *AST_RESTRICT b20, const T *AST_RESTRICT b9, const T *AST_RESTRICT b0, const T *AST_RESTRICT b8, const T *AST_RESTRICT b6, const T *AST_RESTRICT b10, const T *AST_RESTRICT b7, const T *AST_RESTRICT b11, const T *AST_RESTRICT b5, T *AST_RESTRICT b21) {
  const int lane = threadIdx.x % 32;
  const int group = threadIdx.x / 32;
  const int k2 = (lane < 16 ? 0 : lane - 16) * 4;
  const int k15 = (lane < 16 ? lane : 15) * 4;
  const int k76 = lane * 4;
  const int k98 = (lane < 16 ? lane : 15) * 4 + 128;
  const int r = blockIdx.x * 4 + group;
  if (r >= rows) return;
  T v20_1 = (T)0;
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
  T v29_14 = v20_1 + v25_13;
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
  T v30_27 = v29_14 + v28_26;
  T v20_28 = (T)0;
  T v12_29 = v11_3.y * v0_4.y;
  T v14_30 = v11_3.y * v8_6.y;
  T v22_31 = v12_29 - v14_30;
  T v10_32 = (T)1 - v6_9.y;
  T v23_33 = v6_9.y * v10_32;
  T v24_34 = v22_31 * v23_33;
  T v25_35 = 0xffff0000u >> lane & 1u ? v24_34 : (T)0;
  T v29_36 = v20_28 + v25_35;
  T v10_37 = (T)1 - v6_17.y;
  T v15_38 = v11_16.y * v10_37;
  T v17_39 = v15_38 * v16_20.y;
  T v18_40 = v17_39 * v7_22.y;
  T v27_41 = v18_40 * v26_24.y;
  T v28_42 = lane < 16 ? v27_41 : (T)0;
  T v30_43 = v29_36 + v28_42;
  T v20_44 = (T)0;
  T v12_45 = v11_3.z * v0_4.z;
  T v14_46 = v11_3.z * v8_6.z;
  T v22_47 = v12_45 - v14_46;
  T v10_48 = (T)1 - v6_9.z;
  T v23_49 = v6_9.z * v10_48;
  T v24_50 = v22_47 * v23_49;
  T v25_51 = 0xffff0000u >> lane & 1u ? v24_50 : (T)0;
  T v29_52 = v20_44 + v25_51;
  T v10_53 = (T)1 - v6_17.z;
  T v15_54 = v11_16.z * v10_53;
  T v17_55 = v15_54 * v16_20.z;
  T v18_56 = v17_55 * v7_22.z;
  T v27_57 = v18_56 * v26_24.z;
  T v28_58 = lane < 16 ? v27_57 : (T)0;
  T v30_59 = v29_52 + v28_58;
  T v20_60 = (T)0;
  T v12_61 = v11_3.w * v0_4.w;
  T v14_62 = v11_3.w * v8_6.w;
  T v22_63 = v12_61 - v14_62;
  T v10_64 = (T)1 - v6_9.w;
  T v23_65 = v6_9.w * v10_64;
  T v24_66 = v22_63 * v23_65;
  T v25_67 = 0xffff0000u >> lane & 1u ? v24_66 : (T)0;
  T v29_68 = v20_60 + v25_67;
  T v10_69 = (T)1 - v6_17.w;
  T v15_70 = v11_16.w * v10_69;
  T v17_71 = v15_70 * v16_20.w;
  T v18_72 = v17_71 * v7_22.w;
  T v27_73 = v18_72 * v26_24.w;
  T v28_74 = lane < 16 ? v27_73 : (T)0;
  T v30_75 = v29_68 + v28_74;
  ast_store4(b20 + (i64)r * 192 + k76, v30_27, v30_43, v30_59, v30_75);
  const T4 v5_77 = ast_load4(b5 + (i64)r * 64 + k15);
  T v19_78 = v17_21 * v5_77.x;
  T v25_79 = (T)0;
  T v29_80 = v19_78 + v25_79;
  T v28_81 = (T)0;
  T v30_82 = v29_80 + v28_81;
  T v19_83 = v17_39 * v5_77.y;
  T v25_84 = (T)0;
  T v29_85 = v19_83 + v25_84;
  T v28_86 = (T)0;
  T v30_87 = v29_85 + v28_86;
  T v19_88 = v17_55 * v5_77.z;
  T v25_89 = (T)0;
  T v29_90 = v19_88 + v25_89;
  T v28_91 = (T)0;
  T v30_92 = v29_90 + v28_91;
  T v19_93 = v17_71 * v5_77.w;
  T v25_94 = (T)0;
  T v29_95 = v19_93 + v25_94;
  T v28_96 = (T)0;
  T v30_97 = v29_95 + v28_96;
  if (lane < 16) ast_store4(b20 + (i64)r * 192 + k98, v30_82, v30_87, v30_92, v30_97);
  T v21_99 = (T)0;
  T v33_100 = v21_99 + v25_13;
  T v34_101 = v33_100 + v28_26;
  T v21_102 = (T)0;
  T v33_103 = v21_102 + v25_35;
  T v34_104 = v33_103 + v28_42;
  T v21_105 = (T)0;
  T v33_106 = v21_105 + v25_51;
  T v34_107 = v33_106 + v28_58;
  T v21_108 = (T)0;
  T v33_109 = v21_108 + v25_67;
  T v34_110 = v33_109 + v28_74;
  ast_store4(b21 + (i64)r * 192 + k76, v34_101, v34_104, v34_107, v34_110);
  T v33_111 = v17_21 + v25_79;
  T v34_112 = v33_111 + v28_81;
  T v33_113 = v17_39 + v25_84;
  T v34_114 = v33_113 + v28_86;
  T v33_115 = v17_55 + v25_89;
  T v34_116 = v33_115 + v28_91;
  T v33_117 = v17_71 + v25_94;
  T v34_118 = v33_117 + v28_96;
  if (lane < 16) ast_store4(b21 + (i64)r * 192 + k98, v34_112, v34_114, v34_116, v34_118);
}

AST_KERNEL(ggnn_wide_backward_1_parts)(int rows, int parts, T *AST_RESTRICT sums, const T *AST_RESTRICT b20) {
  const int part = blockIdx.x / 1, i = blockIdx.x % 1 * 256 + threadIdx.x;
  if (i >= 192) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 192 + i;
  T sum0 = 0;
  for (int n = begin; n < end; n++) {
    const int r = n;
    T v30_1 = b20[(i64)r * 192 + i];
    sum0 += v30_1;
  }
  to[0] = sum0;
}

AST_KERNEL(ggnn_wide_backward_1_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 192, 192, out);
}

AST_KERNEL(ggnn_wide_backward_3_parts)(int rows, int parts, T *AST_RESTRICT sums, const T *AST_RESTRICT b21) {
  const int part = blockIdx.x / 1, i = blockIdx.x % 1 * 256 + threadIdx.x;
  if (i >= 192) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 192 + i;
  T sum0 = 0;
  for (int n = begin; n < end; n++) {
    const int r = n;
    T v34_1 = b21[(i64)r * 192 + i];
    sum0 += v34_1;
  }
  to[0] = sum0;
}

AST_KERNEL(ggnn_wide_backward_3_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 192, 192, out);
}

AST_KERNEL(ggnn_wide_backward_7)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const int *AST_RESTRICT types, T *AST_RESTRICT b22, const T *AST_RESTRICT b24, const int *AST_RESTRICT neighbors) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int p = hubs + blockIdx.x * 8 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  int type1 = 0;
  T a37_0 = 0;
  T a37_1 = 0;
  T a37_2 = 0;
  T a37_3 = 0;
  for (int at = begin; at < end; at += 4) {
    int e_type[4];
    int u[4];
    T4 v36_2[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q < end ? at + q : end - 1;
      e_type[q] = ast_load(types + e);
      u[q] = ast_load(neighbors + e);
      v36_2[q] = ast_load4(b24 + (i64)u[q] * 64 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q < end) {
        AST_ROLLED
        for (; type1 < e_type[q]; type1++) {
          ast_store4(b22 + (i64)r * 256 + type1 * 64 + k1, a37_0, a37_1, a37_2, a37_3);
          a37_0 = 0;
          a37_1 = 0;
          a37_2 = 0;
          a37_3 = 0;
        }
        a37_0 += v36_2[q].x;
        a37_1 += v36_2[q].y;
        a37_2 += v36_2[q].z;
        a37_3 += v36_2[q].w;
      }
    }
  }
  AST_ROLLED
  for (; type1 < 4; type1++) {
    ast_store4(b22 + (i64)r * 256 + type1 * 64 + k1, a37_0, a37_1, a37_2, a37_3);
    a37_0 = 0;
    a37_1 = 0;
    a37_2 = 0;
    a37_3 = 0;
  }
}

AST_KERNEL(ggnn_wide_backward_10)(int rows, const T *AST_RESTRICT b26, T *AST_RESTRICT out19) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 16384) {
    const int k = (int)(i % 16384);
    const int k1 = k / 4096 * 64 + k / 64 % 64 * 256 + k % 64;
    T v47_2 = b26[k1];
    out19[k] = v47_2;
  }
}

AST_KERNEL(ggnn_wide_backward_11)(int rows, T *AST_RESTRICT b13, const T *AST_RESTRICT b9, const T *AST_RESTRICT b6, const T *AST_RESTRICT b23, const T *AST_RESTRICT b25) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v11_2 = ast_load4(b9 + (i64)r * 64 + k1);
  const T4 v6_3 = ast_load4(b6 + (i64)r * 64 + k1);
  T v13_4 = v11_2.x * v6_3.x;
  const T4 v32_5 = ast_load4(b23 + (i64)r * 64 + k1);
  T v42_6 = v13_4 + v32_5.x;
  const T4 v43_7 = ast_load4(b25 + (i64)r * 64 + k1);
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

AST_KERNEL(ggnn_wide_backward_12)(int rows, const T *AST_RESTRICT b19, T *AST_RESTRICT out14) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 4096) {
    const int r = (int)(i / 4096);
    const int k = (int)(i % 4096);
    T v50_1 = b19[(i64)r * 4096 + k];
    out14[(i64)r * 4096 + k] = v50_1;
  }
}
