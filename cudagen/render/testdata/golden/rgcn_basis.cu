
AST_KERNEL(rgcn_basis_wide_forward_0)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b0, const int *AST_RESTRICT neighbors, const int *AST_RESTRICT types, T *AST_RESTRICT b10) {
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
  T a12_0 = 0;
  T a12_1 = 0;
  T a12_2 = 0;
  T a12_3 = 0;
  T a12_4 = 0;
  T a12_5 = 0;
  T a12_6 = 0;
  T a12_7 = 0;
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
        a12_0 += e_type[q] == k3 ? v0_2[q].x : (T)0;
        a12_1 += e_type[q] == k3 ? v0_2[q].y : (T)0;
        a12_2 += e_type[q] == k3 ? v0_2[q].z : (T)0;
        a12_3 += e_type[q] == k3 ? v0_2[q].w : (T)0;
        a12_4 += e_type[q] == k4 ? v0_2[q].x : (T)0;
        a12_5 += e_type[q] == k4 ? v0_2[q].y : (T)0;
        a12_6 += e_type[q] == k4 ? v0_2[q].z : (T)0;
        a12_7 += e_type[q] == k4 ? v0_2[q].w : (T)0;
      }
    }
  }
  ast_store4(b10 + (i64)r * 256 + k5, a12_0, a12_1, a12_2, a12_3);
  ast_store4(b10 + (i64)r * 256 + k6, a12_4, a12_5, a12_6, a12_7);
}

AST_KERNEL(rgcn_basis_wide_forward_3)(int rows, const T *AST_RESTRICT b8, T *AST_RESTRICT out7) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 8192) {
    const int k = (int)(i % 8192);
    const int k1 = k / 2048 * 2048 + k / 64 % 32 + k % 64 * 32;
    T v15_2 = b8[k1];
    out7[k] = v15_2;
  }
}

AST_KERNEL(rgcn_basis_wide_forward_4)(int rows, T *AST_RESTRICT b6, const T *AST_RESTRICT b10, const int *AST_RESTRICT offsets, const int *AST_RESTRICT types, const T *AST_RESTRICT b8, const T *AST_RESTRICT b9, const T *AST_RESTRICT b5) {
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
  const T4 v12_2 = ast_load4(b10 + (i64)r * 256 + k1);
  T v6_3 = 0;
  for (int at = offsets[r]; at < offsets[r + 1]; at++) v6_3 += types[at] == k4;
  T v7_5 = 1 / v6_3;
  T v11_6 = v6_3 != 0 ? v7_5 : (T)0;
  T v13_7 = v12_2.x * v11_6;
  T v13_9 = v12_2.y * v11_6;
  T v13_11 = v12_2.z * v11_6;
  T v13_13 = v12_2.w * v11_6;
  const T4 v12_15 = ast_load4(b10 + (i64)r * 256 + k14);
  T v6_16 = 0;
  for (int at = offsets[r]; at < offsets[r + 1]; at++) v6_16 += types[at] == k17;
  T v7_18 = 1 / v6_16;
  T v11_19 = v6_16 != 0 ? v7_18 : (T)0;
  T v13_20 = v12_15.x * v11_19;
  T v13_22 = v12_15.y * v11_19;
  T v13_24 = v12_15.z * v11_19;
  T v13_26 = v12_15.w * v11_19;
  __syncwarp(0xffffffffu);
  stage[k1] = v13_7;
  stage[k8] = v13_9;
  stage[k10] = v13_11;
  stage[k12] = v13_13;
  stage[k14] = v13_20;
  stage[k21] = v13_22;
  stage[k23] = v13_24;
  stage[k25] = v13_26;
  __syncwarp(0xffffffffu);
  T v17_27 = 0;
  T v17_29 = 0;
  T v17_31 = 0;
  T v17_33 = 0;
  for (int j = 0; j < 256; j++) {
    v17_27 += stage[j] * ast_load(b8 + k28 + j * 32);
    v17_29 += stage[j] * ast_load(b8 + k30 + j * 32);
    v17_31 += stage[j] * ast_load(b8 + k32 + j * 32);
    v17_33 += stage[j] * ast_load(b8 + k34 + j * 32);
  }
  const T4 v20_35 = ast_load4(b9 + (i64)r * 32 + k28);
  T v21_36 = v17_27 + v20_35.x;
  const T4 v22_37 = ast_load4(b5 + k28);
  T v23_38 = v21_36 + v22_37.x;
  T v21_39 = v17_29 + v20_35.y;
  T v23_40 = v21_39 + v22_37.y;
  T v21_41 = v17_31 + v20_35.z;
  T v23_42 = v21_41 + v22_37.z;
  T v21_43 = v17_33 + v20_35.w;
  T v23_44 = v21_43 + v22_37.w;
  if (lane < 8) ast_store4(b6 + (i64)r * 32 + k28, v23_38, v23_40, v23_42, v23_44);
}

AST_KERNEL(rgcn_basis_wide_backward_0)(int rows, T *AST_RESTRICT b15, const int *AST_RESTRICT offsets, const int *AST_RESTRICT types) {
  const int group = threadIdx.x / 1;
  const int r = blockIdx.x * 128 + group;
  if (r >= rows) return;
  T v4_1 = 0;
  for (int at = offsets[r]; at < offsets[r + 1]; at++) v4_1 += types[at] == 0;
  T v5_2 = 1 / v4_1;
  T v4_3 = 0;
  for (int at = offsets[r]; at < offsets[r + 1]; at++) v4_3 += types[at] == 1;
  T v5_4 = 1 / v4_3;
  T v4_5 = 0;
  for (int at = offsets[r]; at < offsets[r + 1]; at++) v4_5 += types[at] == 2;
  T v5_6 = 1 / v4_5;
  T v4_7 = 0;
  for (int at = offsets[r]; at < offsets[r + 1]; at++) v4_7 += types[at] == 3;
  T v5_8 = 1 / v4_7;
  ast_store4(b15 + (i64)r * 4, v5_2, v5_4, v5_6, v5_8);
}

AST_KERNEL(rgcn_basis_wide_backward_1_parts)(int rows, int parts, T *AST_RESTRICT sums, const T *AST_RESTRICT b5) {
  const int part = blockIdx.x / 1, i = blockIdx.x % 1 * 256 + threadIdx.x;
  if (i >= 32) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 32 + i;
  T sum0 = 0;
  for (int n = begin; n < end; n++) {
    const int r = n;
    T v9_1 = b5[(i64)r * 32 + i];
    sum0 += v9_1;
  }
  to[0] = sum0;
}

AST_KERNEL(rgcn_basis_wide_backward_1_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 32, 32, out);
}

AST_KERNEL(rgcn_basis_wide_backward_4)(int rows, int hubs, T *AST_RESTRICT w0, int block0, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b5, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b15, const int *AST_RESTRICT types, const T *AST_RESTRICT b0, T *AST_RESTRICT b7, const T *AST_RESTRICT b6, const T *AST_RESTRICT b13) {
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
  T s21_0 = 0;
  const int k16 = 1 + lane % 32 * 4;
  T s21_1 = 0;
  const int k17 = 2 + lane % 32 * 4;
  T s21_2 = 0;
  const int k18 = 3 + lane % 32 * 4;
  T s21_3 = 0;
  const int k19 = lane / 32 + 8;
  T s21_4 = 0;
  T s21_5 = 0;
  T s21_6 = 0;
  T s21_7 = 0;
  const int k20 = lane / 32 + 16;
  T s21_8 = 0;
  T s21_9 = 0;
  T s21_10 = 0;
  T s21_11 = 0;
  const int k21 = lane / 32 + 24;
  T s21_12 = 0;
  T s21_13 = 0;
  T s21_14 = 0;
  T s21_15 = 0;
  const int k22 = lane / 32 + 32;
  T s21_16 = 0;
  T s21_17 = 0;
  T s21_18 = 0;
  T s21_19 = 0;
  const int k23 = lane / 32 + 40;
  T s21_20 = 0;
  T s21_21 = 0;
  T s21_22 = 0;
  T s21_23 = 0;
  const int k24 = lane / 32 + 48;
  T s21_24 = 0;
  T s21_25 = 0;
  T s21_26 = 0;
  T s21_27 = 0;
  const int k25 = lane / 32 + 56;
  T s21_28 = 0;
  T s21_29 = 0;
  T s21_30 = 0;
  T s21_31 = 0;
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
    T a13_0 = 0;
    T a13_1 = 0;
    T a13_2 = 0;
    T a13_3 = 0;
    for (int at = begin; at < end; at += 4) {
      int u[4];
      T4 v9_2[4];
      int e_type[4];
      T v5_3[4];
      AST_UNROLL
      for (int q = 0; q < 4; q++) {
        const int e = at + q < end ? at + q : end - 1;
        u[q] = ast_load(neighbors + e);
        v9_2[q] = ast_load4(b5 + (i64)u[q] * 32 + k1);
        e_type[q] = ast_load(types + e);
        v5_3[q] = ast_load(b15 + (i64)u[q] * 4 + e_type[q]);
      }
      AST_UNROLL
      for (int q = 0; q < 4; q++) {
        if (at + q < end) {
          T v6_4 = v5_3[q];
          T v12_5 = v9_2[q].x * v6_4;
          a13_0 += e_type[q] == k6 ? v12_5 : (T)0;
          T v12_7 = v9_2[q].y * v6_4;
          a13_1 += e_type[q] == k6 ? v12_7 : (T)0;
          T v12_8 = v9_2[q].z * v6_4;
          a13_2 += e_type[q] == k6 ? v12_8 : (T)0;
          T v12_9 = v9_2[q].w * v6_4;
          a13_3 += e_type[q] == k6 ? v12_9 : (T)0;
        }
      }
    }
    __syncthreads();
    if (lane < 32) stage[k10] = a13_0;
    if (lane < 32) stage[k11] = a13_1;
    if (lane < 32) stage[k12] = a13_2;
    if (lane < 32) stage[k13] = a13_3;
    __syncthreads();
    s21_0 += (b0 + (i64)r * 64)[k14] * stage[k15];
    s21_1 += (b0 + (i64)r * 64)[k14] * stage[k16];
    s21_2 += (b0 + (i64)r * 64)[k14] * stage[k17];
    s21_3 += (b0 + (i64)r * 64)[k14] * stage[k18];
    s21_4 += (b0 + (i64)r * 64)[k19] * stage[k15];
    s21_5 += (b0 + (i64)r * 64)[k19] * stage[k16];
    s21_6 += (b0 + (i64)r * 64)[k19] * stage[k17];
    s21_7 += (b0 + (i64)r * 64)[k19] * stage[k18];
    s21_8 += (b0 + (i64)r * 64)[k20] * stage[k15];
    s21_9 += (b0 + (i64)r * 64)[k20] * stage[k16];
    s21_10 += (b0 + (i64)r * 64)[k20] * stage[k17];
    s21_11 += (b0 + (i64)r * 64)[k20] * stage[k18];
    s21_12 += (b0 + (i64)r * 64)[k21] * stage[k15];
    s21_13 += (b0 + (i64)r * 64)[k21] * stage[k16];
    s21_14 += (b0 + (i64)r * 64)[k21] * stage[k17];
    s21_15 += (b0 + (i64)r * 64)[k21] * stage[k18];
    s21_16 += (b0 + (i64)r * 64)[k22] * stage[k15];
    s21_17 += (b0 + (i64)r * 64)[k22] * stage[k16];
    s21_18 += (b0 + (i64)r * 64)[k22] * stage[k17];
    s21_19 += (b0 + (i64)r * 64)[k22] * stage[k18];
    s21_20 += (b0 + (i64)r * 64)[k23] * stage[k15];
    s21_21 += (b0 + (i64)r * 64)[k23] * stage[k16];
    s21_22 += (b0 + (i64)r * 64)[k23] * stage[k17];
    s21_23 += (b0 + (i64)r * 64)[k23] * stage[k18];
    s21_24 += (b0 + (i64)r * 64)[k24] * stage[k15];
    s21_25 += (b0 + (i64)r * 64)[k24] * stage[k16];
    s21_26 += (b0 + (i64)r * 64)[k24] * stage[k17];
    s21_27 += (b0 + (i64)r * 64)[k24] * stage[k18];
    s21_28 += (b0 + (i64)r * 64)[k25] * stage[k15];
    s21_29 += (b0 + (i64)r * 64)[k25] * stage[k16];
    s21_30 += (b0 + (i64)r * 64)[k25] * stage[k17];
    s21_31 += (b0 + (i64)r * 64)[k25] * stage[k18];
    T v17_26 = 0;
    T v17_28 = 0;
    T v17_30 = 0;
    T v17_32 = 0;
    for (int j = 0; j < 128; j++) {
      v17_26 += stage[j] * ast_load(b6 + k27 + j * 64);
      v17_28 += stage[j] * ast_load(b6 + k29 + j * 64);
      v17_30 += stage[j] * ast_load(b6 + k31 + j * 64);
      v17_32 += stage[j] * ast_load(b6 + k33 + j * 64);
    }
    const T4 v18_34 = ast_load4(b13 + (i64)r * 64 + k27);
    T v19_35 = v17_26 + v18_34.x;
    T v19_36 = v17_28 + v18_34.y;
    T v19_37 = v17_30 + v18_34.z;
    T v19_38 = v17_32 + v18_34.w;
    if (lane < 16) ast_store4(b7 + (i64)r * 64 + k27, v19_35, v19_36, v19_37, v19_38);
  }
  sums[k39] = s21_0;
  sums[k40] = s21_1;
  sums[k41] = s21_2;
  sums[k42] = s21_3;
  sums[k43] = s21_4;
  sums[k44] = s21_5;
  sums[k45] = s21_6;
  sums[k46] = s21_7;
  sums[k47] = s21_8;
  sums[k48] = s21_9;
  sums[k49] = s21_10;
  sums[k50] = s21_11;
  sums[k51] = s21_12;
  sums[k52] = s21_13;
  sums[k53] = s21_14;
  sums[k54] = s21_15;
  sums[k55] = s21_16;
  sums[k56] = s21_17;
  sums[k57] = s21_18;
  sums[k58] = s21_19;
  sums[k59] = s21_20;
  sums[k60] = s21_21;
  sums[k61] = s21_22;
  sums[k62] = s21_23;
  sums[k63] = s21_24;
  sums[k64] = s21_25;
  sums[k65] = s21_26;
  sums[k66] = s21_27;
  sums[k67] = s21_28;
  sums[k68] = s21_29;
  sums[k69] = s21_30;
  sums[k70] = s21_31;
}

AST_KERNEL(rgcn_basis_wide_backward_4_sum1)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 8192, 8192, out);
}

AST_KERNEL(rgcn_basis_wide_backward_5)(int rows, const T *AST_RESTRICT b14, T *AST_RESTRICT out12) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 8192) {
    const int k = (int)(i % 8192);
    const int k1 = k / 2048 * 32 + k / 32 % 64 * 128 + k % 32;
    T v21_2 = b14[k1];
    out12[k] = v21_2;
  }
}
