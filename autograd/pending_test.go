// Operations that are put off without a Scope: that nobody can tell, but for the time and memory.

package autograd

import (
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

func waits(v *Var) bool { return v.pending.Load() != nil }

func TestPointwiseOperationsArePutOffAndHaveTheSameBits(t *testing.T) {
	a, b := longVector(1), longVector(2)
	for name, f := range pointwise {
		wantSameBits(t, name, f(Constant(a), Constant(b)).Tensor(), f(atOnce(Constant(a)), atOnce(Constant(b))).Tensor())
	}
	for name, f := range map[string]func(a, b *Var) *Var{
		"a chain":      func(a, b *Var) *Var { return a.Mul(b).Add(a).ReLU().Scale(0.5) },
		"NoGrad":       func(a, b *Var) *Var { return NoGrad(Variable(a.Tensor())).Mul(b) },
		"with a row":   func(a, b *Var) *Var { return a.Reshape(-1, 9).Mul(Constant(tensor.FromSlice(make([]float32, 9), 9))) },
		"with a param": func(a, b *Var) *Var { return NoGrad(a).Add(Parameter(tensor.FromSlice([]float32{1}, 1))) },
		"of float64":   func(a, _ *Var) *Var { return Constant(a.Tensor().To(tensor.Float64)).Exp() },
		"of a view":    func(a, b *Var) *Var { return a.Reshape(-1, 9).Slice(0, 0, long/9).Neg() },
	} {
		if !waits(f(Constant(a), Constant(b))) {
			t.Errorf("%s: is not put off", name)
		}
	}
}

func TestWhatIsNotPutOff(t *testing.T) {
	given := longVector(1)
	tensor.Data[float32](given)
	large := func() *Var { return Constant(longVector(2)) }
	for name, y := range map[string]*Var{
		"small":                    Constant(tensor.Randn(tensor.Float32, 1, pendingElements-1)).Exp(),
		"recorded":                 Variable(longVector(1)).Exp(),
		"with a gradient":          large().Mul(Variable(longVector(1))),
		"of the caller's slice":    Constant(tensor.FromSlice(make([]float32, long), long)).Exp(),
		"of what was given out":    Constant(given).Exp(),
		"also with something else": large().Mul(Constant(given)),
		"under DetectAnomaly":      DetectAnomaly(large()).Exp(),
		"of a strided view":        Constant(longVector(1).Reshape(9, -1)).Transpose().Exp(),
	} {
		if waits(y) {
			t.Errorf("%s: is put off", name)
		}
	}
	Checkpoint(func(xs ...*Var) *Var {
		if y := xs[0].Exp(); waits(y) {
			t.Error("in Checkpoint: is put off")
		}
		return xs[0]
	}, Variable(longVector(1)))
}

// What was put off is of the values that operands had when the operation was called.
func TestOperandsMayChangeAfterAnOperationWasPutOff(t *testing.T) {
	other := Constant(longVector(3))
	changes := map[string]func(x *tensor.Tensor){
		"Fill":          func(x *tensor.Tensor) { x.Fill(9) },
		"CopyFrom":      func(x *tensor.Tensor) { x.CopyFrom(longVector(4)) },
		"AddInto":       func(x *tensor.Tensor) { tensor.AddInto(x, longVector(4)) },
		"Data":          func(x *tensor.Tensor) { tensor.Data[float32](x)[5] = 9 },
		"a view's Fill": func(x *tensor.Tensor) { x.Reshape(-1, 1).Narrow(0, 3, 9).Fill(9) },
		"Free":          func(x *tensor.Tensor) { x.Free(); churnLong() },
		"Gorgonia":      func(x *tensor.Tensor) { x.Dense().Float32s()[7] = 9 },
	}
	uses := map[string]func(x *Var) (y *Var){
		"one operation":  func(x *Var) *Var { return x.Exp() },
		"a chain":        func(x *Var) *Var { return x.Mul(other).Add(x).ReLU().Scale(0.5) },
		"second operand": func(x *Var) *Var { return other.Sub(x) },
		"a view":         func(x *Var) *Var { return x.Reshape(-1, 9).Tanh().Reshape(long) },
		"a row of it":    func(x *Var) *Var { return other.Reshape(-1, 9).Mul(x.Slice(0, 0, 9)) },
		"detached":       func(x *Var) *Var { return NoGrad(x.Detach()).Neg() },
		"one of two wanted": func(x *Var) *Var {
			h := x.Mul(other)
			h.Scale(2).Tensor() // computes h on the way
			return h.AddScalar(1)
		},
		"one of two wanted by themselves": func(x *Var) *Var {
			h := x.Mul(other)
			y := h.AddScalar(1)
			h.Tensor()
			return y
		},
	}
	for how, change := range changes {
		for what, use := range uses {
			x, same := longVector(1), longVector(1)
			want := use(atOnce(Constant(same))).Tensor().Clone()
			y := use(Constant(x))
			if what != "a view" && !waits(y) {
				t.Fatalf("%s: is not put off", what)
			}
			change(x)
			wantSameBits(t, how+" after "+what, y.Tensor(), want)
			if !x.Freed() {
				now := use(atOnce(Constant(x.Clone()))).Tensor()
				wantSameBits(t, what+" after "+how, use(Constant(x)).Tensor(), now)
			}
		}
	}
}

func TestSmallOperandsOfTheCallerAreCopied(t *testing.T) {
	row := []float32{1, 2, 3, 4, 5, 6, 7, 8, 9}
	x := longVector(1).Reshape(-1, 9)
	want := tensor.Mul(x, tensor.FromSlice(slices.Clone(row), 9))
	y := Constant(x).Mul(Parameter(tensor.FromSlice(row, 9)).Detach())
	row[3] = 0
	if !waits(y) {
		t.Error("is not put off")
	}
	wantSameBits(t, "product", y.Tensor(), want)
}

func TestResultsMayBeWrittenToWhileOthersWaitForThem(t *testing.T) {
	x := longVector(1)
	h := Constant(x).Scale(2)
	y, z := h.AddScalar(1), h.Neg()
	h.Tensor().Fill(7)
	wantSameBits(t, "a sum", y.Tensor(), tensor.AddScalar(tensor.Scale(x, 2), 1))
	wantSameBits(t, "a negative", z.Tensor(), tensor.Scale(x, -2))
	wantSameBits(t, "one called later", h.AddScalar(1).Tensor(), tensor.Full(tensor.Float32, 8, long))
	view := h.Reshape(-1, 9)
	w := view.Exp()
	view.Tensor().Zero()
	wantSameBits(t, "an exponential", w.Tensor(), tensor.Exp(tensor.Full(tensor.Float32, 7, long/9, 9)))
}

// Random programs that write to operands as they go have the bits of one operation after another.
func TestRandomProgramsThatWriteHaveTheSameBits(t *testing.T) {
	names := slices.Sorted(maps.Keys(pointwise))
	seeds := uint64(60)
	if testing.Short() {
		seeds = 15
	}
	for seed := range seeds {
		got, want := writingProgram(seed, names, Constant), writingProgram(seed, names, func(x *tensor.Tensor) *Var { return atOnce(Constant(x)) })
		for i := range want {
			wantSameBits(t, fmt.Sprintf("seed %d, value %d", seed, i), got[i], want[i])
		}
	}
}

// writingProgram applies operations to earlier values, writes to the memory of some, and returns all.
func writingProgram(seed uint64, names []string, leaf func(*tensor.Tensor) *Var) (values []*tensor.Tensor) {
	r := rng.NewStream(seed, 4)
	below := func(n int) int { return int(r.Uint64() % uint64(n)) }
	var vs []*Var
	for i := range uint64(3) {
		vs = append(vs, leaf(longVector(i)))
	}
	var slices [][]float32
	for range 40 {
		switch k := below(12); k {
		case 0:
			vs[below(len(vs))].Tensor().Fill(float64(below(5)))
		case 1:
			vs[below(3)].Tensor().Reshape(-1, 9).Narrow(0, 2, 50).Fill(float64(below(5)))
		case 2:
			slices = append(slices, tensor.Data[float32](vs[below(len(vs))].Tensor()))
		case 3:
			if len(slices) > 0 {
				slices[below(len(slices))][below(long)] = float32(below(9))
			}
		case 4:
			tensor.AddInto(vs[below(len(vs))].Tensor(), longVector(uint64(below(9))))
		default:
			a, b := vs[len(vs)-1-below(min(3, len(vs)))], vs[below(len(vs))]
			vs = append(vs, pointwise[names[below(len(names))]](a, b).Clamp(-8, 8))
		}
	}
	for _, v := range vs {
		values = append(values, v.Tensor())
	}
	return values
}

func TestGoroutinesShareWhatWasPutOffAndOneWrites(t *testing.T) {
	for range 20 {
		x := longVector(1)
		h := Constant(x).Exp()
		y := h.Neg()
		wantY, want := tensor.Neg(tensor.Exp(x)), tensor.Scale(tensor.Exp(x), 3)
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() { wantSameBits(t, "one's own", h.Scale(3).Tensor(), want) })
			wg.Go(func() { wantSameBits(t, "a common one", y.Tensor(), wantY) })
		}
		wg.Go(func() { x.Fill(-3) })
		wg.Wait()
	}
}

// Who computes a chain reads operands of operations within it, which somebody else may be about to write to.
func TestWritersWaitForChainsThatReadWhatTheyWrite(t *testing.T) {
	chain := func(v *Var) *Var {
		for range 20 {
			v = v.GELU()
		}
		return v
	}
	want := chain(atOnce(Constant(longVector(1)))).Tensor()
	for i := range 30 {
		x := longVector(1)
		y := chain(Constant(x))
		begun, done := make(chan bool), make(chan bool)
		go func() {
			close(begun)
			y.Tensor()
			close(done)
		}()
		<-begun
		time.Sleep(time.Duration(10*i) * time.Microsecond)
		x.Fill(100)
		<-done
		wantSameBits(t, "the chain", y.Tensor(), want)
	}
}

// A sum over many tensors does not keep them all.
func TestWhatIsPutOffKeepsFewTensors(t *testing.T) {
	one := tensor.Empty(tensor.Float32, long).Bytes()
	tensor.TrimMemory()
	before := tensor.MemoryStats().Live
	sum := Constant(longVector(1))
	for i := range uint64(40) {
		sum = sum.Add(Constant(longVector(i)))
	}
	if more := moreThan(before, (maxHeld+2)*one*9/8); more > 0 {
		t.Errorf("%d bytes are in use, %d tensors of %d", more, more/one, one)
	}
	if math.IsNaN(sum.Sum().Item()) {
		t.Error("the sum is NaN")
	}
}

// moreThan returns how many bytes are in use beyond those before, 0 if so many at most. What
// helped with a loop may have its operands for a moment longer.
func moreThan(before, most int64) (more int64) {
	for range 200 {
		tensor.TrimMemory()
		if more = tensor.MemoryStats().Live - before; more <= most {
			return 0
		}
		time.Sleep(5 * time.Millisecond)
	}
	return more
}

// What is put off does not keep the rest of what its operands are parts of, nor many rows.
func TestWhatIsPutOffKeepsNoLargeTensorForAPart(t *testing.T) {
	const parts = 64
	whole := func() *Var { return Constant(tensor.Randn(tensor.Float32, 1, parts, long)) }
	for name, c := range map[string]struct {
		f     func() *Var
		waits bool
	}{
		"a part":             {func() *Var { return whole().Slice(0, 0, 1).Neg() }, false},
		"a part of a few":    {func() *Var { return whole().Slice(0, 0, parts/2).Neg() }, true},
		"two parts":          {func() *Var { return whole().Slice(0, 0, 1).Mul(whole().Slice(0, 1, 2)) }, false},
		"also a part":        {func() *Var { return Constant(longVector(1)).Reshape(1, -1).Mul(whole().Slice(0, 1, 2)) }, false},
		"a chain of a part":  {func() *Var { return whole().Slice(0, 0, 1).Neg().Exp().Scale(2) }, true},
		"a row of much":      {func() *Var { return Constant(longVector(1)).Reshape(-1, 9).Add(whole().Reshape(-1, 9).Slice(0, 4, 5)) }, true},
		"a long row of much": {func() *Var { return Constant(tensor.Zeros(tensor.Float32, 2, long)).Add(whole().Slice(0, 4, 5)) }, false},
		"many rows": {func() *Var {
			sum := Constant(tensor.Randn(tensor.Float32, 1, 2, long))
			for i := range uint64(maxChain - 2) {
				sum = sum.Add(Constant(longVector(i)))
			}
			return sum
		}, true},
	} {
		tensor.TrimMemory()
		before := tensor.MemoryStats().Live
		y := c.f()
		if waits(y) != c.waits {
			t.Errorf("%s: waits: %v, want %v", name, waits(y), c.waits)
		}
		one := int64(y.Shape().Size()) * 4
		if more := moreThan(before, (maxHeld+1)*one); more > 0 {
			t.Errorf("%s: %d bytes are in use, %d times the result's", name, more, more/one)
		}
		runtime.KeepAlive(y)
	}
}

func TestWhatNobodyWantsIsNotComputedAndKeepsNothing(t *testing.T) {
	x := Constant(longVector(1))
	x.Exp()
	h := x.Neg()
	for range 16 {
		for range 250 {
			h.Tanh()
		}
		runtime.GC()
	}
	if n := len(h.pending.Load().later); n > 1500 {
		t.Errorf("%d operations of 4000 are remembered", n)
	}
	made := tensor.MemoryStats()
	x.Tensor().Fill(1) // runs h alone
	if after := tensor.MemoryStats(); after.Fresh+after.Reused-made.Fresh-made.Reused > 1 {
		t.Errorf("more than one result was computed: %+v, %+v", made, after)
	}
	runtime.KeepAlive(h)

	tensor.TrimMemory()
	before := tensor.MemoryStats().Live
	func() {
		y := Constant(longVector(2)).Exp()
		y.Scale(2)
	}()
	if more := moreThan(before, 0); more > 0 {
		t.Errorf("%d bytes are left", more)
	}
}

func TestWhatWaitsForAResultDoesNotKeepItsOperands(t *testing.T) {
	tensor.TrimMemory()
	before := tensor.MemoryStats().Live
	h := Constant(longVector(1)).Mul(Constant(longVector(2))).Add(Constant(longVector(3)))
	y := h.Exp()
	h.Tensor()
	one := h.Tensor().Bytes()
	if more := moreThan(before, one*9/8); more > 0 {
		t.Errorf("%d bytes are in use, of the result %d", more, one)
	}
	y.Tensor()
}

func TestLongChainsAreCut(t *testing.T) {
	x := longVector(1)
	y, want := Constant(x), x
	for range 5 * maxChain {
		y, want = y.AddScalar(1), tensor.AddScalar(want, 1)
		if n := y.pending.Load().steps; n > maxChain {
			t.Fatalf("a chain of %d steps", n)
		}
	}
	wantSameBits(t, "result", y.Tensor(), want)
}

func TestOperandsOfCustomOperationsAreComputed(t *testing.T) {
	x := longVector(1)
	if y := Constant(x).Exp().Operand(); y == nil || y.At(3) != tensor.Exp(x).At(3) {
		t.Error("Operand is not the value")
	}
}

func TestShapesOfWhatIsPutOffAreKnownAtOnce(t *testing.T) {
	y := Constant(longVector(1)).Reshape(-1, 9).Exp().Scale(2)
	if got, want := fmt.Sprint(y.Shape(), y.DType(), y.Device(), y.RequiresGrad(), y.IsLeaf(), y), fmt.Sprint(tensor.Shape{long / 9, 9}, " f32 cpu false true constant f32", tensor.Shape{long / 9, 9}); got != want || !waits(y) {
		t.Errorf("%q, want %q; waits: %v", got, want, waits(y))
	}
	err := Try(func() { y.Add(Constant(longVector(2)).Neg()) })
	if err == nil {
		t.Error("shapes that do not fit were added")
	}
	wantShape := tensor.Shape{long / 9, 9}
	if y.SetTensor(tensor.Zeros(tensor.Float32, wantShape...)); y.Tensor().At(0, 0) != 0 {
		t.Error("SetTensor did not replace the value")
	}
}

// A rule that wants a changed operand refuses it, however large it is.
func TestRulesRefuseWhatHasChangedBeforeTheyPutOff(t *testing.T) {
	x, w := Variable(longVector(1)), Parameter(longVector(2))
	y := x.Mul(w)
	w.MarkChanged()
	if err := Try(func() { GradWith(y, Constant(longVector(3)), []*Var{x}, CreateGraph()) }); err == nil {
		t.Error("the gradient of x, which is w as it was, was computed")
	}
}

// Backward passes free what they have used up: not what waits for it.
func TestWhatIsPutOffOutlivesABackwardPass(t *testing.T) {
	x := Variable(longVector(1))
	h := x.Scale(3)
	y := h.Detach().Exp().Neg()
	want := tensor.Neg(tensor.Exp(tensor.Scale(x.Tensor(), 3)))
	Scope(func(xs ...*Var) *Var { loss := h.Square().Mean(); loss.Backward(); return loss }, x)
	churnLong()
	wantSameBits(t, "result", y.Tensor(), want)
}

func TestGradcheckLooksAtResultsThatArePutOff(t *testing.T) {
	large := Constant(tensor.Ones(tensor.Float64, long))
	f := func(xs ...*Var) *Var { return large.Mul(xs[0].Detach()) }
	err := Gradcheck(f, []*Var{Variable(tensor.Ones(tensor.Float64, 1))})
	if err == nil || !strings.Contains(err.Error(), "input 0, element 0: gradient 0, central difference") {
		t.Errorf("error %v, want one that names the gradient that is lost", err)
	}
}

func TestCheckpointRefusesChangedOperandsInAScope(t *testing.T) {
	x, w := Parameter(longVector(1).Reshape(-1, 9)), Parameter(tensor.Ones(tensor.Float32, 9))
	err := Try(func() {
		Scope(func(xs ...*Var) *Var {
			y := Checkpoint(func(xs ...*Var) *Var { return xs[0].Mul(xs[1].Mul(w.Detach())) }, xs...).Sum()
			w.Tensor().Fill(5)
			w.MarkChanged()
			y.Backward()
			return y
		}, x, Constant(longVector(2).Reshape(-1, 9)))
	})
	if err == nil || !strings.Contains(err.Error(), "Mul: operand 1 was changed between the calls") {
		t.Errorf("error %v, want one that says what has changed", err)
	}
}

func TestOperandsOfScopesThatHaveEndedAreRefusedByTheOperation(t *testing.T) {
	x := Constant(longVector(1))
	var left, waiting *Var
	Scope(func(xs ...*Var) *Var {
		left, waiting = xs[0], xs[0].Neg()
		return xs[0].Sum()
	}, x)
	Scope(func(xs ...*Var) *Var {
		for what, f := range map[string]func(){
			"first operand":  func() { left.Mul(xs[0]) },
			"second operand": func() { xs[0].Mul(left) },
			"what waits":     func() { waiting.Mul(xs[0]) },
		} {
			if err := Try(f); err == nil || !strings.HasPrefix(err.Error(), "autograd: Mul: an operand was computed in a Scope that has ended") {
				t.Errorf("%s: error %v, want Mul's", what, err)
			}
		}
		return xs[0].Sum()
	}, x)
	for op, f := range map[string]func(){"Shape": func() { waiting.Shape() }, "DType": func() { waiting.DType() }, "Device": func() { waiting.Device() }} {
		if err := Try(f); err == nil || !strings.HasPrefix(err.Error(), "autograd: "+op+": an operand was computed in a Scope that has ended") {
			t.Errorf("%s: error %v, want one that names it", op, err)
		}
	}
}

func TestWhatWaitsInAScopeThatIsDissolvedIsOfTheValuesThen(t *testing.T) {
	for name, x := range map[string]func() *tensor.Tensor{
		"a tensor":           func() *tensor.Tensor { return longVector(1) },
		"the caller's slice": func() *tensor.Tensor { return tensor.FromSlice(make([]float32, long), long) },
	} {
		for depth := range 3 {
			var waiting, chain *Var
			f := func(xs ...*Var) *Var {
				waiting = xs[0].AddScalar(2)
				chain = waiting.Exp().Neg()
				return Parameter(longVector(2)).Mul(xs[0]).Sum()
			}
			for range depth {
				within := f
				f = func(xs ...*Var) *Var { return Scope(within, xs...) }
			}
			x := x()
			want := tensor.AddScalar(x, 2)
			Scope(f, Constant(x)).Backward()
			x.Fill(7)
			what := fmt.Sprintf("%s, %d scopes", name, depth+1)
			wantSameBits(t, what, waiting.Tensor(), want)
			x.Free()
			churnLong()
			wantSameBits(t, what+", a chain", chain.Tensor(), tensor.Neg(tensor.Exp(want)))
		}
	}
}

func TestWhatNobodyWantsOfAFreedTensorIsForgottenWhenAScopeIsDissolved(t *testing.T) {
	for name, put := range map[string]func(freed, x *Var) (unwanted *Var, free *tensor.Tensor){
		"an operand": func(freed, x *Var) (*Var, *tensor.Tensor) { return x.Mul(freed), freed.value },
		"a result that was computed": func(freed, x *Var) (*Var, *tensor.Tensor) {
			h := freed.Mul(x)
			y := h.Add(x)
			return y, h.Tensor()
		},
		"an operand of a result": func(freed, x *Var) (*Var, *tensor.Tensor) { return freed.Mul(x).Exp().Add(x), freed.value },
	} {
		var unwanted *Var
		x := longVector(1)
		err := Try(func() {
			Scope(func(xs ...*Var) *Var {
				var free *tensor.Tensor
				unwanted, free = put(Constant(longVector(3)), xs[0])
				free.Free()
				return Parameter(longVector(2)).Mul(xs[0]).Sum()
			}, Constant(x)).Backward()
		})
		if err != nil {
			t.Errorf("%s: Scope: %v", name, err)
		}
		if err := Try(func() { x.Fill(3) }); err != nil {
			t.Errorf("%s: what reads a freed tensor is run before another one changes: %v", name, err)
		}
		runtime.KeepAlive(unwanted)
	}
}
