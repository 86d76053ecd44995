// Tests of the reader of overlapping communities.

package data

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/asterias-ml/asterias/internal/shared"
)

func TestCommunitiesAreRead(t *testing.T) {
	d, err := LoadCommunities("tiny", write(t, "edges", "# u v\n0\t1\n1\t0\n3\t3\n"), write(t, "cmty.gz", string(gzipBytes(t, []byte("0\t2\n2 3 0\n1\n")))))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(d.Name, d.Graph, d.Labels, d.NumClasses, d.Features.IsZero(), d.Train == nil); got != "tinygraph(4 vertices, 3 edges) [[0 1] [2] [0 1] [1]] 3 true true" {
		t.Errorf("got %s", got)
	}
}

// A blank line is a community without members, a comment none.
func TestCommunitiesAreNumberedByLines(t *testing.T) {
	d, err := LoadCommunities("tiny", write(t, "edges", "0 1\n1 2\n"), write(t, "cmty", "# one\n0\n\n# two\n1 2\n\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(d.Labels, d.NumClasses); got != "[[0] [2] [2]] 3" {
		t.Errorf("got %s", got)
	}
}

func TestHostileCommunitiesAreRefused(t *testing.T) {
	for _, tt := range []struct{ edges, communities, want string }{
		{"0 1\n2", "0\n", "edges:2: 1 fields, want 2"},
		{"0 2000000000\n", "0\n", "edges: 2000000001 vertices in a file of 1 lines"},
		{"0 1\n", "0\n2\n", "cmty:2: vertex 2 out of range [0, 2)"},
		{"0 1\n", "0\n1 x\n", `cmty:2: vertex "x" is not an integer`},
		{"0 1\n", "0\n1 0 1\n", "cmty:2: vertex 1 is in the community twice"},
	} {
		refused(t, tt.want, func() error {
			_, err := LoadCommunities("tiny", write(t, "edges", tt.edges), write(t, "cmty", tt.communities))
			return err
		})
	}
}

func TestPPIHasThePublishedCounts(t *testing.T) {
	d, err := LoadMultiLabel(context.Background(), "ppi-node2vec", Options{Dir: filepath.Join(shared.Dir(t), "datasets")})
	if err != nil {
		t.Fatal(err)
	}
	members, loops := 0, 0
	for _, set := range d.Labels {
		members += len(set)
	}
	for e, u := range d.Graph.Src() {
		if u == d.Graph.Dst()[e] {
			loops++
		}
	}
	// 38,739 undirected edges, of which loops are one arc each.
	if d.Graph.NumVertices() != 3890 || d.Graph.NumEdges() != 2*(38739-loops)+loops || d.NumClasses != 50 || members != 6640 {
		t.Errorf("%v, %d loops, %d classes, %d members", d.Graph, loops, d.NumClasses, members)
	}
}

func FuzzCommunities(f *testing.F) {
	f.Add("0\t2\n2 3 0\n1\n")
	f.Add("# x\n0\n1 0 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		d := &MultiLabelDataset{Graph: Karate().Graph}
		var err error
		if d.Labels, d.NumClasses, err = parseCommunities(linesOf(text), d.Graph); err != nil {
			return
		}
		if err := d.Validate(); err != nil {
			t.Error(err)
		}
	})
}
