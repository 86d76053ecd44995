package data

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// naiveKNN sorts all points of a cloud by their distance.
func naiveKNN(x *tensor.Tensor, k int, offsets []int32) (src, dst []int32) {
	for i := range len(offsets) - 1 {
		for v := offsets[i]; v < offsets[i+1]; v++ {
			distance := map[int32]float64{}
			var others []int32
			for u := offsets[i]; u < offsets[i+1]; u++ {
				if u == v {
					continue
				}
				others = append(others, u)
				for c := range x.Dim(1) {
					d := x.At(int(u), c) - x.At(int(v), c)
					distance[u] += d * d
				}
				if math.IsNaN(distance[u]) {
					distance[u] = math.Inf(1)
				}
			}
			sort.SliceStable(others, func(a, b int) bool { return distance[others[a]] < distance[others[b]] })
			for _, u := range others[:min(k, len(others))] {
				src, dst = append(src, u), append(dst, v)
			}
		}
	}
	return src, dst
}

func clouds(sizes ...int) *graph.BatchInfo {
	b := &graph.BatchInfo{VertexOffsets: []int32{0}}
	for i, n := range sizes {
		for range n {
			b.GraphOf = append(b.GraphOf, int32(i))
		}
		b.VertexOffsets = append(b.VertexOffsets, int32(len(b.GraphOf)))
	}
	return b
}

// Coordinates are small whole numbers: distances are exact, and many are equal.
func TestKNNJoinsEachPointToItsNearest(t *testing.T) {
	for _, sizes := range [][]int{{40}, {7, 0, 1, 2, 30}, {0}, {}, {1}, {60, 5}} {
		for _, width := range []int{0, 1, 3, 8, 19} {
			for _, k := range []int{1, 4, 50} {
				for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
					b := clouds(sizes...)
					n := len(b.GraphOf)
					x := tensor.Floor(tensor.Scale(tensor.Rand(dt, uint64(width+k), n, width), 6))
					src, dst := naiveKNN(x, k, b.VertexOffsets)
					g, info := KNN(x, k, b)
					if !slices.Equal(g.Src(), src) || !slices.Equal(g.Dst(), dst) {
						t.Fatalf("%v, %d features, k %d: edges from %v to %v, want from %v to %v", sizes, width, k, g.Src(), g.Dst(), src, dst)
					}
					if g.NumVertices() != n || !slices.Equal(info.GraphOf, b.GraphOf) || !slices.Equal(info.VertexOffsets, b.VertexOffsets) {
						t.Errorf("%v: %v with the clouds %v", sizes, g, info)
					}
					parts, err := graph.Unbatch(g, info)
					if err != nil || len(parts) != len(sizes) {
						t.Fatalf("%v: %d parts, error %v", sizes, len(parts), err)
					}
					for i, part := range parts {
						if want := sizes[i] * min(k, max(sizes[i]-1, 0)); part.NumEdges() != want {
							t.Errorf("cloud %d of %v has %d edges, want %d", i, sizes, part.NumEdges(), want)
						}
					}
				}
			}
		}
	}
}

// Clouds that lie far from the origin, or whose squares leave the number type, and points
// that only differences tell apart.
func TestKNNIsExactWhereProductsAreNot(t *testing.T) {
	random := tensor.Floor(tensor.Scale(tensor.Rand(tensor.Float32, 1, 700, 5), 50))
	far := random.Clone()
	for i, x := range tensor.Data[float32](far) {
		tensor.Data[float32](far)[i] = x + float32(i%5)*0x1p20
	}
	outlier := random.Clone()
	tensor.Data[float32](outlier)[7] = 0x1p23
	src, dst := naiveKNN(random, 6, []int32{0, 700})
	for name, x := range map[string]*tensor.Tensor{
		"as they are": random, "far": far, "large": tensor.Scale(random, 0x1p55), "small": tensor.Scale(random, 0x1p-72),
		"squares overflow, distances do not": tensor.Scale(random, 0x1p59),
	} {
		if g, _ := KNN(x, 6, nil); !slices.Equal(g.Src(), src) || !slices.Equal(g.Dst(), dst) {
			t.Errorf("%s: other neighbours", name)
		}
	}
	g, _ := KNN(outlier, 6, nil)
	src, _ = naiveKNN(outlier, 6, []int32{0, 700})
	copy(src[6:12], g.Src()[6:12]) // its own differences are rounded
	if !slices.Equal(g.Src(), src) {
		t.Error("with an outlier: other neighbours")
	}
}

// Squares are a few times the smallest number, so that each is rounded by much of itself.
func TestKNNOfTinyPointsIsThatOfTheirRoundedDistances(t *testing.T) {
	const n, width, k = 300, 16, 4
	x := tensor.Scale(tensor.Randn(tensor.Float32, 1, n, width), 1e-22)
	points := tensor.Data[float32](x)
	distance := func(u, v int) float32 {
		return squaredDistance(points[u*width:][:width], points[v*width:][:width], float32(math.Inf(1)))
	}
	g, _ := KNN(x, k, nil)
	for v := range n {
		var want []int32
		for u := range int32(n) {
			if int(u) != v {
				want = append(want, u)
			}
		}
		slices.SortStableFunc(want, func(a, b int32) int { return cmp.Compare(distance(int(a), v), distance(int(b), v)) })
		if got := g.Src()[v*k:][:k]; !slices.Equal(got, want[:k]) {
			t.Fatalf("the neighbours of %d are %v, want %v", v, got, want[:k])
		}
	}
}

func TestKNNWithoutABatchIsOneCloud(t *testing.T) {
	x := tensor.Rand(tensor.Float64, 1, 3, 50).Transpose(1, 0) // not contiguous
	g, info := KNN(x, 5, nil)
	if src, dst := naiveKNN(x, 5, []int32{0, 50}); !slices.Equal(g.Src(), src) || !slices.Equal(g.Dst(), dst) {
		t.Errorf("edges from %v, want %v", g.Src(), src)
	}
	if !slices.Equal(info.EdgeOffsets, []int32{0, 250}) || info.NumGraphs() != 1 {
		t.Errorf("the batch is %v", info)
	}
}

func TestKNNTakesNaNForTheFarthest(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	x := tensor.FromSlice([]float64{nan, 0, 3, inf, 1, nan}, 6, 1)
	g, _ := KNN(x, 3, nil)
	want := []int32{1, 2, 3, 4, 2, 0, 4, 1, 0, 0, 1, 2, 1, 2, 0, 0, 1, 2}
	if !slices.Equal(g.Src(), want) {
		t.Errorf("edges from %v, want %v", g.Src(), want)
	}
}

func TestKNNRejectsWhatDoesNotFit(t *testing.T) {
	x := tensor.Zeros(tensor.Float32, 5, 3)
	swapped := clouds(2, 3)
	swapped.GraphOf[1] = 1
	for want, f := range map[string]func(){
		"data: KNN: the tensor is nil":                                                                             func() { KNN(nil, 1, nil) },
		"data: KNN: a tensor of f32 [5]; want f32 or f64 [points features]":                                        func() { KNN(tensor.Zeros(tensor.Float32, 5), 1, nil) },
		"data: KNN: a tensor of i32 [5 3]; want f32 or f64 [points features]":                                      func() { KNN(tensor.Zeros(tensor.Int32, 5, 3), 1, nil) },
		"data: KNN: 0 neighbours; want 1 or more":                                                                  func() { KNN(x, 0, nil) },
		"data: KNN: the batch of 2 graphs does not divide 5 points":                                                func() { KNN(x, 1, clouds(2, 2)) },
		"data: KNN: the batch of 0 graphs does not divide 5 points":                                                func() { KNN(x, 1, &graph.BatchInfo{}) },
		"data: KNN: the batch does not fit itself: vertex 1 is of graph 1 by GraphOf, of graph 0 by VertexOffsets": func() { KNN(x, 1, swapped) },
	} {
		if got := misuseOf(f); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
