package check

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/internal/rng"
)

// nudged is the sum of cotangent times result with one operand's element moved.
func (p *problem) nudged(values []float32, i int, by float32, cotangent []float32) float64 {
	old := values[i]
	values[i] += by
	defer func() { values[i] = old }()
	sum := 0.0
	for k, v := range p.forward(mistake{}).value {
		sum += v * float64(cotangent[k])
	}
	return sum
}

func TestReferenceGradientsAreCentralDifferences(t *testing.T) {
	const h = 1.0 / 1024 // exact in float32 beside the operands
	for _, g := range graphs(3)[:4] {
		for _, c := range (Options{}).calls() {
			if c.flags.Reduce != system.Sum {
				continue
			}
			for _, wWidth := range wWidths(c.kind, c.flags, 2) {
				p := newProblem(g, c.kind, c.flags, sizes{2, 2, wWidth}, 5)
				cotangent := values(p.shape().Size(), 7)
				got := p.backward(cotangent)
				for k, operand := range [][]float32{p.x, p.y, p.w} {
					for i := range operand {
						step := float32(h)
						above, below := operand[i]+step, operand[i]-step
						slope := (p.nudged(operand, i, step, cotangent) - p.nudged(operand, i, -step, cotangent)) / float64(above-below)
						value := []*sums{got.x, got.y, got.w}[k].value[i]
						if !(math.Abs(slope-value) <= 2e-4*max(1, math.Abs(value))) {
							t.Fatalf("%v: gradient of %c[%d] is %v, differences give %v", p, "xyw"[k], i, value, slope)
						}
					}
				}
			}
		}
	}
}

func TestReferenceOfOneEdgeIsTheFormula(t *testing.T) {
	g := newGraph("one edge", 2, []int32{0}, []int32{1})
	const x0, x1, y0, y1, w = 3.0, 5.0, 7.0, 11.0, 2.0
	for _, c := range []struct {
		kind  system.Kind
		flags system.Flags
		want  []float64
	}{
		{system.SpMMv, system.Flags{}, []float64{0, x0}},
		{system.SpMMv, system.Flags{Transpose: true}, []float64{x1, 0}},
		{system.SpMMv, system.Flags{Reduce: system.Max}, []float64{0, x0}},
		{system.SpMMve, system.Flags{Op: system.OpSub}, []float64{0, x0 - w}},
		{system.SpMMve, system.Flags{Op: system.OpDiv, Transpose: true}, []float64{x1 / w, 0}},
		{system.SpMMe, system.Flags{Reduce: system.Min}, []float64{0, w}},
		{system.SDDMMvv, system.Flags{Op: system.OpSub}, []float64{x0 - y1}},
		{system.SDDMMvv, system.Flags{Op: system.OpDiv, Transpose: true}, []float64{x1 / y0}},
		{system.SDDMMvv, system.Flags{Op: system.OpDot}, []float64{x0 * y1}},
		{system.SDDMMve, system.Flags{Op: system.OpSub}, []float64{w - x0}},
		{system.SDDMMve, system.Flags{Op: system.OpCopy, Transpose: true}, []float64{x1}},
	} {
		p := newProblem(g, c.kind, c.flags, sizes{1, 1, 1}, 1)
		for k, operand := range [][]float32{p.x, p.y, p.w} {
			copy(operand, [][]float32{{x0, x1}, {y0, y1}, {w}}[k])
		}
		got := p.forward(mistake{}).value
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: got %v, want %v", callName(c.kind, c.flags), got, c.want)
		}
	}
}

func TestCoefficientsAreThoseOfTheMatrices(t *testing.T) {
	// Vertex 0 has in-degree 1 and out-degree 2, vertex 1 in-degree 3 and no out-edges.
	g := newGraph("", 3, []int32{0, 0, 2, 2}, []int32{1, 1, 1, 0})
	for _, c := range []struct {
		norm system.Norm
		want float64 // of 0→1
	}{
		{system.NormNone, 1}, {system.NormMean, 1.0 / 3}, {system.NormLeft, 0.5}, {system.NormBoth, 1 / math.Sqrt(6)},
	} {
		if got := coefficientOf(g, c.norm, 0, 1); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v: got %v, want %v", c.norm, got, c.want)
		}
	}
	if got := coefficientOf(g, system.NormLeft, 1, 0); got != 1 {
		t.Errorf("degree 0 counts as %v, want 1", 1/got)
	}
}

func TestBoundLetsRoundingPassAndHalfPrecisionNot(t *testing.T) {
	g := pairs("", 301, star(300))
	p := newProblem(g, system.SpMMv, system.Flags{}, sizes{1, 1, 1}, 9)
	want := p.forward(mistake{})
	up, down := float32(0), float32(0)
	for v := 1; v <= 300; v++ {
		up += p.x[v]
		down += p.x[301-v]
	}
	for _, sum := range []float32{up, down} {
		if !want.agrees(0, float64(sum)) {
			t.Errorf("%v is off from %v by more than %v", sum, want.value[0], want.bound(0))
		}
	}
	if off := want.magnitude[0] / (1 << 11) / 2; want.agrees(0, want.value[0]+off) {
		t.Errorf("%v, half precision's, is allowed beside %v", off, want.value[0])
	}
}

func star(n int) [][2]int32 {
	var edges [][2]int32
	for v := int32(1); v <= int32(n); v++ {
		edges = append(edges, [2]int32{v, 0})
	}
	return edges
}

func TestGraphsTellWhatTheyAreNamedFor(t *testing.T) {
	for _, g := range graphs(1) {
		lone := 0
		for v := range g.vertices {
			if g.in[v] == 0 || g.out[v] == 0 {
				lone++
			}
		}
		once, _ := g.once(false)
		loops := 0
		for e := range g.src {
			if g.src[e] == g.dst[e] {
				loops++
			}
			if g.src[e] < 0 || int(g.src[e]) >= g.vertices || g.dst[e] < 0 || int(g.dst[e]) >= g.vertices {
				t.Fatalf("%s: edge %d runs from %d to %d", g.name, e, g.src[e], g.dst[e])
			}
		}
		repeats := len(g.src) - len(once.src)
		ok := map[string]bool{
			"directed":               lone == 0 && loops == 0 && repeats == 0,
			"duplicate edges":        lone == 0 && repeats > 0,
			"self-loops":             loops > 0 && repeats == 0,
			"vertices without edges": lone > 2 && repeats == 0,
			"random":                 repeats > 0 && loops > 0 && lone > 0,
			"one vertex":             g.vertices == 1 && loops == 1,
			"no edges":               g.vertices > 0 && len(g.src) == 0,
			"no vertices":            g.vertices == 0,
			"hub of 1000 edges":      slices.Contains(g.in, 1000),
		}[g.name]
		if !ok {
			t.Errorf("%s: %d vertices without some edges, %d loops, %d repeated edges", g.name, lone, loops, repeats)
		}
	}
}

func TestReferenceModelsHaveGradientsOfCentralDifferences(t *testing.T) {
	const h = 1e-6
	for _, arch := range []Arch{GCN, GIN, GAT} {
		c := &modelCheck{arch: arch, o: Options{Quick: true}}
		s := c.spec(c.graphs()[0], 3)
		cotangent := newMatrix(s.Vertices, s.Widths[s.Layers()])
		for i := range cotangent.v {
			cotangent.v[i] = rng.Normal(8, uint64(i))
		}
		params := s.wellConditioned(cotangent, 4)
		r := newReference(s, params, modelMistake{})
		r.run(cotangent)
		for _, p := range s.parameters() {
			for i, x := range params[p.name].v {
				params[p.name].v[i] = x + h
				above := cotangent.dot(newReference(s, params, modelMistake{}).run(nil))
				params[p.name].v[i] = x - h
				below := cotangent.dot(newReference(s, params, modelMistake{}).run(nil))
				params[p.name].v[i] = x
				got, slope := r.grads[p.name].v[i], (above-below)/(2*h)
				if !(math.Abs(got-slope) <= 1e-5*max(1, r.grads[p.name].largest())) {
					t.Fatalf("%s: gradient of %s[%d] is %v, differences give %v", arch, p.name, i, got, slope)
				}
			}
		}
	}
}

func TestReferenceAttentionIsASoftmax(t *testing.T) {
	c := &modelCheck{arch: GAT, o: Options{Quick: true}}
	s := c.spec(c.graphs()[0], 1)
	r := newReference(s, s.draw(2), modelMistake{})
	h, _ := r.linear(0, "weight", features(s))
	a := r.attend(0, 1, h)
	total := make([]float64, s.Vertices)
	for e, x := range a.alpha {
		total[s.Dst[e]] += x
	}
	for v, x := range total {
		if math.Abs(x-1) > 1e-12 {
			t.Errorf("the coefficients of vertex %d sum to %v", v, x)
		}
	}
}
