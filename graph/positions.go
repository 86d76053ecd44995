// Where the edges of one list stand in another one.

package graph

import "sync"

// lazyPositions is the positions of a CSR's edges in other lists of the same graph.
type lazyPositions struct {
	mu sync.RWMutex
	in map[*CSR][]int32
}

// PositionsIn returns, for each position of the CSR, where home, which lists the edges of
// the same graph, has that edge: what lies in memory in the order of home is found so. It
// has spare entries as Neighbors has. Built once for each home, O(E). Read-only.
func (c *CSR) PositionsIn(home *CSR) []int32 {
	p := &c.positions
	p.mu.RLock()
	positions := p.in[home]
	p.mu.RUnlock()
	if positions != nil {
		return positions
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if positions := p.in[home]; positions != nil {
		return positions
	}
	at := make([]int32, len(home.EdgeIDs)) // by the edge's id
	for i, e := range home.EdgeIDs {
		at[e] = int32(i)
	}
	positions = padded(len(c.EdgeIDs))
	for i, e := range c.EdgeIDs {
		positions[i] = at[e]
	}
	if p.in == nil {
		p.in = make(map[*CSR][]int32)
	}
	p.in[home] = positions
	return positions
}
