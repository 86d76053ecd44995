package cpu

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// rmat is a graph of 200 thousand vertices and 4 million edges.
var rmat = sync.OnceValue(func() *graph.Graph { return rmatGraph(200_000, 4_000_000, 18) })

// rmatGraph is a graph of at most 2^scale vertices whose degrees follow a power law
// (Chakrabarti, Zhan and Faloutsos, SDM 2004).
func rmatGraph(vertices int32, num, scale int) *graph.Graph {
	r := rand.New(rng.NewStream(3))
	src, dst := make([]int32, num), make([]int32, num)
	for e := range src {
		for {
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
				src[e], dst[e] = u, v
				break
			}
		}
	}
	g, err := graph.New(int(vertices), src, dst)
	if err != nil {
		panic(err)
	}
	return g
}

const gcnText = `
program gcn f32 {
  %0:src f32[64] = input name="h"
  %1:src f32[] = input name="norm"
  %2:dst f32[] = view %1 res=dst
  %3:src f32[64] = mul %0 %1
  %4:dst f32[64] = sum %3 dir=in
  %5:dst f32[64] = mul %4 %2
  output "out" %5
}`

// gcnWeighted weighs each edge by an edge value.
const gcnWeightedText = `
program gcnweighted f32 {
  %0:src f32[64] = input name="h"
  %1:edge f32[] = input name="norm"
  %2:edge f32[64] = mul %0 %1
  %3:dst f32[64] = sum %2 dir=in
  output "out" %3
}`

const gatText = `
program gat f32 {
  %0:src f32[8 8] = input name="h"
  %1:src f32[8 1] = input name="el"
  %2:dst f32[8 1] = input name="er"
  %3:edge f32[8 1] = add %1 %2
  %4:edge f32[8 1] = leakyrelu %3 num=0.2
  %5:dst f32[8 1] = max %4 dir=in
  %6:edge f32[8 1] = sub %4 %5
  %7:edge f32[8 1] = exp %6
  %8:dst f32[8 1] = sum %7 dir=in
  %9:edge f32[8 1] = div %7 %8
  %10:edge f32[8 8] = mul %9 %0
  %11:dst f32[8 8] = sum %10 dir=in
  output "out" %11
}`

const gat1Text = `
program gat1 f32 {
  %0:src f32[64] = input name="h"
  %1:src f32[] = input name="el"
  %2:dst f32[] = input name="er"
  %3:edge f32[] = add %1 %2
  %4:edge f32[] = leakyrelu %3 num=0.2
  %5:dst f32[] = max %4 dir=in
  %6:edge f32[] = sub %4 %5
  %7:edge f32[] = exp %6
  %8:dst f32[] = sum %7 dir=in
  %9:edge f32[] = div %7 %8
  %10:edge f32[64] = mul %9 %0
  %11:dst f32[64] = sum %10 dir=in
  output "out" %11
  output "max" %5
  output "sum" %8
}`

// gatBackText is the pass over out-edges of GAT's backward: scores and their
// softmax recomputed from what the forward kept.
const gatBackText = `
program gatback f32 {
  %0:src f32[64] = input name="h"
  %1:src f32[] = input name="el"
  %2:dst f32[] = input name="er"
  %3:dst f32[] = input name="max"
  %4:dst f32[] = input name="sum"
  %5:dst f32[64] = input name="g"
  %6:dst f32[] = input name="t"
  %7:edge f32[] = add %1 %2
  %8:edge f32[] = leakyrelu %7 num=0.2
  %9:edge f32[] = sub %8 %3
  %10:edge f32[] = exp %9
  %11:edge f32[] = div %10 %4
  %12:edge f32[64] = mul %11 %5
  %13:src f32[64] = sum %12 dir=out
  %14:edge f32[64] = mul %0 %5
  %15:edge f32[] = reduceto %14 shape=[]
  %16:edge f32[] = sub %15 %6
  %17:edge f32[] = mul %11 %16
  %18:param f32[] = const num=0
  %19:edge f32[] = gt %7 %18
  %20:param f32[] = const num=1
  %21:param f32[] = const num=0.2
  %22:edge f32[] = select %19 %20 %21
  %23:edge f32[] = mul %17 %22
  %24:src f32[] = sum %23 dir=out
  %25:dst f32[] = sum %23 dir=in
  output "dh" %13
  output "del" %24
  output "der" %25
}`

func benchmark(b *testing.B, text string) {
	if testing.Short() {
		b.Skip("builds a graph of 4 million edges")
	}
	g := rmat()
	p, err := ir.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	s := &ir.Structure{NumSrc: g.NumSrc(), NumDst: g.NumDst(), Src: g.Src(), Dst: g.Dst()}
	pl := plan.Build(p)
	mem := memoryOf[float32](pl, s, inputsOf(p, s, 1))
	x := Compile[float32](pl)
	opts := Options{Threads: runtime.GOMAXPROCS(0)}
	x.Run(g, mem, opts)
	b.ReportAllocs()
	for b.Loop() {
		x.Run(g, mem, opts)
	}
}

func BenchmarkGCN(b *testing.B)         { benchmark(b, gcnText) }
func BenchmarkGCNWeighted(b *testing.B) { benchmark(b, gcnWeightedText) }
func BenchmarkGAT8Heads(b *testing.B)   { benchmark(b, gatText) }
func BenchmarkGAT(b *testing.B)         { benchmark(b, gat1Text) }
func BenchmarkGATBackward(b *testing.B) { benchmark(b, gatBackText) }

// BenchmarkOneVertex is what a run costs beside the work.
func BenchmarkOneVertex(b *testing.B) {
	for _, text := range oneVertexTexts {
		name, run := onOneVertex(b, text)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				run()
			}
		})
	}
}

var oneVertexTexts = []string{gcnText, gat1Text, gatText, gatBackText}

// onOneVertex returns a program's name and a run of it on a vertex with an edge to itself.
func onOneVertex(tb testing.TB, text string) (name string, run func()) {
	p, err := ir.Parse(text)
	if err != nil {
		tb.Fatal(err)
	}
	e := edges{src: 1, dst: 1, from: []int32{0}, to: []int32{0}}
	g, pl := e.build(tb), plan.Build(p)
	mem := memoryOf[float32](pl, e.structure(), inputsOf(p, e.structure(), 1))
	x, opts := Compile[float32](pl), Options{Threads: runtime.GOMAXPROCS(0)}
	return p.Name, func() { x.Run(g, mem, opts) }
}

func TestARunOnOneVertexAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("under the race detector pools drop what they are given")
	}
	for _, text := range oneVertexTexts {
		if name, run := onOneVertex(t, text); testing.AllocsPerRun(200, run) > 0 {
			t.Errorf("%s: %v allocations a run", name, testing.AllocsPerRun(200, run))
		}
	}
}
