package emu_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/emu"
)

// needsCompiler skips the test where kernels cannot be compiled, unless tools are
// required.
func needsCompiler(t testing.TB) {
	t.Helper()
	err := emu.Available()
	if err == nil {
		return
	}
	if os.Getenv("ASTERIAS_REQUIRE_TOOLS") == "1" {
		t.Fatal(err)
	}
	t.Skip(err)
}

// compile compiles texts; the test's end closes the program.
func compile(t testing.TB, o emu.Options, texts ...string) *emu.Program {
	t.Helper()
	needsCompiler(t)
	p, err := o.Compile(context.Background(), texts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// text reads a file of testdata, with a macro defined.
func text(t testing.TB, name, macro string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".cu"))
	if err != nil {
		t.Fatal(err)
	}
	if macro == "" {
		return string(data)
	}
	if !strings.Contains(string(data), macro) {
		t.Fatalf("%s.cu has no %s", name, macro)
	}
	return "#define " + macro + "\n#line 1\n" + string(data)
}

// fault returns the fault in an error.
func fault(err error) *emu.Fault {
	var f *emu.Fault
	if errors.As(err, &f) {
		return f
	}
	return nil
}

// numbers returns n small integers as floats, whose sums are exact.
func numbers(n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32((i*7919)%23 - 6)
	}
	return x
}

// equal reports whether numbers are the same; NaN is never.
func equal(got []float32, want []float64) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if !(math.Abs(float64(got[i])-want[i]) <= 1e-5*math.Abs(want[i])) {
			return false
		}
	}
	return true
}

func dim(n ...int) emu.Dim3 {
	n = append(n, 1, 1)
	return emu.Dim3{X: uint32(n[0]), Y: uint32(n[1]), Z: uint32(n[2])}
}
