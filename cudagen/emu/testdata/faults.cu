// Kernels that are wrong by themselves.
extern "C" __global__ void forever(int *out) {
    while (atomicAdd(out, 0) < 1) {}
}
extern "C" __global__ void divide(int *out, int by) { out[threadIdx.x] = 7 / by; }
extern "C" __global__ void shift(int *out, int by) { out[threadIdx.x] = 1 << by; }
extern "C" __global__ void deep(int *out, int n) {
    volatile char big[40000];
    volatile char more[40000];
    big[n] = 1, more[n] = 2;
    out[0] = big[n] + more[n + 1];
}
extern "C" __global__ void trap(int *out) { if (threadIdx.x == 3) __trap(); }
extern "C" __global__ void local(int *out, int n) {
    int a[4] = {1, 2, 3, 4};
    out[0] = a[n];
}
extern "C" __global__ void unset(float *out, int n) {
    float v;
    if (n > 0) v = 1.0f;
    out[0] = v;
}
