package irtest

// A case: a random program, a graph to run it on, and inputs for it and for
// whatever passes make of it.

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// Case is one random program with a graph it fits.
type Case struct {
	Seed    uint64
	Program *ir.Program
	Graph   Graph
	// Ties says that inputs are small multiples of 1/2, so that maxima tie and
	// arguments sit on kinks. Otherwise they are in general position.
	Ties bool
}

// New makes the case of a seed. Every fourth has ties, every third is
// bipartite, every fifth has types, and all the special graphs take their turn.
func New(seed uint64) *Case {
	r := rand.New(rand.NewPCG(seed, 1))
	c := &Case{Seed: seed, Ties: seed%4 == 3}
	bipartite := seed%3 == 2
	if special := Graphs(bipartite); r.IntN(2) == 0 {
		c.Graph = special[r.IntN(len(special))]
	} else {
		c.Graph = RandomGraph(r, bipartite, 1+r.IntN(9), r.IntN(25))
	}
	if seed%5 == 4 {
		c.Graph = WithTypes(r, bipartite, c.Graph)
	}
	c.Program = Program(r, bipartite, c.Graph.Types, 4+r.IntN(14))
	return c
}

// Inputs binds every input of p, which may be the case's program or one that a
// pass made of it. A tensor depends on the seed and the binding alone, so that
// programs with the same bindings see the same numbers, whichever side they
// read them from.
func (c *Case) Inputs(p *ir.Program) map[string][]float64 {
	return Inputs(c.Seed, p, &c.Graph.Structure, c.Ties)
}

func (c *Case) String() string {
	g := &c.Graph
	s := fmt.Sprintf("case %d on graph %q: %d sources, %d destinations, edges %v -> %v\n", c.Seed, g.Name, g.NumSrc, g.NumDst, g.Src, g.Dst)
	if g.Types != (ir.Types{}) {
		s += fmt.Sprintf("types of sources %v, destinations %v, edges %v\n", g.SrcTypes, g.DstTypes, g.EdgeTypes)
	}
	return s + c.Program.String()
}

// Inputs binds every input of p as Case.Inputs does.
func Inputs(seed uint64, p *ir.Program, s *ir.Structure, ties bool) map[string][]float64 {
	in := make(map[string][]float64)
	for _, v := range p.Inputs() {
		h := fnv.New64a()
		h.Write([]byte(p.Binding(v)))
		r := rand.New(rand.NewPCG(seed, h.Sum64()))
		x := make([]float64, s.Rows(v.Res)*v.Width())
		for i := range x {
			x[i] = 4*r.Float64() - 2
			if ties && !strings.HasPrefix(v.Attr.Name, ir.CotangentPrefix) {
				x[i] = math.Round(2*x[i]) / 2
			}
		}
		in[ir.InputKey(v)] = x
	}
	return in
}
