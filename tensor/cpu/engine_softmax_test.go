package cpu

// Softmax on the Gorgonia engine against the standard engine.

import (
	"fmt"
	"sync/atomic"
	"testing"

	gt "gorgonia.org/tensor"
)

func TestSoftmaxDoesWhatTheStandardEngineDoes(t *testing.T) {
	for _, op := range []struct {
		name string
		f    func(e gt.SoftMaxer, a, b gt.Tensor, axis int, opts ...gt.FuncOpt) (gt.Tensor, error)
	}{
		{"SoftMax", func(e gt.SoftMaxer, a, _ gt.Tensor, axis int, o ...gt.FuncOpt) (gt.Tensor, error) {
			return e.SoftMax(a, axis, o...)
		}},
		{"LogSoftMax", func(e gt.SoftMaxer, a, _ gt.Tensor, axis int, o ...gt.FuncOpt) (gt.Tensor, error) {
			return e.LogSoftMax(a, axis, o...)
		}},
		{"SoftMaxB", func(e gt.SoftMaxer, a, b gt.Tensor, axis int, o ...gt.FuncOpt) (gt.Tensor, error) {
			return e.SoftMaxB(a, b, axis, o...)
		}},
		{"LogSoftMaxB", func(e gt.SoftMaxer, a, b gt.Tensor, axis int, o ...gt.FuncOpt) (gt.Tensor, error) {
			return e.LogSoftMaxB(a, b, axis, o...)
		}},
	} {
		for _, dt := range []gt.Dtype{gt.Float32, gt.Float64, gt.Int} {
			for _, c := range []struct {
				shape []int
				axis  int
				last  bool
			}{
				{[]int{5}, 0, true}, {[]int{5}, -1, true}, {[]int{3, 4}, 1, true}, {[]int{3, 4}, -1, true}, {[]int{3, 4}, 0, false},
				{[]int{2, 3, 4}, 2, true}, {[]int{2, 3, 4}, 1, false}, {[]int{2, 3, 4}, -1, true}, {[]int{4, 1}, 1, true}, {[]int{3000, 17}, 1, true},
			} {
				for _, o := range []string{"none", "reuse", "reuse and unsafe", "unsafe"} {
					what := fmt.Sprintf("%s, %v%v, axis %d, options: %s", op.name, dt, c.shape, c.axis, o)
					var ran atomic.Int64
					call := func(e gt.Engine) outcome {
						a, _ := newOperand(e, "plain", dt, 1, c.shape...)
						b, _ := newOperand(e, "plain", dt, 2, c.shape...)
						r, _ := newOperand(e, "plain", dt, 3, c.shape...)
						opts := map[string][]gt.FuncOpt{
							"reuse":            {gt.WithReuse(r)},
							"reuse and unsafe": {gt.WithReuse(r), gt.UseUnsafe()},
							"unsafe":           {gt.UseUnsafe()},
						}[o]
						return observe(func() (gt.Tensor, error) { return op.f(e.(gt.SoftMaxer), a, b, c.axis, opts...) },
							[]string{"a", "b", "reuse"}, []*gt.Dense{a, b, r})
					}
					want := call(gt.StdEng{})
					tol := 1e-5
					if dt == gt.Float64 {
						tol = 1e-12
					}
					if d := call(Engine{ran: &ran}).differs(want, tol); d != "" {
						t.Errorf("%s: %s", what, d)
					}
					if ours := c.last && dt != gt.Int && o != "unsafe"; (ran.Load() == 1) != ours {
						t.Errorf("%s: %d operations ran here; ours: %v", what, ran.Load(), ours)
					}
				}
			}
		}
	}
}
