
AST_KERNEL(ggcn_wide_forward_2)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b6, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b7, const T *AST_RESTRICT b0, T *AST_RESTRICT b8, T *AST_RESTRICT b10) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int p = hubs + blockIdx.x * 8 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  const T4 v5_3 = ast_load4(b7 + (i64)r * 64 + k1);
  T a9_0 = 0;
  T a9_1 = 0;
  T a9_2 = 0;
  T a9_3 = 0;
  T a19_0 = 0;
  T a19_1 = 0;
  T a19_2 = 0;
  T a19_3 = 0;
  for (int at = begin; at < end; at += 4) {
    int u[4];
    T4 v2_2[4];
    T4 v0_6[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q < end ? at + q : end - 1;
      u[q] = ast_load(neighbors + e);
      v2_2[q] = ast_load4(b6 + (i64)u[q] * 64 + k1);
      v0_6[q] = ast_load4(b0 + (i64)u[q] * 64 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q < end) {
        T v6_4 = v2_2[q].x + v5_3.x;
        T v7_5 = op_sigmoid(v6_4);
        T v8_7 = v7_5 * v0_6[q].x;
        a9_0 += v8_7;
        T v6_8 = v2_2[q].y + v5_3.y;
        T v7_9 = op_sigmoid(v6_8);
        T v8_10 = v7_9 * v0_6[q].y;
        a9_1 += v8_10;
        T v6_11 = v2_2[q].z + v5_3.z;
        T v7_12 = op_sigmoid(v6_11);
        T v8_13 = v7_12 * v0_6[q].z;
        a9_2 += v8_13;
        T v6_14 = v2_2[q].w + v5_3.w;
        T v7_15 = op_sigmoid(v6_14);
        T v8_16 = v7_15 * v0_6[q].w;
        a9_3 += v8_16;
        T v16_17 = (T)1 - v7_5;
        T v17_18 = v7_5 * v16_17;
        T v18_19 = v0_6[q].x * v17_18;
        a19_0 += v18_19;
        T v16_20 = (T)1 - v7_9;
        T v17_21 = v7_9 * v16_20;
        T v18_22 = v0_6[q].y * v17_21;
        a19_1 += v18_22;
        T v16_23 = (T)1 - v7_12;
        T v17_24 = v7_12 * v16_23;
        T v18_25 = v0_6[q].z * v17_24;
        a19_2 += v18_25;
        T v16_26 = (T)1 - v7_15;
        T v17_27 = v7_15 * v16_26;
        T v18_28 = v0_6[q].w * v17_27;
        a19_3 += v18_28;
      }
    }
  }
  ast_store4(b8 + (i64)r * 64 + k1, a9_0, a9_1, a9_2, a9_3);
  ast_store4(b10 + (i64)r * 64 + k1, a19_0, a19_1, a19_2, a19_3);
}

AST_KERNEL(ggcn_wide_forward_4)(int rows, T *AST_RESTRICT b5, const T *AST_RESTRICT b11, T *AST_RESTRICT b9) {
  const int lane = threadIdx.x % 8;
  const int group = threadIdx.x / 8;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 16 + group;
  if (r >= rows) return;
  const T4 v11_2 = ast_load4(b11 + (i64)r * 32 + k1);
  T v12_3 = op_relu(v11_2.x);
  T v12_4 = op_relu(v11_2.y);
  T v12_5 = op_relu(v11_2.z);
  T v12_6 = op_relu(v11_2.w);
  ast_store4(b5 + (i64)r * 32 + k1, v12_3, v12_4, v12_5, v12_6);
  T v14_7 = v11_2.x > (T)0 ? (T)1 : (T)0;
  T v14_8 = v11_2.y > (T)0 ? (T)1 : (T)0;
  T v14_9 = v11_2.z > (T)0 ? (T)1 : (T)0;
  T v14_10 = v11_2.w > (T)0 ? (T)1 : (T)0;
  ast_store4(b9 + (i64)r * 32 + k1, v14_7, v14_8, v14_9, v14_10);
}

AST_KERNEL(ggcn_wide_backward_0)(int rows, T *AST_RESTRICT b15, const T *AST_RESTRICT b9, const T *AST_RESTRICT b8) {
  const int lane = threadIdx.x % 8;
  const int group = threadIdx.x / 8;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 16 + group;
  if (r >= rows) return;
  const T4 v12_2 = ast_load4(b9 + (i64)r * 32 + k1);
  const T4 v10_3 = ast_load4(b8 + (i64)r * 32 + k1);
  T v13_4 = v12_2.x != 0 ? v10_3.x : (T)0;
  T v13_5 = v12_2.y != 0 ? v10_3.y : (T)0;
  T v13_6 = v12_2.z != 0 ? v10_3.z : (T)0;
  T v13_7 = v12_2.w != 0 ? v10_3.w : (T)0;
  ast_store4(b15 + (i64)r * 32 + k1, v13_4, v13_5, v13_6, v13_7);
}

AST_KERNEL(ggcn_wide_backward_3)(int rows, T *AST_RESTRICT b16, const T *AST_RESTRICT b10, const int *AST_RESTRICT offsets, const T *AST_RESTRICT b18) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v25_2 = ast_load4(b10 + (i64)r * 64 + k1);
  T v26_3 = (T)(offsets[r + 1] - offsets[r]);
  const T4 v14_4 = ast_load4(b18 + (i64)r * 64 + k1);
  T v27_5 = v26_3 != 0 ? v14_4.x : (T)0;
  T v28_6 = v25_2.x * v27_5;
  T v27_7 = v26_3 != 0 ? v14_4.y : (T)0;
  T v28_8 = v25_2.y * v27_7;
  T v27_9 = v26_3 != 0 ? v14_4.z : (T)0;
  T v28_10 = v25_2.z * v27_9;
  T v27_11 = v26_3 != 0 ? v14_4.w : (T)0;
  T v28_12 = v25_2.w * v27_11;
  ast_store4(b16 + (i64)r * 64 + k1, v28_6, v28_8, v28_10, v28_12);
}

AST_KERNEL(ggcn_wide_backward_6)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b18, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b2, const T *AST_RESTRICT b5, T *AST_RESTRICT b17, const T *AST_RESTRICT b0, T *AST_RESTRICT b21) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int p = hubs + blockIdx.x * 8 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  const T4 v2_3 = ast_load4(b2 + (i64)r * 64 + k1);
  T a16_0 = 0;
  T a16_1 = 0;
  T a16_2 = 0;
  T a16_3 = 0;
  T a21_0 = 0;
  T a21_1 = 0;
  T a21_2 = 0;
  T a21_3 = 0;
  for (int at = begin; at < end; at += 4) {
    int u[4];
    T4 v14_2[4];
    T4 v5_4[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q < end ? at + q : end - 1;
      u[q] = ast_load(neighbors + e);
      v14_2[q] = ast_load4(b18 + (i64)u[q] * 64 + k1);
      v5_4[q] = ast_load4(b5 + (i64)u[q] * 64 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q < end) {
        T v6_5 = v2_3.x + v5_4[q].x;
        T v7_6 = op_sigmoid(v6_5);
        T v15_7 = v14_2[q].x * v7_6;
        a16_0 += v15_7;
        T v6_8 = v2_3.y + v5_4[q].y;
        T v7_9 = op_sigmoid(v6_8);
        T v15_10 = v14_2[q].y * v7_9;
        a16_1 += v15_10;
        T v6_11 = v2_3.z + v5_4[q].z;
        T v7_12 = op_sigmoid(v6_11);
        T v15_13 = v14_2[q].z * v7_12;
        a16_2 += v15_13;
        T v6_14 = v2_3.w + v5_4[q].w;
        T v7_15 = op_sigmoid(v6_14);
        T v15_16 = v14_2[q].w * v7_15;
        a16_3 += v15_16;
        T v18_17 = (T)1 - v7_6;
        T v19_18 = v7_6 * v18_17;
        T v20_19 = v14_2[q].x * v19_18;
        a21_0 += v20_19;
        T v18_20 = (T)1 - v7_9;
        T v19_21 = v7_9 * v18_20;
        T v20_22 = v14_2[q].y * v19_21;
        a21_1 += v20_22;
        T v18_23 = (T)1 - v7_12;
        T v19_24 = v7_12 * v18_23;
        T v20_25 = v14_2[q].z * v19_24;
        a21_2 += v20_25;
        T v18_26 = (T)1 - v7_15;
        T v19_27 = v7_15 * v18_26;
        T v20_28 = v14_2[q].w * v19_27;
        a21_3 += v20_28;
      }
    }
  }
  T v22_29 = (T)(offsets[r + 1] - offsets[r]);
  const T4 v0_30 = ast_load4(b0 + (i64)r * 64 + k1);
  T v23_31 = v22_29 != 0 ? v0_30.x : (T)0;
  T v24_32 = a21_0 * v23_31;
  T v23_33 = v22_29 != 0 ? v0_30.y : (T)0;
  T v24_34 = a21_1 * v23_33;
  T v23_35 = v22_29 != 0 ? v0_30.z : (T)0;
  T v24_36 = a21_2 * v23_35;
  T v23_37 = v22_29 != 0 ? v0_30.w : (T)0;
  T v24_38 = a21_3 * v23_37;
  ast_store4(b17 + (i64)r * 64 + k1, v24_32, v24_34, v24_36, v24_38);
  ast_store4(b21 + (i64)r * 64 + k1, a16_0, a16_1, a16_2, a16_3);
}

AST_KERNEL(ggcn_wide_backward_9)(int rows, T *AST_RESTRICT b11, const T *AST_RESTRICT b21, const T *AST_RESTRICT b20, const T *AST_RESTRICT b19) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v16_2 = ast_load4(b21 + (i64)r * 64 + k1);
  const T4 v30_3 = ast_load4(b20 + (i64)r * 64 + k1);
  T v31_4 = v16_2.x + v30_3.x;
  const T4 v32_5 = ast_load4(b19 + (i64)r * 64 + k1);
  T v33_6 = v31_4 + v32_5.x;
  T v31_7 = v16_2.y + v30_3.y;
  T v33_8 = v31_7 + v32_5.y;
  T v31_9 = v16_2.z + v30_3.z;
  T v33_10 = v31_9 + v32_5.z;
  T v31_11 = v16_2.w + v30_3.w;
  T v33_12 = v31_11 + v32_5.w;
  ast_store4(b11 + (i64)r * 64 + k1, v33_6, v33_8, v33_10, v33_12);
}
