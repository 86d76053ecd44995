// out[c][r] = x[r][c] in tiles of 32 x 32 by blocks of 32 x 8 threads.
extern "C" __global__ void transpose(const float *__restrict__ x, float *__restrict__ out, int rows, int cols) {
#ifdef SMALL_TILE
    __shared__ float tile[32][31];
#else
    __shared__ float tile[32][33];
#endif
    int c = blockIdx.x * 32 + threadIdx.x;
    for (int k = threadIdx.y; k < 32; k += 8) {
        int r = blockIdx.y * 32 + k;
        if (r < rows && c < cols) tile[k][threadIdx.x] = x[(long long)r * cols + c];
    }
#ifndef MISSING_BARRIER
    __syncthreads();
#endif
    int r = blockIdx.y * 32 + threadIdx.x;
    for (int k = threadIdx.y; k < 32; k += 8) {
        c = blockIdx.x * 32 + k;
#ifdef OFF_BY_ONE_WRITE
        if (c <= cols && r < rows) out[(long long)c * rows + r] = tile[threadIdx.x][k];
#elif defined(NO_GUARD)
        out[(long long)c * rows + r] = tile[threadIdx.x][k];
#else
        if (c < cols && r < rows) out[(long long)c * rows + r] = tile[threadIdx.x][k];
#endif
    }
}
