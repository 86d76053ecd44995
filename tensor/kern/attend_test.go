// Tests of the kernels of attention, against their definition in float64.

package kern

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// attentionCase is rows with their edges, and all that attention reads of them.
type attentionCase[T Float] struct {
	what          string
	width, heads  int
	rows          int
	bounds, ids   []int32
	x, own        []T
	scores        []T // a number of each vertex, forward
	quads         []T // four, backward
	among         []T // the own numbers that have one centre; nil for those of the rows
	ownRows       []T
	masks         []T // nil for none
	slope, least  T
	bound, up, dn T
	shift         int // elements by which results are off a cache line
}

// attentionCases are of rows with none, one, few and many edges, of segments that begin
// anywhere and end where there are no more ids, or some, or plenty.
func attentionCases[T Float](r *rand.Rand) []attentionCase[T] {
	var out []attentionCase[T]
	for i, degrees := range [][]int{
		{}, {0}, {1}, {0, 0, 0}, {15, 16, 17}, {1, 0, 31, 32, 33, 0}, {64, 0, 65, 2, 129, 0}, {300},
		{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {3, 7, 1, 0, 2, 40, 5, 5, 9, 1, 100, 0},
	} {
		for _, shape := range []struct{ heads, columns int }{
			{1, 16}, {1, 32}, {1, 64}, {1, 128}, {1, 1}, {1, 48}, {1, 40}, {1, 72}, {1, 8}, {1, 104}, {1, 192}, {1, 200}, {1, 256}, {1, 328},
			{8, 8}, {4, 16}, {2, 32}, {8, 16}, {4, 32}, {2, 64}, {16, 8}, {12, 16}, {6, 32}, {8, 64}, {3, 16}, {5, 1},
			{8, 4}, {4, 8}, {2, 16}, {8, 2}, {4, 4}, {2, 8}, {24, 4}, {12, 8}, {6, 16}, {24, 2}, {12, 4}, {6, 8}, {8, 3},
		} {
			const vertices = 37
			heads, width := shape.heads, shape.heads*shape.columns
			c := attentionCase[T]{
				what: fmt.Sprintf("heads=%d width=%d degrees=%v", heads, width, degrees), width: width, heads: heads, rows: len(degrees),
				slope: 0.2, least: 1, bound: 0, up: 1, dn: 0.2, shift: 8 + i%3*16, // which with a guard's margin begins a line of float32
			}
			if i%2 == 1 {
				c.slope, c.least, c.bound, c.up, c.dn, c.shift = 0.5, 3, 0.1, 0.7, -0.3, i
			}
			if i%4 == 2 {
				c.least = 1e-30
			}
			first := i % 4 * 5
			c.bounds = []int32{int32(first)}
			for _, d := range degrees {
				c.bounds = append(c.bounds, c.bounds[len(c.bounds)-1]+int32(d))
			}
			edges := int(c.bounds[len(degrees)])
			ids := make([]int32, edges+[]int{0, 20, 200}[i%3])
			for e := range ids {
				ids[e] = r.Int32N(vertices)
			}
			c.ids = ids[:edges]
			random := func(n int) []T {
				x := make([]T, n)
				for k := range x {
					x[k] = T(r.NormFloat64())
				}
				return x
			}
			c.x, c.own, c.scores = random(vertices*width), random(len(degrees)*heads), random(vertices*heads)
			c.quads, c.ownRows = random(4*vertices*heads), random(len(degrees)*width)
			if i%3 != 0 {
				c.masks = make([]T, AttendMasks(heads, len(c.ids)))
				for k := range c.masks {
					c.masks[k] = T(2.5) * T(r.IntN(2))
					if k >= heads*len(c.ids) {
						c.masks[k] = T(math.NaN()) // what no result may depend on
					}
				}
			}
			for v := range vertices {
				for h := range heads {
					c.quads[(4*v+1)*heads+h] = T(3 + r.Float64()) // not below a score
					if i%4 != 0 {
						c.quads[(4*v+2)*heads+h] = T(0.1 + r.Float64()) // a factor 1/Σ
					}
				}
			}
			for r := range degrees {
				if degrees[r] == 0 {
					c.ownRows[r*width] = T(math.Inf(1)) // which no edge's row is multiplied with
					continue
				}
				for h := range heads { // an edge at the step, if no later row has the same vertex
					v := int(c.ids[c.bounds[r]])
					c.scores[v*heads+h] = c.bound - c.own[r*heads+h]
					c.quads[4*v*heads+h] = c.scores[v*heads+h]
				}
			}
			out = append(out, c)
		}
	}
	return out
}

func (c *attentionCase[T]) common(acc, sums []T, past bool) Attention[T] {
	n := 0
	if c.rows > 0 {
		n = int(c.bounds[c.rows] - c.bounds[0])
	}
	scratch := make([]T, AttendScratch(c.heads, n, c.rows))
	for i := range scratch {
		scratch[i] = T(math.NaN()) // what no result may depend on
	}
	return Attention[T]{
		X: c.x, Width: c.width, Heads: c.heads, IDs: c.ids, Bounds: c.bounds, Own: c.own, Slope: c.slope,
		Bound: c.bound, Above: c.up, Below: c.dn, Masks: c.masks, Acc: acc, Sums: sums, Past: past, Scratch: scratch,
	}
}

// forwardOf is the operands of a set's forward pass, with powers as who calls it finds them.
func (c *attentionCase[T]) forwardOf(set *Set[T], acc, sums, most []T, least T, past bool) AttendForward[T] {
	f := AttendForward[T]{Attention: c.common(acc, sums, past), Scores: c.scores, Most: most, Least: least}
	if f.Centre, f.Apart = c.centre(set, c.scores); f.Apart && least <= 1 {
		f.Scores, f.Powers = nil, c.powers(set, 4, f.Centre)
		return f
	}
	f.Apart = false
	return f
}

// aloneOf is so the operands where rows alone are wanted; false if the set has no such way.
func (c *attentionCase[T]) aloneOf(set *Set[T], acc []T, past bool) (f AttendForward[T], ok bool) {
	f = c.forwardOf(set, acc, nil, nil, c.least, past)
	if f.Apart && c.masks == nil {
		f.Powers = c.powers(set, 2, f.Centre)
	}
	return f, f.Apart
}

// powers are those of the vertices, with as much behind them as there may be.
func (c *attentionCase[T]) powers(set *Set[T], perVertex int, centre T) []T {
	powers := slices.Repeat([]T{T(math.NaN())}, AttendNumbers(perVertex, len(c.x)/c.width))
	set.AttendPowers(powers, c.scores, perVertex, c.slope, centre)
	return powers
}

// backwardOf is so the operands of its backward pass.
func (c *attentionCase[T]) backwardOf(set *Set[T], acc, sums []T, past bool) AttendBackward[T] {
	b := AttendBackward[T]{Attention: c.common(acc, sums, past), Quads: c.quads, Rows: c.ownRows}
	among := c.among
	if among == nil {
		among = c.own
	}
	if centre, ok := c.centre(set, among); ok {
		var parts [4][]T
		for i := range parts {
			for v := range len(c.quads) / 4 {
				parts[i] = append(parts[i], c.quads[4*v+i])
			}
		}
		factors := c.noFactors()
		if set.AttendFactors(factors, parts[0], parts[1], parts[2], parts[3], c.slope, centre) {
			b.Apart, b.Factors, b.Centre = true, factors, centre
		}
	}
	return b
}

func (c *attentionCase[T]) centre(set *Set[T], numbers []T) (centre T, ok bool) {
	if !set.Attends(c.heads, c.width, c.masks != nil).Apart || c.bound != 0 || c.up != 1 || c.slope < 0 || c.slope > 1 {
		return 0, false
	}
	return set.AttendCentre(numbers)
}

// noFactors is room for factors.
func (c *attentionCase[T]) noFactors() []T {
	return slices.Repeat([]T{T(math.NaN())}, AttendNumbers(4, len(c.x)/c.width))
}

// score is the score of an edge of row r at a head by the number of its vertex, and its step.
func (c *attentionCase[T]) score(number T, r, head int) (score, step float64) {
	x := number + c.own[r*c.heads+head]
	step = float64(c.dn)
	if x > c.bound {
		step = float64(c.up)
	}
	if x < 0 {
		x *= c.slope
	}
	return float64(x), step
}

// mask is that of edge e.
func (c *attentionCase[T]) mask(e int32, head int) float64 {
	if c.masks == nil {
		return 1
	}
	return float64(c.masks[int(e)*c.heads+head])
}

// forward is the definition: for each head of a row the largest score, the sum, the second
// sum, and the two rows.
func (c *attentionCase[T]) forward(r, head int) (most, sum, sum2 float64, acc, acc2 []float64) {
	columns := c.width / c.heads
	acc, acc2 = make([]float64, columns), make([]float64, columns)
	edges := c.ids[c.bounds[r]:c.bounds[r+1]]
	if len(edges) == 0 {
		return 0, 0, 0, acc, acc2
	}
	most = math.Inf(-1)
	for _, id := range edges {
		if y, _ := c.score(c.scores[int(id)*c.heads+head], r, head); y > most || y != y {
			most = y
		}
	}
	for i, id := range edges {
		y, step := c.score(c.scores[int(id)*c.heads+head], r, head)
		p := math.Exp(y - most)
		sum, sum2 = sum+p, sum2+p*step
		for k := range acc {
			x := float64(c.x[int(id)*c.width+head*columns+k]) * c.mask(c.bounds[r]+int32(i), head)
			acc[k] += p * x
			acc2[k] += p * step * x
		}
	}
	for k := range acc {
		acc[k] /= math.Max(sum, float64(c.least))
		acc2[k] /= math.Max(sum, float64(c.least))
	}
	return most, sum, sum2, acc, acc2
}

func (c *attentionCase[T]) backward(r, head int) (sum float64, acc []float64) {
	columns := c.width / c.heads
	acc = make([]float64, columns)
	for i, id := range c.ids[c.bounds[r]:c.bounds[r+1]] {
		q := c.quads[4*int(id)*c.heads+head:]
		y, step := c.score(q[0], r, head)
		p, dot := math.Exp(y-float64(q[c.heads])), 0.0
		for k := range acc {
			x := float64(c.x[int(id)*c.width+head*columns+k]) * c.mask(c.bounds[r]+int32(i), head)
			acc[k] += p * float64(q[2*c.heads]) * x
			dot += float64(c.ownRows[r*c.width+head*columns+k]) * x
		}
		sum += step * p * (float64(q[2*c.heads])*dot - float64(q[3*c.heads]))
	}
	return sum, acc
}

// wants checks results against the definition; NaN wants NaN.
func wants[T Float](t *testing.T, what string, got []T, size float64, want ...float64) {
	t.Helper()
	for k, w := range want {
		if g := float64(got[k]); !(math.Abs(g-w) <= 400*epsilon[T]()*size || math.IsNaN(g) && math.IsNaN(w) || g == w) {
			t.Fatalf("%s [%d]: %v, want %v", what, k, g, w)
		}
	}
}

// forwardIsDefined checks the forward pass, with what backward wants, against the definition.
func (c *attentionCase[T]) forwardIsDefined(t *testing.T, set *Set[T], what string) {
	t.Helper()
	numbers, columns := c.rows*c.heads, c.width/c.heads
	acc, acc2, most, sums, sums2 := make([]T, c.rows*c.width), make([]T, c.rows*c.width), make([]T, numbers), make([]T, numbers), make([]T, numbers)
	f := c.forwardOf(set, acc, sums, most, 1, false)
	f.Acc2, f.Sums2 = acc2, sums2
	set.SegmentAttend(f)
	for n := range numbers {
		what := fmt.Sprintf("%s, row %d, head %d of %d", what, n/c.heads, n%c.heads, c.heads)
		m, s, s2, a, a2 := c.forward(n/c.heads, n%c.heads)
		wants(t, what+" largest", most[n:], 0, m)
		wants(t, what+" sum", sums[n:], s, s)
		wants(t, what+" rows", acc[n*columns:], 2, a...)
		wants(t, what+" second sum", sums2[n:], s, s2)
		wants(t, what+" second rows", acc2[n*columns:], 2, a2...)
	}
}

func TestAttentionIsItsDefinition(t *testing.T) {
	forSets(t, testAttention[float32], testAttention[float64])
}

func testAttention[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(191, 192))
	for _, c := range attentionCases[T](r) {
		for _, twice := range []bool{false, true} {
			for _, past := range []bool{false, true} {
				results := func(more int) *guarded[T] {
					g := newGuarded[T](c.rows*c.width, c.shift+more)
					fillRandom(r, g.s, true) // is written over
					return g
				}
				numbers := func() *guarded[T] {
					g := newGuarded[T](c.rows*c.heads, 1)
					fillRandom(r, g.s, true)
					return g
				}
				acc, acc2, most, sums, sums2 := results(0), results(len(c.ids)%2), numbers(), numbers(), numbers()
				f := c.forwardOf(set, acc.s, sums.s, most.s, c.least, past)
				if twice {
					f.Acc2, f.Sums2 = acc2.s, sums2.s
				}
				set.SegmentAttend(f)
				for _, g := range []*guarded[T]{acc, acc2, most, sums, sums2} {
					g.check(t, c.what)
				}
				for n := range c.rows * c.heads {
					row, head, columns := n/c.heads, n%c.heads, c.width/c.heads
					what := fmt.Sprintf("%s twice=%v past=%v row %d head %d", c.what, twice, past, row, head)
					m, s, s2, a, a2 := c.forward(row, head)
					wants(t, what+" largest", most.s[n:], 0, m)
					wants(t, what+" sum", sums.s[n:], s, s)
					wants(t, what+" rows", acc.s[n*columns:], 4, a...)
					if twice {
						wants(t, what+" second sum", sums2.s[n:], s, s2)
						wants(t, what+" second rows", acc2.s[n*columns:], 4, a2...)
					}
				}
				if twice {
					continue
				}
				acc = results(0)
				if f, ok := c.aloneOf(set, acc.s, past); ok {
					set.SegmentAttend(f)
					acc.check(t, c.what)
					for row := range c.rows {
						_, _, _, a, _ := c.forward(row, 0)
						wants(t, fmt.Sprintf("%s past=%v row %d alone", c.what, past, row), acc.s[row*c.width:], 4, a...)
					}
				}
				acc, sums = results(0), numbers()
				set.SegmentAttendBack(c.backwardOf(set, acc.s, sums.s, past))
				acc.check(t, c.what)
				sums.check(t, c.what)
				for n := range c.rows * c.heads {
					row, head := n/c.heads, n%c.heads
					what := fmt.Sprintf("%s past=%v row %d head %d, back", c.what, past, row, head)
					s, a := c.backward(row, head)
					edges := float64(c.bounds[row+1] - c.bounds[row])
					wants(t, what+" sum", sums.s[n:], 40*edges, s)
					wants(t, what+" rows", acc.s[n*c.width/c.heads:], 4*edges, a...)
				}
			}
		}
	}
}

// TestAttentionFollowsIEEE compares rows that have NaN and infinite scores, and wide
// ranges of them, with the definition.
func TestAttentionFollowsIEEE(t *testing.T) {
	forSets(t, testAttentionIEEE[float32], testAttentionIEEE[float64])
}

func testAttentionIEEE[T Float](t *testing.T, set *Set[T]) {
	inf, nan := math.Inf(1), math.NaN()
	for _, special := range [][]float64{
		{nan}, {inf}, {-inf}, {inf, inf}, {inf, -inf}, {nan, inf}, {-inf, 1}, {1000, -1000}, {88, -88, 500}, {-1e30}, {3e38}, {-3e38, 2},
	} {
		for _, degree := range []int{1, 2, 5, 16, 17, 40} {
			for at := range degree {
				for _, heads := range []int{1, 2, 4, 8} {
					width := []int{64, 32, 16}[at%3]
					c := attentionCase[T]{width: width, heads: heads, rows: 2, bounds: []int32{0, int32(degree), int32(degree + 3)}, slope: 0.2, least: 1, up: 1, dn: 0.2, own: make([]T, 2*heads)}
					for e := range degree + 3 {
						c.ids = append(c.ids, int32(e))
						for h := range heads {
							c.scores = append(c.scores, T((e+h)%3)-1)
						}
					}
					odd := at % heads // the head that has special scores
					for i, s := range special {
						c.scores[(at+7*i)%degree*heads+odd] = T(s)
					}
					c.x = slices.Repeat([]T{1, 2, -1, 0.5}, len(c.ids)*width/4)
					c.forwardIsDefined(t, set, fmt.Sprintf("%v from %d of %d", special, at, degree))
				}
			}
		}
	}
}

// TestAttentionOfRowsFarFromVertices has rows' own numbers that are much larger or smaller than
// those of vertices, which make all scores of a row one side's, and some that are no numbers.
func TestAttentionOfRowsFarFromVertices(t *testing.T) {
	forSets(t, testAttentionFar[float32], testAttentionFar[float64])
}

func testAttentionFar[T Float](t *testing.T, set *Set[T]) {
	inf, nan := math.Inf(1), math.NaN()
	owns := []float64{0, 1, -1, 30, -30, 39, -39, 41, -41, 100, -100, 500, -500, inf, -inf, nan}
	for _, spread := range []float64{1, 20, 39} {
		for _, middle := range []float64{0, 3, -500} {
			for _, slope := range []T{0.2, 1, 0.5} {
				for _, width := range []int{16, 64, 128} {
					c := attentionCase[T]{width: width, heads: 1, rows: 2 * len(owns), bounds: []int32{0}, slope: slope, least: 1, up: 1, dn: slope}
					for r, o := range owns {
						c.own = append(c.own, T(o-middle), T(o-middle)) // of a row with edges and of one without
						for e := range 2 + r%3 {
							c.ids = append(c.ids, int32((e*(r+1))%7))
						}
						c.bounds = append(c.bounds, int32(len(c.ids)), int32(len(c.ids)))
					}
					for v := range 7 {
						c.scores = append(c.scores, T(middle+spread*float64(v-3)/3))
					}
					c.x = slices.Repeat([]T{1, 2, -1, 0.5}, 7*width/4)
					for i := range c.x {
						c.x[i] += T(i / width)
					}
					what := fmt.Sprintf("scores %v around %v, slope %v, width %d", spread, middle, slope, width)
					c.forwardIsDefined(t, set, what)
					acc := make([]T, c.rows*width)
					if f, ok := c.aloneOf(set, acc, false); ok {
						set.SegmentAttend(f)
						for row := range c.rows {
							_, _, _, a, _ := c.forward(row, 0)
							wants(t, fmt.Sprintf("%s, row %d alone", what, row), acc[row*width:], 8, a...)
						}
					}
				}
			}
		}
	}
}

// TestAttentionGoesFromScoresToMuchLargerOnes has scores that rise, fall, and begin with
// nothing, each head's in another way.
func TestAttentionGoesFromScoresToMuchLargerOnes(t *testing.T) {
	forSets(t, testAttentionRises[float32], testAttentionRises[float64])
}

func testAttentionRises[T Float](t *testing.T, set *Set[T]) {
	inf := math.Inf(-1)
	ways := []func(e int) float64{
		func(e int) float64 { return float64(e) },
		func(e int) float64 { return float64(-1000 * (e / 16)) },
		func(e int) float64 { return float64(1000 * (e / 16)) },
		func(e int) float64 { return []float64{inf, inf, 1}[e/16] },
		func(e int) float64 { return []float64{inf, inf, -3e38}[e/16] },
		func(e int) float64 { return []float64{-3e38, 0, 3e38}[e/16] },
		func(e int) float64 { return []float64{5, inf, 7}[e/16] },
		func(e int) float64 { return 0 },
	}
	const degree = 48
	for _, heads := range []int{1, 2, 4, 8} {
		for i := range 5 * len(ways) {
			width, first := []int{16, 32, 48, 64, 128}[i%5], i/5
			c := attentionCase[T]{width: width, heads: heads, rows: 1, bounds: []int32{0, degree}, slope: 1, least: 1, up: 1, dn: 0.2, own: make([]T, heads)}
			for e := range degree {
				c.ids = append(c.ids, int32(e))
				for h := range heads {
					c.scores = append(c.scores, T(ways[(first+h)%len(ways)](e)))
				}
			}
			c.x = slices.Repeat([]T{1, 2, -1, 0.5}, degree*width/4)
			c.forwardIsDefined(t, set, fmt.Sprintf("width %d, ways from %d on", width, first))
		}
	}
}

// TestAttentionOfARowDependsOnTheRowAlone runs rows together and each one apart.
func TestAttentionOfARowDependsOnTheRowAlone(t *testing.T) {
	forSets(t, testAttentionAlone[float32], testAttentionAlone[float64])
}

func testAttentionAlone[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(193, 194))
	for _, c := range attentionCases[T](r) {
		run := func(c *attentionCase[T]) (all [][]T) {
			numbers := c.rows * c.heads
			acc, acc2, most, sums, sums2 := make([]T, c.rows*c.width), make([]T, c.rows*c.width), make([]T, numbers), make([]T, numbers), make([]T, numbers)
			f := c.forwardOf(set, acc, sums, most, 1, false)
			f.Acc2, f.Sums2 = acc2, sums2
			set.SegmentAttend(f)
			back, backSums := make([]T, c.rows*c.width), make([]T, numbers)
			set.SegmentAttendBack(c.backwardOf(set, back, backSums, false))
			return [][]T{acc, acc2, back, most, sums, sums2, backSums}
		}
		together := run(&c)
		for row := range c.rows {
			one := c
			lo, hi := c.bounds[row], c.bounds[row+1]
			one.rows, one.bounds, one.ids = 1, []int32{0, hi - lo}, slices.Clone(c.ids[lo:hi])
			if c.masks != nil {
				one.masks = make([]T, AttendMasks(c.heads, int(hi-lo)))
				copy(one.masks, c.masks[int(lo)*c.heads:int(hi)*c.heads])
			}
			one.among = c.own
			one.own, one.ownRows = c.own[row*c.heads:][:c.heads], c.ownRows[row*c.width:][:c.width]
			for i, alone := range run(&one) {
				n := len(alone)
				if !slices.Equal(alone, together[i][row*n:][:n]) {
					t.Fatalf("%s: result %d of row %d is another one alone", c.what, i, row)
				}
			}
		}
	}
}

func TestAttentionRefusesWhatIsTooShort(t *testing.T) {
	forSets(t, testAttentionShort[float32], testAttentionShort[float64])
}

func testAttentionShort[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(195, 196))
	for _, c := range attentionCases[T](r) {
		if c.width%64 != 0 || len(c.ids) == 0 || c.bounds[c.rows] == c.bounds[0] {
			continue
		}
		forward := func() AttendForward[T] {
			return AttendForward[T]{
				Attention: c.common(make([]T, c.rows*c.width), make([]T, c.rows*c.heads), false), Scores: c.scores, Most: make([]T, c.rows*c.heads), Least: 1,
				Acc2: make([]T, c.rows*c.width), Sums2: make([]T, c.rows*c.heads),
			}
		}
		backward := func() AttendBackward[T] {
			return AttendBackward[T]{Attention: c.common(make([]T, c.rows*c.width), make([]T, c.rows*c.heads), false), Quads: c.quads, Rows: c.ownRows}
		}
		cut := func(s *[]T) { *s = (*s)[:len(*s)-1] }
		factors, vertices := c.noFactors(), len(c.x)/c.width
		for name, spoil := range map[string]func(f *AttendForward[T], b *AttendBackward[T]){
			"sums":        func(f *AttendForward[T], b *AttendBackward[T]) { cut(&f.Acc); cut(&b.Acc) },
			"own":         func(f *AttendForward[T], b *AttendBackward[T]) { cut(&f.Own); cut(&b.Own) },
			"numbers":     func(f *AttendForward[T], b *AttendBackward[T]) { cut(&f.Sums); cut(&b.Sums) },
			"scratch":     func(f *AttendForward[T], b *AttendBackward[T]) { cut(&f.Scratch); cut(&b.Scratch) },
			"picked":      func(f *AttendForward[T], b *AttendBackward[T]) { cut(&f.Scores); cut(&b.Quads) },
			"beside":      func(f *AttendForward[T], b *AttendBackward[T]) { cut(&f.Acc2); cut(&b.Rows) },
			"sums beside": func(f *AttendForward[T], b *AttendBackward[T]) { cut(&f.Sums2); cut(&b.Rows) },
			"largest":     func(f *AttendForward[T], b *AttendBackward[T]) { cut(&f.Most); cut(&b.Rows) },
			"factors": func(f *AttendForward[T], b *AttendBackward[T]) {
				cut(&f.Scores)
				b.Apart, b.Factors = true, factors[:4*vertices-1]
			},
			"masks": func(f *AttendForward[T], b *AttendBackward[T]) {
				f.Masks = make([]T, AttendMasks(c.heads, len(c.ids))-1)
				b.Masks = f.Masks
			},
			"ids": func(f *AttendForward[T], b *AttendBackward[T]) { f.IDs = f.IDs[:len(f.IDs)-1]; b.IDs = f.IDs },
		} {
			f, b := forward(), backward()
			spoil(&f, &b)
			for way, run := range map[string]func(){"forward": func() { set.SegmentAttend(f) }, "backward": func() { set.SegmentAttendBack(b) }} {
				func() {
					defer func() {
						if recover() == nil {
							t.Errorf("%s %s, short %s: no panic", c.what, way, name)
						}
					}()
					run()
				}()
			}
		}
	}
}

func TestAttentionDoesNotAllocate(t *testing.T) {
	set := For[float32]()
	tried := 0
	for _, c := range attentionCases[float32](rand.New(rand.NewPCG(197, 198))) {
		if !set.Attends(c.heads, c.width, c.masks != nil).AtOnce || c.rows == 0 {
			continue
		}
		tried++
		f := c.forwardOf(set, make([]float32, c.rows*c.width), make([]float32, c.rows*c.heads), make([]float32, c.rows*c.heads), 1, false)
		once := f
		f.Acc2, f.Sums2 = make([]float32, c.rows*c.width), make([]float32, c.rows*c.heads)
		b := c.backwardOf(set, f.Acc, f.Sums, false)
		if n := testing.AllocsPerRun(5, func() { set.SegmentAttend(once); set.SegmentAttend(f); set.SegmentAttendBack(b) }); n != 0 {
			t.Errorf("%s: %v allocations", c.what, n)
		}
	}
	if tried == 0 {
		t.Skip("attention is never one walk here")
	}
}

func TestScoresHaveACentreIfTheirExponentialsArePlainNumbers(t *testing.T) {
	set := For[float32]()
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct {
		numbers []float32
		centre  float32
		ok      bool
	}{
		{[]float32{3}, 3, true},
		{[]float32{-1, 4, 2}, 1.5, true},
		{[]float32{-40, 40}, 0, true},
		{[]float32{960, 1040}, 1000, true},
		{[]float32{-41, 40}, 0, false},
		{[]float32{1, nan}, 0, false},
		{[]float32{1, inf}, 0, false},
		{[]float32{-inf, 1}, 0, false},
		{[]float32{-inf, -inf}, 0, false},
		{[]float32{-3e38, 3e38}, 0, false},
		{nil, 0, false},
	} {
		if centre, ok := set.AttendCentre(c.numbers); ok != c.ok || ok && centre != c.centre {
			t.Errorf("%v: %v, %v, want %v, %v", c.numbers, centre, ok, c.centre, c.ok)
		}
	}
}

func TestPowersAreExponentials(t *testing.T) {
	forSets(t, testAttendPowers[float32], testAttendPowers[float64])
}

func testAttendPowers[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(201, 202))
	for _, n := range []int{0, 1, 7, 8, 9, 16, 100} {
		scores := make([]T, n)
		for v := range scores {
			scores[v] = T(10*r.NormFloat64() + 3)
		}
		const slope, centre = 0.3, 3
		for _, perVertex := range []int{2, 4} {
			powers := make([]T, AttendNumbers(perVertex, n))
			if allocs := testing.AllocsPerRun(2, func() { set.AttendPowers(powers, scores, perVertex, slope, centre) }); allocs > 0 && set.Attends(1, 64, false).Apart {
				t.Errorf("%v allocations", allocs)
			}
			for v, s := range scores {
				y := float64(s - centre)
				for k, want := range []float64{math.Exp(y), math.Exp(slope * y), float64(s), 0}[:perVertex] {
					wants(t, fmt.Sprintf("number %d of vertex %d of %d", k, v, n), powers[perVertex*v+k:], math.Abs(want), want)
				}
			}
		}
	}
}

func TestFactorsAreExponentials(t *testing.T) {
	forSets(t, testFactors[float32], testFactors[float64])
}

func testFactors[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(199, 200))
	for _, n := range []int{0, 1, 7, 8, 9, 16, 100} {
		scores, most, by, less := make([]T, n), make([]T, n), make([]T, n), make([]T, n)
		for v := range scores {
			scores[v], most[v], by[v], less[v] = T(10*r.NormFloat64()), T(10+5*r.Float64()), T(r.Float64()+1e-3), T(r.NormFloat64())
		}
		const slope, centre = 0.3, 2
		factors := make([]T, AttendNumbers(4, n))
		if !set.AttendFactors(factors, scores, most, by, less, slope, centre) {
			t.Errorf("%d vertices have no factors", n)
		}
		for v, s := range scores {
			y, m, f := float64(s)+centre, float64(most[v]), float64(by[v])
			for k, want := range []float64{math.Exp(y-m) * f, math.Exp(slope*y-m) * f, float64(s), float64(less[v]) / f} {
				wants(t, fmt.Sprintf("number %d of vertex %d of %d", k, v, n), factors[4*v+k:], math.Abs(want), want)
			}
		}
	}
}

// TestFactorsAreNoneWhereProductsAreNot has one vertex of many whose numbers make none.
func TestFactorsAreNoneWhereProductsAreNot(t *testing.T) {
	forSets(t, testNoFactors[float32], testNoFactors[float64])
}

func testNoFactors[T Float](t *testing.T, set *Set[T]) {
	for _, n := range []int{1, 7, 8, 9, 50} {
		for at := range n {
			for _, c := range []struct {
				score, most, by T
				ok              bool
			}{
				{1, 2, 0.5, true}, {-70, 5, 0.5, true}, {5, 5, 1e-30, true}, {1, 2, 0, false}, {1, 2, -1, false}, {90, 5, 0.5, false}, {-90, -300, 0.5, false},
			} {
				scores, most, by, less := make([]T, n), make([]T, n), slices.Repeat([]T{1}, n), make([]T, n)
				scores[at], most[at], by[at] = c.score, c.most, c.by
				if got := set.AttendFactors(make([]T, AttendNumbers(4, n)), scores, most, by, less, 0.2, 0); got != c.ok {
					t.Errorf("%v, %v, %v at %d of %d: factors %v, want %v", c.score, c.most, c.by, at, n, got, c.ok)
				}
			}
		}
	}
}

// TestInfiniteRowsStayOutOfSumsWithoutEdges has rows whose edges are all above 0, or all below.
func TestInfiniteRowsStayOutOfSumsWithoutEdges(t *testing.T) {
	forSets(t, testInfiniteRows[float32], testInfiniteRows[float64])
}

func testInfiniteRows[T Float](t *testing.T, set *Set[T]) {
	for _, width := range []int{16, 64, 72} {
		c := attentionCase[T]{
			width: width, heads: 1, rows: 3, bounds: []int32{0, 3, 6, 6}, ids: []int32{0, 1, 2, 0, 1, 2}, own: []T{9, -9, 0},
			slope: 0.2, least: 1, up: 1, dn: 0.2, x: slices.Repeat([]T{1}, 3*width), ownRows: slices.Repeat([]T{T(math.Inf(1))}, 3*width),
			quads: slices.Repeat([]T{1, 10, 0.5, 0.1}, 3),
		}
		acc, sums := make([]T, 3*width), make([]T, 3)
		set.SegmentAttendBack(c.backwardOf(set, acc, sums, false))
		for r, want := range []float64{math.Inf(1), math.Inf(1), 0} {
			wants(t, fmt.Sprintf("width %d, sum of row %d", width, r), sums[r:], 0, want)
		}
	}
}
