// Tests of the memory of tensors: who keeps it, when it is reused, how little is
// allocated.

package tensor

import (
	"sync"
	"testing"

	"github.com/asterias-ml/asterias/internal/numtest"
)

// churn collects garbage and overwrites all memory of a tensor's size that is free
// then.
func churn(like *Tensor) {
	TrimMemory() // waits for the finalizers of what is unused
	var held []*Tensor
	for range 32 {
		held = append(held, FullLike(like, -1))
	}
	for _, t := range held {
		t.Free()
	}
}

func TestMemoryStaysWhileAnythingOfATensorIsHeld(t *testing.T) {
	const rows, cols = 64, 80 // more than the pool's smallest buffer
	make7 := func() *Tensor { return Full(Float32, 7, rows, cols) }
	holders := map[string]func() func() []float64{
		"the tensor": func() func() []float64 { return make7().Float64s },
		"a view":     func() func() []float64 { return make7().Narrow(1, 3, 5).Transpose().Float64s },
		"a view of a view": func() func() []float64 {
			return make7().Reshape(cols, rows).Transpose().Diagonal(1).Expand(3, rows).Float64s
		},
		"a Data slice": func() func() []float64 {
			data := Data[float32](make7())[rows : rows+3]
			return func() []float64 { return []float64{float64(data[0]), float64(data[2])} }
		},
		"a Dense": func() func() []float64 {
			d := make7().Dense()
			return func() []float64 { x, _ := FromDense(d); return x.Float64s() }
		},
		"the rest of a split": func() func() []float64 { return Split(make7(), 0, 1, rows-1)[1].Float64s },
	}
	for name, hold := range holders {
		read := hold()
		for range 3 {
			churn(make7())
			for i, v := range read() {
				if v != 7 {
					t.Fatalf("%s: element %d is %v, want 7", name, i, v)
				}
			}
		}
	}
}

func TestFreeMakesMemoryReusableAtOnceAndOfViewsNothing(t *testing.T) {
	x := Ones(Float32, 5000)
	data := &Data[float32](x)[0]
	x.Narrow(0, 1, 2).Free() // a view has no memory of its own
	if Sum(x, false).Item() != 5000 {
		t.Error("Free of a view took the tensor's memory")
	}
	x.Free()
	if y := Empty(Float32, 5000); &Data[float32](y)[0] != data {
		t.Error("the next tensor of the size has other memory")
	}
}

func TestShapesOutliveTheirTensors(t *testing.T) {
	x := Zeros(Float32, 3, 4)
	shape := x.Shape()
	x.Free()
	if !shape.Equal(Shape{3, 4}) {
		t.Errorf("once freed, the shape that the tensor gave out before is %v", shape)
	}
}

func TestOperationsFreeTheirScratch(t *testing.T) {
	x, y, row := Randn(Float32, 1, 300, 400), Randn(Float32, 2, 400, 300).Transpose(), Ones(Float32, 400)
	for name, op := range map[string]func() *Tensor{
		"Sum":               func() *Tensor { return Sum(x.Transpose(), false, 0) },
		"Sum of 3":          func() *Tensor { return Sum(x.Reshape(30, 10, 400), false, 0, 2) },
		"Var":               func() *Tensor { return Var(x, 1, false, 0) },
		"Norm":              func() *Tensor { return Norm(x, 3, false) },
		"LogSumExp":         func() *Tensor { return LogSumExp(x, false, 0) },
		"Add":               func() *Tensor { return Add(x, row) },
		"Add of transposed": func() *Tensor { return Add(x, y) },
	} {
		ResetPeakMemory()
		before := MemoryStats().Live
		op().Free()
		after := MemoryStats()
		if got := after.Peak - before; got > 2*x.Bytes()+1<<16 {
			t.Errorf("%s: %d bytes at once", name, got)
		}
		if got := after.Live - before; got > 1<<16 {
			t.Errorf("%s: %d bytes are left to the garbage collector", name, got)
		}
	}
}

func TestSteadyLoopsMakeNoNewBuffer(t *testing.T) {
	if raceEnabled {
		t.Skip("under the race detector unused buffers are left to Go")
	}
	x, w := Randn(Float32, 1, 300, 64), Randn(Float32, 2, 64, 64)
	work := func() {
		y := ReLU(Add(MatMul(x, w), Sum(x, true, 0)))
		y.Free()
		Softmax(Mul(x, x.Narrow(1, 3, 4))) // garbage
		Concat(1, x, x)
	}
	const calm = 300
	last, since := MemoryStats().Fresh, 0
	for range 100 * calm {
		var wg sync.WaitGroup
		wg.Go(work)
		work()
		wg.Wait()
		if fresh := MemoryStats().Fresh; fresh != last {
			last, since = fresh, 0
		} else if since++; since == calm {
			return
		}
	}
	t.Errorf("the loop still makes new buffers: %+v", MemoryStats())
}

func TestSmallOperationsAllocateLittle(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	v, m, scalar := Ones(Float32, 4), Ones(Float32, 4, 4), Ones(Float32)
	for name, c := range map[string]struct {
		most float64
		op   func()
	}{
		"Add":               {2, func() { Add(v, v) }},
		"Add of a row":      {4, func() { Add(m, v) }},
		"Add of a column":   {4, func() { Add(m, m.Narrow(1, 0, 1)) }},
		"Add of a scalar":   {3, func() { Add(m, scalar) }},
		"Neg":               {2, func() { Neg(v) }},
		"Scale":             {2, func() { Scale(v, 2) }},
		"LeakyReLU":         {2, func() { LeakyReLU(v, 0.2) }},
		"Sum":               {2, func() { Sum(m, false) }},
		"Sum of rows":       {2, func() { Sum(m, false, 1) }},
		"Max of columns":    {2, func() { Max(m, true, 0) }},
		"Mean":              {2, func() { Mean(m, false) }},
		"Clone":             {2, func() { v.Clone() }},
		"Reshape":           {1, func() { m.Reshape(2, 8) }},
		"Transpose":         {2, func() { m.Transpose() }},
		"Narrow":            {2, func() { m.Narrow(1, 0, 2) }},
		"Unsqueeze":         {1, func() { v.Unsqueeze(0) }},
		"Expand":            {2, func() { v.Expand(4, 4) }},
		"Transpose, copied": {4, func() { m.Transpose().Contiguous() }},
		"Greater":           {2, func() { Greater(v, v) }},
		"AddInto":           {0, func() { AddInto(v, v) }},
	} {
		if got := numtest.Allocations(100, c.op); got > c.most {
			t.Errorf("%s: %v allocations, want at most %v", name, got, c.most)
		}
	}
}

// Tensors of up to 64 bytes are one object each, and keep their elements to themselves.
func TestTensorsOfFewElementsAreOneObjectEach(t *testing.T) {
	for _, c := range []struct {
		dt      DType
		shape   Shape
		objects float64
	}{
		{Float64, Shape{}, 1}, {Float64, Shape{2, 4}, 1}, {Float64, Shape{9}, 2},
		{Float32, Shape{16}, 1}, {Float32, Shape{17}, 2}, {Int64, Shape{1, 8, 1}, 1},
		{Bool, Shape{64}, 1}, {Bool, Shape{65}, 2}, {Float32, Shape{0}, 1},
	} {
		x, y, z := Zeros(c.dt, c.shape...), Ones(c.dt, c.shape...), Zeros(c.dt, c.shape...)
		TrimMemory()
		for i, want := range []*Tensor{x, y, z} {
			for k, v := range want.Float64s() {
				if v != float64(i%2) {
					t.Errorf("%v%v: tensor %d has %v at %d", c.dt, c.shape, i, v, k)
				}
			}
		}
		if SharesMemory(x, y) || SharesMemory(y, z) {
			t.Errorf("%v%v: two tensors share memory", c.dt, c.shape)
		}
		view := y.Reshape(c.shape.Size())
		y.Free()
		if len(c.shape) > 0 && c.shape.Size() > 0 && (!y.Freed() || view.Float64s()[0] != 1) {
			t.Errorf("%v%v: a view does not keep the elements of what was freed", c.dt, c.shape)
		}
		if n := testing.AllocsPerRun(100, func() { escaped = empty(c.dt, c.shape) }); n != c.objects && !raceEnabled {
			t.Errorf("%v%v: %v objects, want %v", c.dt, c.shape, n, c.objects)
		}
	}
}

var escaped *Tensor
