// What clang needs to compile kernels without a CUDA toolkit: what the toolkit's headers
// would declare.

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))
#define __restrict__ __restrict

struct AstIndex { unsigned x, y; };
#define threadIdx (AstIndex{(unsigned)__nvvm_read_ptx_sreg_tid_x(), (unsigned)__nvvm_read_ptx_sreg_tid_y()})
#define blockIdx (AstIndex{(unsigned)__nvvm_read_ptx_sreg_ctaid_x(), (unsigned)__nvvm_read_ptx_sreg_ctaid_y()})
#define blockDim (AstIndex{(unsigned)__nvvm_read_ptx_sreg_ntid_x(), (unsigned)__nvvm_read_ptx_sreg_ntid_y()})
#define gridDim (AstIndex{(unsigned)__nvvm_read_ptx_sreg_nctaid_x(), (unsigned)__nvvm_read_ptx_sreg_nctaid_y()})

#define AST_DECLARE1(name) \
  extern "C" __device__ float name##f(float); \
  extern "C" __device__ double name(double);
AST_DECLARE1(exp) AST_DECLARE1(expm1) AST_DECLARE1(log) AST_DECLARE1(log1p) AST_DECLARE1(log2) AST_DECLARE1(log10)
AST_DECLARE1(sin) AST_DECLARE1(cos) AST_DECLARE1(tan) AST_DECLARE1(asin) AST_DECLARE1(acos) AST_DECLARE1(atan)
AST_DECLARE1(sinh) AST_DECLARE1(cosh) AST_DECLARE1(tanh) AST_DECLARE1(asinh) AST_DECLARE1(acosh) AST_DECLARE1(atanh)
AST_DECLARE1(erf) AST_DECLARE1(erfc) AST_DECLARE1(sqrt) AST_DECLARE1(fabs)
AST_DECLARE1(floor) AST_DECLARE1(ceil) AST_DECLARE1(rint) AST_DECLARE1(trunc)
#define AST_DECLARE2(name) \
  extern "C" __device__ float name##f(float, float); \
  extern "C" __device__ double name(double, double);
AST_DECLARE2(pow) AST_DECLARE2(atan2) AST_DECLARE2(hypot) AST_DECLARE2(fmod)

template <class V> __device__ __forceinline__ V ast_shuffle(V v, int lane, bool up) {
  union { V v; int parts[sizeof(V) / 4]; } u;
  u.v = v;
  for (unsigned k = 0; k < sizeof(V) / 4; k++)
    u.parts[k] = up ? __nvvm_shfl_sync_up_i32(0xffffffffu, u.parts[k], lane, 0)
                    : __nvvm_shfl_sync_bfly_i32(0xffffffffu, u.parts[k], lane, 31);
  return u.v;
}
#define __shfl_xor_sync(mask, v, lane, ...) ast_shuffle(v, lane, false)
#define __shfl_up_sync(mask, v, lane, ...) ast_shuffle(v, lane, true)
__device__ __forceinline__ float __int_as_float(int v) { return __builtin_bit_cast(float, v); }
__device__ __forceinline__ double __longlong_as_double(long long v) { return __builtin_bit_cast(double, v); }
