// Recurrent cells.

package nn_test

import (
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/internal/golden"
	"github.com/asterias-ml/asterias/internal/shared"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// preactivation returns, for one row x, the value w[k]·x + b[k].
func preactivation(w, b *autograd.Var, k int, x []float64) float64 {
	sum := 0.0
	if b != nil {
		sum = b.Tensor().At(k)
	}
	for j, v := range x {
		sum += w.Tensor().At(k, j) * v
	}
	return sum
}

// row returns row i of v, zeros of the given length if v is nil.
func row(v *autograd.Var, i, length int) []float64 {
	if v == nil {
		return make([]float64, length)
	}
	return v.Tensor().Float64s()[i*length : (i+1)*length]
}

// gruLoop is torch.nn.GRUCell's definition, element by element.
func gruLoop(c *nn.GRUCell, x, h *autograd.Var) []float64 {
	in, hidden := c.WeightIH.Shape()[1], c.WeightHH.Shape()[1]
	var out []float64
	for i := range x.Shape()[0] {
		xi, hi := row(x, i, in), row(h, i, hidden)
		for k := range hidden {
			a := func(gate int) float64 { return preactivation(c.WeightIH, c.BiasIH, gate*hidden+k, xi) }
			b := func(gate int) float64 { return preactivation(c.WeightHH, c.BiasHH, gate*hidden+k, hi) }
			r, z := sigmoid(a(0)+b(0)), sigmoid(a(1)+b(1))
			n := math.Tanh(a(2) + r*b(2))
			out = append(out, (1-z)*n+z*hi[k])
		}
	}
	return out
}

// lstmLoop is torch.nn.LSTMCell's definition, element by element.
func lstmLoop(l *nn.LSTMCell, x, h, c *autograd.Var) (hs, cs []float64) {
	in, hidden := l.WeightIH.Shape()[1], l.WeightHH.Shape()[1]
	for i := range x.Shape()[0] {
		xi, hi, ci := row(x, i, in), row(h, i, hidden), row(c, i, hidden)
		for k := range hidden {
			a := func(gate int) float64 {
				return preactivation(l.WeightIH, l.BiasIH, gate*hidden+k, xi) + preactivation(l.WeightHH, l.BiasHH, gate*hidden+k, hi)
			}
			next := sigmoid(a(1))*ci[k] + sigmoid(a(0))*math.Tanh(a(2))
			cs = append(cs, next)
			hs = append(hs, sigmoid(a(3))*math.Tanh(next))
		}
	}
	return hs, cs
}

// precisions are the two element types with what their results may differ by.
var precisions = map[tensor.DType]float64{tensor.Float32: 1e-6, tensor.Float64: 1e-14}

func TestGRUCellIsItsLoop(t *testing.T) {
	for dt, tol := range precisions {
		for _, noBias := range []bool{false, true} {
			for _, n := range []int{3, 1, 0} {
				c := nn.NewGRUCell(4, 5, nn.CellConfig{DType: dt, NoBias: noBias}, nn.NewRNG(1))
				x := autograd.Constant(normal(1, n, 4).Tensor().To(dt))
				first := c.Forward(x, nil)
				wantNear(t, "first state", first.Tensor(), tol, gruLoop(c, x, nil)...)
				wantNear(t, "second state", c.Forward(x, first).Tensor(), tol, gruLoop(c, x, first)...)
			}
		}
	}
}

func TestLSTMCellIsItsLoop(t *testing.T) {
	for dt, tol := range precisions {
		for _, noBias := range []bool{false, true} {
			for _, n := range []int{3, 1, 0} {
				l := nn.NewLSTMCell(4, 5, nn.CellConfig{DType: dt, NoBias: noBias}, nn.NewRNG(1))
				x := autograd.Constant(normal(1, n, 4).Tensor().To(dt))
				var h, c *autograd.Var
				for range 2 {
					wantH, wantC := lstmLoop(l, x, h, c)
					h, c = l.Forward(x, h, c)
					wantNear(t, "h", h.Tensor(), tol, wantH...)
					wantNear(t, "c", c.Tensor(), tol, wantC...)
				}
			}
		}
	}
}

// Through two steps, so that gradients flow through the state too.
func TestCellGradients(t *testing.T) {
	cfg := nn.CellConfig{DType: tensor.Float64}
	x, h, c := normal(1, 2, 3), normal(2, 2, 2), normal(3, 2, 2)
	g := nn.NewGRUCell(3, 2, cfg, nn.NewRNG(1))
	f := func(...*autograd.Var) *autograd.Var { return g.Forward(x, g.Forward(x, h)) }
	if err := autograd.Gradcheck(f, append(nn.Parameters(g), x, h)); err != nil {
		t.Errorf("GRUCell: %v", err)
	}
	l := nn.NewLSTMCell(3, 2, cfg, nn.NewRNG(1))
	f = func(...*autograd.Var) *autograd.Var {
		h1, c1 := l.Forward(x, h, c)
		h2, c2 := l.Forward(x, h1, c1)
		return autograd.Concat(1, h2, c2)
	}
	if err := autograd.Gradcheck(f, append(nn.Parameters(l), x, h, c)); err != nil {
		t.Errorf("LSTMCell: %v", err)
	}
}

// The golden gated graph network: messages by edge type, then a GRU cell.
func TestGRUCellGolden(t *testing.T) {
	types := shared.Golden(t, "ggnn")["etype"].Int32s()
	golden.Check(t, "ggnn", func(c *golden.Case) *autograd.Var {
		h := c.In["h"]
		sum := autograd.Constant(tensor.Zeros(c.DType, h.Shape()...))
		for k := range c.In["A"].Shape()[0] {
			var src, dst []int32
			for e, typ := range types {
				if int(typ) == k {
					src, dst = append(src, c.Graph.Src()[e]), append(dst, c.Graph.Dst()[e])
				}
			}
			messages := h.MatMul(c.In["A"].Slice(0, k, k+1).Reshape(12, 12)).IndexSelect(src)
			sum = sum.Add(messages.ScatterAddRows(h.Shape()[0], dst))
		}
		cell := &nn.GRUCell{
			WeightIH: c.In["Wih"].Transpose(), WeightHH: c.In["Whh"].Transpose(), // stored transposed
			BiasIH: c.In["bih"], BiasHH: c.In["bhh"],
		}
		return cell.Forward(sum, h)
	})
}

func TestCellsTakeSparseInputs(t *testing.T) {
	s, err := tensor.NewSparse(2, 3, []int32{0, 1, 2}, []int32{2, 0}, tensor.FromSlice([]float64{5, 7}, 2))
	if err != nil {
		t.Fatal(err)
	}
	cfg := nn.CellConfig{DType: tensor.Float64}
	c, l := nn.NewGRUCell(3, 2, cfg, nn.NewRNG(1)), nn.NewLSTMCell(3, 2, cfg, nn.NewRNG(1))
	sparse, dense := autograd.SparseConstant(s), autograd.Constant(s.ToDense())
	wantNear(t, "GRU", c.Forward(sparse, nil).Tensor(), 1e-15, c.Forward(dense, nil).Tensor().Float64s()...)
	got, _ := l.Forward(sparse, nil, nil)
	want, _ := l.Forward(dense, nil, nil)
	wantNear(t, "LSTM", got.Tensor(), 1e-15, want.Tensor().Float64s()...)
}

func TestCellsHavePyTorchsNamesShapesAndBounds(t *testing.T) {
	want := []string{"weight_ih", "weight_hh", "bias_ih", "bias_hh"}
	for name, c := range map[string]struct {
		cell, noBias any
		gates        int
	}{
		"GRU":  {nn.NewGRUCell(30, 100, nn.CellConfig{}, nn.NewRNG(1)), nn.NewGRUCell(3, 2, nn.CellConfig{NoBias: true}, nn.NewRNG(1)), 3},
		"LSTM": {nn.NewLSTMCell(30, 100, nn.CellConfig{}, nn.NewRNG(1)), nn.NewLSTMCell(3, 2, nn.CellConfig{NoBias: true}, nn.NewRNG(1)), 4},
	} {
		if got := names(c.cell); !slices.Equal(got, want) {
			t.Errorf("%s: names %v", name, got)
		}
		if got := names(c.noBias); !slices.Equal(got, want[:2]) {
			t.Errorf("%s without bias: names %v", name, got)
		}
		rows := c.gates * 100
		shapes := []tensor.Shape{{rows, 30}, {rows, 100}, {rows}, {rows}}
		for i, p := range nn.Parameters(c.cell) {
			if !p.Shape().Equal(shapes[i]) {
				t.Errorf("%s: %s has shape %v, want %v", name, want[i], p.Shape(), shapes[i])
			}
			values := p.Tensor().Float64s()
			if hi, lo := slices.Max(values), slices.Min(values); hi > 0.1 || hi < 0.09 || lo < -0.1 || lo > -0.09 {
				t.Errorf("%s: %s is in [%v, %v], want U(-0.1, 0.1)", name, want[i], lo, hi)
			}
		}
	}
}

// Forward and backward of everything, large enough that loops are split.
func TestNormalisationAndCellsAreTheSameForAnyThreads(t *testing.T) {
	defer tensor.SetThreads(0)
	run := func(threads int) (bits []float64) {
		tensor.SetThreads(threads)
		r := nn.NewRNG(1)
		gru, lstm := nn.NewGRUCell(24, 32, nn.CellConfig{}, r), nn.NewLSTMCell(32, 32, nn.CellConfig{}, r)
		b, l := nn.NewBatchNorm1d(24, nn.BatchNormConfig{}), nn.NewLayerNorm(32, nn.LayerNormConfig{})
		x := autograd.Constant(normal(7, 3000, 24).Tensor().To(tensor.Float32))
		h, c := lstm.Forward(l.Forward(gru.Forward(b.Forward(x), nil)), nil, nil)
		loss := nn.CosineEmbedding(h, c, autograd.Constant(tensor.Full(tensor.Float32, 1, 3000)), 0).Add(nn.L1(nn.NormalizeRows(h), c))
		loss.Backward()
		model := &struct{ A, B, C, D any }{gru, lstm, b, l}
		bits = append(loss.Tensor().Float64s(), b.RunningVar.Tensor().Float64s()...)
		for _, p := range nn.Parameters(model) {
			bits = append(bits, p.Gradient().Float64s()...)
		}
		return bits
	}
	want := run(1)
	for _, threads := range []int{2, 3, 8} {
		if !slices.Equal(run(threads), want) {
			t.Errorf("%d threads give other bits", threads)
		}
	}
}
