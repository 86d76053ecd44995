package render

// Golden text of the kernels of the zoo.

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// goldens are the layers whose text is kept, of the size whose rows are vectors. The
// kernels for hubs are kept for some.
var goldens = map[string]bool{
	"gcn": true, "gat_concat": true, "rgcn_full": true, "sum_then_max_by_type": true,
	"cgat_pairwise": false, "commnet": false, "dot_attention": false, "edgeconv": false, "gatv2": false, "ggcn": false, "ggnn": false, "gin": false,
	"hgt": false, "mpgcn": false, "mpnn": false, "rgcn_basis": false, "rgcn_block": false, "sage_maxpool": false, "sage_mean": false, "simple_hgn": false,
}

func TestTheTextOfALayerIsItsGolden(t *testing.T) {
	programs := zoo(t)
	for name, hubs := range goldens {
		all := programs[name]
		_, text, _ := strings.Cut(zooText(t, all[len(all)/2:]), endOfPrelude)
		if !hubs {
			text = withoutHubs(text)
		}
		golden := filepath.Join("testdata", "golden", name+".cu")
		if *update {
			if err := os.WriteFile(golden, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if text != string(want) {
			t.Errorf("the text of %s has changed; if that is meant, run with -update\n%s", golden, firstDifference(text, string(want)))
		}
	}
}

// withoutHubs leaves out the entry points for hubs.
func withoutHubs(text string) string {
	var b strings.Builder
	for one := range strings.SplitAfterSeq(text, "\n}\n") {
		if !hubKernel.MatchString(one) {
			b.WriteString(one)
		}
	}
	return b.String()
}

var hubKernel = regexp.MustCompile(`^\nAST_KERNEL\(\w+_\d+_(chunks|merge|end)`)

// endOfPrelude is how the prelude ends.
const endOfPrelude = "// ---- kernels\n"

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "got  " + g[i] + "\nwant " + w[i]
		}
	}
	return "one is longer"
}
