// Zachary's karate club, embedded.

package data

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/asterias-ml/asterias/graph"
)

//go:embed karate.txt
var karateText string

// Karate returns Zachary's karate club (1977): 34 members, 78 undirected edges
// (156 arcs), four communities as classes, and the identity as features. As is
// usual for it, one vertex of each class is for training, the first, and all
// others are for testing; none is left for validation.
func Karate() *Dataset {
	d := &Dataset{Name: "karate", Val: []int32{}}
	var src, dst []int32
	for line := range strings.Lines(karateText) {
		var kind string
		var a, b int32
		if strings.HasPrefix(line, "#") {
			continue
		}
		if _, err := fmt.Sscan(line, &kind, &a, &b); err != nil {
			panic(fmt.Sprintf("BUG: data: karate.txt: %q: %v", line, err))
		}
		if kind == "edge" {
			src, dst = append(src, a), append(dst, b)
			continue
		}
		d.Labels = append(d.Labels, b)
		if int(b) >= d.NumClasses {
			// Communities are numbered by their first vertex.
			d.NumClasses = int(b) + 1
			d.Train = append(d.Train, a)
		} else {
			d.Test = append(d.Test, a)
		}
	}
	g, err := graph.New(len(d.Labels), src, dst)
	if err != nil {
		panic("BUG: data: karate.txt: " + err.Error())
	}
	d.Graph, _ = g.Symmetrize()
	d.Features = IdentityFeatures(len(d.Labels))
	return d
}
