package cpu

// Softmax on the Gorgonia engine against the standard engine.

import (
	"fmt"
	"slices"
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
				n := gt.Shape(c.shape).TotalSize()
				other := gt.Float32
				if dt == gt.Float32 {
					other = gt.Float64
				}
				for _, reuse := range []struct {
					name, kind string
					dt         gt.Dtype
					shape      []int
					fits       bool
				}{
					{"its own shape", "plain", dt, c.shape, true},
					{"one axis", "plain", dt, []int{n}, true},
					{"another type", "plain", other, c.shape, false},
					{"another size", "plain", dt, []int{n + 1}, false},
					{"a view", "view", dt, c.shape, false},
				} {
					for _, o := range []string{"none", "reuse", "reuse and unsafe", "unsafe"} {
						if (o == "none" || o == "unsafe") && reuse.name != "its own shape" {
							continue
						}
						if testing.Short() && n > 1000 && (op.name != "SoftMax" || o != "none") {
							continue
						}
						what := fmt.Sprintf("%s, %v%v, axis %d, options: %s of %s", op.name, dt, c.shape, c.axis, o, reuse.name)
						var ran atomic.Int64
						call := func(e gt.Engine) (out outcome, reshaped gt.Shape) {
							a, _ := newOperand(e, "plain", dt, 1, c.shape...)
							b, _ := newOperand(e, "plain", dt, 2, c.shape...)
							r, _ := newOperand(e, reuse.kind, reuse.dt, 3, reuse.shape...)
							opts := map[string][]gt.FuncOpt{
								"reuse":            {gt.WithReuse(r)},
								"reuse and unsafe": {gt.WithReuse(r), gt.UseUnsafe()},
								"unsafe":           {gt.UseUnsafe()},
							}[o]
							out = observe(func() (gt.Tensor, error) { return op.f(e.(gt.SoftMaxer), a, b, c.axis, opts...) },
								[]string{"a", "b", "reuse"}, []*gt.Dense{a, b, r})
							return out, r.Shape()
						}
						want, wantShape := call(gt.StdEng{})
						got, gotShape := call(Engine{ran: &ran})
						tol := 1e-5
						if dt == gt.Float64 {
							tol = 1e-12
						}
						if d := got.differs(want, tol); d != "" {
							t.Errorf("%s: %s", what, d)
						}
						if !slices.Equal(gotShape, wantShape) {
							t.Errorf("%s: it has shape %v afterwards, want %v", what, gotShape, wantShape)
						}
						ours := c.last && dt != gt.Int && o != "unsafe" && reuse.fits
						if (ran.Load() == 1) != ours {
							t.Errorf("%s: %d operations ran here; ours: %v", what, ran.Load(), ours)
						}
					}
				}
			}
		}
	}
}
