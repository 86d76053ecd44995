// Kernels that show what threads see.
extern "C" __global__ void places(int *out) {
    int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[block * (blockDim.x * blockDim.y * blockDim.z) + thread] = block * 1000 + thread;
}
extern "C" __global__ void order(int *next, int *out) { out[atomicAdd(next, 1)] = blockIdx.x * blockDim.x + threadIdx.x; }
extern "C" __global__ void nothing() {}
extern "C" __global__ void arguments(int *out, unsigned char a, short b, int c, long long d, float e, double f, const int *p) {
    out[0] = a, out[1] = b, out[2] = c, out[3] = (int)(d >> 32), out[4] = (int)(e * 2), out[5] = (int)(f * 4), out[6] = p == nullptr;
}
extern "C" __global__ void shuffles(const int *lane, int width, int *idx, int *up, int *down, int *exchanged) {
    int t = threadIdx.x, k = lane[t];
    idx[t] = __shfl_sync(0xffffffffu, t, k, width);
    up[t] = __shfl_up_sync(0xffffffffu, t, k, width);
    down[t] = __shfl_down_sync(0xffffffffu, t, k, width);
    exchanged[t] = __shfl_xor_sync(0xffffffffu, t, k, width);
}
extern "C" __global__ void wide(double *d, long long *l, float *f) {
    int t = threadIdx.x;
    d[t] = __shfl_xor_sync(0xffffffffu, d[t], 1);
    l[t] = __shfl_xor_sync(0xffffffffu, l[t], 2);
    f[t] = __shfl_xor_sync(0xffffffffu, f[t], 4);
}
extern "C" __global__ void votes(int *out) {
    int t = threadIdx.x;
    int half = t % 32 < 16 ? 0x0000ffff : 0xffff0000;
    out[t] = __ballot_sync(half, t % 3 == 0);
    out[64 + t] = __any_sync(half, t == 5) * 2 + __all_sync(half, t < 32);
    out[128 + t] = __syncthreads_count(t % 3 == 0);
    out[192 + t] = __syncthreads_or(t == 63) * 2 + __syncthreads_and(t != 63);
}
extern "C" __global__ void leaves(int *out) {
    if (threadIdx.x % 2) return; // before a barrier that is allowed
    __syncthreads();
    out[threadIdx.x] = threadIdx.x;
    if (threadIdx.x > 40) return;
    __syncthreads();
    out[threadIdx.x]++;
}
extern "C" __global__ void atomics(int *out) {
    atomicMax(&out[0], (int)threadIdx.x);
    atomicMin(&out[1], (int)threadIdx.x);
    atomicAdd(&out[2], 3);
    atomicExch(&out[3], 8);
    atomicCAS(&out[4], 0, (int)threadIdx.x + 1);
    atomicSub(&out[5], 1);
    atomicOr(&out[6], 1 << (threadIdx.x % 8));
    atomicAdd((unsigned long long *)(out + 8), 1ull << 31);
}
__constant__ float table[3] = {1.5f, 2.5f, 4.0f};
AST_CONST int steps[2] = {3, 4};
AST_DEVICE float twice(float x) { return 2 * x; }
AST_KERNEL(constants)(const float *AST_RESTRICT x, float *AST_RESTRICT out) {
    AST_SHARED float s[3];
    s[threadIdx.x] = table[threadIdx.x] * x[0];
    __syncthreads();
    out[threadIdx.x] = twice(s[2 - threadIdx.x]) + steps[0] + steps[1];
}
extern "C" __global__ void copy(const float *x, float *out, int from, int to) { out[to] = x[from]; }
// A library's functions, of which the emulator itself uses none.
extern "C" __global__ void functions(const float *x, float *out, double *wide) {
    float v = x[0];
    float all[] = {expf(v), expm1f(v), logf(v), log1pf(v), sqrtf(v), rsqrtf(v), tanhf(v), erff(v), powf(v, 3.0f), fmaf(v, v, 1.0f), fabsf(-v), floorf(v),
                   ceilf(v), fminf(v, 1.0f), fmaxf(v, 1.0f), __expf(v), __fdividef(v, 4.0f), sinf(v), cosf(v), exp2f(v), exp10f(v), copysignf(v, -1.0f)};
    double d = x[0];
    double also[] = {exp(d), expm1(d), log(d), log1p(d), sqrt(d), rsqrt(d), tanh(d), erf(d), pow(d, 3.0), fma(d, d, 1.0), fabs(-d), floor(d),
                     ceil(d), fmin(d, 1.0), fmax(d, 1.0), exp(d), d / 4.0, sin(d), cos(d), exp2(d), exp10(d), copysign(d, -1.0)};
    for (int i = 0; i < 22; i++) out[i] = all[i], wide[i] = also[i];
}
extern "C" __global__ void bitwise(unsigned x, int *out) {
    out[0] = __popc(x), out[1] = __clz((int)x), out[2] = __ffs((int)x), out[3] = (int)__brev(x), out[4] = (int)__umulhi(x, x);
    out[5] = __float_as_int(1.5f), out[6] = (int)__int_as_float(0x40400000), out[7] = __popcll(~0ull << 3), out[8] = __clz(0), out[9] = (int)__umul64hi(1ull << 63, 6);
    float4 v = make_float4(1, 2, 3, 4);
    out[10] = (int)(v.x + v.y * 10 + v.z * 100 + v.w * 1000);
    out[11] = min(3, -4) + max(2u, 7u), out[12] = isnan(__int_as_float(-1)) + isinf(INFINITY) * 2 + isfinite(1.0) * 4;
}
