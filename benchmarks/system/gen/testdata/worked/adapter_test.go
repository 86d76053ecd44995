//go:build (darwin || (linux && !android)) && (amd64 || arm64)

package spmm

// What the frame itself promises: misfits are errors.

import (
	"errors"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/tensor"
)

func TestWhatDoesNotFitIsAnError(t *testing.T) {
	l, err := library()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		vertices int
		src, dst []int32
		want     string
	}{
		{2, []int32{0}, nil, "1 sources and 0 destinations"},
		{2, []int32{0, 1}, []int32{1, 2}, "edge 1 runs from 1 to 2, of 2 vertices"},
		{2, []int32{-1}, []int32{0}, "edge 0 runs from -1"},
		{-1, nil, nil, "-1 vertices"},
	} {
		if _, err := l.NewGraph(c.vertices, c.src, c.dst); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	g, err := l.NewGraph(3, []int32{0, 1}, []int32{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	f32 := func(shape ...int) *tensor.Tensor { return tensor.Ones(tensor.Float32, shape...) }
	x, w, out := f32(3, 2, 4), f32(2, 2, 1), f32(3, 2, 4)
	for _, c := range []struct {
		x, w, out *tensor.Tensor
		op        system.Op
		want      string
	}{
		{nil, w, out, 0, "spmm_scaled: x is nil"},
		{f32(3, 8), w, out, 0, "x has shape [3 8], want [N H F]"},
		{f32(2, 2, 4), w, out, 0, "x has shape [2 2 4], want [N H F], where N is 3"},
		{x, f32(2, 3, 1), out, 0, "w has shape [2 3 1], want [E H 1], where H is 2"},
		{x, f32(2, 2, 4), out, 0, "where 1 is 1"},
		{x, w, f32(3, 2, 5), 0, "out has shape [3 2 5], want [N H F], where F is 4"},
		{x.To(tensor.Float64), w, out, 0, "x is f64, want f32"},
		{f32(2, 3, 4).Transpose(1, 0, 2), w, out, 0, "x is not contiguous"},
		{x, w, x, 0, "out shares its memory with array 0"},
		{x, w, out, system.OpCopy, system.ErrUnsupported.Error()},
	} {
		if err := g.Run(c.x, c.w, c.out, c.op, 1, false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	err = autograd.Try(func() { SpmmScaled(g, autograd.Constant(x), autograd.Constant(w), system.OpCopy, 1, false) })
	if !errors.Is(err, system.ErrUnsupported) {
		t.Errorf("the operation says %v", err)
	}
	g.Close()
	g.Close()
	if err := g.Run(x, w, out, 0, 1, false); err == nil || !strings.Contains(err.Error(), "the graph is closed") {
		t.Errorf("of a closed graph: %v", err)
	}
}

func TestOpenNamesWhatIsMissing(t *testing.T) {
	if _, err := Open("./no such library.so"); err == nil || !strings.Contains(err.Error(), "no such library.so") {
		t.Error(err)
	}
}
