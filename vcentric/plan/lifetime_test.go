package plan_test

// Lifetimes, slots, and the bytes of a run.

import (
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/pass"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// chain is a multi-layer perceptron of vertices: every layer is a product and a
// kernel.
func chain(layers int, widths ...int) *ir.Program {
	b := ir.NewBuilder("chain", ir.F32, false)
	x := b.Input("h", ir.Src, ir.Shape{widths[0]})
	for i := range layers {
		w := b.Input(string(rune('a'+i)), ir.Param, ir.Shape{widths[i%len(widths)], widths[(i+1)%len(widths)]})
		x = b.Op(ir.OpTanh, ir.Attr{}, b.MatMul(x, w))
	}
	b.Output("out", x)
	return b.Program()
}

func TestBuffersOfEqualSizeTakeTurns(t *testing.T) {
	sizes := plan.Sizes{NumSrc: 10, NumDst: 10, NumEdges: 100}
	for _, c := range []struct {
		name    string
		program *ir.Program
		slots   int
		peak    int64
	}{
		// Two buffers live at each step, and the result takes the place of one.
		{"equal widths", chain(6, 8), 2, 2 * 10 * 8 * 4},
		{"two widths", chain(6, 8, 4), 4, 2*10*8*4 + 2*10*4*4},
		{"one layer", chain(1, 8), 2, 2 * 10 * 8 * 4},
	} {
		p := plan.Build(c.program)
		if got := p.Peak(sizes); len(p.Slots) != c.slots || got != c.peak {
			t.Errorf("%s: %d slots, %d B; want %d, %d B\n%v", c.name, len(p.Slots), got, c.slots, c.peak, p)
		}
	}
}

// Stages alone would compute the operands of both products first.
func TestStepsAreOrderedSoThatLessIsInMemory(t *testing.T) {
	b := ir.NewBuilder("p", ir.F32, false)
	for _, side := range []ir.Residency{ir.Src, ir.Dst} {
		x := b.Op(ir.OpTanh, ir.Attr{}, b.Input("h", side, ir.Shape{8}))
		b.Output(side.String(), b.MatMul(x, b.Input("W", ir.Param, ir.Shape{8, 5})))
	}
	p := plan.Build(b.Program())
	if got := p.Peak(plan.Sizes{NumSrc: 10, NumDst: 10}); len(p.Slots) != 3 || got != 10*(8+5+5)*4 {
		t.Errorf("%d slots, %d B\n%v", len(p.Slots), got, p)
	}
}

// A number of sources is a number of destinations only on a homogeneous graph;
// ids and numbers never share.
func TestSidesShareMemoryOnHomogeneousGraphsAlone(t *testing.T) {
	for _, c := range []struct {
		bipartite bool
		slots     int
	}{{false, 2}, {true, 3}} {
		b := ir.NewBuilder("p", ir.F32, c.bipartite)
		w := b.Input("W", ir.Param, ir.Shape{4, 4})
		x := b.Sum(ir.In, b.MatMul(b.Input("h", ir.Src, ir.Shape{4}), w))
		b.Output("out", b.MatMul(x, w))
		p := plan.Build(b.Program())
		if len(p.Slots) != c.slots {
			t.Errorf("bipartite %v: %d slots, want %d\n%v", c.bipartite, len(p.Slots), c.slots, p)
		}
	}
	b := ir.NewBuilder("p", ir.F32, false)
	x := b.Input("f", ir.Edge, ir.Shape{4})
	b.Output("max", b.Max(ir.In, x))
	b.Output("argmax", b.Op(ir.OpArgmax, ir.Attr{Dir: ir.In}, x))
	if p := plan.Build(b.Program()); p.Outputs[0].Slot == p.Outputs[1].Slot {
		t.Errorf("numbers and ids share memory\n%v", p)
	}
}

// As many slots of a size as buffers of that size live at once, and no more.
func TestSlotsAreAsFewAsLifetimesAllow(t *testing.T) {
	for seed := range uint64(300) {
		c := irtest.New(80_000 + seed)
		forward, backward, _ := pass.Training(c.Program, pass.Options{Want: wantAll})
		for _, p := range []*ir.Program{c.Program, forward, backward} {
			if p == c.Program {
				p, _ = pass.Forward(p, pass.Options{})
			}
			pl := plan.Build(p)
			slots, most := make(map[string]int), make(map[string]int)
			kind := func(b *plan.Buffer) string {
				r := b.Res.String()
				if !p.Bipartite {
					r = strings.Replace(r, "src", "dst", 1)
				}
				return r + " " + b.Type.String() + ir.Shape{b.Width()}.String()
			}
			for _, s := range pl.Slots {
				slots[kind(s.Buffers[0])]++
			}
			for i := range pl.Steps {
				live := make(map[string]int)
				for _, b := range pl.Buffers {
					if b.Role != plan.Input && b.First <= i && i <= b.Last {
						live[kind(b)]++
						most[kind(b)] = max(most[kind(b)], live[kind(b)])
					}
				}
			}
			for k, n := range slots {
				if n != most[k] {
					t.Fatalf("%d slots for %d live buffers of %s\n%v", n, most[k], k, pl)
				}
			}
		}
	}
}

func TestReportTellsSlotsLifetimesAndPeak(t *testing.T) {
	b := ir.NewBuilder("p", ir.F32, false)
	b.SetTypes(ir.Types{Src: 2, Dst: 2, Edge: 3})
	x := b.Op(ir.OpTanh, ir.Attr{}, b.Input("a", ir.EdgeType, ir.Shape{5}))
	y := b.Op(ir.OpTanh, ir.Attr{}, b.Add(b.Input("c", ir.SrcType, ir.Shape{}), b.Input("c", ir.DstType, ir.Shape{})))
	b.Output("out", b.Sum(ir.In, b.Mul(x, y)))
	p := plan.Build(b.Program())
	sizes := plan.Sizes{NumSrc: 10, NumDst: 10, NumEdges: 100, Types: b.Program().Types}
	report := p.Report(sizes)
	for _, want := range []string{
		"slot -   steps -                60 B  bound by the caller",
		"slot -   steps -                 8 B  bound by the caller",
		"0 B  the same tensor, read from the other side",
		"slot 0   steps 0-1              60 B  shared by many rows of a kernel",
		"slot 1   steps 1-              200 B  result of the program",
		"5 buffers, 328 B",
		"2 slots, 260 B allocated",
	} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
}
