// Sums of blocks of numbers through a tree in shared memory: out[b] is block b's.
extern "C" __global__ void __launch_bounds__(128) reduce(const float *__restrict__ x, float *__restrict__ out, int n) {
    __shared__ float part[128];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
#if defined(OFF_BY_ONE_READ)
    float v = i <= n ? x[i] : 0.0f;
#elif defined(NO_GUARD)
    float v = x[i];
#elif defined(READ_BEFORE)
    float v = i < n ? x[i - 1] : 0.0f;
#else
    float v = i < n ? x[i] : 0.0f;
#endif
#ifdef WRITES_INPUT
    if (i < n) ((float *)x)[i] = 0.0f;
#endif
#ifdef UNINITIALISED
    if (i < n) part[t] = v; // the last block has fewer
#else
    part[t] = v;
#endif
#ifndef MISSING_BARRIER
    __syncthreads();
#endif
    for (int step = 64; step > 0; step /= 2) {
        if (t < step) {
            part[t] += part[t + step];
#ifdef BARRIER_IN_BRANCH
            __syncthreads();
#endif
        }
#if defined(MISSING_STEP_BARRIER)
        if (step <= 32) __syncthreads();
#elif defined(TWO_BARRIERS)
        if (t < 64) __syncthreads(); else __syncthreads();
#else
        __syncthreads();
#endif
    }
    if (t == 0) out[blockIdx.x] = part[0];
}
