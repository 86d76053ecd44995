package plan

// The order of the steps. Stages leave much of it open; memory is least when
// what is written is soon read for the last time.

import "slices"

// order puts the steps in the order that needs less memory on a graph with ten
// edges a vertex: that of their stages, or one that lets memory grow as little
// as possible from step to step. Both are orders in which every step finds what
// it reads.
func (p *Plan) order() {
	n := Sizes{NumSrc: 1000, NumDst: 1000, NumEdges: 10_000, Types: p.Program.Types}
	p.share()
	staged, peak := p.Steps, p.Peak(n)
	p.Steps = p.frugal(n)
	p.share()
	if p.Peak(n) >= peak {
		p.Steps = staged
		p.share()
	}
}

// frugal is the order in which each step is the one, among those whose operands
// are there, that adds least to the memory in use.
func (p *Plan) frugal(n Sizes) []Step {
	touched := make(map[Step][]*Buffer, len(p.Steps))
	left := make(map[*Buffer]int) // steps that have yet to touch a buffer
	there := make(map[*Buffer]bool)
	writer := make(map[*Buffer]Step)
	for _, s := range p.Steps {
		p.touch(s, func(b *Buffer) {
			if !slices.Contains(touched[s], b) {
				touched[s] = append(touched[s], b)
				left[b]++
			}
			if writer[b] == nil { // in the order of the stages a buffer is written before it is read
				writer[b] = s
			}
		})
	}
	ready := func(s Step) bool {
		return !slices.ContainsFunc(touched[s], func(b *Buffer) bool { return b.Role != Input && !there[b] && writer[b] != s })
	}
	growth := func(s Step) (bytes int64) {
		for _, b := range touched[s] {
			if b.Role != Input && !there[b] {
				bytes += b.Bytes(n)
			}
			if b.Role == Temp && left[b] == 1 {
				bytes -= b.Bytes(n)
			}
		}
		return bytes
	}
	rest := slices.Clone(p.Steps)
	var order []Step
	for len(rest) > 0 {
		best, least := -1, int64(0)
		for i, s := range rest {
			if !ready(s) {
				continue
			}
			if g := growth(s); best < 0 || g < least {
				best, least = i, g
			}
		}
		s := rest[best]
		for _, b := range touched[s] {
			there[b] = true
			left[b]--
		}
		rest = slices.Delete(rest, best, best+1)
		order = append(order, s)
	}
	return order
}
