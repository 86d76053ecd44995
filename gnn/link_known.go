package gnn

// The links that are known to be true, found by their ends.

import (
	"cmp"
	"slices"
)

// KnownLinks finds the true tails of a source and relation, and the true heads of a
// relation and destination: what filtered ranks leave out. It takes 32 bytes for
// each link at most.
type KnownLinks struct {
	tails, heads grouped
	typed        bool // the links have relations
}

// NewKnownLinks returns the union of lists of links, commonly those of training,
// validation and test. Links without relations are of relation 0. It panics with
// *[Error] for lists of different lengths, for negative numbers, and if some links have
// relations and others have none.
//
// A link is known from its source to its destination only. Links that are true both ways,
// but in the lists once, as those of an undirected data.LinkSplit, are to be given both
// ways, or true answers rank among the false ones:
//
//	gnn.NewKnownLinks(l, gnn.Links{Src: l.Dst, Dst: l.Src, Rel: l.Rel})
//
// The edges of an undirected graph go both ways already.
func NewKnownLinks(lists ...Links) *KnownLinks {
	const op = "KnownLinks"
	var tails, heads []member
	typed := false
	for n, l := range lists {
		wantAlikeLists(op, "sources", l.Src, "destinations", l.Dst)
		if l.Rel != nil {
			wantAlikeLists(op, "sources", l.Src, "relations", l.Rel)
		}
		if l.Len() == 0 {
			continue
		}
		if has := l.Rel != nil; len(tails) == 0 {
			typed = has
		} else if has != typed {
			misuse(op, "the links of list %d have %s, those before %s", n, relations(has), relations(typed))
		}
		for i, u := range l.Src {
			v, r := l.Dst[i], relationOf(l, i)
			if u < 0 || v < 0 || r < 0 {
				misuse(op, "link %d from %d by %d to %d has a negative number", i, u, r, v)
			}
			tails = append(tails, member{keyOf(u, r), v})
			heads = append(heads, member{keyOf(v, r), u})
		}
	}
	return &KnownLinks{tails: group(tails), heads: group(heads), typed: typed}
}

func relations(typed bool) string {
	if typed {
		return "relations"
	}
	return "none"
}

// wantLike panics if links have relations and the known ones have none, or the other way
// round: next to none would be found among them. k may be nil.
func (k *KnownLinks) wantLike(op string, l Links) {
	if k == nil || len(k.tails.keys) == 0 || l.Len() == 0 {
		return
	}
	if typed := l.Rel != nil; typed != k.typed {
		misuse(op, "the links have %s, the known ones %s", relations(typed), relations(k.typed))
	}
}

// Tails returns the known destinations of a source and relation, ascending.
// Read-only.
func (k *KnownLinks) Tails(src, rel int32) []int32 { return k.tails.of(keyOf(src, rel)) }

// Heads returns the known sources of a relation and destination, ascending.
// Read-only.
func (k *KnownLinks) Heads(rel, dst int32) []int32 { return k.heads.of(keyOf(dst, rel)) }

func relationOf(l Links, i int) int32 {
	if l.Rel == nil {
		return 0
	}
	return l.Rel[i]
}

func keyOf(vertex, rel int32) uint64 { return uint64(uint32(vertex))<<32 | uint64(uint32(rel)) }

// member is a vertex of the group of a key.
type member struct {
	key    uint64
	vertex int32
}

// grouped is lists of vertices by ascending keys, in one array.
type grouped struct {
	keys    []uint64
	offsets []int32 // the vertices of keys[i] are [offsets[i], offsets[i+1])
	members []int32 // ascending within a key, each once
}

func group(ms []member) grouped {
	slices.SortFunc(ms, func(a, b member) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.vertex, b.vertex))
	})
	g := grouped{}
	for _, m := range slices.Compact(ms) {
		if n := len(g.keys); n == 0 || g.keys[n-1] != m.key {
			g.keys = append(g.keys, m.key)
			g.offsets = append(g.offsets, int32(len(g.members)))
		}
		g.members = append(g.members, m.vertex)
	}
	g.offsets = append(g.offsets, int32(len(g.members)))
	return g
}

func (g *grouped) of(key uint64) []int32 {
	i, ok := slices.BinarySearch(g.keys, key)
	if !ok {
		return nil
	}
	return g.members[g.offsets[i]:g.offsets[i+1]]
}
