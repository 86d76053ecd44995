// G threads of a block work on a row together: 8 or 32, neighbours in a warp, or all 256.
// All threads of a block call these functions together.

#define GROUPS (256 / G)
AST_DEVICE int group_of() { return threadIdx.x / G; }
AST_DEVICE int lane_of() { return threadIdx.x % G; }

// What values are merged by.
struct Add {};
struct Multiply {};
struct Larger {};
struct Smaller {};
struct Either {};
struct Both {};
template <class V> AST_DEVICE V merge(Add, V a, V b) { return a + b; }
template <class V> AST_DEVICE V merge(Multiply, V a, V b) { return a * b; }
// Integers wrap around, as Go's do: signed ones may not in C++.
AST_DEVICE i64 merge(Add, i64 a, i64 b) { return (i64)((u64)a + (u64)b); }
AST_DEVICE i64 merge(Multiply, i64 a, i64 b) { return (i64)((u64)a * (u64)b); }
template <class V> AST_DEVICE V merge(Larger, V a, V b) { return e_max(a, b); }
template <class V> AST_DEVICE V merge(Smaller, V a, V b) { return e_min(a, b); }
template <class V> AST_DEVICE V merge(Either, V a, V b) { return a | b; }
template <class V> AST_DEVICE V merge(Both, V a, V b) { return a & b; }

// group_fold merges a value of every thread of a group in a fixed order; all threads get
// the result.
template <class F, class V> AST_DEVICE V group_fold(V v) {
  for (int d = (G < 32 ? G : 32) / 2; d > 0; d /= 2) v = merge(F(), v, __shfl_xor_sync(0xffffffffu, v, d, 32));
#if G > 32
  AST_SHARED V parts[G / 32];
  __syncthreads();  // an earlier fold's parts may be read still
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;
  __syncthreads();
  v = parts[0];
  for (int w = 1; w < G / 32; w++) v = merge(F(), v, parts[w]);
#endif
  return v;
}
