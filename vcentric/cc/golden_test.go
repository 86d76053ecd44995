package cc

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

var update = flag.Bool("update", false, "write the golden files")

func TestTheTextOfALayerIsItsGolden(t *testing.T) {
	for _, name := range []string{"gcn", "gat"} {
		got := ""
		for _, p := range halves(irtest.Layer(name)) {
			pl := plan.Build(p)
			got += "/* " + p.Name + " */\n\n" + body(Render(pl, 64)) + "\n"
		}
		file := filepath.Join("testdata", name+".c")
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("the text of %s has changed; if that is meant, run with -update\n%s", name, got)
		}
	}
}
