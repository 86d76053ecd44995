
AST_KERNEL(rgcn_block_wide_forward_0)(int rows, const T *AST_RESTRICT b1, T *AST_RESTRICT out6, T *AST_RESTRICT out7) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 1024) {
    const int k = (int)(i % 1024);
    const int k1 = k / 128 * 32 + k / 32 % 4 * 256 + k / 8 % 4 + k % 8 * 4;
    T v3_2 = b1[k1];
    out6[k] = v3_2;
  }
  if (i < (i64)rows * 1024) {
    const int k = (int)(i % 1024);
    const int k3 = k / 128 * 32 + k / 16 % 8 * 4 + k / 4 % 4 * 256 + k % 4;
    T v3_4 = b1[k3];
    out7[k] = v3_4;
  }
}

AST_KERNEL(rgcn_block_wide_forward_2)(int rows, T *AST_RESTRICT out, const T *AST_RESTRICT b0, const T *AST_RESTRICT b7) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  const int column = (int)(i % 16), part = (int)(i / 16 % 8);
  const i64 first = i / 128 * 8;
  if (first >= rows) return;
  const T *x[8], *w[8];
  int row[8];
  bool same = true;
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    const int n = first + q < rows ? (int)first + q : rows - 1;
    const int r = n;
    row[q] = r;
    x[q] = b0 + (i64)r * 64 + part * 8;
    w[q] = b7 + part % 8 * 128 + column;
    same = same && w[q] == w[0];
  }
  T sum[8];
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    sum[q] = 0;
  }
  if (same) {
    for (int j = 0; j < 8; j += 4) {
      const T w0 = ast_load(w[0] + j * 16);
      const T w1 = ast_load(w[0] + j * 16 + 16);
      const T w2 = ast_load(w[0] + j * 16 + 32);
      const T w3 = ast_load(w[0] + j * 16 + 48);
      AST_UNROLL
      for (int q = 0; q < 8; q++) {
        const T4 a = ast_load4(x[q] + j);
        sum[q] += a.x * w0;
        sum[q] += a.y * w1;
        sum[q] += a.z * w2;
        sum[q] += a.w * w3;
      }
    }
  } else {
    AST_UNROLL
    for (int q = 0; q < 8; q++) {
      for (int j = 0; j < 8; j++) sum[q] += x[q][j] * w[q][j * 16];
    }
  }
  AST_UNROLL
  for (int q = 0; q < 8; q++) {
    if (first + q < rows) out[(i64)row[q] * 128 + part * 16 + column] = sum[q];
  }
}

AST_KERNEL(rgcn_block_wide_forward_3)(int rows, T *AST_RESTRICT b10, const T *AST_RESTRICT b8) {
  const int lane = threadIdx.x % 32;
  const int group = threadIdx.x / 32;
  const int k1 = lane / 8 * 4 + lane % 8 * 16;
  const int k3 = lane * 4;
  const int r = blockIdx.x * 4 + group;
  if (r >= rows) return;
  const T4 v6_2 = ast_load4(b8 + (i64)r * 128 + k1);
  ast_store4(b10 + (i64)r * 128 + k3, v6_2.x, v6_2.y, v6_2.z, v6_2.w);
}

AST_KERNEL(rgcn_block_wide_forward_4)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b10, const int *AST_RESTRICT neighbors, const int *AST_RESTRICT types, T *AST_RESTRICT b5, const T *AST_RESTRICT b9, const T *AST_RESTRICT b4) {
  const int lane = threadIdx.x % 8;
  const int slot = threadIdx.x / 8 % 2;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const u32 group_mask = 0xffffu << (threadIdx.x & 16u);
  const int p = hubs + blockIdx.x * 8 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  T v11_4 = 0;
  for (int at = offsets[r]; at < offsets[r + 1]; at++) v11_4 += types[at] == 0;
  T v12_5 = 1 / v11_4;
  T v11_6 = 0;
  for (int at = offsets[r]; at < offsets[r + 1]; at++) v11_6 += types[at] == 1;
  T v12_7 = 1 / v11_6;
  T v11_8 = 0;
  for (int at = offsets[r]; at < offsets[r + 1]; at++) v11_8 += types[at] == 2;
  T v12_9 = 1 / v11_8;
  T v11_10 = 0;
  for (int at = offsets[r]; at < offsets[r + 1]; at++) v11_10 += types[at] == 3;
  T v12_11 = 1 / v11_10;
  T a15_0 = 0;
  T a15_1 = 0;
  T a15_2 = 0;
  T a15_3 = 0;
  for (int at = begin + slot; at < end; at += 8) {
    int u[4];
    int e_type[4];
    T4 v8_2[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q * 2 < end ? at + q * 2 : end - 1;
      u[q] = ast_load(neighbors + e);
      e_type[q] = ast_load(types + e);
      v8_2[q] = ast_load4(b10 + (i64)u[q] * 128 + e_type[q] * 32 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q * 2 < end) {
        T v9_3 = v8_2[q].x;
        T v13_12 = (e_type[q] == 0 ? v12_5 : e_type[q] == 1 ? v12_7 : e_type[q] == 2 ? v12_9 : v12_11);
        T v14_13 = v9_3 * v13_12;
        a15_0 += v14_13;
        T v9_14 = v8_2[q].y;
        T v14_15 = v9_14 * v13_12;
        a15_1 += v14_15;
        T v9_16 = v8_2[q].z;
        T v14_17 = v9_16 * v13_12;
        a15_2 += v14_17;
        T v9_18 = v8_2[q].w;
        T v14_19 = v9_18 * v13_12;
        a15_3 += v14_19;
      }
    }
  }
  a15_0 += __shfl_xor_sync(group_mask, a15_0, 8);
  a15_1 += __shfl_xor_sync(group_mask, a15_1, 8);
  a15_2 += __shfl_xor_sync(group_mask, a15_2, 8);
  a15_3 += __shfl_xor_sync(group_mask, a15_3, 8);
  const T4 v18_20 = ast_load4(b9 + (i64)r * 32 + k1);
  T v19_21 = a15_0 + v18_20.x;
  const T4 v20_22 = ast_load4(b4 + k1);
  T v21_23 = v19_21 + v20_22.x;
  T v19_24 = a15_1 + v18_20.y;
  T v21_25 = v19_24 + v20_22.y;
  T v19_26 = a15_2 + v18_20.z;
  T v21_27 = v19_26 + v20_22.z;
  T v19_28 = a15_3 + v18_20.w;
  T v21_29 = v19_28 + v20_22.w;
  if (slot == 0) ast_store4(b5 + (i64)r * 32 + k1, v21_23, v21_25, v21_27, v21_29);
}

AST_KERNEL(rgcn_block_wide_backward_0)(int rows, T *AST_RESTRICT b12, const int *AST_RESTRICT offsets, const int *AST_RESTRICT types) {
  const int group = threadIdx.x / 1;
  const int r = blockIdx.x * 128 + group;
  if (r >= rows) return;
  T v2_1 = 0;
  for (int at = offsets[r]; at < offsets[r + 1]; at++) v2_1 += types[at] == 0;
  T v3_2 = 1 / v2_1;
  T v2_3 = 0;
  for (int at = offsets[r]; at < offsets[r + 1]; at++) v2_3 += types[at] == 1;
  T v3_4 = 1 / v2_3;
  T v2_5 = 0;
  for (int at = offsets[r]; at < offsets[r + 1]; at++) v2_5 += types[at] == 2;
  T v3_6 = 1 / v2_5;
  T v2_7 = 0;
  for (int at = offsets[r]; at < offsets[r + 1]; at++) v2_7 += types[at] == 3;
  T v3_8 = 1 / v2_7;
  ast_store4(b12 + (i64)r * 4, v3_2, v3_4, v3_6, v3_8);
}

AST_KERNEL(rgcn_block_wide_backward_1_parts)(int rows, int parts, T *AST_RESTRICT sums, const T *AST_RESTRICT b3) {
  const int part = blockIdx.x / 1, i = blockIdx.x % 1 * 256 + threadIdx.x;
  if (i >= 32) return;
  const int begin = (int)((i64)rows * part / parts), end = (int)((i64)rows * (part + 1) / parts);
  T *const to = sums + (i64)part * 32 + i;
  T sum0 = 0;
  for (int n = begin; n < end; n++) {
    const int r = n;
    T v7_1 = b3[(i64)r * 32 + i];
    sum0 += v7_1;
  }
  to[0] = sum0;
}

AST_KERNEL(rgcn_block_wide_backward_1_sum)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 1, 32, 32, out);
}

AST_KERNEL(rgcn_block_wide_backward_4)(int rows, int hubs, T *AST_RESTRICT w0, int block0, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b3, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b12, const int *AST_RESTRICT types, const T *AST_RESTRICT b0, T *AST_RESTRICT b5, const T *AST_RESTRICT b4, const T *AST_RESTRICT b10) {
  const int lane = threadIdx.x % 32;
  const int group = threadIdx.x / 32;
  AST_SHARED T shared[512];
  T *const stage = shared + (group) * 128;
  T *const sums = w0 + ((i64)(block0 + blockIdx.x) * 4 + group) * 1024;
  for (int i = threadIdx.x % 32; i < 1024; i += 32) sums[i] = 0;
  __syncwarp(0xffffffffu);
  const int k1 = lane / 4 * 4;
  const int k6 = lane % 4;
  const int k10 = lane * 4;
  const int k11 = lane * 4 + 1;
  const int k12 = lane * 4 + 2;
  const int k13 = lane * 4 + 3;
  const int k14 = lane / 4;
  const int k15 = lane % 4 * 4;
  T s22_0 = 0;
  const int k16 = 1 + lane % 4 * 4;
  T s22_1 = 0;
  const int k17 = 2 + lane % 4 * 4;
  T s22_2 = 0;
  const int k18 = 3 + lane % 4 * 4;
  T s22_3 = 0;
  const int k19 = lane / 4 + 8;
  const int k20 = 16 + lane % 4 * 4;
  T s22_4 = 0;
  const int k21 = 17 + lane % 4 * 4;
  T s22_5 = 0;
  const int k22 = 18 + lane % 4 * 4;
  T s22_6 = 0;
  const int k23 = 19 + lane % 4 * 4;
  T s22_7 = 0;
  const int k24 = lane / 4 + 16;
  const int k25 = 32 + lane % 4 * 4;
  T s22_8 = 0;
  const int k26 = 33 + lane % 4 * 4;
  T s22_9 = 0;
  const int k27 = 34 + lane % 4 * 4;
  T s22_10 = 0;
  const int k28 = 35 + lane % 4 * 4;
  T s22_11 = 0;
  const int k29 = lane / 4 + 24;
  const int k30 = 48 + lane % 4 * 4;
  T s22_12 = 0;
  const int k31 = 49 + lane % 4 * 4;
  T s22_13 = 0;
  const int k32 = 50 + lane % 4 * 4;
  T s22_14 = 0;
  const int k33 = 51 + lane % 4 * 4;
  T s22_15 = 0;
  const int k34 = lane / 4 + 32;
  const int k35 = 64 + lane % 4 * 4;
  T s22_16 = 0;
  const int k36 = 65 + lane % 4 * 4;
  T s22_17 = 0;
  const int k37 = 66 + lane % 4 * 4;
  T s22_18 = 0;
  const int k38 = 67 + lane % 4 * 4;
  T s22_19 = 0;
  const int k39 = lane / 4 + 40;
  const int k40 = 80 + lane % 4 * 4;
  T s22_20 = 0;
  const int k41 = 81 + lane % 4 * 4;
  T s22_21 = 0;
  const int k42 = 82 + lane % 4 * 4;
  T s22_22 = 0;
  const int k43 = 83 + lane % 4 * 4;
  T s22_23 = 0;
  const int k44 = lane / 4 + 48;
  const int k45 = 96 + lane % 4 * 4;
  T s22_24 = 0;
  const int k46 = 97 + lane % 4 * 4;
  T s22_25 = 0;
  const int k47 = 98 + lane % 4 * 4;
  T s22_26 = 0;
  const int k48 = 99 + lane % 4 * 4;
  T s22_27 = 0;
  const int k49 = lane / 4 + 56;
  const int k50 = 112 + lane % 4 * 4;
  T s22_28 = 0;
  const int k51 = 113 + lane % 4 * 4;
  T s22_29 = 0;
  const int k52 = 114 + lane % 4 * 4;
  T s22_30 = 0;
  const int k53 = 115 + lane % 4 * 4;
  T s22_31 = 0;
  const int k55 = (lane < 16 ? lane : 15) / 2 * 16;
  const int k56 = (lane < 16 ? lane : 15) / 2 * 128 + (lane < 16 ? lane : 15) % 2 * 4;
  const int k58 = (lane < 16 ? lane : 15) / 2 * 128 + 1 + (lane < 16 ? lane : 15) % 2 * 4;
  const int k60 = (lane < 16 ? lane : 15) / 2 * 128 + 2 + (lane < 16 ? lane : 15) % 2 * 4;
  const int k62 = (lane < 16 ? lane : 15) / 2 * 128 + 3 + (lane < 16 ? lane : 15) % 2 * 4;
  const int k63 = (lane < 16 ? lane : 15) * 4;
  const int k69 = lane * 4 + 128;
  const int k70 = lane * 4 + 129;
  const int k71 = lane * 4 + 130;
  const int k72 = lane * 4 + 131;
  const int k73 = lane * 4 + 256;
  const int k74 = lane * 4 + 257;
  const int k75 = lane * 4 + 258;
  const int k76 = lane * 4 + 259;
  const int k77 = lane * 4 + 384;
  const int k78 = lane * 4 + 385;
  const int k79 = lane * 4 + 386;
  const int k80 = lane * 4 + 387;
  const int k81 = lane * 4 + 512;
  const int k82 = lane * 4 + 513;
  const int k83 = lane * 4 + 514;
  const int k84 = lane * 4 + 515;
  const int k85 = lane * 4 + 640;
  const int k86 = lane * 4 + 641;
  const int k87 = lane * 4 + 642;
  const int k88 = lane * 4 + 643;
  const int k89 = lane * 4 + 768;
  const int k90 = lane * 4 + 769;
  const int k91 = lane * 4 + 770;
  const int k92 = lane * 4 + 771;
  const int k93 = lane * 4 + 896;
  const int k94 = lane * 4 + 897;
  const int k95 = lane * 4 + 898;
  const int k96 = lane * 4 + 899;
  for (int p = hubs + blockIdx.x * 4 + group; p < rows; p += gridDim.x * 4) {
    const int r = order[p];
    const int begin = offsets[r];
    const int end = offsets[r + 1];
    T a12_0 = 0;
    T a12_1 = 0;
    T a12_2 = 0;
    T a12_3 = 0;
    for (int at = begin; at < end; at += 4) {
      int u[4];
      T4 v7_2[4];
      int e_type[4];
      T v3_3[4];
      AST_UNROLL
      for (int q = 0; q < 4; q++) {
        const int e = at + q < end ? at + q : end - 1;
        u[q] = ast_load(neighbors + e);
        v7_2[q] = ast_load4(b3 + (i64)u[q] * 32 + k1);
        e_type[q] = ast_load(types + e);
        v3_3[q] = ast_load(b12 + (i64)u[q] * 4 + e_type[q]);
      }
      AST_UNROLL
      for (int q = 0; q < 4; q++) {
        if (at + q < end) {
          T v4_4 = v3_3[q];
          T v10_5 = v7_2[q].x * v4_4;
          a12_0 += e_type[q] == k6 ? v10_5 : (T)0;
          T v10_7 = v7_2[q].y * v4_4;
          a12_1 += e_type[q] == k6 ? v10_7 : (T)0;
          T v10_8 = v7_2[q].z * v4_4;
          a12_2 += e_type[q] == k6 ? v10_8 : (T)0;
          T v10_9 = v7_2[q].w * v4_4;
          a12_3 += e_type[q] == k6 ? v10_9 : (T)0;
        }
      }
    }
    __syncwarp(0xffffffffu);
    stage[k10] = a12_0;
    stage[k11] = a12_1;
    stage[k12] = a12_2;
    stage[k13] = a12_3;
    __syncwarp(0xffffffffu);
    s22_0 += (b0 + (i64)r * 64)[k14] * stage[k15];
    s22_1 += (b0 + (i64)r * 64)[k14] * stage[k16];
    s22_2 += (b0 + (i64)r * 64)[k14] * stage[k17];
    s22_3 += (b0 + (i64)r * 64)[k14] * stage[k18];
    s22_4 += (b0 + (i64)r * 64)[k19] * stage[k20];
    s22_5 += (b0 + (i64)r * 64)[k19] * stage[k21];
    s22_6 += (b0 + (i64)r * 64)[k19] * stage[k22];
    s22_7 += (b0 + (i64)r * 64)[k19] * stage[k23];
    s22_8 += (b0 + (i64)r * 64)[k24] * stage[k25];
    s22_9 += (b0 + (i64)r * 64)[k24] * stage[k26];
    s22_10 += (b0 + (i64)r * 64)[k24] * stage[k27];
    s22_11 += (b0 + (i64)r * 64)[k24] * stage[k28];
    s22_12 += (b0 + (i64)r * 64)[k29] * stage[k30];
    s22_13 += (b0 + (i64)r * 64)[k29] * stage[k31];
    s22_14 += (b0 + (i64)r * 64)[k29] * stage[k32];
    s22_15 += (b0 + (i64)r * 64)[k29] * stage[k33];
    s22_16 += (b0 + (i64)r * 64)[k34] * stage[k35];
    s22_17 += (b0 + (i64)r * 64)[k34] * stage[k36];
    s22_18 += (b0 + (i64)r * 64)[k34] * stage[k37];
    s22_19 += (b0 + (i64)r * 64)[k34] * stage[k38];
    s22_20 += (b0 + (i64)r * 64)[k39] * stage[k40];
    s22_21 += (b0 + (i64)r * 64)[k39] * stage[k41];
    s22_22 += (b0 + (i64)r * 64)[k39] * stage[k42];
    s22_23 += (b0 + (i64)r * 64)[k39] * stage[k43];
    s22_24 += (b0 + (i64)r * 64)[k44] * stage[k45];
    s22_25 += (b0 + (i64)r * 64)[k44] * stage[k46];
    s22_26 += (b0 + (i64)r * 64)[k44] * stage[k47];
    s22_27 += (b0 + (i64)r * 64)[k44] * stage[k48];
    s22_28 += (b0 + (i64)r * 64)[k49] * stage[k50];
    s22_29 += (b0 + (i64)r * 64)[k49] * stage[k51];
    s22_30 += (b0 + (i64)r * 64)[k49] * stage[k52];
    s22_31 += (b0 + (i64)r * 64)[k49] * stage[k53];
    T v17_54 = 0;
    T v17_57 = 0;
    T v17_59 = 0;
    T v17_61 = 0;
    for (int j = 0; j < 16; j++) {
      v17_54 += stage[k55 + j] * ast_load(b4 + k56 + j * 8);
      v17_57 += stage[k55 + j] * ast_load(b4 + k58 + j * 8);
      v17_59 += stage[k55 + j] * ast_load(b4 + k60 + j * 8);
      v17_61 += stage[k55 + j] * ast_load(b4 + k62 + j * 8);
    }
    const T4 v19_64 = ast_load4(b10 + (i64)r * 64 + k63);
    T v20_65 = v17_54 + v19_64.x;
    T v20_66 = v17_57 + v19_64.y;
    T v20_67 = v17_59 + v19_64.z;
    T v20_68 = v17_61 + v19_64.w;
    if (lane < 16) ast_store4(b5 + (i64)r * 64 + k63, v20_65, v20_66, v20_67, v20_68);
  }
  sums[k10] = s22_0;
  sums[k11] = s22_1;
  sums[k12] = s22_2;
  sums[k13] = s22_3;
  sums[k69] = s22_4;
  sums[k70] = s22_5;
  sums[k71] = s22_6;
  sums[k72] = s22_7;
  sums[k73] = s22_8;
  sums[k74] = s22_9;
  sums[k75] = s22_10;
  sums[k76] = s22_11;
  sums[k77] = s22_12;
  sums[k78] = s22_13;
  sums[k79] = s22_14;
  sums[k80] = s22_15;
  sums[k81] = s22_16;
  sums[k82] = s22_17;
  sums[k83] = s22_18;
  sums[k84] = s22_19;
  sums[k85] = s22_20;
  sums[k86] = s22_21;
  sums[k87] = s22_22;
  sums[k88] = s22_23;
  sums[k89] = s22_24;
  sums[k90] = s22_25;
  sums[k91] = s22_26;
  sums[k92] = s22_27;
  sums[k93] = s22_28;
  sums[k94] = s22_29;
  sums[k95] = s22_30;
  sums[k96] = s22_31;
}

AST_KERNEL(rgcn_block_wide_backward_4_sum1)(const T *AST_RESTRICT sums, int blocks, T *AST_RESTRICT out) {
  ast_sum(sums + 0, blocks * 4, 1024, 1024, out);
}

AST_KERNEL(rgcn_block_wide_backward_5)(int rows, const T *AST_RESTRICT b11, T *AST_RESTRICT out9) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 1024) {
    const int k = (int)(i % 1024);
    const int k1 = k / 256 * 4 + k / 32 % 8 * 128 + k / 4 % 8 * 16 + k % 4;
    T v22_2 = b11[k1];
    out9[k] = v22_2;
  }
}

AST_KERNEL(rgcn_block_wide_backward_6)(int rows, const T *AST_RESTRICT b9, T *AST_RESTRICT out6) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 256) {
    const int r = (int)(i / 256);
    const int k = (int)(i % 256);
    T v25_1 = b9[(i64)r * 256 + k];
    out6[(i64)r * 256 + k] = v25_1;
  }
}
