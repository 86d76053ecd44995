// Sums of rows in two phases: rows of a CSR are cut into chunks of 64 edges, one warp
// each, whose sums the second kernel adds in order. Features come in fours.
#ifdef INT_OFFSET
typedef int offset_t;
#elif defined(UNSIGNED_OFFSET)
typedef unsigned offset_t;
#else
typedef long long offset_t;
#endif

extern "C" __global__ void chunks(const float *__restrict__ x, int stride, const int *__restrict__ rows, const int *__restrict__ src,
                                  float *__restrict__ parts, int row, int *__restrict__ next) {
    __shared__ int mine;
    int lane = threadIdx.x;
    if (lane == 0) mine = atomicAdd(next, 1);
    __syncthreads();
    int start = rows[row] + mine * 64, end = min(start + 64, rows[row + 1]);
    float4 acc = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#ifdef LAST_EDGE
    for (int e = start + lane; e <= end; e += 32) {
#else
    for (int e = start + lane; e < end; e += 32) {
#endif
#ifdef MISALIGNED
        float4 v = __ldg((const float4 *)(x + (offset_t)src[e] * stride + 1));
#else
        float4 v = *(const float4 *)(x + (offset_t)src[e] * (offset_t)stride);
#endif
        acc.x += v.x, acc.y += v.y, acc.z += v.z, acc.w += v.w;
    }
    for (int step = 16; step > 0; step /= 2) {
        acc.x += __shfl_down_sync(0xffffffffu, acc.x, step);
        acc.y += __shfl_down_sync(0xffffffffu, acc.y, step);
        acc.z += __shfl_down_sync(0xffffffffu, acc.z, step);
        acc.w += __shfl_down_sync(0xffffffffu, acc.w, step);
    }
    if (lane == 0) *(float4 *)(parts + mine * 4) = acc;
}

extern "C" __global__ void merge(const float *__restrict__ parts, float *__restrict__ out, int count) {
    int f = threadIdx.x;
    float sum = 0.0f;
#ifdef FORGOTTEN_CHUNK
    for (int i = 0; i < count - 1; i++) sum += parts[i * 4 + f];
#else
    for (int i = 0; i < count; i++) sum += parts[i * 4 + f];
#endif
    out[f] = sum;
}
