package tensor

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

func TestRawOfAViewLeadsBackToItsElements(t *testing.T) {
	x := Arange(Float32, 0, 24, 1).Reshape(2, 3, 4)
	for name, v := range map[string]*Tensor{
		"contiguous": x,
		"transposed": x.Transpose(2, 0, 1),
		"narrowed":   x.Narrow(1, 1, 3).Narrow(2, 2, 3),
		"broadcast":  x.Narrow(1, 1, 2).Expand(2, 5, 4),
		"one":        x.Narrow(0, 1, 2).Narrow(1, 1, 2).Narrow(2, 1, 2),
		"scalar":     Full(Float64, 3),
		"int64":      Arange(Int64, 0, 6, 1).Reshape(3, 2).Transpose(),
		"int32":      Arange(Int32, 0, 6, 1),
		"bool":       Greater(x, Full(Float32, 7)),
		"empty":      Zeros(Float32, 3, 0, 2),
	} {
		t.Run(name, func(t *testing.T) {
			raw, err := v.Raw()
			if err != nil {
				t.Fatal(err)
			}
			back, shared, err := FromRaw(raw, nil)
			if err != nil || !shared {
				t.Fatal(shared, err)
			}
			if back.DType() != v.DType() || !back.Shape().Equal(v.Shape()) || !slices.Equal(back.Float64s(), v.Float64s()) {
				t.Errorf("%v came back as %v", v, back)
			}
			if v.IsContiguous() != back.IsContiguous() {
				t.Errorf("contiguous %t, was %t", back.IsContiguous(), v.IsContiguous())
			}
			if v.Size() == 0 {
				if raw.Pointer != nil {
					t.Error("no elements, but an address")
				}
				return
			}
			again, err := back.Raw()
			if err != nil || again.Pointer != raw.Pointer {
				t.Errorf("address %p became %p, %v", raw.Pointer, again.Pointer, err)
			}
		})
	}
}

func TestAxesThatRunBackwardsAreCopied(t *testing.T) {
	data := []float32{0, 1, 2, 3, 4, 5}
	released := 0
	x, shared, err := FromRaw(Raw{
		Pointer: unsafe.Pointer(&data[5]), DType: Float32, Shape: Shape{2, 2, 3}, Strides: []int{-3, 0, -1},
	}, func() { released++ })
	if err != nil || shared || released != 1 {
		t.Fatalf("shared %t, released %d times, %v", shared, released, err)
	}
	data[5] = 99
	want := []float64{5, 4, 3, 5, 4, 3, 2, 1, 0, 2, 1, 0}
	if got := x.Float64s(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Whatever strides are drawn: what is accepted reads as the naive walk does, and
// but for broadcast axes no two elements are in one place.
func TestDrawnLayoutsReadAsTheyAreSaidTo(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	memory := make([]int32, 4000)
	for i := range memory {
		memory[i] = int32(i)
	}
	accepted := 0
	for range 20000 {
		rank := r.IntN(4)
		raw := Raw{Pointer: unsafe.Pointer(&memory[2000]), DType: Int32, Shape: make(Shape, rank), Strides: make([]int, rank)}
		for k := range rank {
			raw.Shape[k] = r.IntN(4)
			raw.Strides[k] = r.IntN(31) - 10
		}
		x, _, err := FromRaw(raw, nil)
		at := naiveOffsets(raw)
		if err != nil {
			if !strings.Contains(err.Error(), "lie on each other or interleave") {
				t.Fatalf("%v %v: %v", raw.Shape, raw.Strides, err)
			}
			continue
		}
		accepted++
		got := x.Float64s()
		for i, o := range at {
			if got[i] != float64(2000+o) {
				t.Fatalf("%v %v: element %d is %v, want %d", raw.Shape, raw.Strides, i, got[i], 2000+o)
			}
		}
		for k, s := range raw.Strides {
			if s == 0 && raw.Shape[k] > 0 {
				raw.Shape[k] = 1
			}
		}
		if once := naiveOffsets(raw); len(once) != len(unique(once)) {
			t.Fatalf("%v %v: elements lie on each other", raw.Shape, raw.Strides)
		}
	}
	if accepted < 2000 {
		t.Errorf("only %d layouts were accepted", accepted)
	}
}

func naiveOffsets(r Raw) []int {
	at := []int{0}
	for k, d := range r.Shape {
		var next []int
		for _, o := range at {
			for i := range d {
				next = append(next, o+i*r.Strides[k])
			}
		}
		at = next
	}
	return at
}

func unique(list []int) []int {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

func TestFromRawRefusesWhatCannotBe(t *testing.T) {
	data := make([]float64, 16)
	p := unsafe.Pointer(&data[0])
	odd := []byte{1, 0, 2, 1}
	for _, c := range []struct {
		raw  Raw
		want string
	}{
		{Raw{Pointer: p, DType: Float32, Shape: Shape{-1}}, "axis 0 has length -1"},
		{Raw{Pointer: p, DType: DType(9), Shape: Shape{1}}, "element type DType(9)"},
		{Raw{Pointer: p, DType: Float32, Shape: Shape{2, 2}, Strides: []int{1}}, "1 strides for 2 axes"},
		{Raw{DType: Float32, Shape: Shape{2}}, "no memory for shape [2]"},
		{Raw{Pointer: unsafe.Add(p, 4), DType: Float64, Shape: Shape{2}}, "not aligned for f64"},
		{Raw{Pointer: unsafe.Add(p, 2), DType: Int32, Shape: Shape{2}}, "not aligned for i32"},
		{Raw{Pointer: p, DType: Float32, Shape: Shape{math.MaxInt/4 + 1}}, "more elements than memory"},
		{Raw{Pointer: p, DType: Float32, Shape: Shape{math.MaxInt, math.MaxInt, math.MaxInt}}, "more elements than memory"},
		{Raw{Pointer: p, DType: Float32, Shape: Shape{0, math.MaxInt, 8}}, "more elements than memory"},
		{Raw{Pointer: p, DType: Float32, Shape: Shape{3}, Strides: []int{math.MaxInt}}, "strides reach beyond memory"},
		{Raw{Pointer: p, DType: Float32, Shape: Shape{2}, Strides: []int{math.MaxInt}}, "strides reach beyond memory"},
		{Raw{Pointer: p, DType: Bool, Shape: Shape{math.MaxInt/8 + 1}, Strides: []int{0}}, "more elements than memory can have"},
		{Raw{Pointer: p, DType: Int32, Shape: Shape{2, math.MaxInt/16 + 1}, Strides: []int{1, 0}}, "more elements than memory can have"},
		{Raw{Pointer: p, DType: Float32, Shape: Shape{2}, Strides: []int{math.MinInt}}, "strides reach beyond memory"},
		{Raw{Pointer: p, DType: Float32, Shape: Shape{2}, Strides: []int{-math.MaxInt}}, "strides reach beyond memory"},
		{Raw{Pointer: p, DType: Float32, Shape: Shape{2, 2}, Strides: []int{math.MaxInt, math.MaxInt - 1}}, "strides reach beyond memory"},
		{Raw{Pointer: p, DType: Float32, Shape: Shape{2, 2}, Strides: []int{1, 1}}, "lie on each other"},
		{Raw{Pointer: p, DType: Float32, Shape: Shape{4, 2}, Strides: []int{1, 3}}, "lie on each other"},
		{Raw{Pointer: unsafe.Pointer(&odd[0]), DType: Bool, Shape: Shape{4}}, "a boolean is 2, want 0 or 1"},
		{Raw{Pointer: p, DType: Float32, Shape: Shape{1}, Device: &Device{kind: "cuda"}}, "on cuda:0, want the CPU"},
	} {
		x, _, err := FromRaw(c.raw, func() { t.Errorf("%v: released in spite of the error", c.want) })
		if err == nil || x != nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "tensor: FromRaw: ") {
			t.Errorf("%v %v: got %v, %v, want an error with %q", c.raw.Shape, c.raw.Strides, x, err, c.want)
		}
	}
}

func TestStridesOfLengthOneSayNothing(t *testing.T) {
	data := []float32{1, 2, 3}
	x, shared, err := FromRaw(Raw{Pointer: unsafe.Pointer(&data[0]), DType: Float32, Shape: Shape{1, 3, 1}, Strides: []int{math.MinInt, 1, -9}}, nil)
	if err != nil || !shared || !x.IsContiguous() {
		t.Fatal(x, shared, err)
	}
}

func TestABroadcastAxisMayBeLongerThanMemory(t *testing.T) {
	yes := []bool{true}
	x, shared, err := FromRaw(Raw{Pointer: unsafe.Pointer(&yes[0]), DType: Bool, Shape: Shape{1 << 29, 1}, Strides: []int{0, 1}}, nil)
	if err != nil || !shared || x.At(1<<28, 0) != 1 {
		t.Fatal(shared, err)
	}
}

func TestMemoryIsReleasedOnceAfterTheLastView(t *testing.T) {
	data := make([]float32, 6)
	var released atomic.Int32
	x, _, err := FromRaw(Raw{Pointer: unsafe.Pointer(&data[0]), DType: Float32, Shape: Shape{2, 3}, Strides: []int{1, 2}}, func() { released.Add(1) })
	if err != nil {
		t.Fatal(err)
	}
	view := x.Transpose().Narrow(0, 1, 2).Reshape(-1)
	x = nil
	for range 3 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if n := released.Load(); n != 0 {
		t.Fatalf("released %d times while a view is in use", n)
	}
	runtime.KeepAlive(view)
	for i := 0; i < 1000 && released.Load() == 0; i++ {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	runtime.GC()
	if n := released.Load(); n != 1 {
		t.Errorf("released %d times", n)
	}
}

// A device with addresses: its n-th storage lies at n MiB.
type addressedBackend struct {
	Backend
	storages uint64
	failure  error
	waited   int
}

type addressedStorage struct{ at uint64 }

func (addressedStorage) Free() {}
func (s addressedStorage) Address() (uint64, error) {
	if s.at == 13<<20 {
		return 0, errors.New("freed")
	}
	return s.at, nil
}

type plainStorage struct{}

func (plainStorage) Free() {}

func (b *addressedBackend) Alloc(string, int) (Storage, error) {
	b.storages++
	if b.storages == 7 {
		return plainStorage{}, nil
	}
	return addressedStorage{b.storages << 20}, nil
}
func (b *addressedBackend) Synchronize() error { b.waited++; return b.failure }

func TestRawOnADeviceWaitsAndTellsTheAddress(t *testing.T) {
	b := &addressedBackend{}
	d := NewDevice("cuda", 1, b)
	x := EmptyOn(d, Int64, 4, 5).Narrow(0, 1, 3).Transpose()
	raw, err := x.Raw()
	if err != nil {
		t.Fatal(err)
	}
	if raw.Address != 1<<20+5*8 || raw.Pointer != nil || raw.Device != d || fmt.Sprint(raw.Strides) != "[1 5]" || b.waited != 1 {
		t.Errorf("got %+v after %d waits", raw, b.waited)
	}
	if d.Kind() != "cuda" || d.Index() != 1 || CPU.Kind() != "cpu" || CPU.Index() != 0 {
		t.Error("kind or index of a device")
	}
	b.failure = errors.New("the cable is out")
	if _, err := x.Raw(); err == nil || !strings.Contains(err.Error(), "cuda:1: the cable is out") {
		t.Errorf("after a failure: %v", err)
	}
	b.failure, b.storages = nil, 12
	if _, err := EmptyOn(d, Int64, 1).Raw(); err == nil || !strings.Contains(err.Error(), "cuda:1: freed") {
		t.Errorf("of freed memory: %v", err)
	}
	b.storages = 6
	if _, err := EmptyOn(d, Int64, 1).Raw(); err == nil || !strings.Contains(err.Error(), "the memory of cuda:1 has no addresses") {
		t.Errorf("of a device without addresses: %v", err)
	}
}
