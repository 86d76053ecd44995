// Random splits of labelled vertices.

package data

import (
	"math"
	"slices"
)

// The split of Shchur et al. (2018), "Pitfalls of graph neural network
// evaluation": vertices of each class for training and validation; the rest is
// for testing.
const (
	trainPerClass = 20
	valPerClass   = 30
)

// RandomSplit draws train vertices and then val vertices of every class, all
// other labelled vertices are for testing. A class that is too small gives
// what it has, to training first. The result depends on the labels and the
// seed alone; each part is in ascending order, and empty, not nil, if it has no
// members. O(V log V).
//
// It panics with *[Error] for negative numbers, for more than 2^31-1 classes and for a
// label that is neither NoLabel nor in [0, numClasses).
func RandomSplit(labels []int32, numClasses, train, val int, seed uint64) (trainSet, valSet, testSet []int32) {
	const op = "RandomSplit"
	if numClasses < 0 || numClasses > math.MaxInt32 || train < 0 || val < 0 {
		misuse(op, "%d classes, of each %d vertices for training and %d for validation", numClasses, train, val)
	}
	var classes [][]int32 // up to the last one with members
	for v, c := range labels {
		switch {
		case c == NoLabel:
		case c < 0 || int(c) >= numClasses:
			misuse(op, "vertex %d: label %d out of range [0, %d)", v, c, numClasses)
		default:
			for int(c) >= len(classes) {
				classes = append(classes, nil)
			}
			classes[c] = append(classes[c], int32(v))
		}
	}
	trainSet, valSet, testSet = []int32{}, []int32{}, []int32{}
	for _, members := range classes {
		sortByHash(members, seed)
		t := min(train, len(members))
		v := t + min(val, len(members)-t)
		trainSet = append(trainSet, members[:t]...)
		valSet = append(valSet, members[t:v]...)
		testSet = append(testSet, members[v:]...)
	}
	slices.Sort(trainSet)
	slices.Sort(valSet)
	slices.Sort(testSet)
	return trainSet, valSet, testSet
}
