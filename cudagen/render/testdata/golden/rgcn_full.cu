
AST_KERNEL(rgcn_full_wide_forward_0)(int rows, const T *AST_RESTRICT b1, T *AST_RESTRICT out6) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 8192) {
    const int k = (int)(i % 8192);
    const int k1 = k / 2048 * 2048 + k / 64 % 32 + k % 64 * 32;
    T v11_2 = b1[k1];
    out6[k] = v11_2;
  }
}

AST_KERNEL(rgcn_full_wide_forward_1)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const int *AST_RESTRICT types, T *AST_RESTRICT b7, const T *AST_RESTRICT b0, const int *AST_RESTRICT neighbors) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k8 = lane * 4;
  const int p = hubs + blockIdx.x * 8 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  int type1 = 0;
  int begun1 = begin;
  T a8_0 = 0;
  T a8_1 = 0;
  T a8_2 = 0;
  T a8_3 = 0;
  for (int at = begin; at < end; at += 4) {
    int e_type[4];
    int u[4];
    T4 v0_9[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q < end ? at + q : end - 1;
      e_type[q] = ast_load(types + e);
      u[q] = ast_load(neighbors + e);
      v0_9[q] = ast_load4(b0 + (i64)u[q] * 64 + k8);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q < end) {
        AST_ROLLED
        for (; type1 < e_type[q]; type1++) {
          T v2_1 = (T)(at + q - begun1);
          T v3_2 = 1 / v2_1;
          T v7_3 = v2_1 != 0 ? v3_2 : (T)0;
          T v9_4 = a8_0 * v7_3;
          T v9_5 = a8_1 * v7_3;
          T v9_6 = a8_2 * v7_3;
          T v9_7 = a8_3 * v7_3;
          ast_store4(b7 + (i64)r * 256 + type1 * 64 + k8, v9_4, v9_5, v9_6, v9_7);
          a8_0 = 0;
          a8_1 = 0;
          a8_2 = 0;
          a8_3 = 0;
          begun1 = at + q;
        }
        a8_0 += v0_9[q].x;
        a8_1 += v0_9[q].y;
        a8_2 += v0_9[q].z;
        a8_3 += v0_9[q].w;
      }
    }
  }
  AST_ROLLED
  for (; type1 < 4; type1++) {
    T v2_10 = (T)(end - begun1);
    T v3_11 = 1 / v2_10;
    T v7_12 = v2_10 != 0 ? v3_11 : (T)0;
    T v9_13 = a8_0 * v7_12;
    T v9_14 = a8_1 * v7_12;
    T v9_15 = a8_2 * v7_12;
    T v9_16 = a8_3 * v7_12;
    ast_store4(b7 + (i64)r * 256 + type1 * 64 + k8, v9_13, v9_14, v9_15, v9_16);
    a8_0 = 0;
    a8_1 = 0;
    a8_2 = 0;
    a8_3 = 0;
    begun1 = end;
  }
}

AST_KERNEL(rgcn_full_wide_forward_1_chunks1)(int chunks, const int *AST_RESTRICT chunk_hub, const int *AST_RESTRICT chunk_begin, const int *AST_RESTRICT hub_first, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b0, const int *AST_RESTRICT neighbors, T *AST_RESTRICT w0) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int c = blockIdx.x * 8 + group;
  if (c >= chunks) return;
  const int h = chunk_hub[c];
  const int r = order[h];
  const int begin = chunk_begin[c], end = c + 1 < hub_first[h + 1] ? chunk_begin[c + 1] : offsets[r + 1];
  T a8_0 = 0;
  T a8_1 = 0;
  T a8_2 = 0;
  T a8_3 = 0;
  for (int at = begin; at < end; at += 4) {
    int u[4];
    T4 v0_2[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q < end ? at + q : end - 1;
      u[q] = ast_load(neighbors + e);
      v0_2[q] = ast_load4(b0 + (i64)u[q] * 64 + k1);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q < end) {
        a8_0 += v0_2[q].x;
        a8_1 += v0_2[q].y;
        a8_2 += v0_2[q].z;
        a8_3 += v0_2[q].w;
      }
    }
  }
  w0[((i64)c * 4) * 16 + lane] = a8_0;
  w0[((i64)c * 4 + 1) * 16 + lane] = a8_1;
  w0[((i64)c * 4 + 2) * 16 + lane] = a8_2;
  w0[((i64)c * 4 + 3) * 16 + lane] = a8_3;
}

AST_KERNEL(rgcn_full_wide_forward_1_end)(int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const int *AST_RESTRICT chunk_begin, const int *AST_RESTRICT types, T *AST_RESTRICT b7, T *AST_RESTRICT w0, const int *AST_RESTRICT hub_first) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k8 = lane * 4;
  const int h = blockIdx.x * 8 + group;
  if (h >= hubs) return;
  T a8_0 = 0;
  T a8_1 = 0;
  T a8_2 = 0;
  T a8_3 = 0;
  const int r = order[h];
  int type1 = 0;
  int begun1 = offsets[r];
  for (int c = hub_first[h], last = hub_first[h + 1]; c < last; c += 4) {
    int begins[4];
    int typed[4];
    T o0[4];
    T o1[4];
    T o2[4];
    T o3[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int k = c + q < last ? c + q : last - 1;
      begins[q] = chunk_begin[k];
      typed[q] = types[begins[q]];
      o0[q] = w0[((i64)k * 4) * 16 + lane];
      o1[q] = w0[((i64)k * 4 + 1) * 16 + lane];
      o2[q] = w0[((i64)k * 4 + 2) * 16 + lane];
      o3[q] = w0[((i64)k * 4 + 3) * 16 + lane];
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (c + q < last) {
        AST_ROLLED
        for (; type1 < typed[q]; type1++) {
          T v2_1 = (T)(begins[q] - begun1);
          T v3_2 = 1 / v2_1;
          T v7_3 = v2_1 != 0 ? v3_2 : (T)0;
          T v9_4 = a8_0 * v7_3;
          T v9_5 = a8_1 * v7_3;
          T v9_6 = a8_2 * v7_3;
          T v9_7 = a8_3 * v7_3;
          ast_store4(b7 + (i64)r * 256 + type1 * 64 + k8, v9_4, v9_5, v9_6, v9_7);
          a8_0 = 0;
          a8_1 = 0;
          a8_2 = 0;
          a8_3 = 0;
          begun1 = begins[q];
        }
        a8_0 += o0[q];
        a8_1 += o1[q];
        a8_2 += o2[q];
        a8_3 += o3[q];
      }
    }
  }
  AST_ROLLED
  for (; type1 < 4; type1++) {
    T v2_9 = (T)(offsets[r + 1] - begun1);
    T v3_10 = 1 / v2_9;
    T v7_11 = v2_9 != 0 ? v3_10 : (T)0;
    T v9_12 = a8_0 * v7_11;
    T v9_13 = a8_1 * v7_11;
    T v9_14 = a8_2 * v7_11;
    T v9_15 = a8_3 * v7_11;
    ast_store4(b7 + (i64)r * 256 + type1 * 64 + k8, v9_12, v9_13, v9_14, v9_15);
    a8_0 = 0;
    a8_1 = 0;
    a8_2 = 0;
    a8_3 = 0;
    begun1 = offsets[r + 1];
  }
}

AST_KERNEL(rgcn_full_wide_forward_4)(int rows, T *AST_RESTRICT b5, const T *AST_RESTRICT b8, const T *AST_RESTRICT b9, const T *AST_RESTRICT b4) {
  const int lane = threadIdx.x % 8;
  const int group = threadIdx.x / 8;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 16 + group;
  if (r >= rows) return;
  const T4 v13_2 = ast_load4(b8 + (i64)r * 32 + k1);
  const T4 v16_3 = ast_load4(b9 + (i64)r * 32 + k1);
  T v17_4 = v13_2.x + v16_3.x;
  const T4 v18_5 = ast_load4(b4 + k1);
  T v19_6 = v17_4 + v18_5.x;
  T v17_7 = v13_2.y + v16_3.y;
  T v19_8 = v17_7 + v18_5.y;
  T v17_9 = v13_2.z + v16_3.z;
  T v19_10 = v17_9 + v18_5.z;
  T v17_11 = v13_2.w + v16_3.w;
  T v19_12 = v17_11 + v18_5.w;
  ast_store4(b5 + (i64)r * 32 + k1, v19_6, v19_8, v19_10, v19_12);
}

AST_KERNEL(rgcn_full_wide_backward_0)(int rows, T *AST_RESTRICT b14, const int *AST_RESTRICT offsets, const int *AST_RESTRICT types) {
  const int group = threadIdx.x / 1;
  const int r = blockIdx.x * 128 + group;
  if (r >= rows) return;
  T v1_1 = (T)ast_count(types, offsets[r], offsets[r + 1], 0);
  T v2_2 = 1 / v1_1;
  T v1_3 = (T)ast_count(types, offsets[r], offsets[r + 1], 1);
  T v2_4 = 1 / v1_3;
  T v1_5 = (T)ast_count(types, offsets[r], offsets[r + 1], 2);
  T v2_6 = 1 / v1_5;
  T v1_7 = (T)ast_count(types, offsets[r], offsets[r + 1], 3);
  T v2_8 = 1 / v1_7;
  ast_store4(b14 + (i64)r * 4, v2_2, v2_4, v2_6, v2_8);
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

AST_KERNEL(rgcn_full_wide_backward_4)(int rows, int hubs, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const int *AST_RESTRICT types, T *AST_RESTRICT b10, const T *AST_RESTRICT b3, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b14) {
  const int lane = threadIdx.x % 8;
  const int group = threadIdx.x / 8;
  const int k1 = lane * 4;
  const int p = hubs + blockIdx.x * 16 + group;
  if (p >= rows) return;
  const int r = order[p];
  const int begin = offsets[r];
  const int end = offsets[r + 1];
  int type1 = 0;
  T a10_0 = 0;
  T a10_1 = 0;
  T a10_2 = 0;
  T a10_3 = 0;
  for (int at = begin; at < end; at += 4) {
    int e_type[4];
    int u[4];
    T4 v6_2[4];
    T v2_3[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int e = at + q < end ? at + q : end - 1;
      e_type[q] = ast_load(types + e);
      u[q] = ast_load(neighbors + e);
      v6_2[q] = ast_load4(b3 + (i64)u[q] * 32 + k1);
      v2_3[q] = ast_load(b14 + (i64)u[q] * 4 + e_type[q]);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q < end) {
        AST_ROLLED
        for (; type1 < e_type[q]; type1++) {
          ast_store4(b10 + (i64)r * 128 + type1 * 32 + k1, a10_0, a10_1, a10_2, a10_3);
          a10_0 = 0;
          a10_1 = 0;
          a10_2 = 0;
          a10_3 = 0;
        }
        T v3_4 = v2_3[q];
        T v9_5 = v6_2[q].x * v3_4;
        a10_0 += v9_5;
        T v9_6 = v6_2[q].y * v3_4;
        a10_1 += v9_6;
        T v9_7 = v6_2[q].z * v3_4;
        a10_2 += v9_7;
        T v9_8 = v6_2[q].w * v3_4;
        a10_3 += v9_8;
      }
    }
  }
  AST_ROLLED
  for (; type1 < 4; type1++) {
    ast_store4(b10 + (i64)r * 128 + type1 * 32 + k1, a10_0, a10_1, a10_2, a10_3);
    a10_0 = 0;
    a10_1 = 0;
    a10_2 = 0;
    a10_3 = 0;
  }
}

AST_KERNEL(rgcn_full_wide_backward_4_chunks1)(int chunks, const int *AST_RESTRICT chunk_hub, const int *AST_RESTRICT chunk_begin, const int *AST_RESTRICT hub_first, const int *AST_RESTRICT offsets, const int *AST_RESTRICT order, const T *AST_RESTRICT b3, const int *AST_RESTRICT neighbors, const T *AST_RESTRICT b14, const int *AST_RESTRICT types, T *AST_RESTRICT w0) {
  const int lane = threadIdx.x % 8;
  const int group = threadIdx.x / 8;
  const int k1 = lane * 4;
  const int c = blockIdx.x * 16 + group;
  if (c >= chunks) return;
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
      v2_3[q] = ast_load(b14 + (i64)u[q] * 4 + e_type[q]);
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (at + q < end) {
        T v3_4 = v2_3[q];
        T v9_5 = v6_2[q].x * v3_4;
        a10_0 += v9_5;
        T v9_6 = v6_2[q].y * v3_4;
        a10_1 += v9_6;
        T v9_7 = v6_2[q].z * v3_4;
        a10_2 += v9_7;
        T v9_8 = v6_2[q].w * v3_4;
        a10_3 += v9_8;
      }
    }
  }
  w0[((i64)c * 4) * 8 + lane] = a10_0;
  w0[((i64)c * 4 + 1) * 8 + lane] = a10_1;
  w0[((i64)c * 4 + 2) * 8 + lane] = a10_2;
  w0[((i64)c * 4 + 3) * 8 + lane] = a10_3;
}

AST_KERNEL(rgcn_full_wide_backward_4_end)(int hubs, const int *AST_RESTRICT chunk_begin, const int *AST_RESTRICT types, const int *AST_RESTRICT order, T *AST_RESTRICT b10, T *AST_RESTRICT w0, const int *AST_RESTRICT hub_first) {
  const int lane = threadIdx.x % 8;
  const int group = threadIdx.x / 8;
  const int k1 = lane * 4;
  const int h = blockIdx.x * 16 + group;
  if (h >= hubs) return;
  T a10_0 = 0;
  T a10_1 = 0;
  T a10_2 = 0;
  T a10_3 = 0;
  int type1 = 0;
  const int r = order[h];
  for (int c = hub_first[h], last = hub_first[h + 1]; c < last; c += 4) {
    int begins[4];
    int typed[4];
    T o0[4];
    T o1[4];
    T o2[4];
    T o3[4];
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      const int k = c + q < last ? c + q : last - 1;
      begins[q] = chunk_begin[k];
      typed[q] = types[begins[q]];
      o0[q] = w0[((i64)k * 4) * 8 + lane];
      o1[q] = w0[((i64)k * 4 + 1) * 8 + lane];
      o2[q] = w0[((i64)k * 4 + 2) * 8 + lane];
      o3[q] = w0[((i64)k * 4 + 3) * 8 + lane];
    }
    AST_UNROLL
    for (int q = 0; q < 4; q++) {
      if (c + q < last) {
        AST_ROLLED
        for (; type1 < typed[q]; type1++) {
          ast_store4(b10 + (i64)r * 128 + type1 * 32 + k1, a10_0, a10_1, a10_2, a10_3);
          a10_0 = 0;
          a10_1 = 0;
          a10_2 = 0;
          a10_3 = 0;
        }
        a10_0 += o0[q];
        a10_1 += o1[q];
        a10_2 += o2[q];
        a10_3 += o3[q];
      }
    }
  }
  AST_ROLLED
  for (; type1 < 4; type1++) {
    ast_store4(b10 + (i64)r * 128 + type1 * 32 + k1, a10_0, a10_1, a10_2, a10_3);
    a10_0 = 0;
    a10_1 = 0;
    a10_2 = 0;
    a10_3 = 0;
  }
}

AST_KERNEL(rgcn_full_wide_backward_7)(int rows, const T *AST_RESTRICT b13, T *AST_RESTRICT out9) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 8192) {
    const int k = (int)(i % 8192);
    const int k1 = k / 2048 * 32 + k / 32 % 64 * 128 + k % 32;
    T v18_2 = b13[k1];
    out9[k] = v18_2;
  }
}

AST_KERNEL(rgcn_full_wide_backward_8)(int rows, T *AST_RESTRICT b5, const T *AST_RESTRICT b12, const T *AST_RESTRICT b11) {
  const int lane = threadIdx.x % 16;
  const int group = threadIdx.x / 16;
  const int k1 = lane * 4;
  const int r = blockIdx.x * 8 + group;
  if (r >= rows) return;
  const T4 v14_2 = ast_load4(b12 + (i64)r * 64 + k1);
  const T4 v15_3 = ast_load4(b11 + (i64)r * 64 + k1);
  T v16_4 = v14_2.x + v15_3.x;
  T v16_5 = v14_2.y + v15_3.y;
  T v16_6 = v14_2.z + v15_3.z;
  T v16_7 = v14_2.w + v15_3.w;
  ast_store4(b5 + (i64)r * 64 + k1, v16_4, v16_5, v16_6, v16_7);
}

AST_KERNEL(rgcn_full_wide_backward_9)(int rows, const T *AST_RESTRICT b9, T *AST_RESTRICT out6) {
  const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
  if (i < (i64)rows * 2048) {
    const int r = (int)(i / 2048);
    const int k = (int)(i % 2048);
    T v21_1 = b9[(i64)r * 2048 + k];
    out6[(i64)r * 2048 + k] = v21_1;
  }
}
