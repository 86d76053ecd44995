// What CUDA has built in and kernels use, for clang without a toolkit. It suffices
// to compile to PTX; the mathematical functions stay undefined there.
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))
#define __restrict__ __restrict

struct float2 { float x, y; } __attribute__((aligned(8)));
struct float4 { float x, y, z, w; } __attribute__((aligned(16)));
struct double2 { double x, y; } __attribute__((aligned(16)));

#define INDEX(name, reg)                                                       \
  struct name##_t {                                                            \
    __declspec(property(get = get_x)) int x;                                   \
    static __device__ __forceinline__ int get_x() { return __nvvm_read_ptx_sreg_##reg##_x(); } \
  };                                                                           \
  extern __device__ name##_t name;
INDEX(threadIdx, tid)
INDEX(blockIdx, ctaid)
INDEX(blockDim, ntid)
INDEX(gridDim, nctaid)

static __device__ __forceinline__ float __ldg(const float *p) { return __nvvm_ldg_f(p); }
static __device__ __forceinline__ double __ldg(const double *p) { return __nvvm_ldg_d(p); }
static __device__ __forceinline__ int __ldg(const int *p) { return __nvvm_ldg_i(p); }
typedef float f2 __attribute__((ext_vector_type(2)));
typedef float f4 __attribute__((ext_vector_type(4)));
typedef double d2 __attribute__((ext_vector_type(2)));
static __device__ __forceinline__ float2 __ldg(const float2 *p) { f2 v = __nvvm_ldg_f2((const f2 *)p); return {v[0], v[1]}; }
static __device__ __forceinline__ float4 __ldg(const float4 *p) { f4 v = __nvvm_ldg_f4((const f4 *)p); return {v[0], v[1], v[2], v[3]}; }
static __device__ __forceinline__ double2 __ldg(const double2 *p) { d2 v = __nvvm_ldg_d2((const d2 *)p); return {v[0], v[1]}; }

static __device__ __forceinline__ void __syncwarp(unsigned mask) { __nvvm_bar_warp_sync(mask); }
static __device__ __forceinline__ int __shfl_xor_sync(unsigned mask, int v, int by) { return __nvvm_shfl_sync_bfly_i32(mask, v, by, 0x1f); }
static __device__ __forceinline__ float __shfl_xor_sync(unsigned mask, float v, int by) { return __nvvm_shfl_sync_bfly_f32(mask, v, by, 0x1f); }
static __device__ __forceinline__ double __shfl_xor_sync(unsigned mask, double v, int by) {
  union { double d; int i[2]; } u = {v};
  u.i[0] = __nvvm_shfl_sync_bfly_i32(mask, u.i[0], by, 0x1f);
  u.i[1] = __nvvm_shfl_sync_bfly_i32(mask, u.i[1], by, 0x1f);
  return u.d;
}

static __device__ __forceinline__ float __int_as_float(int i) { return __builtin_bit_cast(float, i); }
static __device__ __forceinline__ double __longlong_as_double(long long i) { return __builtin_bit_cast(double, i); }

#define MATH(name) extern "C" __device__ double name(double); extern "C" __device__ float name##f(float);
MATH(exp) MATH(log) MATH(fabs) MATH(expm1) MATH(erf) MATH(erfc) MATH(tanh) MATH(log1p) MATH(sin) MATH(cos)
static __device__ __forceinline__ float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
static __device__ __forceinline__ double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
extern "C" __device__ double pow(double, double);
extern "C" __device__ float powf(float, float);
