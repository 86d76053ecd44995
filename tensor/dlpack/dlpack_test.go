//go:build (darwin || (linux && !android)) && (amd64 || arm64)

package dlpack

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/asterias-ml/asterias/tensor"
	"github.com/ebitengine/purego"
)

func TestStructsHaveTheLayoutOfC(t *testing.T) {
	l := inC(t)
	var (
		d Tensor
		m Managed
		v ManagedVersioned
	)
	want := []uintptr{
		unsafe.Sizeof(d), unsafe.Offsetof(d.Data), unsafe.Offsetof(d.Device), unsafe.Offsetof(d.Dims), unsafe.Offsetof(d.DType),
		unsafe.Offsetof(d.Shape), unsafe.Offsetof(d.Strides), unsafe.Offsetof(d.ByteOffset),
		unsafe.Sizeof(m), unsafe.Offsetof(m.Context), unsafe.Offsetof(m.Deleter),
		unsafe.Sizeof(v), unsafe.Offsetof(v.Context), unsafe.Offsetof(v.Deleter), unsafe.Offsetof(v.Flags), unsafe.Offsetof(v.Tensor),
	}
	got := make([]int64, len(want))
	l.layout(&got[0])
	for i, w := range want {
		if got[i] != int64(w) {
			t.Errorf("number %d is %d in C, %d in Go", i, got[i], w)
		}
	}
}

// kinds are tensors of every element type, and views.
func kinds() map[string]*tensor.Tensor {
	x := tensor.Arange(tensor.Float32, 0, 24, 1).Reshape(2, 3, 4)
	return map[string]*tensor.Tensor{
		"float32":    x,
		"float64":    tensor.Randn(tensor.Float64, 1, 5, 3),
		"int32":      tensor.Arange(tensor.Int32, -3, 3, 1),
		"int64":      tensor.Arange(tensor.Int64, 0, 12, 1).Reshape(3, 2, 2),
		"bool":       tensor.Greater(x, tensor.Full(tensor.Float32, 7)),
		"scalar":     tensor.Full(tensor.Float64, 2.5),
		"transposed": x.Transpose(2, 0, 1),
		"narrowed":   x.Narrow(1, 1, 3).Narrow(2, 1, 3),
		"broadcast":  x.Narrow(0, 1, 2).Expand(4, 3, 4),
		"empty":      tensor.Zeros(tensor.Float32, 0, 3),
		"large":      tensor.Rand(tensor.Float32, 2, 300, 40),
	}
}

func wantSame(t *testing.T, got, want *tensor.Tensor) {
	t.Helper()
	if got.DType() != want.DType() || !got.Shape().Equal(want.Shape()) || !slices.Equal(got.Float64s(), want.Float64s()) {
		t.Errorf("got %v, want %v", got, want)
	}
	g, err := got.Raw()
	if err != nil {
		t.Fatal(err)
	}
	w, err := want.Raw()
	if err != nil {
		t.Fatal(err)
	}
	if g.Pointer != w.Pointer {
		t.Errorf("the elements moved from %p to %p", w.Pointer, g.Pointer)
	}
}

func owned() int {
	exports.Lock()
	defer exports.Unlock()
	return len(exports.owned)
}

func TestWhatIsExportedIsImportedInPlace(t *testing.T) {
	for name, x := range kinds() {
		t.Run(name, func(t *testing.T) {
			before := owned()
			m, err := Export(x)
			if err != nil {
				t.Fatal(err)
			}
			v, err := ExportVersioned(x)
			if err != nil {
				t.Fatal(err)
			}
			if n := owned() - before; n != 2 {
				t.Errorf("%d exports are owned", n)
			}
			a, err := Import(m)
			if err != nil {
				t.Fatal(err)
			}
			wantSame(t, a.Tensor, x)
			b, err := ImportVersioned(v)
			if err != nil {
				t.Fatal(err)
			}
			wantSame(t, b.Tensor, x)
			if a.Copied || b.Copied {
				t.Error("copied")
			}
			a.Release()
			a.Release()
			if n := owned() - before; n != 1 {
				t.Errorf("after a release %d exports are owned", n)
			}
			b.Release()
			if n := owned() - before; n != 0 || a.Tensor != nil {
				t.Errorf("in the end %d exports are owned, tensor %v", n, a.Tensor)
			}
		})
	}
}

func TestDiscardEndsAnExport(t *testing.T) {
	before := owned()
	m, err := Export(tensor.Ones(tensor.Float32, 3))
	if err != nil {
		t.Fatal(err)
	}
	v, err := ExportVersioned(tensor.Ones(tensor.Float32, 3))
	if err != nil {
		t.Fatal(err)
	}
	Discard(m)
	Discard(m) // of nobody any more
	DiscardVersioned(v)
	Discard(nil) // as free does
	DiscardVersioned(nil)
	if n := owned() - before; n != 0 {
		t.Errorf("%d exports are owned", n)
	}
}

// importReadOnly exports x as what must not be written to, and imports it.
func importReadOnly(t *testing.T, x *tensor.Tensor) *Imported {
	t.Helper()
	v, err := ExportVersioned(x)
	if err != nil {
		t.Fatal(err)
	}
	v.Flags |= ReadOnly
	y, err := ImportVersioned(v)
	if err != nil {
		t.Fatal(err)
	}
	return y
}

func TestReadOnlyMemoryIsCopied(t *testing.T) {
	before := owned()
	x := tensor.Ones(tensor.Float32, 2, 2)
	y := importReadOnly(t, x)
	if !y.Copied || owned() != before {
		t.Errorf("copied %t, %d owned", y.Copied, owned()-before)
	}
	y.Tensor.Fill(7)
	if x.At(0, 0) != 1 {
		t.Error("written to")
	}
	y.Release()
}

// As NumPy's broadcast_to gives it.
func TestReadOnlyMemoryIsCopiedOnceWhereItIsBroadcast(t *testing.T) {
	const long = math.MaxInt >> 10
	y := importReadOnly(t, tensor.FromSlice([]float32{1, 2}, 1, 2).Expand(long, 2))
	if !y.Copied || !y.Tensor.Shape().Equal(tensor.Shape{long, 2}) || y.Tensor.At(long-1, 1) != 2 {
		t.Errorf("copied %t, %v", y.Copied, y.Tensor.Shape())
	}
	y.Release()
}

func TestOtherVersionsAreRefused(t *testing.T) {
	v := &ManagedVersioned{Major: 2, Minor: 3}
	if _, err := ImportVersioned(v); err == nil || !strings.Contains(err.Error(), "version 2.3, want 1") {
		t.Error(err)
	}
}

func TestImportRefusesStructsThatMakeNoSense(t *testing.T) {
	data := make([]float64, 8)
	p := uintptr(unsafe.Pointer(&data[0]))
	dims := func(d ...int64) *int64 { return &d[0] }
	f32 := DataType{Float, 32, 1}
	for _, c := range []struct {
		tensor Tensor
		want   string
	}{
		{Tensor{Data: p, Device: Device{CUDA, 1}, DType: f32}, "device 2:1, want memory of the CPU"},
		{Tensor{Data: p, Device: Device{}, DType: f32}, "device 0:0"},
		{Tensor{Data: p, Device: Device{-7, 0}, DType: f32}, "device -7:0"},
		{Tensor{Data: p, Device: Device{CPU, 0}, DType: DataType{UInt, 8, 1}}, "element type uint8,"},
		{Tensor{Data: p, Device: Device{CPU, 0}, DType: DataType{Float, 16, 1}}, "element type float16,"},
		{Tensor{Data: p, Device: Device{CPU, 0}, DType: DataType{Float, 32, 4}}, "element type float32x4,"},
		{Tensor{Data: p, Device: Device{CPU, 0}, DType: DataType{Float, 32, 0}}, "element type float32x0,"},
		{Tensor{Data: p, Device: Device{CPU, 0}, DType: DataType{99, 32, 1}}, "element type type 99 of 32 bits,"},
		{Tensor{Data: p, Device: Device{CPU, 0}, DType: DataType{Bool, 1, 1}}, "element type bool1,"},
		{Tensor{Data: p, Device: Device{CPU, 0}, DType: f32, Dims: -1}, "-1 axes"},
		{Tensor{Data: p, Device: Device{CPU, 0}, DType: f32, Dims: math.MaxInt32, Shape: dims(1)}, "2147483647 axes"},
		{Tensor{Data: p, Device: Device{CPU, 0}, DType: f32, Dims: 1}, "no shape"},
		{Tensor{Data: p, Device: Device{CPU, 0}, DType: f32, Dims: 1, Shape: dims(-1)}, "axis 0 has length -1"},
		{Tensor{Data: p, Device: Device{CPU, 0}, DType: f32, Dims: 2, Shape: dims(1<<32, 1<<31)}, "more elements than memory"},
		{Tensor{Data: p, Device: Device{CPU, 0}, DType: f32, Dims: 1, Shape: dims(math.MaxInt64)}, "more elements than memory"},
		{Tensor{Data: p, Device: Device{CPU, 0}, DType: f32, Dims: 1, Shape: dims(2), Strides: dims(math.MinInt64)}, "reach beyond memory"},
		{Tensor{Data: p, Device: Device{CPU, 0}, DType: f32, Dims: 1, Shape: dims(3), Strides: dims(1 << 61)}, "reach beyond memory"},
		{Tensor{Data: p, Device: Device{CPU, 0}, DType: f32, Dims: 2, Shape: dims(2, 2), Strides: dims(1, 1)}, "lie on each other"},
		{Tensor{Data: p, Device: Device{CPU, 0}, DType: f32, Dims: 1, Shape: dims(2), ByteOffset: 2}, "not aligned"},
		{Tensor{Data: p, Device: Device{CPU, 0}, DType: f32, Dims: 1, Shape: dims(2), ByteOffset: math.MaxUint64}, "byte offset 18446744073709551615 reaches beyond memory"},
		{Tensor{Data: math.MaxUint64 - 7, Device: Device{CPU, 0}, DType: f32, Dims: 1, Shape: dims(2), ByteOffset: 16}, "byte offset 16 reaches beyond memory"},
		{Tensor{Data: math.MaxUint64 - 7, Device: Device{CPU, 0}, DType: f32, Dims: 1, Shape: dims(3)}, "reach beyond memory"},
		{Tensor{Device: Device{CPU, 0}, DType: f32, Dims: 1, Shape: dims(2)}, "no memory for shape [2]"},
	} {
		x, err := Import(&Managed{Tensor: c.tensor, Deleter: neverCalled()})
		if err == nil || x != nil || !strings.HasPrefix(err.Error(), "dlpack: Import: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, %v, want an error with %q", x, err, c.want)
		}
		v, err := ImportVersioned(&ManagedVersioned{Major: Major, Tensor: c.tensor, Deleter: neverCalled()})
		if err == nil || v != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("versioned: got %v, %v, want an error with %q", v, err, c.want)
		}
	}
	if n := wrongCalls.Load(); n != 0 {
		t.Errorf("the deleter of a refused struct was called %d times", n)
	}
	if _, err := Import(nil); err == nil {
		t.Error("nil was imported")
	}
	if _, err := ImportVersioned(nil); err == nil {
		t.Error("nil was imported")
	}
	runtime.KeepAlive(data)
}

var wrongCalls atomic.Int32

var neverCalled = sync.OnceValue(func() uintptr {
	return purego.NewCallback(func(uintptr) uintptr { wrongCalls.Add(1); return 0 })
})

func TestAStructWithoutADeleterIsTaken(t *testing.T) {
	data := []float32{1, 2, 3}
	n := int64(3)
	x, err := Import(&Managed{Tensor: Tensor{
		Data: uintptr(unsafe.Pointer(&data[0])), Device: Device{CUDAHost, 0}, DType: DataType{Float, 32, 1}, Dims: 1, Shape: &n,
	}})
	if err != nil {
		t.Fatal(err)
	}
	if got := x.Tensor.Float64s(); !slices.Equal(got, []float64{1, 2, 3}) {
		t.Error(got)
	}
	x.Release()
	runtime.KeepAlive(data)
}

func TestBorrowLendsElementsInPlace(t *testing.T) {
	l := inC(t)
	x := tensor.Arange(tensor.Float32, 0, 6, 1).Reshape(2, 3)
	var sum float64
	for _, lend := range []*tensor.Tensor{x, x.Transpose(), x.Narrow(1, 1, 3)} {
		want := 0.0
		for _, v := range lend.Float64s() {
			want += v
		}
		err := Borrow(func(lent []*Tensor) error {
			if lent[0] != nil {
				return errors.New("nil became something")
			}
			if r, _, _ := purego.SyscallN(l.twice, uintptr(unsafe.Pointer(lent[1])), uintptr(unsafe.Pointer(&sum))); int32(r) != 0 {
				return fmt.Errorf("C does not take %+v", lent[1])
			}
			return nil
		}, nil, lend)
		if err != nil {
			t.Fatal(err)
		}
		if sum != want {
			t.Errorf("C sees a sum of %v, want %v", sum, want)
		}
	}
	if got, want := x.Float64s(), []float64{0, 8, 16, 12, 32, 40}; !slices.Equal(got, want) {
		t.Errorf("C left %v, want %v", got, want)
	}
	boom := errors.New("boom")
	if err := Borrow(func([]*Tensor) error { return boom }, x); err != boom {
		t.Error(err)
	}
}

func TestCTakesATensorAndLetsItGoOnItsOwnThread(t *testing.T) {
	l := inC(t)
	before := owned()
	for range 5 {
		func() {
			m, err := Export(tensor.Full(tensor.Float32, 5, 4000)) // nobody but C has it
			if err != nil {
				t.Fatal(err)
			}
			l.eat(unsafe.Pointer(m))
		}()
		for range 3 { // memory of tensors that nobody has is used again
			runtime.GC()
			tensor.Full(tensor.Float32, 9, 4000)
		}
		if got := l.first(); got != 5 {
			t.Fatalf("C reads %v from memory it owns", got)
		}
		if l.letGo() != 0 || owned() != before {
			t.Fatalf("%d exports are owned", owned()-before)
		}
	}
}

func TestMemoryOfCIsFreedOnceAndNotWhileInUse(t *testing.T) {
	l := inC(t)
	before := l.alive()
	stop := make(chan struct{})
	var busy sync.WaitGroup
	busy.Go(func() { // garbage collections all the time
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
				tensor.Rand(tensor.Float32, 1, 2000)
			}
		}
	})
	const rows, cols = 61, 33
	for i := range 100 {
		x, err := Import((*Managed)(l.make(rows, cols, int64(i%4)*4)))
		if err != nil {
			t.Fatal(err)
		}
		view := x.Tensor.Transpose().Narrow(0, 1, cols)
		sum := tensor.Sum(view, false).Item()
		want := float64(rows*cols*(rows*cols-1)/2 - cols*rows*(rows-1)/2)
		if math.Abs(sum-want) > 1e-5*want {
			t.Fatalf("the sum is %v, want %v", sum, want)
		}
		switch i % 3 {
		case 0:
			x.Release()
		case 1:
			runtime.KeepAlive(x)
		case 2:
			defer x.Release()
		}
	}
	close(stop)
	busy.Wait()
	for i := 0; i < 1000 && l.alive() > before+33; i++ {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if n := l.alive() - before; n != 33 {
		t.Errorf("%d of C's tensors are alive, want those 33 that are kept", n)
	}
}

func TestDataTypesPrintAsInC(t *testing.T) {
	for d, want := range map[DataType]string{
		{Float, 32, 1}: "float32", {Bool, 8, 1}: "bool", {UInt, 8, 4}: "uint8x4", {4, 16, 1}: "type 4 of 16 bits",
	} {
		if got := d.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestBorrowOfNoFunctionIsMisuse(t *testing.T) {
	defer func() {
		e, ok := recover().(*Error)
		if want := "dlpack: Borrow: the function is nil"; !ok || e.Error() != want {
			t.Errorf("panic with %v, want %s", e, want)
		}
	}()
	Borrow(nil, tensor.Ones(tensor.Float32, 1))
}

// A GPU whose memory lies at 4096, or nowhere.
type gpu struct {
	tensor.Backend
	waited int
}

type gpuMemory struct{}

func (gpuMemory) Free()                    {}
func (gpuMemory) Address() (uint64, error) { return 4096, nil }

func (g *gpu) Alloc(string, int) (tensor.Storage, error) { return gpuMemory{}, nil }
func (g *gpu) Synchronize() error                        { g.waited++; return nil }

func TestTensorsOfAGPUAreLentByTheirAddress(t *testing.T) {
	g := &gpu{}
	x := tensor.EmptyOn(tensor.NewDevice("cuda", 3, g), tensor.Float32, 4, 2)
	err := Borrow(func(lent []*Tensor) error {
		d := lent[0]
		if d.Data != 4096 || d.Device != (Device{CUDA, 3}) || d.Dims != 2 || *d.Shape != 4 || g.waited != 1 {
			t.Errorf("%+v after %d waits", d, g.waited)
		}
		return nil
	}, x)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Export(x)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Import(m); err == nil {
		t.Error("Import took memory of a GPU")
	}
	Discard(m)
	y := tensor.EmptyOn(tensor.NewDevice("abacus", 0, g), tensor.Float32, 1)
	err = Borrow(func([]*Tensor) error { t.Error("called in spite of the error"); return nil }, x, y)
	if err == nil || !strings.Contains(err.Error(), "tensor 1: DLPack has no code for device abacus:0") {
		t.Error(err)
	}
}
