// Triples as links in both directions.

package data

// Links returns triples of the dataset as links from head to tail and, with R
// relations, as links of relation r + R from tail to head: triple i is links 2i and
// 2i+1. A model that is asked for the tails of all of them is asked for the heads too
// (Lacroix et al. 2018). AddInverse adds the same relations to Graph.
func (d *TripleDataset) Links(triples []Triple) Links {
	n := 2 * len(triples)
	l := Links{Src: make([]int32, 0, n), Dst: make([]int32, 0, n), Types: make([]int32, 0, n)}
	for _, t := range triples {
		l.Src, l.Dst = append(l.Src, t.Head, t.Tail), append(l.Dst, t.Tail, t.Head)
		l.Types = append(l.Types, t.Relation, t.Relation+int32(len(d.Relations)))
	}
	return l
}
