
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
  T sum0 = 0;
  for (int n = begin; n < end; n++) {
    const int r = n;
    T v6_1 = b3[(i64)r * 32 + i];
    sum0 += v6_1;
  }
  to[0] = sum0;
}

AST_KERNEL(rgcn_full_wide_backward_1_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 32, 32, out);
}

AST_KERNEL(rgcn_full_wide_backward_4)(int rows, int hubs, T *AST_RESTRICT w0, int block0, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b3, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b12, const int *AST_RESTRICT types, const T *AST_RESTRICT b0, T *AST_RESTRICT b5, const T *AST_RESTRICT b4, const T *AST_RESTRICT b10) {
  const int lane = threadIdx.x % 256;
  const int group = threadIdx.x / 256;
  AST_SHARED T shared[128];
  T *const stage = shared + (group) * 128;
  T *const sums = w0 + ((i64)(block0 + blockIdx.x) * 1 + group) * 8192;
  for (int i = threadIdx.x % 256; i < 8192; i += 256) sums[i] = 0;
  __syncthreads();
  const int k1 = (lane < 32 ? lane : 31) % 8 * 4;
  const int k6 = (lane < 32 ? lane : 31) / 8;
  const int k10 = (lane < 32 ? lane : 31) * 4;
  const int k11 = (lane < 32 ? lane : 31) * 4 + 1;
  const int k12 = (lane < 32 ? lane : 31) * 4 + 2;
  const int k13 = (lane < 32 ? lane : 31) * 4 + 3;
  const int k14 = lane / 32;
  const int k15 = lane % 32 * 4;
  T s18_0 = 0;
  const int k16 = 1 + lane % 32 * 4;
  T s18_1 = 0;
  const int k17 = 2 + lane % 32 * 4;
  T s18_2 = 0;
  const int k18 = 3 + lane % 32 * 4;
  T s18_3 = 0;
  const int k19 = lane / 32 + 8;
  T s18_4 = 0;
  T s18_5 = 0;
  T s18_6 = 0;
  T s18_7 = 0;
  const int k20 = lane / 32 + 16;
  T s18_8 = 0;
  T s18_9 = 0;
  T s18_10 = 0;
  T s18_11 = 0;
  const int k21 = lane / 32 + 24;
  T s18_12 = 0;
  T s18_13 = 0;
  T s18_14 = 0;
  T s18_15 = 0;
  const int k22 = lane / 32 + 32;
  T s18_16 = 0;
  T s18_17 = 0;
  T s18_18 = 0;
  T s18_19 = 0;
  const int k23 = lane / 32 + 40;
  T s18_20 = 0;
  T s18_21 = 0;
  T s18_22 = 0;
  T s18_23 = 0;
  const int k24 = lane / 32 + 48;
  T s18_24 = 0;
  T s18_25 = 0;
  T s18_26 = 0;
  T s18_27 = 0;
  const int k25 = lane / 32 + 56;
  T s18_28 = 0;
  T s18_29 = 0;
  T s18_30 = 0;
  T s18_31 = 0;
  const int k27 = (lane < 16 ? lane : 15) * 4;
  const int k29 = (lane < 16 ? lane : 15) * 4 + 1;
  const int k31 = (lane < 16 ? lane : 15) * 4 + 2;
  const int k33 = (lane < 16 ? lane : 15) * 4 + 3;
  const int k39 = lane * 4;
  const int k40 = lane * 4 + 1;
  const int k41 = lane * 4 + 2;
  const int k42 = lane * 4 + 3;
  const int k43 = lane * 4 + 1024;
  const int k44 = lane * 4 + 1025;
  const int k45 = lane * 4 + 1026;
  const int k46 = lane * 4 + 1027;
  const int k47 = lane * 4 + 2048;
  const int k48 = lane * 4 + 2049;
  const int k49 = lane * 4 + 2050;
  const int k50 = lane * 4 + 2051;
  const int k51 = lane * 4 + 3072;
  const int k52 = lane * 4 + 3073;
  const int k53 = lane * 4 + 3074;
  const int k54 = lane * 4 + 3075;
  const int k55 = lane * 4 + 4096;
  const int k56 = lane * 4 + 4097;
  const int k57 = lane * 4 + 4098;
  const int k58 = lane * 4 + 4099;
  const int k59 = lane * 4 + 5120;
  const int k60 = lane * 4 + 5121;
  const int k61 = lane * 4 + 5122;
  const int k62 = lane * 4 + 5123;
  const int k63 = lane * 4 + 6144;
  const int k64 = lane * 4 + 6145;
  const int k65 = lane * 4 + 6146;
  const int k66 = lane * 4 + 6147;
  const int k67 = lane * 4 + 7168;
  const int k68 = lane * 4 + 7169;
  const int k69 = lane * 4 + 7170;
  const int k70 = lane * 4 + 7171;
  for (int p = hubs + blockIdx.x * 1 + group; p < rows; p += gridDim.x * 1) {
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
    __syncthreads();
    if (lane < 32) stage[k10] = a10_0;
    if (lane < 32) stage[k11] = a10_1;
    if (lane < 32) stage[k12] = a10_2;
    if (lane < 32) stage[k13] = a10_3;
    __syncthreads();
    s18_0 += (b0 + (i64)r * 64)[k14] * stage[k15];
    s18_1 += (b0 + (i64)r * 64)[k14] * stage[k16];
    s18_2 += (b0 + (i64)r * 64)[k14] * stage[k17];
    s18_3 += (b0 + (i64)r * 64)[k14] * stage[k18];
    s18_4 += (b0 + (i64)r * 64)[k19] * stage[k15];
    s18_5 += (b0 + (i64)r * 64)[k19] * stage[k16];
    s18_6 += (b0 + (i64)r * 64)[k19] * stage[k17];
    s18_7 += (b0 + (i64)r * 64)[k19] * stage[k18];
    s18_8 += (b0 + (i64)r * 64)[k20] * stage[k15];
    s18_9 += (b0 + (i64)r * 64)[k20] * stage[k16];
    s18_10 += (b0 + (i64)r * 64)[k20] * stage[k17];
    s18_11 += (b0 + (i64)r * 64)[k20] * stage[k18];
    s18_12 += (b0 + (i64)r * 64)[k21] * stage[k15];
    s18_13 += (b0 + (i64)r * 64)[k21] * stage[k16];
    s18_14 += (b0 + (i64)r * 64)[k21] * stage[k17];
    s18_15 += (b0 + (i64)r * 64)[k21] * stage[k18];
    s18_16 += (b0 + (i64)r * 64)[k22] * stage[k15];
    s18_17 += (b0 + (i64)r * 64)[k22] * stage[k16];
    s18_18 += (b0 + (i64)r * 64)[k22] * stage[k17];
    s18_19 += (b0 + (i64)r * 64)[k22] * stage[k18];
    s18_20 += (b0 + (i64)r * 64)[k23] * stage[k15];
    s18_21 += (b0 + (i64)r * 64)[k23] * stage[k16];
    s18_22 += (b0 + (i64)r * 64)[k23] * stage[k17];
    s18_23 += (b0 + (i64)r * 64)[k23] * stage[k18];
    s18_24 += (b0 + (i64)r * 64)[k24] * stage[k15];
    s18_25 += (b0 + (i64)r * 64)[k24] * stage[k16];
    s18_26 += (b0 + (i64)r * 64)[k24] * stage[k17];
    s18_27 += (b0 + (i64)r * 64)[k24] * stage[k18];
    s18_28 += (b0 + (i64)r * 64)[k25] * stage[k15];
    s18_29 += (b0 + (i64)r * 64)[k25] * stage[k16];
    s18_30 += (b0 + (i64)r * 64)[k25] * stage[k17];
    s18_31 += (b0 + (i64)r * 64)[k25] * stage[k18];
    T v14_26 = 0;
    T v14_28 = 0;
    T v14_30 = 0;
    T v14_32 = 0;
    for (int j = 0; j < 128; j++) {
      v14_26 += stage[j] * ast_load(b4 + k27 + j * 64);
      v14_28 += stage[j] * ast_load(b4 + k29 + j * 64);
      v14_30 += stage[j] * ast_load(b4 + k31 + j * 64);
      v14_32 += stage[j] * ast_load(b4 + k33 + j * 64);
    }
    const T4 v15_34 = ast_load4(b10 + (i64)r * 64 + k27);
    T v16_35 = v14_26 + v15_34.x;
    T v16_36 = v14_28 + v15_34.y;
    T v16_37 = v14_30 + v15_34.z;
    T v16_38 = v14_32 + v15_34.w;
    if (lane < 16) ast_store4(b5 + (i64)r * 64 + k27, v16_35, v16_36, v16_37, v16_38);
  }
  sums[k39] = s18_0;
  sums[k40] = s18_1;
  sums[k41] = s18_2;
  sums[k42] = s18_3;
  sums[k43] = s18_4;
  sums[k44] = s18_5;
  sums[k45] = s18_6;
  sums[k46] = s18_7;
  sums[k47] = s18_8;
  sums[k48] = s18_9;
  sums[k49] = s18_10;
  sums[k50] = s18_11;
  sums[k51] = s18_12;
  sums[k52] = s18_13;
  sums[k53] = s18_14;
  sums[k54] = s18_15;
  sums[k55] = s18_16;
  sums[k56] = s18_17;
  sums[k57] = s18_18;
  sums[k58] = s18_19;
  sums[k59] = s18_20;
  sums[k60] = s18_21;
  sums[k61] = s18_22;
  sums[k62] = s18_23;
  sums[k63] = s18_24;
  sums[k64] = s18_25;
  sums[k65] = s18_26;
  sums[k66] = s18_27;
  sums[k67] = s18_28;
  sums[k68] = s18_29;
  sums[k69] = s18_30;
  sums[k70] = s18_31;
}

AST_KERNEL(rgcn_full_wide_backward_4_chunks1)(int chunks, const int *AST_RESTRICT chunk_hub, T *AST_RESTRICT w0, int block0, const int *AST_RESTRICT chunk_begin, const int *AST_RESTRICT hub_first, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b3, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b12, const int *AST_RESTRICT types, T *AST_RESTRICT w1) {
  const int lane = threadIdx.x % 256;
  const int group = threadIdx.x / 256;
  T *const sums = w0 + ((i64)(block0 + blockIdx.x) * 1 + group) * 8192;
  for (int i = threadIdx.x % 256; i < 8192; i += 256) sums[i] = 0;
  __syncthreads();
  const int k1 = (lane < 32 ? lane : 31) % 8 * 4;
  const int k6 = (lane < 32 ? lane : 31) / 8;
  for (int c = blockIdx.x * 1 + group; c < chunks; c += gridDim.x * 1) {
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
    w1[((i64)c * 4) * 256 + lane] = a10_0;
    w1[((i64)c * 4 + 1) * 256 + lane] = a10_1;
    w1[((i64)c * 4 + 2) * 256 + lane] = a10_2;
    w1[((i64)c * 4 + 3) * 256 + lane] = a10_3;
  }
}

AST_KERNEL(rgcn_full_wide_backward_4_end)(int hubs, T *AST_RESTRICT w0, int block0, const int *AST_RESTRICT hub_first, T *AST_RESTRICT w1, const T *AST_RESTRICT b0, const int *AST_RESTRICT order, T *AST_RESTRICT b5, const T *AST_RESTRICT b4, const T *AST_RESTRICT b10) {
  const int lane = threadIdx.x % 256;
  const int group = threadIdx.x / 256;
  AST_SHARED T shared[128];
  T *const stage = shared + (group) * 128;
  T *const sums = w0 + ((i64)(block0 + blockIdx.x) * 1 + group) * 8192;
  for (int i = threadIdx.x % 256; i < 8192; i += 256) sums[i] = 0;
  __syncthreads();
  const int k1 = (lane < 32 ? lane : 31) * 4;
  const int k2 = (lane < 32 ? lane : 31) * 4 + 1;
  const int k3 = (lane < 32 ? lane : 31) * 4 + 2;
  const int k4 = (lane < 32 ? lane : 31) * 4 + 3;
  const int k5 = lane / 32;
  const int k6 = lane % 32 * 4;
  T s18_0 = 0;
  const int k7 = 1 + lane % 32 * 4;
  T s18_1 = 0;
  const int k8 = 2 + lane % 32 * 4;
  T s18_2 = 0;
  const int k9 = 3 + lane % 32 * 4;
  T s18_3 = 0;
  const int k10 = lane / 32 + 8;
  T s18_4 = 0;
  T s18_5 = 0;
  T s18_6 = 0;
  T s18_7 = 0;
  const int k11 = lane / 32 + 16;
  T s18_8 = 0;
  T s18_9 = 0;
  T s18_10 = 0;
  T s18_11 = 0;
  const int k12 = lane / 32 + 24;
  T s18_12 = 0;
  T s18_13 = 0;
  T s18_14 = 0;
  T s18_15 = 0;
  const int k13 = lane / 32 + 32;
  T s18_16 = 0;
  T s18_17 = 0;
  T s18_18 = 0;
  T s18_19 = 0;
  const int k14 = lane / 32 + 40;
  T s18_20 = 0;
  T s18_21 = 0;
  T s18_22 = 0;
  T s18_23 = 0;
  const int k15 = lane / 32 + 48;
  T s18_24 = 0;
  T s18_25 = 0;
  T s18_26 = 0;
  T s18_27 = 0;
  const int k16 = lane / 32 + 56;
  T s18_28 = 0;
  T s18_29 = 0;
  T s18_30 = 0;
  T s18_31 = 0;
  const int k18 = (lane < 16 ? lane : 15) * 4;
  const int k20 = (lane < 16 ? lane : 15) * 4 + 1;
  const int k22 = (lane < 16 ? lane : 15) * 4 + 2;
  const int k24 = (lane < 16 ? lane : 15) * 4 + 3;
  const int k30 = lane * 4;
  const int k31 = lane * 4 + 1;
  const int k32 = lane * 4 + 2;
  const int k33 = lane * 4 + 3;
  const int k34 = lane * 4 + 1024;
  const int k35 = lane * 4 + 1025;
  const int k36 = lane * 4 + 1026;
  const int k37 = lane * 4 + 1027;
  const int k38 = lane * 4 + 2048;
  const int k39 = lane * 4 + 2049;
  const int k40 = lane * 4 + 2050;
  const int k41 = lane * 4 + 2051;
  const int k42 = lane * 4 + 3072;
  const int k43 = lane * 4 + 3073;
  const int k44 = lane * 4 + 3074;
  const int k45 = lane * 4 + 3075;
  const int k46 = lane * 4 + 4096;
  const int k47 = lane * 4 + 4097;
  const int k48 = lane * 4 + 4098;
  const int k49 = lane * 4 + 4099;
  const int k50 = lane * 4 + 5120;
  const int k51 = lane * 4 + 5121;
  const int k52 = lane * 4 + 5122;
  const int k53 = lane * 4 + 5123;
  const int k54 = lane * 4 + 6144;
  const int k55 = lane * 4 + 6145;
  const int k56 = lane * 4 + 6146;
  const int k57 = lane * 4 + 6147;
  const int k58 = lane * 4 + 7168;
  const int k59 = lane * 4 + 7169;
  const int k60 = lane * 4 + 7170;
  const int k61 = lane * 4 + 7171;
  for (int h = blockIdx.x * 1 + group; h < hubs; h += gridDim.x * 1) {
    T a10_0 = 0;
    T a10_1 = 0;
    T a10_2 = 0;
    T a10_3 = 0;
    for (int c = hub_first[h]; c < hub_first[h + 1]; c++) {
      a10_0 += w1[((i64)c * 4) * 256 + lane];
      a10_1 += w1[((i64)c * 4 + 1) * 256 + lane];
      a10_2 += w1[((i64)c * 4 + 2) * 256 + lane];
      a10_3 += w1[((i64)c * 4 + 3) * 256 + lane];
    }
    const int r = order[h];
    __syncthreads();
    if (lane < 32) stage[k1] = a10_0;
    if (lane < 32) stage[k2] = a10_1;
    if (lane < 32) stage[k3] = a10_2;
    if (lane < 32) stage[k4] = a10_3;
    __syncthreads();
    s18_0 += (b0 + (i64)r * 64)[k5] * stage[k6];
    s18_1 += (b0 + (i64)r * 64)[k5] * stage[k7];
    s18_2 += (b0 + (i64)r * 64)[k5] * stage[k8];
    s18_3 += (b0 + (i64)r * 64)[k5] * stage[k9];
    s18_4 += (b0 + (i64)r * 64)[k10] * stage[k6];
    s18_5 += (b0 + (i64)r * 64)[k10] * stage[k7];
    s18_6 += (b0 + (i64)r * 64)[k10] * stage[k8];
    s18_7 += (b0 + (i64)r * 64)[k10] * stage[k9];
    s18_8 += (b0 + (i64)r * 64)[k11] * stage[k6];
    s18_9 += (b0 + (i64)r * 64)[k11] * stage[k7];
    s18_10 += (b0 + (i64)r * 64)[k11] * stage[k8];
    s18_11 += (b0 + (i64)r * 64)[k11] * stage[k9];
    s18_12 += (b0 + (i64)r * 64)[k12] * stage[k6];
    s18_13 += (b0 + (i64)r * 64)[k12] * stage[k7];
    s18_14 += (b0 + (i64)r * 64)[k12] * stage[k8];
    s18_15 += (b0 + (i64)r * 64)[k12] * stage[k9];
    s18_16 += (b0 + (i64)r * 64)[k13] * stage[k6];
    s18_17 += (b0 + (i64)r * 64)[k13] * stage[k7];
    s18_18 += (b0 + (i64)r * 64)[k13] * stage[k8];
    s18_19 += (b0 + (i64)r * 64)[k13] * stage[k9];
    s18_20 += (b0 + (i64)r * 64)[k14] * stage[k6];
    s18_21 += (b0 + (i64)r * 64)[k14] * stage[k7];
    s18_22 += (b0 + (i64)r * 64)[k14] * stage[k8];
    s18_23 += (b0 + (i64)r * 64)[k14] * stage[k9];
    s18_24 += (b0 + (i64)r * 64)[k15] * stage[k6];
    s18_25 += (b0 + (i64)r * 64)[k15] * stage[k7];
    s18_26 += (b0 + (i64)r * 64)[k15] * stage[k8];
    s18_27 += (b0 + (i64)r * 64)[k15] * stage[k9];
    s18_28 += (b0 + (i64)r * 64)[k16] * stage[k6];
    s18_29 += (b0 + (i64)r * 64)[k16] * stage[k7];
    s18_30 += (b0 + (i64)r * 64)[k16] * stage[k8];
    s18_31 += (b0 + (i64)r * 64)[k16] * stage[k9];
    T v14_17 = 0;
    T v14_19 = 0;
    T v14_21 = 0;
    T v14_23 = 0;
    for (int j = 0; j < 128; j++) {
      v14_17 += stage[j] * ast_load(b4 + k18 + j * 64);
      v14_19 += stage[j] * ast_load(b4 + k20 + j * 64);
      v14_21 += stage[j] * ast_load(b4 + k22 + j * 64);
      v14_23 += stage[j] * ast_load(b4 + k24 + j * 64);
    }
    const T4 v15_25 = ast_load4(b10 + (i64)r * 64 + k18);
    T v16_26 = v14_17 + v15_25.x;
    T v16_27 = v14_19 + v15_25.y;
    T v16_28 = v14_21 + v15_25.z;
    T v16_29 = v14_23 + v15_25.w;
    if (lane < 16) ast_store4(b5 + (i64)r * 64 + k18, v16_26, v16_27, v16_28, v16_29);
  }
  sums[k30] = s18_0;
  sums[k31] = s18_1;
  sums[k32] = s18_2;
  sums[k33] = s18_3;
  sums[k34] = s18_4;
  sums[k35] = s18_5;
  sums[k36] = s18_6;
  sums[k37] = s18_7;
  sums[k38] = s18_8;
  sums[k39] = s18_9;
  sums[k40] = s18_10;
  sums[k41] = s18_11;
  sums[k42] = s18_12;
  sums[k43] = s18_13;
  sums[k44] = s18_14;
  sums[k45] = s18_15;
  sums[k46] = s18_16;
  sums[k47] = s18_17;
  sums[k48] = s18_18;
  sums[k49] = s18_19;
  sums[k50] = s18_20;
  sums[k51] = s18_21;
  sums[k52] = s18_22;
  sums[k53] = s18_23;
  sums[k54] = s18_24;
  sums[k55] = s18_25;
  sums[k56] = s18_26;
  sums[k57] = s18_27;
  sums[k58] = s18_28;
  sums[k59] = s18_29;
  sums[k60] = s18_30;
  sums[k61] = s18_31;
}

AST_KERNEL(rgcn_full_wide_backward_4_sum1)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 8192, 8192, out);
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
    const int r = (int)(i / 2048);
    const int k = (int)(i % 2048);
    T v21_1 = b9[(i64)r * 2048 + k];
    out6[(i64)r * 2048 + k] = v21_1;
  }
}
