//go:build amd64 && !noasm

// Attention with AVX2: from slices to the assembly. The weights of all edges come first,
// then the sums of rows that they weigh, for 16 registers do not hold both.

package kern

// useAttention256 replaces the kernels of attention with one score an edge, of rows that are
// whole vectors.
func useAttention256(s *Set[float32]) {
	atOnce := func(heads, width int, _ bool) bool { return heads == 1 && width > 0 && width%8 == 0 }
	plainly, backPlainly := s.SegmentAttend, s.SegmentAttendBack
	s.AttendsAtOnce = atOnce
	s.SegmentAttend = func(a AttendForward[float32]) {
		if !atOnce(a.Heads, a.Width, a.Masks != nil) || a.withoutEdges() {
			plainly(a)
			return
		}
		a.check()
		p := weighingOf(&a.Attention)
		p.most, p.least = &a.Most[0], a.Least
		first, last := int(a.Bounds[0]), int(a.Bounds[len(a.Bounds)-1])
		gatherOnesAVX2(p.weights, &a.Scores[0], 1, &a.IDs[first], last-first)
		if a.Acc2 == nil {
			attendWeightsAVX2(&p)
			p.sum(&a.Attention, a.Acc, nil, sumByEdge)
			return
		}
		p.sums2 = &a.Sums2[0]
		attendWeightsAVX2(&p)
		p.sum(&a.Attention, a.Acc, a.Acc2, sumTwice)
	}
	s.SegmentAttendBack = func(a AttendBackward[float32]) {
		if !atOnce(a.Heads, a.Width, a.Masks != nil) || a.withoutEdges() {
			backPlainly(a)
			return
		}
		a.check()
		p := weighingOf(&a.Attention)
		p.picked = &a.Quads[0]
		attendBackWeightsAVX2(&p)
		p.sum(&a.Attention, a.Acc, a.Rows, sumAndDot)
	}
}

// weighing is the weights of edges as the assembly reads what they are made of.
type weighing struct {
	weights, seconds *float32 // of the edges from the first one on; the scores of vertices at first
	ids, bounds      *int32
	picked           *float32 // numbers of vertices
	own              *float32
	most             *float32
	sums, sums2      *float32 // the second may be nil
	masks            *float32 // nil for none
	rows             int      // left

	slope, least, bound, above, below float32
}

func weighingOf(a *Attention[float32]) weighing {
	const past = 8 // a vector's lanes that belong to no edge
	rows := len(a.Bounds) - 1
	edges := int(a.Bounds[rows] - a.Bounds[0])
	p := weighing{
		weights: &a.Scratch[0], seconds: &a.Scratch[edges+past], ids: &a.IDs[0], bounds: &a.Bounds[0],
		own: &a.Own[0], sums: &a.Sums[0], rows: rows,
		slope: a.Slope, bound: a.Bound, above: a.Above, below: a.Below,
	}
	if a.Masks != nil {
		p.masks = &a.Masks[0]
	}
	return p
}

// sum sums up the rows that edges weigh.
func (p *weighing) sum(a *Attention[float32], acc, second []float32, way sumWay) {
	ends := Ends[float32]{Past: a.Past}
	q := summingOf(a.Width, a.IDs, a.Bounds, ends)
	q.w, q.w2, q.firstBytes, q.dots = p.weights, p.seconds, 4*int(a.Bounds[0]), p.sums
	blocks := &twoSums
	if way == sumByEdge {
		blocks = &oneSum
	}
	sumBlocks(&q, blocks, acc, second, a.X, a.Width, ends, way)
}

//go:noescape
func attendWeightsAVX2(a *weighing)

//go:noescape
func attendBackWeightsAVX2(a *weighing)
