package cc

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/plan"
)

var update = flag.Bool("update", false, "write the golden files")

// TestTheTextOfALayerIsItsGolden reads programs as the passes made them once, so
// that a new pass changes nothing here.
func TestTheTextOfALayerIsItsGolden(t *testing.T) {
	programs, err := filepath.Glob(filepath.Join("testdata", "*.ir"))
	if err != nil || len(programs) != 4 {
		t.Fatalf("programs %v, error %v", programs, err)
	}
	for _, file := range programs {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got := body(Render(plan.Build(mustParse(t, string(text))), 64))
		golden := strings.TrimSuffix(file, ".ir") + ".c"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("the text of %s has changed; if that is meant, run with -update\n%s", golden, got)
		}
	}
}
