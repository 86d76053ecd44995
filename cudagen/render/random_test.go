package render

// Random programs on random graphs, forward and backward, against the interpreter.

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/cudagen/emu"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/pass"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// rendered is a program that is to be run.
type rendered struct {
	c   *irtest.Case
	p   *ir.Program
	pl  *plan.Plan
	src *Source
}

func render(t testing.TB, c *irtest.Case, p *ir.Program, o Options) rendered {
	t.Helper()
	return rendering(t, c, plan.Build(p), o)
}

func rendering(t testing.TB, c *irtest.Case, pl *plan.Plan, o Options) rendered {
	t.Helper()
	src, err := Render(pl, o)
	if err != nil {
		t.Fatalf("%v\n%v", err, pl)
	}
	if a := emptyArray.FindString(src.Text); a != "" {
		t.Errorf("%s: %s: NVRTC knows no arrays of no elements\n%v", pl.Program.Name, a, pl)
	}
	return rendered{c, pl.Program, pl, src}
}

var emptyArray = regexp.MustCompile(`(?m)^ *(?:AST_\w+ )?(?:T\d?|int) \w+\[0\]`)

// formsOf are the options with the types of a row as an outer loop wherever that can
// be, and nowhere, by the ends of the programs' names; none if a program has no
// aggregate of each type.
func formsOf(p *ir.Program, o Options) []form {
	typed := func(v *ir.Value) bool { return v.Op.Info().Class == ir.Aggregate && v.Attr.Typed }
	if !slices.ContainsFunc(p.Values, typed) {
		return nil
	}
	nested, flat := o, o
	nested.Nest, flat.Nest = 1, -1
	return []form{{"_nested", nested}, {"_flat", flat}}
}

// form is options, and how the names of programs with them end.
type form struct {
	name string
	Options
}

// oneUnit is the texts of sources with the same prelude as one.
func oneUnit(all []rendered) string {
	header := (&renderer{plan: all[0].pl}).header()
	var b strings.Builder
	b.WriteString(header)
	for _, r := range all {
		b.WriteString(strings.TrimPrefix(r.src.Text, header))
	}
	return b.String()
}

// tunings are options that random programs take in turn.
var tunings = []Options{
	{},
	{Tuning: Tuning{Slots: 2, Lanes: 4}},
	{Tuning: Tuning{Hub: 3, Chunk: 2}},
	{Tuning: Tuning{Lanes: 1, Block: 32, Unroll: 1}},
	{Tuning: Tuning{Hub: 2, Chunk: 3, Slots: 4, Lanes: 8}},
	{Tuning: Tuning{Lanes: 64, Hub: 4, Chunk: 2}},
	{Tuning: Tuning{Lanes: 32}},
}

func TestRandomProgramsAgreeWithTheInterpreter(t *testing.T) {
	needsCompiler(t)
	n, batch := uint64(96), uint64(24)
	if testing.Short() {
		n = 24
	}
	for first := uint64(0); first < n; first += batch {
		t.Run(fmt.Sprintf("from %d", first), func(t *testing.T) {
			t.Parallel()
			typ := ir.F64
			if first/batch%3 == 2 {
				typ = ir.F32
			}
			var all []rendered
			for seed := first; seed < first+batch; seed++ {
				c := irtest.New(seed)
				o := tunings[seed%uint64(len(tunings))]
				add := func(p *ir.Program, name string) {
					name = fmt.Sprintf("r%d_%s", seed, name)
					all = append(all, render(t, c, inType(t, p, name, typ), o))
					for _, form := range formsOf(p, o) {
						all = append(all, rendering(t, c, planned(inType(t, p, name+form.name, typ)), form.Options))
					}
				}
				forward, _ := pass.Forward(c.Program, pass.Options{})
				f, b, _ := pass.Training(c.Program, pass.Options{Want: func(string) bool { return true }})
				add(forward, "only")
				add(f, "forward")
				add(b, "backward")
			}
			runAll(t, all, typ)
		})
	}
}

// Many more programs are rendered than compiled, since that takes a thousandth of the time.
func TestAllRandomProgramsHaveKernels(t *testing.T) {
	n := uint64(1000)
	if testing.Short() {
		n = 500
	}
	for seed := range n {
		c := irtest.New(seed)
		forward, _ := pass.Forward(c.Program, pass.Options{})
		f, b, _ := pass.Training(c.Program, pass.Options{Want: func(string) bool { return true }})
		for _, p := range []*ir.Program{forward, f, b} {
			render(t, c, p, tunings[seed%uint64(len(tunings))])
		}
	}
}

// Programs of the family of attention have heads and several walks over the edges of a row,
// which others seldom have.
func TestRandomScoresAgreeWithTheInterpreter(t *testing.T) {
	needsCompiler(t)
	t.Parallel()
	n := uint64(12)
	if testing.Short() {
		n = 4
	}
	var all []rendered
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 5))
		training, bipartite := seed%3 > 0, seed%4 == 3
		c := &irtest.Case{Seed: seed, Graph: irtest.RandomGraph(r, bipartite, 1+r.IntN(30), r.IntN(300))}
		c.Program = pass.DCE(irtest.Scores(r, bipartite, training))
		programs := []*ir.Program{c.Program}
		if training {
			f, b, _ := pass.Training(c.Program, pass.Options{Want: func(string) bool { return true }})
			programs = []*ir.Program{f, b}
		}
		for i, p := range programs {
			all = append(all, render(t, c, inType(t, p, fmt.Sprintf("s%d_%d", seed, i), ir.F64), tunings[seed%uint64(len(tunings))]))
		}
	}
	runAll(t, all, ir.F64)
}

// Numbers take the place of matrices, and of rows, of products, sums of them and types.
func TestNumbersInProductsAgreeWithTheInterpreter(t *testing.T) {
	needsCompiler(t)
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 12))
	g := irtest.RandomGraph(r, false, 20, 90)
	g.Types, g.EdgeTypes = ir.Types{Edge: 1}, make([]int32, len(g.Src))
	number := func(b *ir.Builder, x float64, shape ...int) *ir.Value { return b.Reshape(b.Const(x), shape) }
	tanh := func(b *ir.Builder, x *ir.Value) *ir.Value { return b.Op(ir.OpTanh, ir.Attr{}, x) }
	var all []rendered
	for name, f := range map[string]func(b *ir.Builder, x *ir.Value) *ir.Value{
		"matrix": func(b *ir.Builder, x *ir.Value) *ir.Value { return b.MatMul(x, number(b, 2, 1, 1)) },
		"transpose": func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Op(ir.OpMatMulT, ir.Attr{}, x, number(b, -3, 1, 1))
		},
		"head": func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.MatMul(b.Reshape(x, ir.Shape{1, 1}), number(b, 2, 1, 1, 1))
		},
		"row": func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Mul(x, b.MatMul(number(b, 2, 1), b.Input("W", ir.EdgeType, ir.Shape{1, 3})))
		},
		"type": func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Mul(x, b.Op(ir.OpUnstack, ir.Attr{Res: ir.EdgeType}, number(b, 2, 1)))
		},
		"outer": func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Mul(x, b.Reshape(b.Op(ir.OpOuter, ir.Attr{Res: x.Res}, number(b, 2, 1), x), ir.Shape{1}))
		},
		"outer of": func(b *ir.Builder, x *ir.Value) *ir.Value {
			wide := b.Mul(x, b.Input("a", ir.Param, ir.Shape{70}))
			return b.Mul(x, b.ReduceTo(b.Op(ir.OpOuter, ir.Attr{Res: x.Res}, wide, number(b, -2, 1)), ir.Shape{1}))
		},
		"outer of two": func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Mul(x, b.Reshape(b.Op(ir.OpOuter, ir.Attr{Res: x.Res}, number(b, 2, 1), number(b, 3, 1)), ir.Shape{1}))
		},
		"picked": func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Mul(b.Sum(ir.In, x), b.Sum(ir.In, b.Op(ir.OpPick, ir.Attr{}, number(b, 2, 1))))
		},
	} {
		for _, res := range []ir.Residency{ir.Edge, ir.Src} {
			b := ir.NewBuilder(fmt.Sprint(name, "_", res), ir.F64, false)
			b.SetTypes(g.Types)
			b.Output("out", b.Sum(ir.In, tanh(b, f(b, tanh(b, b.Input("x", res, ir.Shape{1}))))))
			c := &irtest.Case{Program: b.Program(), Graph: g}
			forward, backward, _ := pass.Training(c.Program, pass.Options{Want: func(string) bool { return true }})
			for i, p := range []*ir.Program{c.Program, forward, backward} {
				all = append(all, render(t, c, inType(t, p, fmt.Sprintf("%s_%v_%d", identifier(name), res, i), ir.F64), Options{}))
			}
		}
	}
	runAll(t, all, ir.F64)
}

// Products over no columns are 0, and need no memory for the rows that they are of.
func TestProductsOverNoColumnsAgreeWithTheInterpreter(t *testing.T) {
	needsCompiler(t)
	g := irtest.RandomGraph(rand.New(rand.NewPCG(13, 14)), false, 20, 90)
	g.Types, g.EdgeTypes = ir.Types{Edge: 1}, make([]int32, len(g.Src))
	var all []rendered
	for _, res := range []ir.Residency{ir.EdgeType, ir.Param} {
		b := ir.NewBuilder("empty", ir.F64, false)
		b.SetTypes(g.Types)
		x := b.Op(ir.OpTanh, ir.Attr{}, b.Mul(b.Input("h", ir.Src, ir.Shape{0}), b.Input("h", ir.Dst, ir.Shape{0})))
		b.Output("out", b.Max(ir.In, b.MatMul(x, b.Input("W", res, ir.Shape{0, 5}))))
		c := &irtest.Case{Program: b.Program(), Graph: g}
		only, _ := pass.Forward(c.Program, pass.Options{})
		forward, backward, _ := pass.Training(c.Program, pass.Options{Want: func(string) bool { return true }})
		for i, p := range []*ir.Program{only, forward, backward} {
			all = append(all, render(t, c, inType(t, p, fmt.Sprintf("empty_%v_%d", res, i), ir.F64), Options{}))
		}
	}
	runAll(t, all, ir.F64)
}

// A value that is read twice, and what that is made of, is looked at once: written out the
// squares have 2^40 factors. Nor are types looked for twice along two axes in rows that have
// parts along neither, or along one only where it is the other one that is read.
func TestProgramsOfSharedOperandsAreRendered(t *testing.T) {
	times := func(n int, x *ir.Value, f func(x *ir.Value) *ir.Value) *ir.Value {
		for range n {
			x = f(x)
		}
		return x
	}
	for name, f := range map[string]func(b *ir.Builder) *ir.Value{
		"squares": func(b *ir.Builder) *ir.Value {
			x := b.Mul(b.Input("x", ir.Src, ir.Shape{2}), b.Input("y", ir.Dst, ir.Shape{2}))
			x = times(40, x, func(x *ir.Value) *ir.Value { return b.Mul(x, x) })
			return b.Sum(ir.In, b.Mul(b.Op(ir.OpSoftmax, ir.Attr{Dir: ir.In}, b.ReduceTo(x, ir.Shape{1})), x))
		},
		"squares of types": func(b *ir.Builder) *ir.Value {
			x := sums(b, ir.In, b.Input("x", ir.Src, ir.Shape{2}))
			return b.ReduceTo(times(40, x, func(x *ir.Value) *ir.Value { return b.Mul(x, x) }), ir.Shape{1, 2})
		},
		"rows without parts": func(b *ir.Builder) *ir.Value {
			y := b.Op(ir.OpConcat, ir.Attr{}, b.Input("y", ir.Dst, ir.Shape{4, 2}), b.Input("z", ir.Dst, ir.Shape{4, 2}))
			y = times(40, y, func(y *ir.Value) *ir.Value { return b.Op(ir.OpTanh, ir.Attr{}, y) })
			return b.Add(sums(b, ir.In, b.Input("x", ir.Src, ir.Shape{4})), y)
		},
		"parts along the other axis": func(b *ir.Builder) *ir.Value {
			y := b.Op(ir.OpTanh, ir.Attr{}, b.Input("y", ir.Dst, ir.Shape{4, 4}))
			y = times(61, y, func(y *ir.Value) *ir.Value {
				return b.Op(ir.OpPermute, ir.Attr{Shape: ir.Shape{1, 0}}, b.Op(ir.OpTanh, ir.Attr{}, y))
			})
			return b.Add(sums(b, ir.In, b.Input("x", ir.Src, ir.Shape{4})), y)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := ir.NewBuilder("shared", ir.F64, false)
			b.SetTypes(ir.Types{Edge: 4})
			b.Output("out", f(b))
			forward, backward, _ := pass.Training(b.Program(), pass.Options{Want: func(string) bool { return true }})
			done := make(chan struct{})
			go func() {
				defer close(done)
				for _, p := range []*ir.Program{forward, backward} {
					if _, err := Render(planned(p), Options{}); err != nil {
						t.Error(err)
					}
				}
			}()
			select {
			case <-done:
			case <-time.After(time.Minute):
				t.Fatal("the program takes more than a minute")
			}
		})
	}
}

func runAll(t testing.TB, all []rendered, typ ir.DType) {
	t.Helper()
	program, err := emu.Compile(context.Background(), oneUnit(all))
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	for i, r := range all {
		program.SetSeed(uint64(i))
		s := &r.c.Graph.Structure
		in := idsAsInts(r.p, s, r.c.Inputs(r.p))
		want, scale := reference(t, r.p, s, in, r.c.Seed)
		if typ == ir.F32 && scale > 1e6 {
			continue
		}
		got := execute(t, program, r.pl, r.src, graphOf(t, s, r.p.Bipartite), in, r.c.Seed)
		if diff := differs(r.p, got, want, scale); diff != "" {
			t.Fatalf("%s: %s\n%v\n%v\n%s", r.p.Name, diff, r.c, r.pl, strings.TrimPrefix(r.src.Text, (&renderer{plan: r.pl}).header()))
		}
	}
}

// idsAsInts turns the numbers in [-2, 2] that inputs of ids have into ids of edges, or
// -1.
func idsAsInts(p *ir.Program, s *ir.Structure, in map[string][]float64) map[string][]float64 {
	for _, v := range p.Inputs() {
		if v.Type == ir.I32 {
			for i, x := range in[ir.InputKey(v)] {
				in[ir.InputKey(v)][i] = math.Floor((x+2)/4*float64(len(s.Src)+1)) - 1
			}
		}
	}
	return in
}
