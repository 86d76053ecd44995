package gnn

// The best links that a decoder knows.

import (
	"slices"
	"sort"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// RecommendConfig are the settings of [Recommend]. The zero value recommends any vertex.
type RecommendConfig struct {
	// Among are the vertices that may be recommended, such as the items. nil stands for all.
	Among []int32
	// Known are links that are not recommended, such as those that the graph has; see
	// [NewKnownLinks].
	Known *KnownLinks

	Batch int // sources at a time; 0: as many as 4 million scores are of
}

// Recommend returns, for each of the sources, the k destinations of the largest scores, best
// first, of those that cfg allows; fewer if there are fewer. Scores are the decoder's by h
// [N d], without relations. Of equal ones the first vertex is the better, and NaN is behind
// all numbers. Of the scores only those of one batch are in memory. Nothing is recorded for a
// backward pass. It panics with *[Error] for vertices that are out of range.
func Recommend(d LinkDecoder, h *autograd.Var, src []int32, k int, cfg RecommendConfig) [][]int32 {
	const op = "Recommend"
	if d == nil {
		misuse(op, "the decoder is nil")
	}
	wantMatrix(op, h, 0)
	wantPositive(op, k)
	if cfg.Batch < 0 {
		misuse(op, "Batch is %d", cfg.Batch)
	}
	n := h.Shape()[0]
	allowed(op, "src", src, n)
	cfg.Known.wantLike(op, Links{Src: src})
	among := allowed(op, "Among", cfg.Among, n)
	batch := cfg.Batch
	if batch == 0 {
		batch = max(1, (4<<20)/max(1, n))
	}
	h = autograd.NoGrad(h)
	out := make([][]int32, 0, len(src))
	for part := range slices.Chunk(src, batch) {
		l := Links{Src: part}
		scores := scoresOf(op, d.ScoreTails, h, l)
		t := scores.Tensor().ToDevice(tensor.CPU).Contiguous()
		known := cfg.Known.tailsOf(l)
		if t.DType() == tensor.Float32 {
			out = append(out, bestOf(tensor.Data[float32](t), n, len(part), k, known, among)...)
		} else {
			out = append(out, bestOf(tensor.Data[float64](t), n, len(part), k, known, among)...)
		}
		scores.Tensor().Free()
	}
	return out
}

// bestOf gives the k best columns of each row of scores [rows n].
func bestOf[T tensor.Float](scores []T, n, rows, k int, known func(query int) []int32, among []bool) [][]int32 {
	out := make([][]int32, rows)
	for i := range out {
		row := scores[i*n:][:n]
		var others []int32 // known ones that are still to come
		if known != nil {
			others = known(i)
		}
		best := make([]int32, 0, min(k, n))
		for v, x := range row {
			for len(others) > 0 && int(others[0]) < v {
				others = others[1:]
			}
			if among != nil && !among[v] || len(others) > 0 && int(others[0]) == v {
				continue
			}
			if len(best) == k {
				if !better(x, row[best[k-1]]) {
					continue
				}
				best = best[:k-1]
			}
			at := sort.Search(len(best), func(j int) bool { return better(x, row[best[j]]) })
			best = slices.Insert(best, at, int32(v))
		}
		out[i] = best
	}
	return out
}

// better orders scores, NaN behind all numbers.
func better[T tensor.Float](x, y T) bool { return x > y || x == x && y != y }
