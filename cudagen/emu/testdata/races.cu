// Accesses that few kernels have: each kernel is right, or its name says what is wrong.
// Blocks have 64 threads.
extern "C" __global__ void adds_to_nothing(int *out) {
    __shared__ int s;
    atomicAdd(&s, 1);
    out[0] = 0;
}
extern "C" __global__ void subtracts_from_nothing(int *out) {
    __shared__ int s;
    atomicSub(&s, 1);
    out[0] = 0;
}
extern "C" __global__ void compares_with_nothing(int *out) {
    __shared__ unsigned long long s;
    if (threadIdx.x == 63) atomicCAS(&s, 0, 1);
}
extern "C" __global__ void adds_after_exchange(int *out) {
    __shared__ int s;
    if (threadIdx.x == 0) atomicExch(&s, 7);
    __syncthreads();
    atomicAdd(&s, 1);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = s;
}
