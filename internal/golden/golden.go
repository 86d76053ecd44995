// Package golden checks layers against the golden vectors: outputs and the
// gradients of every input, in float64 and float32.
package golden

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/internal/shared"
	"github.com/asterias-ml/asterias/tensor"
)

// Case is a golden file in one precision: its graph and its inputs as variables
// that need gradients.
type Case struct {
	Graph *graph.Graph
	In    map[string]*autograd.Var
	DType tensor.DType
}

// Tolerances for outputs and gradients: relative to the largest magnitude of
// the float64 result, and absolute for float32.
const (
	tol64 = 1e-12
	tol32 = 1e-5
)

// Check runs layer on the golden file of the given name in both precisions and
// compares its output and all gradients.
func Check(t *testing.T, name string, layer func(c *Case) *autograd.Var) {
	t.Helper()
	for _, dtype := range []tensor.DType{tensor.Float64, tensor.Float32} {
		t.Run(name+"/"+dtype.String(), func(t *testing.T) { check(t, name, dtype, layer) })
	}
}

func check(t *testing.T, name string, dtype tensor.DType, layer func(c *Case) *autograd.Var) {
	file := shared.Golden(t, name)
	g, err := graph.New(int(file["n"].I64[0]), file["src"].Int32s(), file["dst"].Int32s())
	if err != nil {
		t.Fatal(err)
	}
	c := &Case{Graph: g, In: make(map[string]*autograd.Var), DType: dtype}
	for _, key := range slices.Sorted(maps.Keys(file)) {
		if in, ok := strings.CutPrefix(key, "in_"); ok {
			c.In[in] = autograd.Variable(c.tensor(file[key]))
		}
	}
	out := layer(c)
	compare(t, "out", out.Tensor(), file["out_"+dtype.String()], dtype)
	out.BackwardWith(c.tensor(file["cotangent"]))
	for _, in := range slices.Sorted(maps.Keys(c.In)) {
		grad := c.In[in].Gradient()
		if grad == nil {
			t.Errorf("no gradient reached %s", in)
			continue
		}
		compare(t, "grad_"+in, grad, file["grad_"+in+"_"+dtype.String()], dtype)
	}
}

func (c *Case) tensor(a shared.Array) *tensor.Tensor {
	return tensor.FromSlice(a.F64, a.Shape...).To(c.DType)
}

func compare(t *testing.T, what string, got *tensor.Tensor, want shared.Array, dtype tensor.DType) {
	t.Helper()
	ref := want.F64
	tol := tol64
	if dtype == tensor.Float32 {
		tol = tol32
		ref = make([]float64, len(want.F32))
		for i, x := range want.F32 {
			ref[i] = float64(x)
		}
	}
	if !got.Shape().Equal(tensor.Shape(want.Shape)) {
		t.Errorf("%s has shape %v, want %v", what, got.Shape(), want.Shape)
		return
	}
	numtest.Near(t, what, got.Float64s(), ref, tol)
}
