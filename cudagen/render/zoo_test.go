package render

// The zoo: the layers of the field as the passes of package vcentric made programs
// of them once, each in two sizes, forward and backward, so that a new pass changes
// nothing here. The sizes differ in whether rows can be loaded as vectors.

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/emu"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// zoo returns the programs of each layer, by the layers' names.
func zoo(t testing.TB) map[string][]*ir.Program {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "zoo", "*.ir"))
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	all := make(map[string][]*ir.Program)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".ir")
		for _, one := range strings.SplitAfter(string(text), "\n}\n") {
			if one == "" {
				continue
			}
			p, err := ir.Parse(one)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			all[name] = append(all[name], p)
		}
	}
	return all
}

// zooGraphs are graphs with the types that the zoo's programs have: one on which
// rows have many edges, one with every kind of vertex, and one without edges.
func zooGraphs(types ir.Types) []irtest.Graph {
	r := rand.New(rand.NewPCG(3, 4))
	hub := irtest.RandomGraph(r, false, 12, 90)
	for e := range hub.Src {
		switch e % 4 {
		case 0:
			hub.Src[e] = 0
		case 1:
			hub.Dst[e] = 0
		}
	}
	hub.Name = "hub"
	var all []irtest.Graph
	for _, g := range append(irtest.Graphs(false), hub, irtest.RandomGraph(r, false, 40, 200)) {
		switch g.Name {
		case "no vertices", "no edges", "isolated vertices", "duplicate edges", "hub", "random, 40 vertices, 200 edges":
		default:
			continue
		}
		g.Types = types
		g.SrcTypes, g.DstTypes, g.EdgeTypes = nil, nil, nil
		draw := func(n, types int) []int32 {
			out := make([]int32, n)
			for i := range out {
				if out[i] = int32(r.IntN(types)); out[i] == 1 {
					out[i] = 0 // nothing has type 1
				}
			}
			return out
		}
		if types.Src > 0 {
			g.SrcTypes = draw(g.NumSrc, types.Src)
			g.DstTypes = g.SrcTypes
		}
		if types.Edge > 0 {
			g.EdgeTypes = draw(len(g.Src), types.Edge)
		}
		all = append(all, g)
	}
	return all
}

// The wide programs run in float32 on kernels for all rows; the others in float64,
// where rows of more than 8 edges are hubs and groups have several slots.
func TestZooAgreesWithTheInterpreter(t *testing.T) {
	needsCompiler(t)
	for name, programs := range zoo(t) {
		if _, model := goldens[name]; testing.Short() && !model {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			half := len(programs) / 2
			if checkZoo(t, programs[half:], ir.F32, Options{}); !testing.Short() {
				checkZoo(t, programs[:half], ir.F64, Options{Tuning: Tuning{Hub: 8, Chunk: 4}, Degree: 200})
			}
		})
	}
}

func checkZoo(t *testing.T, programs []*ir.Program, typ ir.DType, o Options) {
	var all []rendered
	for _, p := range programs {
		all = append(all, rendering(t, nil, plan.Build(inType(t, p, p.Name, typ)), o))
		for _, form := range formsOf(p, o) {
			all = append(all, rendering(t, nil, planned(inType(t, p, p.Name+form.name, typ)), form.Options))
		}
	}
	runOnGraphs(t, all, o.Hub > 0, zooGraphs)
}

// runOnGraphs compares programs with the interpreter, each on graphs with its types.
// Without hubs, kernels for them are left out.
func runOnGraphs(t *testing.T, all []rendered, hubs bool, graphs func(ir.Types) []irtest.Graph) {
	t.Helper()
	text := oneUnit(all)
	if !hubs {
		before, kernels, _ := strings.Cut(text, endOfPrelude)
		text = before + withoutHubs(kernels)
	}
	program, err := emu.Compile(context.Background(), text)
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	for i, r := range all {
		for _, g := range graphs(r.p.Types) {
			program.SetSeed(uint64(i))
			s := &g.Structure
			in := idsAsInts(r.p, s, irtest.Inputs(7, r.p, s, false))
			want, scale := reference(t, r.p, s, in, 5)
			got := execute(t, program, r.pl, r.src, graphOf(t, s, r.p.Bipartite), in, 5)
			if diff := differs(r.p, got, want, scale); diff != "" {
				t.Fatalf("%s on %q: %s\n%v\n%s", r.p.Name, g.Name, diff, r.pl, strings.TrimPrefix(r.src.Text, (&renderer{plan: r.pl}).header()))
			}
		}
	}
}
