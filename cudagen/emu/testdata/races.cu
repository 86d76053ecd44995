// Accesses that few kernels have: each kernel is right, or its name says what is wrong.
// Blocks have 64 threads.
extern "C" __global__ void adds_to_nothing(int *out) {
    __shared__ int s;
    atomicAdd(&s, 1);
}
extern "C" __global__ void subtracts_from_nothing(int *out) {
    __shared__ int s;
    atomicSub(&s, 1);
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
extern "C" __global__ void read_races_with_write_of_this_byte_before_others(int *out) {
    __shared__ unsigned char s[4];
    if (threadIdx.x < 4) s[threadIdx.x] = 1;
    if (threadIdx.x == 32) out[blockIdx.x] = s[0] + s[3];
}
extern "C" __global__ void write_races_with_read_of_this_byte_before_others(unsigned char *out) {
    __shared__ unsigned char s[4];
    if (threadIdx.x < 4) s[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int i = 0; i < 4; i++) out[4 * blockIdx.x + i] = s[i];
    if (threadIdx.x == 32) s[0] = 2;
}
extern "C" __global__ void write_races_with_read_before_write_of_other_byte(int *out) {
    __shared__ unsigned char s[4];
    if (threadIdx.x < 4) s[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
    if (threadIdx.x == 1) s[1] = 2;
    if (threadIdx.x == 32) s[0] = 3;
}
extern "C" __global__ void byte_races_with_word(int *out) {
    __shared__ int s;
    if (threadIdx.x == 0) s = 1;
    if (threadIdx.x == 32) out[blockIdx.x] = ((unsigned char *)&s)[2];
}
extern "C" __global__ void word_races_with_byte(int *out) {
    __shared__ int s;
    if (threadIdx.x == 32) s = 1;
    __syncthreads();
    if (threadIdx.x == 0) ((unsigned char *)&s)[2] = 5;
    if (threadIdx.x == 33) ((unsigned char *)&s)[1] = 5;
    __syncwarp();
    if (threadIdx.x == 34) out[blockIdx.x] = s;
}
extern "C" __global__ void reads_byte_beside_the_written(int *out) {
    __shared__ unsigned char s[4];
    if (threadIdx.x < 3) s[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 32) out[blockIdx.x] = s[3];
}
extern "C" __global__ void reads_word_of_which_a_byte_is_missing(int *out) {
    __shared__ int s;
    if (threadIdx.x < 3) ((unsigned char *)&s)[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 32) out[blockIdx.x] = s;
}
extern "C" __global__ void blocks_write_one_byte(unsigned char *out) {
    if (threadIdx.x < 2) out[blockIdx.x + threadIdx.x] = 1;
}
extern "C" __global__ void bytes_beside_each_other(unsigned char *out) {
    __shared__ unsigned s[16];
    unsigned char *bytes = (unsigned char *)s;
    int t = threadIdx.x;
    bytes[t] = (unsigned char)t;
    __syncthreads();
    unsigned char v = bytes[63 - t];
    __syncthreads();
    if (t < 16) s[t] = 0;
    __syncthreads();
    bytes[t] += v;
    __syncthreads();
    if (t < 4) out[4 * blockIdx.x + t] = bytes[t];
}
