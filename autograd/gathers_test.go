// Gradients of many look-ups in one table.

package autograd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/tensor"
)

// Look-ups share one tensor of the table's size for their gradients, to which each adds
// its rows; so they do over several passes, and where a hook waits for the sum.
func TestGradientsOfManyLookUpsShareOneTensor(t *testing.T) {
	const gathers, n, w = 50, 4096, 32
	for name, operand := range map[string]func(x *Var) *Var{
		"a leaf":           func(x *Var) *Var { return x },
		"a leaf with hook": func(x *Var) *Var { x.RegisterHook(func(*Var) *Var { return nil }); return x },
		"a result":         func(x *Var) *Var { return x.Scale(2) },
	} {
		x := Variable(tensor.Ones(tensor.Float32, n, w))
		y := operand(x)
		loss := Constant(tensor.Zeros(tensor.Float32, 3, w))
		for k := range int32(gathers) {
			loss = loss.Add(y.IndexSelect([]int32{k, k + 1, k}))
		}
		loss = loss.Sum()
		before := tensor.MemoryStats().Allocated
		Grad(loss, []*Var{x}, RetainGraph())
		loss.Backward(RetainGraph())
		loss.Backward()
		wholes := (tensor.MemoryStats().Allocated - before) / (4 * n * w)
		if wholes > 12 { // a tensor for each look-up makes more than 150
			t.Errorf("%s: backward passes took memory of %d times the table's", name, wholes)
		}
	}
}

const tapeRows, tapeCols = 60, 28 // enough for the pool of buffers

// A tape reads tables of one shape, the leaf x and results computed from it, whole and in
// parts. Two tapes of one seed compute the same; plain is one without hooks, retained
// gradients and checkpoints.
type tape struct {
	r      *rand.Rand
	whole  bool // numbers are whole, and sums of them exact in any order
	plain  bool
	x      *Var
	tables []*Var // the first is x
	loss   *Var
}

func newTape(seed uint64, plain bool) *tape {
	t := &tape{r: rand.New(rand.NewPCG(seed, 1)), plain: plain}
	t.whole = t.r.IntN(2) == 0
	t.x = Variable(t.numbers(tapeRows, tapeCols))
	t.tables = []*Var{t.x}
	t.loss = Constant(tensor.Zeros(tensor.Float64))
	for range 2 + t.r.IntN(10) {
		y := t.tables[t.r.IntN(len(t.tables))]
		switch t.r.IntN(14) {
		case 0: // another table
			t.tables = append(t.tables, y.Scale(float64(1+t.r.IntN(2))))
		case 1:
			t.tables = append(t.tables, y.Add(t.tables[t.r.IntN(len(t.tables))]))
		case 2:
			t.tables = append(t.tables, y.Transpose().Transpose())
		case 3: // of many rows, some the same
			rows := t.ids(tapeRows, tapeRows)
			t.tables = append(t.tables, y.IndexSelect(rows))
		case 4: // back to a table
			rows := t.ids(t.r.IntN(20), tapeRows)
			t.tables = append(t.tables, y.IndexSelect(rows).ScatterAddRows(tapeRows, rows))
		case 5: // the whole
			t.read(y)
		case 6:
			from := t.r.IntN(tapeRows)
			t.read(y.Slice(0, from, from+t.r.IntN(tapeRows-from+1)))
		case 7: // of what was picked
			k := 1 + t.r.IntN(20)
			t.read(y.IndexSelect(t.ids(k, tapeRows)).IndexSelect(t.ids(t.r.IntN(30), k)))
		case 8: // one gradient for several
			rows, others := t.ids(9, tapeRows), t.ids(9, tapeRows)
			t.read(y.IndexSelect(rows).Add(y.IndexSelect(others)).Add(y.Slice(0, 3, 12)))
		case 9: // adds up what it captured by itself
			rows, others, x := t.ids(9, tapeRows), t.ids(9, tapeRows), t.x
			t.read(checkpoint(!plain && t.whole, func(xs ...*Var) *Var {
				return xs[0].IndexSelect(rows).Add(xs[0].IndexSelect(others)).Add(x.IndexSelect(rows))
			}, y))
		case 10: // of a tensor, one row without a gradient
			rows, padding := t.ids(24, tapeRows), t.r.IntN(5)
			t.read(Embedding(y, Constant(tensor.FromSlice(rows, 4, 6)), &padding))
		default:
			t.read(y.IndexSelect(t.ids(t.r.IntN(70), tapeRows)))
		}
		if y := t.tables[len(t.tables)-1]; t.r.IntN(6) == 0 && !plain {
			y.RegisterHook(func(g *Var) *Var {
				churn()
				if g.Tensor().At(0, 0) < 3 {
					return nil
				}
				return Constant(g.Tensor().Clone())
			})
		}
	}
	if !plain {
		for _, y := range t.tables[1:] {
			y.RetainGrad()
		}
	}
	return t
}

// read makes the loss depend on y.
func (t *tape) read(y *Var) {
	switch t.r.IntN(4) {
	case 0: // one number is the gradient of all elements
	case 1:
		y = y.Mul(y)
	default:
		y = y.Mul(Constant(t.numbers(y.Shape()...)))
	}
	t.loss = t.loss.Add(y.Sum())
}

func (t *tape) numbers(shape ...int) *tensor.Tensor {
	x := tensor.Zeros(tensor.Float64, shape...)
	data := tensor.Data[float64](x)
	for i := range data {
		data[i] = float64(t.r.IntN(9) - 4)
		if !t.whole {
			data[i] = t.r.NormFloat64()
		}
	}
	return x
}

// ids are k of the first n rows, among all or among few of them.
func (t *tape) ids(k, n int) []int32 {
	if t.r.IntN(2) == 0 {
		n = min(n, 5)
	}
	rows := make([]int32, k)
	for i := range rows {
		rows[i] = int32(t.r.IntN(n))
	}
	return rows
}

// A pass that creates a graph adds tensors of the whole size.
func TestRandomTapesOfLookUpsEqualSumsOfWholeTensors(t *testing.T) {
	for seed := range uint64(2000) {
		truth, made := newTape(seed, true), newTape(seed, false)
		if !truth.loss.RequiresGrad() {
			continue
		}
		if err := made.check(Grad(truth.loss, truth.tables, CreateGraph())); err != nil {
			t.Fatalf("tape %d: %v", seed, err)
		}
	}
}

// check compares the gradients of all passes with those wanted; nil is one that is not there.
func (t *tape) check(want []*Var) error {
	equal := func(what string, got []*tensor.Tensor, times float64) error {
		for i, w := range want {
			switch {
			case w == nil && got[i] == nil:
			case w == nil || got[i] == nil:
				return fmt.Errorf("%s: gradient %d is there: %v, want %v", what, i, got[i] != nil, w != nil)
			default:
				tol := 1e-12
				if times == 1 || t.whole {
					tol = 0
				}
				if !tensor.AllClose(got[i], tensor.Scale(w.Tensor(), times), tol, tol) {
					return fmt.Errorf("%s: gradient %d differs", what, i)
				}
			}
		}
		return nil
	}
	gradients := func() (all []*tensor.Tensor) {
		for _, y := range t.tables {
			all = append(all, y.Gradient())
		}
		return all
	}
	var asked []*tensor.Tensor
	for _, g := range Grad(t.loss, t.tables, RetainGraph()) {
		if g == nil {
			asked = append(asked, nil)
		} else {
			asked = append(asked, g.Tensor())
		}
	}
	if err := equal("Grad", asked, 1); err != nil {
		return err
	}
	t.loss.Backward(RetainGraph())
	shown := gradients()
	if err := equal("Backward", shown, 1); err != nil {
		return err
	}
	for range 2 { // the first adds to gradients that were shown
		t.loss.Backward(RetainGraph())
	}
	if err := equal("the gradient that was shown", shown, 1); err != nil {
		return err
	}
	if err := equal("Grad's", asked, 1); err != nil {
		return err
	}
	return equal("three passes", gradients(), 3)
}

// What a pass adds up does not depend on who looks at it.
func TestLookUpsHaveTheSameBitsHoweverTheyAreAdded(t *testing.T) {
	rows := []int32{3, 3, 7, 3, 0}
	gradient := func(prepare func(x *Var) *Var, between func(x *Var)) []float64 {
		x := Variable(randomTensor(1, nonzero, 9, 5))
		y := prepare(x)
		loss := y.IndexSelect(rows).Mul(Constant(randomTensor(2, nonzero, 5, 5))).Sum()
		for range 3 {
			loss.Backward(RetainGraph())
			between(x)
		}
		return x.Gradient().Float64s()
	}
	same, nothing := func(x *Var) *Var { return x }, func(*Var) {}
	want := gradient(same, nothing)
	for name, got := range map[string][]float64{
		"shown":     gradient(same, func(x *Var) { x.Gradient() }),
		"a hook":    gradient(func(x *Var) *Var { x.RegisterHook(func(*Var) *Var { return nil }); return x }, nothing),
		"a result":  gradient(func(x *Var) *Var { return x.AddScalar(0) }, nothing),
		"anomalies": gradient(DetectAnomaly, nothing),
	} {
		if !slices.Equal(got, want) {
			t.Errorf("%s: other bits", name)
		}
	}
}

func TestLookUpsAreDifferentiatedTwice(t *testing.T) {
	x := Variable(randomTensor(1, nonzero, 12, 3))
	f := func(xs ...*Var) *Var {
		y := xs[0].IndexSelect([]int32{1, 5, 1}).Mul(xs[0].IndexSelect([]int32{2, 2, 11})).Add(xs[0].Slice(0, 4, 7))
		return y.Mul(y).Sum().Add(xs[0].IndexSelect([]int32{5}).Exp().Sum())
	}
	if err := Gradcheck(f, []*Var{x}); err != nil {
		t.Error(err)
	}
	g := func(xs ...*Var) *Var {
		d := Grad(f(xs...), xs, CreateGraph())[0]
		return d.IndexSelect([]int32{1, 1, 2}).Mul(d.IndexSelect([]int32{5, 0, 2})).Sum().Add(d.Sum())
	}
	if err := Gradcheck(g, []*Var{x}); err != nil {
		t.Error(err)
	}
}

func TestAnomalyOfALookUpIsItsOwn(t *testing.T) {
	x := DetectAnomaly(Variable(tensor.Ones(tensor.Float64, 5, 1)))
	picked, where := x.IndexSelect([]int32{2, 2}), here()
	inf := math.Inf(1) // one row gets both, after the gradient of the square
	opposed := tensor.FromSlice([]float64{inf, -inf, 1, 1, 1, 1, 1}, 7, 1)
	wantAnomaly(t, Try(func() { Concat(0, picked, x.Square()).BackwardWith(opposed) }), "IndexSelect", "the gradient of operand 0 has a NaN at element 2 and the result's gradient has none", where)
}

// However gradients are added, that of the padding row is what other uses of the table give it,
// whatever arrives where it was looked up.
func TestLookUpsGiveThePaddingRowNoGradient(t *testing.T) {
	index := ids(tensor.Shape{2, 3}, int64(2), 0, 2, 1, 0, 3)
	cotangent := Constant(tensor.FromSlice([]float64{1, math.NaN(), 2, 3, math.Inf(1), 4}, 2, 3, 1))
	for name, use := range map[string]func(x *Var) *Var{
		"alone":   func(x *Var) *Var { return Constant(tensor.Zeros(tensor.Float64)) },
		"another": func(x *Var) *Var { return Embedding(x, ids(tensor.Shape{2}, int32(0), 0), new(0)).Scale(7).Sum() },
		"others":  func(x *Var) *Var { return x.Scale(10).Sum() },
	} {
		want := []float64{0, 3, 3, 4}
		if name == "others" {
			want = []float64{10, 13, 13, 14}
		}
		x := Variable(tensor.Ones(tensor.Float64, 4, 1))
		padding := new(0)
		loss := use(x).Add(Embedding(x, index, padding).Mul(cotangent).Sum())
		*padding = 1 // of the next look-up
		wantNear(t, name+", created", Grad(loss, []*Var{x}, CreateGraph())[0].Tensor().Float64s(), want, 0)
		wantNear(t, name+", Grad", Grad(loss, []*Var{x}, RetainGraph())[0].Tensor().Float64s(), want, 0)
		for pass := range 2 {
			loss.Backward(RetainGraph())
			wantNear(t, fmt.Sprint(name, ", pass ", pass), x.Gradient().Float64s(), want, 0)
			for i := range want {
				want[i] *= 2
			}
		}
	}
}

// The look-up is no copy: rows that were written since would get the gradient of others.
func TestIndicesThatAreNoLongerThereAreMisuse(t *testing.T) {
	for want, change := range map[string]func(index *Var){
		"autograd: Embedding: backward: operand 1 was changed after the forward pass": func(index *Var) { index.Tensor().Fill(0); index.MarkChanged() },
		"autograd: Embedding: operand 1 has been freed before the backward pass":      func(index *Var) { index.Tensor().Free() },
	} {
		for _, other := range []bool{false, true} { // of which the gradient is added to another's, or not
			x, index := Variable(tensor.Ones(tensor.Float64, 3, 2)), Constant(tensor.FromSlice([]int32{1, 2}, 2))
			loss := Embedding(x, index, nil).Sum()
			if other {
				loss = loss.Add(x.IndexSelect([]int32{0}).Sum())
			}
			change(index)
			wantMisuse(t, want, func() { loss.Backward() })
		}
	}
}

func TestIndicesInAScopeOrUnderNoGrad(t *testing.T) {
	x := Variable(tensor.Ones(tensor.Float64, 4, 2))
	index := Constant(tensor.FromSlice([]int32{0, 1, 1, 2}, 2, 2))
	if Embedding(x, NoGrad(index), nil).RequiresGrad() {
		t.Error("recorded under NoGrad")
	}
	loss := Scope(func(xs ...*Var) *Var { return Embedding(x, xs[0].AddScalar(1), new(3)).Sum() }, index)
	churn()
	loss.Backward()
	wantGrad(t, x, 0, 0, 1, 1, 2, 2, 0, 0)
}

func TestContiguousInt32IndicesAreNotCopied(t *testing.T) {
	const n = 1 << 16
	x, index := Variable(tensor.Ones(tensor.Float32, 4, 1)), Constant(tensor.Zeros(tensor.Int32, n/4, 4))
	before := tensor.MemoryStats().Allocated
	y := Embedding(x, index, nil)
	if bytes := tensor.MemoryStats().Allocated - before; bytes > 4*n { // the result's
		t.Errorf("%d bytes for a result of %d", bytes, 4*n)
	}
	rows := y.node.inputs[0].node.attrs.rows
	if &rows[0] != &tensor.Data[int32](index.Tensor())[0] {
		t.Error("the indices were copied")
	}
}
