
AST_KERNEL(mpnn_wide_forward_0)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b2, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b0, const int *AST_RESTRICT ids, const T *AST_RESTRICT b1, T *AST_RESTRICT b3) {
  const int lane = threadIdx.x % 32;
  const int group = threadIdx.x / 32;
  AST_SHARED T shared[1024];
  T *const stage = shared + (group) * 256;
  const int k1 = lane * 4;
  const int k2 = lane / 8;
  const int k14 = lane * 4 + 128;
  const int k16 = lane * 4 + 1;
  const int k18 = lane * 4 + 2;
  const int k20 = lane * 4 + 3;
  const int k22 = lane / 8 + 4;
  const int k25 = lane * 4 + 129;
  const int k27 = lane * 4 + 130;
  const int k29 = lane * 4 + 131;
  const int k31 = (lane < 8 ? lane : 7) * 4;
  const int k33 = (lane < 8 ? lane : 7) * 4 + 1;
  const int k35 = (lane < 8 ? lane : 7) * 4 + 2;
  const int k37 = (lane < 8 ? lane : 7) * 4 + 3;
  const int p = hubs + blockIdx.x * 4 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  T a9_0 = 0;
  T a9_1 = 0;
  T a9_2 = 0;
  T a9_3 = 0;
  for (int at = begin; at < end; at++) {
    const int u = ast_load(neighbors + at);
    const T v4_3 = ast_load(b2 + (i64)u * 8 + k2);
    const int id = ast_load(ids + at);
    const T v4_23 = ast_load(b2 + (i64)u * 8 + k22);
    T v2_4 = 0;
    T v2_5 = 0;
    T v2_6 = 0;
    T v2_7 = 0;
    T v2_8 = 0;
    T v2_9 = 0;
    T v2_10 = 0;
    T v2_11 = 0;
    for (int j = 0; j < 6; j++) {
      const T4 m12 = ast_load4(b1 + k1 + j * 256);
      v2_4 += (b0 + (i64)id * 6)[j] * m12.x;
      v2_5 += (b0 + (i64)id * 6)[j] * m12.y;
      v2_6 += (b0 + (i64)id * 6)[j] * m12.z;
      v2_7 += (b0 + (i64)id * 6)[j] * m12.w;
      const T4 m13 = ast_load4(b1 + k14 + j * 256);
      v2_8 += (b0 + (i64)id * 6)[j] * m13.x;
      v2_9 += (b0 + (i64)id * 6)[j] * m13.y;
      v2_10 += (b0 + (i64)id * 6)[j] * m13.z;
      v2_11 += (b0 + (i64)id * 6)[j] * m13.w;
    }
    T v6_15 = v4_3 * v2_4;
    T v6_17 = v4_3 * v2_5;
    T v6_19 = v4_3 * v2_6;
    T v6_21 = v4_3 * v2_7;
    T v6_24 = v4_23 * v2_8;
    T v6_26 = v4_23 * v2_9;
    T v6_28 = v4_23 * v2_10;
    T v6_30 = v4_23 * v2_11;
    __syncwarp(0xffffffffu);
    stage[k1] = v6_15;
    stage[k16] = v6_17;
    stage[k18] = v6_19;
    stage[k20] = v6_21;
    stage[k14] = v6_24;
    stage[k25] = v6_26;
    stage[k27] = v6_28;
    stage[k29] = v6_30;
    __syncwarp(0xffffffffu);
    T v7_32 = 0;
    for (int j = 0; j < 8; j++)
      v7_32 += stage[k31 + j * 32];
    a9_0 += v7_32;
    T v7_34 = 0;
    for (int j = 0; j < 8; j++)
      v7_34 += stage[k33 + j * 32];
    a9_1 += v7_34;
    T v7_36 = 0;
    for (int j = 0; j < 8; j++)
      v7_36 += stage[k35 + j * 32];
    a9_2 += v7_36;
    T v7_38 = 0;
    for (int j = 0; j < 8; j++)
      v7_38 += stage[k37 + j * 32];
    a9_3 += v7_38;
  }
  if (lane < 8) ast_store4(b3 + (i64)r * 32 + k31, a9_0, a9_1, a9_2, a9_3);
}

AST_KERNEL(mpnn_wide_backward_0)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b3, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b0, const int *AST_RESTRICT ids, const T *AST_RESTRICT b1, T *AST_RESTRICT b6) {
  const int lane = threadIdx.x % 32;
  const int group = threadIdx.x / 32;
  AST_SHARED T shared[1024];
  T *const stage = shared + (group) * 256;
  const int k1 = lane * 4;
  const int k2 = lane % 8 * 4;
  const int k14 = lane * 4 + 128;
  const int k16 = lane * 4 + 1;
  const int k18 = lane * 4 + 2;
  const int k20 = lane * 4 + 3;
  const int k23 = lane * 4 + 129;
  const int k25 = lane * 4 + 130;
  const int k27 = lane * 4 + 131;
  const int k29 = (lane < 2 ? lane : 1) * 128;
  const int k31 = (lane < 2 ? lane : 1) * 128 + 32;
  const int k33 = (lane < 2 ? lane : 1) * 128 + 64;
  const int k35 = (lane < 2 ? lane : 1) * 128 + 96;
  const int k37 = (lane < 2 ? lane : 1) * 4;
  const int p = hubs + blockIdx.x * 4 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  T a11_0 = 0;
  T a11_1 = 0;
  T a11_2 = 0;
  T a11_3 = 0;
  for (int at = begin; at < end; at++) {
    const int u = ast_load(neighbors + at);
    const T4 v6_3 = ast_load4(b3 + (i64)u * 32 + k2);
    const int id = ast_load(ids + at);
    T v2_4 = 0;
    T v2_5 = 0;
    T v2_6 = 0;
    T v2_7 = 0;
    T v2_8 = 0;
    T v2_9 = 0;
    T v2_10 = 0;
    T v2_11 = 0;
    for (int j = 0; j < 6; j++) {
      const T4 m12 = ast_load4(b1 + k1 + j * 256);
      v2_4 += (b0 + (i64)id * 6)[j] * m12.x;
      v2_5 += (b0 + (i64)id * 6)[j] * m12.y;
      v2_6 += (b0 + (i64)id * 6)[j] * m12.z;
      v2_7 += (b0 + (i64)id * 6)[j] * m12.w;
      const T4 m13 = ast_load4(b1 + k14 + j * 256);
      v2_8 += (b0 + (i64)id * 6)[j] * m13.x;
      v2_9 += (b0 + (i64)id * 6)[j] * m13.y;
      v2_10 += (b0 + (i64)id * 6)[j] * m13.z;
      v2_11 += (b0 + (i64)id * 6)[j] * m13.w;
    }
    T v8_15 = v6_3.x * v2_4;
    T v8_17 = v6_3.y * v2_5;
    T v8_19 = v6_3.z * v2_6;
    T v8_21 = v6_3.w * v2_7;
    T v8_22 = v6_3.x * v2_8;
    T v8_24 = v6_3.y * v2_9;
    T v8_26 = v6_3.z * v2_10;
    T v8_28 = v6_3.w * v2_11;
    __syncwarp(0xffffffffu);
    stage[k1] = v8_15;
    stage[k16] = v8_17;
    stage[k18] = v8_19;
    stage[k20] = v8_21;
    stage[k14] = v8_22;
    stage[k23] = v8_24;
    stage[k25] = v8_26;
    stage[k27] = v8_28;
    __syncwarp(0xffffffffu);
    T v10_30 = 0;
    for (int j = 0; j < 32; j++)
      v10_30 += stage[k29 + j];
    a11_0 += v10_30;
    T v10_32 = 0;
    for (int j = 0; j < 32; j++)
      v10_32 += stage[k31 + j];
    a11_1 += v10_32;
    T v10_34 = 0;
    for (int j = 0; j < 32; j++)
      v10_34 += stage[k33 + j];
    a11_2 += v10_34;
    T v10_36 = 0;
    for (int j = 0; j < 32; j++)
      v10_36 += stage[k35 + j];
    a11_3 += v10_36;
  }
  if (lane < 2) ast_store4(b6 + (i64)r * 8 + k37, a11_0, a11_1, a11_2, a11_3);
}

AST_KERNEL(mpnn_wide_backward_1_transposed1)(int rows, const T *AST_RESTRICT b1, T *AST_RESTRICT to) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i >= (i64)rows * 1536) return;
  const int k = (int)(i % 1536);
  to[i] = ast_load(b1 + (i - k + k % 6 * 256 + k / 6));
}

AST_KERNEL(mpnn_wide_backward_1)(int rows, int hubs, T *AST_RESTRICT w1, int block0, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b0, const int *AST_RESTRICT ids, const T *AST_RESTRICT b3, const T *AST_RESTRICT b2, const int *AST_RESTRICT neighbors, T *AST_RESTRICT b4, T *AST_RESTRICT w0) {
  const int lane = threadIdx.x % 64;
  const int group = threadIdx.x / 64;
  AST_SHARED T shared[256];
  T *const stage = shared + (group) * 256;
  T *const sums = w1 + ((i64)(block0 + blockIdx.x) * 1 + group) * 1536;
  for (int i = threadIdx.x % 64; i < 1536; i += 64) sums[i] = 0;
  __syncthreads();
  const int k1 = lane * 4;
  const int k2 = lane % 8 * 4;
  const int k4 = lane / 8;
  const int k7 = lane * 4 + 1;
  const int k9 = lane * 4 + 2;
  const int k11 = lane * 4 + 3;
  T s15_0 = 0;
  T s15_1 = 0;
  T s15_2 = 0;
  T s15_3 = 0;
  T s15_4 = 0;
  T s15_5 = 0;
  T s15_6 = 0;
  T s15_7 = 0;
  T s15_8 = 0;
  T s15_9 = 0;
  T s15_10 = 0;
  T s15_11 = 0;
  T s15_12 = 0;
  T s15_13 = 0;
  T s15_14 = 0;
  T s15_15 = 0;
  T s15_16 = 0;
  T s15_17 = 0;
  T s15_18 = 0;
  T s15_19 = 0;
  T s15_20 = 0;
  T s15_21 = 0;
  T s15_22 = 0;
  T s15_23 = 0;
  const int k16 = (lane < 3 ? lane : 2) * 2;
  const int k17 = lane * 4 + 256;
  const int k18 = lane * 4 + 257;
  const int k19 = lane * 4 + 258;
  const int k20 = lane * 4 + 259;
  const int k21 = lane * 4 + 512;
  const int k22 = lane * 4 + 513;
  const int k23 = lane * 4 + 514;
  const int k24 = lane * 4 + 515;
  const int k25 = lane * 4 + 768;
  const int k26 = lane * 4 + 769;
  const int k27 = lane * 4 + 770;
  const int k28 = lane * 4 + 771;
  const int k29 = lane * 4 + 1024;
  const int k30 = lane * 4 + 1025;
  const int k31 = lane * 4 + 1026;
  const int k32 = lane * 4 + 1027;
  const int k33 = lane * 4 + 1280;
  const int k34 = lane * 4 + 1281;
  const int k35 = lane * 4 + 1282;
  const int k36 = lane * 4 + 1283;
  for (int p = hubs + blockIdx.x * 1 + group; p < rows; p += gridDim.x * 1) {
    const int r = order[p];
    const int begin = offsets[r];
    const int end = offsets[r + 1];
    const T4 v6_3 = ast_load4(b3 + (i64)r * 32 + k2);
    for (int at = begin; at < end; at++) {
      const int id = ast_load(ids + at);
      const int u = ast_load(neighbors + at);
      const T v4_5 = ast_load(b2 + (i64)u * 8 + k4);
      T v9_6 = v6_3.x * v4_5;
      T v9_8 = v6_3.y * v4_5;
      T v9_10 = v6_3.z * v4_5;
      T v9_12 = v6_3.w * v4_5;
      __syncthreads();
      stage[k1] = v9_6;
      stage[k7] = v9_8;
      stage[k9] = v9_10;
      stage[k11] = v9_12;
      __syncthreads();
      s15_0 += (b0 + (i64)id * 6)[0] * stage[k1];
      s15_1 += (b0 + (i64)id * 6)[0] * stage[k7];
      s15_2 += (b0 + (i64)id * 6)[0] * stage[k9];
      s15_3 += (b0 + (i64)id * 6)[0] * stage[k11];
      s15_4 += (b0 + (i64)id * 6)[1] * stage[k1];
      s15_5 += (b0 + (i64)id * 6)[1] * stage[k7];
      s15_6 += (b0 + (i64)id * 6)[1] * stage[k9];
      s15_7 += (b0 + (i64)id * 6)[1] * stage[k11];
      s15_8 += (b0 + (i64)id * 6)[2] * stage[k1];
      s15_9 += (b0 + (i64)id * 6)[2] * stage[k7];
      s15_10 += (b0 + (i64)id * 6)[2] * stage[k9];
      s15_11 += (b0 + (i64)id * 6)[2] * stage[k11];
      s15_12 += (b0 + (i64)id * 6)[3] * stage[k1];
      s15_13 += (b0 + (i64)id * 6)[3] * stage[k7];
      s15_14 += (b0 + (i64)id * 6)[3] * stage[k9];
      s15_15 += (b0 + (i64)id * 6)[3] * stage[k11];
      s15_16 += (b0 + (i64)id * 6)[4] * stage[k1];
      s15_17 += (b0 + (i64)id * 6)[4] * stage[k7];
      s15_18 += (b0 + (i64)id * 6)[4] * stage[k9];
      s15_19 += (b0 + (i64)id * 6)[4] * stage[k11];
      s15_20 += (b0 + (i64)id * 6)[5] * stage[k1];
      s15_21 += (b0 + (i64)id * 6)[5] * stage[k7];
      s15_22 += (b0 + (i64)id * 6)[5] * stage[k9];
      s15_23 += (b0 + (i64)id * 6)[5] * stage[k11];
      T v14_13 = 0;
      T v14_14 = 0;
      for (int j = 0; j < 256; j++) {
        const T2 m15 = ast_load2(w0 + k16 + j * 6);
        v14_13 += stage[j] * m15.x;
        v14_14 += stage[j] * m15.y;
      }
      if (lane < 3) ast_store2(b4 + (i64)id * 6 + k16, v14_13, v14_14);
    }
  }
  sums[k1] = s15_0;
  sums[k7] = s15_1;
  sums[k9] = s15_2;
  sums[k11] = s15_3;
  sums[k17] = s15_4;
  sums[k18] = s15_5;
  sums[k19] = s15_6;
  sums[k20] = s15_7;
  sums[k21] = s15_8;
  sums[k22] = s15_9;
  sums[k23] = s15_10;
  sums[k24] = s15_11;
  sums[k25] = s15_12;
  sums[k26] = s15_13;
  sums[k27] = s15_14;
  sums[k28] = s15_15;
  sums[k29] = s15_16;
  sums[k30] = s15_17;
  sums[k31] = s15_18;
  sums[k32] = s15_19;
  sums[k33] = s15_20;
  sums[k34] = s15_21;
  sums[k35] = s15_22;
  sums[k36] = s15_23;
}

AST_KERNEL(mpnn_wide_backward_1_sum1)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 1536, 1536, out);
}
