// Random walks.

package data

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
)

// Walking says how walks go. The zero values of P and Q stand for 1, with which every edge
// out of a vertex is as likely.
//
// Otherwise a walk that came from vertex t to vertex v goes on to x with a probability in
// proportion to (Grover and Leskovec 2016, "node2vec: scalable feature learning for
// networks", section 3.2)
//
//	1/P  if x is t
//	1    if an edge leads from x to t, too
//	1/Q  of all others
//
// for each edge from v to x. These are exact; torch_cluster, which has such walks for PyG,
// counts 1/Q at least for any x.
type Walking struct {
	Length int // vertices of a walk, the first among them: PyG's walk_length of Node2Vec

	// P is large for walks that seldom turn back, Q for those that stay near where they
	// came from; both are within [1e-30, 1e30].
	P, Q float64
}

// check returns an error unless walks go so.
func (w Walking) check() error {
	if w.Length < 1 {
		return fmt.Errorf("walks of %d vertices; want at least 1", w.Length)
	}
	for _, x := range []float64{w.P, w.Q} {
		if x != 0 && !(x >= 1e-30 && x <= 1e30) { // also for NaN
			return fmt.Errorf("the P of walks is %v and Q %v; want numbers within [1e-30, 1e30], or 0 for 1", w.P, w.Q)
		}
	}
	return nil
}

// Walks are vertices in the order in which walks came to them, a walk a row.
type Walks struct {
	Vertices []int32 // walk i is Vertices[i*Length : (i+1)*Length]
	Length   int
}

// Len returns the number of walks.
func (w Walks) Len() int {
	if w.Length == 0 {
		return 0
	}
	return len(w.Vertices) / w.Length
}

// Walk returns walk i, sharing its memory.
func (w Walks) Walk(i int) []int32 {
	return w.Vertices[i*w.Length : (i+1)*w.Length : (i+1)*w.Length]
}

// Windows returns all parts of size vertices that follow each other: those that begin with
// the first vertex of each walk, then those that begin with the second, and so on, as PyG's
// Node2Vec has them. It panics with *[Error] unless size is within [1, Length].
func (w Walks) Windows(size int) Walks {
	if size < 1 || size > w.Length {
		misuse("Windows", "windows of %d vertices in walks of %d", size, w.Length)
	}
	n := w.Len()
	out := Walks{Vertices: make([]int32, 0, n*(w.Length-size+1)*size), Length: size}
	for first := range w.Length - size + 1 {
		for i := range n {
			out.Vertices = append(out.Vertices, w.Walk(i)[first:first+size]...)
		}
	}
	return out
}

// RandomWalks returns a random walk over a homogeneous graph from each of the given vertices,
// which may repeat, along its edges as they point. Types make no difference, parallel edges
// count each, and a walk stays where no edge leads away, as PyG's. Walk i depends on the
// graph, what it starts from, its number, w and the seed alone.
//
// Nil starts, a vertex out of range, a bipartite graph and walks that make no sense are errors.
// [WalkLoader] draws walks for training. O(V + E); a step is O(1), with P or Q O(log degree)
// times Q or 1/Q at most, on average, and never more than O(degree log degree).
func RandomWalks(g *graph.Graph, starts []int32, w Walking, seed uint64) (Walks, error) {
	const op = "RandomWalks"
	fail := func(err error) (Walks, error) { return Walks{}, fmt.Errorf("data: %s: %w", op, err) }
	if err := wantHomogeneous(g, op); err != nil {
		return fail(err)
	}
	if err := w.check(); err != nil {
		return fail(err)
	}
	if starts == nil {
		return fail(errors.New("the starts are nil: list all vertices to walk from all, or give []int32{} to walk from none"))
	}
	for i, v := range starts {
		if uint(v) >= uint(g.NumVertices()) {
			return fail(fmt.Errorf("start %d: vertex %d out of range [0, %d)", i, v, g.NumVertices()))
		}
	}
	if len(starts) > math.MaxInt32/w.Length {
		return fail(fmt.Errorf("%d walks of %d vertices; together they may have %d", len(starts), w.Length, math.MaxInt32))
	}
	return newWalker(g, w).walks(starts, rng.Fold(seed, streamWalks), parallel), nil
}

// A walker draws walks, in any number of goroutines.
type walker struct {
	length        int
	offsets, ends []int32 // of the edges out of each vertex

	// What follows is for walks with P or Q, whose ends are in order.
	edges  *edgeSet // nil for walks without
	ip, iq float64  // 1/P, 1/Q
}

func newWalker(g *graph.Graph, w Walking) *walker {
	inverse := func(x float64) float64 {
		if x == 0 {
			return 1
		}
		return 1 / x
	}
	k := &walker{length: w.Length, ip: inverse(w.P), iq: inverse(w.Q)}
	if k.ip == 1 && k.iq == 1 {
		k.offsets, k.ends = g.Out().Offsets, g.Out().Neighbors
		return k
	}
	k.edges = newEdgeSet(g, false)
	k.offsets, k.ends = k.edges.offsets, k.edges.dst
	return k
}

// walks draws a walk from each start; each calls its function on ranges of them.
func (k *walker) walks(starts []int32, key uint64, each func(n int, f func(lo, hi int))) Walks {
	w := Walks{Vertices: make([]int32, len(starts)*k.length), Length: k.length}
	each(len(starts), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			k.walk(w.Walk(i), starts[i], rng.Hash(key, uint64(i)))
		}
	})
	return w
}

// inOne is for walks that one goroutine draws.
func inOne(n int, f func(lo, hi int)) { f(0, n) }

func (k *walker) walk(out []int32, start int32, stream uint64) {
	out[0] = start
	for i := 1; i < len(out); i++ {
		v, random := out[i-1], rng.Hash(stream, uint64(i))
		row := k.ends[k.offsets[v]:k.offsets[v+1]]
		switch {
		case len(row) == 0:
			out[i] = v
		case i == 1 || k.edges == nil: // the first step comes from nowhere
			out[i] = row[below(random, uint64(len(row)))]
		default:
			out[i] = k.next(row, out[i-2], random)
		}
	}
}

// walkTries is how often a step is drawn before all edges are weighed: those that Q makes
// likely may be few.
const walkTries = 16

// next draws one of the ends of a row for a walk that came from t, by rejection. The edges
// back are no part of that: they have their share of what the others have at most, so that P
// makes no difference for how often others are rejected (Yang et al. 2019, "KnightKing: a fast
// distributed graph random walk engine").
func (k *walker) next(row []int32, t int32, stream uint64) int32 {
	lo, _ := slices.BinarySearch(row, t)
	n, _ := slices.BinarySearch(row[lo:], t+1) // edges back
	others := len(row) - n
	if others == 0 {
		return t
	}
	most, least := max(1, k.iq), min(1, k.iq)
	back := float64(n) * k.ip
	back /= back + float64(others)*most
	for i := range uint64(walkTries) {
		if rng.Uniform(stream, 3*i) < back {
			return t
		}
		at := int(below(rng.Hash(stream, 3*i+1), uint64(others)))
		if at >= lo {
			at += n
		}
		x := row[at]
		if y := most * rng.Uniform(stream, 3*i+2); y < least || y < k.weight(x, t) {
			return x
		}
	}
	return k.weighAll(row, t, rng.Uniform(stream, 3*walkTries))
}

// weight is what an edge to x counts for a walk that came from t.
func (k *walker) weight(x, t int32) float64 {
	switch {
	case x == t:
		return k.ip
	case k.edges.has(link{src: x, dst: t}):
		return 1
	}
	return k.iq
}

// weighAll draws one of the ends of a row from the weights of all.
func (k *walker) weighAll(row []int32, t int32, u float64) int32 {
	sums := make([]float64, len(row))
	total := 0.0
	for i, x := range row {
		total += k.weight(x, t)
		sums[i] = total
	}
	at, _ := slices.BinarySearchFunc(sums, u*total, func(sum, x float64) int {
		if sum <= x {
			return -1
		}
		return 1
	})
	return row[min(at, len(row)-1)] // rounding may pass the last
}
