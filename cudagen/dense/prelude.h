// What every kernel of the dense engine begins with. AST_HOST is defined by the
// emulator of grids, which brings the names below and what CUDA has built in.

#if !defined(AST_HOST)
#define AST_KERNEL(name) extern "C" __global__ void name
#define AST_DEVICE __device__ __forceinline__
#define AST_SHARED __shared__
#define AST_RESTRICT __restrict__
#endif

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

// ---- functions of either float type

#define AST_MATH(name)                                      \
  AST_DEVICE float m_##name(float x) { return name##f(x); } \
  AST_DEVICE double m_##name(double x) { return name(x); }
AST_MATH(exp) AST_MATH(expm1) AST_MATH(log) AST_MATH(log1p) AST_MATH(log2) AST_MATH(log10)
AST_MATH(sin) AST_MATH(cos) AST_MATH(tan) AST_MATH(asin) AST_MATH(acos) AST_MATH(atan)
AST_MATH(sinh) AST_MATH(cosh) AST_MATH(tanh) AST_MATH(asinh) AST_MATH(acosh) AST_MATH(atanh)
AST_MATH(erf) AST_MATH(erfc) AST_MATH(sqrt) AST_MATH(fabs)
AST_MATH(floor) AST_MATH(ceil) AST_MATH(rint) AST_MATH(trunc)

#define AST_MATH2(name)                                                 \
  AST_DEVICE float m_##name(float x, float y) { return name##f(x, y); } \
  AST_DEVICE double m_##name(double x, double y) { return name(x, y); }
AST_MATH2(pow) AST_MATH2(atan2) AST_MATH2(hypot) AST_MATH2(fmod)

// ---- one number of any type

template <class T> AST_DEVICE T e_max(T x, T y) { return x > y || x != x ? x : y; }  // NaN wins
template <class T> AST_DEVICE T e_min(T x, T y) { return x < y || x != x ? x : y; }
template <class T> AST_DEVICE T e_clamp(T x, T lo, T hi) {  // a bound that is NaN is none; -0 stays at 0
  x = x < lo ? lo : x;
  return x > hi ? hi : x;
}
template <class T> AST_DEVICE T e_sign(T x) { return x > 0 ? (T)1 : x < 0 ? (T)-1 : x; }
template <class T> AST_DEVICE bool e_finite(T x) { return x - x == 0; }
template <class T> AST_DEVICE T e_sigmoid(T x) {
  T e = m_exp(-m_fabs(x));  // does not overflow
  return (x < 0 ? e : (T)1) / (1 + e);
}
template <class T> AST_DEVICE T e_silu(T x) {
  T e = m_exp(-m_fabs(x));
  return (x < 0 ? (e == 0 ? -e : x * e) : x) / (1 + e);  // -Inf·0 would be NaN
}
template <class T> AST_DEVICE T e_softplus(T x) { return e_max(x, (T)0) + m_log1p(m_exp(-m_fabs(x))); }
template <class T> AST_DEVICE T e_gelu(T x) {
  T p = (T)0.5 * m_erfc(x * (T)-0.70710678118654752440);
  return p == 0 ? -p : x * p;
}
template <class T> AST_DEVICE T e_remainder(T x, T y) {
  T r = m_fmod(x, y);
  return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}
template <class T> AST_DEVICE T e_floordiv(T x, T y) {
  if (y == 0) return x / y;
  T r = m_fmod(x, y), q = (x - r) / y;
  if (r != 0 && (r < 0) != (y < 0)) q -= 1;
  if (q == 0) return x / y * 0;  // a zero of the quotient's sign
  T whole = m_floor(q);
  return q - whole > (T)0.5 ? whole + 1 : whole;
}
// Of integers; y is not 0. The least x over -1 is itself, as in Go.
template <class T> AST_DEVICE T e_quotient(T x, T y) {
  if (y == -1) return (T)(0 - (u64)x);
  T q = x / y;
  return q * y != x && (x < 0) != (y < 0) ? q - 1 : q;
}
template <class T> AST_DEVICE T e_rest(T x, T y) {
  if (y == -1) return 0;
  T r = x % y;
  return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}

// ---- and its gradient g

template <class T> AST_DEVICE T e_silugrad(T g, T x) {
  x = e_clamp(x, (T)-800, (T)800);  // 1 or 0 far out
  return g * (e_sigmoid(x) * (1 + x * e_sigmoid(-x)));
}
template <class T> AST_DEVICE T e_gelugrad(T g, T x) {
  x = e_clamp(x, (T)-40, (T)40);
  return g * ((T)0.5 * m_erfc(x * (T)-0.70710678118654752440) + x * m_exp((T)-0.5 * x * x) * (T)0.39894228040143267794);
}
template <class T> AST_DEVICE T e_absgrad(T g, T x) { return x > 0 ? g : x < 0 ? -g : x; }

// ---- the numbers of internal/rng

AST_DEVICE u64 r_hash(u64 seed, u64 index) {
  u64 z = seed + (index + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}
// The seed of a captured graph's launch; the seed itself outside of one.
AST_DEVICE u64 r_seed(u64 seed, const u64 *tick) { return tick ? r_hash(seed ^ 0xD1B54A32D192ED03ull, *tick) : seed; }
AST_DEVICE u32 r_mix(u32 x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}
AST_DEVICE u32 r_bits(u64 seed, u64 index) {
  u64 keys = r_hash(seed, index >> 32);
  return r_mix(r_mix((u32)index ^ (u32)keys) ^ (u32)(keys >> 32));
}
template <class T> AST_DEVICE T e_dropout(T x, u64 seed, u64 threshold, T scale, u64 index) {
  return r_bits(seed, index) >= threshold ? x * scale : (T)0;
}
AST_DEVICE float r_uniform(u64 seed, u64 index, float) { return (float)(r_hash(seed, index) >> 40) * 0x1p-24f; }
AST_DEVICE double r_uniform(u64 seed, u64 index, double) { return (double)(r_hash(seed, index) >> 11) * 0x1p-53; }

// ---- threads that work together: G of them, a power of two, in a block of 256

AST_DEVICE i64 thread_index() { return (i64)blockIdx.x * blockDim.x + threadIdx.x; }
AST_DEVICE i64 thread_count() { return (i64)gridDim.x * blockDim.x; }
