package check

// A call with operands.

import (
	"fmt"
	"math"
	"strings"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

// sizes are those of the operands of a call.
type sizes struct {
	heads, width int
	wWidth       int // of W: width or 1
}

// A problem is a call with its operands. Those that it does not have are nil.
type problem struct {
	g     *graph
	kind  system.Kind
	flags system.Flags
	sizes
	x, y, w []float32
}

// The roles of values, for streams of random numbers.
const (
	roleX uint64 = iota
	roleY
	roleW
	roleGradient
)

// newProblem draws the operands. Magnitudes are from ½ to 2, so that everything can
// divide and nothing is lost beside something else.
func newProblem(g *graph, kind system.Kind, flags system.Flags, s sizes, seed uint64) *problem {
	p := &problem{g: g, kind: kind, flags: flags, sizes: s}
	vertices, edges := g.vertices*s.heads, len(g.src)*s.heads
	if kind != system.SpMMe {
		p.x = values(vertices*s.width, rng.Fold(seed, roleX))
	}
	if kind == system.SDDMMvv {
		p.y = values(vertices*s.width, rng.Fold(seed, roleY))
	}
	if hasW(kind, flags) {
		p.w = values(edges*s.wWidth, rng.Fold(seed, roleW))
	}
	return p
}

// values are drawn from ±[½, 2).
func values(n int, seed uint64) []float32 {
	out := make([]float32, n)
	for i := range out {
		u := 3*rng.Uniform(seed, uint64(i)) - 1.5
		out[i] = float32(u + math.Copysign(0.5, u))
	}
	return out
}

// onEdges tells whether the result has a row for each edge.
func (p *problem) onEdges() bool { return p.kind == system.SDDMMvv || p.kind == system.SDDMMve }

// shape returns that of the result.
func (p *problem) shape() tensor.Shape {
	rows, width := p.g.vertices, p.width
	if p.onEdges() {
		rows = len(p.g.src)
	}
	if p.flags.Op == system.OpDot {
		width = 1
	}
	return tensor.Shape{rows, p.heads, width}
}

// ends returns where edge e is read and where it is written.
func (p *problem) ends(e int) (from, to int) {
	if p.flags.Transpose {
		return int(p.g.dst[e]), int(p.g.src[e])
	}
	return int(p.g.src[e]), int(p.g.dst[e])
}

// edgeless tells whether no edge writes to a vertex.
func (p *problem) edgeless(v int) bool {
	if p.flags.Transpose {
		return p.g.out[v] == 0
	}
	return p.g.in[v] == 0
}

// size orders problems by how easily they are looked at.
func (p *problem) size() int {
	return (p.g.vertices + len(p.g.src)) * p.heads * (p.width + p.wWidth)
}

// String names the problem.
func (p *problem) String() string {
	s := fmt.Sprintf("%s on graph %q (%d vertices, %d edges), heads %d, width %d",
		callName(p.kind, p.flags), p.g.name, p.g.vertices, len(p.g.src), p.heads, p.width)
	if p.w != nil && p.wWidth != p.width {
		s += fmt.Sprintf(", w of width %d", p.wWidth)
	}
	return s
}

// callName is a call with the flags that it has.
func callName(k system.Kind, f system.Flags) string {
	var words []string
	if k != system.SpMMv && k != system.SpMMe {
		words = append(words, f.Op.String())
	}
	if k != system.SDDMMvv && k != system.SDDMMve {
		words = append(words, f.Reduce.String())
	}
	if f.Norm != system.NormNone {
		words = append(words, "norm "+f.Norm.String())
	}
	if f.Transpose {
		words = append(words, "transposed")
	}
	return fmt.Sprintf("%v(%s)", k, strings.Join(words, ", "))
}

// hasW tells whether a call has values of edges.
func hasW(k system.Kind, f system.Flags) bool {
	return k == system.SpMMve || k == system.SpMMe || k == system.SDDMMve && f.Op != system.OpCopy
}

// wWidths returns the widths that W may have beside operands of a width.
func wWidths(k system.Kind, f system.Flags, width int) []int {
	if hasW(k, f) && k != system.SpMMe && width > 1 {
		return []int{width, 1}
	}
	return []int{width}
}
