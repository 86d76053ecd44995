// Stochastic block models.

package data

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

// SBMConfig describes a planted-partition stochastic block model (Holland,
// Laskey and Leinhardt 1983) with features.
type SBMConfig struct {
	Sizes []int // vertices of each class

	// PIn and POut are the probabilities of an edge between two vertices of
	// the same class and of different classes.
	PIn, POut float64

	// Features is the number of features: a vertex has the centre of its
	// class, drawn from the standard normal distribution, plus Noise times a
	// standard normal vector of its own. 0 stands for identity features.
	Features int
	Noise    float64

	Seed uint64
}

// Streams of random numbers of a model.
const (
	sbmEdges = iota
	sbmCentres
	sbmNoise
	sbmSplit
)

// SBM generates a dataset: a symmetric graph without self-loops and
// duplicates, vertices numbered class by class, and a split of 20 vertices of
// each class for training, 30 for validation and the rest for testing. The
// result depends on the configuration alone. O(V + E) and O(V) per feature.
func SBM(c SBMConfig) (*Dataset, error) {
	n, err := c.check()
	if err != nil {
		return nil, fmt.Errorf("data: SBM: %w", err)
	}
	d := &Dataset{Name: "sbm", NumClasses: len(c.Sizes), Labels: make([]int32, 0, n)}
	var src, dst []int32
	connect := func(u, v int) {
		src, dst = append(src, int32(u), int32(v)), append(dst, int32(v), int32(u))
	}
	start := make([]int, len(c.Sizes))
	for k, size := range c.Sizes {
		start[k] = len(d.Labels)
		for range size {
			d.Labels = append(d.Labels, int32(k))
		}
		within := size * (size - 1) / 2
		samplePairs(within, c.PIn, rng.Fold(c.Seed, sbmEdges, uint64(k), uint64(k)), func(i int) {
			u, v := trianglePair(i)
			connect(start[k]+u, start[k]+v)
		})
		for l := range k {
			across := size * c.Sizes[l]
			samplePairs(across, c.POut, rng.Fold(c.Seed, sbmEdges, uint64(k), uint64(l)), func(i int) {
				connect(start[k]+i/c.Sizes[l], start[l]+i%c.Sizes[l])
			})
		}
	}
	if d.Graph, err = graph.New(n, src, dst); err != nil {
		return nil, fmt.Errorf("data: SBM: %w", err)
	}
	d.Features = c.features(d.Labels)
	d.Train, d.Val, d.Test = RandomSplit(d.Labels, d.NumClasses, trainPerClass, valPerClass, rng.Fold(c.Seed, sbmSplit))
	return d, nil
}

// check returns the number of vertices.
func (c *SBMConfig) check() (int, error) {
	var n, arcs float64
	for k, size := range c.Sizes {
		if size < 0 {
			return 0, fmt.Errorf("class %d has %d vertices", k, size)
		}
		arcs += float64(size) * (c.PIn*float64(size) + 2*c.POut*n)
		n += float64(size)
	}
	if !(c.PIn >= 0 && c.PIn <= 1 && c.POut >= 0 && c.POut <= 1) { // also for NaN
		return 0, fmt.Errorf("%v and %v are not probabilities", c.PIn, c.POut)
	}
	if n > math.MaxInt32 || arcs > math.MaxInt32 {
		return 0, fmt.Errorf("%.0f vertices with %.0f expected arcs are too many", n, arcs)
	}
	if c.Features < 0 || c.Features > maxColumns || n*float64(c.Features) > math.MaxInt32 {
		return 0, fmt.Errorf("%d features", c.Features)
	}
	if !(math.Abs(c.Noise) <= 1e30) { // so that features are finite
		return 0, fmt.Errorf("noise of %v", c.Noise)
	}
	return int(n), nil
}

// samplePairs calls yield for each i in [0, n) with probability p, in
// ascending order, in time proportional to the number of calls: the gaps are
// geometrically distributed (Batagelj and Brandes 2005).
func samplePairs(n int, p float64, seed uint64, yield func(i int)) {
	if p <= 0 {
		return
	}
	scale := 1 / math.Log1p(-p) // -0 for p = 1, where every gap is 0
	i := -1.0
	for draw := uint64(0); ; draw++ {
		i += 1 + math.Floor(math.Log(1-rng.Uniform(seed, draw))*scale)
		if !(i < float64(n)) { // also for NaN: 0/0 with the smallest p
			return
		}
		yield(int(i))
	}
}

// trianglePair returns pair i of (1,0), (2,0), (2,1), (3,0), …
func trianglePair(i int) (u, v int) {
	u = int((1 + math.Sqrt(1+8*float64(i))) / 2)
	for u*(u-1)/2 > i { // the root may be rounded either way
		u--
	}
	for u*(u+1)/2 <= i {
		u++
	}
	return u, i - u*(u-1)/2
}

func (c *SBMConfig) features(labels []int32) Features {
	if c.Features == 0 {
		return IdentityFeatures(len(labels))
	}
	centres, noise := rng.Fold(c.Seed, sbmCentres), rng.Fold(c.Seed, sbmNoise)
	x := make([]float32, len(labels)*c.Features)
	for i := range x {
		v, f := i/c.Features, i%c.Features
		centre := rng.Normal(centres, uint64(int(labels[v])*c.Features+f))
		x[i] = float32(centre + c.Noise*rng.Normal(noise, uint64(i)))
	}
	return DenseFeatures(tensor.FromSlice(x, len(labels), c.Features))
}
