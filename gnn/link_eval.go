package gnn

// The evaluation of link prediction.

import "github.com/asterias-ml/asterias/autograd"

// LinkEval are the settings of [EvaluateLinks]. The zero value is the raw setting:
// nothing is filtered.
type LinkEval struct {
	// Known are the links that are true anyway. An answer is ranked among the
	// vertices that would not make one of them: the filtered setting. Those that are true
	// both ways, as undirected ones, must be known both ways; see [NewKnownLinks]. They
	// have relations if the links that are asked for have.
	Known *KnownLinks
	// Heads and Tails are the vertices that may be heads and tails, such as the users and
	// the items of a recommender: answers are ranked among these. nil stands for all.
	Heads, Tails []int32

	TailsOnly bool  // do not ask for heads
	Batch     int   // queries at a time; 0: as many as 4 million scores are of
	Ks        []int // see [NewRanking]
}

// EvaluateLinks asks a decoder, by h [N d], for the tail of every link given the
// rest, and for the head, and ranks the right answers among all vertices, or those that cfg
// allows there. Of the scores only those of one batch are in memory. Nothing is recorded for
// a backward pass. It panics with *[Error] if a link has an end that is out of range or not
// allowed, if the links have relations and those that are known have none, or the other way
// round, and if scores of the decoder are not those of all vertices.
func EvaluateLinks(d LinkDecoder, h *autograd.Var, links Links, cfg LinkEval) *Ranking {
	const op = "EvaluateLinks"
	if d == nil {
		misuse(op, "the decoder is nil")
	}
	wantMatrix(op, h, 0)
	wantAlikeLists(op, "sources", links.Src, "destinations", links.Dst)
	if links.Rel != nil {
		wantAlikeLists(op, "sources", links.Src, "relations", links.Rel)
	}
	cfg.Known.wantLike(op, links)
	if cfg.Batch < 0 {
		misuse(op, "Batch is %d", cfg.Batch)
	}
	batch := cfg.Batch
	if batch == 0 {
		batch = max(1, (4<<20)/max(1, h.Shape()[0]))
	}
	heads, tails := allowed(op, "Heads", cfg.Heads, h.Shape()[0]), allowed(op, "Tails", cfg.Tails, h.Shape()[0])
	h = autograd.NoGrad(h)
	r := NewRanking(cfg.Ks...)
	for from := 0; from < links.Len(); from += batch {
		part := links.slice(from, min(from+batch, links.Len()))
		r.Add(ranksOf(d.ScoreTails, h, part, part.Dst, cfg.Known.tailsOf(part), tails)...)
		if !cfg.TailsOnly {
			r.Add(ranksOf(d.ScoreHeads, h, part, part.Src, cfg.Known.headsOf(part), heads)...)
		}
	}
	return r
}

// allowed tells for each of n vertices whether it is one of the list; nil of nil.
func allowed(op, what string, list []int32, n int) []bool {
	if list == nil {
		return nil
	}
	in := make([]bool, n)
	for i, v := range list {
		if uint(v) >= uint(n) {
			misuse(op, "%s: entry %d: vertex %d out of range [0, %d)", what, i, v, n)
		}
		in[v] = true
	}
	return in
}

// ranksOf is ranksAmong of the scores that score gives for links. Their memory is for
// the next batch to use: left to the garbage collector, many batches would pile up.
func ranksOf(score func(*autograd.Var, Links) *autograd.Var, h *autograd.Var, l Links, answers []int32, known func(int) []int32, among []bool) []float64 {
	const op = "EvaluateLinks"
	scores := scoresOf(op, score, h, l)
	ranks := ranksAmong(op, scores, answers, known, among)
	scores.Tensor().Free()
	return ranks
}

// scoresOf are the scores that score gives for links and all vertices, [links N].
func scoresOf(op string, score func(*autograd.Var, Links) *autograd.Var, h *autograd.Var, l Links) *autograd.Var {
	scores := autograd.Scope(func(xs ...*autograd.Var) *autograd.Var { return score(xs[0], l) }, h)
	if s, n := scores.Shape(), h.Shape()[0]; len(s) != 2 || s[0] != l.Len() || s[1] != n {
		misuse(op, "the decoder's scores have shape %v, want [%d %d]: for each link those of all vertices", s, l.Len(), n)
	}
	return scores
}

// tailsOf gives what is known of the queries for the tails of links; k may be nil.
func (k *KnownLinks) tailsOf(l Links) func(query int) []int32 {
	if k == nil {
		return nil
	}
	return func(i int) []int32 { return k.Tails(l.Src[i], relationOf(l, i)) }
}

// headsOf is tailsOf for the heads.
func (k *KnownLinks) headsOf(l Links) func(query int) []int32 {
	if k == nil {
		return nil
	}
	return func(i int) []int32 { return k.Heads(relationOf(l, i), l.Dst[i]) }
}
