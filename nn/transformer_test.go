// The transformer encoder and the masks of sequences.

package nn_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// transformers makes a layer of either order of its normalisations and an encoder.
func transformers(embed, heads int, cfg nn.TransformerConfig) map[string]transformer {
	first, final := cfg, cfg
	first.NormFirst, final.FinalNorm = true, true
	return map[string]transformer{
		"layer":       nn.NewTransformerEncoderLayer(embed, heads, cfg, nn.NewRNG(1)),
		"first layer": nn.NewTransformerEncoderLayer(embed, heads, first, nn.NewRNG(2)),
		"encoder":     nn.NewTransformerEncoder(2, embed, heads, final, nn.NewRNG(3)),
	}
}

type transformer interface {
	Forward(x *autograd.Var, mask nn.AttentionMask) *autograd.Var
}

// bothMasks hides padding and what comes later.
func bothMasks(lengths []int, length int) nn.AttentionMask {
	return nn.AttentionMask{Keys: nn.PaddingMask(lengths, length).Keys, Pairs: nn.CausalMask(length).Pairs}
}

// With a PyTorch state dict, loaded unchanged, results and gradients are PyTorch's.
func TestTransformerEncodersArePyTorchs(t *testing.T) {
	cases := readCases(t, "transformer.txt")
	if len(cases) != 9 {
		t.Errorf("%d cases in the file", len(cases))
	}
	f64 := nn.TransformerConfig{Feedforward: 3, DType: tensor.Float64}
	first, encoder := f64, f64
	first.NormFirst, first.Activation, first.Eps = true, nn.GELU(), 0.01
	encoder.NormFirst, encoder.FinalNorm, encoder.NoBias = true, true, true
	for name, v := range cases {
		kind, mask, _ := strings.Cut(name, "_")
		m := map[string]transformer{
			"layer":   nn.NewTransformerEncoderLayer(4, 2, f64, nn.NewRNG(1)),
			"first":   nn.NewTransformerEncoderLayer(4, 2, first, nn.NewRNG(1)),
			"encoder": nn.NewTransformerEncoder(2, 4, 2, encoder, nn.NewRNG(1)),
		}[kind]
		masks := map[string]nn.AttentionMask{
			"padded": nn.PaddingMask([]int{2, 4}, 4), "causal": nn.CausalMask(4), "padded_causal": bothMasks([]int{2, 4}, 4),
		}
		dict := map[string]*tensor.Tensor{}
		for key, value := range v {
			if strings.Contains(key, ".") && !strings.HasPrefix(key, "grad_") {
				dict[key] = value
			}
		}
		var file bytes.Buffer
		if err := nn.SaveTensors(&file, dict, nil); err != nil {
			t.Fatal(err)
		}
		if err := nn.Load(&file, m, nn.PyTorchLayout()); err != nil {
			t.Fatal(err)
		}
		x := autograd.Variable(v["x"])
		y := m.Forward(x, masks[mask])
		wantNear(t, name, y.Tensor(), 1e-13, v["out"].Float64s()...)
		factors := make([]float64, y.Shape().Size())
		for i := range factors {
			factors[i] = math.Sin(1.7*float64(i) + 0.2)
		}
		y.Mul(autograd.Constant(tensor.FromSlice(factors, y.Shape()...))).Sum().Backward()
		wantNear(t, name+" gradient of x", x.Gradient(), 1e-13, v["grad_x"].Float64s()...)
		linear := map[*autograd.Var]bool{} // transposed in PyTorch
		nn.Apply(m, func(_ string, part any) {
			if l, ok := part.(*nn.Linear); ok {
				linear[l.Weight] = true
			}
		})
		for _, p := range nn.NamedParameters(m) {
			g := p.Var.Gradient()
			if linear[p.Var] {
				g = g.Transpose().Contiguous()
			}
			wantNear(t, name+" gradient of "+p.Name, g, 1e-13, v["grad_"+p.Name].Float64s()...)
		}
	}
}

func TestTransformerEncoderGradientsOfAnyOrder(t *testing.T) {
	for name, m := range transformers(4, 2, nn.TransformerConfig{Feedforward: 3, Activation: nn.GELU(), DType: tensor.Float64}) {
		x, mask := normal(1, 2, 3, 4), bothMasks([]int{3, 2}, 3)
		leaves := append(nn.Parameters(m), x)
		first := func(...*autograd.Var) *autograd.Var { return m.Forward(x, mask) }
		if err := autograd.Gradcheck(first, leaves); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if name == "encoder" {
			continue // time
		}
		second := func(...*autograd.Var) *autograd.Var {
			return joined(autograd.Grad(first().Square().Sum(), leaves, autograd.CreateGraph()))
		}
		if err := autograd.Gradcheck(second, leaves, autograd.GradcheckTolerance(1e-4, 1e-5)); err != nil {
			t.Errorf("%s, second derivatives: %v", name, err)
		}
	}
}

func TestTransformerEncodersHavePyTorchsNamesAndShapes(t *testing.T) {
	layer := []string{
		"self_attn.in_proj_weight [12 4]", "self_attn.in_proj_bias [12]", "self_attn.out_proj.weight [4 4]", "self_attn.out_proj.bias [4]",
		"linear1.weight [4 2048]", "linear1.bias [2048]", "linear2.weight [2048 4]", "linear2.bias [4]",
		"norm1.weight [4]", "norm1.bias [4]", "norm2.weight [4]", "norm2.bias [4]",
	}
	var encoder []string
	for i := range 2 {
		for _, s := range layer {
			encoder = append(encoder, fmt.Sprintf("layers.%d.%s", i, s))
		}
	}
	withoutBias := slices.DeleteFunc(slices.Clone(layer), func(s string) bool { return strings.Contains(s, "bias") })
	r := nn.NewRNG(1)
	for _, c := range []struct {
		m    any
		want []string
	}{
		{nn.NewTransformerEncoderLayer(4, 2, nn.TransformerConfig{}, r), layer},
		{nn.NewTransformerEncoderLayer(4, 2, nn.TransformerConfig{NoBias: true, Dropout: 0.5}, r), withoutBias},
		{nn.NewTransformerEncoder(2, 4, 2, nn.TransformerConfig{}, r), encoder},
		{nn.NewTransformerEncoder(2, 4, 2, nn.TransformerConfig{FinalNorm: true}, r), append(slices.Clone(encoder), "norm.weight [4]", "norm.bias [4]")},
	} {
		var got []string
		for _, p := range nn.NamedParameters(c.m) {
			got = append(got, fmt.Sprint(p.Name, " ", p.Var.Shape()))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%T: %v, want %v", c.m, got, c.want)
		}
	}
}

// Layers do not begin as copies of one another, and settings reach all parts.
func TestATransformerEncoderIsMadeAsItIsTold(t *testing.T) {
	cfg := nn.TransformerConfig{Feedforward: 5, Dropout: 0.25, Activation: nn.Tanh(), NormFirst: true, FinalNorm: true, Eps: 0.125, DType: tensor.Float64}
	e := nn.NewTransformerEncoder(2, 4, 2, cfg, nn.NewRNG(1))
	for _, l := range e.Layers {
		if l.SelfAttn.P != 0.25 || l.SelfAttn.Heads != 2 || l.Drop.P != 0.25 || l.Activation == nil || !l.NormFirst || l.Norm1.Eps != 0.125 || l.Norm2.Eps != 0.125 {
			t.Errorf("%+v", l)
		}
	}
	if e.Norm.Eps != 0.125 {
		t.Errorf("final norm %+v", e.Norm)
	}
	for _, p := range nn.NamedParameters(e) {
		if p.Var.DType() != tensor.Float64 {
			t.Errorf("%s is %v", p.Name, p.Var.DType())
		}
	}
	if a, b := e.Layers[0].Linear1.Weight.Tensor().Float64s(), e.Layers[1].Linear1.Weight.Tensor().Float64s(); slices.Equal(a, b) {
		t.Error("two layers begin as one")
	}
	plain := nn.NewTransformerEncoderLayer(4, 2, nn.TransformerConfig{}, nn.NewRNG(1))
	if plain.Drop != nil || plain.SelfAttn.P != 0 || plain.Norm1.Eps != 1e-5 || plain.NormFirst {
		t.Errorf("by default %+v", plain)
	}
}

// Of a padded batch, each sequence gets what it gets alone, whatever lies in its padding, and
// the padding gets no gradient.
func TestPaddingDoesNotMatterToATransformerEncoder(t *testing.T) {
	const length, embed = 5, 4
	lengths := []int{3, 5, 1, 4}
	for name, m := range transformers(embed, 2, nn.TransformerConfig{Feedforward: 6, DType: tensor.Float64}) {
		for _, causal := range []bool{false, true} {
			x, mask := normal(1, len(lengths), length, embed), nn.PaddingMask(lengths, length)
			if causal {
				mask = bothMasks(lengths, length)
			}
			y := m.Forward(x, mask)
			loss := autograd.Constant(tensor.Zeros(tensor.Float64))
			for i, n := range lengths {
				alone := nn.AttentionMask{}
				if causal {
					alone = nn.CausalMask(n)
				}
				part := func(v *autograd.Var) *autograd.Var { return v.Slice(0, i, i+1).Slice(1, 0, n).Reshape(n, embed) }
				one := part(y)
				wantNear(t, fmt.Sprintf("%s, causal %v, sequence %d", name, causal, i), one.Tensor(), 1e-13,
					m.Forward(part(x), alone).Tensor().Float64s()...)
				loss = loss.Add(one.Sin().Sum())
			}
			loss.Backward()
			for i, g := range x.Gradient().Float64s() {
				if padding := i/embed%length >= lengths[i/embed/length]; padding != (g == 0) {
					t.Fatalf("%s, causal %v: gradient %d is %v", name, causal, i, g)
				}
			}
		}
	}
}

func TestPaddingMaskHidesWhatIsBehindTheEnds(t *testing.T) {
	for _, c := range []struct {
		lengths []int
		length  int
		want    [][]bool
	}{
		{[]int{1, 3, 2}, 3, [][]bool{{false, true, true}, {false, false, false}, {false, false, true}}},
		{[]int{0, 1}, 2, [][]bool{{false, false}, {false, true}}}, // nothing of a sequence without positions
		{[]int{0, 0}, 0, [][]bool{{}, {}}},
		{nil, 4, nil},
	} {
		keys := nn.PaddingMask(c.lengths, c.length).Keys
		if want := (tensor.Shape{len(c.lengths), c.length}); !keys.Shape().Equal(want) {
			t.Errorf("%v: shape %v, want %v", c.lengths, keys.Shape(), want)
		}
		if got, want := tensor.Data[bool](keys), slices.Concat(c.want...); !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", c.lengths, got, want)
		}
	}
}

// Sequences of which all is hidden get NaN, as from MultiheadAttention, and the others do not;
// PaddingMask keeps a sequence without positions, and with it all gradients, finite.
func TestOnlySequencesOfWhichAllIsHiddenGetNaNFromATransformerEncoder(t *testing.T) {
	for name, m := range transformers(4, 2, nn.TransformerConfig{Feedforward: 3}) {
		x := autograd.Variable(normal(1, 2, 3, 4).Tensor().To(tensor.Float32))
		hidden := nn.AttentionMask{Keys: bools([][]bool{{true, true, true}, {false, false, true}})}
		for i, v := range m.Forward(x, hidden).Tensor().Float64s() {
			if math.IsNaN(v) != (i < 12) {
				t.Fatalf("%s: element %d is %v, want NaN for the first sequence only", name, i, v)
			}
		}
		m.Forward(x, bothMasks([]int{0, 2}, 3)).Slice(0, 1, 2).Sum().Backward()
		for _, p := range append(nn.Parameters(m), x) {
			for _, g := range p.Gradient().Float64s() {
				if math.IsNaN(g) {
					t.Fatalf("%s: a gradient is NaN", name)
				}
			}
		}
	}
}

func TestATransformerEncoderOfNothingKeepsTheShape(t *testing.T) {
	for name, m := range transformers(4, 2, nn.TransformerConfig{Feedforward: 3}) {
		for _, shape := range []tensor.Shape{{0, 3, 4}, {2, 0, 4}, {0, 4}, {3, 4}} {
			x := autograd.Constant(tensor.Zeros(tensor.Float32, shape...))
			if y := m.Forward(x, nn.AttentionMask{}); !y.Shape().Equal(shape) {
				t.Errorf("%s: %v becomes %v", name, shape, y.Shape())
			}
		}
	}
}

// Dropout is in the attention, behind it, and behind both linear layers, each with a mask of
// its own.
func TestTransformerEncoderLayersDropWhereThePaperDoes(t *testing.T) {
	x := normal(1, 2, 5, 8)
	for _, normFirst := range []bool{false, true} {
		l := nn.NewTransformerEncoderLayer(8, 2, nn.TransformerConfig{Feedforward: 16, Dropout: 0.3, NormFirst: normFirst, DType: tensor.Float64}, nn.NewRNG(4))
		attention, drop := *l.SelfAttn, *l.Drop // with streams of their own
		attend := func(x *autograd.Var) *autograd.Var {
			return drop.Forward(attention.Forward(x, x, x, nn.AttentionMask{}))
		}
		feed := func(x *autograd.Var) *autograd.Var {
			return drop.Forward(l.Linear2.Forward(drop.Forward(l.Linear1.Forward(x).ReLU())))
		}
		composed := func() *autograd.Var {
			if normFirst {
				h := x.Add(attend(l.Norm1.Forward(x)))
				return h.Add(feed(l.Norm2.Forward(h)))
			}
			h := l.Norm1.Forward(x.Add(attend(x)))
			return l.Norm2.Forward(h.Add(feed(h)))
		}
		var passes [][]float64
		for range 2 {
			y := l.Forward(x, nn.AttentionMask{}).Tensor().Float64s()
			if !slices.Equal(y, composed().Tensor().Float64s()) {
				t.Errorf("NormFirst %v: the masks are others", normFirst)
			}
			passes = append(passes, y)
		}
		if slices.Equal(passes[0], passes[1]) {
			t.Errorf("NormFirst %v: two passes have the same masks", normFirst)
		}
		nn.Eval(l)
		drop.SetTraining(false)
		attention.SetTraining(false)
		evaluated := l.Forward(x, nn.AttentionMask{}).Tensor().Float64s()
		if !slices.Equal(evaluated, composed().Tensor().Float64s()) || !slices.Equal(evaluated, l.Forward(x, nn.AttentionMask{}).Tensor().Float64s()) {
			t.Errorf("NormFirst %v: an evaluation drops", normFirst)
		}
		nn.Train(l)
		if !l.Drop.Training() || !l.SelfAttn.Training() {
			t.Errorf("NormFirst %v: evaluating after Train", normFirst)
		}
	}
}

func TestACheckpointedTransformerEncoderHasTheSameBits(t *testing.T) {
	run := func(checkpointed bool) (numbers []float64) {
		e := nn.NewTransformerEncoder(2, 8, 2, nn.TransformerConfig{Feedforward: 16, Dropout: 0.3}, nn.NewRNG(4))
		x, mask := autograd.Variable(normal(1, 2, 5, 8).Tensor().To(tensor.Float32)), bothMasks([]int{5, 3}, 5)
		h := x
		for _, l := range e.Layers {
			f := func(xs ...*autograd.Var) *autograd.Var { return l.Forward(xs[0], mask) }
			if checkpointed {
				h = nn.Checkpoint(l, f, h)
			} else {
				h = f(h)
			}
		}
		h.Square().Mean().Backward()
		for _, p := range append(nn.Parameters(e), x) {
			numbers = append(numbers, p.Gradient().Float64s()...)
		}
		return numbers
	}
	if !slices.Equal(run(true), run(false)) {
		t.Error("the gradients are others")
	}
}

func TestFrozenPartsOfATransformerEncoderGetNoGradient(t *testing.T) {
	e := nn.NewTransformerEncoder(2, 4, 2, nn.TransformerConfig{Feedforward: 3}, nn.NewRNG(1))
	nn.Freeze(e.Layers[0])
	nn.Freeze(e.Layers[1].SelfAttn)
	x := autograd.Constant(normal(1, 2, 3, 4).Tensor().To(tensor.Float32))
	e.Forward(x, nn.AttentionMask{}).Square().Sum().Backward()
	for _, p := range nn.NamedParameters(e) {
		frozen := strings.HasPrefix(p.Name, "layers.0.") || strings.Contains(p.Name, "self_attn")
		if (p.Var.Gradient() == nil) != frozen {
			t.Errorf("%s: gradient %v", p.Name, p.Var.Gradient())
		}
	}
}

func TestATransformerEncoderSurvivesItsFile(t *testing.T) {
	cfg := nn.TransformerConfig{Feedforward: 6, Dropout: 0.2, FinalNorm: true}
	x, mask := autograd.Constant(normal(1, 2, 3, 4).Tensor().To(tensor.Float32)), bothMasks([]int{3, 2}, 3)
	for _, opts := range [][]nn.StateOption{nil, {nn.PyTorchLayout()}} {
		e, again := nn.NewTransformerEncoder(2, 4, 2, cfg, nn.NewRNG(1)), nn.NewTransformerEncoder(2, 4, 2, cfg, nn.NewRNG(2))
		if err := nn.Load(bytes.NewReader(saved(t, e, opts...)), again, opts...); err != nil {
			t.Fatal(err)
		}
		nn.Eval(e)
		nn.Eval(again)
		if a, b := e.Forward(x, mask).Tensor().Float64s(), again.Forward(x, mask).Tensor().Float64s(); !slices.Equal(a, b) {
			t.Errorf("%v, from the file %v", a, b)
		}
	}
}

func TestTransformerEncodersRejectMisuse(t *testing.T) {
	r := nn.NewRNG(1)
	zeros := func(dt tensor.DType, shape ...int) *autograd.Var {
		return autograd.Constant(tensor.Zeros(dt, shape...))
	}
	small := nn.TransformerConfig{Feedforward: 3}
	l, e := nn.NewTransformerEncoderLayer(4, 2, small, r), nn.NewTransformerEncoder(1, 4, 2, small, r)
	x := zeros(tensor.Float32, 2, 3, 4)
	forward := func(m transformer, x *autograd.Var, mask nn.AttentionMask) func() {
		return func() { m.Forward(x, mask) }
	}
	byHand := func(change func(l *nn.TransformerEncoderLayer)) func() {
		l := nn.NewTransformerEncoderLayer(4, 2, small, r)
		change(l)
		return forward(l, x, nn.AttentionMask{})
	}
	with := func(cfg nn.TransformerConfig) func() { return func() { nn.NewTransformerEncoderLayer(4, 2, cfg, r) } }
	const part = "nn: TransformerEncoderLayer: a part of the layer is nil; make it with NewTransformerEncoderLayer"
	for _, c := range []struct {
		want string
		f    func()
	}{
		{"nn: NewMultiheadAttention: 4 columns do not divide among 3 heads", func() { nn.NewTransformerEncoderLayer(4, 3, small, r) }},
		{"nn: NewMultiheadAttention: -4 columns do not divide among 2 heads", func() { nn.NewTransformerEncoder(1, -4, 2, small, r) }},
		{"nn: NewMultiheadAttention: probability 1.5 is outside [0, 1]", with(nn.TransformerConfig{Dropout: 1.5})},
		{"nn: NewLinear: negative size: 4 to -1", with(nn.TransformerConfig{Feedforward: -1})},
		{"nn: NewLayerNorm: Eps is -1", with(nn.TransformerConfig{Feedforward: 3, Eps: -1})},
		{"nn: WithDType: parameters of type i32", with(nn.TransformerConfig{DType: tensor.Int32})},
		{"nn: NewTransformerEncoderLayer: FinalNorm is of a TransformerEncoder", with(nn.TransformerConfig{FinalNorm: true})},
		{"nn: NewTransformerEncoder: 0 layers", func() { nn.NewTransformerEncoder(0, 4, 2, small, r) }},
		{"nn: TransformerEncoderLayer: the layer is nil; make it with NewTransformerEncoderLayer", forward((*nn.TransformerEncoderLayer)(nil), x, nn.AttentionMask{})},
		{"nn: TransformerEncoder: it has no layers; make it with NewTransformerEncoder", forward((*nn.TransformerEncoder)(nil), x, nn.AttentionMask{})},
		{"nn: TransformerEncoder: it has no layers", forward(&nn.TransformerEncoder{}, x, nn.AttentionMask{})},
		{"nn: TransformerEncoder: layer 1 is nil", forward(&nn.TransformerEncoder{Layers: []*nn.TransformerEncoderLayer{l, nil}}, x, nn.AttentionMask{})},
		{part, byHand(func(l *nn.TransformerEncoderLayer) { l.SelfAttn = nil })},
		{part, byHand(func(l *nn.TransformerEncoderLayer) { l.SelfAttn.OutProj = nil })},
		{part, byHand(func(l *nn.TransformerEncoderLayer) { l.SelfAttn.OutProj.Weight = nil })},
		{part, byHand(func(l *nn.TransformerEncoderLayer) { l.Linear1 = nil })},
		{part, byHand(func(l *nn.TransformerEncoderLayer) { l.Linear2 = nil })},
		{part, byHand(func(l *nn.TransformerEncoderLayer) { l.Norm1 = nil })},
		{part, byHand(func(l *nn.TransformerEncoderLayer) { l.Norm2 = nil })},
		{"nn: MultiheadAttention: OutProj.Weight has shape [4], want a matrix", byHand(func(l *nn.TransformerEncoderLayer) { l.SelfAttn.OutProj.Weight = zeros(tensor.Float32, 4) })},
		{"nn: TransformerEncoderLayer: input of shape [2 3 5], want [B L 4] with or without B", forward(l, zeros(tensor.Float32, 2, 3, 5), nn.AttentionMask{})},
		{"nn: TransformerEncoder: input of shape [4], want [B L 4] with or without B", forward(e, zeros(tensor.Float32, 4), nn.AttentionMask{})},
		{"nn: TransformerEncoder: input of shape [1 2 3 4], want", forward(e, zeros(tensor.Float32, 1, 2, 3, 4), nn.AttentionMask{})},
		{"nn: TransformerEncoder: input of shape [], want", forward(e, zeros(tensor.Float32), nn.AttentionMask{})},
		{"nn: TransformerEncoder: an operand is nil", forward(e, nil, nn.AttentionMask{})},
		{"nn: TransformerEncoder: input is f64, the layer f32", forward(e, zeros(tensor.Float64, 2, 3, 4), nn.AttentionMask{})},
		{"key mask is bool [2 4], want bool [2 3]", forward(l, x, nn.PaddingMask([]int{1, 2}, 4))},
		{"pair mask is bool [2 2], want bool or f32, [3 3] or [4 3 3]", forward(l, x, nn.CausalMask(2))},
		{"nn: PaddingMask: sequence 1 has length 4; there are 3 positions", func() { nn.PaddingMask([]int{3, 4}, 3) }},
		{"nn: PaddingMask: sequence 0 has length -1; there are 3 positions", func() { nn.PaddingMask([]int{-1}, 3) }},
		{"nn: PaddingMask: -1 positions", func() { nn.PaddingMask(nil, -1) }},
		{"[2 9223372036854775807]", func() { nn.PaddingMask([]int{1, 2}, math.MaxInt) }},
	} {
		if err := autograd.Try(c.f); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
