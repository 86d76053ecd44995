// Splits by fractions and into folds; see also RandomSplit.

package data

import (
	"cmp"
	"math"
	"slices"

	"github.com/asterias-ml/asterias/internal/rng"
)

// FractionSplit draws the given fractions of n things, such as vertices, graphs
// or edges, for training and validation; the rest is for testing. The number for
// training, and that for training and validation together, are rounded to whole things,
// halves up. The result depends on n and the seed alone; each part is in ascending order
// and not nil. It panics with *[Error] unless the fractions are at least 0 and together
// at most 1, and if n > 0 and a part whose fraction is not 0 gets nothing: a metric
// of it would be none.
func FractionSplit(n int, train, val float64, seed uint64) (trainSet, valSet, testSet []int32) {
	// Written so that NaN fails.
	if n < 0 || n > math.MaxInt32 || !(train >= 0 && val >= 0 && train+val <= 1+1e-9) {
		misuse("FractionSplit", "%v for training and %v for validation of %d", train, val, n)
	}
	order := appendRange([]int32{}, 0, int32(n))
	sortByHash(order, seed)
	t := int(math.Round(train * float64(n)))
	v := min(int(math.Round((train+val)*float64(n))), n)
	t = min(t, v)
	// A rest as small as that is one of rounding.
	if n > 0 && (train > 0 && t == 0 || val > 0 && v == t || 1-train-val > 1e-9 && v == n) {
		misuse("FractionSplit", "%v for training and %v for validation of %d are %d, %d and %d for testing; want at least one where the fraction is not 0", train, val, n, t, v-t, n-v)
	}
	trainSet, valSet, testSet = slices.Clip(order[:t]), slices.Clip(order[t:v]), order[v:]
	slices.Sort(trainSet)
	slices.Sort(valSet)
	slices.Sort(testSet)
	return trainSet, valSet, testSet
}

// KFold deals things into k folds and returns the fold of each. The folds are
// stratified: of every label, and of all together, the folds get equal numbers
// up to one. Unlabelled things are a label of their own. The result depends on
// the labels, k and the seed alone. It panics with *[Error] unless k is
// positive.
func KFold(labels []int32, k int, seed uint64) []int32 {
	if k < 1 {
		misuse("KFold", "%d folds", k)
	}
	order := appendRange(nil, 0, int32(len(labels)))
	sortByHash(order, seed)
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(labels[a], labels[b]) })
	folds := make([]int32, len(labels))
	for i, v := range order {
		folds[v] = int32(i % k) // going on where the label before stopped
	}
	return folds
}

// Fold returns the things of fold i, for testing, and all others, for training;
// both ascending, neither nil. Where no thing is in fold i, as of a number beyond the
// folds, test is empty.
func Fold(folds []int32, i int) (train, test []int32) {
	train, test = []int32{}, []int32{}
	for v, f := range folds {
		if int(f) == i {
			test = append(test, int32(v))
		} else {
			train = append(train, int32(v))
		}
	}
	return train, test
}

// sortByHash permutes ids at random. Sorting by a hash is a permutation that no
// change of a library's shuffle can alter.
func sortByHash(ids []int32, seed uint64) {
	slices.SortFunc(ids, func(a, b int32) int {
		return cmp.Or(cmp.Compare(rng.Hash(seed, uint64(a)), rng.Hash(seed, uint64(b))), cmp.Compare(a, b))
	})
}
