// What the tests need of a C library: a producer and a consumer of DLPack.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct { int32_t device_type, device_id; } DLDevice;
typedef struct { uint8_t code, bits; uint16_t lanes; } DLDataType;
typedef struct {
	void *data;
	DLDevice device;
	int32_t ndim;
	DLDataType dtype;
	int64_t *shape, *strides;
	uint64_t byte_offset;
} DLTensor;
typedef struct DLManagedTensor {
	DLTensor dl_tensor;
	void *manager_ctx;
	void (*deleter)(struct DLManagedTensor *);
} DLManagedTensor;
typedef struct DLManagedTensorVersioned {
	struct { uint32_t major, minor; } version;
	void *manager_ctx;
	void (*deleter)(struct DLManagedTensorVersioned *);
	uint64_t flags;
	DLTensor dl_tensor;
} DLManagedTensorVersioned;

// layout writes sizes and offsets as the compiler sees them.
void layout(int64_t *out) {
	int64_t list[] = {
		sizeof(DLTensor), offsetof(DLTensor, data), offsetof(DLTensor, device), offsetof(DLTensor, ndim), offsetof(DLTensor, dtype),
		offsetof(DLTensor, shape), offsetof(DLTensor, strides), offsetof(DLTensor, byte_offset),
		sizeof(DLManagedTensor), offsetof(DLManagedTensor, manager_ctx), offsetof(DLManagedTensor, deleter),
		sizeof(DLManagedTensorVersioned), offsetof(DLManagedTensorVersioned, manager_ctx), offsetof(DLManagedTensorVersioned, deleter),
		offsetof(DLManagedTensorVersioned, flags), offsetof(DLManagedTensorVersioned, dl_tensor),
	};
	memcpy(out, list, sizeof list);
}

// twice doubles the elements of a float32 matrix in place, and returns their sum before
// in *sum.
int twice(DLTensor *t, double *sum) {
	if (t->ndim != 2 || t->dtype.code != 2 || t->dtype.bits != 32 || t->dtype.lanes != 1 || t->device.device_type != 1)
		return 1;
	*sum = 0;
	for (int64_t i = 0; i < t->shape[0]; i++)
		for (int64_t j = 0; j < t->shape[1]; j++) {
			float *p = (float *)((char *)t->data + t->byte_offset) + i * t->strides[0] + j * t->strides[1];
			*sum += *p;
			*p *= 2;
		}
	return 0;
}

static int64_t made, deleted;

static void delete_made(DLManagedTensor *m) {
	// What is read after this is seen to be wrong.
	memset(m->dl_tensor.data, 0xff, (size_t)m->dl_tensor.byte_offset + 4 * (size_t)(m->dl_tensor.shape[0] * m->dl_tensor.shape[1]));
	free(m->dl_tensor.data);
	free(m->dl_tensor.shape);
	free(m);
	__atomic_add_fetch(&deleted, 1, __ATOMIC_SEQ_CST);
}

// make returns a float32 matrix of 0, 1, 2 ... in row-major order.
DLManagedTensor *make(int64_t rows, int64_t cols, int64_t byte_offset) {
	DLManagedTensor *m = calloc(1, sizeof *m);
	m->dl_tensor.data = malloc((size_t)(byte_offset + 4 * rows * cols));
	m->dl_tensor.device.device_type = 1;
	m->dl_tensor.ndim = 2;
	m->dl_tensor.dtype = (DLDataType){2, 32, 1};
	m->dl_tensor.shape = malloc(2 * sizeof(int64_t));
	m->dl_tensor.shape[0] = rows;
	m->dl_tensor.shape[1] = cols;
	m->dl_tensor.byte_offset = (uint64_t)byte_offset;
	m->deleter = delete_made;
	for (int64_t i = 0; i < rows * cols; i++)
		((float *)((char *)m->dl_tensor.data + byte_offset))[i] = (float)i;
	__atomic_add_fetch(&made, 1, __ATOMIC_SEQ_CST);
	return m;
}

int64_t alive(void) { return __atomic_load_n(&made, __ATOMIC_SEQ_CST) - __atomic_load_n(&deleted, __ATOMIC_SEQ_CST); }

// consume keeps a tensor of Go's until let_go.
static DLManagedTensor *kept;
void consume(DLManagedTensor *m) { kept = m; }
double first(void) { return ((float *)kept->dl_tensor.data)[0]; }

static void *delete_kept(void *unused) {
	kept->deleter(kept);
	return unused;
}

// let_go calls the deleter on a thread of C's own.
int let_go(void) {
	pthread_t thread;
	return pthread_create(&thread, NULL, delete_kept, NULL) || pthread_join(thread, NULL);
}
