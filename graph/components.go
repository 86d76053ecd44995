// Connected components.

package graph

// ConnectedComponents returns the weakly connected component of every vertex, those that
// paths join which may take edges either way, and how many there are. They are numbered in
// order of their smallest vertices; an isolated vertex is one of its own. It panics with a
// *BipartiteError on a bipartite graph. O(V + E), nearly.
func (g *Graph) ConnectedComponents() (component []int32, n int) {
	g.needHomogeneous("ConnectedComponents")
	root := iota32(g.numSrc) // a union-find forest whose roots are the smallest members
	find := func(v int32) int32 {
		for root[v] != v {
			root[v] = root[root[v]]
			v = root[v]
		}
		return v
	}
	for e, u := range g.src {
		a, b := find(u), find(g.dst[e])
		root[max(a, b)] = min(a, b)
	}
	component = make([]int32, g.numSrc)
	for v := range component {
		if r := find(int32(v)); r != int32(v) {
			component[v] = component[r] // r is smaller, so it has its number
		} else {
			component[v] = int32(n)
			n++
		}
	}
	return component, n
}
