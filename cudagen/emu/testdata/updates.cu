// Counts of values 0 to 3, by block and in all.
extern "C" __global__ void updates(const int *__restrict__ x, int *__restrict__ out, int n) {
    __shared__ int count[4];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifndef NO_ZEROS
    if (threadIdx.x < 4) count[threadIdx.x] = 0;
#endif
    __syncthreads();
#ifdef LOST_UPDATE
    if (i < n) count[x[i]]++;
#else
    if (i < n) atomicAdd(&count[x[i]], 1);
#endif
    __syncthreads();
#ifdef BLOCKS_RACE
    if (threadIdx.x < 4) out[threadIdx.x] += count[threadIdx.x];
#else
    if (threadIdx.x < 4) atomicAdd(&out[threadIdx.x], count[threadIdx.x]);
#endif
}
