// A library with the functions of the CUDA driver, NVRTC, cuBLAS and cuSPARSE that notes
// what it is called with. It shows that the Go bindings pass every argument as C
// expects it; it computes nothing. The prototypes are those of CUDA 12.8.

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[1 << 14];
static int result;
static size_t used;

const char *stub_log(void) { return text; }
void stub_reset(int r) { used = 0; text[0] = 0; result = r; }

static int note(const char *format, ...) {
  if (used < sizeof text - 1) {
    va_list args;
    va_start(args, format);
    used += vsnprintf(text + used, sizeof text - used, format, args);
    va_end(args);
  }
  return result;
}

typedef uint64_t ptr;  // CUdeviceptr
typedef void *handle;
typedef unsigned int uint;
#define OUT(p, v) do { if (result == 0) *(p) = (v); } while (0)
#define H(x) ((uintptr_t)(x))

int cuInit(uint flags) { return note("%u", flags); }
int cuDriverGetVersion(int *v) { OUT(v, 12080); return note(""); }
int cuDeviceGetCount(int *n) { OUT(n, 3); return note(""); }
int cuDeviceGet(int *d, int i) { OUT(d, 40 + i); return note("%d", i); }
int cuDeviceGetName(char *s, int n, int d) { if (!result) snprintf(s, n, "stub GPU"); return note("%d %d", n, d); }
int cuDeviceTotalMem_v2(size_t *n, int d) { OUT(n, 1ull << 36); return note("%d", d); }
int cuDeviceGetAttribute(int *v, int a, int d) { OUT(v, -a); return note("%d %d", a, d); }
int cuGetErrorName(int e, const char **s) { if (e != 700) return 1; *s = "STUB_NAME"; return 0; }
int cuDevicePrimaryCtxRetain(handle *c, int d) { OUT(c, (handle)0x7fff12345678); return note("%d", d); }
int cuDevicePrimaryCtxRelease_v2(int d) { return note("%d", d); }
int cuCtxSetCurrent(handle c) { return note("%#lx", H(c)); }
int cuCtxSynchronize(void) { return note(""); }
int cuMemGetInfo_v2(size_t *f, size_t *t) { OUT(f, 1ull << 35); OUT(t, 1ull << 36); return note(""); }
int cuMemAlloc_v2(ptr *p, size_t n) { OUT(p, 0x7f0012345600); return note("%zu", n); }
int cuMemFree_v2(ptr p) { return note("%#lx", p); }
int cuMemHostAlloc(void **p, size_t n, uint flags) { OUT(p, malloc(n)); return note("%zu %u", n, flags); }
int cuMemFreeHost(void *p) { free(p); return note(""); }
int cuMemAllocAsync(ptr *p, size_t n, handle s) { OUT(p, 0x7f0012345700); return note("%zu %#lx", n, H(s)); }
int cuMemFreeAsync(ptr p, handle s) { return note("%#lx %#lx", p, H(s)); }
int cuDeviceGetDefaultMemPool(handle *p, int d) { OUT(p, (handle)0xb001); return note("%d", d); }
int cuMemPoolSetAttribute(handle p, int a, void *v) { return note(" %#lx %d %#lx", H(p), a, *(uint64_t *)v); }
int cuMemPoolTrimTo(handle p, size_t n) { return note(" %#lx %zu", H(p), n); }
int cuMemcpyHtoD_v2(ptr d, const void *s, size_t n) { return note("%#lx %.*s %zu", d, (int)n, (const char *)s, n); }
int cuMemcpyDtoH_v2(void *d, ptr s, size_t n) { if (!result) memset(d, 'x', n); return note("%#lx %zu", s, n); }
int cuMemcpyDtoD_v2(ptr d, ptr s, size_t n) { return note("%#lx %#lx %zu", d, s, n); }
int cuMemcpyHtoDAsync_v2(ptr d, const void *s, size_t n, handle q) { return note("%#lx %.*s %zu %#lx", d, (int)n, (const char *)s, n, H(q)); }
int cuMemcpyDtoHAsync_v2(void *d, ptr s, size_t n, handle q) { if (!result) memset(d, 'x', n); return note("%#lx %zu %#lx", s, n, H(q)); }
int cuMemcpyDtoDAsync_v2(ptr d, ptr s, size_t n, handle q) { return note("%#lx %#lx %zu %#lx", d, s, n, H(q)); }
int cuMemsetD8Async(ptr d, unsigned char v, size_t n, handle q) { return note("%#lx %d %zu %#lx", d, v, n, H(q)); }
int cuMemsetD32Async(ptr d, uint v, size_t n, handle q) { return note("%#lx %#x %zu %#lx", d, v, n, H(q)); }
int cuStreamCreate(handle *s, uint flags) { OUT(s, (handle)0x5001); return note("%u", flags); }
int cuStreamDestroy_v2(handle s) { return note("%#lx", H(s)); }
int cuStreamSynchronize(handle s) { return note("%#lx", H(s)); }
int cuStreamQuery(handle s) { return note("%#lx", H(s)); }
int cuStreamWaitEvent(handle s, handle e, uint flags) { return note("%#lx %#lx %u", H(s), H(e), flags); }
int cuEventCreate(handle *e, uint flags) { OUT(e, (handle)0xe001); return note("%u", flags); }
int cuEventDestroy_v2(handle e) { return note("%#lx", H(e)); }
int cuEventRecord(handle e, handle s) { return note("%#lx %#lx", H(e), H(s)); }
int cuEventQuery(handle e) { return note("%#lx", H(e)); }
int cuEventSynchronize(handle e) { return note("%#lx", H(e)); }
int cuEventElapsedTime(float *ms, handle a, handle b) { OUT(ms, 1.5f); return note("%#lx %#lx", H(a), H(b)); }
int cuModuleLoadData(handle *m, const void *image) { OUT(m, (handle)0x3001); return note("%s", (const char *)image); }
int cuModuleUnload(handle m) { return note("%#lx", H(m)); }
int cuModuleGetFunction(handle *f, handle m, const char *name) { OUT(f, (handle)0xf001); return note("%#lx %s", H(m), name); }
int cuFuncGetAttribute(int *v, int a, handle f) { OUT(v, -a); return note("%d %#lx", a, H(f)); }
int cuFuncSetAttribute(handle f, int a, int v) { return note("%#lx %d %d", H(f), a, v); }
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n, handle f, int threads, size_t shared) { OUT(n, 7); return note("%#lx %d %zu", H(f), threads, shared); }
int cuLaunchKernel(handle f, uint gx, uint gy, uint gz, uint bx, uint by, uint bz, uint shared, handle s, void **params, void **extra) {
  note("%#lx %u %u %u %u %u %u %u %#lx extra %d:", H(f), gx, gy, gz, bx, by, bz, shared, H(s), extra != NULL);
  if (!params) return note(" none");
  return note(" %#lx %d %g %g", *(ptr *)params[0], *(int *)params[1], *(float *)params[2], *(double *)params[3]);
}
int cuStreamBeginCapture_v2(handle s, int mode) { return note("%#lx %d", H(s), mode); }
int cuStreamEndCapture(handle s, handle *g) { OUT(g, (handle)0x6001); return note("%#lx", H(s)); }
int cuStreamIsCapturing(handle s, int *status) { OUT(status, 1); return note("%#lx", H(s)); }
int cuGraphInstantiateWithFlags(handle *x, handle g, unsigned long long flags) { OUT(x, (handle)0x6002); return note("%#lx %llu", H(g), flags); }
int cuGraphLaunch(handle x, handle s) { return note("%#lx %#lx", H(x), H(s)); }
int cuGraphDestroy(handle g) { return note("%#lx", H(g)); }
int cuGraphExecDestroy(handle x) { return note("%#lx", H(x)); }

int nvrtcVersion(int *a, int *b) { *a = 12; *b = 8; return 0; }
int nvrtcGetNumSupportedArchs(int *n) { *n = 2; return 0; }
int nvrtcGetSupportedArchs(int *list) { list[0] = 80; list[1] = 90; return 0; }
const char *nvrtcGetErrorString(int e) { return e == 6 ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR"; }
int nvrtcCreateProgram(handle *p, const char *src, const char *name, int n, const char *const *headers, const char *const *names) {
  *p = (handle)0x9001;
  note("create [%s] [%s]", src, name);
  for (int i = 0; i < n; i++) note(" [%s=%s]", names[i], headers[i]);
  note("\n");
  return 0;
}
int nvrtcDestroyProgram(handle *p) { note("destroy %#lx", H(*p)); *p = 0; return 0; }
int nvrtcCompileProgram(handle p, int n, const char *const *options) {
  note("compile %#lx", H(p));
  for (int i = 0; i < n; i++) note(" [%s]", options[i]);
  note("\n");
  return result;
}
int nvrtcGetCUBINSize(handle p, size_t *n) { (void)p; *n = 6; return 0; }
int nvrtcGetCUBIN(handle p, char *to) { (void)p; memcpy(to, "cu\0bin", 6); return 0; }
int nvrtcGetProgramLogSize(handle p, size_t *n) { (void)p; *n = 8; return 0; }
int nvrtcGetProgramLog(handle p, char *to) { (void)p; memcpy(to, "warning", 8); return 0; }

int cublasCreate_v2(handle *h) { OUT(h, (handle)0xbb01); return note(""); }
int cublasDestroy_v2(handle h) { return note("%#lx", H(h)); }
int cublasGetVersion_v2(handle h, int *v) { OUT(v, 120804); return note("%#lx", H(h)); }
int cublasSetStream_v2(handle h, handle s) { return note("%#lx %#lx", H(h), H(s)); }
int cublasSetWorkspace_v2(handle h, void *p, size_t n) { return note("%#lx %#lx %zu", H(h), H(p), n); }
int cublasSetMathMode(handle h, int m) { return note("%#lx %d", H(h), m); }
const char *cublasGetStatusName(int e) { (void)e; return "STUB_STATUS"; }

static void scalar(const void *p, int compute) { note(" %g", compute == 70 ? *(const double *)p : *(const float *)p); }
int cublasGemmEx(handle h, int ta, int tb, int m, int n, int k, const void *alpha, const void *a, int at, int lda,
                 const void *b, int bt, int ldb, const void *beta, void *c, int ct, int ldc, int compute, int algo) {
  note("%#lx %d %d %d %d %d", H(h), ta, tb, m, n, k);
  scalar(alpha, compute);
  note(" %#lx %d %d %#lx %d %d", H(a), at, lda, H(b), bt, ldb);
  scalar(beta, compute);
  return note(" %#lx %d %d %d %d", H(c), ct, ldc, compute, algo);
}
int cublasGemmStridedBatchedEx(handle h, int ta, int tb, int m, int n, int k, const void *alpha, const void *a, int at, int lda, long long sa,
                               const void *b, int bt, int ldb, long long sb, const void *beta, void *c, int ct, int ldc, long long sc,
                               int batch, int compute, int algo) {
  note("%#lx %d %d %d %d %d", H(h), ta, tb, m, n, k);
  scalar(alpha, compute);
  note(" %#lx %d %d %lld %#lx %d %d %lld", H(a), at, lda, sa, H(b), bt, ldb, sb);
  scalar(beta, compute);
  return note(" %#lx %d %d %lld %d %d %d", H(c), ct, ldc, sc, batch, compute, algo);
}

int cusparseCreate(handle *h) { OUT(h, (handle)0xaa01); return note(""); }
int cusparseDestroy(handle h) { return note("%#lx", H(h)); }
int cusparseGetVersion(handle h, int *v) { OUT(v, 12508); return note("%#lx", H(h)); }
int cusparseSetStream(handle h, handle s) { return note("%#lx %#lx", H(h), H(s)); }
const char *cusparseGetErrorName(int e) { (void)e; return "STUB_SPARSE"; }
int cusparseCreateCsr(handle *d, int64_t rows, int64_t cols, int64_t nnz, void *offsets, void *columns, void *values,
                      int offset_type, int column_type, int base, int type) {
  OUT(d, (handle)0xaa02);
  return note("csr %ld %ld %ld %#lx %#lx %#lx %d %d %d %d\n", rows, cols, nnz, H(offsets), H(columns), H(values), offset_type, column_type, base, type);
}
int cusparseDestroySpMat(handle d) { return note("destroy %#lx\n", H(d)); }
int cusparseCreateDnMat(handle *d, int64_t rows, int64_t cols, int64_t ld, void *values, int type, int order) {
  OUT(d, (handle)(0xaa00 + (H(values) & 0xf)));
  return note("dense %ld %ld %ld %#lx %d %d\n", rows, cols, ld, H(values), type, order);
}
int cusparseDestroyDnMat(handle d) { return note("destroy %#lx\n", H(d)); }
static int spmm(handle h, int opa, int opb, const void *alpha, handle a, handle b, const void *beta, handle c, int compute, int algo, uintptr_t to) {
  note("%#lx %d %d", H(h), opa, opb);
  scalar(alpha, compute);
  note(" %#lx %#lx", H(a), H(b));
  scalar(beta, compute);
  return note(" %#lx %d %d %#lx\n", H(c), compute, algo, to);
}
int cusparseSpMM_bufferSize(handle h, int opa, int opb, const void *alpha, handle a, handle b, const void *beta, handle c, int compute, int algo, size_t *bytes) {
  OUT(bytes, 5000000000);
  return spmm(h, opa, opb, alpha, a, b, beta, c, compute, algo, 0);
}
int cusparseSpMM_preprocess(handle h, int opa, int opb, const void *alpha, handle a, handle b, const void *beta, handle c, int compute, int algo, void *w) {
  return spmm(h, opa, opb, alpha, a, b, beta, c, compute, algo, H(w));
}
int cusparseSpMM(handle h, int opa, int opb, const void *alpha, handle a, handle b, const void *beta, handle c, int compute, int algo, void *w) {
  return spmm(h, opa, opb, alpha, a, b, beta, c, compute, algo, H(w));
}
