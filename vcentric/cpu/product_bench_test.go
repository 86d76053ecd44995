package cpu

// Matrix products inside kernels, beside the same products as steps.

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/asterias-ml/asterias/internal/rng"
	dense "github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// benchmarkProducts runs a plan on 30 thousand vertices of 20 edges each and
// reports the multiplications of the products a second.
func benchmarkProducts(b *testing.B, p *ir.Program, pl *plan.Plan, multiplications float64) {
	if testing.Short() {
		b.Skip("a large graph")
	}
	e := random("products", rand.New(rng.NewStream(9)), 30_000, 30_000, 600_000, false)
	if p.Types != (ir.Types{}) {
		e = e.withTypes(p.Types)
	}
	g, s := e.build(b), e.structure()
	x := Compile[float32](pl)
	mem := memoryOf[float32](pl, s, inputsOf(p, s, 1))
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprint("threads=", threads), func(b *testing.B) {
			dense.SetThreads(threads)
			defer dense.SetThreads(0)
			opts := Options{Threads: threads}
			x.Run(g, mem, opts)
			for b.Loop() {
				x.Run(g, mem, opts)
			}
			b.ReportMetric(2*multiplications/1e9/(b.Elapsed().Seconds()/float64(b.N)), "GFLOP/s")
		})
	}
}

func BenchmarkEdgeProduct(b *testing.B) {
	bld := ir.NewBuilder("edgeproduct", ir.F32, false)
	x, y := bld.Input("x", ir.Src, ir.Shape{64}), bld.Input("y", ir.Dst, ir.Shape{64})
	h := bld.Op(ir.OpRelu, ir.Attr{}, bld.Sub(y, x))
	bld.Output("out", bld.Sum(ir.In, bld.MatMul(h, bld.Input("w", ir.Param, ir.Shape{64, 64}))))
	benchmarkProducts(b, bld.Program(), together(ir.Dst)(bld.Program()), 600_000*64*64)
}

func BenchmarkEdgeProductAlone(b *testing.B) { // the same without the product
	bld := ir.NewBuilder("edges", ir.F32, false)
	x, y := bld.Input("x", ir.Src, ir.Shape{64}), bld.Input("y", ir.Dst, ir.Shape{64})
	h := bld.Op(ir.OpRelu, ir.Attr{}, bld.Sub(y, x))
	bld.Output("out", bld.Sum(ir.In, h))
	benchmarkProducts(b, bld.Program(), together(ir.Dst)(bld.Program()), 0)
}

func BenchmarkEdgeOuter(b *testing.B) {
	bld := ir.NewBuilder("edgeouter", ir.F32, false)
	x, y := bld.Input("x", ir.Src, ir.Shape{64}), bld.Input("y", ir.Dst, ir.Shape{64})
	h := bld.Op(ir.OpRelu, ir.Attr{}, bld.Sub(y, x))
	bld.Output("out", bld.Op(ir.OpOuter, ir.Attr{Res: ir.Edge}, h, y))
	benchmarkProducts(b, bld.Program(), together(ir.Dst)(bld.Program()), 600_000*64*64)
}

func typedProduct(types int) *ir.Program {
	bld := ir.NewBuilder("typedproduct", ir.F32, false)
	bld.SetTypes(ir.Types{Edge: types})
	x, w := bld.Input("x", ir.Src, ir.Shape{64}), bld.Input("w", ir.EdgeType, ir.Shape{64, 64})
	bld.Output("out", bld.Sum(ir.In, bld.MatMul(x, w)))
	return bld.Program()
}

func BenchmarkTypedEdgeProduct4(b *testing.B) {
	benchmarkProducts(b, typedProduct(4), together(ir.Dst)(typedProduct(4)), 600_000*64*64)
}

func BenchmarkTypedEdgeProduct90(b *testing.B) {
	benchmarkProducts(b, typedProduct(90), together(ir.Dst)(typedProduct(90)), 600_000*64*64)
}

func aggregateThenMultiply(types int) *ir.Program {
	bld := ir.NewBuilder("aggregatefirst", ir.F32, false)
	bld.SetTypes(ir.Types{Edge: types})
	x, w := bld.Input("x", ir.Src, ir.Shape{64}), bld.Input("w", ir.Param, ir.Shape{types * 64, 64})
	s := bld.Op(ir.OpSum, ir.Attr{Dir: ir.In, Typed: true}, x)
	bld.Output("out", bld.MatMul(bld.Reshape(s, ir.Shape{types * 64}), w))
	return bld.Program()
}

func BenchmarkAggregateFirst4(b *testing.B) {
	p := aggregateThenMultiply(4)
	benchmarkProducts(b, p, together(ir.Dst)(p), 30_000*4*64*64)
}

func BenchmarkAggregateFirst90(b *testing.B) {
	p := aggregateThenMultiply(90)
	benchmarkProducts(b, p, together(ir.Dst)(p), 30_000*90*64*64)
}

func BenchmarkRowProduct(b *testing.B) { // of an aggregate, in its kernel
	p := aggregateThenMultiply(1)
	benchmarkProducts(b, p, together(ir.Dst)(p), 30_000*64*64)
}
