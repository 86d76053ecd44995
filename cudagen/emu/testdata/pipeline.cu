// Warp 0 of each block produces, warp 1 consumes: right if warp 0 runs first, and
// wrong otherwise unless there is a barrier.
extern "C" __global__ void pipeline(const float *__restrict__ x, float *__restrict__ out) {
    __shared__ float s[32];
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) s[lane] = 2.0f * x[blockIdx.x * 32 + lane];
#ifndef RACE
    __syncthreads();
#endif
    if (threadIdx.x >= 32) out[blockIdx.x * 32 + lane] = s[lane] + 1.0f;
}
