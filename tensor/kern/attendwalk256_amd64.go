//go:build amd64 && !noasm

// Attention's forward pass with AVX2: from slices to the assembly, which walks the edges of a block
// of columns with their weights, and of further blocks with the weights that are there.

package kern

// attendWalk is the forward pass in one walk.
func attendWalk(a *AttendForward[float32]) {
	p := weighingOf(&a.Attention, &a.Scores[0])
	p.most, p.least, p.sums2 = &a.Most[0], a.Least, p.sums
	if a.Acc2 == nil {
		p.run(&a.Attention, &oneSum, a.Acc, nil, sumByEdge)
		return
	}
	p.sums2 = &a.Sums2[0]
	p.run(&a.Attention, &twoSums, a.Acc, a.Acc2, sumTwice)
}

// weighing is an Attention as the assembly reads it: sums of rows, and what their weights are
// made of.
type weighing struct {
	summing
	scores      *float32 // picked, of the edges from the first one on
	picked      *float32 // numbers of vertices
	own         *float32
	most        *float32
	sums, sums2 *float32 // the same where there are no second ones
	masks       *float32 // nil for none
	filled      int      // the edges for which scores are picked before

	slope, least, bound, above, below float32
}

func weighingOf(a *Attention[float32], picked *float32) weighing {
	const past = 8 // a vector's lanes that belong to no edge
	rows := len(a.Bounds) - 1
	first, last := int(a.Bounds[0]), int(a.Bounds[rows])
	weights := last - first + past
	p := weighing{
		summing: summingOf(a.Width, a.IDs, a.Bounds, Ends[float32]{}),
		picked:  picked, own: &a.Own[0], sums: &a.Sums[0], filled: min(first+picked256, last),
		slope: a.Slope, bound: a.Bound, above: a.Above, below: a.Below,
	}
	p.ahead = min(max(cap(a.IDs)-picked256, 0), last)
	p.firstBytes = bytesOf[float32](first)
	p.w, p.w2, p.scores = &a.Scratch[0], &a.Scratch[weights], &a.Scratch[2*weights]
	p.by = &a.Scratch[3*weights+picked256]
	if a.Masks != nil {
		p.masks = &a.Masks[0]
	}
	return p
}

// run sums up the rows of all columns, forward.
func (p *weighing) run(a *Attention[float32], blocks *[4]int, acc, second []float32, way sumWay) {
	ends := Ends[float32]{Past: a.Past}
	vectors := vectorsAt[float32](blocks, a.Width)
	first := *p
	first.summing = blockAt(&p.summing, 0, vectors, acc, second, a.X, ends, way)
	first.walk(way, vectors)
	sumBlocks(&p.summing, blocks, vectors*vectorOf[float32](), acc, second, a.X, a.Width, ends, way)
}

// walk computes the weights and sums up the first columns.
func (p *weighing) walk(way sumWay, vectors int) {
	switch way {
	case sumByEdge:
		switch vectors {
		case 1:
			attendOneAVX2(p)
		case 2:
			attendTwoAVX2(p)
		case 4:
			attendFourAVX2(p)
		case 8:
			attendEightAVX2(p)
		}
	case sumTwice:
		switch vectors {
		case 1:
			attendTwiceOneAVX2(p)
		case 2:
			attendTwiceTwoAVX2(p)
		case 4:
			attendTwiceFourAVX2(p)
		}
	}
}

//go:noescape
func attendOneAVX2(a *weighing)

//go:noescape
func attendTwoAVX2(a *weighing)

//go:noescape
func attendFourAVX2(a *weighing)

//go:noescape
func attendEightAVX2(a *weighing)

//go:noescape
func attendTwiceOneAVX2(a *weighing)

//go:noescape
func attendTwiceTwoAVX2(a *weighing)

//go:noescape
func attendTwiceFourAVX2(a *weighing)
