package data

import (
	"math"
	"slices"
	"sort"
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// naiveRadius looks at every pair of a cloud.
func naiveRadius(x *tensor.Tensor, r float64, cfg RadiusConfig, offsets []int32) (src, dst []int32) {
	for i := range len(offsets) - 1 {
		for v := offsets[i]; v < offsets[i+1]; v++ {
			distance := map[int32]float64{}
			var near []int32
			for u := offsets[i]; u < offsets[i+1]; u++ {
				for c := range x.Dim(1) {
					d := x.At(int(u), c) - x.At(int(v), c)
					distance[u] += d * d
				}
				if (u != v || cfg.Loops) && distance[u] < r*r {
					near = append(near, u)
				}
			}
			sort.SliceStable(near, func(a, b int) bool { return distance[near[a]] < distance[near[b]] })
			if cfg.Limit > 0 && cfg.Limit < len(near) {
				near = near[:cfg.Limit]
			}
			for _, u := range near {
				src, dst = append(src, u), append(dst, v)
			}
		}
	}
	return src, dst
}

// Coordinates are small whole numbers: distances are exact, many are equal, and many are those
// of the radius.
func TestRadiusJoinsPointsThatAreNear(t *testing.T) {
	for _, sizes := range [][]int{{40}, {7, 0, 1, 2, 30}, {0}, {}, {1}, {50, 5}} {
		for _, width := range []int{0, 1, 3, 8, 19} {
			for _, r := range []float64{0.5, 1, 5, 8, math.Inf(1)} {
				for _, cfg := range []RadiusConfig{{}, {Limit: 3}, {Loops: true}, {Limit: 3, Loops: true}} {
					for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
						b := clouds(sizes...)
						n := len(b.GraphOf)
						x := tensor.Floor(tensor.Scale(tensor.Rand(dt, uint64(width+n), n, width), 6))
						src, dst := naiveRadius(x, r, cfg, b.VertexOffsets)
						g, info := Radius(x, r, cfg, b)
						if !slices.Equal(g.Src(), src) || !slices.Equal(g.Dst(), dst) {
							t.Fatalf("%v, %d features, radius %v, %+v: edges from %v to %v, want from %v to %v", sizes, width, r, cfg, g.Src(), g.Dst(), src, dst)
						}
						if g.NumVertices() != n || !slices.Equal(info.GraphOf, b.GraphOf) || !slices.Equal(info.VertexOffsets, b.VertexOffsets) {
							t.Errorf("%v: %v with the clouds %v", sizes, g, info)
						}
						if parts, err := graph.Unbatch(g, info); err != nil || len(parts) != len(sizes) {
							t.Fatalf("%v: %d parts, error %v", sizes, len(parts), err)
						}
					}
				}
			}
		}
	}
}

// Distances are those of the differences where products lose the digits.
func TestRadiusIsExactWhereProductsAreNot(t *testing.T) {
	random := tensor.Floor(tensor.Scale(tensor.Rand(tensor.Float32, 1, 700, 5), 50))
	far := random.Clone()
	for i, x := range tensor.Data[float32](far) {
		tensor.Data[float32](far)[i] = x + float32(i%5)*0x1p20
	}
	outlier := random.Clone()
	tensor.Data[float32](outlier)[7] = 0x1p23
	for name, c := range map[string]struct {
		x *tensor.Tensor
		r float64
	}{
		"as they are": {random, 15}, "far": {far, 15}, "with an outlier": {outlier, 15},
		"large": {tensor.Scale(random, 0x1p55), 15 * 0x1p55}, "small": {tensor.Scale(random, 0x1p-60), 15 * 0x1p-60},
	} {
		src, dst := naiveRadius(c.x, c.r, RadiusConfig{}, []int32{0, 700})
		if g, _ := Radius(c.x, c.r, RadiusConfig{}, nil); len(src) < 700 || !slices.Equal(g.Src(), src) || !slices.Equal(g.Dst(), dst) {
			t.Errorf("%s: %d edges, want %d", name, g.NumEdges(), len(src))
		}
	}
}

func TestRadiusJoinsNoPointThatIsNaN(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	x := tensor.FromSlice([]float64{nan, 0, 3, inf, 1, nan}, 6, 1)
	g, info := Radius(x, inf, RadiusConfig{Loops: true}, nil)
	if want := []int32{1, 4, 2, 2, 4, 1, 4, 1, 2}; !slices.Equal(g.Src(), want) {
		t.Errorf("edges from %v, want %v", g.Src(), want)
	}
	if !slices.Equal(info.EdgeOffsets, []int32{0, 9}) {
		t.Errorf("the batch is %v", info)
	}
}

func TestRadiusRejectsWhatDoesNotFit(t *testing.T) {
	x := tensor.Zeros(tensor.Float32, 5, 3)
	for want, f := range map[string]func(){
		"data: Radius: the tensor is nil":                                        func() { Radius(nil, 1, RadiusConfig{}, nil) },
		"data: Radius: a tensor of i32 [5 3]; want f32 or f64 [points features]": func() { Radius(tensor.Zeros(tensor.Int32, 5, 3), 1, RadiusConfig{}, nil) },
		"data: Radius: a radius of 0; want one above 0":                          func() { Radius(x, 0, RadiusConfig{}, nil) },
		"data: Radius: a radius of NaN; want one above 0":                        func() { Radius(x, math.NaN(), RadiusConfig{}, nil) },
		"data: Radius: a limit of -1 neighbours; want 0 or more":                 func() { Radius(x, 1, RadiusConfig{Limit: -1}, nil) },
		"data: Radius: the batch of 2 graphs does not divide 5 points":           func() { Radius(x, 1, RadiusConfig{}, clouds(2, 2)) },
	} {
		if got := misuseOf(f); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
