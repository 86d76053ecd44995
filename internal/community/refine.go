package community

// Moves of single vertices between parts.

// Refine moves vertices to other parts in rounds, of which the last is one in which none
// moves. Vertex v is in part of[v], which has sizes[of[v]] vertices. It moves to the part
// with the largest score that has room: the number of the vertex's edges into it, along any
// of rows, times its share of free room up to capacity (linear deterministic greedy, Stanton and Kliot
// 2012; in rounds, Nishimura and Ugander 2013). On a tie it stays. O(V + E) a round.
func Refine(of []int32, sizes []int, capacity float64, rounds int, rows ...Rows) {
	edges := make([]int32, len(sizes)) // of a vertex into each part; 0 between vertices
	var parts []int32                  // into which it has any
	for range rounds {
		moved := false
		for v, home := range of {
			parts = parts[:0]
			for _, r := range rows {
				for _, u := range r.of(int32(v)) {
					part := of[u]
					if edges[part]++; edges[part] == 1 {
						parts = append(parts, part)
					}
				}
			}
			sizes[home]--
			// A full part has no share of free room, so no vertex moves there.
			score := func(part int32) float64 { return float64(edges[part]) * (1 - float64(sizes[part])/capacity) }
			best, most := home, score(home)
			for _, part := range parts {
				if s := score(part); s > most {
					best, most = part, s
				}
			}
			sizes[best]++
			of[v] = best
			moved = moved || best != home
			for _, part := range parts {
				edges[part] = 0
			}
		}
		if !moved {
			return
		}
	}
}
