// Running sums within blocks of 256, in place in shared memory.
extern "C" __global__ void scan(const float *__restrict__ x, float *__restrict__ out, int n) {
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        float v = t >= step ? s[t - step] : 0.0f;
#ifndef WRITE_AFTER_READ
        __syncthreads(); // all have read
#endif
        s[t] += v;
#ifndef READ_AFTER_WRITE
        __syncthreads(); // all have written
#endif
    }
    if (i < n) out[i] = s[t];
}
