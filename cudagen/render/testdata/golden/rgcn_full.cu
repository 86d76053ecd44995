
AST_KERNEL(rgcn_full_wide_forward_0)(int rows, const T *AST_RESTRICT b1, T *AST_RESTRICT out6) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 8192) {
    const int k = (int)(i % 8192);
    const int k1 = k / 2048 * 2048 + k / 64 % 32 + k % 64 * 32;
    T v11_2 = b1[k1];
    out6[k] = v11_2;
  }
}

AST_KERNEL(rgcn_full_wide_forward_1)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b0, const int *AST_RESTRICT neighbors, const int *AST_RESTRICT types, T *AST_RESTRICT b8) {
  const int lane = threadIdx.x % 32;
  const int group = threadIdx.x / 32;
  const int k1 = lane % 16 * 4;
  const int k3 = lane / 16;
  const int k4 = lane / 16 + 2;
  const int k5 = lane * 4;
  const int k6 = lane * 4 + 128;
  const int p = hubs + blockIdx.x * 4 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  T a8_0 = 0;
  T a8_1 = 0;
  T a8_2 = 0;
  T a8_3 = 0;
  T a8_4 = 0;
  T a8_5 = 0;
  T a8_6 = 0;
  T a8_7 = 0;
  for (int at = begin; at < end; at += 4) {
    int u[4];
    T4 v0_2[4];
    int e_type[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q < end ? at + q : end - 1;
      u[q] = ast_load(neighbors + e);
      v0_2[q] = ast_load4(b0 + (i64)u[q] * 64 + k1);
      e_type[q] = ast_load(types + e);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q < end) {
        a8_0 += e_type[q] == k3 ? v0_2[q].x : (T)0;
        a8_1 += e_type[q] == k3 ? v0_2[q].y : (T)0;
        a8_2 += e_type[q] == k3 ? v0_2[q].z : (T)0;
        a8_3 += e_type[q] == k3 ? v0_2[q].w : (T)0;
        a8_4 += e_type[q] == k4 ? v0_2[q].x : (T)0;
        a8_5 += e_type[q] == k4 ? v0_2[q].y : (T)0;
        a8_6 += e_type[q] == k4 ? v0_2[q].z : (T)0;
        a8_7 += e_type[q] == k4 ? v0_2[q].w : (T)0;
      }
    }
  }
  ast_store4(b8 + (i64)r * 256 + k5, a8_0, a8_1, a8_2, a8_3);
  ast_store4(b8 + (i64)r * 256 + k6, a8_4, a8_5, a8_6, a8_7);
}

AST_KERNEL(rgcn_full_wide_forward_1_chunks1)(int chunks, const int *AST_RESTRICT chunk_hub, const int *AST_RESTRICT chunk_begin, const int *AST_RESTRICT hub_first, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b0, const int *AST_RESTRICT neighbors, const int *AST_RESTRICT types, T *AST_RESTRICT w0) {
  const int lane = threadIdx.x % 32;
  const int group = threadIdx.x / 32;
  const int k1 = lane % 16 * 4;
  const int k3 = lane / 16;
  const int k4 = lane / 16 + 2;
  const int c = blockIdx.x * 4 + group;
  if (c >= chunks) return;
  const int h = chunk_hub[c];
  const int r = order[h];
  const int begin = chunk_begin[c], end = c + 1 < hub_first[h + 1] ? chunk_begin[c + 1] : offsets[r + 1];
  T a8_0 = 0;
  T a8_1 = 0;
  T a8_2 = 0;
  T a8_3 = 0;
  T a8_4 = 0;
  T a8_5 = 0;
  T a8_6 = 0;
  T a8_7 = 0;
  for (int at = begin; at < end; at += 4) {
    int u[4];
    T4 v0_2[4];
    int e_type[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q < end ? at + q : end - 1;
      u[q] = ast_load(neighbors + e);
      v0_2[q] = ast_load4(b0 + (i64)u[q] * 64 + k1);
      e_type[q] = ast_load(types + e);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q < end) {
        a8_0 += e_type[q] == k3 ? v0_2[q].x : (T)0;
        a8_1 += e_type[q] == k3 ? v0_2[q].y : (T)0;
        a8_2 += e_type[q] == k3 ? v0_2[q].z : (T)0;
        a8_3 += e_type[q] == k3 ? v0_2[q].w : (T)0;
        a8_4 += e_type[q] == k4 ? v0_2[q].x : (T)0;
        a8_5 += e_type[q] == k4 ? v0_2[q].y : (T)0;
        a8_6 += e_type[q] == k4 ? v0_2[q].z : (T)0;
        a8_7 += e_type[q] == k4 ? v0_2[q].w : (T)0;
      }
    }
  }
  w0[((i64)c * 8) * 32 + lane] = a8_0;
  w0[((i64)c * 8 + 1) * 32 + lane] = a8_1;
  w0[((i64)c * 8 + 2) * 32 + lane] = a8_2;
  w0[((i64)c * 8 + 3) * 32 + lane] = a8_3;
  w0[((i64)c * 8 + 4) * 32 + lane] = a8_4;
  w0[((i64)c * 8 + 5) * 32 + lane] = a8_5;
  w0[((i64)c * 8 + 6) * 32 + lane] = a8_6;
  w0[((i64)c * 8 + 7) * 32 + lane] = a8_7;
}

AST_KERNEL(rgcn_full_wide_forward_1_end)(int hubs, const int *AST_RESTRICT hub_first, T *AST_RESTRICT w0, const int *AST_RESTRICT order, T *AST_RESTRICT b8) {
  const int lane = threadIdx.x % 32;
  const int group = threadIdx.x / 32;
  const int k1 = lane * 4;
  const int k2 = lane * 4 + 128;
  const int h = blockIdx.x * 4 + group;
  if (h >= hubs) return;
  T a8_0 = 0;
  T a8_1 = 0;
  T a8_2 = 0;
  T a8_3 = 0;
  T a8_4 = 0;
  T a8_5 = 0;
  T a8_6 = 0;
  T a8_7 = 0;
  for (int c = hub_first[h]; c < hub_first[h + 1]; c++) {
    a8_0 += w0[((i64)c * 8) * 32 + lane];
    a8_1 += w0[((i64)c * 8 + 1) * 32 + lane];
    a8_2 += w0[((i64)c * 8 + 2) * 32 + lane];
    a8_3 += w0[((i64)c * 8 + 3) * 32 + lane];
    a8_4 += w0[((i64)c * 8 + 4) * 32 + lane];
    a8_5 += w0[((i64)c * 8 + 5) * 32 + lane];
    a8_6 += w0[((i64)c * 8 + 6) * 32 + lane];
    a8_7 += w0[((i64)c * 8 + 7) * 32 + lane];
  }
  const int r = order[h];
  ast_store4(b8 + (i64)r * 256 + k1, a8_0, a8_1, a8_2, a8_3);
  ast_store4(b8 + (i64)r * 256 + k2, a8_4, a8_5, a8_6, a8_7);
}

AST_KERNEL(rgcn_full_wide_forward_3)(int rows, T *AST_RESTRICT b5, const T *AST_RESTRICT b8, const int *AST_RESTRICT offsets, const int *AST_RESTRICT types, const T *AST_RESTRICT b1, const T *AST_RESTRICT b7, const T *AST_RESTRICT b4) {
  const int lane = threadIdx.x % 32;
  const int group = threadIdx.x / 32;
  AST_SHARED T shared[1024];
  T *const stage = shared + (group) * 256;
  const int k1 = lane * 4;
  const int k4 = lane / 16;
  const int k8 = lane * 4 + 1;
  const int k10 = lane * 4 + 2;
  const int k12 = lane * 4 + 3;
  const int k14 = lane * 4 + 128;
  const int k17 = lane / 16 + 2;
  const int k21 = lane * 4 + 129;
  const int k23 = lane * 4 + 130;
  const int k25 = lane * 4 + 131;
  const int k28 = (lane < 8 ? lane : 7) * 4;
  const int k30 = (lane < 8 ? lane : 7) * 4 + 1;
  const int k32 = (lane < 8 ? lane : 7) * 4 + 2;
  const int k34 = (lane < 8 ? lane : 7) * 4 + 3;
  const int r = blockIdx.x * 4 + group;
  if (r >= rows) return;
  const T4 v8_2 = ast_load4(b8 + (i64)r * 256 + k1);
  T v2_3 = 0;
  for (int at = offsets[r]; at < offsets[r + 1]; at++) v2_3 += types[at] == k4;
  T v3_5 = 1 / v2_3;
  T v7_6 = v2_3 != 0 ? v3_5 : (T)0;
  T v9_7 = v8_2.x * v7_6;
  T v9_9 = v8_2.y * v7_6;
  T v9_11 = v8_2.z * v7_6;
  T v9_13 = v8_2.w * v7_6;
  const T4 v8_15 = ast_load4(b8 + (i64)r * 256 + k14);
  T v2_16 = 0;
  for (int at = offsets[r]; at < offsets[r + 1]; at++) v2_16 += types[at] == k17;
  T v3_18 = 1 / v2_16;
  T v7_19 = v2_16 != 0 ? v3_18 : (T)0;
  T v9_20 = v8_15.x * v7_19;
  T v9_22 = v8_15.y * v7_19;
  T v9_24 = v8_15.z * v7_19;
  T v9_26 = v8_15.w * v7_19;
  __syncwarp(0xffffffffu);
  stage[k1] = v9_7;
  stage[k8] = v9_9;
  stage[k10] = v9_11;
  stage[k12] = v9_13;
  stage[k14] = v9_20;
  stage[k21] = v9_22;
  stage[k23] = v9_24;
  stage[k25] = v9_26;
  __syncwarp(0xffffffffu);
  T v13_27 = 0;
  T v13_29 = 0;
  T v13_31 = 0;
  T v13_33 = 0;
  for (int j = 0; j < 256; j++) {
    v13_27 += stage[j] * ast_load(b1 + k28 + j * 32);
    v13_29 += stage[j] * ast_load(b1 + k30 + j * 32);
    v13_31 += stage[j] * ast_load(b1 + k32 + j * 32);
    v13_33 += stage[j] * ast_load(b1 + k34 + j * 32);
  }
  const T4 v16_35 = ast_load4(b7 + (i64)r * 32 + k28);
  T v17_36 = v13_27 + v16_35.x;
  const T4 v18_37 = ast_load4(b4 + k28);
  T v19_38 = v17_36 + v18_37.x;
  T v17_39 = v13_29 + v16_35.y;
  T v19_40 = v17_39 + v18_37.y;
  T v17_41 = v13_31 + v16_35.z;
  T v19_42 = v17_41 + v18_37.z;
  T v17_43 = v13_33 + v16_35.w;
  T v19_44 = v17_43 + v18_37.w;
  if (lane < 8) ast_store4(b5 + (i64)r * 32 + k28, v19_38, v19_40, v19_42, v19_44);
}

AST_KERNEL(rgcn_full_wide_backward_0)(int rows, T *AST_RESTRICT b12, const int *AST_RESTRICT offsets, const int *AST_RESTRICT types) {
  const int group = threadIdx.x / 1;
  const int r = blockIdx.x * 128 + group;
  if (r >= rows) return;
  T v1_1 = 0;
  for (int at = offsets[r]; at < offsets[r + 1]; at++) v1_1 += types[at] == 0;
  T v2_2 = 1 / v1_1;
  T v1_3 = 0;
  for (int at = offsets[r]; at < offsets[r + 1]; at++) v1_3 += types[at] == 1;
  T v2_4 = 1 / v1_3;
  T v1_5 = 0;
  for (int at = offsets[r]; at < offsets[r + 1]; at++) v1_5 += types[at] == 2;
  T v2_6 = 1 / v1_5;
  T v1_7 = 0;
  for (int at = offsets[r]; at < offsets[r + 1]; at++) v1_7 += types[at] == 3;
  T v2_8 = 1 / v1_7;
  ast_store4(b12 + (i64)r * 4, v2_2, v2_4, v2_6, v2_8);
}

AST_KERNEL(rgcn_full_wide_backward_1_parts)(int rows, int parts, T *AST_RESTRICT sums, const T *AST_RESTRICT b3) {
  const int part = blockIdx.x / 1, i = blockIdx.x % 1 * 256 + threadIdx.x;
  if (i >= 32) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 32 + i;
  T sum = 0;
  for (int n = begin; n < end; n++) {
    const int r = n;
    T v6_1 = b3[(i64)r * 32 + i];
    sum += v6_1;
  }
  *to = sum;
}

AST_KERNEL(rgcn_full_wide_backward_1_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 32, 32, out);
}

AST_KERNEL(rgcn_full_wide_backward_4)(int rows, int hubs, T *AST_RESTRICT w0, int block0, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b3, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b12, const int *AST_RESTRICT types, const T *AST_RESTRICT b0, T *AST_RESTRICT b5, const T *AST_RESTRICT b4, const T *AST_RESTRICT b10) {
  const int lane = threadIdx.x % 32;
  const int group = threadIdx.x / 32;
  AST_SHARED T shared[512];
  T *const stage = shared + (group) * 128;
  T *const sums = w0 + ((i64)(block0 + blockIdx.x) * 4 + group) * 8192;
  for (int i = threadIdx.x % 32; i < 8192; i += 32) sums[i] = 0;
  __syncwarp(0xffffffffu);
  const int k1 = lane % 8 * 4;
  const int k6 = lane / 8;
  const int k10 = lane * 4;
  const int k11 = lane * 4 + 1;
  const int k12 = lane * 4 + 2;
  const int k13 = lane * 4 + 3;
  const int k15 = (lane < 16 ? lane : 15) * 4;
  const int k17 = (lane < 16 ? lane : 15) * 4 + 1;
  const int k19 = (lane < 16 ? lane : 15) * 4 + 2;
  const int k21 = (lane < 16 ? lane : 15) * 4 + 3;
  for (int p = hubs + blockIdx.x * 4 + group; p < rows; p += gridDim.x * 4) {
    const int r = order[p];
    const int begin = offsets[r];
    const int end = offsets[r + 1];
    T a10_0 = 0;
    T a10_1 = 0;
    T a10_2 = 0;
    T a10_3 = 0;
    for (int at = begin; at < end; at += 4) {
      int u[4];
      T4 v6_2[4];
      int e_type[4];
      T v2_3[4];
      AST_UNROLL
      for (int q = 0; q < 4; q++) {
        const int e = at + q < end ? at + q : end - 1;
        u[q] = ast_load(neighbors + e);
        v6_2[q] = ast_load4(b3 + (i64)u[q] * 32 + k1);
        e_type[q] = ast_load(types + e);
        v2_3[q] = ast_load(b12 + (i64)u[q] * 4 + e_type[q]);
      }
      AST_UNROLL
      for (int q = 0; q < 4; q++) {
        if (at + q < end) {
          T v3_4 = v2_3[q];
          T v9_5 = v6_2[q].x * v3_4;
          a10_0 += e_type[q] == k6 ? v9_5 : (T)0;
          T v9_7 = v6_2[q].y * v3_4;
          a10_1 += e_type[q] == k6 ? v9_7 : (T)0;
          T v9_8 = v6_2[q].z * v3_4;
          a10_2 += e_type[q] == k6 ? v9_8 : (T)0;
          T v9_9 = v6_2[q].w * v3_4;
          a10_3 += e_type[q] == k6 ? v9_9 : (T)0;
        }
      }
    }
    __syncwarp(0xffffffffu);
    stage[k10] = a10_0;
    stage[k11] = a10_1;
    stage[k12] = a10_2;
    stage[k13] = a10_3;
    __syncwarp(0xffffffffu);
    for (int i = lane; i < 8192; i += 32) {
      const int atX = i / 8192 * 64 + i / 128 % 64, atY = i / 8192 * 128 + i % 128;
      T add = 0;
      add += (b0 + (i64)r * 64)[atX] * stage[atY];
      sums[0 + i] += add;
    }
    T v14_14 = 0;
    T v14_16 = 0;
    T v14_18 = 0;
    T v14_20 = 0;
    for (int j = 0; j < 128; j++) {
      v14_14 += stage[j] * ast_load(b4 + k15 + j * 64);
      v14_16 += stage[j] * ast_load(b4 + k17 + j * 64);
      v14_18 += stage[j] * ast_load(b4 + k19 + j * 64);
      v14_20 += stage[j] * ast_load(b4 + k21 + j * 64);
    }
    const T4 v15_22 = ast_load4(b10 + (i64)r * 64 + k15);
    T v16_23 = v14_14 + v15_22.x;
    T v16_24 = v14_16 + v15_22.y;
    T v16_25 = v14_18 + v15_22.z;
    T v16_26 = v14_20 + v15_22.w;
    if (lane < 16) ast_store4(b5 + (i64)r * 64 + k15, v16_23, v16_24, v16_25, v16_26);
  }
}

AST_KERNEL(rgcn_full_wide_backward_4_chunks1)(int chunks, const int *AST_RESTRICT chunk_hub, T *AST_RESTRICT w0, int block0, const int *AST_RESTRICT chunk_begin, const int *AST_RESTRICT hub_first, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b3, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b12, const int *AST_RESTRICT types, T *AST_RESTRICT w1) {
  const int lane = threadIdx.x % 32;
  const int group = threadIdx.x / 32;
  T *const sums = w0 + ((i64)(block0 + blockIdx.x) * 4 + group) * 8192;
  for (int i = threadIdx.x % 32; i < 8192; i += 32) sums[i] = 0;
  __syncwarp(0xffffffffu);
  const int k1 = lane % 8 * 4;
  const int k6 = lane / 8;
  for (int c = blockIdx.x * 4 + group; c < chunks; c += gridDim.x * 4) {
    const int h = chunk_hub[c];
    const int r = order[h];
    const int begin = chunk_begin[c], end = c + 1 < hub_first[h + 1] ? chunk_begin[c + 1] : offsets[r + 1];
    T a10_0 = 0;
    T a10_1 = 0;
    T a10_2 = 0;
    T a10_3 = 0;
    for (int at = begin; at < end; at += 4) {
      int u[4];
      T4 v6_2[4];
      int e_type[4];
      T v2_3[4];
      AST_UNROLL
      for (int q = 0; q < 4; q++) {
        const int e = at + q < end ? at + q : end - 1;
        u[q] = ast_load(neighbors + e);
        v6_2[q] = ast_load4(b3 + (i64)u[q] * 32 + k1);
        e_type[q] = ast_load(types + e);
        v2_3[q] = ast_load(b12 + (i64)u[q] * 4 + e_type[q]);
      }
      AST_UNROLL
      for (int q = 0; q < 4; q++) {
        if (at + q < end) {
          T v3_4 = v2_3[q];
          T v9_5 = v6_2[q].x * v3_4;
          a10_0 += e_type[q] == k6 ? v9_5 : (T)0;
          T v9_7 = v6_2[q].y * v3_4;
          a10_1 += e_type[q] == k6 ? v9_7 : (T)0;
          T v9_8 = v6_2[q].z * v3_4;
          a10_2 += e_type[q] == k6 ? v9_8 : (T)0;
          T v9_9 = v6_2[q].w * v3_4;
          a10_3 += e_type[q] == k6 ? v9_9 : (T)0;
        }
      }
    }
    w1[((i64)c * 4) * 32 + lane] = a10_0;
    w1[((i64)c * 4 + 1) * 32 + lane] = a10_1;
    w1[((i64)c * 4 + 2) * 32 + lane] = a10_2;
    w1[((i64)c * 4 + 3) * 32 + lane] = a10_3;
  }
}

AST_KERNEL(rgcn_full_wide_backward_4_end)(int hubs, T *AST_RESTRICT w0, int block0, const int *AST_RESTRICT hub_first, T *AST_RESTRICT w1, const T *AST_RESTRICT b0, const int *AST_RESTRICT order, T *AST_RESTRICT b5, const T *AST_RESTRICT b4, const T *AST_RESTRICT b10) {
  const int lane = threadIdx.x % 32;
  const int group = threadIdx.x / 32;
  AST_SHARED T shared[512];
  T *const stage = shared + (group) * 128;
  T *const sums = w0 + ((i64)(block0 + blockIdx.x) * 4 + group) * 8192;
  for (int i = threadIdx.x % 32; i < 8192; i += 32) sums[i] = 0;
  __syncwarp(0xffffffffu);
  const int k1 = lane * 4;
  const int k2 = lane * 4 + 1;
  const int k3 = lane * 4 + 2;
  const int k4 = lane * 4 + 3;
  const int k6 = (lane < 16 ? lane : 15) * 4;
  const int k8 = (lane < 16 ? lane : 15) * 4 + 1;
  const int k10 = (lane < 16 ? lane : 15) * 4 + 2;
  const int k12 = (lane < 16 ? lane : 15) * 4 + 3;
  for (int h = blockIdx.x * 4 + group; h < hubs; h += gridDim.x * 4) {
    T a10_0 = 0;
    T a10_1 = 0;
    T a10_2 = 0;
    T a10_3 = 0;
    for (int c = hub_first[h]; c < hub_first[h + 1]; c++) {
      a10_0 += w1[((i64)c * 4) * 32 + lane];
      a10_1 += w1[((i64)c * 4 + 1) * 32 + lane];
      a10_2 += w1[((i64)c * 4 + 2) * 32 + lane];
      a10_3 += w1[((i64)c * 4 + 3) * 32 + lane];
    }
    const int r = order[h];
    __syncwarp(0xffffffffu);
    stage[k1] = a10_0;
    stage[k2] = a10_1;
    stage[k3] = a10_2;
    stage[k4] = a10_3;
    __syncwarp(0xffffffffu);
    for (int i = lane; i < 8192; i += 32) {
      const int atX = i / 8192 * 64 + i / 128 % 64, atY = i / 8192 * 128 + i % 128;
      T add = 0;
      add += (b0 + (i64)r * 64)[atX] * stage[atY];
      sums[0 + i] += add;
    }
    T v14_5 = 0;
    T v14_7 = 0;
    T v14_9 = 0;
    T v14_11 = 0;
    for (int j = 0; j < 128; j++) {
      v14_5 += stage[j] * ast_load(b4 + k6 + j * 64);
      v14_7 += stage[j] * ast_load(b4 + k8 + j * 64);
      v14_9 += stage[j] * ast_load(b4 + k10 + j * 64);
      v14_11 += stage[j] * ast_load(b4 + k12 + j * 64);
    }
    const T4 v15_13 = ast_load4(b10 + (i64)r * 64 + k6);
    T v16_14 = v14_5 + v15_13.x;
    T v16_15 = v14_7 + v15_13.y;
    T v16_16 = v14_9 + v15_13.z;
    T v16_17 = v14_11 + v15_13.w;
    if (lane < 16) ast_store4(b5 + (i64)r * 64 + k6, v16_14, v16_15, v16_16, v16_17);
  }
}

AST_KERNEL(rgcn_full_wide_backward_4_sum1)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 4, 8192, 8192, out);
}

AST_KERNEL(rgcn_full_wide_backward_5)(int rows, const T *AST_RESTRICT b11, T *AST_RESTRICT out9) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 8192) {
    const int k = (int)(i % 8192);
    const int k1 = k / 2048 * 32 + k / 32 % 64 * 128 + k % 32;
    T v18_2 = b11[k1];
    out9[k] = v18_2;
  }
}

AST_KERNEL(rgcn_full_wide_backward_6)(int rows, const T *AST_RESTRICT b9, T *AST_RESTRICT out6) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 2048) {
    const int n = (int)(i / 2048);
    const int r = n;
    const int k = (int)(i % 2048);
    T v21_1 = b9[(i64)r * 2048 + k];
    out6[(i64)r * 2048 + k] = v21_1;
  }
}
