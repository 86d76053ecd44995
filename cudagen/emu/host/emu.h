// CUDA's device language for a host C++17 compiler: what a kernel's text may use,
// on top of the run time in runtime.cc. It is included before the text by
// -include and needs no other header, so that compiling stays quick.
//
// Not here, on purpose: float atomics, __activemask, warp primitives without
// _sync, printf, dynamic shared memory. A text that uses them does not compile.

#pragma once

#include "abi.h"

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;

#define __host__
#define __device__
#define __global__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
// Constant memory is initialised where it is declared; nothing is copied to it.
#define __constant__ static
// Poisoned before each block. "used" says that others write to it: the run time
// does, and the block's other threads do while one waits.
#define __shared__ static __attribute__((section("ast_shared"), used))

// The names that texts for several compilers use.
#define AST_KERNEL(name) extern "C" __global__ void name
#define AST_DEVICE static __device__ __forceinline__
#define AST_SHARED __shared__
#define AST_RESTRICT __restrict__
#define AST_CONST __constant__ const

// --- vector types ---------------------------------------------------------

#define EMU_VECTOR3(T, name) struct name##3 { T x, y, z; };
EMU_VECTOR3(float, float)
EMU_VECTOR3(double, double)
EMU_VECTOR3(int, int)
EMU_VECTOR3(long long, longlong)
EMU_VECTOR3(unsigned long long, ulonglong)
EMU_VECTOR3(short, short)
EMU_VECTOR3(unsigned short, ushort)
EMU_VECTOR3(signed char, char)
EMU_VECTOR3(unsigned char, uchar)
#define EMU_VECTORS(T, name, align2, align4)                                                       \
    struct alignas(align2) name##2 { T x, y; };                                                    \
    struct alignas(align4) name##4 { T x, y, z, w; };                                              \
    static inline name##2 make_##name##2(T x, T y) { return {x, y}; }                              \
    static inline name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }                      \
    static inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
EMU_VECTORS(float, float, 8, 16)
EMU_VECTORS(double, double, 16, 16)
EMU_VECTORS(int, int, 8, 16)
EMU_VECTORS(unsigned, uint, 8, 16)
EMU_VECTORS(long long, longlong, 16, 16)
EMU_VECTORS(unsigned long long, ulonglong, 16, 16)
EMU_VECTORS(short, short, 4, 8)
EMU_VECTORS(unsigned short, ushort, 4, 8)
EMU_VECTORS(signed char, char, 2, 4)
EMU_VECTORS(unsigned char, uchar, 2, 4)

// --- threads ------------------------------------------------------------------

#define threadIdx (*emu_thread)
#define blockIdx emu_block
#define blockDim emu_block_dim
#define gridDim emu_grid_dim
#define warpSize 32

// A place in the text: __COUNTER__ tells apart calls on one line.
#define __syncthreads() ((void)emu_syncthreads(__COUNTER__, __LINE__, 0, 0))
#define __syncthreads_count(p) (emu_syncthreads(__COUNTER__, __LINE__, 1, (p) ? 1 : 0))
#define __syncthreads_or(p) (emu_syncthreads(__COUNTER__, __LINE__, 2, (p) ? 1 : 0) > 0)
#define __syncthreads_and(p) (emu_syncthreads(__COUNTER__, __LINE__, 3, (p) ? 0 : 1) == 0)

struct emu_place {
    int site, line;
    void sync(unsigned mask = 0xffffffffu) const { emu_warp(emu_syncwarp_kind, site, line, mask, 0, 0, 0, 32); }
};

template <class T> static inline T emu_shuffle(int kind, int site, int line, unsigned mask, T v, int lane, int width = 32) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a shuffle moves 4 or 8 bytes");
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, &v, sizeof v);
    bits = emu_warp(kind, site, line, mask, bits, sizeof v, lane, width);
    __builtin_memcpy(&v, &bits, sizeof v);
    return v;
}

#define __syncwarp(...) emu_place{__COUNTER__, __LINE__}.sync(__VA_ARGS__)
#define __shfl_sync(...) emu_shuffle(emu_idx_kind, __COUNTER__, __LINE__, __VA_ARGS__)
#define __shfl_up_sync(...) emu_shuffle(emu_up_kind, __COUNTER__, __LINE__, __VA_ARGS__)
#define __shfl_down_sync(...) emu_shuffle(emu_down_kind, __COUNTER__, __LINE__, __VA_ARGS__)
#define __shfl_xor_sync(...) emu_shuffle(emu_xor_kind, __COUNTER__, __LINE__, __VA_ARGS__)
#define __ballot_sync(mask, p) ((unsigned)emu_warp(emu_ballot_kind, __COUNTER__, __LINE__, mask, (p) ? 1 : 0, 4, 0, 32))
#define __any_sync(mask, p) ((int)emu_warp(emu_any_kind, __COUNTER__, __LINE__, mask, (p) ? 1 : 0, 4, 0, 32))
#define __all_sync(mask, p) ((int)emu_warp(emu_all_kind, __COUNTER__, __LINE__, mask, (p) ? 1 : 0, 4, 0, 32))

static inline void __threadfence() {}
static inline void __threadfence_block() {}
static inline void __threadfence_system() {}
#define __trap() emu_fail(__LINE__, "__trap()")

// --- integer atomics ----------------------------------------------------------

// One thread runs at a time: plain arithmetic is atomic. The accesses are told of
// as one.
#define EMU_UNCHECKED __attribute__((no_sanitize("thread"), noinline, unused))
#define EMU_ATOMIC(name, T, reads, expression)                                                     \
    EMU_UNCHECKED static T name(T *p, T v) {                                                       \
        emu_pause();                                                                               \
        emu_atomic(p, sizeof(T), reads, __builtin_return_address(0));                              \
        T old = *p;                                                                                \
        *p = (expression);                                                                         \
        return old;                                                                                \
    }
#define EMU_ATOMICS(T, U)                                                                          \
    EMU_ATOMIC(atomicAdd, T, true, (T)((U)old + (U)v))                                             \
    EMU_ATOMIC(atomicMin, T, true, v < old ? v : old)                                              \
    EMU_ATOMIC(atomicMax, T, true, v > old ? v : old)                                              \
    EMU_ATOMIC(atomicAnd, T, true, old &v)                                                         \
    EMU_ATOMIC(atomicOr, T, true, old | v)                                                         \
    EMU_ATOMIC(atomicXor, T, true, old ^ v)                                                        \
    EMU_ATOMIC(atomicExch, T, false, v)                                                            \
    EMU_UNCHECKED static T atomicCAS(T *p, T compare, T v) {                                       \
        emu_pause();                                                                               \
        emu_atomic(p, sizeof(T), true, __builtin_return_address(0));                               \
        T old = *p;                                                                                \
        if (old == compare) *p = v;                                                                \
        return old;                                                                                \
    }
EMU_ATOMICS(int, unsigned)
EMU_ATOMICS(unsigned, unsigned)
EMU_ATOMICS(long long, unsigned long long)
EMU_ATOMICS(unsigned long long, unsigned long long)
EMU_ATOMIC(atomicSub, int, true, (int)((unsigned)old - (unsigned)v))
EMU_ATOMIC(atomicSub, unsigned, true, old - v)

// --- loads and bits -----------------------------------------------------------

// gcc checks the alignment of what is read; clang does not where it is a structure.
template <class T> static inline void emu_check(const T *p) {
#ifdef __clang__
    if ((size_t)p % alignof(T)) emu_misaligned(p);
#endif
    (void)p;
}
template <class T> static inline T __ldg(const T *p) {
    emu_check(p);
    return *p;
}
template <class T> static inline T __ldcs(const T *p) { return *p; }
template <class T> static inline T __ldca(const T *p) { return *p; }
template <class T> static inline T __ldcg(const T *p) { return *p; }
template <class T> static inline void __stcs(T *p, T v) { *p = v; }
template <class T> static inline void __stcg(T *p, T v) { *p = v; }

template <class To, class From> static inline To emu_bits(From v) {
    static_assert(sizeof(To) == sizeof(From), "");
    To out;
    __builtin_memcpy(&out, &v, sizeof out);
    return out;
}
static inline int __float_as_int(float v) { return emu_bits<int>(v); }
static inline unsigned __float_as_uint(float v) { return emu_bits<unsigned>(v); }
static inline float __int_as_float(int v) { return emu_bits<float>(v); }
static inline float __uint_as_float(unsigned v) { return emu_bits<float>(v); }
static inline long long __double_as_longlong(double v) { return emu_bits<long long>(v); }
static inline double __longlong_as_double(long long v) { return emu_bits<double>(v); }
static inline int __double2hiint(double v) { return (int)(emu_bits<unsigned long long>(v) >> 32); }
static inline int __double2loint(double v) { return (int)emu_bits<unsigned long long>(v); }

static inline int __popc(unsigned v) { return __builtin_popcount(v); }
static inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
static inline int __ffs(int v) { return __builtin_ffs(v); }
static inline int __ffsll(long long v) { return __builtin_ffsll(v); }
static inline int __clz(int v) { return v ? __builtin_clz((unsigned)v) : 32; }
static inline int __clzll(long long v) { return v ? __builtin_clzll((unsigned long long)v) : 64; }
static inline unsigned __brev(unsigned v) {
    unsigned out = 0;
    for (int i = 0; i < 32; i++) out |= (v >> i & 1u) << (31 - i);
    return out;
}
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
static inline int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}

// --- mathematics ----------------------------------------------------------------

extern "C" {
#define EMU_MATH1(name) double name(double) noexcept; float name##f(float) noexcept;
#define EMU_MATH2(name) double name(double, double) noexcept; float name##f(float, float) noexcept;
EMU_MATH1(exp) EMU_MATH1(exp2) EMU_MATH1(exp10) EMU_MATH1(expm1) EMU_MATH1(log) EMU_MATH1(log2) EMU_MATH1(log10) EMU_MATH1(log1p)
EMU_MATH1(sqrt) EMU_MATH1(cbrt) EMU_MATH1(sin) EMU_MATH1(cos) EMU_MATH1(tan) EMU_MATH1(asin) EMU_MATH1(acos) EMU_MATH1(atan)
EMU_MATH1(sinh) EMU_MATH1(cosh) EMU_MATH1(tanh) EMU_MATH1(asinh) EMU_MATH1(acosh) EMU_MATH1(atanh) EMU_MATH1(erf) EMU_MATH1(erfc)
EMU_MATH1(fabs) EMU_MATH1(floor) EMU_MATH1(ceil) EMU_MATH1(trunc) EMU_MATH1(round) EMU_MATH1(rint) EMU_MATH1(nearbyint)
EMU_MATH1(lgamma) EMU_MATH1(tgamma) EMU_MATH2(pow) EMU_MATH2(fmod) EMU_MATH2(fmin) EMU_MATH2(fmax) EMU_MATH2(atan2) EMU_MATH2(hypot)
EMU_MATH2(copysign) EMU_MATH2(fdim) EMU_MATH2(remainder) EMU_MATH2(nextafter)
double fma(double, double, double) noexcept;
float fmaf(float, float, float) noexcept;
double ldexp(double, int) noexcept;
float ldexpf(float, int) noexcept;
int abs(int) noexcept;
long long llabs(long long) noexcept;
}
#undef EMU_MATH1
#undef EMU_MATH2

static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
static inline double rsqrt(double x) { return 1.0 / sqrt(x); }
static inline void sincosf(float x, float *s, float *c) { *s = sinf(x); *c = cosf(x); }
static inline void sincos(double x, double *s, double *c) { *s = sin(x); *c = cos(x); }

// The overloads for float that CUDA has under the names of double.
#define EMU_FLOAT1(name) static inline float name(float x) { return name##f(x); }
EMU_FLOAT1(exp) EMU_FLOAT1(exp2) EMU_FLOAT1(expm1) EMU_FLOAT1(log) EMU_FLOAT1(log2) EMU_FLOAT1(log10) EMU_FLOAT1(log1p) EMU_FLOAT1(sqrt)
EMU_FLOAT1(rsqrt) EMU_FLOAT1(sin) EMU_FLOAT1(cos) EMU_FLOAT1(tan) EMU_FLOAT1(tanh) EMU_FLOAT1(erf) EMU_FLOAT1(erfc) EMU_FLOAT1(fabs)
EMU_FLOAT1(floor) EMU_FLOAT1(ceil) EMU_FLOAT1(trunc) EMU_FLOAT1(round) EMU_FLOAT1(rint)
#undef EMU_FLOAT1
static inline float pow(float x, float y) { return powf(x, y); }
static inline float fmod(float x, float y) { return fmodf(x, y); }
static inline float fmin(float x, float y) { return fminf(x, y); }
static inline float fmax(float x, float y) { return fmaxf(x, y); }
static inline float fma(float x, float y, float z) { return fmaf(x, y, z); }
static inline float copysign(float x, float y) { return copysignf(x, y); }
static inline float abs(float x) { return fabsf(x); }
static inline double abs(double x) { return fabs(x); }
static inline long long abs(long long x) { return llabs(x); }

// Fast forms: as precise as the others here.
static inline float __expf(float x) { return expf(x); }
static inline float __exp10f(float x) { return exp10f(x); }
static inline float __logf(float x) { return logf(x); }
static inline float __log2f(float x) { return log2f(x); }
static inline float __powf(float x, float y) { return powf(x, y); }
static inline float __sinf(float x) { return sinf(x); }
static inline float __cosf(float x) { return cosf(x); }
static inline float __tanhf(float x) { return tanhf(x); }
static inline float __fdividef(float x, float y) { return x / y; }
static inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
static inline float __frcp_rn(float x) { return 1.0f / x; }
static inline float __fsqrt_rn(float x) { return sqrtf(x); }
static inline float __frsqrt_rn(float x) { return 1.0f / sqrtf(x); }
static inline float __fadd_rn(float x, float y) { return x + y; }
static inline float __fsub_rn(float x, float y) { return x - y; }
static inline float __fmul_rn(float x, float y) { return x * y; }
static inline float __fdiv_rn(float x, float y) { return x / y; }
static inline float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
static inline double __dadd_rn(double x, double y) { return x + y; }
static inline double __dmul_rn(double x, double y) { return x * y; }
static inline double __fma_rn(double x, double y, double z) { return fma(x, y, z); }
static inline float __int2float_rn(int x) { return (float)x; }
static inline float __uint2float_rn(unsigned x) { return (float)x; }

#define EMU_MINMAX(T)                                                                              \
    static inline T min(T a, T b) { return b < a ? b : a; }                                        \
    static inline T max(T a, T b) { return a < b ? b : a; }
EMU_MINMAX(int)
EMU_MINMAX(unsigned)
EMU_MINMAX(long)
EMU_MINMAX(unsigned long)
EMU_MINMAX(long long)
EMU_MINMAX(unsigned long long)
static inline float min(float a, float b) { return fminf(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }
static inline double min(double a, double b) { return fmin(a, b); }
static inline double max(double a, double b) { return fmax(a, b); }

static inline bool isnan(float x) { return __builtin_isnan(x); }
static inline bool isnan(double x) { return __builtin_isnan(x); }
static inline bool isinf(float x) { return __builtin_isinf(x); }
static inline bool isinf(double x) { return __builtin_isinf(x); }
static inline bool isfinite(float x) { return __builtin_isfinite(x); }
static inline bool isfinite(double x) { return __builtin_isfinite(x); }
static inline bool signbit(float x) { return __builtin_signbit(x); }
static inline bool signbit(double x) { return __builtin_signbit(x); }
#ifndef INFINITY
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#endif

// --- the table of kernels ---------------------------------------------------------

// What the run time finds in a compiled text. The compiler of texts appends
//
//	EMU_KERNELS(EMU_KERNEL(name) EMU_KERNEL(other))

template <class P> struct emu_describe { static constexpr emu_param value = {sizeof(P), 0}; };
template <class T> struct emu_describe<T *> { static constexpr emu_param value = {sizeof(T *), 1}; };
template <class T> struct emu_describe<const T *> { static constexpr emu_param value = {sizeof(T *), 3}; };

template <auto kernel> struct emu_entry;
template <class... P, void (*kernel)(P...)> struct emu_entry<kernel> {
    static constexpr emu_param params[] = {emu_describe<P>::value..., {0, 0}};
    static constexpr unsigned count = sizeof...(P);
    struct run { // the braces of run{...} read the arguments from left to right
        run(P... p) { kernel(p...); }
    };
    static void call(void *const *args) {
        (void)args;
        run{*(P *)*args++...};
    }
};

extern "C" {
extern char __start_ast_shared[] __attribute__((weak, visibility("hidden")));
extern char __stop_ast_shared[] __attribute__((weak, visibility("hidden")));
}

#define EMU_KERNEL(name) {#name, emu_entry<&name>::call, emu_entry<&name>::params, emu_entry<&name>::count},
#define EMU_KERNELS(list)                                                                          \
    static const emu_kernel emu_kernel_list[] = {list {nullptr, nullptr, nullptr, 0}};             \
    extern "C" __attribute__((visibility("default"))) const emu_table emu_module = {               \
        emu_kernel_list, __start_ast_shared, __stop_ast_shared};
