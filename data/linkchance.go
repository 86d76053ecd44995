// How likely a batch of links has a vertex.

package data

import "math"

// LogChance returns, for every vertex, the logarithm of the probability that it is
// among the Seeds of a full batch. The ends of true links are often there, and so are
// compared often: less their LogChance, the scores that a softmax over the seeds of a
// batch trains are those that one over all vertices would (Bengio and Senécal 2008,
// "Adaptive importance sampling to accelerate training of a neural probabilistic
// language model").
//
// Links are taken to be drawn independently, and neither Avoid is looked at nor that a
// false link is never the true one that it is made of, which changes little if a batch
// is a small part of all links, Avoid of all pairs and a vertex of all. A vertex that no
// batch has gets -Inf. O(V + links).
func (l *LinkLoader) LogChance() []float32 {
	n, links := l.graph.NumVertices(), len(l.links.Src)
	types := l.graph.VertexTypes() // nil: all vertices are alike
	ofType := func(v int32) int32 {
		if types == nil {
			return 0
		}
		return types[v]
	}
	draws := make([]float64, n)                                  // of a vertex, in a batch of all links
	corrupt := make([]float64, max(1, l.graph.NumVertexTypes())) // ends that any vertex of a type replaces
	var src, dst float64                                         // of the false links of one true one
	switch l.config.Corrupt {
	case CorruptEither:
		src, dst = 0.5, 0.5
	case CorruptSrc:
		src = 1
	case CorruptDst:
		dst = 1
	case CorruptBoth:
		src, dst = 1, 1
	}
	for i, u := range l.links.Src {
		v := l.links.Dst[i]
		draws[u]++
		if v != u { // a loop has one end, for this
			draws[v]++
		}
		corrupt[ofType(u)] += src * float64(l.config.Negatives)
		corrupt[ofType(v)] += dst * float64(l.config.Negatives)
	}
	for t := range corrupt {
		alike := n
		if types != nil {
			alike = len(l.graph.DstByType().OfType(t))
		}
		corrupt[t] /= float64(max(1, alike))
	}
	out := make([]float32, n)
	for v := range out {
		mean := (draws[v] + corrupt[ofType(int32(v))]) / float64(max(1, links))
		out[v] = float32(math.Log(-math.Expm1(-mean * float64(min(l.config.BatchSize, links)))))
	}
	return out
}
