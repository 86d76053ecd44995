package vcentric_test

// Native kernels through the public API.

import (
	"os/exec"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
	_ "github.com/asterias-ml/asterias/vcentric/cc"
)

func TestNativeProgramsComputeTheSame(t *testing.T) {
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("no C compiler is installed")
	}
	g := messy(t)
	binds := explainedBindings(6)
	program := vc.Compile("native", explained)
	want := tensor.Data[float32](program.Run(g, binds...).Tensor())
	native := program.Native("cc")
	got := tensor.Data[float32](native.Run(g, binds...).Tensor())
	for i, x := range want {
		if d := got[i] - x; !(d < 1e-5 && d > -1e-5) {
			t.Fatalf("element %d is %v, want %v", i, got[i], x)
		}
	}
	in := 0
	for _, err := range native.Compiled(g, binds...).Declined() {
		if err == nil {
			in++
		}
	}
	if in == 0 {
		t.Error("no step is in native code")
	}
}

// The maximum of one number for each edge: forward saves an id for each vertex.
func TestNativeMaximaOfOneNumberSendGradientsToTheirEdges(t *testing.T) {
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("no C compiler is installed")
	}
	g, err := graph.New(3, []int32{0, 1, 2, 0}, []int32{1, 1, 1, 2}, graph.WithEdgeTypes([]int32{0, 1, 1, 0}, 2))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		f    func(v vc.Vertex) vc.Value
		want []float64
	}{
		{"plain", func(v vc.Vertex) vc.Value { return vc.Max(v.InEdges().Src("x").SumLast()) }, []float64{1, 1, 0, 0, 1, 1}},
		{"of each type", func(v vc.Vertex) vc.Value {
			return vc.ByType(vc.ByMax, vc.BySum, v.InEdges().Src("x").SumLast())
		}, []float64{2, 2, 0, 0, 1, 1}},
	} {
		x := autograd.Variable(tensor.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 3, 2))
		vc.Compile(c.name, c.f).Native("cc").Run(g, vc.VertexFeature("x", x)).Sum().Backward()
		near(t, c.name, x.Gradient().Float64s(), c.want, 0)
	}
}

func TestUnknownNativeCompilerIsMisuse(t *testing.T) {
	p := vc.Compile("native", explained).Native("fortran")
	wantMisuse[*vc.BindError](t, "unknown compiler", func() { p.Run(messy(t), explainedBindings(6)...) }, "Native", "fortran")
}

func TestUnknownNativeCompilerOfTheEnvironmentFallsBack(t *testing.T) {
	t.Setenv("ASTERIAS_CPU", "fortran")
	if out := vc.Compile("native", explained).Run(messy(t), explainedBindings(6)...); out.Shape()[0] != 6 {
		t.Error(out.Shape())
	}
}
