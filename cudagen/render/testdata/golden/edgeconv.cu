
AST_KERNEL(edgeconv_wide_forward_0)(int rows, const T *AST_RESTRICT b2, T *AST_RESTRICT out10, T *AST_RESTRICT out11) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 3072) {
    const int k = (int)(i % 3072);
    const int k1 = k / 3072 * 6144 + k % 3072 + 0;
    T v2_2 = b2[k1];
    out10[k] = v2_2;
  }
  if (i < (i64)rows * 3072) {
    const int k = (int)(i % 3072);
    const int k3 = k / 3072 * 6144 + k % 3072 + 3072;
    T v2_4 = b2[k3];
    out11[k] = v2_4;
  }
}

AST_KERNEL(edgeconv_wide_forward_3)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b7, const T *AST_RESTRICT b8, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b3, const T *AST_RESTRICT b4, const T *AST_RESTRICT b5, const int *AST_RESTRICT ids, T *AST_RESTRICT b6, int *AST_RESTRICT b9) {
  const int lane = threadIdx.x % 16;
  const int slot = threadIdx.x / 16 % 2;
  const int group = threadIdx.x / 32;
  AST_SHARED T shared[384];
  T *const stage = shared + (group * 2 + slot) * 48;
  const int k1 = (lane < 12 ? lane : 11) * 4;
  const int k10 = (lane < 12 ? lane : 11) * 4 + 1;
  const int k15 = (lane < 12 ? lane : 11) * 4 + 2;
  const int k20 = (lane < 12 ? lane : 11) * 4 + 3;
  const u32 lanes_mask = 0xffffu << (threadIdx.x & 16u);
  const int k30 = (lane < 8 ? lane : 7) * 4;
  const int k40 = (lane < 8 ? lane : 7) * 4 + 1;
  const int k41 = (lane < 8 ? lane : 7) * 4 + 2;
  const int k42 = (lane < 8 ? lane : 7) * 4 + 3;
  const int p = hubs + blockIdx.x * 4 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  const T4 v6_2 = ast_load4(b7 + (i64)r * 48 + k1);
  const T4 v10_4 = ast_load4(b8 + (i64)r * 48 + k1);
  const T4 v13_7 = ast_load4(b3 + k1);
  const T4 v18_31 = ast_load4(b5 + k30);
  T a20_0 = -AST_INF;
  T a20_1 = -AST_INF;
  T a20_2 = -AST_INF;
  T a20_3 = -AST_INF;
  T a21_0 = -AST_INF;
  int a21_0_id = -1;
  T a21_1 = -AST_INF;
  int a21_1_id = -1;
  T a21_2 = -AST_INF;
  int a21_2_id = -1;
  T a21_3 = -AST_INF;
  int a21_3_id = -1;
  for (int at = begin + slot; at < end; at += 2) {
    const int u = ast_load(neighbors + at);
    const T4 v9_3 = ast_load4(b8 + (i64)u * 48 + k1);
    const int id = ast_load(ids + at);
    T v11_5 = v9_3.x - v10_4.x;
    T v12_6 = v6_2.x + v11_5;
    T v14_8 = v12_6 + v13_7.x;
    T v15_9 = op_relu(v14_8);
    T v11_11 = v9_3.y - v10_4.y;
    T v12_12 = v6_2.y + v11_11;
    T v14_13 = v12_12 + v13_7.y;
    T v15_14 = op_relu(v14_13);
    T v11_16 = v9_3.z - v10_4.z;
    T v12_17 = v6_2.z + v11_16;
    T v14_18 = v12_17 + v13_7.z;
    T v15_19 = op_relu(v14_18);
    T v11_21 = v9_3.w - v10_4.w;
    T v12_22 = v6_2.w + v11_21;
    T v14_23 = v12_22 + v13_7.w;
    T v15_24 = op_relu(v14_23);
    __syncwarp(lanes_mask);
    if (lane < 12) stage[k1] = v15_9;
    if (lane < 12) stage[k10] = v15_14;
    if (lane < 12) stage[k15] = v15_19;
    if (lane < 12) stage[k20] = v15_24;
    __syncwarp(lanes_mask);
    T v17_25 = 0;
    T v17_26 = 0;
    T v17_27 = 0;
    T v17_28 = 0;
    for (int j = 0; j < 48; j++) {
      const T4 m29 = ast_load4(b4 + k30 + j * 32);
      v17_25 += stage[j] * m29.x;
      v17_26 += stage[j] * m29.y;
      v17_27 += stage[j] * m29.z;
      v17_28 += stage[j] * m29.w;
    }
    T v19_32 = v17_25 + v18_31.x;
    a20_0 = op_maxof(v19_32, a20_0);
    T v19_33 = v17_26 + v18_31.y;
    a20_1 = op_maxof(v19_33, a20_1);
    T v19_34 = v17_27 + v18_31.z;
    a20_2 = op_maxof(v19_34, a20_2);
    T v19_35 = v17_28 + v18_31.w;
    a20_3 = op_maxof(v19_35, a20_3);
    ast_argmax(&a21_0, &a21_0_id, v19_32, id);
    ast_argmax(&a21_1, &a21_1_id, v19_33, id);
    ast_argmax(&a21_2, &a21_2_id, v19_34, id);
    ast_argmax(&a21_3, &a21_3_id, v19_35, id);
  }
  a20_0 = op_maxof(__shfl_xor_sync(0xffffffffu, a20_0, 16), a20_0);
  a20_1 = op_maxof(__shfl_xor_sync(0xffffffffu, a20_1, 16), a20_1);
  a20_2 = op_maxof(__shfl_xor_sync(0xffffffffu, a20_2, 16), a20_2);
  a20_3 = op_maxof(__shfl_xor_sync(0xffffffffu, a20_3, 16), a20_3);
  {
    const T other = __shfl_xor_sync(0xffffffffu, a21_0, 16);
    const int extra = __shfl_xor_sync(0xffffffffu, a21_0_id, 16);
    ast_argmax(&a21_0, &a21_0_id, other, extra);
  }
  {
    const T other = __shfl_xor_sync(0xffffffffu, a21_1, 16);
    const int extra = __shfl_xor_sync(0xffffffffu, a21_1_id, 16);
    ast_argmax(&a21_1, &a21_1_id, other, extra);
  }
  {
    const T other = __shfl_xor_sync(0xffffffffu, a21_2, 16);
    const int extra = __shfl_xor_sync(0xffffffffu, a21_2_id, 16);
    ast_argmax(&a21_2, &a21_2_id, other, extra);
  }
  {
    const T other = __shfl_xor_sync(0xffffffffu, a21_3, 16);
    const int extra = __shfl_xor_sync(0xffffffffu, a21_3_id, 16);
    ast_argmax(&a21_3, &a21_3_id, other, extra);
  }
  T v20_36 = begin < end ? a20_0 : (T)0;
  T v20_37 = begin < end ? a20_1 : (T)0;
  T v20_38 = begin < end ? a20_2 : (T)0;
  T v20_39 = begin < end ? a20_3 : (T)0;
  if (slot == 0 && (lane < 8)) ast_store4(b6 + (i64)r * 32 + k30, v20_36, v20_37, v20_38, v20_39);
  if (slot == 0 && (lane < 8)) b9[(i64)r * 32 + k30] = a21_0_id;
  if (slot == 0 && (lane < 8)) b9[(i64)r * 32 + k40] = a21_1_id;
  if (slot == 0 && (lane < 8)) b9[(i64)r * 32 + k41] = a21_2_id;
  if (slot == 0 && (lane < 8)) b9[(i64)r * 32 + k42] = a21_3_id;
}

AST_KERNEL(edgeconv_wide_backward_0)(int rows, const T *AST_RESTRICT b2, T *AST_RESTRICT out17, T *AST_RESTRICT out19) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 3072) {
    const int k = (int)(i % 3072);
    const int k1 = k / 3072 * 6144 + k % 3072 + 3072;
    T v2_2 = b2[k1];
    out17[k] = v2_2;
  }
  if (i < (i64)rows * 3072) {
    const int k = (int)(i % 3072);
    const int k3 = k / 3072 * 6144 + k % 3072 + 0;
    T v2_4 = b2[k3];
    out19[k] = v2_4;
  }
}

AST_KERNEL(edgeconv_wide_backward_1_transposed1)(int rows, const T *AST_RESTRICT b7, T *AST_RESTRICT to) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i >= (i64)rows * 1536) return;
  const int k = (int)(i % 1536);
  to[i] = ast_load(b7 + (i - k + k % 48 * 32 + k / 48));
}

AST_KERNEL(edgeconv_wide_backward_1)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b3, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b4, const T *AST_RESTRICT b5, const T *AST_RESTRICT b6, const int *AST_RESTRICT b9, const int *AST_RESTRICT ids, const T *AST_RESTRICT b8, T *AST_RESTRICT w0, T *AST_RESTRICT b18) {
  const int lane = threadIdx.x % 16;
  const int slot = threadIdx.x / 16 % 2;
  const int group = threadIdx.x / 32;
  AST_SHARED T shared[256];
  T *const stage = shared + (group * 2 + slot) * 32;
  const int k1 = (lane < 12 ? lane : 11) * 4;
  const int k10 = (lane < 8 ? lane : 7) * 4;
  const int k14 = (lane < 8 ? lane : 7) * 4 + 1;
  const int k17 = (lane < 8 ? lane : 7) * 4 + 2;
  const int k20 = (lane < 8 ? lane : 7) * 4 + 3;
  const u32 lanes_mask = 0xffffu << (threadIdx.x & 16u);
  const int p = hubs + blockIdx.x * 4 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  const T4 v9_3 = ast_load4(b4 + (i64)r * 48 + k1);
  const T4 v13_7 = ast_load4(b6 + k1);
  T a29_0 = 0;
  T a29_1 = 0;
  T a29_2 = 0;
  T a29_3 = 0;
  for (int at = begin + slot; at < end; at += 2) {
    const int u = ast_load(neighbors + at);
    const T4 v6_2 = ast_load4(b3 + (i64)u * 48 + k1);
    const T4 v10_4 = ast_load4(b5 + (i64)u * 48 + k1);
    const int v18_11 = ast_load(b9 + (i64)u * 32 + k10);
    const int id = ast_load(ids + at);
    const T4 v17_12 = ast_load4(b8 + (i64)u * 32 + k10);
    const int v18_15 = ast_load(b9 + (i64)u * 32 + k14);
    const int v18_18 = ast_load(b9 + (i64)u * 32 + k17);
    const int v18_21 = ast_load(b9 + (i64)u * 32 + k20);
    T v11_5 = v9_3.x - v10_4.x;
    T v12_6 = v6_2.x + v11_5;
    T v14_8 = v12_6 + v13_7.x;
    T v24_9 = v14_8 > (T)0 ? (T)1 : (T)0;
    T v19_13 = v18_11 == id ? v17_12.x : (T)0;
    T v19_16 = v18_15 == id ? v17_12.y : (T)0;
    T v19_19 = v18_18 == id ? v17_12.z : (T)0;
    T v19_22 = v18_21 == id ? v17_12.w : (T)0;
    __syncwarp(lanes_mask);
    if (lane < 8) stage[k10] = v19_13;
    if (lane < 8) stage[k14] = v19_16;
    if (lane < 8) stage[k17] = v19_19;
    if (lane < 8) stage[k20] = v19_22;
    __syncwarp(lanes_mask);
    T v22_23 = 0;
    T v22_24 = 0;
    T v22_25 = 0;
    T v22_26 = 0;
    for (int j = 0; j < 32; j++) {
      const T4 m27 = ast_load4(w0 + k1 + j * 48);
      v22_23 += stage[j] * m27.x;
      v22_24 += stage[j] * m27.y;
      v22_25 += stage[j] * m27.z;
      v22_26 += stage[j] * m27.w;
    }
    T v25_28 = v24_9 != 0 ? v22_23 : (T)0;
    a29_0 += v25_28;
    T v11_29 = v9_3.y - v10_4.y;
    T v12_30 = v6_2.y + v11_29;
    T v14_31 = v12_30 + v13_7.y;
    T v24_32 = v14_31 > (T)0 ? (T)1 : (T)0;
    T v25_33 = v24_32 != 0 ? v22_24 : (T)0;
    a29_1 += v25_33;
    T v11_34 = v9_3.z - v10_4.z;
    T v12_35 = v6_2.z + v11_34;
    T v14_36 = v12_35 + v13_7.z;
    T v24_37 = v14_36 > (T)0 ? (T)1 : (T)0;
    T v25_38 = v24_37 != 0 ? v22_25 : (T)0;
    a29_2 += v25_38;
    T v11_39 = v9_3.w - v10_4.w;
    T v12_40 = v6_2.w + v11_39;
    T v14_41 = v12_40 + v13_7.w;
    T v24_42 = v14_41 > (T)0 ? (T)1 : (T)0;
    T v25_43 = v24_42 != 0 ? v22_26 : (T)0;
    a29_3 += v25_43;
  }
  a29_0 += __shfl_xor_sync(0xffffffffu, a29_0, 16);
  a29_1 += __shfl_xor_sync(0xffffffffu, a29_1, 16);
  a29_2 += __shfl_xor_sync(0xffffffffu, a29_2, 16);
  a29_3 += __shfl_xor_sync(0xffffffffu, a29_3, 16);
  if (slot == 0 && (lane < 12)) ast_store4(b18 + (i64)r * 48 + k1, a29_0, a29_1, a29_2, a29_3);
}

AST_KERNEL(edgeconv_wide_backward_4_transposed1)(int rows, const T *AST_RESTRICT b7, T *AST_RESTRICT to) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i >= (i64)rows * 1536) return;
  const int k = (int)(i % 1536);
  to[i] = ast_load(b7 + (i - k + k % 48 * 32 + k / 48));
}

AST_KERNEL(edgeconv_wide_backward_4)(int rows, int hubs, T *AST_RESTRICT w1, int block0, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const int *AST_RESTRICT b9, const int *AST_RESTRICT ids, const T *AST_RESTRICT b8, const T *AST_RESTRICT b3, const T *AST_RESTRICT b4, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b5, const T *AST_RESTRICT b6, T *AST_RESTRICT w0, T *AST_RESTRICT b15, T *AST_RESTRICT b16) {
  const int lane = threadIdx.x % 64;
  const int group = threadIdx.x / 64;
  AST_SHARED T shared[80];
  T *const stage = shared + (group) * 80;
  T *const sums = w1 + ((i64)(block0 + blockIdx.x) * 1 + group) * 1568;
  for (int i = threadIdx.x % 64; i < 1568; i += 64) sums[i] = 0;
  __syncthreads();
  const int k1 = (lane < 8 ? lane : 7) * 4;
  const int k5 = (lane < 8 ? lane : 7) * 4 + 1;
  const int k8 = (lane < 8 ? lane : 7) * 4 + 2;
  const int k11 = (lane < 8 ? lane : 7) * 4 + 3;
  const int k14 = (lane < 12 ? lane : 11) * 4;
  const int k49 = (lane < 12 ? lane : 11) * 4 + 1;
  const int k51 = (lane < 12 ? lane : 11) * 4 + 2;
  const int k53 = (lane < 12 ? lane : 11) * 4 + 3;
  const int k55 = lane / 8;
  const int k56 = lane % 8 * 4;
  T s37_0 = 0;
  const int k57 = 1 + lane % 8 * 4;
  T s37_1 = 0;
  const int k58 = 2 + lane % 8 * 4;
  T s37_2 = 0;
  const int k59 = 3 + lane % 8 * 4;
  T s37_3 = 0;
  const int k60 = lane / 8 + 8;
  T s37_4 = 0;
  T s37_5 = 0;
  T s37_6 = 0;
  T s37_7 = 0;
  const int k61 = lane / 8 + 16;
  T s37_8 = 0;
  T s37_9 = 0;
  T s37_10 = 0;
  T s37_11 = 0;
  const int k62 = lane / 8 + 24;
  T s37_12 = 0;
  T s37_13 = 0;
  T s37_14 = 0;
  T s37_15 = 0;
  const int k63 = lane / 8 + 32;
  T s37_16 = 0;
  T s37_17 = 0;
  T s37_18 = 0;
  T s37_19 = 0;
  const int k64 = lane / 8 + 40;
  T s37_20 = 0;
  T s37_21 = 0;
  T s37_22 = 0;
  T s37_23 = 0;
  T s21_0 = 0;
  T s21_1 = 0;
  T s21_2 = 0;
  T s21_3 = 0;
  const int k65 = lane * 4;
  const int k66 = lane * 4 + 1;
  const int k67 = lane * 4 + 2;
  const int k68 = lane * 4 + 3;
  const int k69 = lane * 4 + 256;
  const int k70 = lane * 4 + 257;
  const int k71 = lane * 4 + 258;
  const int k72 = lane * 4 + 259;
  const int k73 = lane * 4 + 512;
  const int k74 = lane * 4 + 513;
  const int k75 = lane * 4 + 514;
  const int k76 = lane * 4 + 515;
  const int k77 = lane * 4 + 768;
  const int k78 = lane * 4 + 769;
  const int k79 = lane * 4 + 770;
  const int k80 = lane * 4 + 771;
  const int k81 = lane * 4 + 1024;
  const int k82 = lane * 4 + 1025;
  const int k83 = lane * 4 + 1026;
  const int k84 = lane * 4 + 1027;
  const int k85 = lane * 4 + 1280;
  const int k86 = lane * 4 + 1281;
  const int k87 = lane * 4 + 1282;
  const int k88 = lane * 4 + 1283;
  for (int p = hubs + blockIdx.x * 1 + group; p < rows; p += gridDim.x * 1) {
    const int r = order[p];
    const int begin = offsets[r];
    const int end = offsets[r + 1];
    const int v18_2 = ast_load(b9 + (i64)r * 32 + k1);
    const T4 v17_3 = ast_load4(b8 + (i64)r * 32 + k1);
    const int v18_6 = ast_load(b9 + (i64)r * 32 + k5);
    const int v18_9 = ast_load(b9 + (i64)r * 32 + k8);
    const int v18_12 = ast_load(b9 + (i64)r * 32 + k11);
    const T4 v6_15 = ast_load4(b3 + (i64)r * 48 + k14);
    const T4 v10_17 = ast_load4(b5 + (i64)r * 48 + k14);
    const T4 v13_20 = ast_load4(b6 + k14);
    T a20_0 = 0;
    T a20_1 = 0;
    T a20_2 = 0;
    T a20_3 = 0;
    T a26_0 = 0;
    T a26_1 = 0;
    T a26_2 = 0;
    T a26_3 = 0;
    T a30_0 = 0;
    T a30_1 = 0;
    T a30_2 = 0;
    T a30_3 = 0;
    for (int at = begin; at < end; at++) {
      const int id = ast_load(ids + at);
      const int u = ast_load(neighbors + at);
      const T4 v9_16 = ast_load4(b4 + (i64)u * 48 + k14);
      T v19_4 = v18_2 == id ? v17_3.x : (T)0;
      a20_0 += v19_4;
      T v19_7 = v18_6 == id ? v17_3.y : (T)0;
      a20_1 += v19_7;
      T v19_10 = v18_9 == id ? v17_3.z : (T)0;
      a20_2 += v19_10;
      T v19_13 = v18_12 == id ? v17_3.w : (T)0;
      a20_3 += v19_13;
      T v11_18 = v9_16.x - v10_17.x;
      T v12_19 = v6_15.x + v11_18;
      T v14_21 = v12_19 + v13_20.x;
      T v24_22 = v14_21 > (T)0 ? (T)1 : (T)0;
      __syncthreads();
      if (lane < 8) (stage + 48)[k1] = v19_4;
      if (lane < 8) (stage + 48)[k5] = v19_7;
      if (lane < 8) (stage + 48)[k8] = v19_10;
      if (lane < 8) (stage + 48)[k11] = v19_13;
      __syncthreads();
      T v22_23 = 0;
      T v22_24 = 0;
      T v22_25 = 0;
      T v22_26 = 0;
      for (int j = 0; j < 32; j++) {
        const T4 m27 = ast_load4(w0 + k14 + j * 48);
        v22_23 += (stage + 48)[j] * m27.x;
        v22_24 += (stage + 48)[j] * m27.y;
        v22_25 += (stage + 48)[j] * m27.z;
        v22_26 += (stage + 48)[j] * m27.w;
      }
      T v25_28 = v24_22 != 0 ? v22_23 : (T)0;
      a26_0 += v25_28;
      T v11_29 = v9_16.y - v10_17.y;
      T v12_30 = v6_15.y + v11_29;
      T v14_31 = v12_30 + v13_20.y;
      T v24_32 = v14_31 > (T)0 ? (T)1 : (T)0;
      T v25_33 = v24_32 != 0 ? v22_24 : (T)0;
      a26_1 += v25_33;
      T v11_34 = v9_16.z - v10_17.z;
      T v12_35 = v6_15.z + v11_34;
      T v14_36 = v12_35 + v13_20.z;
      T v24_37 = v14_36 > (T)0 ? (T)1 : (T)0;
      T v25_38 = v24_37 != 0 ? v22_25 : (T)0;
      a26_2 += v25_38;
      T v11_39 = v9_16.w - v10_17.w;
      T v12_40 = v6_15.w + v11_39;
      T v14_41 = v12_40 + v13_20.w;
      T v24_42 = v14_41 > (T)0 ? (T)1 : (T)0;
      T v25_43 = v24_42 != 0 ? v22_26 : (T)0;
      a26_3 += v25_43;
      T v28_44 = -v25_28;
      a30_0 += v28_44;
      T v28_45 = -v25_33;
      a30_1 += v28_45;
      T v28_46 = -v25_38;
      a30_2 += v28_46;
      T v28_47 = -v25_43;
      a30_3 += v28_47;
      T v15_48 = op_relu(v14_21);
      T v15_50 = op_relu(v14_31);
      T v15_52 = op_relu(v14_36);
      T v15_54 = op_relu(v14_41);
      __syncthreads();
      if (lane < 12) stage[k14] = v15_48;
      if (lane < 12) stage[k49] = v15_50;
      if (lane < 12) stage[k51] = v15_52;
      if (lane < 12) stage[k53] = v15_54;
      __syncthreads();
      s37_0 += stage[k55] * (stage + 48)[k56];
      s37_1 += stage[k55] * (stage + 48)[k57];
      s37_2 += stage[k55] * (stage + 48)[k58];
      s37_3 += stage[k55] * (stage + 48)[k59];
      s37_4 += stage[k60] * (stage + 48)[k56];
      s37_5 += stage[k60] * (stage + 48)[k57];
      s37_6 += stage[k60] * (stage + 48)[k58];
      s37_7 += stage[k60] * (stage + 48)[k59];
      s37_8 += stage[k61] * (stage + 48)[k56];
      s37_9 += stage[k61] * (stage + 48)[k57];
      s37_10 += stage[k61] * (stage + 48)[k58];
      s37_11 += stage[k61] * (stage + 48)[k59];
      s37_12 += stage[k62] * (stage + 48)[k56];
      s37_13 += stage[k62] * (stage + 48)[k57];
      s37_14 += stage[k62] * (stage + 48)[k58];
      s37_15 += stage[k62] * (stage + 48)[k59];
      s37_16 += stage[k63] * (stage + 48)[k56];
      s37_17 += stage[k63] * (stage + 48)[k57];
      s37_18 += stage[k63] * (stage + 48)[k58];
      s37_19 += stage[k63] * (stage + 48)[k59];
      s37_20 += stage[k64] * (stage + 48)[k56];
      s37_21 += stage[k64] * (stage + 48)[k57];
      s37_22 += stage[k64] * (stage + 48)[k58];
      s37_23 += stage[k64] * (stage + 48)[k59];
    }
    s21_0 += a20_0;
    s21_1 += a20_1;
    s21_2 += a20_2;
    s21_3 += a20_3;
    if (lane < 12) ast_store4(b15 + (i64)r * 48 + k14, a26_0, a26_1, a26_2, a26_3);
    if (lane < 12) ast_store4(b16 + (i64)r * 48 + k14, a30_0, a30_1, a30_2, a30_3);
  }
  sums[k65] = s37_0;
  sums[k66] = s37_1;
  sums[k67] = s37_2;
  sums[k68] = s37_3;
  sums[k69] = s37_4;
  sums[k70] = s37_5;
  sums[k71] = s37_6;
  sums[k72] = s37_7;
  sums[k73] = s37_8;
  sums[k74] = s37_9;
  sums[k75] = s37_10;
  sums[k76] = s37_11;
  sums[k77] = s37_12;
  sums[k78] = s37_13;
  sums[k79] = s37_14;
  sums[k80] = s37_15;
  sums[k81] = s37_16;
  sums[k82] = s37_17;
  sums[k83] = s37_18;
  sums[k84] = s37_19;
  sums[k85] = s37_20;
  sums[k86] = s37_21;
  sums[k87] = s37_22;
  sums[k88] = s37_23;
  if (lane < 8) sums[1536 + k1] = s21_0;
  if (lane < 8) sums[1536 + k5] = s21_1;
  if (lane < 8) sums[1536 + k8] = s21_2;
  if (lane < 8) sums[1536 + k11] = s21_3;
}

AST_KERNEL(edgeconv_wide_backward_4_sum1)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 1568, 1536, out);
}

AST_KERNEL(edgeconv_wide_backward_4_sum2)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 1536, blocks * 1, 1568, 32, out);
}

AST_KERNEL(edgeconv_wide_backward_5_parts)(int rows, int parts, T *AST_RESTRICT sums, const T *AST_RESTRICT b15) {
  const int part = blockIdx.x / 1, i = blockIdx.x % 1 * 256 + threadIdx.x;
  if (i >= 48) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 48 + i;
  T sum0 = 0;
  for (int n = begin; n < end; n++) {
    const int r = n;
    T v26_1 = b15[(i64)r * 48 + i];
    sum0 += v26_1;
  }
  to[0] = sum0;
}

AST_KERNEL(edgeconv_wide_backward_5_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 48, 48, out);
}

AST_KERNEL(edgeconv_wide_backward_8)(int rows, const T *AST_RESTRICT b23, const T *AST_RESTRICT b24, const T *AST_RESTRICT b25, T *AST_RESTRICT out11) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 6144) {
    const int k = (int)(i % 6144);
    const int k1 = k % 6144 - 3072;
    const int k2 = k1 >= 0 && k1 < 3072 ? k / 6144 * 3072 + k1 : 0;
    T v38_3 = b23[k2];
    T v39_4 = b24[k2];
    T v40_5 = v38_3 + v39_4;
    T v42_6 = k1 >= 0 && k1 < 3072 ? v40_5 : (T)0;
    const int k7 = k % 6144 - 0;
    const int k8 = k7 >= 0 && k7 < 3072 ? k / 6144 * 3072 + k7 : 0;
    T v43_9 = b25[k8];
    T v45_10 = k7 >= 0 && k7 < 3072 ? v43_9 : (T)0;
    T v46_11 = v42_6 + v45_10;
    out11[k] = v46_11;
  }
}

AST_KERNEL(edgeconv_wide_backward_11)(int rows, T *AST_RESTRICT b10, const T *AST_RESTRICT b20, const T *AST_RESTRICT b22, const T *AST_RESTRICT b21) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v31_2 = ast_load4(b20 + (i64)r * 64 + k1);
  const T4 v33_3 = ast_load4(b22 + (i64)r * 64 + k1);
  T v34_4 = v31_2.x + v33_3.x;
  const T4 v35_5 = ast_load4(b21 + (i64)r * 64 + k1);
  T v36_6 = v34_4 + v35_5.x;
  T v34_7 = v31_2.y + v33_3.y;
  T v36_8 = v34_7 + v35_5.y;
  T v34_9 = v31_2.z + v33_3.z;
  T v36_10 = v34_9 + v35_5.z;
  T v34_11 = v31_2.w + v33_3.w;
  T v36_12 = v34_11 + v35_5.w;
  ast_store4(b10 + (i64)r * 64 + k1, v36_6, v36_8, v36_10, v36_12);
}
