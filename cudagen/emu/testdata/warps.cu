// Sums of numbers a warp each: out[w] of 32 numbers, and how many are positive.
__device__ __forceinline__ float warp_sum(float v) {
    for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(0xffffffffu, v, step);
    return v;
}

extern "C" __global__ void warps(const float *__restrict__ x, float *__restrict__ out, int *__restrict__ positive, int n) {
    __shared__ float staged[4][32];
    int lane = threadIdx.x % 32, w = threadIdx.x / 32;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef EARLY_RETURN
    if (i >= n) return;
#endif
    float v = i < n ? x[i] : 0.0f;
    // Reversed through shared memory: the sum is the same.
    staged[w][lane] = v;
#if defined(SHUFFLE_AS_SYNCWARP)
    v = __shfl_sync(0xffffffffu, v, lane); // orders nothing
#elif !defined(MISSING_SYNCWARP)
    __syncwarp();
#endif
    v = staged[w][31 - lane];
#if defined(SHUFFLE_IN_BRANCH)
    if (v > 0.0f) v = warp_sum(v);
#elif defined(OTHER_PLACE)
    if (lane < 16)
        v += __shfl_xor_sync(0xffffffffu, v, 1);
    else
        v += __shfl_xor_sync(0xffffffffu, v, 1);
    v = warp_sum(v) / 2;
#elif defined(OTHER_MASK)
    v += __shfl_xor_sync(lane == 5 ? 0xfffffff0u : 0xffffffffu, v, 1);
    v = warp_sum(v) / 2;
#elif defined(NOT_IN_MASK)
    v += __shfl_xor_sync(0x7fffffffu, v, 1);
    v = warp_sum(v) / 2;
#elif defined(OTHER_KIND)
    unsigned full = 0xffffffffu;
    if (lane % 2) __syncwarp(full); else v += __shfl_xor_sync(full, v, 1);
    v = warp_sum(v) / 2;
#elif defined(HALF_MASK)
    if (lane < 16) v = __shfl_down_sync(0x0000ffffu, v, 4, 32); // lanes 12 to 15 read lanes that take no part
    v = warp_sum(v);
#else
    v = warp_sum(v);
#endif
    unsigned votes = __ballot_sync(0xffffffffu, i < n && x[i < n ? i : 0] > 0.0f);
    if (lane == 0) {
        out[i / 32] = v;
        positive[i / 32] = __popc(votes);
    }
}
