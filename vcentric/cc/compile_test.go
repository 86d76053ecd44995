package cc

// Compilers that are not this machine's.

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// asGCC9 has GCC call itself version 9, which has no __builtin_shufflevector.
var asGCC9 = []string{"-U__GNUC__", "-D__GNUC__=9"}

// needsGCC skips where the compiler is another one.
func needsGCC(t *testing.T) *toolchain {
	needsCompiler(t)
	tools, err := new(Compiler).find()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(tools.target, "__clang__") || !strings.Contains(tools.target, "#define __GNUC__ ") {
		t.Skip("the compiler is not GCC")
	}
	return tools
}

// Every branch of the prelude is looked at, whatever this processor has.
func TestThePreludeHasNoBuiltinThatOlderCompilersLack(t *testing.T) {
	tools := needsGCC(t)
	file := filepath.Join(t.TempDir(), "prelude.h")
	if err := os.WriteFile(file, []byte(prelude), 0o644); err != nil {
		t.Fatal(err)
	}
	const newer = "__builtin_shufflevector" // GCC 12
	for _, c := range []struct {
		as   []string
		uses bool
	}{{asGCC9, false}, {[]string{"-U__GNUC__", "-D__GNUC__=12"}, true}, {[]string{"-D__clang__"}, true}} {
		found := false
		for _, bytes := range []int{16, 32, 64} {
			for f64 := range 2 {
				args := append(append([]string{}, tools.command...), c.as...)
				args = append(args, "-D__AVX512F__=1", fmt.Sprintf("-DVECTOR_BYTES=%d", bytes), fmt.Sprintf("-DT_IS_F64=%d", f64), "-DLANE_IDS=0", "-E", "-P", "-x", "c", file)
				text, err := execute(args)
				if err != nil {
					t.Fatal(err)
				}
				found = found || strings.Contains(text, newer)
			}
		}
		if found != c.uses {
			t.Errorf("%v: %s is used: %v, want %v", c.as, newer, found, c.uses)
		}
	}
}

// What stands in the place of newer builtins computes the same.
func TestKernelsOfAnOlderCompilerAgreeWithTheInterpreter(t *testing.T) {
	needsGCC(t)
	t.Parallel()
	g := small()
	fours := 0
	for _, p := range halves(attention(ir.In, 1, 19, true)) {
		fours += strings.Count(body(Render(plan.Build(typed(t, p, ir.F32)), 64)), "gather4(a->beside")
		if native, declined := mustAgreeBy(t, "gcc9", []ir.DType{ir.F64, ir.F32}, p, g, inputsOf(p, &g.Structure, 2), 2); native == 0 || declined > 0 {
			t.Errorf("%d kernels native, %d declined", native, declined)
		}
	}
	if fours == 0 {
		t.Error("no kernel reads four numbers at once")
	}
}
