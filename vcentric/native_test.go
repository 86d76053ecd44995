package vcentric_test

// Native kernels through the public API.

import (
	"os/exec"
	"testing"

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
