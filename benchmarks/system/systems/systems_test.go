package systems_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/benchmarks/system/systems"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/tensor"
)

// each runs a test for every system that works here.
func each(t *testing.T, f func(t *testing.T, s system.System)) {
	for _, spec := range systems.All() {
		t.Run(spec.Name, func(t *testing.T) {
			s, err := spec.Open()
			if err != nil {
				t.Skip(err)
			}
			defer func() {
				for range 2 { // a second Close does no harm
					if err := s.Close(); err != nil {
						t.Error(err)
					}
				}
			}()
			f(t, s)
		})
	}
}

// arcs are the edges of a graph.
type arcs struct {
	vertices int
	src, dst []int32
}

// graph stores the edges in a system.
func (a arcs) graph(t *testing.T, s system.System) system.Graph {
	t.Helper()
	g, err := s.NewGraph(a.vertices, a.src, a.dst)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 2 {
			if err := g.Close(); err != nil {
				t.Error(err)
			}
		}
	})
	return g
}

// random are random edges; some vertices have none, some edges repeat, and a third of
// them goes to vertex 0 or comes from vertex 1.
func random(r *rand.Rand, vertices, edges int) arcs {
	a := arcs{vertices: vertices}
	for range edges {
		u, v := int32(r.IntN(vertices*3/4+1)), int32(vertices-1-r.IntN(vertices*3/4+1))
		switch r.IntN(6) {
		case 0:
			v = 0
		case 1:
			u = int32(min(1, vertices-1))
		}
		a.src, a.dst = append(a.src, u), append(a.dst, v)
	}
	return a
}

// values are random, in ±[0.5, 2), so that they can divide.
func values(r *rand.Rand, shape ...int) *tensor.Tensor {
	t := tensor.Empty(tensor.Float32, shape...)
	for i := range tensor.Data[float32](t) {
		x := 0.5 + 1.5*r.Float32()
		if r.IntN(2) == 0 {
			x = -x
		}
		tensor.Data[float32](t)[i] = x
	}
	return t
}

// newCall makes a call of random operands on the CPU; its output holds NaN.
func newCall(r *rand.Rand, a arcs, k system.Kind, f system.Flags, heads, width, wide int) system.Call {
	c := system.Call{Kind: k, Flags: f}
	if k != system.SpMMe {
		c.X = values(r, a.vertices, heads, width)
	}
	if k == system.SDDMMvv {
		c.Y = values(r, a.vertices, heads, width)
	} else if k != system.SpMMv && f.Op != system.OpCopy {
		c.W = values(r, len(a.src), heads, wide)
	}
	c.Out = tensor.Full(tensor.Float32, math.NaN(), c.Shape(a.vertices, len(a.src))...)
	return c
}

// on makes the call with operands copied to the system's device, holds its operands
// against what they were, and returns the output.
func on(t *testing.T, c system.Call, s system.System, g system.Graph, a arcs) []float64 {
	t.Helper()
	if err := c.Check(a.vertices, len(a.src)); err != nil {
		t.Fatal(err)
	}
	far := c
	for _, o := range []**tensor.Tensor{&far.X, &far.Y, &far.W, &far.Out} {
		if *o != nil {
			*o = (*o).Clone().ToDevice(s.Device())
		}
	}
	if err := far.On(g); err != nil {
		t.Fatalf("%v(%v): %v", c.Kind, c.Flags, err)
	}
	for i, o := range [][2]*tensor.Tensor{{c.X, far.X}, {c.Y, far.Y}, {c.W, far.W}} {
		if o[0] != nil && !numtest.SameBits(o[0].Float64s(), o[1].Float64s()) {
			t.Errorf("%v(%v) changed operand %d", c.Kind, c.Flags, i)
		}
	}
	return far.Out.Float64s()
}

// reference is the output of a call by its formula, in float64.
func reference(c system.Call, a arcs) []float64 {
	shape := c.Out.Shape()
	out, seen := make([]float64, c.Out.Size()), make([]bool, c.Out.Size())
	in, outgoing := make([]float64, a.vertices), make([]float64, a.vertices)
	for e := range a.src {
		outgoing[a.src[e]]++
		in[a.dst[e]]++
	}
	width := shape[2]
	if c.X != nil {
		width = c.X.Shape()[2]
	}
	for e := range a.src {
		s, d := int(a.src[e]), int(a.dst[e])
		coefficient := [...]float64{1, 1 / in[d], 1 / outgoing[s], 1 / math.Sqrt(in[d]*outgoing[s])}[c.Flags.Norm]
		if c.Flags.Transpose {
			s, d = d, s
		}
		for h := range shape[1] {
			for i := range width {
				at := func(t *tensor.Tensor, row int) float64 {
					return t.At(row, h, min(i, t.Shape()[2]-1))
				}
				var x float64
				row := d
				switch c.Kind {
				case system.SpMMv:
					x = at(c.X, s)
				case system.SpMMve:
					x = combine(c.Flags.Op, at(c.X, s), at(c.W, e))
				case system.SpMMe:
					x = at(c.W, e)
				case system.SDDMMvv:
					x, row = combine(c.Flags.Op, at(c.X, s), at(c.Y, d)), e
				case system.SDDMMve:
					x, row = at(c.X, s), e
					if c.Flags.Op != system.OpCopy {
						x = combine(c.Flags.Op, at(c.W, e), x)
					}
				}
				k := (row*shape[1]+h)*shape[2] + min(i, shape[2]-1)
				switch {
				case c.Flags.Reduce == system.Sum:
					out[k] += coefficient * x
				case !seen[k]:
					out[k] = x
				case c.Flags.Reduce == system.Max:
					out[k] = math.Max(out[k], x)
				default:
					out[k] = math.Min(out[k], x)
				}
				seen[k] = true
			}
		}
	}
	return out
}

func combine(op system.Op, a, b float64) float64 {
	switch op {
	case system.OpAdd:
		return a + b
	case system.OpSub:
		return a - b
	case system.OpDiv:
		return a / b
	}
	return a * b
}

func TestCallsGiveWhatTheirFormulasSay(t *testing.T) {
	each(t, func(t *testing.T, s system.System) {
		r := rand.New(rand.NewPCG(1, 2))
		graphs := []arcs{{}, {vertices: 3}, random(r, 1, 3), random(r, 9, 30), random(r, 40, 500)}
		for _, a := range graphs {
			g := a.graph(t, s)
			for k := range system.NumKinds {
				for _, f := range k.Flags() {
					for _, size := range [][3]int{{1, 1, 1}, {1, 7, 7}, {3, 5, 1}, {2, 16, 16}} {
						c := newCall(r, a, k, f, size[0], size[1], size[2])
						what := fmt.Sprintf("%v(%v) of %d vertices and %d edges, heads %d, widths %d, %d", k, f, a.vertices, len(a.src), size[0], size[1], size[2])
						numtest.Near(t, what, on(t, c, s, g, a), reference(c, a), 1e-5)
					}
				}
			}
		}
	})
}

func TestBitsDoNotDependOnThreadsNorRuns(t *testing.T) {
	defer tensor.SetThreads(tensor.Threads())
	each(t, func(t *testing.T, s system.System) {
		r := rand.New(rand.NewPCG(3, 4))
		a := random(r, 700, 6000)
		g := a.graph(t, s)
		for k := range system.NumKinds {
			for _, f := range k.Flags() {
				c := newCall(r, a, k, f, 2, 9, 1)
				var want []float64
				for _, threads := range []int{1, 2, 3, 3} {
					tensor.SetThreads(threads)
					got := on(t, c, s, g, a)
					if want == nil {
						want = got
					}
					if !numtest.SameBits(got, want) {
						t.Errorf("%v(%v): other bits with %d threads", k, f, threads)
					}
				}
			}
		}
	})
}

func TestWhatIsNotFiniteIsPassedOn(t *testing.T) {
	each(t, func(t *testing.T, s system.System) {
		a := arcs{3, []int32{0, 1, 2}, []int32{1, 1, 0}}
		g := a.graph(t, s)
		for _, bad := range []float64{math.NaN(), math.Inf(1)} {
			for _, other := range []float64{0, 1} {
				r := rand.New(rand.NewPCG(5, 6))
				c := newCall(r, a, system.SpMMve, system.Flags{}, 1, 4, 1)
				c.X.Fill(other)
				c.W.Fill(bad)
				for i, x := range on(t, c, s, g, a)[:8] { // vertices 0 and 1 have in-edges
					if want := other * bad; !(x == want || x != x && want != want) {
						t.Errorf("%v * %v: element %d of the sum is %v", other, bad, i, x)
					}
				}
				c.X.Fill(bad)
				c.W.Fill(other)
				for i, x := range on(t, c, s, g, a)[:8] {
					if want := other * bad; !(x == want || x != x && want != want) {
						t.Errorf("%v * %v: element %d of the sum is %v", bad, other, i, x)
					}
				}
			}
		}
		for _, reduce := range []system.Reduce{system.Max, system.Min} {
			for place := range 2 { // of two edges of vertex 1
				c := newCall(rand.New(rand.NewPCG(7, 8)), a, system.SpMMv, system.Flags{Reduce: reduce}, 1, 4, 1)
				tensor.Data[float32](c.X)[4*place] = float32(math.NaN())
				if x := on(t, c, s, g, a)[4]; x == x {
					t.Errorf("%v of NaN in place %d is %v", reduce, place, x)
				}
			}
		}
	})
}

func TestEdgesOutOfRangeAreErrors(t *testing.T) {
	each(t, func(t *testing.T, s system.System) {
		for name, a := range map[string]arcs{
			"source":      {2, []int32{0, 2}, []int32{0, 1}},
			"destination": {2, []int32{0, 1}, []int32{0, 2}},
			"negative":    {2, []int32{-1}, []int32{0}},
			"lengths":     {2, []int32{0}, nil},
			"vertices":    {-1, nil, nil},
		} {
			if _, err := s.NewGraph(a.vertices, a.src, a.dst); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
	})
}

func TestEdgesAreCopied(t *testing.T) {
	each(t, func(t *testing.T, s system.System) {
		r := rand.New(rand.NewPCG(9, 10))
		a := random(r, 10, 40)
		mine := arcs{a.vertices, append([]int32{}, a.src...), append([]int32{}, a.dst...)}
		g := mine.graph(t, s)
		clear(mine.src)
		clear(mine.dst)
		c := newCall(r, a, system.SpMMv, system.Flags{}, 1, 4, 4)
		numtest.Near(t, "sum", on(t, c, s, g, a), reference(c, a), 1e-5)
	})
}

func TestMemoryGrowsWithTheGraph(t *testing.T) {
	each(t, func(t *testing.T, s system.System) {
		r := rand.New(rand.NewPCG(11, 12))
		var last system.Memory
		for _, edges := range []int{1000, 4000} {
			a := random(r, 100, edges)
			g := a.graph(t, s)
			on(t, newCall(r, a, system.SpMMve, system.Flags{}, 1, 4, 1), s, g, a)
			m := g.Memory()
			if m.Graph < int64(8*edges) || m.Graph <= last.Graph || m.Workspace < 0 {
				t.Errorf("%d edges: %+v after %+v", edges, m, last)
			}
			last = m
		}
	})
}

// The tensors of edges of an unfused product are the gathered rows and the messages.
func TestGatherScatterCountsItsTensorsOfEdges(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	s, a := systems.GatherScatter(), random(r, 50, 300)
	g := a.graph(t, s)
	on(t, newCall(r, a, system.SpMMve, system.Flags{}, 2, 8, 1), s, g, a)
	if got, want := g.Memory().Workspace, int64(2*300*2*8*4); got != want {
		t.Errorf("workspace of %d bytes, want %d", got, want)
	}
}

func TestNamesAreUniqueAndTheSystems(t *testing.T) {
	seen := make(map[string]bool)
	for _, spec := range append(systems.All(), systems.Spec{Name: "null", Doc: "null", Open: func() (system.System, error) { return systems.Null(), nil }}) {
		if seen[spec.Name] || spec.Doc == "" {
			t.Errorf("%q: twice, or without doc", spec.Name)
		}
		seen[spec.Name] = true
		if s, err := spec.Open(); err == nil {
			if s.Name() != spec.Name {
				t.Errorf("%q opens %q", spec.Name, s.Name())
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestNullLeavesOutputsAsTheyAre(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	s, a := systems.Null(), random(r, 5, 9)
	g := a.graph(t, s)
	for k := range system.NumKinds {
		for _, f := range k.Flags() {
			c := newCall(r, a, k, f, 1, 2, 2)
			for i, x := range on(t, c, s, g, a) {
				if x == x {
					t.Fatalf("%v(%v): element %d is %v", k, f, i, x)
				}
			}
		}
	}
}
