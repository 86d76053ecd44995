package check

// Dropout, seen through a model that passes its input on: no edges but loops, weights
// that are identities, so that in training the output is the product of the masks.

import (
	"fmt"
	"math"
	"slices"

	"github.com/asterias-ml/asterias/tensor"
)

// Sizes of that model: enough elements to tell rates apart.
const (
	dropoutVertices = 256
	dropoutWidth    = 16
)

// dropoutSpec is the model.
func (c *modelCheck) dropoutSpec() Spec {
	s := Spec{
		Arch: c.arch, Widths: make([]int, len(architectures[c.arch].Widths)), Heads: 1, OutHeads: 1,
		Dropout: dropoutRate, Vertices: dropoutVertices,
		Features: tensor.Ones(tensor.Float32, dropoutVertices, dropoutWidth),
	}
	for i := range s.Widths {
		s.Widths[i] = dropoutWidth
	}
	if c.arch != GIN {
		for v := range int32(dropoutVertices) {
			s.Src, s.Dst = append(s.Src, v), append(s.Dst, v)
		}
	}
	return s
}

// identity are parameters that pass the input on.
func (s Spec) identity() map[string]*matrix {
	params := make(map[string]*matrix)
	for _, p := range s.parameters() {
		m := newMatrix(p.rows, p.cols)
		if p.rows == dropoutWidth {
			for i := range p.rows {
				*m.at(i, i) = 1
			}
		}
		params[p.name] = m
	}
	return params
}

// dropout checks rate, scale, seeds and gradient.
func (c *modelCheck) dropout() {
	s := c.dropoutSpec()
	net, done := c.open(s)
	defer done()
	if net == nil || c.lacks() {
		return
	}
	t := &comparison{modelCheck: c, spec: s, net: net, params: s.identity()}
	if !t.setParameters() {
		return
	}
	evaluated, trained := c.forward(net, false, 1), c.forward(net, true, 1)
	again, other := c.forward(net, true, 1), c.forward(net, true, 2)
	if evaluated == nil || trained == nil || again == nil || other == nil {
		return
	}
	ones := newMatrix(s.Vertices, dropoutWidth)
	for i := range ones.v {
		ones.v[i] = 1
	}
	out := trained.Float64s()
	switch detail := differs(evaluated, ones); {
	case detail != "" && c.report.OK():
		c.found(WrongOutput, "a model of identities", "%s", detail)
		return
	case detail != "":
		return // for what was found already
	case slices.Equal(out, evaluated.Float64s()):
		c.found(DroppedDropout, "training", "the output is that of evaluation")
		return
	}
	if !slices.Equal(out, again.Float64s()) {
		c.found(DropoutSeed, "training", "the same seed gives two outputs")
		return
	}
	if slices.Equal(out, other.Float64s()) {
		c.found(DropoutSeed, "training", "two seeds give the same output")
	}
	if c.rates(s, out) {
		t.dropoutGradient(out)
	}
}

// lacks tells whether a parameter without which nothing passes was missing before.
func (c *modelCheck) lacks() bool {
	return slices.ContainsFunc(c.report.Findings, func(f Finding) bool {
		return f.Pitfall == MissingParameter || f.Pitfall == DropoutInEval
	})
}

// rates compares how much is kept, and what becomes of it.
func (c *modelCheck) rates(s Spec, out []float64) bool {
	places := s.Layers() - 1
	kept, sum := 0, 0.0
	for _, v := range out {
		if v != 0 {
			kept++
			sum += v
		}
	}
	n := float64(len(out))
	share := float64(kept) / n
	near := func(places int) bool {
		q := math.Pow(1-dropoutRate, float64(places))
		return math.Abs(share-q) <= 5*math.Sqrt(q*(1-q)/n)
	}
	want := math.Pow(1-dropoutRate, float64(places))
	if !near(places) {
		detail := fmt.Sprintf("%.3f of the elements are kept after %d dropouts of %g, want %.3f", share, places, dropoutRate, want)
		for fewer := places - 1; fewer > 0; fewer-- {
			if near(fewer) {
				c.found(DroppedDropout, "training", "%s: as after %d", detail, fewer)
				return false
			}
		}
		c.found(DropoutRate, "training", "%s", detail)
		return false
	}
	for _, v := range out {
		if v != 0 && !(math.Abs(v*want-1) <= modelTolerance) {
			c.found(DropoutScale, "training", "what is kept is multiplied by %.4g on average, want %.4g", sum/float64(kept), 1/want)
			return false
		}
	}
	return true
}

// dropoutGradient compares the gradient of the sum of the output with respect to the
// first product's weights: the input is 1, so that element (k, j) is the sum of what
// arrived in column j.
func (t *comparison) dropoutGradient(out []float64) {
	name := "0.weight"
	if t.arch == GIN {
		name = "0.w2"
	}
	ones := newMatrix(t.spec.Vertices, dropoutWidth)
	want := newMatrix(dropoutWidth, dropoutWidth)
	for i, v := range out {
		ones.v[i] = 1
		for k := range dropoutWidth {
			*want.at(k, i%dropoutWidth) += v
		}
	}
	got := t.gradientsOf(t.net, ones, true, 1)
	if got == nil || got[name] == nil {
		return // reported before
	}
	if detail := differs(got[name], want); detail != "" {
		t.found(DropoutGradient, "training", "gradient of %s: %s", name, detail)
	}
}
