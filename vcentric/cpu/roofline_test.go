package cpu

// How near kernels come to the roofline: the time of a pure gather of the same
// rows over the same edges, by the same number of threads.

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/asterias-ml/asterias/graph"
	pool "github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// gcnRow and the others are the programs of bench_test.go for any width; H stands for
// the heads, D for the columns of one.
const gcnRow = `
program gcn f32 {
  %0:src f32[H D] = input name="h"
  %1:src f32[] = input name="norm"
  %2:dst f32[] = view %1 res=dst
  %3:src f32[H D] = mul %0 %1
  %4:dst f32[H D] = sum %3 dir=in
  %5:dst f32[H D] = mul %4 %2
  output "out" %5
}`

// gatForward keeps what backward needs of the softmax.
const gatForward = `
program gat f32 {
  %0:src f32[H D] = input name="h"
  %1:src f32[H 1] = input name="el"
  %2:dst f32[H 1] = input name="er"
  %3:edge f32[H 1] = add %1 %2
  %4:edge f32[H 1] = leakyrelu %3 num=0.2
  %5:dst f32[H 1] = max %4 dir=in
  %6:edge f32[H 1] = sub %4 %5
  %7:edge f32[H 1] = exp %6
  %8:dst f32[H 1] = sum %7 dir=in
  %9:edge f32[H D] = mul %7 %0
  %10:dst f32[H D] = sum %9 dir=in
  %11:param f32[] = const num=1e-30
  %12:dst f32[H 1] = maxof %8 %11
  %13:dst f32[H 1] = recip %12
  %14:dst f32[H D] = mul %10 %13
  output "out" %14
  output "max" %5
  output "recip" %13
}`

// gatTraining is GAT's forward as the gradient pass leaves it: it keeps besides what
// the gradient of the destinations' scores needs of the rows, which it has at hand.
const gatTraining = `
program gattrain f32 {
  %0:src f32[H D] = input name="h"
  %1:src f32[H 1] = input name="el"
  %2:dst f32[H 1] = input name="er"
  %3:edge f32[H 1] = add %1 %2
  %4:edge f32[H 1] = leakyrelu %3 num=0.2
  %5:dst f32[H 1] = max %4 dir=in
  %6:edge f32[H 1] = sub %4 %5
  %7:edge f32[H 1] = exp %6
  %8:dst f32[H 1] = sum %7 dir=in
  %9:param f32[] = const num=1
  %10:dst f32[H 1] = maxof %8 %9
  %11:dst f32[H 1] = recip %10
  %12:edge f32[H D] = mul %7 %0
  %13:dst f32[H D] = sum %12 dir=in
  %14:dst f32[H D] = mul %13 %11
  %15:param f32[] = const num=0
  %16:edge f32[H 1] = gt %3 %15
  %17:param f32[] = const num=0.2
  %18:edge f32[H 1] = select %16 %9 %17
  %19:edge f32[H 1] = mul %7 %18
  %20:edge f32[H D] = mul %19 %0
  %21:dst f32[H D] = sum %20 dir=in
  %22:dst f32[H D] = mul %21 %11
  %23:dst f32[H 1] = sum %19 dir=in
  %24:dst f32[H 1] = mul %23 %11
  output "out" %14
  output "max" %5
  output "recip" %11
  output "slopedrows" %22
  output "sloped" %24
}`

// gatBackward is GAT's backward as the gradient pass writes it: one loop over
// out-edges, all else row by row.
const gatBackward = `
program gatback f32 {
  %0:dst f32[H D] = input name="g"
  %1:src f32[H D] = input name="h"
  %2:src f32[H 1] = input name="el"
  %3:dst f32[H 1] = input name="er"
  %4:dst f32[H 1] = input name="max"
  %5:dst f32[H 1] = input name="recip"
  %6:dst f32[H D] = input name="out"
  %7:edge f32[H 1] = add %2 %3
  %8:edge f32[H 1] = leakyrelu %7 num=0.2
  %9:edge f32[H 1] = sub %8 %4
  %10:edge f32[H 1] = exp %9
  %11:param f32[] = const num=1
  %12:edge f32[H 1] = mul %10 %5
  %13:edge f32[H D] = mul %0 %1
  %14:edge f32[H D] = mul %0 %12
  %15:edge f32[H 1] = reduceto %13 shape=[H,1]
  %16:src f32[H D] = sum %14 dir=out
  %17:edge f32[H 1] = mul %12 %15
  %18:dst f32[H D] = mul %0 %6
  %19:dst f32[H 1] = reduceto %18 shape=[H,1]
  %20:dst f32[H 1] = mul %5 %19
  %21:edge f32[H 1] = mul %20 %10
  %22:edge f32[H 1] = sub %17 %21
  %23:param f32[] = const num=0
  %24:edge f32[H 1] = gt %7 %23
  %25:param f32[] = const num=0.2
  %26:edge f32[H 1] = select %24 %11 %25
  %27:edge f32[H 1] = mul %22 %26
  %28:src f32[H 1] = sum %27 dir=out
  %29:dst f32[H D] = input name="slopedrows"
  %30:dst f32[H D] = mul %0 %29
  %31:dst f32[H 1] = reduceto %30 shape=[H,1]
  %32:dst f32[H 1] = input name="sloped"
  %33:dst f32[H 1] = mul %32 %19
  %34:dst f32[H 1] = sub %31 %33
  output "del" %28
  output "der" %34
  output "dh" %16
}`

// starGraph has a hub with an edge from and to every vertex.
var starGraph = sync.OnceValue(func() *graph.Graph {
	const n = 500_000
	src, dst := make([]int32, 2*n), make([]int32, 2*n)
	for i := range int32(n) {
		src[i], dst[n+i] = i, i
	}
	g, err := graph.New(n, src, dst)
	if err != nil {
		panic(err)
	}
	return g
})

// small is a graph of 30 thousand vertices and a million edges.
var small = sync.OnceValue(func() *graph.Graph { return rmatGraph(30_000, 1_000_000, 15) })

// onLargePages moves memory to where tensors of programs lie.
func onLargePages(mem *Memory[float32]) {
	for i, x := range mem.Floats {
		if len(x) > 0 {
			p, _ := pool.Alloc(4 * len(x))
			mem.Floats[i] = unsafe.Slice((*float32)(p), len(x))
			copy(mem.Floats[i], x)
		}
	}
}

// gather sums the rows of x over the edges of every row into out.
func gather(csr *graph.CSR, out, x []float32, width, threads int) {
	set, n := kern.For[float32](), csr.NumRows()
	pool.SetThreads(threads)
	defer pool.SetThreads(0)
	c := cost{row: 1, edge: int64(width)}
	pool.ParallelFor(c.chunks(csr, n), 1, func(i, _ int) {
		lo := c.bound(csr, n, i, 0)
		hi := c.bound(csr, n, i+1, lo)
		set.SegmentGatherSum(out[lo*width:hi*width], x, width, csr.Neighbors, csr.Offsets[lo:hi+1], width, kern.Ends[float32]{}, kern.Next[float32]{})
	})
}

// BenchmarkRoofline runs the gather and a program by turns and reports the medians
// in milliseconds and their ratio.
func BenchmarkRoofline(b *testing.B) {
	if testing.Short() {
		b.Skip("builds graphs of millions of edges")
	}
	graphs := []struct {
		name  string
		graph func() *graph.Graph
	}{{"rmat4M", rmat}, {"rmat1M", small}, {"star", starGraph}}
	programs := []struct {
		name, text string
		heads      []int
		out        bool // over out-edges
	}{
		{"gcn", gcnRow, []int{1}, false}, {"gat", gatForward, []int{1, 8}, false},
		{"gattrain", gatTraining, []int{1, 8}, false}, {"gatback", gatBackward, []int{1, 8}, true},
	}
	for _, gr := range graphs {
		for _, p := range programs {
			for _, width := range []int{16, 64, 128} {
				for _, heads := range p.heads {
					for threads := 1; threads <= runtime.GOMAXPROCS(0); threads *= 2 {
						text := strings.NewReplacer("H D", fmt.Sprint(heads, " ", width/heads), "H", fmt.Sprint(heads)).Replace(p.text)
						b.Run(fmt.Sprintf("%s/%s/width=%d/heads=%d/threads=%d", gr.name, p.name, width, heads, threads), func(b *testing.B) {
							roofline(b, gr.graph(), text, width, threads, p.out)
						})
					}
				}
			}
		}
	}
}

func roofline(b *testing.B, g *graph.Graph, text string, width, threads int, out bool) {
	p, err := ir.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	s := &ir.Structure{NumSrc: g.NumSrc(), NumDst: g.NumDst(), Src: g.Src(), Dst: g.Dst()}
	pl := plan.Build(p)
	mem := memoryOf[float32](pl, s, inputsOf(p, s, 1))
	onLargePages(mem)
	to := &Memory[float32]{Floats: [][]float32{make([]float32, g.NumDst()*width)}}
	onLargePages(to)
	csr := g.In()
	if out {
		csr = g.Out()
	}
	x := Compile[float32](pl)
	opts := Options{Threads: threads}
	var gathers, runs []float64
	timed := func(times *[]float64, f func()) {
		start := time.Now()
		f()
		*times = append(*times, float64(time.Since(start).Nanoseconds())/1e6)
	}
	x.Run(g, mem, opts)
	for b.Loop() {
		timed(&gathers, func() {
			gather(csr, to.Floats[0], mem.Floats[0], width, threads)
		})
		timed(&runs, func() { x.Run(g, mem, opts) })
	}
	median := func(x []float64) float64 {
		slices.Sort(x)
		return x[len(x)/2]
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(gathers), "gather-ms")
	b.ReportMetric(median(runs), "ms")
	b.ReportMetric(median(gathers)/median(runs), "roofline")
}
