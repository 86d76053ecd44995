package check

// Which mistake explains a wrong result.

import (
	"math"

	"github.com/asterias-ml/asterias/benchmarks/system"
)

// diagnose returns what explains results that are wrong: of a run on an output full of
// poison, of one on an output full of prefill, and of one like the first.
func (p *problem) diagnose(want *sums, first, second, third []float32) []explanation {
	if third == nil || !sameBits(first, third) {
		return []explanation{{NotRepeatable}}
	}
	wrong := make([]int, 0, len(first))
	allUnwritten, read := true, false
	for i := range first {
		unwritten := math.Float32bits(first[i]) == math.Float32bits(poison) && second[i] == prefill
		same := math.Float32bits(first[i]) == math.Float32bits(second[i])
		read = read || !unwritten && !same
		if !want.agrees(i, float64(first[i])) {
			wrong = append(wrong, i)
			allUnwritten = allUnwritten && unwritten
		}
	}
	if read {
		return []explanation{{OutputRead}}
	}
	found := p.where(wrong, first, allUnwritten)
	if allUnwritten {
		return append(found, explanation{Unwritten})
	}
	for _, c := range p.candidates() {
		if p.forward(c.m).worst(first) < 0 {
			found = append(found, c.explanation)
		}
	}
	if p.heads > 1 && all(wrong, func(i int) bool { return p.head(i) > 0 }) {
		found = append(found, explanation{HeadsIgnored})
	}
	if len(found) == 0 {
		found = []explanation{{WrongValues}}
	}
	return found
}

// where names the mistakes that show in where wrong elements are.
func (p *problem) where(wrong []int, got []float32, unwritten bool) (found []explanation) {
	add := func(pitfall Pitfall) { found = append(found, explanation{pitfall}) }
	row := func(i int) int { return i / (p.heads * p.shape()[2]) }
	edgeless := func(i int) bool { return !p.onEdges() && p.edgeless(row(i)) }
	notFinite := func(i int) bool { return math.IsNaN(float64(got[i])) || math.IsInf(float64(got[i]), 0) }
	lastColumn := func(i int) bool { return (i+1)%p.shape()[2] == 0 }
	switch {
	case !all(wrong, edgeless):
	case unwritten:
		add(RowsUnwritten)
		add(OutputRead) // adding 0 looks the same
	case p.flags.Norm != system.NormNone && all(wrong, notFinite):
		add(ZeroDegree)
	default:
		add(EmptyReduction)
	}
	// Of a single column nothing can be right, so that it tells something only if it was
	// not touched.
	if p.width%2 == 1 && (p.shape()[2] > 1 || unwritten) && all(wrong, lastColumn) {
		add(OddWidth)
	}
	if !unwritten {
		return found
	}
	if p.onEdges() && (all(wrong, p.repeats(row, false)) || all(wrong, p.repeats(row, true))) {
		add(DuplicateEdges)
	}
	if p.heads > 1 && all(wrong, func(i int) bool { return p.head(i) > 0 }) {
		add(HeadsIgnored)
	}
	return found
}

func all(list []int, f func(i int) bool) bool {
	for _, i := range list {
		if !f(i) {
			return false
		}
	}
	return true
}

// head returns which head an element of the result is of.
func (p *problem) head(i int) int { return i / p.shape()[2] % p.heads }

// repeats tells of elements whether their edges are not the first, or not the last, of
// their like.
func (p *problem) repeats(row func(i int) int, last bool) func(i int) bool {
	_, kept := p.g.once(last)
	is := make(map[int]bool, len(kept))
	for _, e := range kept {
		is[int(e)] = true
	}
	return func(i int) bool { return !is[row(i)] }
}

// A candidate is a mistake with its names.
type candidate struct {
	explanation
	m mistake
}

// candidates returns the mistakes that a call can have, the likelier ones first.
func (p *problem) candidates() []candidate {
	var list []candidate
	add := func(name Pitfall, m mistake) { list = append(list, candidate{explanation{name}, m}) }

	direction := Transposed
	switch {
	case p.onEdges():
		direction = EndsSwapped
	case p.flags.Transpose:
		direction = NotTransposed
	}
	add(direction, mistake{flip: true})
	add(SlicesKept, mistake{slices: slicesRead})
	add(SlicesKept, mistake{slices: slicesReadDegreesNot})
	if p.flags.Norm != system.NormNone {
		norms := p.normMistakes()
		list = append(list, norms...)
		for _, n := range norms {
			n.m.flip = true
			list = append(list, candidate{explanation{direction, n.explanation[0]}, n.m})
		}
	}
	for _, o := range orders {
		if p.w != nil {
			add(EdgeOrder, mistake{orderW: o})
		}
		if p.onEdges() {
			add(EdgeOrder, mistake{orderOut: o})
		}
		if p.onEdges() && p.w != nil {
			add(EdgeOrder, mistake{orderW: o, orderOut: o})
		}
	}
	if !p.onEdges() {
		for _, once := range []onlyOnce{firstOnly, lastOnly, firstDegree, lastDegree} {
			add(DuplicateEdges, mistake{once: once})
		}
	}
	if p.w != nil && p.heads > 1 {
		add(HeadsIgnored, mistake{headOfW: func(p *problem, e, _ int) int { return e * p.heads }})
		add(HeadsIgnored, mistake{headOfW: func(p *problem, e, h int) int { return h*len(p.g.src) + e }})
	}
	return list
}

// normMistakes are those of the coefficient of an edge u→v.
func (p *problem) normMistakes() []candidate {
	side := NormSide // divided before instead of after
	if p.flags.Transpose {
		side = NormAfter
	}
	list := []candidate{
		{explanation{side}, mistake{coefficient: otherEnd}},
		{explanation{side}, mistake{coefficient: reversed}},
		{explanation{NormMissing}, mistake{coefficient: noCoefficient}},
		{explanation{WrongDegree}, mistake{coefficient: degreesSwapped}},
	}
	if p.flags.Norm == system.NormBoth {
		list = append(list,
			candidate{explanation{WrongDegree}, mistake{coefficient: inDegrees}},
			candidate{explanation{WrongDegree}, mistake{coefficient: outDegrees}})
	}
	list = append(list, candidate{explanation{WrongDegree}, mistake{coefficient: oneMore}})
	for _, other := range []system.Norm{system.NormMean, system.NormLeft, system.NormBoth} {
		if other != p.flags.Norm {
			list = append(list, candidate{explanation{WrongNorm}, mistake{coefficient: instead(other)}})
		}
	}
	return list
}
