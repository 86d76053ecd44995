/* What every kernel is written in: vectors of LANES numbers, the ops on them, and
 * the layout of a call. Defined before: T_IS_F64, VECTOR_BYTES, and LANE_IDS, the
 * numbers of the lanes.
 *
 * A row of width W lies in ceil(W / LANES) vectors; what stands in the lanes
 * beyond W is arbitrary. A number that all columns share has its own value in
 * every lane. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#define RESTRICT restrict
#define KERNEL __attribute__((visibility("default")))
#define OP static inline __attribute__((always_inline, unused))

#if T_IS_F64
typedef double T;
typedef int64_t TI;
#define FN(name) name
#else
typedef float T;
typedef int32_t TI;
#define FN(name) name##f
#endif
#define LANES ((int)(VECTOR_BYTES / sizeof(T)))

typedef T V __attribute__((vector_size(VECTOR_BYTES)));
typedef TI VI __attribute__((vector_size(VECTOR_BYTES)));              /* ids, masks: 0 or -1 */
typedef int32_t VI32 __attribute__((vector_size(VECTOR_BYTES / sizeof(T) * 4)));
typedef uint32_t VU32 __attribute__((vector_size(VECTOR_BYTES / sizeof(T) * 4)));

/* struct args is a call: what a kernel works on besides its rows. */
struct args {
  void *const *buffer;                         /* of the plan, by index */
  const int32_t *offsets, *neighbors, *ids;    /* the edges of the kernel's rows; the */
  const int32_t *types;                        /* lists have 32 more entries than edges */
  const int32_t *in_at, *out_at;               /* where they stand among the in- and out-edges */
  const int32_t *row_types, *other_types;      /* of the vertices at the two ends */
  const int32_t *in_offsets, *in_types;        /* for degrees */
  const int32_t *out_offsets, *out_types;
  const uint32_t *keys;                        /* two for each dropout of the kernel */
  T *scratch;                                  /* of the worker */
  T *sums;                                     /* partial sums of these rows */
  const T *beside;                             /* rows of four numbers of the other vertices */
};

#define INF ((T)INFINITY)
#define ZERO ((V){0})
#define SPLAT(x) ((T)(x) - ZERO)
#define SPLATI(x) ((TI)(x) - (VI){0})
#define SPLATU(x) ((uint32_t)(x) - (VU32){0})
#define SEL(m, a, b) ((V)(((VI)(a) & (m)) | ((VI)(b) & ~(m))))
#define SELI(m, a, b) (((a) & (m)) | ((b) & ~(m)))
#define BOOL(m) ((V)((VI)SPLAT(1) & (m)))
#define PREFETCH(p) __builtin_prefetch(p)
#if defined(__clang__)
#define PICK(a, ...) __builtin_shufflevector(a, a, __VA_ARGS__)
#define PICK2(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define PICK(a, ...) __builtin_shuffle(a, (VI){__VA_ARGS__})
#define PICK2(a, b, ...) __builtin_shuffle(a, b, (VI){__VA_ARGS__})
#endif

OP V load(const T *p) { V x; memcpy(&x, p, sizeof x); return x; }
OP void store(T *p, V x) { memcpy(p, &x, sizeof x); }

/* The first n of a vector, 0 < n < LANES: memory beyond is not touched. */
#if defined(__AVX512F__) && VECTOR_BYTES == 64 && !T_IS_F64
OP V loadn(const T *p, int n) { return (V)__builtin_ia32_loadups512_mask(p, ZERO, (uint16_t)((1u << n) - 1)); }
OP void storen(T *p, V x, int n) { __builtin_ia32_storeups512_mask(p, x, (uint16_t)((1u << n) - 1)); }
#elif defined(__AVX512F__) && VECTOR_BYTES == 64
OP V loadn(const T *p, int n) { return (V)__builtin_ia32_loadupd512_mask(p, ZERO, (uint8_t)((1u << n) - 1)); }
OP void storen(T *p, V x, int n) { __builtin_ia32_storeupd512_mask(p, x, (uint8_t)((1u << n) - 1)); }
#else
OP V loadn(const T *p, int n) { V x = ZERO; memcpy(&x, p, (size_t)n * sizeof(T)); return x; }
OP void storen(T *p, V x, int n) { memcpy(p, &x, (size_t)n * sizeof(T)); }
#endif

/* first(n): true in the lanes before n. */
OP VI first(int64_t n) { return (V){LANE_IDS} < SPLAT(n < LANES ? n : LANES); }

OP VI loadi(const int32_t *p, int n) {
  VI x = {0};
  for (int i = 0; i < n; i++) x[i] = p[i];
  return x;
}
OP void storei(int32_t *p, VI x, int n) {
  for (int i = 0; i < n; i++) p[i] = (int32_t)x[i];
}
OP VI loadt(const TI *p) { VI x; memcpy(&x, p, sizeof x); return x; }
OP VU32 loadu(const int32_t *p) { VU32 x; memcpy(&x, p, sizeof x); return x; }

/* Element c of the rows of p that ids name. */
OP V gather(const T *p, const int32_t *ids, int width, int c) {
  V x;
  for (int i = 0; i < LANES; i++) x[i] = p[(int64_t)ids[i] * width + c];
  return x;
}
/* The same where the row is the type of what ids name. */
OP V gather_type(const T *p, const int32_t *types, const int32_t *ids, int width, int c) {
  V x;
  for (int i = 0; i < LANES; i++) x[i] = p[(int64_t)types[ids[i]] * width + c];
  return x;
}

/* The four columns of the rows of p that ids name. GCC has the builtin that joins vectors
 * since version 12. */
#if defined(__AVX512F__) && VECTOR_BYTES == 64 && !T_IS_F64 && (defined(__clang__) || __GNUC__ >= 12)
OP void gather4(const T *p, const int32_t *ids, V *a, V *b, V *c, V *d) {
  typedef T ROW __attribute__((vector_size(16), may_alias));
#define ROW_OF(e) (*(const ROW *)(p + (int64_t)ids[e] * 4))
  V x[4]; /* of rows i, i + 4, i + 8 and i + 12 */
  for (int i = 0; i < 4; i++)
    x[i] = __builtin_shufflevector(__builtin_shufflevector(ROW_OF(i), ROW_OF(i + 4), 0, 1, 2, 3, 4, 5, 6, 7),
                                   __builtin_shufflevector(ROW_OF(i + 8), ROW_OF(i + 12), 0, 1, 2, 3, 4, 5, 6, 7),
                                   0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#undef ROW_OF
  V ab0 = PICK2(x[0], x[1], 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
  V cd0 = PICK2(x[0], x[1], 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
  V ab1 = PICK2(x[2], x[3], 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
  V cd1 = PICK2(x[2], x[3], 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
  *a = PICK2(ab0, ab1, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
  *b = PICK2(ab0, ab1, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
  *c = PICK2(cd0, cd1, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
  *d = PICK2(cd0, cd1, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
}
#else
OP void gather4(const T *p, const int32_t *ids, V *a, V *b, V *c, V *d) {
  *a = gather(p, ids, 4, 0), *b = gather(p, ids, 4, 1), *c = gather(p, ids, 4, 2), *d = gather(p, ids, 4, 3);
}
#endif

#define EACH(f, x) ({ V x_ = (x), y_; for (int i_ = 0; i_ < LANES; i_++) y_[i_] = f(x_[i_]); y_; })

OP V op_maxof(V x, V y) { return SEL((x > y) | (x != x), x, y); } /* NaN wins */
OP V op_minof(V x, V y) { return SEL((x < y) | (x != x), x, y); }
OP V op_abs(V x) { return (V)((VI)x & ~(VI)SPLAT(-0.0)); }
OP V op_sign(V x) { return SEL(x > 0, SPLAT(1), SEL(x < 0, SPLAT(-1), x)); }
OP V op_relu(V x) { return SEL(x <= 0, ZERO, x); }
OP V op_leakyrelu(V x, T slope) { return SEL(x > 0, x, x * slope); }
OP V op_clamp(V x, T lo, T hi) { /* a bound that is NaN is none; -0 stays at 0 */
  x = SEL(x < SPLAT(lo), SPLAT(lo), x);
  return SEL(x > SPLAT(hi), SPLAT(hi), x);
}
OP V op_sqrt(V x) {
  T t[LANES];
  memcpy(t, &x, sizeof x);
  for (int i = 0; i < LANES; i++) t[i] = FN(__builtin_sqrt)(t[i]);
  return load(t);
}
OP V op_rsqrt(V x) { return 1 / op_sqrt(x); }

#if T_IS_F64
OP V op_exp(V x) { return EACH(exp, x); }
OP V op_expm1(V x) { return EACH(expm1, x); }
OP V op_log(V x) { return EACH(log, x); }
OP V op_log1p(V x) { return EACH(log1p, x); }
OP V op_tanh(V x) { return EACH(tanh, x); }
#else
/* 2^n·e^r with |r| <= ln 2 / 2 and the polynomial of Cephes' expf; within 1 ulp. */
OP V op_exp(V x) {
  const T round = 12582912; /* 1.5·2^23: adding it leaves an integer in the low bits */
  V y = SEL(x > 89, SPLAT(89), x);
  y = SEL(y < -104, SPLAT(-104), y); /* NaN passes both */
  V t = y * (T)1.44269504 + round, n = t - round;
  VI k = (VI)t - (VI)SPLAT(round);
  V r = y - n * (T)0.693359375;
  r = r + n * (T)2.12194440e-4;
  V p = r * (T)1.9875691500e-4 + (T)1.3981999507e-3;
  p = p * r + (T)8.3334519073e-3;
  p = p * r + (T)4.1665795894e-2;
  p = p * r + (T)1.6666665459e-1;
  p = p * r + (T)5.0000001201e-1;
  p = p * (r * r) + r + 1;
  VI half = k >> 1; /* in two steps: 2^n alone may not be a normal number */
  return p * (V)((half + 127) << 23) * (V)((k - half + 127) << 23);
}
/* Taylor's series where e^x - 1 would lose digits. */
OP V op_expm1(V x) {
  V p = x * (T)(1.0 / 40320) + (T)(1.0 / 5040);
  p = p * x + (T)(1.0 / 720);
  p = p * x + (T)(1.0 / 120);
  p = p * x + (T)(1.0 / 24);
  p = p * x + (T)(1.0 / 6);
  p = p * x + (T)0.5;
  return SEL((x > (T)-0.5) & (x < (T)0.5), p * (x * x) + x, op_exp(x) - 1);
}
/* e·ln 2 + ln m with m in [sqrt 1/2, sqrt 2) and the polynomial of Cephes' logf. */
OP V op_log(V x) {
  VI small = x < (T)1.17549435e-38;
  V y = SEL(small, x * (T)8388608, x);
  VI bits = (VI)y;
  VI e = ((bits - 0x3f3504f3) >> 23);
  V m = (V)(bits - (e << 23)) - 1;
  V k = __builtin_convertvector(e, V) - SEL(small, SPLAT(23), ZERO);
  V p = m * (T)7.0376836292e-2 - (T)1.1514610310e-1;
  p = p * m + (T)1.1676998740e-1;
  p = p * m - (T)1.2420140846e-1;
  p = p * m + (T)1.4249322787e-1;
  p = p * m - (T)1.6668057665e-1;
  p = p * m + (T)2.0000714765e-1;
  p = p * m - (T)2.4999993993e-1;
  p = p * m + (T)3.3333331174e-1;
  V z = m * m;
  V r = p * m * z + k * (T)-2.12194440e-4 - z * (T)0.5 + m + k * (T)0.693359375;
  r = SEL(x == 0, SPLAT(-INF), r);
  r = SEL(x == INF, x, r);
  return SEL((x < 0) | (x != x), SPLAT(NAN), r);
}
/* The rounding error of 1 + x, scaled back (Kahan). */
OP V op_log1p(V x) {
  V w = 1 + x;
  return SEL(w == 1, x, op_log(w) * (x / (w - 1)));
}
OP V op_tanh(V x) {
  V a = op_abs(x), z = x * x;
  V p = z * (T)-5.70498872745e-3 + (T)2.06390887954e-2;
  p = p * z - (T)5.37397155531e-2;
  p = p * z + (T)1.33314422036e-1;
  p = p * z - (T)3.33332819422e-1;
  V big = 1 - 2 / (op_exp(2 * a) + 1);
  big = SEL(x < 0, -big, big);
  return SEL(a < (T)0.625, p * z * x + x, big);
}
#endif
OP V op_sigmoid(V x) {
  V e = op_exp(-op_abs(x)); /* does not overflow */
  return SEL(x < 0, e, SPLAT(1)) / (1 + e);
}
OP V op_silu(V x) {
  V e = op_exp(-op_abs(x));
  return SEL(x < 0, SEL(e == 0, -e, x * e), x) / (1 + e); /* -Inf·0 would be NaN */
}
OP V op_elu(V x, T slope) { return SEL(x > 0, x, slope * op_expm1(x)); }
OP V op_softplus(V x) { return SEL(x > 0, x, ZERO) + op_log1p(op_exp(-op_abs(x))); }
OP V op_erf(V x) { return EACH(FN(erf), x); }
OP V op_sin(V x) { return EACH(FN(sin), x); }
OP V op_cos(V x) { return EACH(FN(cos), x); }
OP V op_gelu(V x) {
  V p = EACH(FN(erfc), x * (T)-0.70710678118654752440) / 2; /* 1 + erf would lose digits far left */
  return SEL(p == 0, -p, x * p);
}
OP V op_pow(V x, T y) {
  V r;
  for (int i = 0; i < LANES; i++) r[i] = FN(pow)(x[i], y);
  return r;
}
OP V op_powof(V x, V y) {
  V r;
  for (int i = 0; i < LANES; i++) r[i] = FN(pow)(x[i], y[i]);
  return r;
}

/* The bits of an element are two rounds of lowbias32 over its index; the keys are a
 * hash of the seed. What draws less than the threshold is dropped. */
OP VU32 mix32(VU32 x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}
OP V op_dropout(V x, VU32 index, const uint32_t *keys, uint32_t threshold, T scale) {
  VU32 draw = mix32(mix32(index ^ keys[0]) ^ keys[1]);
  VI32 keep = (VI32)(draw >= threshold);
#if T_IS_F64
  return SEL(__builtin_convertvector(keep, VI), x * scale, ZERO);
#else
  return SEL(keep, x * scale, ZERO);
#endif
}
OP VU32 columns(uint32_t from) { /* from, from + 1, ... */
  return (VU32){LANE_IDS} + from;
}
OP VU32 elements(const int32_t *ids, int n) { /* the elements of rows of n, side by side */
  VU32 x;
  for (int i = 0; i < LANES; i++) x[i] = (uint32_t)ids[i / n] * (uint32_t)n + (uint32_t)(i % n);
  return x;
}

/* Takes x in edge id into a maximum: NaN wins, then the smallest id among equals;
 * an id of -1 says that there was no edge. */
OP void argmax(V *best, VI *at, V x, int64_t id) {
  VI equal = (x == *best) | ((x != x) & (*best != *best));
  VI wins = (x > *best) | ((x != x) & (*best == *best)) | (equal & (SPLATI(id) < *at)) | (*at < 0);
  *best = SEL(wins, x, *best);
  *at = SELI(wins, SPLATI(id), *at);
}
/* The same in arrays that have room for whole vectors, for n numbers of them. */
OP void argmax_at(T *best, TI *at, V x, int64_t id, int n) {
  V b = load(best);
  VI i = loadt(at);
  argmax(&b, &i, x, id);
  memcpy(best, &b, (size_t)n * sizeof(T));
  memcpy(at, &i, (size_t)n * sizeof(TI));
}
