// What every kernel is written in. Defined before: AST_F64, and by the emulator of
// grids AST_HOST.

#if defined(AST_HOST)
// The emulator defines AST_KERNEL, AST_DEVICE, AST_SHARED, AST_RESTRICT, AST_CONST
// and what CUDA has built in.
#define AST_UNROLL
#define AST_ROLLED
#else
#define AST_KERNEL(name) extern "C" __global__ void name
#define AST_DEVICE __device__ __forceinline__
#define AST_SHARED __shared__
#define AST_RESTRICT __restrict__
#define AST_CONST __device__ const
#define AST_UNROLL _Pragma("unroll")
#define AST_ROLLED _Pragma("unroll 1")
#endif

typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

#if AST_F64
typedef double T;
typedef double2 T2;
#define AST_FN(name) name
#define AST_INF __longlong_as_double(0x7ff0000000000000ll)
#else
typedef float T;
typedef float2 T2;
typedef float4 T4;
#define AST_FN(name) name##f
#define AST_INF __int_as_float(0x7f800000)
#endif

// ---- memory

AST_DEVICE T ast_load(const T *p) { return __ldg(p); }
AST_DEVICE int ast_load(const int *p) { return __ldg(p); }
AST_DEVICE T2 ast_load2(const T *p) { return __ldg((const T2 *)p); }
AST_DEVICE void ast_store2(T *p, T a, T b) {
  T2 v;
  v.x = a, v.y = b;
  *(T2 *)p = v;
}
#if !AST_F64
AST_DEVICE T4 ast_load4(const T *p) { return __ldg((const T4 *)p); }
AST_DEVICE void ast_store4(T *p, T a, T b, T c, T d) {
  T4 v;
  v.x = a, v.y = b, v.z = c, v.w = d;
  *(T4 *)p = v;
}
#endif

// ---- ops, by their names in the op table

AST_DEVICE T op_maxof(T x, T y) { return x > y || x != x ? x : y; }  // NaN wins
AST_DEVICE T op_minof(T x, T y) { return x < y || x != x ? x : y; }
AST_DEVICE T op_exp(T x) { return AST_FN(exp)(x); }
AST_DEVICE T op_log(T x) { return AST_FN(log)(x); }
AST_DEVICE T op_sqrt(T x) { return AST_FN(sqrt)(x); }
AST_DEVICE T op_rsqrt(T x) { return 1 / AST_FN(sqrt)(x); }
AST_DEVICE T op_abs(T x) { return AST_FN(fabs)(x); }
AST_DEVICE T op_sign(T x) { return x > 0 ? (T)1 : x < 0 ? (T)-1 : x; }
AST_DEVICE T op_pow(T x, T y) { return AST_FN(pow)(x, y); }
AST_DEVICE T op_powof(T x, T y) { return AST_FN(pow)(x, y); }
AST_DEVICE T op_clamp(T x, T lo, T hi) {  // a bound that is NaN is none; -0 stays at 0
  x = x < lo ? lo : x;
  return x > hi ? hi : x;
}
AST_DEVICE T op_relu(T x) { return op_maxof(x, 0); }
AST_DEVICE T op_leakyrelu(T x, T slope) { return x > 0 ? x : slope * x; }
AST_DEVICE T op_elu(T x, T slope) { return x > 0 ? x : slope * AST_FN(expm1)(x); }
AST_DEVICE T op_erf(T x) { return AST_FN(erf)(x); }
AST_DEVICE T op_gelu(T x) {
  T p = (T)0.5 * AST_FN(erfc)(x * (T)-0.70710678118654752440);  // 1 + erf would lose digits far left
  return p == 0 ? -p : x * p;
}
AST_DEVICE T op_sigmoid(T x) {
  T e = op_exp(-op_abs(x));  // does not overflow
  return (x < 0 ? e : (T)1) / (1 + e);
}
AST_DEVICE T op_silu(T x) {
  T e = op_exp(-op_abs(x));
  return (x < 0 ? (e == 0 ? -e : x * e) : x) / (1 + e);  // -Inf·0 would be NaN
}
AST_DEVICE T op_tanh(T x) { return AST_FN(tanh)(x); }
AST_DEVICE T op_sin(T x) { return AST_FN(sin)(x); }
AST_DEVICE T op_cos(T x) { return AST_FN(cos)(x); }
AST_DEVICE T op_softplus(T x) { return op_relu(x) + AST_FN(log1p)(op_exp(-op_abs(x))); }

// ---- dropout: the draws of internal/rng

AST_DEVICE u64 ast_hash(u64 seed, u64 index) {
  u64 z = seed + (index + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}
AST_DEVICE u64 ast_site(const u64 *seed, u64 site) { return ast_hash(*seed ^ 0xD1B54A32D192ED03ull, site); }
AST_DEVICE u32 ast_mix(u32 x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}
AST_DEVICE u32 ast_draw(u64 keys, u32 low) { return ast_mix(ast_mix(low ^ (u32)keys) ^ (u32)(keys >> 32)); }
AST_DEVICE T ast_dropout(T x, u64 seed, u64 keys, u64 index, u32 threshold, T scale) {
  if (index >> 32) keys = ast_hash(seed, index >> 32);  // keys are those of the first 2^32
  return ast_draw(keys, (u32)index) >= threshold ? x * scale : (T)0;
}

// ---- the maximum of edges and where it is: NaN wins, then the smallest id

AST_DEVICE bool ast_beats(T x, int id, T best, int at) {
  bool equal = x == best || (x != x && best != best);
  return at < 0 || x > best || (x != x && best == best) || (equal && id < at);
}
AST_DEVICE void ast_argmax(T *best, int *at, T x, int id) {
  if (id >= 0 && ast_beats(x, id, *best, *at)) *best = x, *at = id;
}

// ---- types of edges, in whose order the edges of a row are

// The first position from begin to end whose edge is of the type or of a later one.
AST_DEVICE int ast_first(const int *types, int begin, int end, int type) {
  while (begin < end) {
    const int middle = begin + (end - begin) / 2;
    if (ast_load(types + middle) < type)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}
AST_DEVICE int ast_count(const int *types, int begin, int end, int type) {
  const int first = ast_first(types, begin, end, type);
  return ast_first(types, first, end, type + 1) - first;
}

// ---- sums of partial sums

// Adds n slices, stride numbers apart, each of size numbers: a block adds 32 numbers,
// 32 threads for each of them take every 32nd slice, eight at a time, and their sums are
// added in order.
AST_DEVICE void ast_sum(const T *sums, int n, int stride, int size, T *out) {
  AST_SHARED T part[32][32];
  const int x = threadIdx.x % 32, y = threadIdx.x / 32, i = blockIdx.x * 32 + x;
  T sum = 0;
  if (i < size) {
    int s = y;
    for (; s < n - 7 * 32; s += 8 * 32) {
      T of[8];
      AST_UNROLL
      for (int j = 0; j < 8; j++) of[j] = ast_load(sums + (i64)(s + j * 32) * stride + i);
      AST_UNROLL
      for (int j = 0; j < 8; j++) sum += of[j];
    }
    for (; s < n; s += 32) sum += ast_load(sums + (i64)s * stride + i);
  }
  part[y][x] = sum;
  __syncthreads();
  if (y > 0 || i >= size) return;
  for (int j = 1; j < 32; j++) sum += part[j][x];
  out[i] = sum;
}

// ---- kernels
