package community

// Orders of vertices.

const (
	// communityRows bounds a community: its rows of features should fit a second cache.
	// 512 to 4096 vertices made no difference (GCN, Coauthor Physics, 64 and 128 columns).
	communityRows = 1024
	// Rounds is how often vertices look for a better one; each takes about as long as the
	// search. With 8 kernels are as fast as with 4.
	Rounds = 4
)

// BreadthFirst returns vertices [0, n) in the order in which a search along any of rows
// comes to them, those of a connected component together.
func BreadthFirst(n int, rows ...Rows) []int32 {
	order, seen := make([]int32, 0, n), make([]bool, n)
	visit := func(v int32) {
		if !seen[v] {
			seen[v] = true
			order = append(order, v)
		}
	}
	for start := range int32(n) {
		at := len(order)
		visit(start)
		for ; at < len(order); at++ {
			for _, r := range rows {
				for _, u := range r.of(order[at]) {
					visit(u)
				}
			}
		}
	}
	return order
}

// Order returns vertices [0, n) in an order in which those that share neighbours stand close
// together. Every vertex begins as a community of its own and moves, for some rounds, to
// the one of bounded size that most of its neighbours are in (label propagation, Raghavan
// et al. 2007). Communities stand in the order in which a breadth-first search comes to
// them, and so do their vertices. It depends on rows alone. O(V + E).
func Order(n, rounds int, rows ...Rows) []int32 {
	of, sizes := make([]int32, n), make([]int, n)
	for v := range of {
		of[v], sizes[v] = int32(v), 1
	}
	Refine(of, sizes, communityRows, rounds, rows...)
	met := BreadthFirst(n, rows...)
	next := make([]int, n) // where the next vertex of a community stands
	at := 0
	for _, v := range met {
		if c := of[v]; sizes[c] > 0 {
			next[c], at, sizes[c] = at, at+sizes[c], 0
		}
	}
	order := make([]int32, n)
	for _, v := range met {
		c := of[v]
		order[next[c]] = v
		next[c]++
	}
	return order
}
