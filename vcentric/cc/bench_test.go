package cc

// The Go executor against C, run in turns: the ratio of the medians says more than
// either time on a machine that does other work.

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	executor "github.com/asterias-ml/asterias/vcentric/cpu"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/pass"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// rmat is a graph of 30 thousand vertices and a million edges whose degrees follow
// a power law (Chakrabarti, Zhan and Faloutsos, SDM 2004).
var rmat = sync.OnceValue(func() *ir.Structure {
	const vertices, edges, scale = 30_000, 1_000_000, 15
	r := rand.New(rng.NewStream(3))
	s := &ir.Structure{NumSrc: vertices, NumDst: vertices}
	for len(s.Src) < edges {
		var u, v int32
		for range scale {
			p := r.Float64()
			u, v = 2*u, 2*v
			switch {
			case p < 0.57:
			case p < 0.76:
				v++
			case p < 0.95:
				u++
			default:
				u, v = u+1, v+1
			}
		}
		if u < vertices && v < vertices {
			s.Src, s.Dst = append(s.Src, u), append(s.Dst, v)
		}
	}
	return s
})

// gcn and gat are the graph part of the layers: what comes after the product of the
// features and the weights.
func gcn(width int) *ir.Program {
	b := ir.NewBuilder("gcn", ir.F32, false)
	norm := func(d ir.Dir, r ir.Residency) *ir.Value {
		return b.Op(ir.OpRsqrt, ir.Attr{}, b.MaxOf(b.Degree(d, r), b.Const(1)))
	}
	h := b.Input("h", ir.Src, ir.Shape{width})
	b.Output("out", b.Sum(ir.In, b.Mul(b.Mul(h, norm(ir.Out, ir.Src)), norm(ir.In, ir.Dst))))
	return b.Program()
}

func gat(heads, width int) *ir.Program {
	b := ir.NewBuilder("gat", ir.F32, false)
	h := b.Input("h", ir.Src, ir.Shape{heads, width / heads})
	score := b.Add(b.Input("el", ir.Src, ir.Shape{heads, 1}), b.Input("er", ir.Dst, ir.Shape{heads, 1}))
	alpha := b.Op(ir.OpSoftmax, ir.Attr{Dir: ir.In}, b.Op(ir.OpLeakyRelu, ir.Attr{Num: 0.2}, score))
	b.Output("out", b.Sum(ir.In, b.Mul(alpha, h)))
	return b.Program()
}

func BenchmarkGoAgainstC(b *testing.B) {
	needsCompiler(b)
	if testing.Short() {
		b.Skip("builds a graph of a million edges")
	}
	s := rmat()
	g := graphOf(b, s, false)
	for _, width := range []int{16, 64, 128} {
		for _, p := range []struct {
			name string
			prog *ir.Program
		}{{"gcn", gcn(width)}, {"gat", gat(1, width)}, {"gat8", gat(8, width)}} {
			f, back, _ := pass.Training(p.prog, pass.Options{Want: func(string) bool { return true }})
			b.Run(fmt.Sprintf("%s/%d/forward", p.name, width), func(b *testing.B) { inTurns(b, f, g, s) })
			b.Run(fmt.Sprintf("%s/%d/backward", p.name, width), func(b *testing.B) { inTurns(b, back, g, s) })
		}
	}
}

func inTurns(b *testing.B, p *ir.Program, g *graph.Graph, s *ir.Structure) {
	pl := plan.Build(p)
	programs := []*executor.Program[float32]{executor.Compile[float32](pl), compiled[float32](b, pl)}
	mem := memoryOf[float32](pl, s, inputsOf(p, s, 1))
	opts := executor.Options{Threads: runtime.GOMAXPROCS(0)}
	var times [2][]time.Duration
	for _, x := range programs {
		x.Run(g, mem, opts)
	}
	for b.Loop() {
		for i, x := range programs {
			start := time.Now()
			x.Run(g, mem, opts)
			times[i] = append(times[i], time.Since(start))
		}
	}
	var medians [2]time.Duration
	for i, t := range times {
		slices.Sort(t)
		medians[i] = t[len(t)/2]
	}
	b.ReportMetric(medians[0].Seconds()*1e3, "go-ms")
	b.ReportMetric(medians[1].Seconds()*1e3, "cc-ms")
	b.ReportMetric(float64(medians[0])/float64(medians[1]), "go/cc")
}
