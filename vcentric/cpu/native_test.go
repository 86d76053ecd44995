package cpu

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"unsafe"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// fake is a native compiler whose kernels note the rows of their calls.
type fake struct {
	needs   NativeNeeds
	decline func(step int) error
	fails   error

	mu    sync.Mutex
	calls [][2]int
	args  NativeArgs // of the last call
}

func (f *fake) Compile(p *plan.Plan) ([]NativeKernel, error) {
	out := make([]NativeKernel, len(p.Steps))
	for i := range out {
		if f.decline != nil && f.decline(i) != nil {
			out[i].Declined = f.decline(i)
			continue
		}
		out[i].NativeNeeds = f.needs
		out[i].Call = func(args *NativeArgs, lo, hi int) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.calls = append(f.calls, [2]int{lo, hi})
			f.args = *args
		}
	}
	return out, f.fails
}

// scoresText sums over all rows and draws a mask.
const scoresText = `program scores f32 {
  %0:src f32[3] = input name="h"
  %1:src f32[3] = dropout %0 num=0.5 site=2 res=src
  %2:dst f32[3] = sum %1 dir=in
  output "out" %2
}`

func TestNativeKernelsSeeEveryRowOnce(t *testing.T) {
	e := large()
	p := mustParse(scoresText)
	pl := plan.Build(p)
	for _, threads := range []int{1, 3} {
		f := &fake{needs: NativeNeeds{Scratch: 5, Sites: []int{2}, Degrees: [2]bool{true, true}}}
		RegisterNative("fake", f)
		x, err := CompileNative[float32](pl, "fake")
		if err != nil {
			t.Fatal(err)
		}
		s := e.structure()
		x.Run(e.build(t), memoryOf[float32](pl, s, inputsOf(p, s, 1)), Options{Threads: threads})
		seen := make([]int, e.dst)
		for _, c := range f.calls {
			for r := c[0]; r < c[1]; r++ {
				seen[r]++
			}
		}
		for r, n := range seen {
			if n != len(pl.Steps) {
				t.Fatalf("row %d: %d calls in %d steps", r, n, len(pl.Steps))
			}
		}
		for what, p := range map[string]unsafe.Pointer{
			"scratch": f.args.Scratch, "keys": f.args.Keys, "in-offsets": f.args.InOffsets, "out-offsets": f.args.OutOffsets, "buffers": f.args.Buffers,
		} {
			if p == nil {
				t.Errorf("a call has no %s", what)
			}
		}
	}
}

// TestHubsOfNativeKernelsRunInGo has native kernels write nothing: what is written,
// and bit for bit as by Compile, are the rows of hubs.
func TestHubsOfNativeKernelsRunInGo(t *testing.T) {
	e := star(9000)
	p := typed(t, attention(1, 64, ir.In), ir.F64)
	pl, s, g := plan.Build(p), e.structure(), e.build(t)
	in := inputsOf(p, s, 1)
	want := memoryOf[float64](pl, s, in)
	Compile[float64](pl).Run(g, want, Options{})
	for _, threads := range []int{1, 2, 3} {
		f := &fake{}
		RegisterNative("fake", f)
		x, err := CompileNative[float64](pl, "fake")
		if err != nil {
			t.Fatal(err)
		}
		hub := make([]bool, e.dst)
		for _, r := range x.steps[0].(*nativeStep[float64]).kernel.hubRows(g.In(), 0) {
			hub[r] = true
		}
		if !hub[7] || hub[8] {
			t.Fatalf("hubs %v", hub)
		}
		mem := memoryOf[float64](pl, s, in)
		x.Run(g, mem, Options{Threads: threads})
		calls := make([]int, e.dst)
		for _, c := range f.calls {
			if c[0] >= c[1] {
				t.Errorf("a call of the rows %v", c)
			}
			for r := c[0]; r < c[1]; r++ {
				calls[r]++
			}
		}
		for i, b := range pl.Outputs {
			if b.Res != ir.Dst {
				continue
			}
			width := b.Width()
			for r := range e.dst {
				if (calls[r] == len(pl.Steps)) == hub[r] {
					t.Fatalf("row %d: %d calls, a hub: %t", r, calls[r], hub[r])
				}
				for k := r * width; k < (r+1)*width; k++ {
					got, goes := mem.Floats[b.Index][k], want.Floats[b.Index][k]
					if hub[r] && math.Float64bits(got) != math.Float64bits(goes) || !hub[r] && !math.IsNaN(got) {
						t.Fatalf("%d threads, output %d, row %d: %v, Compile has %v", threads, i, r, got, goes)
					}
				}
			}
		}
	}
}

func TestDeclinedStepsRunInGo(t *testing.T) {
	e := graphs()[6]
	p := typed(t, attention(2, 3, ir.In), ir.F64)
	pl, s, g := plan.Build(p), e.structure(), e.build(t)
	f := &fake{decline: func(step int) error { return fmt.Errorf("step %d", step) }}
	RegisterNative("fake", f)
	x, err := CompileNative[float64](pl, "fake")
	if err != nil {
		t.Fatal(err)
	}
	for i, err := range x.Declined() {
		if want := fmt.Sprintf("step %d", i); err == nil || err.Error() != want {
			t.Errorf("step %d is declined because of %v", i, err)
		}
	}
	in := inputsOf(p, s, 1)
	want, scale := interpret(t, p, s, in, 1)
	mem := memoryOf[float64](pl, s, in)
	x.Run(g, mem, Options{Seed: 1})
	compare(t, p, e, outputs(pl, mem), want, 1e-12*scale)
	if len(f.calls) != 0 {
		t.Errorf("%d native calls", len(f.calls))
	}
}

func TestMasksBeyond32BitsAreDrawnInGo(t *testing.T) {
	e := graphs()[6]
	p := mustParse(scoresText)
	pl, s := plan.Build(p), e.structure()
	for width, native := range map[int]bool{1 << 26: true, 1 << 27: false} {
		f := &fake{needs: NativeNeeds{Masks: []NativeMask{{ir.Src, width}}}} // of 40 rows
		RegisterNative("fake", f)
		x, err := CompileNative[float32](pl, "fake")
		if err != nil {
			t.Fatal(err)
		}
		x.Run(e.build(t), memoryOf[float32](pl, s, inputsOf(p, s, 1)), Options{})
		if (len(f.calls) > 0) != native {
			t.Errorf("a mask of 40 rows of %d: %d native calls", width, len(f.calls))
		}
	}
}

// A step's workspace is that of what runs it: the native kernel, or the Go executor.
func TestWorkspaceOfNativePrograms(t *testing.T) {
	e := random("random", rand.New(rng.NewStream(17)), 300, 300, 3000, false)
	pl := plan.Build(mustParse(`program p f64 {
		%0:src f64[1] = input name="a"
		%1:src f64[1] = input name="b"
		%2:dst f64[1] = input name="c"
		%3:edge f64[1] = mul %0 %2
		%4:edge f64[1] = add %3 %1
		%5:edge f64[1] = tanh %4
		%6:dst f64[1] = sum %5 dir=in
		output "out" %6
	}`))
	g := e.build(t)
	for _, c := range []struct {
		what string
		fake *fake
		want int64
	}{
		{"nothing side by side", &fake{}, 0},
		{"two buffers side by side", &fake{needs: NativeNeeds{Beside: []int{0, 1}}}, 300 * BesideWidth * 8},
		{"declined", &fake{decline: func(int) error { return errors.New("declined") }}, 300 * 2 * 8},
		{"a mask too large", &fake{needs: NativeNeeds{Beside: []int{0, 1}, Masks: []NativeMask{{ir.Src, 1 << 30}}}}, 300 * 2 * 8},
	} {
		RegisterNative("fake", c.fake)
		x, err := CompileNative[float64](pl, "fake")
		if err != nil {
			t.Fatal(err)
		}
		if got := x.Workspace(g); got != c.want {
			t.Errorf("%s: %d bytes of workspace, want %d", c.what, got, c.want)
		}
	}
}

func TestNativeCompilersThatAreMissingOrFailAreErrors(t *testing.T) {
	pl := plan.Build(mustParse(scoresText))
	if _, err := CompileNative[float32](pl, "none such"); err == nil || err.Error() != `cpu: no native compiler "none such": the package that has it is not imported` {
		t.Errorf("error %v", err)
	}
	broken := errors.New("broken")
	RegisterNative("fake", &fake{fails: broken})
	if _, err := CompileNative[float32](pl, "fake"); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	RegisterNative("fake", &fake{needs: NativeNeeds{Sums: 9}})
	mustPanic(t, "BUG: cpu: program scores: step 0 has partial sums of 0 numbers, its native code of 9", func() { _, _ = CompileNative[float32](pl, "fake") })
}
