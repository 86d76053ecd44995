// Tests of splits: their empty parts and misuse.

package data

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// Losses and metrics take nil rows for all rows, so nil must never stand for
// none.
func TestPartsOfASplitWithoutMembersAreEmptyNotNil(t *testing.T) {
	sbm := func(sizes ...int) *Dataset {
		d, err := SBM(SBMConfig{Sizes: sizes, PIn: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	planetoid := func(edit func(parts map[string][]byte)) *Dataset {
		parts := tinyPlanetoid(t)
		edit(parts)
		d, err := LoadPlanetoid(writePlanetoid(t, parts), "tiny")
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	npz := filepath.Join(t.TempDir(), "tiny.npz")
	if err := os.WriteFile(npz, zipBytes(t, tinyNPZ(t)), 0o600); err != nil {
		t.Fatal(err)
	}
	fromNPZ, err := LoadNPZ(npz, 1)
	if err != nil {
		t.Fatal(err)
	}
	split := func(labels []int32, train, val int) *Dataset {
		d := &Dataset{}
		d.Train, d.Val, d.Test = RandomSplit(labels, 1, train, val, 1)
		return d
	}
	for name, c := range map[string]struct {
		d                *Dataset
		train, val, test int
	}{
		"karate":               {Karate(), 4, 0, 30},
		"SBM of nothing":       {sbm(), 0, 0, 0},
		"SBM of small classes": {sbm(2, 3), 5, 0, 0},
		"SBM without test":     {sbm(40), 20, 20, 0},
		"npz":                  {fromNPZ, 3, 0, 0},
		"Planetoid without test": {planetoid(func(p map[string][]byte) {
			p["test.index"], p["ty"], p["tx"] = nil, pickleOneHot(2), matrixParts{0, 3, []int32{0}, nil, nil}.pickle(t)
		}), 2, 1, 0},
		"Planetoid without train":  {planetoid(func(p map[string][]byte) { p["y"] = pickleOneHot(2) }), 0, 3, 2},
		"Planetoid without val":    {planetoid(func(p map[string][]byte) { p["y"] = p["ally"] }), 3, 0, 2},
		"random, no vertices":      {split(nil, 1, 1), 0, 0, 0},
		"random, no labels":        {split([]int32{NoLabel}, 1, 1), 0, 0, 0},
		"random, test only":        {split([]int32{0, 0}, 0, 0), 0, 0, 2},
		"random, more than enough": {split([]int32{0, 0}, 1, math.MaxInt), 1, 1, 0},
	} {
		for _, part := range []struct {
			name string
			got  []int32
			want int
		}{{"train", c.d.Train, c.train}, {"val", c.d.Val, c.val}, {"test", c.d.Test, c.test}} {
			if part.got == nil || len(part.got) != part.want {
				t.Errorf("%s: %s is %#v, want %d vertices, not nil", name, part.name, part.got, part.want)
			}
		}
	}
}

func TestRandomSplitRejectsWhatMakesNoSense(t *testing.T) {
	for want, f := range map[string]func(){
		"data: RandomSplit: vertex 1: label 3 out of range [0, 3)":                                             func() { RandomSplit([]int32{0, 3}, 3, 1, 1, 1) },
		"data: RandomSplit: vertex 0: label -2 out of range [0, 3)":                                            func() { RandomSplit([]int32{-2}, 3, 1, 1, 1) },
		"data: RandomSplit: -1 classes, of each 1 vertices for training and 1 for validation":                  func() { RandomSplit(nil, -1, 1, 1, 1) },
		"data: RandomSplit: 1152921504606846976 classes, of each 0 vertices for training and 0 for validation": func() { RandomSplit(nil, 1<<60, 0, 0, 0) },
		"data: RandomSplit: 1 classes, of each -1 vertices for training and 1 for validation":                  func() { RandomSplit(nil, 1, -1, 1, 1) },
		"data: RandomSplit: 1 classes, of each 1 vertices for training and -1 for validation":                  func() { RandomSplit(nil, 1, 1, -1, 1) },
	} {
		func() {
			defer func() {
				var typed *Error
				if err, _ := recover().(error); !errors.As(err, &typed) || err.Error() != want {
					t.Errorf("panic %v, want %q", err, want)
				}
			}()
			f()
		}()
	}
}
