package render

// Types of a row as an outer loop: every way of reading an aggregate of each type, on
// rows of no edges, of one type and of many, with and without hubs.

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/emu"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/pass"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// readers are what reads an aggregate of each type, and whether it can be read type by
// type. x is [types 3 2] of edges that have the direction.
var readers = []struct {
	name   string
	nested bool
	out    func(b *ir.Builder, d ir.Dir, x *ir.Value) *ir.Value
}{
	{"stored", true, func(b *ir.Builder, d ir.Dir, x *ir.Value) *ir.Value { return sums(b, d, x) }},
	{"mean", true, func(b *ir.Builder, d ir.Dir, x *ir.Value) *ir.Value {
		return b.Mul(sums(b, d, x), b.Recip(b.MaxOf(counts(b, d), b.Const(1))))
	}},
	{"heads", true, func(b *ir.Builder, d ir.Dir, x *ir.Value) *ir.Value {
		return b.Op(ir.OpPermute, ir.Attr{Shape: ir.Shape{1, 2, 0}}, b.Op(ir.OpTanh, ir.Attr{}, sums(b, d, x)))
	}},
	{"max", true, func(b *ir.Builder, d ir.Dir, x *ir.Value) *ir.Value { return maxima(b, d, x) }},
	{"weights", true, func(b *ir.Builder, d ir.Dir, x *ir.Value) *ir.Value { // read by row, by type and by both
		s := b.Mul(sums(b, d, x), b.Input("a", ir.Param, ir.Shape{typesOf(b), 1, 2}))
		s = b.Add(b.Mul(s, b.Input("p", d.Rows(), ir.Shape{2})), b.Input("q", d.Rows(), ir.Shape{typesOf(b), 3, 1}))
		return b.ReduceTo(s, ir.Shape{1, 3, 2})
	}},
	{"dropout", true, func(b *ir.Builder, d ir.Dir, x *ir.Value) *ir.Value {
		return b.Op(ir.OpDropout, ir.Attr{Num: .4, Site: 1, Res: d.Rows()}, sums(b, d, x))
	}},
	{"otherway", true, func(b *ir.Builder, d ir.Dir, x *ir.Value) *ir.Value { // the number of edges of a type in the other direction
		n := b.Op(ir.OpDegree, ir.Attr{Dir: 1 - d, Res: d.Rows(), Typed: true})
		return b.Mul(sums(b, d, x), b.Reshape(n, ir.Shape{typesOf(b), 1, 1}))
	}},
	{"total", true, func(b *ir.Builder, d ir.Dir, x *ir.Value) *ir.Value {
		return b.Total(b.Mul(sums(b, d, x), b.Input("a", d.Rows(), ir.Shape{typesOf(b), 3, 2})), d.Rows())
	}},
	{"totals", true, func(b *ir.Builder, d ir.Dir, x *ir.Value) *ir.Value { // of the rows of each type
		return b.TotalTo(maxima(b, d, x), d.Rows(), d.Rows().TypeOf())
	}},
	{"both", true, func(b *ir.Builder, d ir.Dir, x *ir.Value) *ir.Value {
		return b.ReduceTo(b.Mul(sums(b, d, x), maxima(b, d, x)), ir.Shape{1, 3, 2})
	}},
	{"after", true, func(b *ir.Builder, d ir.Dir, x *ir.Value) *ir.Value { // another loop, which reads what comes of the types
		s := b.ReduceTo(b.Op(ir.OpTanh, ir.Attr{}, sums(b, d, x)), ir.Shape{1, 3, 2})
		return b.Sum(d, b.Op(ir.OpTanh, ir.Attr{}, b.Mul(x, b.Reshape(s, ir.Shape{3, 2}))))
	}},
	{"before", true, func(b *ir.Builder, d ir.Dir, x *ir.Value) *ir.Value { // the parts read what a loop before comes to
		return b.Mul(sums(b, d, b.Op(ir.OpTanh, ir.Attr{}, b.Mul(x, b.Sum(d, x)))), b.Sum(d, x))
	}},
	{"counted", true, func(b *ir.Builder, d ir.Dir, x *ir.Value) *ir.Value { // and a reduction that reads another one
		p := b.Mul(counts(b, d), b.Recip(counted(b, d)))
		return b.Mul(b.ReduceTo(sums(b, d, x), ir.Shape{1, 3, 2}), b.ReduceTo(b.Mul(p, p), ir.Shape{1, 1, 1}))
	}},
	{"countedearly", true, func(b *ir.Builder, d ir.Dir, x *ir.Value) *ir.Value { // by the parts of a loop before
		s := b.ReduceTo(b.Mul(sums(b, d, x), b.Recip(counted(b, d))), ir.Shape{1, 3, 2})
		return b.Mul(s, b.ReduceTo(sums(b, d, b.Op(ir.OpTanh, ir.Attr{}, b.Mul(x, b.Sum(d, x)))), ir.Shape{1, 3, 2}))
	}},
	{"softmax", false, func(b *ir.Builder, d ir.Dir, x *ir.Value) *ir.Value { // whose sum the passes put after the aggregate
		return sums(b, d, b.Mul(b.Op(ir.OpSoftmax, ir.Attr{Dir: d}, x), x))
	}},
	{"picked", false, func(b *ir.Builder, d ir.Dir, x *ir.Value) *ir.Value { // by the edges of another loop
		return b.Sum(d, b.Mul(b.Op(ir.OpPick, ir.Attr{}, sums(b, d, x)), x))
	}},
	{"columns", false, func(b *ir.Builder, d ir.Dir, x *ir.Value) *ir.Value { // over types and heads
		return b.ReduceTo(sums(b, d, x), ir.Shape{1, 1, 2})
	}},
	{"along", false, func(b *ir.Builder, d ir.Dir, x *ir.Value) *ir.Value { // a plain sum of the same loop
		return b.Mul(maxima(b, d, x), b.Sum(d, x))
	}},
}

func typesOf(b *ir.Builder) int { return b.Program().Types.Edge }

func sums(b *ir.Builder, d ir.Dir, x *ir.Value) *ir.Value {
	return b.Op(ir.OpSum, ir.Attr{Dir: d, Typed: true}, x)
}

func maxima(b *ir.Builder, d ir.Dir, x *ir.Value) *ir.Value {
	return b.Op(ir.OpMax, ir.Attr{Dir: d, Typed: true}, x)
}

// counts is the number of edges of each type, against rows [types 3 2].
func counts(b *ir.Builder, d ir.Dir) *ir.Value {
	n := b.Op(ir.OpDegree, ir.Attr{Dir: d, Res: d.Rows(), Typed: true})
	return b.Reshape(n, ir.Shape{typesOf(b), 1, 1})
}

// counted is the number of edges of all types, as the sum of those of each, or 1.
func counted(b *ir.Builder, d ir.Dir) *ir.Value {
	return b.MaxOf(b.ReduceTo(counts(b, d), ir.Shape{1, 1, 1}), b.Const(1))
}

// byType reduces the edges of each type, and then the types that a row has edges of,
// as vcentric.ByType does.
func byType(inner, outer string) func(b *ir.Builder, d ir.Dir, x *ir.Value) *ir.Value {
	return func(b *ir.Builder, d ir.Dir, x *ir.Value) *ir.Value {
		n := counts(b, d)
		present := b.Gt(n, b.Const(0))
		types := b.ReduceTo(present, ir.Shape{1, 1, 1})
		s := sums(b, d, x)
		switch inner {
		case "mean":
			s = b.Mul(s, b.Recip(b.Select(present, n, b.Const(1))))
		case "max":
			s = maxima(b, d, x)
		}
		if outer == "max" {
			s = b.Op(ir.OpPermute, ir.Attr{Shape: ir.Shape{1, 2, 0}}, b.Select(present, s, b.Const(math.Inf(-1))))
			s = b.Reshape(b.Op(ir.OpMaxLast, ir.Attr{}, s), ir.Shape{3, 2})
			return b.Select(b.Reshape(types, ir.Shape{}), s, b.Const(0))
		}
		s = b.Reshape(b.ReduceTo(s, ir.Shape{1, 3, 2}), ir.Shape{3, 2})
		if outer == "mean" {
			s = b.Mul(s, b.Recip(b.MaxOf(b.Reshape(types, ir.Shape{}), b.Const(1))))
		}
		return s
	}
}

// typedProgram is a program of edges of a direction, some of whose types have no edges.
func typedProgram(name string, types int, d ir.Dir, out func(b *ir.Builder, d ir.Dir, x *ir.Value) *ir.Value) *ir.Program {
	b := ir.NewBuilder(fmt.Sprintf("%s_%v_%d", name, d, types), ir.F64, false)
	b.SetTypes(ir.Types{Src: 2, Dst: 2, Edge: types})
	shape := ir.Shape{3, 2}
	x := b.Mul(b.Input("h", ir.Src, shape), b.Input("w", ir.Edge, ir.Shape{}))
	if d == ir.Out {
		x = b.Mul(b.Input("h", ir.Dst, shape), b.Input("w", ir.Edge, ir.Shape{}))
	}
	b.Output("out", out(b, d, b.Mul(x, b.Input("a", ir.EdgeType, ir.Shape{1, 2}))))
	return b.Program()
}

// typedPrograms are the programs of all readers and of ByType, forward and, where that
// is asked for, backward.
func typedPrograms(types int, d ir.Dir, backward bool) []*ir.Program {
	var all []*ir.Program
	add := func(p *ir.Program) {
		total := slices.ContainsFunc(p.Values, func(v *ir.Value) bool { return v.Op == ir.OpTotal }) // of a gradient, which has none
		if !backward || total {
			f, _ := pass.Forward(p, pass.Options{})
			all = append(all, f)
			return
		}
		f, b, _ := pass.Training(p, pass.Options{Want: func(string) bool { return true }})
		all = append(all, f, b)
	}
	for _, r := range readers {
		add(typedProgram(r.name, types, d, r.out))
	}
	for _, inner := range []string{"sum", "mean", "max"} {
		for _, outer := range []string{"sum", "mean", "max"} {
			add(typedProgram(inner+"_"+outer, types, d, byType(inner, outer)))
		}
	}
	return all
}

func TestLoopsOverTypesAgreeWithTheInterpreter(t *testing.T) {
	needsCompiler(t)
	for i, c := range []struct {
		types    int
		dir      ir.Dir
		backward bool
		typ      ir.DType
		Tuning
	}{
		{4, ir.In, true, ir.F64, Tuning{Hub: 6, Chunk: 3}},
		{5, ir.Out, true, ir.F32, Tuning{Lanes: 64, Unroll: 3, Hub: 7, Chunk: 100}},
		{1, ir.In, false, ir.F64, Tuning{Lanes: 1, Hub: 4, Chunk: 2}},
		{100, ir.In, false, ir.F32, Tuning{Hub: 20, Chunk: 8}},
		{3, ir.Out, false, ir.F64, Tuning{Slots: 4, Lanes: 2}},
	} {
		if testing.Short() && i != 1 {
			continue
		}
		t.Run(fmt.Sprintf("%d types %v", c.types, c.dir), func(t *testing.T) {
			t.Parallel()
			var all []rendered
			for _, p := range typedPrograms(c.types, c.dir, c.backward) {
				for _, form := range formsOf(p, Options{Tuning: c.Tuning}) {
					if c.types > 10 && form.name == "_flat" {
						continue // rows as wide as these are what others have too
					}
					all = append(all, rendering(t, nil, planned(inType(t, p, identifier(p.Name+form.name), c.typ)), form.Options))
				}
			}
			runOnGraphs(t, all, c.Hub > 0, zooGraphs)
		})
	}
}

var (
	loopsOverTypes = regexp.MustCompile(`int type\d = `)
	comparesTypes  = regexp.MustCompile(`\+= e_type|if \(e_type`) // of all types
)

// What can be read type by type is, from three types on; what cannot is not.
func TestWhichAggregatesHaveTheAccumulatorsOfOneType(t *testing.T) {
	check := func(p *ir.Program, o Options, nested bool) {
		t.Helper()
		_, src := renderOf(t, p, o)
		if got := loopsOverTypes.MatchString(src.Text); got != nested {
			t.Errorf("%s with %+v: types are a loop: %v, want %v", p.Name, o.Tuning, got, nested)
		}
		if nested && comparesTypes.MatchString(src.Text) {
			t.Errorf("%s: an edge is compared with all types\n%s", p.Name, strings.SplitAfter(src.Text, endOfPrelude)[1])
		}
	}
	never := Options{Tuning: Tuning{Nest: -1}}
	for _, r := range readers {
		check(typedProgram(r.name, 4, ir.In, r.out), Options{}, r.nested)
		check(typedProgram(r.name, 4, ir.In, r.out), never, false)
		check(typedProgram(r.name, 2, ir.In, r.out), Options{}, false)
		check(typedProgram(r.name, 2, ir.Out, r.out), Options{Tuning: Tuning{Nest: 2}}, r.nested)
	}
	for _, outer := range []string{"sum", "mean", "max"} {
		check(typedProgram("mean_"+outer, 4, ir.In, byType("mean", outer)), Options{}, true)
	}
	for name, programs := range zoo(t) { // as they are planned for devices
		for _, p := range programs {
			src, err := Render(planned(p), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if comparesTypes.MatchString(src.Text) {
				t.Errorf("%s: %s: an edge is compared with all types", name, p.Name)
			}
		}
	}
}

// The threads of a row, and the numbers that an edge is added to, are those of one type
// however many there are.
func TestTheWorkOfAnEdgeDoesNotGrowWithTheTypes(t *testing.T) {
	adds := regexp.MustCompile(`(?m)^ +a\d+_\d+ \+= `)
	for _, c := range []struct {
		types, width, block, adds int
	}{{4, 64, 128, 4}, {90, 16, 128, 4}, {3, 6, 128, 2}} {
		b := ir.NewBuilder("rgcn", ir.F32, false)
		b.SetTypes(ir.Types{Edge: c.types})
		b.Output("out", sums(b, ir.In, b.Input("h", ir.Src, ir.Shape{c.width})))
		_, src := renderOf(t, b.Program(), Options{})
		kernel, _, _ := strings.Cut(strings.SplitAfter(src.Text, endOfPrelude)[1], "\n}\n")
		lanes := vectorOf(c.width, ir.F32)
		if !strings.Contains(kernel, fmt.Sprintf("threadIdx.x %% %d;", powerOf2(c.width/lanes))) || len(adds.FindAllString(kernel, -1)) != c.adds {
			t.Errorf("%d types of %d columns:\n%s", c.types, c.width, kernel)
		}
	}
}

// Text that forgets something between types is found out by the comparison.
func TestForgottenTypesAreFound(t *testing.T) {
	needsCompiler(t)
	types := ir.Types{Src: 2, Dst: 2, Edge: 4}
	var random *ir.Structure
	for _, g := range zooGraphs(types) {
		if g.Name == "hub" {
			random = &g.Structure
		}
	}
	for _, c := range []struct {
		what, program, old, new string
		Options
	}{
		{"the last type", "stored", "\n  for (; type1 < 4; type1++)", "\n  for (; type1 < 3; type1++)", Options{}},
		{"types between", "stored", "for (; type1 < e_type[q]; type1++)", "for (; type1 < 0; type1++)", Options{}},
		{"the sum so far", "stored", "_0 = 0;\n          ", "_0 += 0;\n          ", Options{}},
		{"one type", "sum_sum", "if (type1 >= 0)", "if (type1 >= 1)", Options{}},
		{"where a type begins", "mean_sum", "begun1 = at + q;", ";", Options{}},
		{"types between chunks", "stored", "for (; type1 < typed[q]; type1++)", "for (; type1 < 0; type1++)", Options{Tuning: Tuning{Hub: 6, Chunk: 3}}},
		{"the last type of a hub", "max_max", "\n  if (type1 >= 0) {", "\n  if (type1 < 0) {", Options{Tuning: Tuning{Hub: 1, Chunk: 3}}},
	} {
		var p *ir.Program
		for _, q := range typedPrograms(types.Edge, ir.In, false) {
			if strings.HasPrefix(q.Name, c.program+"_in") {
				p = q
			}
		}
		pl := planned(p)
		src, err := Render(pl, c.Options)
		if err != nil {
			t.Fatal(err)
		}
		head, kernels, _ := strings.Cut(src.Text, endOfPrelude)
		if !strings.Contains(kernels, c.old) {
			t.Fatalf("%s: %q is not in\n%s", c.what, c.old, kernels)
		}
		in := irtest.Inputs(7, p, random, false)
		want, scale := reference(t, p, random, in, 5)
		for _, fault := range []bool{false, true} {
			text := kernels
			if fault {
				text = strings.ReplaceAll(kernels, c.old, c.new)
			}
			program, err := emu.Compile(context.Background(), head+endOfPrelude+text)
			if err != nil {
				t.Fatal(err)
			}
			got := execute(t, program, pl, src, graphOf(t, random, false), in, 5)
			program.Close()
			if diff := differs(p, got, want, scale); (diff != "") != fault {
				t.Errorf("%s forgotten: %v, but %q", c.what, fault, diff)
			}
		}
	}
}

// The edges of a chunk are of one type, lie side by side, and are no more than they
// may be; the chunks of a hub are all of its edges.
func TestChunksAreOfOneType(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	for range 20 {
		n, types, hub, chunk := 300, 1+r.IntN(6), r.IntN(30), 1+r.IntN(20)
		src, dst, typ := make([]int32, n), make([]int32, n), make([]int32, n)
		for e := range n {
			src[e], dst[e], typ[e] = int32(r.IntN(10)), int32(r.IntN(1+e%10)), int32(r.IntN(types))
		}
		g, err := graph.New(10, src, dst, graph.WithEdgeTypes(typ, types))
		if err != nil {
			t.Fatal(err)
		}
		csr, order := g.In(), g.In().DegreeOrder()
		h := NewHubs(csr, hub, chunk)
		if h.Len() < 10 && csr.Degree(int(order[h.Len()])) > hub {
			t.Fatalf("row %d is a hub", order[h.Len()])
		}
		for i := range h.Len() {
			at := csr.Offsets[order[i]]
			for c := h.First[i]; c < h.First[i+1]; c++ {
				end := csr.Offsets[order[i]+1]
				if c+1 < h.First[i+1] {
					end = h.Begin[c+1]
				}
				if h.Hub[c] != int32(i) || h.Begin[c] != at || end <= at || end-at > int32(chunk) {
					t.Fatalf("chunk %d of hub %d: [%d, %d) after %d, hub %d", c, i, h.Begin[c], end, at, h.Hub[c])
				}
				for ; at < end; at++ {
					if csr.Types[at] != csr.Types[h.Begin[c]] {
						t.Fatalf("chunk %d has edges of types %d and %d", c, csr.Types[h.Begin[c]], csr.Types[at])
					}
				}
			}
			if at != csr.Offsets[order[i]+1] {
				t.Fatalf("the chunks of hub %d end at %d", i, at)
			}
		}
	}
}

// A row's part is not added to the types of another: what is computed of parts of
// several types at once has accumulators for all of them, with products too.
func TestProductsOfTypedRowsHaveAllTypes(t *testing.T) {
	b := ir.NewBuilder("product", ir.F64, false)
	b.SetTypes(ir.Types{Edge: 4})
	s := b.Reshape(sums(b, ir.In, b.Input("h", ir.Src, ir.Shape{3})), ir.Shape{12})
	b.Output("out", b.MatMul(s, b.Input("W", ir.Param, ir.Shape{12, 5})))
	p, _ := pass.Forward(b.Program(), pass.Options{})
	for _, c := range []struct {
		*plan.Plan
		nested bool
	}{{plan.Build(p), false}, {planned(p), true}} {
		src, err := Render(c.Plan, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := loopsOverTypes.MatchString(src.Text); got != c.nested {
			t.Errorf("types are a loop: %v, want %v, in\n%v", got, c.nested, c.Plan)
		}
	}
}
