// Softmax, layer normalisation and their gradients: a group takes a row of n elements.

#define EACH_ROW                                                                               \
  for (i64 r0 = (i64)blockIdx.x * GROUPS; r0 < rows; r0 += (i64)gridDim.x * GROUPS) {          \
    const i64 r = r0 + group_of();                                                             \
    const i64 from = r * n + lane_of(), to = r < rows ? (r + 1) * n : 0; /* none past the end */
#define END_ROW }

#if SOFTMAX || LOGSOFTMAX
AST_KERNEL(k)(const T *AST_RESTRICT x, T *AST_RESTRICT y, i64 rows, i64 n) {
  EACH_ROW
    T top = -INFINITE;
    for (i64 i = from; i < to; i += G) top = e_max(top, x[i]);
    top = group_fold<Larger>(top);
    T sum = 0;
    for (i64 i = from; i < to; i += G) sum += m_exp(x[i] - top);
    sum = group_fold<Add>(sum);
#if SOFTMAX
    for (i64 i = from; i < to; i += G) y[i] = m_exp(x[i] - top) / sum;
#else
    sum = m_log(sum);
    for (i64 i = from; i < to; i += G) y[i] = (x[i] - top) - sum;  // top + sum would lose digits
#endif
  END_ROW
}
#endif

#if SOFTMAXGRAD || LOGSOFTMAXGRAD
AST_KERNEL(k)(const T *AST_RESTRICT g, const T *AST_RESTRICT y, T *AST_RESTRICT out, i64 rows, i64 n) {
  EACH_ROW
    T sum = 0;
#if SOFTMAXGRAD
    for (i64 i = from; i < to; i += G) sum += g[i] * y[i];
    sum = group_fold<Add>(sum);
    for (i64 i = from; i < to; i += G) out[i] = y[i] * (g[i] - sum);
#else
    for (i64 i = from; i < to; i += G) sum += g[i];
    sum = group_fold<Add>(sum);
    for (i64 i = from; i < to; i += G) out[i] = g[i] - m_exp(y[i]) * sum;
#endif
  END_ROW
}
#endif

#if LAYERNORM
AST_KERNEL(k)(const T *AST_RESTRICT x, T *AST_RESTRICT y, T *AST_RESTRICT means, T *AST_RESTRICT scales, T eps, i64 rows, i64 n) {
  EACH_ROW
    T sum = 0;
    for (i64 i = from; i < to; i += G) sum += x[i];
    T mean = group_fold<Add>(sum) / (T)n;
    T rest = 0, squares = 0;  // the mean was rounded: see NormRows in tensor/kern
    for (i64 i = from; i < to; i += G) rest += x[i] - mean, squares += (x[i] - mean) * (x[i] - mean);
    rest = group_fold<Add>(rest);
    const T error = rest / (T)n, spread = group_fold<Add>(squares) - rest * error;
    mean += error;
    const T scale = 1 / m_sqrt((spread < 0 ? 0 : spread) / (T)n + eps);
    for (i64 i = from; i < to; i += G) y[i] = (x[i] - mean) * scale;
    if (r < rows && lane_of() == 0) means[r] = mean, scales[r] = scale;
  END_ROW
}
#endif

#if LAYERNORMGRAD
AST_KERNEL(k)(const T *AST_RESTRICT g, const T *AST_RESTRICT x, const T *AST_RESTRICT means, const T *AST_RESTRICT scales,
              T *AST_RESTRICT out, i64 rows, i64 n) {
  EACH_ROW
    const T mean = r < rows ? means[r] : 0, scale = r < rows ? scales[r] : 0;
    T level = 0, slope = 0;
    for (i64 i = from; i < to; i += G) level += g[i], slope += g[i] * ((x[i] - mean) * scale);
    level = group_fold<Add>(level) / (T)n;
    slope = group_fold<Add>(slope) / (T)n;
    for (i64 i = from; i < to; i += G) out[i] = scale * (g[i] - level - (x[i] - mean) * scale * slope);
  END_ROW
}
#endif
