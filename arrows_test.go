package asterias

// The architecture as a test: which package may import which of ours, in the
// manner of Go's go/build/deps_test.go.

import (
	"go/build"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/asterias-ml/asterias"

// arrows lists, for each package, all of ours that it imports outside tests. An
// arrow that the code no longer needs is an error too.
var arrows = map[string]string{
	"":                                "graph tensor vcentric vcentric/explain",
	"internal/rng":                    "",
	"internal/shared":                 "",
	"internal/numtest":                "",
	"internal/golden":                 "autograd graph internal/numtest internal/shared tensor",
	"internal/atomicfile":             "",
	"internal/cleanup":                "",
	"internal/community":              "",
	"internal/debug":                  "",
	"internal/dynlib":                 "",
	"tensor/kern":                     "internal/rng",
	"tensor/cpu":                      "internal/cleanup tensor/kern",
	"tensor":                          "internal/rng tensor/cpu tensor/kern",
	"tensor/openblas":                 "tensor/cpu tensor/openblas/cblas",
	"tensor/openblas/cblas":           "internal/dynlib",
	"tensor/dlpack":                   "tensor",
	"autograd":                        "internal/rng tensor tensor/cpu",
	"autograd/gorgonianode":           "autograd tensor",
	"nn":                              "autograd internal/atomicfile internal/rng tensor",
	"nn/train":                        "autograd internal/atomicfile internal/rng nn optim tensor",
	"nn/train/curves":                 "nn/train",
	"optim":                           "autograd tensor tensor/cpu tensor/kern",
	"graph":                           "internal/community",
	"data":                            "graph internal/atomicfile internal/community internal/rng tensor",
	"vcentric/ir":                     "internal/rng",
	"vcentric/ir/irtest":              "vcentric/ir",
	"vcentric/pass":                   "vcentric/ir",
	"vcentric/plan":                   "vcentric/ir",
	"vcentric/explain":                "vcentric/ir vcentric/pass vcentric/plan",
	"vcentric/cpu":                    "graph internal/rng tensor/cpu tensor/kern vcentric/ir vcentric/plan",
	"vcentric/cc":                     "internal/dynlib internal/rng vcentric/cpu vcentric/ir vcentric/plan",
	"vcentric":                        "autograd graph internal/debug tensor tensor/kern vcentric/cpu vcentric/explain vcentric/ir vcentric/pass vcentric/plan",
	"gnn":                             "autograd graph nn tensor vcentric",
	"gnn/internal/udf":                "vcentric vcentric/ir",
	"gnn/message":                     "gnn/internal/udf vcentric",
	"gnn/saga":                        "gnn/internal/udf vcentric",
	"gnn/layerwise":                   "autograd data graph tensor",
	"cudagen/driver":                  "internal/atomicfile internal/cleanup internal/dynlib",
	"cudagen/driver/mock":             "cudagen/driver",
	"cudagen":                         "cudagen/dense cudagen/driver cudagen/render graph internal/atomicfile internal/debug tensor vcentric/ir vcentric/plan",
	"cudagen/dense":                   "cudagen/driver tensor",
	"cudagen/dense/densetest":         "cudagen/dense cudagen/driver cudagen/emu cudagen/emu/device tensor",
	"cudagen/emu":                     "",
	"cudagen/emu/device":              "cudagen/driver cudagen/driver/mock cudagen/emu tensor/cpu",
	"cudagen/render":                  "graph internal/rng vcentric/ir vcentric/plan",
	"examples":                        "",
	"examples/internal/app":           "autograd cudagen data nn nn/train optim tensor",
	"examples/gcn":                    "autograd data examples/internal/app gnn nn optim",
	"examples/gat":                    "autograd data examples/internal/app gnn nn optim",
	"examples/quickstart":             "autograd data nn optim vcentric",
	"examples/gorgonia_swap":          "autograd autograd/gorgonianode data tensor tensor/cpu vcentric",
	"examples/appnp":                  "autograd data examples/internal/app gnn nn optim",
	"examples/gin_tu":                 "autograd data examples/internal/app gnn nn nn/train optim",
	"examples/sage_minibatch":         "autograd data examples/internal/app gnn nn optim tensor",
	"examples/custom_layer":           "autograd data examples/internal/app graph nn optim tensor vcentric",
	"examples/gated_ggnn":             "autograd data examples/internal/app gnn nn optim",
	"examples/karate":                 "autograd data examples/internal/app gnn nn optim tensor",
	"examples/message":                "autograd data examples/internal/app gnn/message graph nn optim tensor vcentric",
	"examples/saga":                   "autograd data examples/internal/app gnn/saga graph nn optim vcentric",
	"examples/hgt_hgb":                "autograd data examples/internal/app gnn graph nn nn/train optim",
	"examples/rgcn_entity":            "data examples/internal/app gnn nn nn/train optim",
	"examples/rgcn_link":              "autograd data examples/internal/app gnn graph nn nn/train optim tensor",
	"benchmarks":                      "benchmarks/internal/harness benchmarks/internal/measure benchmarks/internal/report benchmarks/system/plugin benchmarks/workflow tensor/kern",
	"benchmarks/internal/harness":     "tensor",
	"benchmarks/kernels":              "autograd benchmarks/internal/harness data graph internal/rng tensor tensor/cpu tensor/kern vcentric vcentric/cc",
	"benchmarks/dense":                "autograd benchmarks/internal/harness nn optim tensor tensor/cpu tensor/kern tensor/openblas/cblas",
	"benchmarks/sampling":             "benchmarks/internal/harness data graph",
	"benchmarks/gpu":                  "autograd benchmarks/internal/harness cudagen cudagen/dense cudagen/driver cudagen/emu/device data gnn graph nn optim tensor tensor/kern vcentric",
	"benchmarks/epoch":                "",
	"benchmarks/internal/measure":     "autograd benchmarks/internal/harness benchmarks/internal/nulldevice benchmarks/internal/report benchmarks/system benchmarks/system/check benchmarks/system/check/planted benchmarks/system/plugin benchmarks/system/systems benchmarks/workflow graph nn tensor",
	"benchmarks/internal/nulldevice":  "graph tensor vcentric vcentric/plan",
	"benchmarks/internal/report":      "benchmarks/internal/harness benchmarks/system/check",
	"benchmarks/peers":                "",
	"benchmarks/peers/gorgonia":       "benchmarks/peers/serve",
	"benchmarks/peers/serve":          "",
	"benchmarks/system":               "tensor",
	"benchmarks/system/check":         "autograd benchmarks/system benchmarks/system/op internal/rng tensor",
	"benchmarks/system/check/planted": "autograd benchmarks/system benchmarks/system/check internal/rng tensor",
	"benchmarks/system/gen":           "",
	"benchmarks/system/op":            "autograd benchmarks/system tensor",
	"benchmarks/system/plugin":        "benchmarks/system internal/dynlib tensor tensor/dlpack",
	"benchmarks/system/systems":       "autograd benchmarks/system cudagen cudagen/dense cudagen/driver graph tensor tensor/cpu tensor/kern vcentric",
	"benchmarks/workflow":             "autograd benchmarks/system benchmarks/system/check benchmarks/system/op data gnn graph internal/rng nn optim tensor vcentric",
}

func TestImportsFollowTheArrows(t *testing.T) {
	found := make(map[string]bool)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); name == "testdata" || name != "." && strings.HasPrefix(name, ".") {
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && path != "." {
			return fs.SkipDir // a module of its own
		}
		p, err := build.ImportDir(path, 0)
		if _, none := err.(*build.NoGoError); none {
			return nil
		} else if err != nil {
			return err
		}
		pkg := strings.TrimPrefix(filepath.ToSlash(path), ".")
		found[pkg] = true
		want, ok := arrows[pkg]
		if !ok {
			t.Errorf("package %s is not in the table", pkg)
			return nil
		}
		var got []string
		for _, imp := range p.Imports {
			if ours, ok := strings.CutPrefix(imp, module+"/"); ok {
				got = append(got, ours)
			}
		}
		slices.Sort(got)
		if g := strings.Join(got, " "); g != want {
			t.Errorf("package %q imports %q, the table says %q", pkg, g, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range slices.Sorted(maps.Keys(arrows)) {
		if !found[pkg] {
			t.Errorf("the table has %s, which is not there", pkg)
		}
	}
}

func TestNothingImportsExamplesOrBenchmarks(t *testing.T) {
	for pkg, imports := range arrows {
		for imp := range strings.FieldsSeq(imports) {
			for _, top := range []string{"benchmarks", "examples"} {
				if strings.HasPrefix(imp, top) && !strings.HasPrefix(pkg, top) {
					t.Errorf("%s imports %s", pkg, imp)
				}
			}
		}
	}
}
