// Names, order, sharing, cycles and modes of modules.

package nn_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

func param() *autograd.Var { return autograd.Parameter(tensor.Zeros(tensor.Float32, 2)) }

func linear() *nn.Linear { return nn.NewLinear(2, 2, nn.NewRNG(1)) }

func names(m any) []string {
	var out []string
	for _, n := range nn.NamedParameters(m) {
		out = append(out, n.Name)
	}
	return out
}

type inner struct {
	Scale  *autograd.Var
	hidden *autograd.Var
}

type block struct {
	nn.Mode
	InProj  *nn.Linear
	Layers  []*nn.Linear
	Pair    [2]nn.Linear
	Any     nn.Layer
	Value   inner
	Renamed *autograd.Var `nn:"weight_hh"`
	Fixed   *autograd.Var // no parameter
	Nothing *nn.Linear
	Note    string
	Options map[string]int
	secret  *nn.Linear
}

type model struct {
	block
	inner
	*nn.Linear `nn:"head"`
	Self       *model
}

func newModel() *model {
	m := &model{Linear: linear()}
	m.block = block{
		InProj: linear(), Layers: []*nn.Linear{linear(), nil, linear()}, Any: linear(), Value: inner{Scale: param()},
		Pair: [2]nn.Linear{*linear(), *linear()}, Renamed: param(), Fixed: autograd.Constant(tensor.Zeros(tensor.Float32)),
		Options: map[string]int{"a": 1}, secret: linear(),
	}
	m.inner = inner{Scale: param(), hidden: param()}
	m.Self = m
	return m
}

func TestNamedParametersWalksFieldsInOrder(t *testing.T) {
	want := []string{
		"in_proj.weight", "in_proj.bias", "layers.0.weight", "layers.0.bias", "layers.2.weight", "layers.2.bias",
		"pair.0.weight", "pair.0.bias", "pair.1.weight", "pair.1.bias", "any.weight", "any.bias", "value.scale", "weight_hh",
		"scale", "head.weight", "head.bias",
	}
	m := newModel()
	for range 3 {
		if got := names(m); !slices.Equal(got, want) {
			t.Fatalf("names\n%v, want\n%v", got, want)
		}
	}
	if nn.NamedParameters(m)[0].Var != m.InProj.Weight {
		t.Error("the first parameter is not in_proj.weight")
	}
}

type base struct {
	Lin  *nn.Linear
	Drop *nn.Dropout
	lost *nn.Linear
}

type (
	byValue struct {
		base
		Out *nn.Linear
	}
	byPointer struct {
		*base
		Out *nn.Linear
	}
	byTwoPointers struct {
		*byPointer
		Last *nn.Linear
	}
	switched struct {
		nn.Mode
		*base
		Out *nn.Linear
	}
	tagged struct {
		*base `nn:"body"`
		Out   *nn.Linear
	}
)

// As Go promotes their fields, and encoding/json reads them.
func TestEmbeddedPointersToUnexportedStructsAreWalkedAsValues(t *testing.T) {
	body := func() *base { return &base{linear(), nn.NewDropout(0.5, nn.NewRNG(1)), linear()} }
	flat := []string{"lin.weight", "lin.bias", "out.weight", "out.bias"}
	value := &byValue{*body(), linear()}
	pointer, nested, own, named := &byPointer{body(), linear()}, &byTwoPointers{&byPointer{body(), linear()}, linear()}, &switched{base: body(), Out: linear()}, &tagged{body(), linear()}
	shared := body()
	for what, c := range map[string]struct {
		module any
		drop   *nn.Dropout
		want   []string
	}{
		"a value":                      {value, value.Drop, flat},
		"a pointer":                    {pointer, pointer.Drop, flat},
		"a pointer in a pointer":       {nested, nested.Drop, append(slices.Clone(flat), "last.weight", "last.bias")},
		"a pointer beside a mode":      {own, own.Drop, flat},
		"a pointer with a tag":         {named, named.Drop, []string{"body.lin.weight", "body.lin.bias", "out.weight", "out.bias"}},
		"one pointer in two modules":   {[]any{&byPointer{base: shared}, &byPointer{base: shared}}, shared.Drop, []string{"0.lin.weight", "0.lin.bias"}},
		"a nil pointer beside a layer": {&byPointer{Out: linear()}, nil, flat[2:]},
	} {
		if got := names(c.module); !slices.Equal(got, c.want) {
			t.Errorf("%s: names %v, want %v", what, got, c.want)
		}
		if c.drop == nil {
			continue
		}
		for _, on := range []bool{false, true} {
			nn.SetTraining(c.module, on)
			if c.drop.Training() != on {
				t.Errorf("%s: SetTraining(%v) does not reach the dropout", what, on)
			}
		}
	}
	var file bytes.Buffer
	if err := nn.Save(&file, pointer); err != nil {
		t.Fatal(err)
	}
	if err := nn.Load(&file, value); err != nil {
		t.Error(err)
	}
	if !slices.Equal(value.Lin.Weight.Tensor().Float64s(), pointer.Lin.Weight.Tensor().Float64s()) {
		t.Error("the embedded layer was not saved")
	}
	nn.Freeze(pointer)
	if pointer.Lin.Weight.RequiresGrad() {
		t.Error("the embedded layer was not frozen")
	}
}

func TestFieldNamesBecomeSnakeCase(t *testing.T) {
	m := &struct{ Conv1, InProj, W, QKV, QKVProj, Conv1D, Layer2Norm, WeightHH, A_B *autograd.Var }{
		param(), param(), param(), param(), param(), param(), param(), param(), param(),
	}
	want := []string{"conv1", "in_proj", "w", "qkv", "qkv_proj", "conv1d", "layer2_norm", "weight_hh", "a_b"}
	if got := names(m); !slices.Equal(got, want) {
		t.Errorf("names %v, want %v", got, want)
	}
}

func TestSharedParametersAreListedOnce(t *testing.T) {
	l := linear()
	m := &struct{ Encoder, Decoder *nn.Linear }{l, l}
	tied := &struct{ A, B *nn.Linear }{l, &nn.Linear{Weight: l.Weight, Bias: param()}}
	if got := names(m); !slices.Equal(got, []string{"encoder.weight", "encoder.bias"}) {
		t.Errorf("shared module: %v", got)
	}
	if got := names(tied); !slices.Equal(got, []string{"a.weight", "a.bias", "b.bias"}) {
		t.Errorf("tied weight: %v", got)
	}
}

func TestFrozenParametersAreStillListed(t *testing.T) {
	l := linear()
	l.Weight.SetRequiresGrad(false)
	if got := names(l); !slices.Equal(got, []string{"weight", "bias"}) {
		t.Errorf("names %v", got)
	}
}

// Maps by string are modules as torch.nn.ModuleDict is: all that can be asked of a module
// goes by ascending keys.
func TestMapsByStringHoldParts(t *testing.T) {
	type kind string
	type model struct {
		Heads map[kind]nn.Layer
		Sizes map[int]int // none of a module's
		Tags  map[string]struct{ N int }
	}
	build := func(seed uint64) *model {
		r := nn.NewRNG(seed)
		return &model{
			map[kind]nn.Layer{
				"paper":  nn.NewSequential(nn.NewLinear(2, 3, r), nn.NewDropout(0.5, r), nn.NewBatchNorm1d(3, nn.BatchNormConfig{})),
				"author": nn.NewLinear(2, 2, r), "venue": nil,
			}, map[int]int{1: 2}, map[string]struct{ N int }{"a": {1}},
		}
	}
	m := build(1)
	if got, want := names(m), []string{"heads.author.weight", "heads.author.bias", "heads.paper.0.weight", "heads.paper.0.bias",
		"heads.paper.2.weight", "heads.paper.2.bias"}; !slices.Equal(got, want) {
		t.Errorf("names %v, want %v", got, want)
	}
	nn.Eval(m)
	if m.Heads["paper"].(nn.Sequential)[1].(*nn.Dropout).Training() {
		t.Error("the dropout trains on")
	}
	var b bytes.Buffer
	if err := nn.Save(&b, m, nn.PyTorchLayout()); err != nil {
		t.Fatal(err)
	}
	other := build(2)
	if err := nn.Load(&b, other, nn.PyTorchLayout()); err != nil {
		t.Fatal(err)
	}
	for i, s := range nn.State(other) {
		if got, want := s.Var.Tensor().Float64s(), nn.State(m)[i].Var.Tensor().Float64s(); !slices.Equal(got, want) {
			t.Errorf("%s: loaded %v, saved %v", s.Name, got, want)
		}
	}
}

func TestNamedParametersRejectsMisuse(t *testing.T) {
	for want, m := range map[string]any{
		"nn: NamedParameters: experts: a map's keys must be strings":    &struct{ Experts map[int]*nn.Linear }{map[int]*nn.Linear{2: linear()}},
		"nn: NamedParameters: experts: a map's values must be pointers": &struct{ Experts map[string]nn.Linear }{map[string]nn.Linear{"a": *linear()}},
		"two parameters are named w": &struct {
			W, V *autograd.Var `nn:"w"`
		}{param(), param()},
		"a module is a non-nil pointer to a struct, not nn.Linear":  *linear(),
		"a module is a non-nil pointer to a struct, not *nn.Linear": (*nn.Linear)(nil),
		"a module is a non-nil pointer to a struct, not <nil>":      nil,
	} {
		err := autograd.Try(func() { nn.NamedParameters(m) })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestSequentialOfANilLayerIsMisuse(t *testing.T) {
	err := autograd.Try(func() { nn.NewSequential(nn.ReLU(), nil) })
	if err == nil || err.Error() != "nn: NewSequential: layer 1 is nil" {
		t.Errorf("error %v", err)
	}
}

func TestSequentialNamesLayersByPosition(t *testing.T) {
	s := nn.NewSequential(linear(), nn.ReLU(), linear())
	if got := names(s); !slices.Equal(got, []string{"0.weight", "0.bias", "2.weight", "2.bias"}) {
		t.Errorf("names %v", got)
	}
	m := &struct{ Net nn.Sequential }{s}
	if got := names(m); got[3] != "net.2.bias" {
		t.Errorf("names %v", got)
	}
}

// frozen never trains, whatever its surroundings do.
type frozen struct {
	nn.Mode
	Drop *nn.Dropout
}

func (f *frozen) SetTraining(bool) { f.Mode.SetTraining(false) }

// derived overrides the method of the struct it embeds.
type derived struct {
	frozenBase
	calls int
}

type frozenBase struct{ nn.Mode }

func (d *derived) SetTraining(bool) { d.calls++ }

// ambiguous has two promoted SetTraining at one depth, hence none.
type ambiguous struct {
	Left
	*Right
}
type (
	Left  struct{ nn.Mode }
	Right struct{ nn.Mode }
)

func TestSetTrainingReachesEveryModule(t *testing.T) {
	r := nn.NewRNG(1)
	m := &struct {
		nn.Mode
		Drops  []nn.Layer
		Frozen *frozen
		Sub    derived
		Both   ambiguous
	}{
		Drops: []nn.Layer{nn.NewDropout(0.5, r), nn.NewSequential(nn.NewDropout(0.5, r))}, Frozen: &frozen{Drop: nn.NewDropout(0.5, r)},
		Both: ambiguous{Right: &Right{}},
	}
	state := func() []bool {
		return []bool{
			m.Training(), m.Drops[0].(*nn.Dropout).Training(), m.Drops[1].(nn.Sequential)[0].(*nn.Dropout).Training(),
			m.Frozen.Drop.Training(), m.Both.Left.Training(), m.Both.Right.Training(),
		}
	}
	for _, on := range []bool{false, true} {
		nn.SetTraining(m, on)
		if got := state(); slices.Contains(got, !on) {
			t.Errorf("SetTraining(%v): modules train: %v", on, got)
		}
		if m.Frozen.Training() {
			t.Error("a module that overrides SetTraining was overruled")
		}
		if !m.Sub.Training() {
			t.Error("the Mode embedded under an override was changed")
		}
	}
	if m.Sub.calls != 2 {
		t.Errorf("the override was called %d times, want 2", m.Sub.calls)
	}
}

func TestZeroGradForgetsAllGradients(t *testing.T) {
	l := linear()
	l.Forward(autograd.Constant(tensor.Full(tensor.Float32, 1, 3, 2))).Sum().Backward()
	if l.Weight.Gradient() == nil || l.Bias.Gradient() == nil {
		t.Fatal("no gradients to forget")
	}
	nn.ZeroGrad(l)
	if l.Weight.Gradient() != nil || l.Bias.Gradient() != nil {
		t.Error("a gradient remains")
	}
}
